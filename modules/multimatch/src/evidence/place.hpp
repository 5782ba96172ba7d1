// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_EVIDENCE_PLACE_HPP
#define OPENCV_MULTIMATCH_SRC_EVIDENCE_PLACE_HPP

#include "pair_lines.hpp"
#include "witness.hpp"

namespace cv { namespace multimatch { namespace evidence {

/** Log-likelihood ratio of the position: a right point lies near the place that the tracks around
predict (Student's t distribution), a wrong one anywhere in the neighborhood. Where the geometry of
the two views is known, the residual across the epipolar line and the residual of the prediction
along it form one density in the plane. Mean of both directions. */
class Place : public Witness
{
public:
    //! lines: NULL where the geometry of the pairs of views is not used.
    Place(const Positions& positions, const Views& views, const PairLines* lines,
          const EvidenceParams& params)
        : positions_(positions), views_(views), lines_(lines), params_(params), spreadFactor_(1)
    {
    }

    void learn(const std::vector<LabeledPair>& sample) CV_OVERRIDE;
    float logRatio(const CandidatePair& pair) const CV_OVERRIDE;

private:
    //! The ratio of q's place as seen from p.
    float ratio(int p, int q, const Prediction& prediction) const;

    const Positions& positions_;
    const Views& views_;
    const PairLines* lines_;
    const EvidenceParams params_;
    float spreadFactor_; //!< squared residuals of right pairs over those of the fits
};

}}} // namespace cv::multimatch::evidence

#endif
