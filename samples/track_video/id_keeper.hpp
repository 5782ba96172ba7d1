// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_VIDEO_ID_KEEPER_HPP
#define MULTIMATCH_VIDEO_ID_KEEPER_HPP

#include "features.hpp"

#include "opencv2/multimatch.hpp"

#include <deque>
#include <map>
#include <set>

//! A frame with its features and their ids.
struct Frame
{
    int number = 0;
    cv::Mat image;
    samples::Features features;
    std::vector<int> ids; //!< id of each key point, -1: not tracked
};

/** @brief Tracks points through a video of any length.

Frames are matched in overlapping windows, and ids are passed from window to window. Lost points are
kept and matched as an additional view, so that they get their id again when they reappear. */
class IdKeeper
{
public:
    /** @param window frames matched together, >= 2
    @param overlap frames that two consecutive windows share, >= 1
    @param memory number of frames for which a lost point is kept */
    IdKeeper(int window, int overlap, int memory);

    //! Adds the next frame; returns the frames whose ids are final, in order.
    std::vector<Frame> add(const Frame& frame);
    //! Returns the remaining frames at the end of the video.
    std::vector<Frame> finish();

    int idCount() const { return nextId_; }
    int reidentified() const { return reidentified_; } //!< number of lost ids that were found again

private:
    struct Remembered
    {
        cv::KeyPoint keypoint;
        cv::Mat descriptor;
        int lastFrame = 0;
    };

    void match();
    cv::multimatch::Tracks matchFrames(const std::vector<int>& lost) const;
    int mostFrequentId(const std::vector<cv::multimatch::Observation>& track,
                       const std::vector<int>& lost, const std::set<int>& taken) const;
    void remember(const Frame& frame);
    std::vector<Frame> release(size_t keep);

    int window_, overlap_, memory_;
    std::deque<Frame> frames_;
    size_t decided_; //!< number of first frames whose ids are final
    std::map<int, Remembered> known_;
    int nextId_, reidentified_;
};

#endif
