// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_GROWING_STABLE_IDS_HPP
#define OPENCV_MULTIMATCH_SRC_GROWING_STABLE_IDS_HPP

#include "opencv2/multimatch/track_builder.hpp"

#include "../precomp.hpp"

#include <map>
#include <set>
#include <unordered_map>

namespace cv { namespace multimatch {

//! Ids of observations that stay while tracks grow, are joined and lose views.
class StableIds
{
public:
    StableIds() : next_(0) {}

    const std::vector<std::vector<int>>& ids() const { return ids_; }
    const std::vector<std::vector<float>>& confidence() const { return confidence_; }
    //! Per view and point the sum of its log-odds with the other members of its track, as they were
    //! when these came.
    const std::vector<std::vector<float>>& support() const { return support_; }
    int next() const { return next_; } //!< the id of the next new track

    //! From a file; throws, naming the fault, where an id occurs twice in a view or is not less
    //! than next.
    void set(const std::vector<std::vector<int>>& ids,
             const std::vector<std::vector<float>>& confidence,
             const std::vector<std::vector<float>>& support, int next);

    void addView(int points);
    void removeView(int view, TrackChanges& changes);

    /** Applies new labels of some views. Members of one label become one track unless it would have
    two points of a view: then the ids with most members among them are joined first, and those that
    do not fit stay as they are. Observations whose support becomes negative leave their track.
    @param views numbers of the views
    @param labels per view one for each point, -1: stays as it is; no label twice in a view
    @param confidence per view and point, of points that had no id
    @param support per view and point: is added to its support
    @param firstNewView views from this one on are new: points of others join only with enough
    support */
    void apply(const std::vector<int>& views, const std::vector<std::vector<int>>& labels,
               const std::vector<std::vector<float>>& confidence,
               const std::vector<std::vector<float>>& support, int firstNewView,
               TrackChanges& changes);

    /** Replaces the tracks of some views by others, with the same arguments as apply() but -1 for
    points without a track. The ids of a track go to the label that has most of its members; of
    several ids that go to one label the oldest one remains. */
    void replace(const std::vector<int>& views, const std::vector<std::vector<int>>& labels,
                 const std::vector<std::vector<float>>& confidence,
                 const std::vector<std::vector<float>>& support, TrackChanges& changes);

private:
    typedef std::map<int, int> Members; //!< point by view
    typedef std::map<int, int> Counts;  //!< of observations, by label or id
    //! Which ids replace() gives to the new labels.
    struct Succession
    {
        std::unordered_map<int, int> idOf; //!< by label
        std::set<int> single;              //!< ids of one observation, which keep it
        Counts lost;                       //!< observations of an id that go to other labels
    };

    bool disjoint(const Members& a, const Members& b) const;
    void join(int into, int id);
    void indexMembers();
    static Succession passOn(const std::map<int, Counts>& counts, TrackChanges& changes);
    Counts relabel(const std::vector<int>& views, const std::vector<std::vector<int>>& labels,
                   const std::vector<std::vector<float>>& confidence,
                   const std::vector<std::vector<float>>& support, const Succession& succession);
    void dropUnsupported(const std::vector<int>& views, TrackChanges& changes);

    std::vector<std::vector<int>> ids_; //!< per view and point, -1: none
    std::vector<std::vector<float>> confidence_, support_;
    std::unordered_map<int, Members> members_; //!< by id
    int next_;
};

}} // namespace cv::multimatch

#endif
