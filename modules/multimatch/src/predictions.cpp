// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "local_geometry.hpp"

#include "input.hpp"

#include <Eigen/Core>

#include <cstring>

namespace cv { namespace multimatch {

namespace {

const int CONTEXT = 16; //!< of the points around, the closest that both views share are used
const int MIN_CONTEXT = 4;
const int ROBUST_ROUNDS = 3;
const float RIDGE = 0.02f;         //!< few or collinear neighbours must not extrapolate
const float SPREAD_FLOOR = 0.03f;  //!< a prediction is never better than this share of the radius
const float WRONG_RADIUS = 3.f;    //!< a wrong point lies anywhere within so many radii
const float MAX_RATIO = 400.f;     //!< of the likelihoods, for and against a point
const float LIKELY_SPREADS = 3.f;  //!< a point is expected within so many spreads
const int MAX_LIKELY = 4;          //!< points that could be the one
const float USUAL_TURN = 0.15f;    //!< radians
const float USUAL_STRETCH = 0.15f; //!< of the logarithm of a size

typedef Eigen::Array<float, CONTEXT, 1> Lanes;
typedef Eigen::Map<const Lanes> LanesIn;

//! The value of this rank, from 0, among the first count, none of which is negative.
float ranked(const Lanes& values, int count, int rank)
{
    // Bits of numbers that are not negative are in the order of the numbers, and whole numbers compare faster.
    int bits[CONTEXT], smaller[CONTEXT];
    std::memcpy(bits, values.data(), sizeof(bits));
    for (int n = 0; n < CONTEXT; ++n)
    {
        bits[n] = n < count ? bits[n] : std::numeric_limits<int>::max();
        smaller[n] = 0;
    }
    // Everything with everything: without branches that is faster than sorting.
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

//! Pairs of points around a patch and in another view that belong to one track each. Unused places have no weight.
template<int D>
struct Context
{
    int count;
    float from[D][CONTEXT]; //!< relative to the middle of the patch
    float to[D][CONTEXT];   //!< relative to the first pair
    float base[CONTEXT];
    int here[CONTEXT], there[CONTEXT];
};

/** The affine map of a patch into another view, and how far it is to be trusted. Nothing but floats, as many maps lie in one
array of them. */
template<int D>
struct Map
{
    float place[D];     //!< where the middle of the patch should be
    float linear[D][D]; //!< by coordinate here and there
    float spread2;      //!< squared spread of what is predicted; 0: there is no map
    float peak;  //!< log-likelihood ratio of a point right there; without a map, of any point there
    float count; //!< of the pairs that it was fitted to
    float turn;  //!< of the key points' angles, radians
    float stretch; //!< of the logarithms of their sizes
};

} // namespace

//! Makes the maps of one patch after the other.
template<int D>
class Predictions::Mapper
{
public:
    Mapper(const LocalGeometry& geometry, const std::vector<std::vector<int>>& judgedViews,
           const std::vector<int>& labels, const std::vector<float>& belief,
           const TrackTable& tracks)
        : geometry_(geometry), judgedViews_(judgedViews), labels_(labels), belief_(belief),
          tracks_(tracks), slot_(judgedViews.size(), -1)
    {
    }

    //! Maps of a patch of view v into each of the views compared with v.
    void make(int v, int patch, Map<D>* maps)
    {
        const std::vector<int>& views = judgedViews_[static_cast<size_t>(v)];
        for (size_t s = 0; s < views.size(); ++s)
            slot_[static_cast<size_t>(views[s])] = static_cast<int>(s);
        if (contexts_.size() < views.size())
            contexts_.resize(views.size());
        for (size_t s = 0; s < views.size(); ++s)
            contexts_[s].count = 0;
        const int believed = collect(patch, views.size());
        for (size_t s = 0; s < views.size(); ++s)
        {
            maps[s] = Map<D>();
            if (contexts_[s].count >= MIN_CONTEXT)
                fit(contexts_[s], maps[s]);
            else if (believed >= MIN_CONTEXT)
                maps[s].peak =
                    static_cast<float>(1 + contexts_[s].count) / static_cast<float>(1 + believed);
        }
        for (size_t s = 0; s < views.size(); ++s)
            slot_[static_cast<size_t>(views[s])] = -1;
    }

private:
    //! Fills the contexts; open: how many there are. Returns how many points around are on a track.
    int collect(int patch, size_t open)
    {
        const float* x = geometry_.middle(patch);
        int believed = 0;
        for (const int* n = geometry_.aroundBegin(patch);
             n != geometry_.aroundEnd(patch) && open > 0; ++n)
        {
            if (labels_[*n] < 0 || belief_[*n] <= 0.f)
                continue;
            ++believed;
            const float* xn = geometry_.place(*n);
            for (const int *q = tracks_.begin(labels_[*n]), *end = tracks_.end(labels_[*n]);
                 q != end; ++q)
            {
                const int s = slot_[static_cast<size_t>(geometry_.view(*q))];
                if (s < 0 || belief_[*q] <= 0.f)
                    continue;
                Context<D>& context = contexts_[static_cast<size_t>(s)];
                if (context.count == CONTEXT)
                    continue;
                const int c = context.count++;
                const float* y = geometry_.place(*q);
                const float* origin = c == 0 ? y : geometry_.place(context.there[0]);
                for (int d = 0; d < D; ++d)
                {
                    context.from[d][c] = xn[d] - x[d];
                    context.to[d][c] = y[d] - origin[d];
                }
                context.base[c] = std::min(belief_[*n], belief_[*q]);
                context.here[c] = *n;
                context.there[c] = *q;
                open -= context.count == CONTEXT;
            }
        }
        return believed;
    }

