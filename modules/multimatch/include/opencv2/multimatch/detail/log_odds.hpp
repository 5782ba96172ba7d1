// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_DETAIL_LOG_ODDS_HPP
#define OPENCV_MULTIMATCH_DETAIL_LOG_ODDS_HPP

#include "opencv2/multimatch/geometry.hpp"
#include "opencv2/multimatch/hippi.hpp"

namespace cv { namespace multimatch { namespace detail {

//! @addtogroup multimatch
//! @{

/** @brief One sweep of the power iteration on partial data at fixed log-odds: proposed tracks,
joins of tracks, then V = L U projected view by view.

@param viewSizes points per view, m in all
@param logOdds L: symmetric m x m, no entries inside a view, any signs; stored zeros count as
entries
@param pairs N x 2 CV_32S, the compared pairs of views, each once
@param missing log-odds of a pair of points in compared views that L does not store, not positive
@param trackCost log-odds that a track of two points or more costs
@param memberCost what each member of a track but its first costs
@param proposed per point the label of a proposed track, -1: none; no label twice in a view. Single
points that share a label become a track where the objective grows. Empty: nothing is proposed.
@param labels per point its track, -1: none; no track twice in a view. Replaced by the labels after
the sweep.
@return the objective after the sweep: sum over tracks of the log-odds of all pairs of members, less
the costs of the tracks and members. It is never less than before. */
CV_EXPORTS double projectLogOdds(const std::vector<int>& viewSizes, const CsrMatrix& logOdds,
                                 const Mat& pairs, float missing, float trackCost, float memberCost,
                                 const std::vector<int>& proposed, std::vector<int>& labels);

/** @brief The power iteration on partial data, on points in an order that depends on their content
alone.

@param params of the matcher
@param keypoints per view its key points
@param descriptors per view one row for each key point
@param reuse keep the local maps whose tracks have not changed; otherwise all are fitted anew in
every iteration. The result is the same.
@param labels per point its track, -1: none
@return per point the confidence */
CV_EXPORTS std::vector<float> iteratePartial(const HiPPIParams& params,
                                             const std::vector<std::vector<KeyPoint>>& keypoints,
                                             InputArrayOfArrays descriptors, bool reuse,
                                             std::vector<int>& labels);

/** @brief Log-odds of the candidate pairs, given tracks.

@param params of the matcher; params.evidence.witnesses selects the witnesses
@param keypoints per view its key points
@param descriptors per view one row for each key point
@param tracks per view the track of each key point, -1: none; no track twice in a view
@param geometry how the geometry of pairs of views is estimated from the tracks; NULL: it is not
used
@return symmetric m x m in the order of the key points through all views */
CV_EXPORTS CsrMatrix logOddsGiven(const HiPPIParams& params,
                                  const std::vector<std::vector<KeyPoint>>& keypoints,
                                  InputArrayOfArrays descriptors,
                                  const std::vector<std::vector<int>>& tracks,
                                  const VerificationParams* geometry = NULL);

//! @}

}}} // namespace cv::multimatch::detail

#endif
