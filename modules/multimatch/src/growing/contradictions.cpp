// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "contradictions.hpp"

#include "../base/union_find.hpp"
#include "../power/log_odds_tracks.hpp"

namespace cv { namespace multimatch {

namespace {

const float LARGEST_LOG_ODDS = 4.f; //!< of one part: that of a confidence of 0.98
const float SMALLEST_LOG_ODDS = 0.125f;
//! Log-odds are multiples of this, so that sums are exact and do not depend on the order of the
//! parts.
const float LOG_ODDS_STEP = 1.f / 16;
//! Log-odds of two points on different tracks of a part, relative to those of two points on one
//! track.
const float APART_WEIGHT = -0.5f;
const int SWEEPS = 10;

float logOddsOf(float confidence)
{
    const float c = std::min(std::max(confidence, 0.01f), 0.99f);
    const float logOdds =
        std::min(std::max(std::log(c / (1 - c)), SMALLEST_LOG_ODDS), LARGEST_LOG_ODDS);
    return LOG_ODDS_STEP * static_cast<float>(cvRound(logOdds / LOG_ODDS_STEP));
}

//! Groups of tracks of parts that are taken for the same, and the points that they have together.
class TrackGroups
{
public:
    struct Member
    {
        int point;
        float logOdds;
    };

    TrackGroups(const std::vector<int>& viewOfPoint, const std::vector<PartTrack>& tracks)
        : view_(viewOfPoint), sets_(static_cast<int>(tracks.size())), members_(tracks.size()),
          version_(tracks.size(), 0), tracksOf_(viewOfPoint.size())
    {
        for (size_t t = 0; t < tracks.size(); ++t)
            for (size_t n = 0; n < tracks[t].members.size(); ++n)
            {
                const PartMember& from = tracks[t].members[n];
                const Member member = {from.point, logOddsOf(from.confidence)};
                members_[t].push_back(member);
                tracksOf_[from.point].push_back(static_cast<int>(t));
            }
    }

    //! Joins groups, what they have in common less what they contradict largest first, as long as
    //! that is positive.
    void join()
    {
        for (size_t t = 0; t < members_.size(); ++t)
            addJoins(static_cast<int>(t), true);
        while (!heap_.empty())
        {
            std::pop_heap(heap_.begin(), heap_.end());
            const Join best = heap_.back();
            heap_.pop_back();
            if (version_[best.a] != best.versionA || version_[best.b] != best.versionB)
                continue;
            const std::vector<Member> joined = together(best.a, best.b);
            const int to = sets_.unite(best.a, best.b);
            std::vector<Member>().swap(members_[best.a]);
            std::vector<Member>().swap(members_[best.b]);
            members_[to] = joined;
            ++version_[best.a];
            ++version_[best.b];
            addJoins(to, false);
        }
    }

    //! Per point the group in which it has the largest log-odds, -1: it was left out of all.
    std::vector<int> labels() const
    {
        std::vector<int> result(view_.size(), -1);
        std::vector<float> best(view_.size(), 0.f);
        for (size_t t = 0; t < members_.size(); ++t)
            for (size_t n = 0; n < members_[t].size(); ++n)
            {
                const size_t p = static_cast<size_t>(members_[t][n].point);
                if (members_[t][n].logOdds > best[p])
                {
                    best[p] = members_[t][n].logOdds;
                    result[p] = static_cast<int>(t);
                }
            }
        return result;
    }

private:
    struct Join
    {
        float gain;
        int a, b; //!< representatives of groups, a < b
        int versionA, versionB;

        //! The largest gain comes first, ties by the order of the tracks.
        bool operator<(const Join& other) const
        {
            return gain != other.gain ? gain < other.gain
                   : a != other.a     ? a > other.a
                                      : b > other.b;
        }
    };

    int viewOf(const Member& member) const { return view_[member.point]; }

    float gainOf(int a, int b) const
    {
        const std::vector<Member>&x = members_[a], &y = members_[b];
        float gain = 0;
        for (size_t i = 0, j = 0; i < x.size() && j < y.size();)
        {
            const int v = viewOf(x[i]), w = viewOf(y[j]);
            if (v == w)
                gain +=
                    (x[i].point == y[j].point ? 1.f : -1.f) * std::min(x[i].logOdds, y[j].logOdds);
            i += v <= w;
            j += w <= v;
        }
        return gain;
    }

    //! The points of both; of two points in one view that of the larger log-odds.
    std::vector<Member> together(int a, int b) const
    {
        const std::vector<Member>&x = members_[a], &y = members_[b];
        std::vector<Member> result;
        for (size_t i = 0, j = 0; i < x.size() || j < y.size();)
        {
            const int v = i < x.size() ? viewOf(x[i]) : INT_MAX;
            const int w = j < y.size() ? viewOf(y[j]) : INT_MAX;
            if (v != w)
                result.push_back(v < w ? x[i] : y[j]);
            else if (x[i].point == y[j].point)
            {
                const Member both = {x[i].point, x[i].logOdds + y[j].logOdds};
                result.push_back(both);
            }
            else if (x[i].logOdds != y[j].logOdds)
                result.push_back(x[i].logOdds > y[j].logOdds ? x[i] : y[j]);
            else
                result.push_back(x[i].point < y[j].point ? x[i] : y[j]);
            i += v <= w;
            j += w <= v;
        }
        return result;
    }

