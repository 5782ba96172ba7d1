// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_PAIR_MATCHES_HPP
#define OPENCV_MULTIMATCH_PAIR_MATCHES_HPP

#include "opencv2/multimatch/sparse.hpp"
#include "opencv2/multimatch/tracks.hpp"

#include <vector>

namespace cv { namespace multimatch {

//! @addtogroup multimatch
//! @{

/** @brief The matches between two views, as a pairwise matcher returns them.

A list of these need not be cycle-consistent; Tracks always are. */
struct CV_EXPORTS_W_SIMPLE PairMatches
{
    CV_PROP_RW int first;                   //!< view of queryIdx
    CV_PROP_RW int second;                  //!< view of trainIdx
    CV_PROP_RW std::vector<DMatch> matches; //!< in any order

    CV_WRAP PairMatches() : first(-1), second(-1) {}
    //! The matches of the views firstView and secondView.
    PairMatches(int firstView, int secondView,
                const std::vector<DMatch>& matchList = std::vector<DMatch>())
        : first(firstView), second(secondView), matches(matchList)
    {
    }
};

//! Meaning of DMatch::distance where matches of other programs become weights.
enum MatchWeights
{
    //! A descriptor distance: weight exp(-(distance / median distance)^2 / 2), the median over all
    //! matches.
    WEIGHTS_FROM_DISTANCES = 0,
    //! Distance of the nearest over that of the second nearest, in [0, 1]: weight
    //! exp(-ratio^2 / (2 * 0.8^2)).
    WEIGHTS_FROM_RATIOS = 1,
    //! A score in [0, 1], as learned matchers give it: the weight itself.
    WEIGHTS_FROM_SCORES = 2
};

/** @brief Pairwise matches as one symmetric matrix of weights, as MatchingProblem::similarity and
solve() of the peers take it.
@param viewSizes points per view, m in all
@param matches of any matcher; a pair of views may occur several times, in both orders: the largest
weight of a match counts
@param weights MatchWeights: what DMatch::distance is
@return m x m, weights in [1e-6, 1]
Throws cv::Exception where a view or point does not exist, or a distance, ratio or score is out of
its range. */
CV_EXPORTS CsrMatrix similarityFromMatches(const std::vector<int>& viewSizes,
                                           const std::vector<PairMatches>& matches,
                                           int weights = WEIGHTS_FROM_DISTANCES);

/** @brief Scores into the matches: DMatch::distance becomes the score, for WEIGHTS_FROM_SCORES.
@param matches as another matcher gave them
@param scores per pair a score for each of its matches, in [0, 1] */
CV_EXPORTS_W std::vector<PairMatches>
matchesWithScores(const std::vector<PairMatches>& matches,
                  const std::vector<std::vector<float>>& scores);

//! The matches of all pairs of views that share a track, pairs ascending: tracks closed over their
//! observations.
CV_EXPORTS_W std::vector<PairMatches> allPairMatches(const Tracks& tracks);

//! @}

}} // namespace cv::multimatch

#endif
