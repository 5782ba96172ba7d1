// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_MERGE_HPP
#define OPENCV_MULTIMATCH_MERGE_HPP

#include "opencv2/multimatch/tracks.hpp"

#include <vector>

namespace cv { namespace multimatch {

//! @addtogroup multimatch
//! @{

/** @brief Tracks of a whole collection from tracks of overlapping parts of it.

Tracks of different parts that have an observation in common become one track, unless it would then
have two points of one view. Such contradictions are decided by the power iteration with fixed
log-odds: two observations on one track of a part have the log-odds of the smaller of their
confidences; where another part has them on two different tracks, half of that is subtracted. The
larger groups of tracks are joined first, then the points of each view are assigned to the tracks
until the sum of the log-odds stops growing. What all parts agree on stays, and no observation is
dropped that could stay on a track without a second point of its view. Parts may overlap in any way,
also not at all, and results can be merged again with others.

The result does not depend on the order of the parts.

@param parts tracks, each over some views of the collection
@param viewIndices per part, for each of its views the number of that view in the collection; no
view twice in a part
@param pointCounts number of key points of each view of the collection; views of no part have
unmatched points only
@return tracks over all views. Tracks of one observation are dissolved. The confidence of an
observation is its largest one on a track of a part that has another observation in common with the
result. The report is empty. Throws cv::Exception where the lengths differ, a view does not exist or
occurs twice in a part, or its number of points differs.

Cost: linear in the observations of the parts, plus for contradicting tracks the sum of their
squared lengths. Memory: about 20 bytes per point of the collection beside parts and result. */
CV_EXPORTS_W Tracks mergeTracks(const std::vector<Tracks>& parts,
                                const std::vector<std::vector<int>>& viewIndices,
                                const std::vector<int>& pointCounts);

//! @}

}} // namespace cv::multimatch

#endif