    void fit(Context<D>& context, Map<D>& map) const
    {
        const int count = context.count;
        for (int n = count; n < CONTEXT; ++n)
        {
            context.base[n] = 0;
            for (int d = 0; d < D; ++d)
                context.from[d][n] = context.to[d][n] = 0;
        }
        Lanes x[D], y[D], r2 = Lanes::Zero();
        for (int d = 0; d < D; ++d)
        {
            x[d] = LanesIn(context.from[d]);
            y[d] = LanesIn(context.to[d]);
            r2 += x[d].square();
        }
        const float scale2 = 4 * r2.sum() / static_cast<float>(count);
        if (!(scale2 > 0))
            return;
        const Lanes near = LanesIn(context.base) * (1 + r2 / scale2).inverse().square();
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
                M[d][d] += RIDGE * trace;
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
                               1e-12f + SPREAD_FLOOR * SPREAD_FLOOR * radius2) *
                      static_cast<float>(count) / static_cast<float>(std::max(1, count - 3));
            weight = near * (1 + residual2 / (4 * spread2)).inverse().square();
        }
        if (!(radius2 > 0))
            return;
        const float* origin = geometry_.place(context.there[0]);
        for (int d = 0; d < D; ++d)
        {
            map.place[d] = origin[d] + place[d];
            for (int r = 0; r < D; ++r)
                map.linear[r][d] = B[r][d];
        }
        map.spread2 = spread2;
        map.peak = 0.5f * WRONG_RADIUS * WRONG_RADIUS * radius2 / spread2;
        map.count = static_cast<float>(count);
        if (geometry_.hasFrames())
            fitFrame(context, weight, map);
    }

    void fitFrame(const Context<D>& context, const Lanes& weight, Map<D>& map) const
    {
        float cosine = 0, sine = 0, stretch = 0, sum = 0;
        for (int n = 0; n < context.count; ++n)
        {
            const float *here = geometry_.direction(context.here[n]),
                        *there = geometry_.direction(context.there[n]);
            cosine += weight[n] * (there[0] * here[0] + there[1] * here[1]);
            sine += weight[n] * (there[1] * here[0] - there[0] * here[1]);
            stretch += weight[n] *
                       (geometry_.logSize(context.there[n]) - geometry_.logSize(context.here[n]));
            sum += weight[n];
        }
        map.turn = std::atan2(sine, cosine);
        map.stretch = stretch / sum;
    }

