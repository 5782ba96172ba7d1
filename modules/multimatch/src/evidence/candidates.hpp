// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_EVIDENCE_CANDIDATES_HPP
#define OPENCV_MULTIMATCH_SRC_EVIDENCE_CANDIDATES_HPP

#include "appearance.hpp"

#include "opencv2/multimatch/detail/search_along.hpp"

namespace cv { namespace multimatch { namespace evidence {

//! Log-odds of candidate pairs.
class PairLogOdds
{
public:
    virtual ~PairLogOdds() {}
    virtual Ptr<PairLogOdds> copy() const = 0; //!< for another thread
    //! From now on most pairs are of points of these views; v < w.
    virtual void begin(int v, int w) = 0;
    //! p < q; value: of the pair in Candidates::pairs().
    virtual float logOdds(int p, int q, float value) = 0;
};

/** The candidate pairs and their log-odds. Symmetric: each pair is stored in the rows of both
 * points. */
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

    //! Computes the log-odds of all pairs.
    void evaluate(const PairLogOdds& source);

    /* Pairs that are added are evaluated at once. They are kept by commit(). */

    //! Pairs of a single point and the points closest to its predicted places, where these may have
    //! changed since the last time.
    void addNearby(const std::vector<int>& labels, const LocalMaps& maps,
                   const Positions& positions, const PairLogOdds& source);
    /** The most similar points along the geometry of each pair of views. They are searched again
    where the geometry has many more inliers than at the last search, otherwise those found then are
    added. */
    void addAlong(const std::vector<PairGeometry>& geometries, const std::vector<Mat>& points,
                  int count, double maxError, const PairLogOdds& source);
    /** All pairs of a point and the members of the tracks that it may join: those with a member of
     * positive log-odds. */
    void addClosure(const std::vector<int>& labels, const TrackTable& tracks,
                    const PairLogOdds& source);

    //! Stores the pairs that were added, and drops all pairs with log-odds of no more than this.
    void commit(float least);

private:
    struct Entry
    {
        int p, q;
        float value, logOdds;
    };
    //! Entry of a row.
    struct Fresh
    {
        int column;
        float value, logOdds;

        bool operator<(const Fresh& other) const { return column < other.column; }
        bool operator==(const Fresh& other) const { return column == other.column; }
    };
    typedef std::vector<std::vector<Entry>> Found; //!< in parallel parts
    //! What was found along the geometry of a pair of views.
    struct Along
    {
        int inliers; //!< of the geometry
        std::vector<Entry> pairs;

        Along() : inliers(0) {}
    };

    int viewPairsInSlice() const;
    void searchAlongPair(const PairGeometry& geometry, const std::vector<Mat>& points, int count,
                         double maxError, Along& along) const;
    void add(const Found& found);
    void add(int p, int q, PairLogOdds& source, std::vector<Entry>& found) const;
    bool isNew(int p, int q) const;
    void mirror();

    const Views& views_;
    const Appearance* appearance_;
    const EvidenceParams params_;
    RunControl& control_;
    CsrMatrix pairs_;
    std::vector<float> logOdds_; //!< per entry of pairs_
    std::vector<Entry> found_;   //!< added, not committed; a pair may be there twice
    std::vector<Along> along_;   //!< per pair of views
};

}}} // namespace cv::multimatch::evidence

#endif
