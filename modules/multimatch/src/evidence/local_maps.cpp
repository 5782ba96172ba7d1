// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "local_maps.hpp"

#include <Eigen/Core>

#include <cstring>

namespace cv { namespace multimatch { namespace evidence {

namespace {

const int CONTEXT = 16; //!< most tracks that a map is fitted to
const int ROBUST_ROUNDS = 3;

typedef Eigen::Array<float, CONTEXT, 1> Lanes;
typedef Eigen::Map<const Lanes> LanesIn;

//! The value of this rank, from 0, among the first count, none of which is negative.
float ranked(const Lanes& values, int count, int rank)
{
    // The bits of floats that are not negative have the order of the floats, and integers compare
    // faster.
    int bits[CONTEXT], smaller[CONTEXT];
    std::memcpy(bits, values.data(), sizeof(bits));
    for (int n = 0; n < CONTEXT; ++n)
    {
        bits[n] = n < count ? bits[n] : std::numeric_limits<int>::max();
        smaller[n] = 0;
    }
    // All against all: without branches this is faster than sorting.
    for (int m = 0; m < CONTEXT; ++m)
        for (int n = 0; n < CONTEXT; ++n)
            smaller[n] += bits[m] < bits[n];
    int largest = 0;
    for (int n = 0; n < CONTEXT; ++n)
        largest = std::max(largest, smaller[n] <= rank ? bits[n] : 0);
    float value;
    std::memcpy(&value, &largest, sizeof(value));
    return value;
}

//! Solves the symmetric positive definite system M X = B in place.
template<int D>
bool solveSmall(float M[D][D], float B[D][D])
{
    for (int c = 0; c < D; ++c)
    {
        if (!(M[c][c] > 0))
            return false;
        for (int r = c + 1; r < D; ++r)
        {
            const float factor = M[r][c] / M[c][c];
            for (int k = 0; k < D; ++k)
            {
                M[r][k] -= factor * M[c][k];
                B[r][k] -= factor * B[c][k];
            }
        }
    }
    for (int c = D - 1; c >= 0; --c)
        for (int k = 0; k < D; ++k)
        {
            for (int r = c + 1; r < D; ++r)
                B[c][k] -= M[c][r] * B[r][k];
            B[c][k] /= M[c][c];
        }
    return true;
}

} // namespace

//! Pairs of points around a patch and in another view that are on one track each.
template<int D>
struct LocalMaps::Context
{
    int count, seen;        //!< seen: among the nearest points
    bool far;               //!< too few are near, so that it also has tracks of points farther away
    float from[D][CONTEXT]; //!< relative to the center of the patch
    float to[D][CONTEXT];   //!< relative to the first pair
    int here[CONTEXT], there[CONTEXT];
};

//! Fits the maps of one patch after the other.
template<int D>
class LocalMaps::Fitter
{
public:
    explicit Fitter(LocalMaps& maps)
        : maps_(maps), positions_(maps.positions_), views_(maps.views_), params_(maps.params_),
          labels_(maps.labels_), tracks_(*maps.tracks_),
          slot_(static_cast<size_t>(views_.count()), -1)
    {
    }

    //! Collects the tracks around a patch of a view that are seen in the views others[0 .. count -
    //! 1].
    void collect(int view, int patch, const int* others, size_t count)
    {
        for (size_t s = 0; s < count; ++s)
            slot_[others[s]] = static_cast<int>(s);
        if (contexts_.size() < count)
            contexts_.resize(count);
        for (size_t s = 0; s < count; ++s)
        {
            contexts_[s].count = contexts_[s].seen = 0;
            contexts_[s].far = false;
        }
        const int *first = positions_.aroundBegin(patch), *end = positions_.aroundEnd(patch);
        const int near = static_cast<int>(end - first);
        const bool moreThere = near < std::min(maps_.farther_, views_.size(view));
        collect(patch, first, end);
        bool anyFar = false;
        for (size_t s = 0; s < count; ++s)
        {
            contexts_[s].far = moreThere && contexts_[s].count < LEAST;
            anyFar = anyFar || contexts_[s].far;
            if (!contexts_[s].far) // it is complete
                slot_[others[s]] = -1;
        }
        if (anyFar)
        {
            const std::vector<int>& far = maps_.farPoints(view, patch);
            collect(patch, far.data(), far.data() + far.size());
        }
        for (size_t s = 0; s < count; ++s)
            slot_[others[s]] = -1;
    }