    const LocalGeometry& geometry_;
    const std::vector<std::vector<int>>& judgedViews_;
    const std::vector<int>& labels_;
    const std::vector<float>& belief_;
    const TrackTable& tracks_;
    std::vector<int> slot_; //!< per view its number among those compared with the present one
    std::vector<Context<D>> contexts_;
};

Predictions::Predictions(const LocalGeometry& geometry, const std::vector<int>& labels,
                         const std::vector<float>& belief,
                         const std::vector<std::vector<int>>& judgedViews, RunControl& control,
                         const std::vector<uchar>& wanted)
    : geometry_(geometry), judgedViews_(judgedViews), labels_(labels), firstOfView_(1, 0)
{
    for (size_t v = 0; v < judgedViews.size(); ++v)
        firstOfView_.push_back(
            firstOfView_.back() +
            static_cast<size_t>(geometry.patchOffsets()[v + 1] - geometry.patchOffsets()[v]) *
                judgedViews[v].size());
    if (geometry.dimension() == 3)
        makeMaps<3>(belief, wanted, control);
    else
        makeMaps<2>(belief, wanted, control);
}

template<int D>
void Predictions::makeMaps(const std::vector<float>& belief, const std::vector<uchar>& wanted,
                           RunControl& control)
{
    maps_.resize(firstOfView_.back() * sizeof(Map<D>) / sizeof(float));
    const TrackTable tracks(labels_);
    std::vector<uchar> wantedPatch(static_cast<size_t>(geometry_.patchOffsets().back()),
                                   wanted.empty());
    for (size_t p = 0; p < wanted.size(); ++p)
        if (wanted[p])
            wantedPatch[static_cast<size_t>(geometry_.patch(static_cast<int>(p)))] = 1;
    const int views = static_cast<int>(judgedViews_.size());
    control.forSlices(views, viewsInSlice(geometry_.offsets()), [&](const Range& range) {
        Mapper<D> mapper(geometry_, judgedViews_, labels_, belief, tracks);
        for (int v = range.start; v < range.end; ++v)
        {
            Map<D>* maps = reinterpret_cast<Map<D>*>(maps_.data()) + firstOfView_[v];
            for (int patch = geometry_.patchOffsets()[v]; patch < geometry_.patchOffsets()[v + 1];
                 ++patch, maps += judgedViews_[static_cast<size_t>(v)].size())
                if (wantedPatch[static_cast<size_t>(patch)])
                    mapper.make(v, patch, maps);
        }
    });
}

template<int D>
bool Predictions::predict(int p, int viewJ, Prediction& prediction) const
{
    const int v = geometry_.view(p), patch = geometry_.patch(p);
    const std::vector<int>& views = judgedViews_[static_cast<size_t>(v)];
    // Mostly all views were compared with all others: then this is it.
    size_t at = static_cast<size_t>(viewJ - (viewJ > v));
    if (at >= views.size() || views[at] != viewJ)
    {
        at = static_cast<size_t>(std::lower_bound(views.begin(), views.end(), viewJ) -
                                 views.begin());
        if (at == views.size() || views[at] != viewJ)
            return false;
    }
    const size_t row = static_cast<size_t>(patch - geometry_.patchOffsets()[v]) * views.size();
    const Map<D>& map = reinterpret_cast<const Map<D>*>(maps_.data())[firstOfView_[v] + row + at];
    const float *x = geometry_.place(p), *middle = geometry_.middle(patch);
    for (int d = 0; d < D; ++d)
    {
        prediction.place[d] = map.place[d];
        for (int r = 0; r < D; ++r)
            prediction.place[d] += (x[r] - middle[r]) * map.linear[r][d];
    }
    prediction.spread2 = map.spread2;
    prediction.peak = map.peak;
    prediction.count = map.count;
    prediction.turn = map.turn;
    prediction.stretch = map.stretch;
    return map.peak > 0;
}

bool Predictions::find(int p, int viewJ, Prediction& prediction) const
{
    return geometry_.dimension() == 3 ? predict<3>(p, viewJ, prediction)
                                      : predict<2>(p, viewJ, prediction);
}

void Predictions::compare(int p, int q, FitProduct& product) const
{
    Prediction expected;
    if (!find(p, geometry_.view(q), expected))
        return;
    ++product.count;
    if (!(expected.spread2 > 0))
    {
        product.place *= expected.peak;
        return;
    }
    const float* y = geometry_.place(q);
    float r2 = 0;
    for (int d = 0; d < geometry_.dimension(); ++d)
        r2 += (y[d] - expected.place[d]) * (y[d] - expected.place[d]);
    if (labels_[p] >= 0 && labels_[p] == labels_[q])
    {
        // The map was fitted to this pair too and lies closer to it than to one that it has not seen: by its leverage,
        // which is on average the number of coefficients over the number of pairs.
        const float others =
            1 - static_cast<float>(geometry_.dimension() + 1) / (1 + expected.count);
        r2 /= others * others;
    }
    // Errors have a heavy tail.
    const float off = 1 + r2 / expected.spread2;
    product.place *=
        std::max(1 / MAX_RATIO, std::min(MAX_RATIO, expected.peak / (off * std::sqrt(off))));
    if (geometry_.hasFrames())
    {
        float turn = geometry_.angle(q) - geometry_.angle(p) - expected.turn; // within three turns
        const float whole = static_cast<float>(2 * CV_PI);
        while (turn > whole / 2)
            turn -= whole;
        while (turn < -whole / 2)
            turn += whole;
        const float stretch = geometry_.logSize(q) - geometry_.logSize(p) - expected.stretch;
        product.turn *= 1 + turn * turn / (USUAL_TURN * USUAL_TURN);
        product.stretch *= 1 + stretch * stretch / (USUAL_STRETCH * USUAL_STRETCH);
    }
}

Predictions::Fit Predictions::FitProduct::mean() const
{
    const float share = 1.f / static_cast<float>(std::max(1, count));
    const Fit fit = {share * std::log(place), share * std::log(turn), share * std::log(stretch)};
    return fit;
}

void Predictions::expected(int p, int viewJ, std::vector<KdTree::Hit>& hits,
                           std::vector<int>& points) const
{
    points.clear();
    Prediction found;
    if (!find(p, viewJ, found) || !(found.spread2 > 0))
        return;
    geometry_.trees()[static_cast<size_t>(viewJ)].withinRadius(
        found.place, LIKELY_SPREADS * LIKELY_SPREADS * found.spread2, MAX_LIKELY, hits);
    for (size_t h = 0; h < hits.size(); ++h)
        points.push_back(geometry_.offsets()[viewJ] + hits[h].point);
}

}} // namespace cv::multimatch
