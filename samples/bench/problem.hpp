// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_PROBLEM_HPP
#define MULTIMATCH_BENCH_PROBLEM_HPP

#include "opencv2/multimatch.hpp"
#include "opencv2/multimatch/peers.hpp"

#include <functional>
#include <string>
#include <vector>

namespace bench {

typedef std::vector<std::vector<cv::KeyPoint>> KeyPoints;
typedef std::vector<std::vector<int>> Labels;
typedef std::vector<cv::multimatch::PairMatches> PairList;

//! Matching problem: features, or matches of another matcher.
struct Problem
{
    KeyPoints keypoints;              //!< empty if points are given
    std::vector<cv::Mat> points;      //!< n x 2 for each view, for points without size and angle
    std::vector<cv::Mat> descriptors; //!< empty if only matches are given
    std::vector<int> viewSizes;

    /** Weights of given matches: symmetric, m x m; empty (0 rows) if features are given. */
    cv::multimatch::CsrMatrix similarity;
    PairList given; //!< the same matches as lists

    Labels labels;        //!< ground truth; empty if it is geometry
    int universeSize = 0; //!< d if it is known, otherwise 0
    bool rigid = false;   //!< photographs of a rigid scene
    bool planar = false;  //!< related by homographies

    bool hasFeatures() const { return !descriptors.empty(); }
    int pointCount() const;
    int largestView() const;
};

//! Ground truth of photographs.
struct Geometry
{
    std::vector<cv::Mat> homographies; //!< from the first view to each
    std::vector<cv::Mat> projections;  //!< 3 x 4 for each view
    double maxError = 0;               //!< in pixels

    cv::multimatch::GeometryScore score(const cv::multimatch::Tracks& tracks,
                                        const KeyPoints& keypoints) const;
    cv::multimatch::GeometryScore score(const PairList& pairs, const KeyPoints& keypoints) const;
    //! Per view and point the share of the other members of its track that agree with it.
    std::vector<std::vector<float>> agreement(const cv::multimatch::Tracks& tracks,
                                              const KeyPoints& keypoints) const;
};

//! Matches as a symmetric weight matrix: exp(-(distance / median distance)^2 / 2), which keeps
//! their order.
cv::multimatch::CsrMatrix similarityOf(const PairList& pairs, const std::vector<int>& viewSizes);

} // namespace bench

#endif
