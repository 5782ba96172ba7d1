// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "local_geometry.hpp"

#include "input.hpp"

namespace cv { namespace multimatch {

namespace {

const int CONTEXT = 16; //!< of the points around, the closest that both views share are used
const int MIN_CONTEXT = 4;
const int ROBUST_ROUNDS = 3;
const float RIDGE = 0.02f;        //!< few or collinear neighbours must not extrapolate
const float SPREAD_FLOOR = 0.03f; //!< a prediction is never better than this share of the radius
const float WRONG_RADIUS = 3.f;   //!< a wrong point lies anywhere within so many radii
const float TAIL = 1.5f;          //!< exponent of the heavy tail of a prediction's error
const float MAX_LOG_RATIO = 6.f;
const float LIKELY_SPREADS = 3.f;  //!< a point is expected within so many spreads
const int MAX_LIKELY = 8;          //!< points that could be the one
const float USUAL_TURN = 0.15f;    //!< radians
const float USUAL_STRETCH = 0.15f; //!< of the logarithm of a size

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

//! Pairs of points around p and in another view that belong to one track each. Unused places have no weight.
template<int D>
struct Context
{
    int count;
    float from[D][CONTEXT]; //!< relative to p
    float to[D][CONTEXT];   //!< relative to the first pair
    float base[CONTEXT];
    int here[CONTEXT], there[CONTEXT];
};

} // namespace

//! Predicts for the points of one view after the other.
template<int D>
class Predictions::Predictor
{
public:
    Predictor(const Predictions& result, const std::vector<int>& labels,
              const std::vector<float>& belief, const TrackTable& tracks)
        : geometry_(result.geometry_), view_(result.view_), comparedViews_(result.comparedViews_),
          labels_(labels), belief_(belief), tracks_(tracks), slot_(comparedViews_.size(), -1)
    {
    }