    //! The joins of a group with those that have a point in common with it; only with later ones
    //! where so asked.
    void addJoins(int group, bool onlyLater)
    {
        std::vector<int> others;
        const std::vector<Member>& members = members_[group];
        for (size_t n = 0; n < members.size(); ++n)
        {
            const std::vector<int>& tracks = tracksOf_[members[n].point];
            for (size_t t = 0; t < tracks.size(); ++t)
            {
                const int other = sets_.find(tracks[t]);
                if (other != group && !(onlyLater && other < group))
                    others.push_back(other);
            }
        }
        std::sort(others.begin(), others.end());
        others.erase(std::unique(others.begin(), others.end()), others.end());
        for (size_t n = 0; n < others.size(); ++n)
        {
            const float gain = gainOf(group, others[n]);
            if (!(gain > 0))
                continue;
            const int a = std::min(group, others[n]), b = std::max(group, others[n]);
            const Join join = {gain, a, b, version_[a], version_[b]};
            heap_.push_back(join);
            std::push_heap(heap_.begin(), heap_.end());
        }
    }

    const std::vector<int>& view_;
    DisjointSets sets_;                        //!< of tracks
    std::vector<std::vector<Member>> members_; //!< per representative, ascending by point
    std::vector<int> version_;                 //!< per representative: number of joins
    std::vector<std::vector<int>> tracksOf_;   //!< per point
    std::vector<Join> heap_;
};

//! The log-odds of all pairs of points that are on one track of a part.
CsrMatrix logOddsOfPairs(int points, const std::vector<PartTrack>& tracks)
{
    struct Vote
    {
        int part, track;
        float logOdds;

        bool operator<(const Vote& other) const { return part < other.part; }
    };
    std::vector<std::vector<Vote>> votes(static_cast<size_t>(points));
    std::vector<int> rows, columns;
    std::vector<float> values;
    const auto add = [&](int p, int q, float value) {
        rows.push_back(p);
        columns.push_back(q);
        values.push_back(value);
    };
    for (size_t t = 0; t < tracks.size(); ++t)
    {
        const std::vector<PartMember>& members = tracks[t].members;
        for (size_t a = 0; a < members.size(); ++a)
        {
            const float own = logOddsOf(members[a].confidence);
            const Vote vote = {tracks[t].part, static_cast<int>(t), own};
            votes[members[a].point].push_back(vote);
            for (size_t b = 0; b < members.size(); ++b)
                if (b != a)
                    add(members[a].point, members[b].point,
                        std::min(own, logOddsOf(members[b].confidence)));
        }
    }
    CsrMatrix result = CsrMatrix::fromTriplets(points, points, rows, columns, values);
    for (size_t p = 0; p < votes.size(); ++p)
        std::sort(votes[p].begin(), votes[p].end());
    for (int p = 0; p < points; ++p)
        for (size_t e = result.offsets[p]; e < result.offsets[p + 1]; ++e)
        {
            const std::vector<Vote>&x = votes[p], &y = votes[result.columns[e]];
            for (size_t i = 0, j = 0; i < x.size() && j < y.size();)
            {
                const int a = x[i].part, b = y[j].part;
                if (a == b && x[i].track != y[j].track)
                    result.values[e] += APART_WEIGHT * std::min(x[i].logOdds, y[j].logOdds);
                i += a <= b;
                j += b <= a;
            }
            // What could stay is not dropped: a pair that one part has on one track is never
            // against it.
            result.values[e] = std::max(result.values[e], LOG_ODDS_STEP);
        }
    return result;
}

} // namespace

std::vector<int> resolveContradictions(const std::vector<int>& viewSizes,
                                       const std::vector<PartTrack>& tracks)
{
    const std::vector<int> viewOfPoint = viewOfPoints(viewSizes);
    TrackGroups groups(viewOfPoint, tracks);
    groups.join();
    const std::vector<int> start = groups.labels();
    const CsrMatrix L = logOddsOfPairs(static_cast<int>(viewOfPoint.size()), tracks);
    // No pair of views counts as compared: pairs of points that no part has on one track count 0.
    const evidence::Views views(viewSizes, Mat());
    LogOddsTracks solved(views, L, L.values, 0.f, 0.f, 0.f, start);
    RunControl control((ProgressCallback()));
    for (int n = 0; n < SWEEPS; ++n)
    {
        const double before = solved.objective();
        solved.sweep(control);
        solved.join(control);
        if (!(solved.objective() > before))
            break;
    }
    return solved.labels();
}

}} // namespace cv::multimatch
