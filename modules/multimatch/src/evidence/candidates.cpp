// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "candidates.hpp"

namespace cv { namespace multimatch { namespace evidence {

namespace {

const int PAIRS_IN_SLICE = 64; //!< pairs of views between two calls of the callback

//! Points along a geometry are searched again when it has this many times the inliers of the last
//! search, as it is then more precise.
const float SEARCH_AGAIN = 1.6f;

} // namespace

Candidates::Candidates(const Views& views, const Appearance* appearance,
                       const EvidenceParams& params, RunControl& control)
    : views_(views), appearance_(appearance), params_(params), control_(control),
      pairs_(views.pointCount(), views.pointCount())
{
}

void Candidates::begin(const CsrMatrix& given)
{
    pairs_ = given;
    logOdds_.assign(pairs_.nonZeros(), 0.f);
}

void Candidates::beginWithin(const CsrMatrix& distances)
{
    CsrMatrix kept(distances.rows, distances.cols);
    std::vector<uchar> within(distances.nonZeros());
    control_.forSlices(
        distances.rows, SLICE_POINTS,
        [&](const Range& range) {
            for (int p = range.start; p < range.end; ++p)
                for (size_t e = distances.offsets[p]; e < distances.offsets[p + 1]; ++e)
                    if ((within[e] = appearance_->logOdds(p, distances.columns[e],
                                                          distances.values[e]) > -params_.reach) !=
                        0)
                        ++kept.offsets[p + 1];
        },
        false);
    std::partial_sum(kept.offsets.begin(), kept.offsets.end(), kept.offsets.begin());
    kept.columns.resize(kept.offsets.back());
    kept.values.resize(kept.offsets.back());
    control_.forSlices(
        distances.rows, SLICE_POINTS,
        [&](const Range& range) {
            for (int p = range.start; p < range.end; ++p)
            {
                size_t to = kept.offsets[p];
                for (size_t e = distances.offsets[p]; e < distances.offsets[p + 1]; ++e)
                    if (within[e])
                    {
                        kept.columns[to] = distances.columns[e];
                        kept.values[to++] = distances.values[e];
                    }
            }
        },
        false);
    std::swap(pairs_, kept);
    logOdds_.assign(pairs_.nonZeros(), 0.f);
}

//! Number of pairs of views between two calls of the callback.
int Candidates::viewPairsInSlice() const
{
    const double pairs = static_cast<double>(views_.comparedPairs().size());
    const double points = 2 * pairs * views_.pointCount() / std::max(1, views_.count());
    return std::max(1, static_cast<int>(8 * pairs * SLICE_POINTS / std::max(1., points)));
}

void Candidates::evaluate(const PairLogOdds& source)
{
    // Pair of views by pair of views, as their points have maps and predictions in common.
    const std::vector<std::pair<int, int>>& viewPairs = views_.comparedPairs();
    control_.forSlices(
        static_cast<int>(viewPairs.size()), viewPairsInSlice(),
        [&](const Range& range) {
            const Ptr<PairLogOdds> local = source.copy();
            std::vector<size_t> next; // per point of the first view
            for (int n = range.start; n < range.end; ++n)
            {
                const int v = viewPairs[n].first, w = viewPairs[n].second;
                const int first = views_.first(v), last = views_.end(w);
                local->begin(v, w);
                if (n == range.start || viewPairs[n - 1].first != v)
                {
                    next.clear();
                    for (int p = first; p < views_.end(v); ++p)
                        next.push_back(static_cast<size_t>(
                            std::lower_bound(pairs_.columns.data() + pairs_.offsets[p],
                                             pairs_.columns.data() + pairs_.offsets[p + 1],
                                             views_.first(w)) -
                            pairs_.columns.data()));
                }
                for (int p = first; p < views_.end(v); ++p)
                {
                    size_t& e = next[p - first];
                    for (; e < pairs_.offsets[p + 1] && pairs_.columns[e] < last; ++e)
                        logOdds_[e] = local->logOdds(p, pairs_.columns[e], pairs_.values[e]);
                }
            }
        },
        false);
    mirror();
}

/** Copies the log-odds of each pair to its other row. The lower entries of a row come in the order
of the rows above it. Each thread writes to a range of rows. */
void Candidates::mirror()
{
    parallel_for_(
        Range(0, pairs_.rows),
        [&](const Range& range) {
            std::vector<size_t> next(pairs_.offsets.begin() + range.start,
                                     pairs_.offsets.begin() + range.end);
            for (int p = 0; p < range.end; ++p)
            {
                const int *begin = pairs_.columns.data() + pairs_.offsets[p],
                          *end = pairs_.columns.data() + pairs_.offsets[p + 1];
                for (const int* q = std::lower_bound(begin, end, std::max(p + 1, range.start));
                     q != end && *q < range.end; ++q)
                    logOdds_[next[*q - range.start]++] = logOdds_[q - pairs_.columns.data()];
            }
        },
        getNumThreads());
}

bool Candidates::isNew(int p, int q) const
{
    const std::vector<int>::const_iterator row = pairs_.columns.begin();
    return !std::binary_search(row + static_cast<ptrdiff_t>(pairs_.offsets[p]),
                               row + static_cast<ptrdiff_t>(pairs_.offsets[p + 1]), q);
}

//! Adds a pair that is not stored.
void Candidates::add(int p, int q, PairLogOdds& source, std::vector<Entry>& found) const
{
    Entry entry = {std::min(p, q), std::max(p, q), 0.f, 0.f};
    if (appearance_)
        entry.value = appearance_->distance(entry.p, entry.q);
    entry.logOdds = source.logOdds(entry.p, entry.q, entry.value);
    found.push_back(entry);
}

void Candidates::add(const Found& found)
{
    for (size_t n = 0; n < found.size(); ++n)
        found_.insert(found_.end(), found[n].begin(), found[n].end());
}

void Candidates::addNearby(const std::vector<int>& labels, const LocalMaps& maps,
                           const Positions& positions, const PairLogOdds& source)
{
    const std::vector<std::pair<int, int>>& viewPairs = views_.comparedPairs();
    Found found(viewPairs.size());
    const float spreads2 = params_.likelySpreads * params_.likelySpreads;
    control_.forSlices(
        static_cast<int>(viewPairs.size()), viewPairsInSlice(),
        [&](const Range& range) {
            const Ptr<PairLogOdds> local = source.copy();
            ViewPredictions predictions(maps);
            std::vector<KdTree::Hit> hits;
            for (int n = 2 * range.start; n < 2 * range.end; ++n)
            {
                const std::pair<int, int>& viewPair = viewPairs[n / 2];
                const int v = n % 2 ? viewPair.second : viewPair.first,
                          w = n % 2 ? viewPair.first : viewPair.second;
                predictions.begin(v, w);
                if (n % 2 == 0)
                    local->begin(v, w);
                for (int p = views_.first(v); p < views_.end(v); ++p)
                {
                    if (labels[p] >= 0 || !predictions.changed(p))
                        continue;
                    const Prediction& expected = predictions.of(p);
                    if (!expected.valid())
                        continue;
                    positions.near(w, expected.place, spreads2 * expected.spread2,
                                   params_.likelyCount, hits);
                    for (size_t h = 0; h < hits.size(); ++h)
                    {
                        const int a = std::min(p, hits[h].point), b = std::max(p, hits[h].point);
                        if (!isNew(a, b))
                            continue;
                        Entry entry = {a, b, appearance_->distance(a, b), 0.f};
                        if (!(appearance_->logOdds(a, b, entry.value) > -params_.reach))
                            continue;
                        entry.logOdds = local->logOdds(a, b, entry.value);
                        found[n / 2].push_back(entry);
                    }
                }
            }
        },
        false);
    add(found);
}

void Candidates::searchAlongPair(const PairGeometry& geometry, const std::vector<Mat>& points,
                                 int count, double maxError, Along& along) const
{
    const int v = geometry.first, w = geometry.second;
    detail::SearchAlongParams search;
    search.count = count;
    search.maxResidual = maxError;
    search.distance = [&](int first, int second) {
        const int p = views_.first(v) + first, q = views_.first(w) + second;
        const float distance = appearance_->distance(p, q);
        const bool within = appearance_->logOdds(p, q, distance) > -params_.reach;
        return within ? distance : std::numeric_limits<float>::infinity();
    };
    const std::vector<detail::AlongPair> found =
        detail::searchAlong(geometry, points[v], points[w], search);
    along.inliers = geometry.inliers;
    along.pairs.clear();
    for (size_t n = 0; n < found.size(); ++n)
    {
        const Entry entry = {views_.first(v) + found[n].first, views_.first(w) + found[n].second,
                             found[n].distance, 0.f};
        along.pairs.push_back(entry);
    }
}

void Candidates::addAlong(const std::vector<PairGeometry>& geometries,
                          const std::vector<Mat>& points, int count, double maxError,
                          const PairLogOdds& source)
{
    Found found(geometries.size());
    along_.resize(geometries.size());
    control_.forSlices(
        static_cast<int>(geometries.size()), PAIRS_IN_SLICE,
        [&](const Range& range) {
            const Ptr<PairLogOdds> local = source.copy();
            for (int n = range.start; n < range.end; ++n)
            {
                const PairGeometry& g = geometries[n];
                if (g.matrix.empty())
                    continue;
                Along& along = along_[n];
                if (static_cast<float>(g.inliers) >
                    SEARCH_AGAIN * static_cast<float>(along.inliers))
                    searchAlongPair(g, points, count, maxError, along);
                local->begin(g.first, g.second);
                for (size_t c = 0; c < along.pairs.size(); ++c)
                {
                    Entry entry = along.pairs[c];
                    if (!isNew(entry.p, entry.q))
                        continue;
                    entry.logOdds = local->logOdds(entry.p, entry.q, entry.value);
                    found[n].push_back(entry);
                }
            }
        },
        false);
    add(found);
}

void Candidates::addClosure(const std::vector<int>& labels, const TrackTable& tracks,
                            const PairLogOdds& source)
{
    Found found(static_cast<size_t>(views_.count()));
    control_.forSlices(
        views_.count(), viewsInSlice(views_.offsets()),
        [&](const Range& range) {
            const Ptr<PairLogOdds> local = source.copy();
            std::vector<int> joined;
            for (int v = range.start; v < range.end; ++v)
                for (int p = views_.first(v); p < views_.end(v); ++p)
                {
                    joined.clear();
                    const size_t begin = pairs_.offsets[p], end = pairs_.offsets[p + 1];
                    for (size_t e = begin; e < end; ++e)
                        if (logOdds_[e] > 0 && labels[pairs_.columns[e]] >= 0)
                            joined.push_back(labels[pairs_.columns[e]]);
                    std::sort(joined.begin(), joined.end());
                    joined.erase(std::unique(joined.begin(), joined.end()), joined.end());
                    for (size_t t = 0; t < joined.size(); ++t)
                    {
                        size_t e = begin; // both the row and the track are ascending
                        for (const int* q = tracks.begin(joined[t]); q != tracks.end(joined[t]);
                             ++q)
                        {
                            while (e < end && pairs_.columns[e] < *q)
                                ++e;
                            if ((e == end || pairs_.columns[e] != *q) &&
                                views_.compared(v, views_.of(*q)))
                                add(p, *q, *local, found[v]);
                        }
                    }
                }
        },
        false);
    add(found);
}

void Candidates::commit(float least)
{
    // The pairs that were found, by rows.
    std::vector<size_t> first(static_cast<size_t>(pairs_.rows) + 1, 0);
    for (size_t n = 0; n < found_.size(); ++n)
        if (found_[n].logOdds > least)
        {
            ++first[found_[n].p + 1];
            ++first[found_[n].q + 1];
        }
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<Fresh> rows(first.back());
    std::vector<size_t> last(first.begin(), first.end() - 1);
    for (size_t n = 0; n < found_.size(); ++n)
        if (found_[n].logOdds > least)
        {
            const Entry& entry = found_[n];
            const Fresh upper = {entry.q, entry.value, entry.logOdds},
                        lower = {entry.p, entry.value, entry.logOdds};
            rows[last[entry.p]++] = upper;
            rows[last[entry.q]++] = lower;
        }
    std::vector<Entry>().swap(found_);
    CsrMatrix all(pairs_.rows, pairs_.cols);
    control_.forSlices(
        pairs_.rows, SLICE_POINTS,
        [&](const Range& range) {
            for (int p = range.start; p < range.end; ++p)
            {
                const size_t i = static_cast<size_t>(p);
                Fresh *from = rows.data() + first[i], *to = rows.data() + last[i];
                std::sort(from, to);
                last[i] = static_cast<size_t>(std::unique(from, to) - rows.data());
                size_t count = last[i] - first[i];
                for (size_t e = pairs_.offsets[i]; e < pairs_.offsets[i + 1]; ++e)
                    count += logOdds_[e] > least;
                all.offsets[i + 1] = count;
            }
        },
        false);
    std::partial_sum(all.offsets.begin(), all.offsets.end(), all.offsets.begin());
    if (rows.empty() && all.offsets == pairs_.offsets)
        return;
    all.columns.resize(all.offsets.back());
    all.values.resize(all.offsets.back());
    std::vector<float> allOdds(all.offsets.back());
    control_.forSlices(
        pairs_.rows, SLICE_POINTS,
        [&](const Range& range) {
            for (int p = range.start; p < range.end; ++p)
            {
                const size_t i = static_cast<size_t>(p), end = pairs_.offsets[i + 1];
                size_t to = all.offsets[i], n = first[i];
                for (size_t e = pairs_.offsets[i]; e <= end; ++e)
                {
                    for (; n < last[i] && (e == end || rows[n].column < pairs_.columns[e]);
                         ++n, ++to)
                    {
                        all.columns[to] = rows[n].column;
                        all.values[to] = rows[n].value;
                        allOdds[to] = rows[n].logOdds;
                    }
                    if (e == end || !(logOdds_[e] > least))
                        continue;
                    all.columns[to] = pairs_.columns[e];
                    all.values[to] = pairs_.values[e];
                    allOdds[to++] = logOdds_[e];
                }
            }
        },
        false);
    if (control_.cancelled())
        return; // not all rows were written
    std::swap(pairs_, all);
    logOdds_.swap(allOdds);
}

}}} // namespace cv::multimatch::evidence
