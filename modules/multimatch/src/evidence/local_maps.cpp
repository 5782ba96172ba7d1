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
    // The bits of floats that are not negative have the order of the floats, and integers compare faster.
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
    int count, seen;
    float from[D][CONTEXT]; //!< relative to the center of the patch
    float to[D][CONTEXT];   //!< relative to the first pair
    int here[CONTEXT], there[CONTEXT];
};

//! Fits the maps of one patch after the other.
template<int D>
class LocalMaps::Fitter
{
public:
    Fitter(const Positions& positions, const Views& views, const EvidenceParams& params,
           const std::vector<int>& labels, const TrackTable& tracks)
        : positions_(positions), views_(views), params_(params), labels_(labels), tracks_(tracks),
          slot_(static_cast<size_t>(views.count()), -1)
    {
    }

    //! Maps of a patch of view v into the views others[0 .. count - 1].
    void fit(int v, int patch, const int* others, size_t count, Map* maps)
    {
        for (size_t s = 0; s < count; ++s)
            slot_[static_cast<size_t>(others[s])] = static_cast<int>(s);
        if (contexts_.size() < count)
            contexts_.resize(count);
        for (size_t s = 0; s < count; ++s)
            contexts_[s].count = contexts_[s].seen = 0;
        collect(patch);
        for (size_t s = 0; s < count; ++s)
        {
            maps[s] = Map();
            maps[s].seen = static_cast<float>(contexts_[s].seen);
            maps[s].around =
                static_cast<float>(positions_.aroundEnd(patch) - positions_.aroundBegin(patch));
            if (contexts_[s].count >= D + 3) // an affine map has D + 1 coefficients per coordinate
                fit(contexts_[s], positions_.kernelWidth(v), maps[s]);
        }
        for (size_t s = 0; s < count; ++s)
            slot_[static_cast<size_t>(others[s])] = -1;
    }

private:
    //! Fills the contexts.
    void collect(int patch)
    {
        const float* x = positions_.center(patch);
        for (const int* n = positions_.aroundBegin(patch); n != positions_.aroundEnd(patch); ++n)
        {
            const int track = labels_[static_cast<size_t>(*n)];
            if (track < 0)
                continue;
            const float* xn = positions_.at(*n);
            for (const int *q = tracks_.begin(track), *end = tracks_.end(track); q != end; ++q)
            {
                const int s = slot_[static_cast<size_t>(views_.of(*q))];
                if (s < 0)
                    continue;
                Context<D>& context = contexts_[static_cast<size_t>(s)];
                ++context.seen;
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
            const float turn = positions_.angle(q) - positions_.angle(p);
            cosine += weight[n] * std::cos(turn);
            sine += weight[n] * std::sin(turn);
            stretch += weight[n] * (positions_.logSize(q) - positions_.logSize(p));
            sum += weight[n];
        }
        map.turn = std::atan2(sine, cosine);
        map.stretch = stretch / sum;
    }

    const Positions& positions_;
    const Views& views_;
    const EvidenceParams& params_;
    const std::vector<int>& labels_;
    const TrackTable& tracks_;
    std::vector<int> slot_; //!< per view its number among the views mapped into
    std::vector<Context<D>> contexts_;
};

LocalMaps::LocalMaps(const Positions& positions, const Views& views, const EvidenceParams& params)
    : positions_(positions), views_(views), params_(params),
      mapOffsets_(static_cast<size_t>(positions.patchCount()) + 1, 0)
{
}

void LocalMaps::fit(const std::vector<int>& labels, const CsrMatrix& candidates,
                    RunControl& control)
{
    labels_ = labels;
    tracks_ = makePtr<TrackTable>(labels);
    // Views in which the points of each patch have candidates.
    std::vector<std::vector<int>> wanted(static_cast<size_t>(positions_.patchCount()));
    control.forSlices(
        views_.count(), viewsInSlice(views_.offsets()),
        [&](const Range& range) {
            for (int v = range.start; v < range.end; ++v)
            {
                for (int p = views_.first(v); p < views_.end(v); ++p)
                {
                    std::vector<int>& views = wanted[static_cast<size_t>(positions_.patch(p))];
                    for (size_t e = candidates.offsets[p]; e < candidates.offsets[p + 1]; ++e)
                    {
                        const int w = views_.of(candidates.columns[e]);
                        if (views.empty() || views.back() != w)
                            views.push_back(w);
                    }
                }
                for (int patch = positions_.firstPatch(v); patch < positions_.firstPatch(v + 1);
                     ++patch)
                {
                    std::vector<int>& views = wanted[static_cast<size_t>(patch)];
                    std::sort(views.begin(), views.end());
                    views.erase(std::unique(views.begin(), views.end()), views.end());
                }
            }
        },
        false);
    for (size_t patch = 0; patch < wanted.size(); ++patch)
        mapOffsets_[patch + 1] = mapOffsets_[patch] + wanted[patch].size();
    mapViews_.resize(mapOffsets_.back());
    for (size_t patch = 0; patch < wanted.size(); ++patch)
        std::copy(wanted[patch].begin(), wanted[patch].end(),
                  mapViews_.begin() + static_cast<ptrdiff_t>(mapOffsets_[patch]));
    maps_.assign(mapViews_.size(), Map());
    if (positions_.dimension() == 3)
        fitAll<3>(*tracks_, control);
    else
        fitAll<2>(*tracks_, control);
}

template<int D>
void LocalMaps::fitAll(const TrackTable& tracks, RunControl& control)
{
    control.forSlices(
        views_.count(), viewsInSlice(views_.offsets()),
        [&](const Range& range) {
            Fitter<D> fitter(positions_, views_, params_, labels_, tracks);
            for (int v = range.start; v < range.end; ++v)
                for (int patch = positions_.firstPatch(v); patch < positions_.firstPatch(v + 1);
                     ++patch)
                {
                    const size_t first = mapOffsets_[static_cast<size_t>(patch)];
                    fitter.fit(v, patch, mapViews_.data() + first,
                               mapOffsets_[static_cast<size_t>(patch) + 1] - first,
                               maps_.data() + first);
                }
        },
        false);
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
    Prediction prediction = Prediction();
    const int *begin = viewsBegin(p), *end = viewsEnd(p);
    const int* at = std::lower_bound(begin, end, view);
    if (at == end || *at != view)
        return prediction;
    const int patch = positions_.patch(p);
    const Map& map =
        maps_[mapOffsets_[static_cast<size_t>(patch)] + static_cast<size_t>(at - begin)];
    prediction.seen = map.seen;
    prediction.around = map.around;
    if (!(map.spread2 > 0))
        return prediction;
    const int D = positions_.dimension();
    const float *x = positions_.at(p), *center = positions_.center(patch);
    for (int d = 0; d < D; ++d)
    {
        prediction.place[d] = map.place[d];
        for (int r = 0; r < D; ++r)
            prediction.place[d] += (x[r] - center[r]) * map.linear[r][d];
    }
    const int label = labels_[static_cast<size_t>(p)];
    const int own = label < 0 ? -1 : tracks_->pointIn(label, views_.first(view), views_.end(view));
    if (own >= 0)
    {
        // The map was fitted to the track of p too. The prediction without it follows from the leverage of the track, which is on
        // average the number of coefficients over the number of tracks.
        const float leverage = static_cast<float>(D + 1) / (1 + map.count);
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

}}} // namespace cv::multimatch::evidence
