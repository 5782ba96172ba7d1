// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_SIMILARITY_SIMILARITY_HPP
#define OPENCV_MULTIMATCH_SRC_SIMILARITY_SIMILARITY_HPP

#include "../base/run_control.hpp"

namespace cv { namespace multimatch {

//! The bandwidth of every point: rhoDen (0: from the data) times the distance to the closest
//! descriptor of its view.
std::vector<float> kernelBandwidths(const NeighborGraph& graph, float rhoDen);

//! computeSimilarity with given bandwidths, in place of the distances. All values are 0 where the
//! callback returns false.
CsrMatrix kernelSimilarity(CsrMatrix distances, const std::vector<float>& bandwidths,
                           const SimilarityParams& params, RunControl& control);

}} // namespace cv::multimatch

#endif
