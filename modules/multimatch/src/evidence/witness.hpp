// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_EVIDENCE_WITNESS_HPP
#define OPENCV_MULTIMATCH_SRC_EVIDENCE_WITNESS_HPP

#include "local_maps.hpp"

namespace cv { namespace multimatch { namespace evidence {

//! Two points of different views that may be the same physical point.
struct CandidatePair
{
    int p, q;
    float value;      //!< descriptor distance, or score of the given match; see the first witness
    Prediction there; //!< of p in the view of q
    Prediction back;  //!< of q in the view of p
};

//! A pair that the present tracks take for right or for wrong.
struct LabeledPair
{
    CandidatePair pair;
    bool same; //!< both points are on one track
};

/** One kind of evidence on whether two points are the same physical point. The sum over all
witnesses is L_pq, the log-odds of the pair. A witness that has no information on a pair returns 0.
*/
class Witness
{
public:
    virtual ~Witness() {}

    //! Estimates the densities of right and wrong pairs from a sample of candidate pairs; by
    //! default nothing is learned.
    virtual void learn(const std::vector<LabeledPair>& sample) { CV_UNUSED(sample); }

    //! log P(what is observed | same point) - log P(what is observed | different points).
    virtual float logRatio(const CandidatePair& pair) const = 0;
};

}}} // namespace cv::multimatch::evidence

#endif
