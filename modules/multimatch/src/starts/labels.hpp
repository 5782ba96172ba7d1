// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_STARTS_LABELS_HPP
#define OPENCV_MULTIMATCH_SRC_STARTS_LABELS_HPP

#include "../precomp.hpp"

namespace cv { namespace multimatch {

//! Twice the mean number of points a view, at least the largest view: the default of d.
int defaultUniverse(const std::vector<int>& viewSizes);

//! All views have universeSize points.
bool isComplete(const std::vector<int>& viewSizes, int universeSize);

/** Every point one of d labels: points without a label and those of labels beyond the d most
frequent ones get the labels that are free in the view and have the fewest points so far. d is at
least the largest view. */
std::vector<int> completedLabels(const std::vector<int>& labels, const std::vector<int>& viewSizes,
                                 int d);

/** Labels renumbered 0, 1, ... by falling frequency; those beyond limit (0: none) and those of a
single point become -1. Returns the number of labels. */
int compactLabels(std::vector<int>& labels, int limit);

//! At most count of the views of d points, spread through their ranking by weight in S: references
//! of a spectral start.
std::vector<int> referenceViews(const CsrMatrix& S, const std::vector<int>& viewSizes, int d,
                                int count);

}} // namespace cv::multimatch

#endif
