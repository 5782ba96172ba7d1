// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_EVIDENCE_PAIR_LINES_HPP
#define OPENCV_MULTIMATCH_SRC_EVIDENCE_PAIR_LINES_HPP

#include "local_maps.hpp"

#include "opencv2/multimatch/geometry.hpp"

namespace cv { namespace multimatch { namespace evidence {

//! The geometry of an ordered pair of views, and how far right pairs depart from it.
struct PairLine
{
    Matx33f matrix;  //!< F or H from the first to the second view
    bool homography; //!< else epipolar
    float scale;     //!< of the Laplace density of the residual, px
    float stray;     //!< share of right pairs that do not follow the geometry

    //! Density of the signed distance to the line, or of the residual in the plane under a
    //! homography.
    float density(float residual) const
    {
        return homography
                   ? std::exp(-residual / scale) / (2 * static_cast<float>(CV_PI) * scale * scale)
                   : std::exp(-residual / scale) / (2 * scale);
    }
};

//! The geometries of the pairs of views: epipolar lines or homographies, estimated from the present
//! tracks.
class PairLines
{
public:
    PairLines(const Positions& positions, const Views& views, const EvidenceParams& params);

    //! Geometries with the pairs of points that they were estimated from.
    void set(const std::vector<PairGeometry>& geometries,
             const std::vector<std::vector<std::pair<int, int>>>& pairs, double maxError);

    bool known(int v, int w) const { return index(v, w) >= 0; }

    //! Distance of q to the line of p, and the distance along it from a predicted place.
    const PairLine& residuals(int p, int q, const float* place, float& across, float& along) const;

    //! The likelihood ratio of q where nothing else is known than the line.
    float ratioAlone(int p, int q, float extent) const;

private:
    int index(int v, int w) const
    {
        return index_.empty()
                   ? -1
                   : index_[static_cast<size_t>(v) * static_cast<size_t>(views_.count()) +
                            static_cast<size_t>(w)];
    }

    const Positions& positions_;
    const Views& views_;
    const EvidenceParams params_;
    std::vector<int> index_; //!< per ordered pair of views its line, -1: none
    std::vector<PairLine> lines_;
};

}}} // namespace cv::multimatch::evidence

#endif
