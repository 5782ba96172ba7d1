// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "candidates.hpp"

namespace cv { namespace multimatch { namespace evidence {

namespace {

const int PAIRS_IN_SLICE = 64; //!< pairs of views between two calls of the callback

} // namespace

const float Candidates::UNKNOWN = std::numeric_limits<float>::max();

Candidates::Candidates(const Views& views, const Appearance* appearance,
                       const EvidenceParams& params, RunControl& control)
    : views_(views), appearance_(appearance), params_(params), control_(control),
      pairs_(views.pointCount(), views.pointCount())
{
}

void Candidates::begin(const CsrMatrix& given)
{
    pairs_ = given;
    logOdds_.assign(pairs_.nonZeros(), UNKNOWN);
}

void Candidates::beginWithin(const CsrMatrix& distances)
{
    keepIf(distances, std::vector<float>(), [&](int p, size_t e) {
        return appearance_->logOdds(p, distances.columns[e], distances.values[e]) > -params_.reach;
    });
}

void Candidates::drop(float logOdds)
{
    const CsrMatrix pairs = std::move(pairs_);
    const std::vector<float> values = std::move(logOdds_);
    keepIf(pairs, values, [&](int, size_t e) { return values[e] > logOdds; });
}

//! The entries of other pairs for which keep(row, entry) holds. logOdds: of them, empty: not known.
template<typename Keep>
void Candidates::keepIf(const CsrMatrix& pairs, const std::vector<float>& logOdds, const Keep& keep)
{
    CsrMatrix kept(pairs.rows, pairs.cols);
    std::vector<uchar> kind(pairs.nonZeros());
    control_.forSlices(
        pairs.rows, SLICE_POINTS,
        [&](const Range& range) {
            for (int p = range.start; p < range.end; ++p)
                for (size_t e = pairs.offsets[p]; e < pairs.offsets[p + 1]; ++e)
                    if ((kind[e] = keep(p, e)) != 0)
                        ++kept.offsets[static_cast<size_t>(p) + 1];
        },
        false);
    std::partial_sum(kept.offsets.begin(), kept.offsets.end(), kept.offsets.begin());
    kept.columns.resize(kept.offsets.back());
    kept.values.resize(kept.offsets.back());
    std::vector<float> keptOdds(kept.offsets.back(), UNKNOWN);
    control_.forSlices(
        pairs.rows, SLICE_POINTS,
        [&](const Range& range) {
            for (int p = range.start; p < range.end; ++p)
            {
                size_t to = kept.offsets[p];
                for (size_t e = pairs.offsets[p]; e < pairs.offsets[p + 1]; ++e)
                    if (kind[e])
                    {
                        kept.columns[to] = pairs.columns[e];
                        kept.values[to] = pairs.values[e];
                        if (!logOdds.empty())
                            keptOdds[to] = logOdds[e];
                        ++to;
                    }
            }
        },
        false);
    std::swap(pairs_, kept);
    logOdds_.swap(keptOdds);
}

//! Copies the log-odds of each pair to its other row. The lower entries of a row come in the order of the rows above it.
void Candidates::mirror()
{
    std::vector<size_t> next(pairs_.offsets.begin(), pairs_.offsets.end() - 1);
    for (int p = 0; p < pairs_.rows; ++p)
        for (size_t e = pairs_.offsets[p]; e < pairs_.offsets[p + 1]; ++e)
            if (pairs_.columns[e] > p)
                logOdds_[next[static_cast<size_t>(pairs_.columns[e])]++] = logOdds_[e];
}

bool Candidates::isNew(int p, int q) const
{
    const std::vector<int>::const_iterator row = pairs_.columns.begin();
    return !std::binary_search(row + static_cast<ptrdiff_t>(pairs_.offsets[p]),
                               row + static_cast<ptrdiff_t>(pairs_.offsets[p + 1]), q);
}

Candidates::Entry Candidates::entryOf(int p, int q) const
{
    const Entry entry = {std::min(p, q), std::max(p, q),
                         appearance_ ? appearance_->distance(p, q) : 0.f};
    return entry;
}

void Candidates::addNearby(const std::vector<int>& labels, const LocalMaps& maps,
                           const Positions& positions)
{
    Found found(static_cast<size_t>(views_.count()));
    const float spreads2 = params_.likelySpreads * params_.likelySpreads;
    control_.forSlices(
        views_.count(), viewsInSlice(views_.offsets()),
        [&](const Range& range) {
            std::vector<KdTree::Hit> hits;
            for (int v = range.start; v < range.end; ++v)
                for (int p = views_.first(v); p < views_.end(v); ++p)
                    for (const int* w = maps.viewsBegin(p);
                         labels[static_cast<size_t>(p)] < 0 && w != maps.viewsEnd(p); ++w)
                    {
                        const Prediction expected = maps.predict(p, *w);
                        if (!expected.valid())
                            continue;
                        positions.near(*w, expected.place, spreads2 * expected.spread2,
                                       params_.likelyCount, hits);
                        for (size_t h = 0; h < hits.size(); ++h)
                        {
                            if (!isNew(p, hits[h].point))
                                continue;
                            const Entry entry = entryOf(p, hits[h].point);
                            if (appearance_->logOdds(entry.p, entry.q, entry.value) >
                                -params_.reach)
                                found[static_cast<size_t>(v)].push_back(entry);
                        }
                    }
        },
        false);
    merge(found);
}

void Candidates::addAlong(const std::vector<PairGeometry>& geometries,
                          const MultiMatcher::Input& input, int count, double maxError)
{
    if (strips_.empty())
        for (size_t v = 0; v < input.points.size(); ++v)
            strips_.push_back(StripIndex(input.points[v]));
    SearchParams search;
    search.count = count;
    search.maxResidual = maxError;
    search.normType = input.normType;
    Found found(geometries.size());
    control_.forSlices(
        static_cast<int>(geometries.size()), PAIRS_IN_SLICE,
        [&](const Range& range) {
            for (int n = range.start; n < range.end; ++n)
            {
                const PairGeometry& g = geometries[static_cast<size_t>(n)];
                if (g.matrix.empty())
                    continue;
                const size_t v = static_cast<size_t>(g.first), w = static_cast<size_t>(g.second);
                const std::vector<GuidedCandidate> along = searchAlong(
                    g, SearchView(input.points[v], input.descriptors[v], strips_[v]),
                    SearchView(input.points[w], input.descriptors[w], strips_[w]), search);
                for (size_t c = 0; c < along.size(); ++c)
                {
                    const Entry entry = {views_.first(g.first) + along[c].first,
                                         views_.first(g.second) + along[c].second,
                                         along[c].distance};
                    if (isNew(entry.p, entry.q) &&
                        appearance_->logOdds(entry.p, entry.q, entry.value) > -params_.reach)
                        found[static_cast<size_t>(n)].push_back(entry);
                }
            }
        },
        false);
    merge(found);
}

void Candidates::addClosure(const std::vector<int>& labels)
{
    const TrackTable tracks(labels);
    Found found(static_cast<size_t>(views_.count()));
    control_.forSlices(
        views_.count(), viewsInSlice(views_.offsets()),
        [&](const Range& range) {
            std::vector<int> joined;
            for (int v = range.start; v < range.end; ++v)
                for (int p = views_.first(v); p < views_.end(v); ++p)
                {
                    joined.clear();
                    for (size_t e = pairs_.offsets[p]; e < pairs_.offsets[p + 1]; ++e)
                        if (logOdds_[e] > 0 && labels[static_cast<size_t>(pairs_.columns[e])] >= 0)
                            joined.push_back(labels[static_cast<size_t>(pairs_.columns[e])]);
                    std::sort(joined.begin(), joined.end());
                    joined.erase(std::unique(joined.begin(), joined.end()), joined.end());
                    for (size_t t = 0; t < joined.size(); ++t)
                        for (const int* q = tracks.begin(joined[t]); q != tracks.end(joined[t]);
                             ++q)
                            if (views_.compared(v, views_.of(*q)) && isNew(p, *q))
                                found[static_cast<size_t>(v)].push_back(entryOf(p, *q));
                }
        },
        false);
    merge(found);
}

//! Adds the pairs that were found, each once, with unknown log-odds.
void Candidates::merge(const Found& found)
{
    std::vector<Entry> fresh;
    for (size_t n = 0; n < found.size(); ++n)
        fresh.insert(fresh.end(), found[n].begin(), found[n].end());
    if (fresh.empty())
        return;
    std::sort(fresh.begin(), fresh.end());
    fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
    std::vector<size_t> first(static_cast<size_t>(pairs_.rows) + 1, 0); // of each row
    for (size_t n = 0; n < fresh.size(); ++n)
    {
        ++first[static_cast<size_t>(fresh[n].p) + 1];
        ++first[static_cast<size_t>(fresh[n].q) + 1];
    }
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::pair<int, float>> rows(first.back());
    std::vector<size_t> next(first.begin(), first.end() - 1);
    // In the order of p, then q: the lower entries of each row come in order, then the upper ones.
    for (size_t n = 0; n < fresh.size(); ++n)
        rows[next[static_cast<size_t>(fresh[n].q)]++] = std::make_pair(fresh[n].p, fresh[n].value);
    for (size_t n = 0; n < fresh.size(); ++n)
        rows[next[static_cast<size_t>(fresh[n].p)]++] = std::make_pair(fresh[n].q, fresh[n].value);
    CsrMatrix all(pairs_.rows, pairs_.cols);
    for (size_t p = 0; p < first.size(); ++p)
        all.offsets[p] = pairs_.offsets[p] + first[p];
    all.columns.resize(all.offsets.back());
    all.values.resize(all.offsets.back());
    std::vector<float> allOdds(all.offsets.back(), UNKNOWN);
    control_.forSlices(
        pairs_.rows, SLICE_POINTS,
        [&](const Range& range) {
            for (int p = range.start; p < range.end; ++p)
            {
                size_t to = all.offsets[p], n = first[p];
                for (size_t e = pairs_.offsets[p]; e < pairs_.offsets[p + 1] || n < first[p + 1];
                     ++to)
                {
                    const bool isFresh = n < first[p + 1] && (e == pairs_.offsets[p + 1] ||
                                                              rows[n].first < pairs_.columns[e]);
                    all.columns[to] = isFresh ? rows[n].first : pairs_.columns[e];
                    all.values[to] = isFresh ? rows[n].second : pairs_.values[e];
                    if (!isFresh)
                        allOdds[to] = logOdds_[e];
                    (isFresh ? n : e) += 1;
                }
            }
        },
        false);
    std::swap(pairs_, all);
    logOdds_.swap(allOdds);
}

}}} // namespace cv::multimatch::evidence
