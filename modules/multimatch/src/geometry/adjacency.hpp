// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_GEOMETRY_ADJACENCY_HPP
#define OPENCV_MULTIMATCH_SRC_GEOMETRY_ADJACENCY_HPP

#include "../base/kd_tree.hpp"

namespace cv { namespace multimatch {

//! computeAdjacency on checked points with given trees. Rows may be missing where the progress
//! callback returns false.
Adjacency adjacencyOf(const std::vector<Mat>& views, const std::vector<KdTree>& trees,
                      const AdjacencyParams& params, const std::vector<ViewFrame>& frames,
                      RunControl& control);

}} // namespace cv::multimatch

#endif
