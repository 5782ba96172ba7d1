// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "interruptible.hpp"

namespace multimatch_python {

namespace {

thread_local PendingError* innermost = nullptr;

bool callPython(const py::object& callback, const cv::multimatch::Progress& progress)
{
    if (PyErr_CheckSignals() != 0)
        throw py::error_already_set();
    if (callback.is_none())
        return true;
    const py::object answer = callback(progress);
    // None means to continue: it is the result of a function without return.
    return answer.is_none() || py::bool_(answer);
}

} // namespace

PendingError::PendingError() : outer_(innermost)
{
    innermost = this;
}

PendingError::~PendingError()
{
    innermost = outer_;
}

void PendingError::set(const std::exception_ptr& error)
{
    if (innermost)
        innermost->error_ = error;
}

void PendingError::rethrow() const
{
    if (error_)
        std::rethrow_exception(error_);
}

cv::multimatch::ProgressCallback makeProgressCallback(const py::object& callback)
{
    // The matcher may be destroyed by a thread without the GIL.
    const std::shared_ptr<py::object> held(new py::object(callback), [](py::object* object) {
        py::gil_scoped_acquire acquired;
        delete object;
    });
    return [held](const cv::multimatch::Progress& progress) {
        py::gil_scoped_acquire acquired;
        try
        {
            return callPython(*held, progress);
        }
        catch (const py::error_already_set&)
        {
            PendingError::set(std::current_exception());
            return false;
        }
    };
}

} // namespace multimatch_python
