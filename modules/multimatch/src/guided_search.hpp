// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_GUIDED_SEARCH_HPP
#define OPENCV_MULTIMATCH_SRC_GUIDED_SEARCH_HPP

#include "appearance.hpp"
#include "local_geometry.hpp"

namespace cv { namespace multimatch {

/** S with entries for what the nearest-neighbour search could not see: a point without a track is looked for in the other
views where the tracks around it say that it should be, and the most similar point there becomes its partner,
whatever its rank among all descriptors. offsets: first point of each view; searchedViews: per view those to look into. Empty where the user
stops it. */
CsrMatrix withGuidedEntries(const CsrMatrix& S, const Appearance& appearance,
                            const Predictions& predictions, const std::vector<int>& labels,
                            const std::vector<int>& offsets,
                            const std::vector<std::vector<int>>& searchedViews,
                            RunControl& control);

}} // namespace cv::multimatch

#endif