    //! A prediction for each of the views compared with v.
    void predict(int v, int p, Prediction* predictions)
    {
        const std::vector<int>& views = comparedViews_[static_cast<size_t>(v)];
        for (size_t s = 0; s < views.size(); ++s)
            slot_[static_cast<size_t>(views[s])] = static_cast<int>(s);
        if (contexts_.size() < views.size())
            contexts_.resize(views.size());
        for (size_t s = 0; s < views.size(); ++s)
            contexts_[s].count = 0;
        collect(p, views.size());
        for (size_t s = 0; s < views.size(); ++s)
        {
            predictions[s].spread2 = 0;
            if (contexts_[s].count >= MIN_CONTEXT)
                fit(contexts_[s], predictions[s]);
        }
        for (size_t s = 0; s < views.size(); ++s)
            slot_[static_cast<size_t>(views[s])] = -1;
    }

private:
    void collect(int p, size_t open)
    {
        const float* x = geometry_.place(p);
        for (const int* n = geometry_.aroundBegin(p); n != geometry_.aroundEnd(p) && open > 0; ++n)
        {
            if (labels_[*n] < 0 || belief_[*n] <= 0.f)
                continue;
            const float* xn = geometry_.place(*n);
            for (const int *q = tracks_.begin(labels_[*n]), *end = tracks_.end(labels_[*n]);
                 q != end; ++q)
            {
                const int s = slot_[static_cast<size_t>(view_[*q])];
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
    }

    void fit(Context<D>& context, Prediction& prediction) const
    {
        const int count = context.count;
        for (int n = count; n < CONTEXT; ++n)
        {
            context.base[n] = 0;
            for (int d = 0; d < D; ++d)
                context.from[d][n] = context.to[d][n] = 0;
        }
        float r2[CONTEXT], near[CONTEXT], weight[CONTEXT], residual2[CONTEXT], sorted[CONTEXT];
        float scale2 = 0;
        for (int n = 0; n < CONTEXT; ++n)
        {
            r2[n] = 0;
            for (int d = 0; d < D; ++d)
                r2[n] += context.from[d][n] * context.from[d][n];
            scale2 += r2[n];
        }
        scale2 = 4 * scale2 / static_cast<float>(count);
        if (!(scale2 > 0))
            return;
        for (int n = 0; n < CONTEXT; ++n)
        {
            const float fall = 1 / (1 + r2[n] / scale2);
            weight[n] = near[n] = context.base[n] * fall * fall;
        }
        float place[D], spread2 = 0, radius2 = 0;
        for (int round = 0; round < ROBUST_ROUNDS; ++round)
        {
            float sum = 0;
            for (int n = 0; n < CONTEXT; ++n)
                sum += weight[n];
            if (!(sum > 0))
                return;
            float meanX[D], meanY[D], M[D][D], B[D][D], trace = 0;
            for (int d = 0; d < D; ++d)
            {
                float x = 0, y = 0;
                for (int n = 0; n < CONTEXT; ++n)
                {
                    x += weight[n] * context.from[d][n];
                    y += weight[n] * context.to[d][n];
                }
                meanX[d] = x / sum;
                meanY[d] = y / sum;
            }
            radius2 = 0;
            for (int r = 0; r < D; ++r)
            {
                float spreadY = 0;
                for (int n = 0; n < CONTEXT; ++n)
                    spreadY +=
                        weight[n] * (context.to[r][n] - meanY[r]) * (context.to[r][n] - meanY[r]);
                radius2 += spreadY / sum;
                for (int c = 0; c < D; ++c)
                {
                    float xx = 0, xy = 0;
                    for (int n = 0; n < CONTEXT; ++n)
                    {
                        const float x = weight[n] * (context.from[r][n] - meanX[r]);
                        xx += x * (context.from[c][n] - meanX[c]);
                        xy += x * (context.to[c][n] - meanY[c]);
                    }
                    M[r][c] = xx;
                    B[r][c] = xy;
                }
                trace += M[r][r];
            }
            for (int d = 0; d < D; ++d)
                M[d][d] += RIDGE * trace;
            if (!solveSmall<D>(M, B))
                return;
            for (int n = 0; n < CONTEXT; ++n)
                residual2[n] = 0;
            for (int c = 0; c < D; ++c)
            {
                place[c] = meanY[c];
                for (int r = 0; r < D; ++r)
                    place[c] -= meanX[r] * B[r][c];
                for (int n = 0; n < CONTEXT; ++n)
                {
                    float miss = place[c] - context.to[c][n];
                    for (int r = 0; r < D; ++r)
                        miss += context.from[r][n] * B[r][c];
                    residual2[n] += miss * miss;
                }
            }
            std::copy(residual2, residual2 + count, sorted);
            std::nth_element(sorted, sorted + count / 2, sorted + count);
            spread2 = std::max(sorted[count / 2], 1e-12f + SPREAD_FLOOR * SPREAD_FLOOR * radius2) *
                      static_cast<float>(count) / static_cast<float>(std::max(1, count - 3));
            for (int n = 0; n < CONTEXT; ++n)
            {
                const float ratio = 1 / (1 + residual2[n] / (4 * spread2));
                weight[n] = near[n] * ratio * ratio;
            }
        }
        if (!(radius2 > 0))
            return;
        const float* origin = geometry_.place(context.there[0]);
        for (int d = 0; d < D; ++d)
            prediction.place[d] = origin[d] + place[d];
        prediction.spread2 = spread2;
        prediction.peak = std::log(0.5f * WRONG_RADIUS * WRONG_RADIUS * radius2 / spread2);
        prediction.turn = prediction.stretch = 0;
        if (geometry_.hasFrames())
            predictFrame(context, weight, prediction);
    }

    void predictFrame(const Context<D>& context, const float* weight, Prediction& prediction) const
    {
        float cosine = 0, sine = 0, stretch = 0, sum = 0;
        for (int n = 0; n < context.count; ++n)
        {
            const float turn = geometry_.angle(context.there[n]) - geometry_.angle(context.here[n]);
            cosine += weight[n] * std::cos(turn);
            sine += weight[n] * std::sin(turn);
            stretch += weight[n] *
                       (geometry_.logSize(context.there[n]) - geometry_.logSize(context.here[n]));
            sum += weight[n];
        }
        prediction.turn = std::atan2(sine, cosine);
        prediction.stretch = stretch / sum;
    }

    const LocalGeometry& geometry_;
    const std::vector<int>& view_;
    const std::vector<std::vector<int>>& comparedViews_;
    const std::vector<int>& labels_;
    const std::vector<float>& belief_;
    const TrackTable& tracks_;
    std::vector<int> slot_; //!< per view its number among those compared with the present one
    std::vector<Context<D>> contexts_;
};

Predictions::Predictions(const LocalGeometry& geometry, const std::vector<int>& labels,
                         const std::vector<float>& belief,
                         const std::vector<std::vector<int>>& comparedViews,
                         const std::vector<uchar>& wanted)
    : geometry_(geometry), comparedViews_(comparedViews), firstOfView_(1, 0)
{
    const std::vector<int>& offsets = geometry.offsets();
    for (size_t v = 0; v < comparedViews.size(); ++v)
    {
        const size_t points = static_cast<size_t>(offsets[v + 1] - offsets[v]);
        view_.insert(view_.end(), points, static_cast<int>(v));
        firstOfView_.push_back(firstOfView_.back() + points * comparedViews[v].size());
    }
    const Prediction none = {{0, 0, 0}, 0, 0, 0, 0};
    predictions_.assign(firstOfView_.back(), none);
    const TrackTable tracks(labels);
    parallel_for_(Range(0, static_cast<int>(comparedViews.size())), [&](const Range& range) {
        Predictor<2> plane(*this, labels, belief, tracks);
        Predictor<3> space(*this, labels, belief, tracks);
        for (int v = range.start; v < range.end; ++v)
        {
            Prediction* to = predictions_.data() + firstOfView_[v];
            for (int p = offsets[v]; p < offsets[v + 1];
                 ++p, to += comparedViews[static_cast<size_t>(v)].size())
                if (wanted.empty() || wanted[p])
                {
                    if (geometry.dimension() == 3)
                        space.predict(v, p, to);
                    else
                        plane.predict(v, p, to);
                }
        }
    });
}

const Predictions::Prediction* Predictions::find(int p, int viewJ) const
{
    const int v = view_[static_cast<size_t>(p)];
    const std::vector<int>& views = comparedViews_[static_cast<size_t>(v)];
    const std::vector<int>::const_iterator at = std::lower_bound(views.begin(), views.end(), viewJ);
    if (at == views.end() || *at != viewJ)
        return NULL;
    const size_t row = static_cast<size_t>(p - geometry_.offsets()[v]) * views.size();
    const Prediction& found =
        predictions_[firstOfView_[v] + row + static_cast<size_t>(at - views.begin())];
    return found.spread2 > 0 ? &found : NULL;
}

bool Predictions::compare(int p, int q, Fit& fit) const
{
    const Prediction* expected = find(p, view_[static_cast<size_t>(q)]);
    if (!expected)
        return false;
    const float* y = geometry_.place(q);
    float r2 = 0;
    for (int d = 0; d < geometry_.dimension(); ++d)
        r2 += (y[d] - expected->place[d]) * (y[d] - expected->place[d]);
    const float ratio = expected->peak - TAIL * std::log1p(r2 / expected->spread2);
    fit.place = std::max(-MAX_LOG_RATIO, std::min(MAX_LOG_RATIO, ratio));
    fit.turn = fit.stretch = 0;
    if (geometry_.hasFrames())
    {
        const float turn = std::remainder(geometry_.angle(q) - geometry_.angle(p) - expected->turn,
                                          static_cast<float>(2 * CV_PI));
        const float stretch = geometry_.logSize(q) - geometry_.logSize(p) - expected->stretch;
        fit.turn = std::log1p(turn * turn / (USUAL_TURN * USUAL_TURN));
        fit.stretch = std::log1p(stretch * stretch / (USUAL_STRETCH * USUAL_STRETCH));
    }
    return true;
}

void Predictions::expected(int p, int viewJ, std::vector<KdTree::Hit>& hits,
                           std::vector<int>& points) const
{
    points.clear();
    const Prediction* found = find(p, viewJ);
    if (!found)
        return;
    geometry_.tree(viewJ).withinRadius(
        found->place, LIKELY_SPREADS * LIKELY_SPREADS * found->spread2, MAX_LIKELY, hits);
    for (size_t h = 0; h < hits.size(); ++h)
        points.push_back(geometry_.offsets()[viewJ] + hits[h].point);
}

}} // namespace cv::multimatch
