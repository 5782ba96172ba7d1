// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_EVALUATION_HPP
#define OPENCV_MULTIMATCH_EVALUATION_HPP

#include "opencv2/multimatch/pair_matches.hpp"
#include "opencv2/multimatch/tracks.hpp"

namespace cv { namespace multimatch {

//! @addtogroup multimatch_evaluation
//! @{

/* All scores count the matches of all unordered pairs of views. Tracks claim every pair of their
observations, whether the two views were ever compared or not: a track of n views claims
n (n - 1) / 2 matches. */

//! Matches counted over all unordered pairs of views.
struct CV_EXPORTS_W_SIMPLE MatchScore
{
    CV_PROP_RW double matches; //!< matches claimed
    CV_PROP_RW double correct; //!< of these, right
    CV_PROP_RW double truth;   //!< true matches

    CV_WRAP MatchScore();
    CV_WRAP double precision() const; //!< correct / matches; 1 where nothing is claimed
    CV_WRAP double recall() const;    //!< correct / truth; 1 where there is nothing to find
    CV_WRAP double fscore() const;    //!< harmonic mean of both, 0 where both are 0
};

/** @brief Scores tracks against the true labels.
@param tracks to score
@param labels per view the true label of each point; negative: an outlier, any match of it is wrong
Cost: linear in the points. Throws cv::Exception where sizes do not fit. */
CV_EXPORTS_W MatchScore scoreTracks(const Tracks& tracks,
                                    const std::vector<std::vector<int>>& labels);

/** @brief Scores pairwise matches against the true labels.
@param matches to score; every unordered pair of views at most once. Matches of pairs that are
not listed count as missed.
@param labels per view the true label of each point; negative: an outlier, any match of it is wrong
Cost: linear in matches and points. Throws cv::Exception where an index does not fit or a pair of
views occurs twice. */
CV_EXPORTS_W MatchScore scorePairs(const std::vector<PairMatches>& matches,
                                   const std::vector<std::vector<int>>& labels);

/** @brief Share of the true points with at least two observations in tracks that are in more than
one track, in [0, 1]; 0 where there is none.
@param tracks to score
@param labels as of scoreTracks
Cost: n log n in the points. Throws cv::Exception where sizes do not fit. */
CV_EXPORTS_W double splitRate(const Tracks& tracks, const std::vector<std::vector<int>>& labels);

/** @brief Share of contradictions in the three-cycles of pairwise matches, in [0, 1]; 0 for all
Tracks.

Over all triples of views (i, j, k), every chain of two matches p - q - r (p in i, q in j, r in k)
is a matching in a three-cycle, and a violation where p - r is not matched. The result is
violations / chains, 0 where there is no chain. Triples count only where all three pairs are listed:
list a pair without matches too.
Cost: linear in the number of chains. Throws cv::Exception where a view or point index is
negative or a pair of views occurs twice. */
CV_EXPORTS_W double cycleError(const std::vector<PairMatches>& matches);

//! Matches and tracks counted against known geometry.
struct CV_EXPORTS_W_SIMPLE GeometryScore
{
    CV_PROP_RW double matches;       //!< matches claimed, closed over each track
    CV_PROP_RW double correct;       //!< of these, within the bound
    CV_PROP_RW double tracks;        //!< tracks of three views or more; 0 for pairwise matches
    CV_PROP_RW double correctTracks; //!< of these, right as a whole

    CV_WRAP GeometryScore();
    CV_WRAP double precision() const; //!< correct / matches; 1 where nothing is claimed
};

/** @brief Scores tracks of a plane, or of a camera that only rotates.
@param tracks to score
@param keypoints per view its key points, as matched
@param homographies per view a 3 x 3 CV_32F or CV_64F homography from one common plane (the first
view, say) to it
@param maxError in pixels, > 0
A match of views i < j is correct where H_j H_i^-1 maps its point in i to within maxError of its
point in j; a track where all its matches are. Cost: linear in the matches. Throws cv::Exception
where sizes do not fit or a homography has no inverse. */
CV_EXPORTS_W GeometryScore scoreHomographies(const Tracks& tracks,
                                             const std::vector<std::vector<KeyPoint>>& keypoints,
                                             InputArrayOfArrays homographies, double maxError);

//! Same for pairwise matches; there are no tracks to count.
CV_EXPORTS_W GeometryScore scoreHomographies(const std::vector<PairMatches>& matches,
                                             const std::vector<std::vector<KeyPoint>>& keypoints,
                                             InputArrayOfArrays homographies, double maxError);

/** @brief Scores tracks under known cameras.
@param tracks to score
@param keypoints per view its key points, as matched; lens distortion removed
@param projections per view its 3 x 4 camera P, CV_32F or CV_64F: x ~ P X
@param maxError in pixels, > 0
A match is correct where each point lies within maxError of the epipolar line of the other. A track
of three views or more is correct where all its matches are and the point that triangulates it
(linearly, then by Gauss-Newton on the reprojection error) lies in front of its cameras and within
maxError of every observation.
Cost: linear in the matches. Throws cv::Exception where sizes do not fit or two cameras share their
center. */
CV_EXPORTS_W GeometryScore scoreCameras(const Tracks& tracks,
                                        const std::vector<std::vector<KeyPoint>>& keypoints,
                                        InputArrayOfArrays projections, double maxError);

//! Same for pairwise matches; there are no tracks to count.
CV_EXPORTS_W GeometryScore scoreCameras(const std::vector<PairMatches>& matches,
                                        const std::vector<std::vector<KeyPoint>>& keypoints,
                                        InputArrayOfArrays projections, double maxError);

/** @brief Per view and point the share of the other members of its track that agree with it.
Parameters and agreement as in scoreHomographies.
@return a value in [0, 1], or -1 for a point that is the only member of its track or in none */
CV_EXPORTS std::vector<std::vector<float>>
agreementByHomographies(const Tracks& tracks, const std::vector<std::vector<KeyPoint>>& keypoints,
                        InputArrayOfArrays homographies, double maxError);

//! Same under known cameras; parameters and agreement as in scoreCameras.
CV_EXPORTS std::vector<std::vector<float>>
agreementByCameras(const Tracks& tracks, const std::vector<std::vector<KeyPoint>>& keypoints,
                   InputArrayOfArrays projections, double maxError);

/** @brief Percentage of correct key points: distances of matches from the ground truth.
@param tracks to score
@param labels per view the true label of each point, negative: none; none twice in a view
@param points per view an n x D matrix, CV_32F or CV_64F (or n x 1 of D channels)
@param thresholds distances, >= 0
@return per threshold the share, in [0, 1], of the matches p -> q of all ordered pairs of views for
which q lies within the threshold of the point that has p's label in q's view. A match of a point
that has no counterpart there counts as wrong at every threshold. 1 where nothing is matched.
Throws cv::Exception where sizes do not fit. */
CV_EXPORTS_W std::vector<double> computePCK(const Tracks& tracks,
                                            const std::vector<std::vector<int>>& labels,
                                            InputArrayOfArrays points,
                                            const std::vector<double>& thresholds);

/** @brief Same with distances given by the caller, e.g. geodesics on a mesh.
@param tracks as in computePCK
@param labels as in computePCK
@param distances per view an n x n matrix, CV_32F or CV_64F
@param thresholds as in computePCK
@return as computePCK
Throws cv::Exception where sizes do not fit. */
CV_EXPORTS_W std::vector<double>
computePCKFromDistances(const Tracks& tracks, const std::vector<std::vector<int>>& labels,
                        InputArrayOfArrays distances, const std::vector<double>& thresholds);

//! @}

}} // namespace cv::multimatch

#endif
