// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_VIDEO_ID_KEEPER_HPP
#define MULTIMATCH_VIDEO_ID_KEEPER_HPP

#include "features.hpp"

#include "opencv2/multimatch.hpp"

#include <deque>
#include <map>

//! A frame with its features and the ids of those that are followed.
struct Frame
{
    int number = 0;
    cv::Mat image;
    samples::Features features;
    std::vector<int> ids; //!< per key point, -1: not followed
};

/** Follows points through a video of any length: frames are matched in windows that overlap, and ids go from window to window. Points
that were lost are remembered and take part in the matching as one more view, so that they get their id back when they come into sight
again. */
class IdKeeper
{
public:
    /** @param window frames matched together, >= 2
    @param overlap frames of a window that the one before had too, >= 1
    @param memory frames after which a lost point is forgotten */
    IdKeeper(int window, int overlap, int memory);

    //! Takes the next frame; returns those whose ids are final, in order.
    std::vector<Frame> add(const Frame& frame);
    //! The frames still held at the end of the video.
    std::vector<Frame> finish();

    int idCount() const { return nextId_; }
    int reidentified() const { return reidentified_; } //!< ids that came back after they were lost

private:
    struct Remembered
    {
        cv::KeyPoint keypoint;
        cv::Mat descriptor;
        int lastFrame = 0;
    };

    void match();
    void remember(const Frame& frame);
    std::vector<Frame> release(size_t keep);

    int window_, overlap_, memory_;
    std::deque<Frame> frames_;
    size_t decided_; //!< frames at the front whose ids are given
    std::map<int, Remembered> known_;
    int nextId_, reidentified_;
};

#endif