    //! The map of the patch last collected, of view v, into one of the views.
    Map fit(int v, int patch, size_t s)
    {
        Map map = Map();
        map.seen = static_cast<float>(contexts_[s].seen);
        map.around =
            static_cast<float>(positions_.aroundEnd(patch) - positions_.aroundBegin(patch));
        map.far = contexts_[s].far;
        // Farther away more tracks may deviate from one map, so it must be the map of more of them.
        if (contexts_[s].count >= (map.far ? params_.context : LEAST))
            fit(contexts_[s], positions_.kernelWidth(v), map);
        return map;
    }

    //! A hash of all that the map depends on.
    uint64 hash(size_t s) const
    {
        const Context<D>& context = contexts_[s];
        uint64 value = static_cast<uint64>(context.seen) + 1;
        for (int n = 0; n < context.count; ++n)
        {
            value = (value ^ static_cast<uint64>(context.here[n])) * 0x9E3779B97F4A7C15ULL;
            value = (value ^ (value >> 29) ^ static_cast<uint64>(context.there[n])) *
                    0xD1B54A32D192ED03ULL;
            value ^= value >> 32;
        }
        return value;
    }

private:
    //! Fewer tracks give no map: an affine one has D + 1 coefficients per coordinate.
    static const int LEAST = D + 3;

    //! Adds tracks of these points around a patch to the contexts of the views in slot_.
    void collect(int patch, const int* first, const int* last)
    {
        const float* x = positions_.center(patch);
        for (const int* n = first; n != last; ++n)
        {
            const int track = labels_[*n];
            if (track < 0)
                continue;
            const float* xn = positions_.at(*n);
            for (const int *q = tracks_.begin(track), *end = tracks_.end(track); q != end; ++q)
            {
                const int s = slot_[views_.of(*q)];
                if (s < 0)
                    continue;
                Context<D>& context = contexts_[s];
                context.seen += !context.far;
                if (context.count >= params_.context)
                    continue;
                const int c = context.count++;
                const float* y = positions_.at(*q);
                const float* origin = c == 0 ? y : positions_.at(context.there[0]);
                for (int d = 0; d < D; ++d)
                {
                    context.from[d][c] = xn[d] - x[d];
                    context.to[d][c] = y[d] - origin[d];
                }
                context.here[c] = *n;
                context.there[c] = *q;
            }
        }
    }

    //! Weighted ridge regression of the affine map, with weights that fall with the residual.
    void fit(Context<D>& context, float kernelWidth, Map& map) const
    {
        const int count = context.count;
        for (int n = count; n < CONTEXT; ++n)
            for (int d = 0; d < D; ++d)
                context.from[d][n] = context.to[d][n] = 0;
        Lanes x[D], y[D], r2 = Lanes::Zero(), used;
        for (int n = 0; n < CONTEXT; ++n)
            used[n] = n < count ? 1.f : 0.f;
        for (int d = 0; d < D; ++d)
        {
            x[d] = LanesIn(context.from[d]);
            y[d] = LanesIn(context.to[d]);
            r2 += x[d].square();
        }
        const float mean2 = r2.sum() / static_cast<float>(count);
        if (!(mean2 > 0))
            return;
        // Where few tracks are around, the kernel is as wide as their neighborhood.
        const Lanes near = used * (-r2 / std::max(kernelWidth, 2 * mean2)).exp();
        Lanes weight = near;
        float place[D], B[D][D], spread2 = 0, radius2 = 0;
        for (int round = 0; round < ROBUST_ROUNDS; ++round)
        {
            const float sum = weight.sum();
            if (!(sum > 0))
                return;
            float meanX[D], meanY[D], M[D][D], trace = 0;
            Lanes fromMean[D], toMean[D];
            radius2 = 0;
            for (int d = 0; d < D; ++d)
            {
                meanX[d] = (weight * x[d]).sum() / sum;
                meanY[d] = (weight * y[d]).sum() / sum;
                fromMean[d] = x[d] - meanX[d];
                toMean[d] = y[d] - meanY[d];
                radius2 += (weight * toMean[d].square()).sum() / sum;
            }
            for (int r = 0; r < D; ++r)
            {
                const Lanes weighted = weight * fromMean[r];
                for (int c = 0; c < D; ++c)
                {
                    M[r][c] = c < r ? M[c][r] : (weighted * fromMean[c]).sum();
                    B[r][c] = (weighted * toMean[c]).sum();
                }
                trace += M[r][r];
            }
            for (int d = 0; d < D; ++d)
                M[d][d] += params_.ridge * trace;
            if (!solveSmall<D>(M, B))
                return;
            Lanes residual2 = Lanes::Zero();
            for (int c = 0; c < D; ++c)
            {
                place[c] = meanY[c];
                for (int r = 0; r < D; ++r)
                    place[c] -= meanX[r] * B[r][c];
                Lanes miss = place[c] - y[c];
                for (int r = 0; r < D; ++r)
                    miss += B[r][c] * x[r];
                residual2 += miss.square();
            }
            spread2 = std::max(ranked(residual2, count, count / 2),
                               1e-12f + params_.spreadFloor * params_.spreadFloor * radius2) *
                      static_cast<float>(count) / static_cast<float>(std::max(1, count - D - 1));
            weight = near * (1 + residual2 / (4 * spread2)).inverse().square();
        }
        if (!(radius2 > 0))
            return;
        const float* origin = positions_.at(context.there[0]);
        for (int d = 0; d < D; ++d)
        {
            map.place[d] = origin[d] + place[d];
            for (int r = 0; r < D; ++r)
                map.linear[r][d] = B[r][d];
        }
        map.spread2 = spread2;
        map.radius2 = radius2;
        map.count = static_cast<float>(count);
        if (positions_.hasFrames())
            fitFrame(context, weight, map);
    }

