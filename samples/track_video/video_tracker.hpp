// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_VIDEO_TRACKER_HPP
#define MULTIMATCH_VIDEO_TRACKER_HPP

#include "features.hpp"

#include "opencv2/multimatch/track_builder.hpp"

#include <deque>
#include <map>
#include <vector>

//! A frame with its features and their ids.
struct Frame
{
    int number = 0;
    cv::Mat image;
    samples::Features features;
    std::vector<int> ids; //!< id of each key point, -1: not tracked
};

/** @brief Tracks points through a video of any length.

Each frame is compared with the frames before it, and with a few remembered ones, so that points
that were hidden get their id again. All other frames are removed from the TrackBuilder. */
class VideoTracker
{
public:
    /** @param window number of frames before it that a frame is compared with, >= 1
    @param delay number of frames after which the ids of a frame are final, >= 0
    @param memory number of frames for which a lost point may be found again */
    VideoTracker(int window, int delay, int memory);

    //! Adds the next frame; returns the frames whose ids are final, in order.
    std::vector<Frame> add(const Frame& frame);
    //! Returns the remaining frames at the end of the video.
    std::vector<Frame> finish() { return release(0); }

    int idCount() const { return static_cast<int>(lastFrame_.size()); }
    int reidentified() const { return reidentified_; } //!< number of lost ids that were found again

private:
    std::vector<Frame> release(size_t keep);
    void forget();

    cv::Ptr<cv::multimatch::TrackBuilder> builder_;
    int window_, delay_, memory_;
    std::vector<int> remembered_; //!< views, ascending
    std::deque<int> recent_;      //!< views of the last frames, ascending
    std::deque<Frame> waiting_;   //!< frames whose ids may still change
    std::map<int, int>
        lastFrame_; //!< per id the frame in which it was last seen; counted in frames
    int released_, reidentified_;
};

#endif
