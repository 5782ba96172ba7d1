// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_BASE_RUN_CONTROL_HPP
#define OPENCV_MULTIMATCH_SRC_BASE_RUN_CONTROL_HPP

#include "../precomp.hpp"

namespace cv { namespace multimatch {

//! Points that are processed between two calls of the progress callback.
const int SLICE_POINTS = 1 << 15;

//! Number of views that together have about SLICE_POINTS points.
int viewsInSlice(const std::vector<int>& offsets);

/** Progress of one run: the present stage, the time of each stage, and whether the progress
callback has returned false. Used from the calling thread only; parallel stages work in slices
between calls. */
class RunControl
{
public:
    explicit RunControl(const ProgressCallback& callback);

    //! Ends the present stage and begins another; a stage of the same name adds its time.
    void begin(const char* stage);

    /** Reports the progress of the present stage. False once the callback has returned false. The
    callback is called at most 20 times a second. */
    bool proceed(double fraction);

    //! proceed() without progress.
    bool wanted() { return proceed(lastFraction_); }

    //! From now on proceed() refers to this part of the present stage.
    void part(double from, double to);

    /** Runs body on all of [0, count), in parallel inside slices of this size; the progress
    callback is called between them. False: the callback returned false, and not all was done. A
    slice should take less than a quarter of a second. report: whether the progress in [0, count) is
    that of the stage. */
    template<typename Body>
    bool forSlices(int count, int slice, const Body& body, bool report = true)
    {
        for (int first = 0; first < count && !cancelled_; first += slice)
        {
            const Range range(first, std::min(count, first + slice));
            parallel_for_(range, body, static_cast<double>(stripes()));
            if (report)
                proceed(static_cast<double>(range.end) / count);
            else
                wanted();
        }
        return !cancelled_;
    }

    bool cancelled() const { return cancelled_; }

    //! Ends the present stage and writes stage names, seconds and the cancelled flag into the
    //! report.
    void finish(MatchReport& report);

private:
    void endStage();
    //! Number of tasks of a slice: a few per thread, as each task may allocate scratch memory.
    static int stripes();

    ProgressCallback callback_;
    bool cancelled_;
    const char* stage_;
    double from_, to_;    //!< part of the stage
    double lastFraction_; //!< of that part
    int64 stageStart_;
    int64 lastCall_;
    std::vector<std::string> stages_;
    std::vector<double> seconds_;
};

}} // namespace cv::multimatch

#endif
