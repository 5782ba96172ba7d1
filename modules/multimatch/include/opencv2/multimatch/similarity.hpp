// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SIMILARITY_HPP
#define OPENCV_MULTIMATCH_SIMILARITY_HPP

#include "opencv2/multimatch/matcher.hpp"
#include "opencv2/multimatch/sparse.hpp"

namespace cv { namespace multimatch {

//! @addtogroup multimatch_stages
//! @{

/** @brief Nearest neighbors between views, from which S is computed.

distances is symmetric and has no entry inside a view: (p, q) is stored if q is among the k nearest
of p in q's view or the other way round. Distances are L2 or Hamming (bits), as the search was
called. A stored distance of 0 is a neighbor too.
*/
struct CV_EXPORTS NeighborGraph
{
    std::vector<int> viewSizes; //!< points per view, m in all
    CsrMatrix distances;        //!< m x m
    //! Per point the distance to the closest other descriptor of its own view; +inf in a view of
    //! one point.
    std::vector<float> ownDistance;
};

/** @brief k nearest neighbors of every descriptor in every other view of the chosen pairs.

@param descriptors one Mat per view, rows are descriptors, all of one type (CV_32F or CV_8U) and
width; a view without points may be empty
@param k neighbors per point and view, in both directions; at least 1. The whole view where it is
larger.
@param pairs N x 2 CV_32S, the pairs of views to compare; empty: all
@param normType NORM_L2 (CV_32F or CV_8U) or NORM_HAMMING (CV_8U); 0: NORM_L2 for CV_32F,
NORM_HAMMING for CV_8U
@param searchMode SearchMode. All return exact distances. SEARCH_APPROXIMATE has for each point only
those of its neighbors that lie in the same part of an index over all views, and no more than 64 of
them in all views together, beyond those that have the point among their own. SEARCH_AUTO has for
pairs of large views the nearest ones among the points that are compared; a few in a hundred of them
are not the nearest ones of all, and so are own distances of large views. Of equally near
descriptors the first counts as nearer. The result is the same to the last bit whatever the
processor and the number of threads.
Cost: like a matrix product per pair of views, in parallel; whole numbers that differ by at most
255, as SIFT's do, take a third of the time of other floats with AVX-512 or NEON's dot products,
half of it elsewhere. SEARCH_APPROXIMATE: about as much as comparing 8 sqrt(m) points with each of
the m points. SEARCH_AUTO: between large views each point is compared with about 2,300 points of the
other. Memory beyond the result is bounded.
Throws cv::Exception on bad input, before any work.
*/
CV_EXPORTS NeighborGraph findNeighbors(InputArrayOfArrays descriptors, int k,
                                       InputArray pairs = noArray(), int normType = 0,
                                       int searchMode = SEARCH_AUTO);

//! How distances become similarities.
struct CV_EXPORTS SimilarityParams
{
    /** Bandwidth of point p as a share of the distance to the closest other descriptor of its own
    view (rho_den of QuickMatch), > 0; 0 (default): chosen from the data by estimateRhoDen. */
    float rhoDen;
    /** Weigh entries as QuickMatch does by log(1 + rhoDen * ownDistance) of both points (geometric
    mean); false: every entry in (0, 1]. */
    bool weighted;
    //! Entries below this share of the largest possible value are not stored, in [0, 1).
    float cutoff;

    SimilarityParams();
};

/** @brief Bandwidth chosen from the data.
The median, over mutual nearest neighbors that pass a ratio test of 0.8, of their distance over the
geometric mean of both points' own distances: the bandwidth then is the distance of a typical clear
match.
@return rhoDen for SimilarityParams, at least 0.01; 0.5 where there are fewer than 30 clear matches
or the graph holds one neighbor per view only. Of more than 50,000 points every second, third, ...
is used. Cost: linear in the graph. */
CV_EXPORTS float estimateRhoDen(const NeighborGraph& graph);

/** @brief Gaussian kernel on descriptor distances: S_pq = w_pq exp(-d_pq^2 / (2 h_p h_q)), h_p =
rhoDen * ownDistance_p.

QuickMatch's bandwidth and weight belong to one of the two points, while W must be symmetric: here
the geometric mean of both is taken. Bandwidths are bounded from below by a tenth of their view's
median, so that two equal descriptors in one view do not cut the point off.
@return symmetric m x m, without diagonal; in [0, 1] unless weighted
*/
CV_EXPORTS CsrMatrix computeSimilarity(const NeighborGraph& graph,
                                       const SimilarityParams& params = SimilarityParams());

//! @}

}} // namespace cv::multimatch

#endif
