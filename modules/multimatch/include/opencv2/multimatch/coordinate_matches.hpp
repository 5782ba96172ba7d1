// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_COORDINATE_MATCHES_HPP
#define OPENCV_MULTIMATCH_COORDINATE_MATCHES_HPP

#include "opencv2/multimatch/pair_matches.hpp"
#include "opencv2/multimatch/tracks.hpp"

namespace cv { namespace multimatch {

//! @addtogroup multimatch
//! @{

/** @brief Matches of two views by their coordinates, without key points: what LoFTR, RoMa, DKM,
 * MASt3R and optical flow return. */
struct CV_EXPORTS_W_SIMPLE CoordinateMatches
{
    CV_PROP_RW int first;  //!< view of x1, y1
    CV_PROP_RW int second; //!< view of x2, y2
    CV_PROP_RW Mat
        points; //!< N x 4 CV_32F or CV_64F, a row x1, y1, x2, y2 per match, in pixels; may be empty
    CV_PROP_RW Mat scores; //!< N values >= 0, CV_32F or CV_64F; empty: 1 for each match

    CV_WRAP CoordinateMatches();
    /** @brief From the arrays of kornia and hloc (mkpts0, mkpts1, mconf).
    @param firstView view of points0
    @param secondView view of points1
    @param points0 N x 2, CV_32F or CV_64F
    @param points1 N x 2, CV_32F or CV_64F
    @param scores N values; empty: 1 for each match
    Throws cv::Exception where shapes or types do not fit. */
    CV_WRAP CoordinateMatches(int firstView, int secondView, InputArray points0, InputArray points1,
                              InputArray scores = noArray());
};

//! Key points made of matches without key points, see clusterMatches().
struct CV_EXPORTS_W_SIMPLE ClusteredMatches
{
    /** Per view its key points, ascending by x, then y: pt is the mean of the coordinates weighted
    by their scores, size the radius, response the sum of the scores. */
    CV_PROP_RW std::vector<std::vector<KeyPoint>> keypoints;
    /** A pair of views at most once, first < second, ascending; a match at most once.
    DMatch::distance is the sum of the scores of all given matches between its two key points,
    divided by the largest such sum where that exceeds 1: for WEIGHTS_FROM_SCORES. */
    CV_PROP_RW std::vector<PairMatches> matches;
    /** Per pair of views a matrix M x 4 CV_32F, a row for each of its matches: its own place x1,
    y1, x2, y2, the mean of the given matches of which it was made, weighted by their scores. */
    CV_PROP_RW std::vector<Mat> places;
    /** Per given CoordinateMatches a matrix N x 2 CV_32S, a row for each of its matches: its key
     * points in its first and in its second view. */
    CV_PROP_RW std::vector<Mat> pointsOfRows;
    CV_PROP_RW double radius; //!< in pixels, as given or from the data

    CV_WRAP ClusteredMatches();
};

/** @brief Radius for clusterMatches(): 1/5 of the typical distance of neighboring matches.

The typical distance is the median, over all given matches and both of their places, of the distance
to the nearest other place in the same view among the matches of the same pair of views. A matcher
reports different scene points at this spacing, and a cluster whose width is 1/5 of it rarely has
two of them. The factor was chosen on sequences of optical flow.
@param matches as of clusterMatches
@return pixels; 1 where no pair has two matches at different places
Cost: n log n in the matches. */
CV_EXPORTS_W double clusterRadius(const std::vector<CoordinateMatches>& matches);

/** @brief Key points and pairwise matches from matches without key points, as
MultiMatcher::synchronize takes them.

@code
const ClusteredMatches clustered = clusterMatches(dense);
const Tracks tracks =
    HiPPI::create()->synchronize(clustered.keypoints, clustered.matches, WEIGHTS_FROM_SCORES);
const std::vector<std::vector<cv::KeyPoint>> places = refineKeyPoints(clustered, tracks);
@endcode

The coordinates in a view are clustered: the one with the largest sum of scores around it within
half the radius is the center of the first cluster, and takes the others in the order of their
distance from it, each that is within the radius of all that the cluster has; the next cluster is
made from what remains. So no two coordinates of a key point are farther apart than the radius. For
the comparisons coordinates are rounded to a 32nd of the radius (the places of key points are not),
which bounds the number of different ones that have to be compared.
@param matches of any pairs of views; a pair may occur several times, in both orders
@param viewCount number of views; 0: up to the last view that has a match. Views without matches get
no key points
@param radius largest width of a key point's coordinates in pixels; 0: clusterRadius()
@return see there; the same, up to the order of pointsOfRows, for any order of matches
Cost: n log n in the matches. Throws cv::Exception, naming the entry of matches, where a view,
shape, type or value does not fit. */
CV_EXPORTS_W ClusteredMatches clusterMatches(const std::vector<CoordinateMatches>& matches,
                                             int viewCount = 0, double radius = 0);

/** @brief Key points at the places of those matches that the tracks agree with.

A key point of a track gets the mean, weighted by scores, of the own places of its matches with
other members of the track; others keep their place.
@param clustered of clusterMatches
@param tracks of its key points
@return per view its key points
Throws cv::Exception where the numbers of points differ. */
CV_EXPORTS_W std::vector<std::vector<KeyPoint>> refineKeyPoints(const ClusteredMatches& clustered,
                                                                const Tracks& tracks);

//! @}

}} // namespace cv::multimatch

#endif
