// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_EVIDENCE_GIVEN_MATCHES_HPP
#define OPENCV_MULTIMATCH_SRC_EVIDENCE_GIVEN_MATCHES_HPP

#include "witness.hpp"

namespace cv { namespace multimatch { namespace evidence {

/** Log-odds of matches that another matcher made, by their scores: how many of the matches with a
like score the present tracks agree with. Pairs that were not matched count by the share of right
pairs that the matcher has missed. */
class GivenMatches : public Witness
{
public:
    GivenMatches(const CsrMatrix& scores, float maxLogOdds);

    //! Counts at these tracks. pairsOnTracks: all pairs of points on one track in compared views.
    void count(const std::vector<int>& labels, double pairsOnTracks);

    //! value: the score, 0 where the pair was not matched.
    float logRatio(const CandidatePair& pair) const CV_OVERRIDE;
    float missing() const { return missing_; }

private:
    int binOf(float score) const;

    const CsrMatrix& scores_;
    const float maxLogOdds_;
    std::vector<float> edges_; //!< of the bins of scores, ascending
    std::vector<float> logOdds_;
    float missing_;
};

}}} // namespace cv::multimatch::evidence

#endif
