// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_SEARCH_WORK_COUNTER_HPP
#define OPENCV_MULTIMATCH_SRC_SEARCH_WORK_COUNTER_HPP

#include "../base/run_control.hpp"

#include <atomic>
#include <thread>

namespace cv { namespace multimatch {

//! Counts the work of all threads; the calling thread among them reports progress.
class WorkCounter
{
public:
    WorkCounter(RunControl& control, double total, double shareBefore, double shareAfter)
        : control_(control), caller_(std::this_thread::get_id()), total_(std::max(1., total)),
          before_(shareBefore), after_(shareAfter), done_(0), stopped_(false)
    {
    }

    //! Adds work; false where all threads should stop.
    bool add(double work)
    {
        done_ += static_cast<int64>(work);
        if (std::this_thread::get_id() == caller_ && !proceed())
            stopped_ = true;
        return !stopped_;
    }

    //! From the calling thread only.
    bool proceed()
    {
        const double share = std::min(1., static_cast<double>(done_) / total_);
        return control_.proceed(before_ + share * (after_ - before_));
    }

private:
    RunControl& control_;
    const std::thread::id caller_;
    const double total_, before_, after_;
    std::atomic<int64> done_;
    std::atomic<bool> stopped_;
};

}} // namespace cv::multimatch

#endif
