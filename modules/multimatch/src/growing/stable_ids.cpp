// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "stable_ids.hpp"

namespace cv { namespace multimatch {

namespace {

/** Log-odds by which a pair of observations from before that are not on one track counts against
their being one point: mostly they were compared, and not found to be the same. Chosen on
fountain-P11. */
const float APART_BEFORE = 0.5f;
//! So many members of a track count: most of a long track were not compared.
const int APART_MEMBERS = 8;

float against(size_t members)
{
    return APART_BEFORE * static_cast<float>(std::min<size_t>(members, APART_MEMBERS));
}

} // namespace

TrackChanges::TrackChanges() {}

void StableIds::set(const std::vector<std::vector<int>>& ids,
                    const std::vector<std::vector<float>>& confidence,
                    const std::vector<std::vector<float>>& support, int next)
{
    const Tracks checked(ids, confidence); // throws on ids twice in a view and bad confidences
    for (size_t v = 0; v < ids.size(); ++v)
        for (size_t p = 0; p < ids[v].size(); ++p)
        {
            if (ids[v][p] < -1 || ids[v][p] >= next)
                CV_Error_(Error::StsOutOfRange,
                          ("the id of point %zu of view %zu is %d, expected -1 or a number "
                           "less than next_id, which is %d",
                           p, v, ids[v][p], next));
        }
    ids_ = ids;
    confidence_ = confidence;
    support_ = support;
    next_ = next;
    indexMembers();
}

//! Finds the members of all ids.
void StableIds::indexMembers()
{
    members_.clear();
    for (size_t v = 0; v < ids_.size(); ++v)
        for (size_t p = 0; p < ids_[v].size(); ++p)
            if (ids_[v][p] >= 0)
                members_[ids_[v][p]][static_cast<int>(v)] = static_cast<int>(p);
}

void StableIds::addView(int points)
{
    ids_.push_back(std::vector<int>(static_cast<size_t>(points), -1));
    confidence_.push_back(std::vector<float>(static_cast<size_t>(points), 0.f));
    support_.push_back(confidence_.back());
}

void StableIds::removeView(int view, TrackChanges& changes)
{
    std::vector<int>& ids = ids_[view];
    for (size_t p = 0; p < ids.size(); ++p)
    {
        if (ids[p] < 0)
            continue;
        Members& members = members_[ids[p]];
        members.erase(view);
        (members.empty() ? changes.removed : changes.reduced).push_back(ids[p]);
        if (members.empty())
            members_.erase(ids[p]);
    }
    ids.clear();
    confidence_[view].clear();
    support_[view].clear();
    std::sort(changes.removed.begin(), changes.removed.end());
    std::sort(changes.reduced.begin(), changes.reduced.end());
}

bool StableIds::disjoint(const Members& a, const Members& b) const
{
    const Members &fewer = a.size() < b.size() ? a : b, &more = a.size() < b.size() ? b : a;
    for (Members::const_iterator m = fewer.begin(); m != fewer.end(); ++m)
        if (more.count(m->first))
            return false;
    return true;
}

void StableIds::join(int into, int id)
{
    const Members from = members_[id];
    Members& to = members_[into];
    for (Members::const_iterator m = from.begin(); m != from.end(); ++m)
    {
        to.insert(*m);
        ids_[m->first][m->second] = into;
    }
    members_.erase(id);
}

//! Observations that the members which came later contradict more than the earlier ones support
//! them.
void StableIds::dropUnsupported(const std::vector<int>& views, TrackChanges& changes)
{
    for (size_t n = 0; n < views.size(); ++n)
    {
        const size_t v = static_cast<size_t>(views[n]);
        for (size_t p = 0; p < ids_[v].size(); ++p)
        {
            const int id = ids_[v][p];
            if (id < 0 || support_[v][p] >= 0)
                continue;
            Members& members = members_[id];
            support_[v][p] = 0;
            if (members.size() < 2)
                continue;
            members.erase(views[n]);
            ids_[v][p] = -1;
            confidence_[v][p] = 0;
            changes.reduced.push_back(id);
        }
    }
    std::sort(changes.reduced.begin(), changes.reduced.end());
    changes.reduced.erase(std::unique(changes.reduced.begin(), changes.reduced.end()),
                          changes.reduced.end());
}

//! Passes the ids on, the oldest first: each to the label that has most of its observations.
StableIds::Succession StableIds::passOn(const std::map<int, Counts>& counts, TrackChanges& changes)
{
    Succession result;
    for (std::map<int, Counts>::const_iterator c = counts.begin(); c != counts.end(); ++c)
    {
        int best = -1, most = 0, all = 0;
        for (Counts::const_iterator n = c->second.begin(); n != c->second.end(); ++n)
        {
            all += n->second;
            if (n->first >= 0 && n->second > most)
            {
                best = n->first;
                most = n->second;
            }
        }
        if (best < 0)
        {
            if (all > 1)
                changes.removed.push_back(c->first);
            else
                result.single.insert(c->first); // its other views were removed
            continue;
        }
        const std::pair<std::unordered_map<int, int>::iterator, bool> owner =
            result.idOf.insert(std::make_pair(best, c->first));
        if (!owner.second)
        {
            changes.joined.push_back(c->first);
            changes.into.push_back(owner.first->second);
        }
        result.lost[owner.first->second] += all - most;
    }
    return result;
}

//! Writes the ids of the labels to the points; returns how many points each id has gained.
StableIds::Counts StableIds::relabel(const std::vector<int>& views,
                                     const std::vector<std::vector<int>>& labels,
                                     const std::vector<std::vector<float>>& confidence,
                                     const std::vector<std::vector<float>>& support,
                                     const Succession& succession)
{
    Counts gained;
    for (size_t v = 0; v < views.size(); ++v)
        for (size_t p = 0; p < labels[v].size(); ++p)
        {
            const int view = views[v], before = ids_[view][p];
            const int after = labels[v][p] < 0 ? -1 : succession.idOf.at(labels[v][p]);
            if (after < 0 && succession.single.count(before))
                continue;
            confidence_[view][p] = after < 0 ? 0.f : confidence[v][p];
            support_[view][p] = after < 0 ? 0.f : support[v][p];
            if (after >= 0 && after != before)
                ++gained[after];
            ids_[view][p] = after;
        }
    return gained;
}

void StableIds::replace(const std::vector<int>& views, const std::vector<std::vector<int>>& labels,
                        const std::vector<std::vector<float>>& confidence,
                        const std::vector<std::vector<float>>& support, TrackChanges& changes)
{
    std::map<int, Counts> counts; // by id
    for (size_t v = 0; v < views.size(); ++v)
        for (size_t p = 0; p < labels[v].size(); ++p)
            if (ids_[views[v]][p] >= 0)
                ++counts[ids_[views[v]][p]][labels[v][p]];
    Succession succession = passOn(counts, changes);
    for (size_t v = 0; v < views.size(); ++v)
        for (size_t p = 0; p < labels[v].size(); ++p)
        {
            if (labels[v][p] < 0 ||
                !succession.idOf.insert(std::make_pair(labels[v][p], next_)).second)
                continue;
            if (next_ == INT_MAX)
                CV_Error(Error::StsOutOfRange, "all ids are in use");
            changes.created.push_back(next_++);
        }
    const Counts gained = relabel(views, labels, confidence, support, succession);
    for (Counts::const_iterator l = succession.lost.begin(); l != succession.lost.end(); ++l)
        if (l->second > 0)
            changes.reduced.push_back(l->first);
    for (Counts::const_iterator g = gained.begin(); g != gained.end(); ++g)
        if (!std::binary_search(changes.created.begin(), changes.created.end(), g->first))
            changes.extended.push_back(g->first);
    indexMembers();
}

void StableIds::apply(const std::vector<int>& views, const std::vector<std::vector<int>>& labels,
                      const std::vector<std::vector<float>>& confidence,
                      const std::vector<std::vector<float>>& support, int firstNewView,
                      TrackChanges& changes)
{
    struct Point
    {
        int view, point;
        float confidence, support;
    };
    std::unordered_map<int, size_t> numberOf; // groups in the order of their first points
    std::vector<std::vector<Point>> groups;
    for (size_t v = 0; v < views.size(); ++v)
        for (size_t p = 0; p < labels[v].size(); ++p)
        {
            if (labels[v][p] < 0)
                continue;
            const size_t number =
                numberOf.insert(std::make_pair(labels[v][p], groups.size())).first->second;
            if (number == groups.size())
                groups.push_back(std::vector<Point>());
            const Point point = {views[v], static_cast<int>(p), confidence[v][p], support[v][p]};
            groups[number].push_back(point);
        }
    const int firstNew = next_;
    for (size_t g = 0; g < groups.size(); ++g)
    {
        std::map<int, int> count;       // members by id
        std::map<int, float> supported; // of all these, by the new points
        std::vector<Point> single;
        for (size_t n = 0; n < groups[g].size(); ++n)
        {
            const Point& point = groups[g][n];
            const size_t v = static_cast<size_t>(point.view), p = static_cast<size_t>(point.point);
            const int id = ids_[v][p];
            if (id >= 0)
            {
                ++count[id];
                supported[id] += point.support;
            }
            else if (point.support >= 0)
                single.push_back(point);
            support_[v][p] = point.support + (id >= 0 ? support_[v][p] : 0.f);
        }
        if (count.empty() && single.size() < 2)
            continue;
        // Points of new views come first, then those from before that the new ones support most.
        std::stable_sort(single.begin(), single.end(), [&](const Point& a, const Point& b) {
            const bool newA = a.view >= firstNewView, newB = b.view >= firstNewView;
            return newA != newB ? newA : !newA && a.support > b.support;
        });
        std::vector<std::pair<int, int>> order; // most members first, then the oldest
        for (std::map<int, int>::const_iterator c = count.begin(); c != count.end(); ++c)
            order.push_back(std::make_pair(-c->second, c->first));
        std::sort(order.begin(), order.end());
        int id = order.empty() ? -1 : order[0].second;
        for (size_t n = 1; n < order.size(); ++n)
        {
            const int other = order[n].second;
            if (!disjoint(members_[id], members_[other]) ||
                supported[other] <
                    static_cast<float>(count[other]) * against(static_cast<size_t>(count[id])))
                continue;
            const int older = std::min(id, other), younger = std::max(id, other);
            join(older, younger);
            if (younger < firstNew)
            {
                changes.joined.push_back(younger);
                changes.into.push_back(older);
                changes.extended.push_back(older);
            }
            count[older] += count[younger];
            id = older;
        }
        if (id < 0)
        {
            if (next_ == INT_MAX)
                CV_Error(Error::StsOutOfRange, "all ids are in use");
            id = next_++;
            changes.created.push_back(id);
        }
        Members& members = members_[id];
        for (size_t n = 0; n < single.size(); ++n)
        {
            const Point& point = single[n];
            if (point.view < firstNewView && point.support < against(members.size() - 1))
                continue;
            if (!members.insert(std::make_pair(point.view, point.point)).second)
                continue;
            ids_[point.view][point.point] = id;
            confidence_[point.view][point.point] = point.confidence;
            if (id < firstNew)
                changes.extended.push_back(id);
        }
    }
    dropUnsupported(views, changes);
    // An id may have been joined again after it was extended, or by more than one group.
    std::map<int, int> into;
    for (size_t n = 0; n < changes.joined.size(); ++n)
        into[changes.joined[n]] = changes.into[n];
    changes.joined.clear();
    changes.into.clear();
    for (std::map<int, int>::const_iterator j = into.begin(); j != into.end(); ++j)
    {
        int last = j->second;
        while (into.count(last))
            last = into[last];
        changes.joined.push_back(j->first);
        changes.into.push_back(last);
    }
    std::vector<int> extended;
    for (size_t n = 0; n < changes.extended.size(); ++n)
        if (!into.count(changes.extended[n]))
            extended.push_back(changes.extended[n]);
    std::sort(extended.begin(), extended.end());
    extended.erase(std::unique(extended.begin(), extended.end()), extended.end());
    changes.extended.swap(extended);
}

}} // namespace cv::multimatch
