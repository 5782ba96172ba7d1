// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_RUN_CONTROL_HPP
#define OPENCV_MULTIMATCH_SRC_RUN_CONTROL_HPP

#include "precomp.hpp"

namespace cv { namespace multimatch {

/** Clock and brake of one run: which stage is on, how long each took, and whether the user's callback
wants to go on. Used from the calling thread only; parallel stages work in slices between calls. */
class RunControl
{
public:
    explicit RunControl(const ProgressCallback& callback);

    //! Ends the present stage and begins another; a stage of the same name adds its time.
    void begin(const char* stage);

    /** Tells how far the present stage is. False once the callback has asked to stop. The callback is
    called at most 20 times a second. */
    bool proceed(double fraction);

    bool cancelled() const { return cancelled_; }

    //! Ends the present stage and writes stage names, seconds and the cancelled flag into the report.
    void finish(MatchReport& report);

private:
    void endStage();

    ProgressCallback callback_;
    bool cancelled_;
    const char* stage_;
    int64 stageStart_;
    int64 lastCall_;
    std::vector<std::string> stages_;
    std::vector<double> seconds_;
};

}} // namespace cv::multimatch

#endif
