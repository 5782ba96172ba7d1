// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "refinement.hpp"

#include "guided_search.hpp"
#include "view_exclusive_union_find.hpp"

#include "opencv2/multimatch/detail/assignment.hpp"

namespace cv { namespace multimatch {

namespace {

const int GROWING_ROUNDS = 2; //!< before the guided search
const int GUIDED_ROUNDS = 1;  //!< behind it
//! Confidence that a membership must have to stay, while tracks grow and at the end.
const float GROWING_MINIMUM = 0.3f;
const float CLEANING_MINIMUM = 0.5f;
//! Memberships this probable are not weighed again while tracks grow; more than 1: all are.
const float SETTLED = 0.95f;
const float NONE_SETTLED = 2.f;
const float JOINING_MINIMUM = 0.5f; //!< of a member in the other track
const float START_MINIMUM = 0.1f;   //!< of two points that start a track
//! Added to the logit of every two members: what is one track stays one unless much speaks against it.
const float TOGETHER = 2.f;
const int TRACKS_IN_SLICE = 8192; //!< between two looks at the user

/** Every point of every view to the track it fits best, or none: an assignment per view. settled: points at least this sure
of their track stay there, others may only fill gaps. labels and sure are replaced, unless the user stops it. */
void assignToTracks(const Confidence& confidence, const Predictions* predictions, float minimum,
                    float settled, std::vector<int>& labels, std::vector<float>& sure,
                    RunControl& control)
{
    const TrackTable tracks(labels);
    const std::vector<int>& offsets = confidence.offsets();
    std::vector<int> newLabels(labels.size(), -1);
    std::vector<float> newSure(labels.size(), 0.f);
    const auto stays = [&](int p) {
        return labels[static_cast<size_t>(p)] >= 0 && sure[static_cast<size_t>(p)] >= settled;
    };
    const auto taken = [&](int track, int v) {
        const int holder = tracks.pointIn(track, offsets[v], offsets[v + 1]);
        return holder >= 0 && stays(holder);
    };
    const auto assignViews = [&](const Range& range) {
        EvidenceList evidence(tracks);
        std::vector<int> column(static_cast<size_t>(tracks.trackCount()), -1), trackOfColumn;
        for (int v = range.start; v < range.end; ++v)
        {
            detail::AssignmentCandidates candidates;
            candidates.offsets.push_back(0);
            std::vector<float> probabilities;
            trackOfColumn.clear();
            for (int p = offsets[v]; p < offsets[v + 1]; ++p)
            {
                const bool open = !stays(p);
                if (open)
                    confidence.collect(p, labels, tracks, evidence);
                for (size_t t = 0; open && t < evidence.size(); ++t)
                {
                    const int track = evidence[t].track;
                    if (evidence[t].members == 0 || taken(track, v))
                        continue;
                    confidence.judgePlace(p, tracks, predictions, evidence[t]);
                    int& c = column[static_cast<size_t>(track)];
                    if (c < 0)
                    {
                        c = static_cast<int>(trackOfColumn.size());
                        trackOfColumn.push_back(track);
                    }
                    candidates.columns.push_back(c);
                    probabilities.push_back(confidence.probability(evidence[t]));
                    candidates.values.push_back(probabilities.back() - minimum);
                }
                candidates.offsets.push_back(static_cast<int>(candidates.columns.size()));
            }
            candidates.cols = static_cast<int>(trackOfColumn.size());
            const std::vector<int> chosen = detail::assignSparse(candidates, true);
            for (size_t r = 0; r < chosen.size(); ++r)
            {
                const size_t p = static_cast<size_t>(offsets[v]) + r;
                if (stays(static_cast<int>(p)))
                {
                    newLabels[p] = labels[p];
                    newSure[p] = sure[p];
                }
                else if (chosen[r] >= 0)
                {
                    newLabels[p] = trackOfColumn[static_cast<size_t>(
                        candidates.columns[static_cast<size_t>(chosen[r])])];
                    newSure[p] = probabilities[static_cast<size_t>(chosen[r])];
                }
            }
            for (size_t c = 0; c < trackOfColumn.size(); ++c)
                column[static_cast<size_t>(trackOfColumn[c])] = -1;
        }
    };
    if (!control.forSlices(static_cast<int>(offsets.size()) - 1, viewsInSlice(offsets),
                           assignViews))
        return;
    labels.swap(newLabels);
    sure.swap(newSure);
}

struct LikelyPair
{
    float likelihood; //!< a probability or a logit, as long as all that are compared are the same
    int p, q;
    bool operator<(const LikelyPair& other) const
    {
        return likelihood != other.likelihood ? likelihood > other.likelihood
               : p != other.p                 ? p < other.p
                                              : q < other.q;
    }
};

//! What was found in each view, put together.
std::vector<LikelyPair> likelyFirst(const std::vector<std::vector<LikelyPair>>& found)
{
    std::vector<LikelyPair> pairs;
    for (size_t v = 0; v < found.size(); ++v)
        pairs.insert(pairs.end(), found[v].begin(), found[v].end());
    std::sort(pairs.begin(), pairs.end());
    return pairs;
}

//! Similar points of which neither has a track, likely ones first.
std::vector<LikelyPair> freePairs(const Confidence& confidence, const Predictions* predictions,
                                  const std::vector<int>& labels, float minimum,
                                  RunControl& control)
{
    const std::vector<int>& offsets = confidence.offsets();
    const CsrMatrix& S = confidence.similarity();
    std::vector<std::vector<LikelyPair>> found(offsets.size() - 1);
    control.forSlices(
        static_cast<int>(found.size()), viewsInSlice(offsets), [&](const Range& range) {
            for (int v = range.start; v < range.end; ++v)
                for (int p = offsets[v]; p < offsets[v + 1]; ++p)
                    for (size_t e = S.offsets[p]; labels[p] < 0 && e < S.offsets[p + 1]; ++e)
                    {
                        const int q = S.columns[e];
                        if (labels[q] >= 0)
                            continue;
                        const LikelyPair pair = {
                            confidence.probability(p, q, S.values[e], predictions), p, q};
                        if (pair.likelihood >= minimum)
                            found[static_cast<size_t>(v)].push_back(pair);
                    }
        });
    return likelyFirst(found);
}

//! Joins tracks that share no view where a member of one fits the other: the likely ones first.
void joinTracks(const Confidence& confidence, const Predictions* predictions, float minimum,
                std::vector<int>& labels, RunControl& control)
{
    const TrackTable tracks(labels);
    const std::vector<int>& offsets = confidence.offsets();
    std::vector<std::vector<LikelyPair>> found(offsets.size() - 1);
    control.forSlices(
        static_cast<int>(found.size()), viewsInSlice(offsets), [&](const Range& range) {
            EvidenceList evidence(tracks);
            for (int v = range.start; v < range.end; ++v)
                for (int p = offsets[v]; p < offsets[v + 1]; ++p)
                {
                    if (labels[p] < 0)
                        continue;
                    confidence.collect(p, labels, tracks, evidence);
                    for (size_t t = 0; t < evidence.size(); ++t)
                    {
                        if (evidence[t].track == labels[p] || evidence[t].members == 0 ||
                            tracks.pointIn(evidence[t].track, offsets[v], offsets[v + 1]) >= 0)
                            continue;
                        confidence.judgePlace(p, tracks, predictions, evidence[t]);
                        const LikelyPair pair = {confidence.probability(evidence[t]), p,
                                                 *tracks.begin(evidence[t].track)};
                        if (pair.likelihood >= minimum)
                            found[static_cast<size_t>(v)].push_back(pair);
                    }
                }
        });
    const std::vector<LikelyPair> pairs = likelyFirst(found);
    std::vector<uchar> concerned(static_cast<size_t>(tracks.trackCount()), 0);
    for (size_t n = 0; n < pairs.size(); ++n)
        concerned[static_cast<size_t>(labels[pairs[n].p])] =
            concerned[static_cast<size_t>(labels[pairs[n].q])] = 1;
    ViewExclusiveUnionFind components(confidence.viewOfPoint());
    for (int t = 0; t < tracks.trackCount(); ++t)
        for (const int* q = tracks.begin(t);
             concerned[static_cast<size_t>(t)] && q != tracks.end(t); ++q)
            components.unite(*tracks.begin(t), *q);
    for (size_t n = 0; n < pairs.size(); ++n)
        components.unite(pairs[n].p, pairs[n].q);
    std::vector<int> joined(labels);
    for (size_t p = 0; p < labels.size(); ++p)
        if (labels[p] >= 0 && concerned[static_cast<size_t>(labels[p])])
            joined[p] = labels[static_cast<size_t>(components.find(static_cast<int>(p)))];
    labels.swap(joined);
}

//! New tracks for points without one, along their similarities: likely ones first, never two points of one view.
void startTracks(const Confidence& confidence, const Predictions* predictions, float minimum,
                 std::vector<int>& labels, std::vector<float>& sure, RunControl& control)
{
    const TrackTable tracks(labels);
    const std::vector<LikelyPair> pairs =
        freePairs(confidence, predictions, labels, minimum, control);
    ViewExclusiveUnionFind components(confidence.viewOfPoint());
    for (size_t n = 0; n < pairs.size(); ++n)
        if (components.unite(pairs[n].p, pairs[n].q) >= 0)
        {
            sure[pairs[n].p] = std::max(sure[pairs[n].p], pairs[n].likelihood);
            sure[pairs[n].q] = std::max(sure[pairs[n].q], pairs[n].likelihood);
        }
    std::vector<int> fresh(labels.size(), -1);
    int count = tracks.trackCount();
    for (size_t p = 0; p < labels.size(); ++p)
        if (labels[p] < 0 && components.size(static_cast<int>(p)) > 1)
        {
            int& label = fresh[static_cast<size_t>(components.find(static_cast<int>(p)))];
            if (label < 0)
                label = count++;
            labels[p] = label;
        }
}

//! Groups of a track's members: those that belong together on the whole, by the evidence of every two of them.
class TrackSplitter
{
public:
    TrackSplitter(const Confidence& confidence, const Predictions& predictions)
        : confidence_(confidence), predictions_(predictions)
    {
    }

