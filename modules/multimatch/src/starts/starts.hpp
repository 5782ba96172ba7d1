// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_STARTS_STARTS_HPP
#define OPENCV_MULTIMATCH_SRC_STARTS_STARTS_HPP

#include "../precomp.hpp"

namespace cv { namespace multimatch {

/** The starts of HiPPI, which are also matchers of their own. All return one label per point; no
label occurs twice in a view. */

/** QuickMatch on the neighbor graph: every point a label, singletons included. density(x) sums over
x itself and its stored neighbors; the parent of p is its nearest stored neighbor of higher density.
With k as large as the largest view this is the full algorithm. */
std::vector<int> quickMatchLabels(const NeighborGraph& graph, float rhoDen, float rhoEdge,
                                  bool weighted);

/** Kruskal with view exclusion: edges of at least minimum by falling similarity (ties: by index), a
union that would put two points of one view together is refused. Every point a label, singletons
included. */
std::vector<int> greedyLabels(const CsrMatrix& similarity, const std::vector<int>& viewSizes,
                              float minimum);

//! Joins along the matches, smallest distance first, as greedyLabels() does along similarities.
std::vector<int> nearestFirstLabels(const CsrMatrix& matches, const std::vector<int>& viewSizes);

/** Labels of every point by one dense assignment per view of the rows of the d leading eigenvectors
of I + S (m x d) to the d rows of the reference view, which must have d points; other views at most
d. */
std::vector<int> spectralLabelsComplete(const Mat& eigenvectors, const std::vector<int>& viewSizes,
                                        int referenceView);

/** Partial spectral labels: rows are normalized; each point not yet taken opens a universe point
and takes in every later view the free point of highest cosine, if that is above threshold. Every
point a label. */
std::vector<int> spectralLabelsPartial(const Mat& eigenvectors, const std::vector<int>& viewSizes,
                                       double threshold);

//! Random labels out of d, no label twice in a view; d at least the largest view.
std::vector<int> randomLabels(const std::vector<int>& viewSizes, int d, int seed);

}} // namespace cv::multimatch

#endif
