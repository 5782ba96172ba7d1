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

//! Something to be matched: features, or matches that another matcher made.
struct Problem
{
    KeyPoints keypoints;              //!< empty where points are given
    std::vector<cv::Mat> points;      //!< n x 2 a view, where points carry no size and angle
    std::vector<cv::Mat> descriptors; //!< empty where only matches are known
    std::vector<int> viewSizes;

    /** Matches given by others: symmetric m x m weights, empty (0 rows) where features are given. */
    cv::multimatch::CsrMatrix similarity;
    PairList given; //!< the same as lists

    Labels labels;        //!< truth; empty where geometry judges
    int universeSize = 0; //!< d where it is known beforehand, else 0
    bool rigid = false;   //!< photographs of a rigid scene
    bool planar = false;  //!< related by homographies

    bool hasFeatures() const { return !descriptors.empty(); }
    int pointCount() const;
    int largestView() const;
};

//! What judges tracks of photographs.
struct Geometry
{
    std::vector<cv::Mat> homographies; //!< from the first view to each
    std::vector<cv::Mat> projections;  //!< 3 x 4 a view
    double maxError = 0;               //!< px

    cv::multimatch::GeometryScore score(const cv::multimatch::Tracks& tracks,
                                        const KeyPoints& keypoints) const;
    cv::multimatch::GeometryScore score(const PairList& pairs, const KeyPoints& keypoints) const;
};

//! Matches as a symmetric weight matrix: exp(-(distance / median distance)^2 / 2), which keeps their order.
cv::multimatch::CsrMatrix similarityOf(const PairList& pairs, const std::vector<int>& viewSizes);

} // namespace bench

#endif
