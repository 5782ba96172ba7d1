// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_EVIDENCE_CANDIDATES_HPP
#define OPENCV_MULTIMATCH_SRC_EVIDENCE_CANDIDATES_HPP

#include "../geometry/search_along.hpp"
#include "appearance.hpp"

namespace cv { namespace multimatch { namespace evidence {

/** The candidate pairs and their log-odds. Symmetric: each pair is stored in the rows of both points. */
class Candidates
{
public:
    //! appearance: NULL where matches are given; pairs that are added then have the value 0.
    Candidates(const Views& views, const Appearance* appearance, const EvidenceParams& params,
               RunControl& control);

    //! pairs().values are descriptor distances, or scores of given matches.
    const CsrMatrix& pairs() const { return pairs_; }
    const std::vector<float>& logOdds() const { return logOdds_; }

    //! Begins with all given matches.
    void begin(const CsrMatrix& given);
    //! Begins with the neighbors whose log-odds by appearance are within reach.
    void beginWithin(const CsrMatrix& distances);

    //! Pairs of a single point and the points closest to its predicted places.
    void addNearby(const std::vector<int>& labels, const LocalMaps& maps,
                   const Positions& positions);
    //! The most similar points along the geometry of each pair of views.
    void addAlong(const std::vector<PairGeometry>& geometries, const MultiMatcher::Input& input,
                  int count, double maxError);
    /** All pairs of a point and the members of the tracks that it may join: those with a member of positive log-odds. */
    void addClosure(const std::vector<int>& labels);

    //! Drops pairs with log-odds of no more than this.
    void drop(float logOdds);

    //! Computes the log-odds of all pairs, or of those that are new since the last time. evaluate(p, q, value)
    template<typename Evaluate>
    void evaluate(bool onlyNew, const Evaluate& evaluate)
    {
        control_.forSlices(
            pairs_.rows, SLICE_POINTS,
            [&](const Range& range) {
                for (int p = range.start; p < range.end; ++p)
                    for (size_t e = pairs_.offsets[p]; e < pairs_.offsets[p + 1]; ++e)
                        if (pairs_.columns[e] > p && (!onlyNew || logOdds_[e] == UNKNOWN))
                            logOdds_[e] = evaluate(p, pairs_.columns[e], pairs_.values[e]);
            },
            false);
        mirror();
    }

private:
    struct Entry
    {
        int p, q; //!< p < q
        float value;

        bool operator<(const Entry& other) const
        {
            return p != other.p ? p < other.p : q < other.q;
        }
        bool operator==(const Entry& other) const { return p == other.p && q == other.q; }
    };
    typedef std::vector<std::vector<Entry>> Found; //!< in parallel parts

    static const float UNKNOWN; //!< log-odds of new pairs

    Entry entryOf(int p, int q) const;
    bool isNew(int p, int q) const;
    void merge(const Found& found);
    template<typename Keep>
    void keepIf(const CsrMatrix& pairs, const std::vector<float>& logOdds, const Keep& keep);
    void mirror();

    const Views& views_;
    const Appearance* appearance_;
    const EvidenceParams params_;
    RunControl& control_;
    CsrMatrix pairs_;
    std::vector<float> logOdds_; //!< per entry of pairs_
    std::vector<StripIndex> strips_;
};

}}} // namespace cv::multimatch::evidence

#endif
