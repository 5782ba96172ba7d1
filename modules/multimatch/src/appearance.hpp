// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_APPEARANCE_HPP
#define OPENCV_MULTIMATCH_SRC_APPEARANCE_HPP

#include "run_control.hpp"

namespace cv { namespace multimatch {

//! The bandwidth of every point: rhoDen (0: from the data) times the distance to the closest descriptor of its view.
std::vector<float> kernelBandwidths(const NeighbourGraph& graph, float rhoDen);

//! Gaussian kernel of a distance between two descriptors with these bandwidths.
inline float descriptorKernel(float squaredDistance, float bandwidthP, float bandwidthQ)
{
    return std::exp(-squaredDistance / (2 * bandwidthP * bandwidthQ));
}

//! computeSimilarity on checked distances, which become it, with known bandwidths. Nothing is similar where the user stops it.
CsrMatrix kernelSimilarity(CsrMatrix distances, const std::vector<float>& bandwidths,
                           const SimilarityParams& params, RunControl& control);

//! The similarity of any two points, also of those that are no neighbours: the kernel that made S.
class Appearance
{
public:
    //! normType: NORM_L2 or NORM_HAMMING.
    Appearance(const std::vector<Mat>& descriptors, int normType,
               const std::vector<float>& bandwidths);

    float similarity(int p, int q) const;

private:
    float squaredDistance(const uchar* a, const uchar* b) const;

    std::vector<const uchar*> rows_; //!< per point its descriptor
    int type_, normType_, width_;
    std::vector<float> bandwidth_;
};

}} // namespace cv::multimatch

#endif