    //! Per member the group it is in, a number below that of the members.
    const std::vector<int>& split(const int* first, const int* last)
    {
        const size_t count = static_cast<size_t>(last - first);
        group_.resize(count);
        std::iota(group_.begin(), group_.end(), 0);
        weighPairs(first, count);
        // Average linkage, the best pairs first: two groups become one if their pairs speak for it on the whole.
        for (size_t n = 0; n < pairs_.size() && pairs_[n].likelihood > 0; ++n)
        {
            const int a = group_[static_cast<size_t>(pairs_[n].p)],
                      b = group_[static_cast<size_t>(pairs_[n].q)];
            if (a == b || !(between_[static_cast<size_t>(a) * count + static_cast<size_t>(b)] > 0))
                continue;
            for (size_t m = 0; m < count; ++m)
            {
                const float sum = between_[static_cast<size_t>(a) * count + m] +
                                  between_[static_cast<size_t>(b) * count + m];
                between_[static_cast<size_t>(a) * count + m] = sum;
                between_[m * count + static_cast<size_t>(a)] = sum;
                if (group_[m] == b)
                    group_[m] = a;
            }
        }
        return group_;
    }

private:
    void weighPairs(const int* points, size_t count)
    {
        pairs_.clear();
        between_.assign(count * count, 0.f);
        for (size_t a = 0; a < count; ++a)
            for (size_t b = a + 1; b < count; ++b)
            {
                if (!confidence_.judged(points[a], points[b]))
                    continue;
                const float similarity = confidence_.similarity().at(points[a], points[b]);
                const LikelyPair pair = {TOGETHER + confidence_.usualLogit(points[a], points[b],
                                                                           similarity,
                                                                           &predictions_),
                                         static_cast<int>(a), static_cast<int>(b)};
                pairs_.push_back(pair);
                between_[a * count + b] = between_[b * count + a] = pair.likelihood;
            }
        std::sort(pairs_.begin(), pairs_.end());
    }

