// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_EVIDENCE_APPEARANCE_HPP
#define OPENCV_MULTIMATCH_SRC_EVIDENCE_APPEARANCE_HPP

#include "overlap.hpp"

namespace cv { namespace multimatch { namespace evidence {

//! A pair of points with the distance of their descriptors.
struct DistancePair
{
    int p, q;
    float distance;
    float weight; //!< how much it counts in what is learned
};

/** Log-odds by descriptors, learned from the problem itself:
a_pq = log pi_vw + log f1(log d) - log N0(log r).
f1 is the normal density of log d over right pairs. N0 is the number of wrong points of a view per
unit of log r, where r = d / sqrt(o_p o_q) and o_p^2 = (distance to the closest descriptor of the
own view)^2 + ownShare * (usual distance of right pairs)^2. pi_vw is the prior of Overlap. */
class Appearance : public Witness
{
public:
    //! neighbors: nearest ones per point and view that the graph holds at least; 0: not known.
    Appearance(const std::vector<Mat>& descriptors, int normType, const NeighborGraph& graph,
               int neighbors, const Views& views, const Overlap& overlap,
               const EvidenceParams& params);

    float distance(int p, int q) const; //!< of the descriptors

    /** Mutual nearest neighbors that pass the ratio test. They count the more, the more further
    points both are matched with: among look-alikes most of the others are wrong. */
    std::vector<DistancePair> clearPairs() const;

    /** Estimates f1 from pairs that are taken for right, and N0 from the views around these pairs
    or around others, whose right partner is known likewise. */
    void learn(const std::vector<DistancePair>& right, const std::vector<DistancePair>& others);
    using Witness::learn;

    float logRatio(const CandidatePair& pair) const CV_OVERRIDE
    {
        return logOdds(pair.p, pair.q, pair.value);
    }
    float logOdds(int p, int q, float distance) const;

private:
    void learnWrong(const std::vector<DistancePair>& right);
    void countNeighbors(int p, int q, std::vector<int>& found, std::vector<int>& reached) const;
    float logR(int p, int q, float d) const
    {
        return std::log(std::max(floor_, d)) - logScale_[p] - logScale_[q];
    }

    const Views& views_;
    const NeighborGraph& graph_;
    const int neighbors_;
    const Overlap& overlap_;
    const EvidenceParams params_;
    int type_, normType_, width_;
    std::vector<Mat> descriptors_;   //!< in bytes where these are enough
    std::vector<const uchar*> rows_; //!< per point its descriptor
    std::vector<float> own_; //!< per point the distance to the closest descriptor of its view
    float floor_;            //!< distances count as at least this

    float mean_, deviation_, logPeak_; //!< of log d of right pairs; log f1 at its maximum
    std::vector<float> logScale_;      //!< per point log sqrt(o_p)
    std::vector<float> logWrong_;      //!< log N0 per bin of log r
    int learned_;                      //!< number of times
};

}}} // namespace cv::multimatch::evidence

#endif
