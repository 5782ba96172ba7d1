// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_EVIDENCE_OVERLAP_HPP
#define OPENCV_MULTIMATCH_SRC_EVIDENCE_OVERLAP_HPP

#include "witness.hpp"

namespace cv { namespace multimatch { namespace evidence {

/** The prior: the share pi_vw of points of view v that are also seen in view w. As a witness, the
ratio of that share around a point to the share in the whole view: where few of the tracks around a
point are seen in the other view, it is probably not seen there either. */
class Overlap : public Witness
{
public:
    Overlap(const Views& views, const EvidenceParams& params);

    /** Counts the pairs of points on one track, shrunk to the mean share of all pairs of views.
    Returns the number of pairs in compared views. labels: track of every point, -1: none; tracks:
    the same by track. */
    double count(const std::vector<int>& labels, const TrackTable& tracks);

    float logShare(int v, int w) const; //!< log pi_vw
    //! Mean of both directions of the log-ratio of local and global share.
    float logRatio(const CandidatePair& pair) const CV_OVERRIDE;

private:
    const Views& views_;
    const EvidenceParams params_;
    std::vector<std::vector<float>> logShare_; //!< per view and compared view
    std::vector<std::vector<float>> share_;    //!< pi_vw itself
};

}}} // namespace cv::multimatch::evidence

#endif