    const Confidence& confidence_;
    const Predictions& predictions_;
    std::vector<int> group_;
    std::vector<LikelyPair> pairs_; //!< by logits
    std::vector<float> between_;    //!< sum of the logits of the pairs of two groups
};

/** Tracks whose members fall apart into groups are split: every group of two or more becomes a track. Single ones stay with the
largest; whether they fit it is weighed member by member anyway, while groups vote for themselves. */
void splitTracks(const Confidence& confidence, const Predictions& predictions,
                 std::vector<int>& labels, RunControl& control)
{
    const TrackTable tracks(labels);
    std::vector<int> group(labels.size(), 0);
    control.forSlices(tracks.trackCount(), TRACKS_IN_SLICE, [&](const Range& range) {
        TrackSplitter splitter(confidence, predictions);
        for (int t = range.start; t < range.end; ++t)
        {
            const std::vector<int>& groups = splitter.split(tracks.begin(t), tracks.end(t));
            for (size_t m = 0; m < groups.size(); ++m)
                group[static_cast<size_t>(tracks.begin(t)[m])] = groups[m];
        }
    });
    int count = tracks.trackCount();
    std::vector<int> size, fresh;
    for (int t = 0; t < tracks.trackCount(); ++t)
    {
        size.assign(static_cast<size_t>(tracks.length(t)), 0);
        for (const int* p = tracks.begin(t); p != tracks.end(t); ++p)
            ++size[static_cast<size_t>(group[*p])];
        const size_t largest =
            static_cast<size_t>(std::max_element(size.begin(), size.end()) - size.begin());
        fresh.resize(size.size());
        for (size_t g = 0; g < size.size(); ++g)
            fresh[g] = g != largest && size[g] > 1 ? count++ : t;
        for (const int* p = tracks.begin(t); p != tracks.end(t); ++p)
            labels[static_cast<size_t>(*p)] = fresh[static_cast<size_t>(group[*p])];
    }
}

} // namespace

std::vector<float> refineTracks(Confidence& confidence, const Appearance* appearance,
                                float minConfidence, std::vector<int>& labels, RunControl& control)
{
    const double steps = 4 + 2 * GROWING_ROUNDS + GUIDED_ROUNDS + 4;
    int step = 0;
    // Goes on to the next of the steps; false once the user has had enough.
    const auto next = [&]() {
        control.part(step / steps, (step + 1) / steps);
        ++step;
        return control.proceed(0);
    };
    next();
    std::vector<float> sure = confidence.byAppearance(labels, control);
    next();
    Ptr<Predictions> predictions = confidence.predict(labels, sure, control);
    for (int round = 0; round < GROWING_ROUNDS && next(); ++round)
    {
        assignToTracks(confidence, predictions.get(), GROWING_MINIMUM,
                       round == 0 ? NONE_SETTLED : SETTLED, labels, sure, control);
        confidence.adaptTo(labels, sure);
        if (round == 0 && next()) // the first ones came from appearance alone
            predictions = confidence.predict(labels, sure, control);
    }
    CsrMatrix widened;
    if (appearance && predictions && next())
        widened = withGuidedEntries(confidence.similarity(), *appearance, *predictions, labels,
                                    confidence.offsets(), confidence.judgedViews(), control);
    Confidence judge(widened.rows > 0 ? widened : confidence.similarity(), confidence);
    if (next())
        startTracks(judge, predictions.get(), START_MINIMUM, labels, sure, control);
    if (next())
        joinTracks(judge, predictions.get(), JOINING_MINIMUM, labels, control);
    for (int round = 0; round < GUIDED_ROUNDS && next(); ++round)
    {
        assignToTracks(judge, predictions.get(), GROWING_MINIMUM, SETTLED, labels, sure, control);
        judge.adaptTo(labels, sure);
    }
    if (predictions && next()) // similarity alone says too little about two points
        splitTracks(judge, *predictions, labels, control);
    if (next())
        predictions = judge.predict(labels, sure, control);
    if (next())
        assignToTracks(judge, predictions.get(), CLEANING_MINIMUM, NONE_SETTLED, labels, sure,
                       control);
    if (Confidence::calibrated(CLEANING_MINIMUM) > minConfidence && next())
    {
        assignToTracks(judge, predictions.get(), 0.f, 0.f, labels, sure, control);
        startTracks(judge, predictions.get(), 0.f, labels, sure, control);
    }
    return sure;
}

}} // namespace cv::multimatch