    void fitFrame(const Context<D>& context, const Lanes& weight, Map& map) const
    {
        float cosine = 0, sine = 0, stretch = 0, sum = 0;
        for (int n = 0; n < context.count; ++n)
        {
            const int p = context.here[n], q = context.there[n];
            const Point2f &from = positions_.direction(p), &to = positions_.direction(q);
            cosine += weight[n] * (to.x * from.x + to.y * from.y);
            sine += weight[n] * (to.y * from.x - to.x * from.y);
            stretch += weight[n] * (positions_.logSize(q) - positions_.logSize(p));
            sum += weight[n];
        }
        map.turn = std::atan2(sine, cosine);
        map.stretch = stretch / sum;
    }

    LocalMaps& maps_;
    const Positions& positions_;
    const Views& views_;
    const EvidenceParams& params_;
    const std::vector<int>& labels_;
    const TrackTable& tracks_;
    std::vector<int> slot_; //!< per view its number among the views mapped into
    std::vector<Context<D>> contexts_;
};

LocalMaps::LocalMaps(const Positions& positions, const Views& views, const EvidenceParams& params,
                     int farther)
    : positions_(positions), views_(views), params_(params), farther_(farther),
      far_(static_cast<size_t>(positions.patchCount())), maps_(static_cast<size_t>(views.count()))
{
    for (int v = 0; v < views.count(); ++v)
        maps_[v].offsets.assign(views.comparedWith(v).size() + 1, 0);
}

void LocalMaps::fit(const std::vector<int>& labels, const Ptr<TrackTable>& tracks,
                    const CsrMatrix& candidates, bool reuse, RunControl& control)
{
    findChanged(labels, *tracks, control);
    labels_ = labels;
    tracks_ = tracks;
    if (positions_.dimension() == 3)
        fitAll<3>(candidates, reuse, control);
    else
        fitAll<2>(candidates, reuse, control);
}

void LocalMaps::findChanged(const std::vector<int>& labels, const TrackTable& tracks,
                            RunControl& control)
{
    changed_.assign(labels.size(), 1);
    if (!tracks_)
        return;
    control.forSlices(
        views_.pointCount(), SLICE_POINTS,
        [&](const Range& range) {
            for (int p = range.start; p < range.end; ++p)
            {
                const size_t i = static_cast<size_t>(p);
                const int old = labels_[i], now = labels[i];
                changed_[i] =
                    old < 0 || now < 0
                        ? old != now
                        : tracks_->length(old) != tracks.length(now) ||
                              !std::equal(tracks.begin(now), tracks.end(now), tracks_->begin(old));
            }
        },
        false);
}

const std::vector<int>& LocalMaps::farPoints(int view, int patch)
{
    std::vector<int>& far = far_[patch];
    if (far.empty())
        far = positions_.farther(view, patch, farther_);
    return far;
}

std::vector<uchar> LocalMaps::wantedMaps(int view, const CsrMatrix& candidates) const
{
    const std::vector<int>& others = views_.comparedWith(view);
    const int patches = positions_.firstPatch(view + 1) - positions_.firstPatch(view);
    std::vector<uchar> wanted(static_cast<size_t>(patches) * others.size(), 0);
    for (int p = views_.first(view); p < views_.end(view); ++p)
    {
        uchar* row = wanted.data() + static_cast<size_t>(localPatch(p)) * others.size();
        size_t slot = 0;
        for (size_t e = candidates.offsets[p]; e < candidates.offsets[p + 1]; ++e)
        {
            const int w = views_.of(candidates.columns[e]);
            while (others[slot] < w) // columns are ascending, and so are views
                ++slot;
            row[slot] = 1;
        }
    }
    return wanted;
}

template<int D>
void LocalMaps::fitAll(const CsrMatrix& candidates, bool reuse, RunControl& control)
{
    control.forSlices(
        views_.count(), viewsInSlice(views_.offsets()),
        [&](const Range& range) {
            Fitter<D> fitter(*this);
            for (int v = range.start; v < range.end; ++v)
                fitView<D>(v, candidates, reuse, fitter);
        },
        false);
}

//! Patch by patch, as the tracks around a patch are collected for all views at once; stored by
//! views.
template<int D>
void LocalMaps::fitView(int view, const CsrMatrix& candidates, bool reuse, Fitter<D>& fitter)
{
    const size_t COEFFICIENTS = D * (D + 1);
    const std::vector<int>& others = views_.comparedWith(view);
    const size_t slots = others.size();
    const int patches = positions_.firstPatch(view + 1) - positions_.firstPatch(view);
    const std::vector<uchar> wanted = wantedMaps(view, candidates);
    ViewMaps& before = maps_[view];
    ViewMaps now;
    now.offsets.assign(slots + 1, 0);
    for (size_t n = 0; n < wanted.size(); ++n)
        now.offsets[n % slots + 1] += wanted[n];
    std::partial_sum(now.offsets.begin(), now.offsets.end(), now.offsets.begin());
    now.patches.resize(now.offsets.back());
    now.maps.resize(now.offsets.back());
    now.coefficients.resize(now.offsets.back() * COEFFICIENTS);
    std::vector<size_t> next(now.offsets), old(before.offsets); // per other view
    std::vector<int> into; // views that the patch needs maps into
    std::vector<size_t> slotOf;
    for (int patch = 0; patch < patches; ++patch)
    {
        const int number = positions_.firstPatch(view) + patch;
        into.clear();
        slotOf.clear();
        for (size_t s = 0; s < slots; ++s)
            if (wanted[static_cast<size_t>(patch) * slots + s])
            {
                into.push_back(others[s]);
                slotOf.push_back(s);
            }
        const auto unchanged = [&](const int* first, const int* last) {
            return std::none_of(first, last, [&](int p) { return changed_[p] != 0; });
        };
        const bool sameNear =
            reuse && unchanged(positions_.aroundBegin(number), positions_.aroundEnd(number));
        const auto sameFar = [&] {
            const std::vector<int>& far = farPoints(view, number);
            return unchanged(far.data(), far.data() + far.size());
        };
        bool collected = false;
        for (size_t n = 0; n < into.size(); ++n)
        {
            const size_t s = slotOf[n], m = next[s]++;
            while (old[s] < before.offsets[s + 1] && before.patches[old[s]] < patch)
                ++old[s];
            const bool known = old[s] < before.offsets[s + 1] && before.patches[old[s]] == patch;
            float* coefficients = now.coefficients.data() + m * COEFFICIENTS;
            StoredMap& stored = now.maps[m];
            now.patches[m] = patch;
            if (known)
            {
                stored = before.maps[old[s]];
                std::copy_n(before.coefficients.data() + old[s] * COEFFICIENTS, COEFFICIENTS,
                            coefficients);
                stored.refitted = 0;
                if (sameNear && (!stored.far || sameFar()))
                    continue;
            }
            if (!collected)
                fitter.collect(view, number, into.data(), into.size());
            collected = true;
            const uint64 hash = fitter.hash(n);
            const unsigned low = static_cast<unsigned>(hash),
                           high = static_cast<unsigned>(hash >> 32);
            const bool equal = known && stored.context[0] == low && stored.context[1] == high;
            if (reuse && equal)
                continue;
            const Map map = fitter.fit(view, number, n);
            const StoredMap fresh = {map.spread2,
                                     map.radius2,
                                     map.turn,
                                     map.stretch,
                                     saturate_cast<uchar>(map.count),
                                     saturate_cast<uchar>(map.seen),
                                     saturate_cast<uchar>(map.around),
                                     !equal,
                                     map.far,
                                     {low, high}};
            stored = fresh;
            for (int d = 0; d < D; ++d)
            {
                *coefficients++ = map.place[d];
                for (int r = 0; r < D; ++r)
                    *coefficients++ = map.linear[r][d];
            }
        }
    }
    std::swap(before, now);
}

size_t LocalMaps::find(const ViewMaps& maps, int p, int view) const
{
    const int v = views_.of(p);
    if (!views_.compared(v, view))
        return maps.patches.size();
    const size_t slot = views_.slot(v, view);
    const int patch = localPatch(p);
    const int *begin = maps.patches.data() + maps.offsets[slot],
              *end = maps.patches.data() + maps.offsets[slot + 1];
    const int* at = std::lower_bound(begin, end, patch);
    return at == end || *at != patch ? maps.patches.size()
                                     : static_cast<size_t>(at - maps.patches.data());
}

bool LocalMaps::consistent(int p, int q) const
{
    const float spreads2 = params_.likelySpreads * params_.likelySpreads;
    const auto isOff = [&](int from, int to) {
        const Prediction expected = predict(from, views_.of(to));
        return expected.valid() &&
               positions_.distance2(to, expected.place) > spreads2 * expected.spread2;
    };
    return !isOff(p, q) && !isOff(q, p);
}

Prediction LocalMaps::predict(int p, int view) const
{
    const ViewMaps& maps = mapsOf(p);
    const size_t at = find(maps, p, view);
    if (at == maps.patches.size())
        return Prediction();
    const int label = labels_[p];
    return predict(maps, at, p,
                   label < 0 ? -1 : tracks_->pointIn(label, views_.first(view), views_.end(view)));
}

template<int D>
Prediction LocalMaps::predict(const ViewMaps& maps, size_t at, int p, int own) const
{
    Prediction prediction = Prediction();
    const StoredMap& map = maps.maps[at];
    prediction.seen = map.seen;
    prediction.around = map.around;
    if (!(map.spread2 > 0))
        return prediction;
    const float *x = positions_.at(p), *center = positions_.center(positions_.patch(p));
    const float* coefficients = maps.coefficients.data() + at * D * (D + 1);
    for (int d = 0; d < D; ++d)
    {
        prediction.place[d] = *coefficients++;
        for (int r = 0; r < D; ++r)
            prediction.place[d] += (x[r] - center[r]) * *coefficients++;
    }
    if (own >= 0)
    {
        // The map was fitted to the track of p too. The prediction without it follows from the
        // leverage of the track, which is on average the number of coefficients over the number of
        // tracks.
        const float leverage = static_cast<float>(D + 1) / (1 + static_cast<float>(map.count));
        const float* y = positions_.at(own);
        for (int d = 0; d < D; ++d)
            prediction.place[d] += (prediction.place[d] - y[d]) * leverage / (1 - leverage);
    }
    prediction.spread2 = map.spread2;
    prediction.radius2 = map.radius2;
    prediction.turn = map.turn;
    prediction.stretch = map.stretch;
    return prediction;
}

void ViewPredictions::begin(int from, int to)
{
    const Positions& positions = maps_.positions_;
    const Views& views = maps_.views_;
    const std::vector<int>& labels = maps_.labels_;
    const auto setPoints = [&](int view, bool known) {
        for (int q = views.first(view); q < views.end(view); ++q)
            if (labels[q] >= 0)
                point_[labels[q]] = known ? q : -1;
    };
    if (maps_.tracks_) // otherwise there are no maps yet
    {
        if (to_ >= 0)
            setPoints(to_, false);
        else
            point_.assign(maps_.tracks_->trackCount(), -1);
        setPoints(to, true);
    }
    from_ = from;
    to_ = to;
    ++now_;
    map_.assign(positions.firstPatch(from + 1) - positions.firstPatch(from), -1);
    if (computed_.size() < static_cast<size_t>(views.size(from)))
    {
        computed_.resize(views.size(from), 0);
        known_.resize(computed_.size());
    }
    const LocalMaps::ViewMaps& maps = maps_.maps_[from];
    const size_t slot = views.slot(from, to);
    for (size_t m = maps.offsets[slot]; m < maps.offsets[slot + 1]; ++m)
        map_[maps.patches[m]] = static_cast<int>(m);
}

bool ViewPredictions::changed(int p) const
{
    const int map = map_[maps_.localPatch(p)];
    return maps_.changed_[p] || (map >= 0 && maps_.mapsOf(p).maps[map].refitted);
}

const Prediction& ViewPredictions::of(int p)
{
    const size_t n = static_cast<size_t>(p - maps_.views_.first(from_));
    Prediction& prediction = known_[n];
    if (computed_[n] == now_)
        return prediction;
    computed_[n] = now_;
    const int map = map_[maps_.localPatch(p)];
    if (map < 0)
        return prediction = Prediction();
    const int label = maps_.labels_[p];
    prediction =
        maps_.predict(maps_.mapsOf(p), static_cast<size_t>(map), p, label < 0 ? -1 : point_[label]);
    return prediction;
}

}}} // namespace cv::multimatch::evidence
