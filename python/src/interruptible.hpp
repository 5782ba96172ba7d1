// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_PYTHON_INTERRUPTIBLE_HPP
#define MULTIMATCH_PYTHON_INTERRUPTIBLE_HPP

#include "conversion.hpp"

#include "opencv2/multimatch.hpp"

#include <exception>

namespace multimatch_python {

/** Calls callback with the progress (None: no call) and checks for Ctrl-C. The run stops if the
callback returns False or raises an exception. Must be called inside runInterruptibly(). */
cv::multimatch::ProgressCallback makeProgressCallback(const py::object& callback);

//! Exception of the callback of the run in this thread; runs can be nested.
class PendingError
{
public:
    PendingError();
    ~PendingError();
    PendingError(const PendingError&) = delete;
    PendingError& operator=(const PendingError&) = delete;

    static void set(const std::exception_ptr& error);
    void rethrow() const;

private:
    std::exception_ptr error_;
    PendingError* outer_;
};

//! Runs work() without the GIL and returns its result. An exception of the callback is raised here.
template<typename Work>
auto runInterruptibly(Work work) -> decltype(work())
{
    PendingError pending;
    decltype(work()) result;
    {
        py::gil_scoped_release released;
        result = work();
    }
    pending.rethrow();
    return result;
}

//! A new matcher that Ctrl-C can stop.
template<typename Matcher>
std::shared_ptr<Matcher> created(const cv::Ptr<Matcher>& matcher)
{
    matcher->setProgressCallback(makeProgressCallback(py::none()));
    return matcher;
}

} // namespace multimatch_python

#endif
