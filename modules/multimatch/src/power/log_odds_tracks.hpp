// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_POWER_LOG_ODDS_TRACKS_HPP
#define OPENCV_MULTIMATCH_SRC_POWER_LOG_ODDS_TRACKS_HPP

#include "../base/run_control.hpp"
#include "../evidence/overlap.hpp"

namespace cv { namespace multimatch {

/** Assignment of points to tracks for fixed log-odds L. The objective is
F(U; L) = sum over tracks of (sum over pairs of its members of L_pq) - trackCost * (number of
tracks)
- memberCost * (number of members but the first of each track),
where a pair of points in compared views that L does not store counts missing, and a pair in views
that were not compared counts 0. A sweep projects V = L U view by view: one linear assignment per
view, unmatched at 0. As L has no entries inside a view this is exact block coordinate ascent, and F
never decreases, whatever the signs in L. */
class LogOddsTracks
{
public:
    /** pairs: pattern of L, symmetric, no entries inside a view; L: log-odds of its entries.
    labels: -1 for points without a track. All but labels must outlive the object. */
    LogOddsTracks(const evidence::Views& views, const CsrMatrix& pairs, const std::vector<float>& L,
                  float missing, float trackCost, float memberCost, const std::vector<int>& labels);

    //! Projects all views once. F does not decrease.
    void sweep(RunControl& control);

    /** Joins tracks, single points among them, that have no view in common, largest gain of F per
    pair of members first, as long as F grows. */
    void join(RunControl& control);

    /** Makes tracks of single points that have a proposed label in common, where F grows; members
    whose log-odds with the others are negative are left out. A single pair may be too weak to begin
    a track that many pairs support. */
    void propose(const TrackTable& proposed, RunControl& control);

    /** Divides tracks whose members contradict each other, where F grows and not all views were
    compared. A sweep moves one point after the other, which does not separate two chained tracks in
    views few of which were compared: each point has positive log-odds with its own half. */
    void split(RunControl& control);

    /** Divides tracks with members between which there is no chain of compared views: nothing is
    known about their being one point. F may decrease, as it has no term for such pairs. */
    void separate();

    /** Adds single points to the tracks that they fit best, and pairs of single points, even where
    F falls, by less than a margin for each point. Members stay where they are. */
    void extend(float margin, RunControl& control);

    double objective() const;

    //! Tracks of two points or more numbered 0, 1, ... in the order of their first points; -1:
    //! none.
    std::vector<int> labels() const;

    /** Per point what it adds to F in its own track, 0 for single points, less the largest that it
    would add to another track without its own view, at least 0. */
    std::vector<float> margins(RunControl& control) const;

    /** Per point the probability that it belongs to its track; 0 for single points. Learned from
    the tracks themselves: see confidence.cpp. positions: NULL where they are not known; reliable:
    margin of members that are taken for certain. */
    std::vector<float> confidence(const evidence::Overlap& overlap,
                                  const evidence::Positions* positions, float reliable,
                                  RunControl& control) const;

private:
    friend class Calibration;

    //! What a point would add to F in a track.
    struct Gain
    {
        int label;
        float value;
        int members; //!< of the track in other views; known where the value is at least least_
        int rival;   //!< member in the view of the point, -1: none; known likewise
    };
    //! Two tracks, single points among them, that may become one.
    struct Join
    {
        float gain;       //!< of F, per pair of members
        int a, b;         //!< labels, a < b
        int sizeA, sizeB; //!< when the gain was computed

        //! The largest gain comes first, ties by label.
        bool operator<(const Join& other) const
        {
            return gain != other.gain ? gain < other.gain
                   : a != other.a     ? a > other.a
                                      : b > other.b;
        }
    };
    //! Sums of log-odds by label: a hash table.
    class Sums
    {
    public:
        struct Slot
        {
            int label; //!< -1: not in use
            int count;
            float sum;
        };

        //! For up to so many labels. All slots must be free.
        void reserve(size_t labels)
        {
            if (slots_.size() >= 2 * labels)
                return;
            size_t size = std::max<size_t>(64, slots_.size());
            while (size < 2 * labels)
                size *= 2;
            const Slot unused = {-1, 0, 0.f};
            slots_.assign(size, unused);
        }
        void add(int label, float value)
        {
            const size_t mask = slots_.size() - 1;
            size_t at = (static_cast<unsigned>(label) * 2654435769u >> 7) & mask;
            while (slots_[at].label != label && slots_[at].label >= 0)
                at = (at + 1) & mask;
            Slot& slot = slots_[at];
            if (slot.label < 0)
            {
                slot.label = label;
                touched_.push_back(static_cast<int>(at));
            }
            ++slot.count;
            slot.sum += value;
        }
        //! The labels in the order in which they were first added.
        size_t size() const { return touched_.size(); }
        const Slot& operator[](size_t n) const { return slots_[touched_[n]]; }
        void clear()
        {
            const Slot unused = {-1, 0, 0.f};
            for (size_t n = 0; n < touched_.size(); ++n)
                slots_[touched_[n]] = unused;
            touched_.clear();
        }

    private:
        std::vector<Slot> slots_;
        std::vector<int> touched_;
    };
    struct Scratch
    {
        Sums sums;
        std::vector<Gain> gains;
        std::vector<uchar> seen; //!< per view, in joins
        std::vector<Join> joins;
    };
    //! The gains of a point in all tracks that it has entries with.
    const std::vector<Gain>& gainsOf(int p, Scratch& scratch) const;
    float logOddsOf(int p, int q) const;
    int comparedMembers(int label, int view) const;
    bool contradicts(int label) const;
    std::vector<std::vector<int>> partsOf(int label) const;
    std::vector<std::vector<int>> chainedParts(int label) const;
    void divide(const std::vector<std::vector<int>>& parts);
    void project(int view, bool onlySingle);
    //! The joins of a track with others that make F grow; of others with larger labels only where
    //! so asked.
    const std::vector<Join>& joinsOf(int label, bool onlyLarger, Scratch& scratch) const;
    void move(int p, int label);
    int freeLabel();

    const evidence::Views& views_;
    const CsrMatrix& pairs_;
    const std::vector<float>& L_;
    float missing_, trackCost_, memberCost_;
    float least_;            //!< gains of less are not looked at; 0, or less after extend()
    std::vector<int> label_; //!< per point; single points have a label of their own
    std::vector<int> size_;  //!< per label
    std::vector<int> head_;  //!< per label its first member, -1: none
    std::vector<int> next_, previous_; //!< per point, in its track
    std::vector<int> free_;            //!< labels without members
    std::vector<int> column_;          //!< per label, in the projection
};

}} // namespace cv::multimatch

#endif
