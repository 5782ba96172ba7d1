// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_FLOW_MATCHES_HPP
#define MULTIMATCH_SAMPLES_FLOW_MATCHES_HPP

#include "opencv2/multimatch/coordinate_matches.hpp"

#include <functional>
#include <vector>

namespace samples {

//! Parameters of FlowMatcher.
struct FlowParams
{
    int spacing = 8; //!< pixels between neighboring points, >= 1
    std::vector<int> gaps = {1, 2, 4,
                             8}; //!< frames between the two frames of a match, ascending, >= 1
    double maxError =
        1; //!< pixels between a point and where the flow forward and backward leads, > 0
};

//! True if this OpenCV has the module video, which FlowMatcher needs.
bool haveOpticalFlow();

/** @brief A dense matcher: points on a grid, moved by OpenCV's DIS optical flow.

A frame's points are those where the points of earlier frames arrive and, where there are none,
those of a grid. Each is moved to the later frames of the gaps. A match is kept if the flow back
leads to its point again; its score is 1 if that is exact, exp(-2) at the largest error. */
class FlowMatcher
{
public:
    //! Throws cv::Exception where a parameter is out of range or the module video is missing.
    explicit FlowMatcher(const FlowParams& params);

    //! Adds the next frame of a video, CV_8UC1 or CV_8UC3; all of one size.
    void add(const cv::Mat& frame);

    int frames() const { return count_; }
    //! The matches of all pairs of frames so far.
    const std::vector<cv::multimatch::CoordinateMatches>& matches() const { return matches_; }

private:
    struct Frame
    {
        cv::Mat gray;
        std::vector<cv::Point2f> points;
    };

    FlowParams params_;
    int count_;
    std::vector<Frame> recent_; //!< the last frames, the oldest first
    std::vector<cv::multimatch::CoordinateMatches> matches_;
};

} // namespace samples

#endif
