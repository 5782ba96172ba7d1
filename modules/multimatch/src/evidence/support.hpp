// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_EVIDENCE_SUPPORT_HPP
#define OPENCV_MULTIMATCH_SRC_EVIDENCE_SUPPORT_HPP

#include "witness.hpp"

namespace cv { namespace multimatch { namespace evidence {

/** How well the tracks around a point agree with each other on a map into the other view. Tracks of look-alikes agree only loosely, so
a point among them is less likely to be seen there than one among tracks with a small spread. Log-ratio, where it is negative, of two
histograms of the logarithm of the spread: of pairs on one track and of other candidates. Mean of both directions. */
class Support : public Witness
{
public:
    explicit Support(const EvidenceParams& params) : shrinkage_(params.shrinkage), usual2_(1) {}

    void learn(const std::vector<LabeledPair>& sample) CV_OVERRIDE;
    float logRatio(const CandidatePair& pair) const CV_OVERRIDE;

private:
    enum
    {
        BINS = 16 //!< half octaves of the spread over the usual one
    };
    int binOf(const Prediction& prediction) const;

    const float shrinkage_;
    float usual2_;                //!< median of the squared spread of pairs on one track
    std::vector<float> logRatio_; //!< per bin
};

}}} // namespace cv::multimatch::evidence

#endif
