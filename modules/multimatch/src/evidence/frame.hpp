// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_EVIDENCE_FRAME_HPP
#define OPENCV_MULTIMATCH_SRC_EVIDENCE_FRAME_HPP

#include "witness.hpp"

namespace cv { namespace multimatch { namespace evidence {

/** Log-likelihood ratio of the key points' angles and sizes: those of right pairs change as the
tracks around do (Laplace densities), those of wrong pairs turn by any angle and differ in size as
any two points do. */
class Frame : public Witness
{
public:
    explicit Frame(const Positions& positions);

    void learn(const std::vector<LabeledPair>& sample) CV_OVERRIDE;
    float logRatio(const CandidatePair& pair) const CV_OVERRIDE;

private:
    //! Mean absolute residuals of both directions; false where there is no prediction.
    bool residuals(const CandidatePair& pair, float& turn, float& stretch) const;

    const Positions& positions_;
    float turnScale_, stretchScale_, wrongStretchScale_; //!< 0: not known
};

}}} // namespace cv::multimatch::evidence

#endif
