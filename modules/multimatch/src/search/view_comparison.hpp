// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_SEARCH_VIEW_COMPARISON_HPP
#define OPENCV_MULTIMATCH_SRC_SEARCH_VIEW_COMPARISON_HPP

#include "../base/run_control.hpp"
#include "descriptor_scores.hpp"

#include <functional>

namespace cv { namespace multimatch {

//! One view against another, or against itself.
struct ViewComparison
{
    int own, other;
    //! Best of each point of own in other, and of other in own. The latter empty where both are one
    //! view.
    NearestLists ofOwn, ofOther;
};

/** @brief Compares many pairs of views, in parallel and with bounded memory.

@param views descriptors
@param scores made for these views
@param pairs N x 2 CV_32S; a view may be compared with itself, its points then not with themselves
@param k number of neighbors
@param shareBefore, shareAfter progress of the stage at the beginning and at the end
@param control progress is reported several times a second
@param finish called once for each completed pair, from several threads at a time: number of the
pair, and what was found. Pairs that were not completed when the run was cancelled are left out. */
void compareViews(const std::vector<Mat>& views, const DescriptorScores& scores, const Mat& pairs,
                  int k, double shareBefore, double shareAfter, RunControl& control,
                  const std::function<void(int, const ViewComparison&)>& finish);

//! Upper bound of the bytes of candidates while compareViews(), or a comparison by cells, searches
//! k neighbors.
double comparisonBytes(const std::vector<Mat>& views, const Mat& pairs, int k);

//! Approximate number of multiplications of a list of comparisons.
double comparisonWork(const std::vector<Mat>& views, const Mat& pairs);

}} // namespace cv::multimatch

#endif
