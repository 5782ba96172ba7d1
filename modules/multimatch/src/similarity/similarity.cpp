// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "../precomp.hpp"

#include "../base/parameters.hpp"
#include "../base/statistics.hpp"
#include "../input/input.hpp"
#include "../search/mutual_nearest.hpp"
#include "similarity.hpp"

namespace cv { namespace multimatch {

SimilarityParams::SimilarityParams() : rhoDen(0.f), weighted(false), cutoff(1e-4f) {}

namespace {

//! Bandwidths are at least this share of their view's median.
const float BANDWIDTH_FLOOR = 0.1f;

//! Median of the finite values in [first, last), or fallback where there is none or it is zero.
float finiteMedian(const float* first, const float* last, float fallback)
{
    std::vector<float> finite;
    for (; first != last; ++first)
        if (std::isfinite(*first))
            finite.push_back(*first);
    const float median = finite.empty() ? 0.f : medianOf(finite);
    return median > 0 ? median : fallback;
}

//! h_p = rhoDen * distance to the closest descriptor of the same view, with a floor.
std::vector<float> bandwidths(const NeighborGraph& graph, float rhoDen)
{
    const std::vector<int> offsets = viewOffsets(graph.viewSizes);
    const float* own = graph.ownDistance.data();
    const float overall = finiteMedian(own, own + graph.ownDistance.size(), 1.f);
    std::vector<float> h(graph.ownDistance.size());
    for (size_t v = 0; v < graph.viewSizes.size(); ++v)
    {
        const float typical = finiteMedian(own + offsets[v], own + offsets[v + 1], overall);
        for (int p = offsets[v]; p < offsets[v + 1]; ++p)
            h[p] = rhoDen *
                   (std::isfinite(own[p]) ? std::max(own[p], BANDWIDTH_FLOOR * typical) : typical);
    }
    return h;
}

//! Points and neighbors that the bandwidth is estimated from, at most.
const int SAMPLE = 10000;
const size_t SAMPLE_ENTRIES = 400000;
const float CLEAR_RATIO = 0.8f;
const size_t MIN_CLEAR = 30;
const float DEFAULT_RHO = 0.5f;

} // namespace

float estimateRhoDen(const NeighborGraph& graph)
{
    const std::vector<int> view = viewOfPoints(graph.viewSizes);
    const std::vector<float> own = bandwidths(graph, 1.f);
    const std::vector<int> first = viewOffsets(graph.viewSizes);
    const CsrMatrix& D = graph.distances;
    const int step = 1 + std::max(D.rows / SAMPLE, static_cast<int>(D.nonZeros() / SAMPLE_ENTRIES));
    std::vector<float> clear;
    for (int p = 0; p < D.rows; p += step)
        for (size_t e = D.offsets[p]; e < D.offsets[p + 1];)
        {
            const Closest there = closestInView(D, view, e, D.offsets[p + 1]);
            if (!std::isfinite(there.secondDistance) ||
                !(there.distance < CLEAR_RATIO * there.secondDistance))
                continue;
            const int q = there.point;
            const std::vector<int>::const_iterator row = D.columns.begin();
            size_t back = static_cast<size_t>(
                std::lower_bound(row + D.offsets[q], row + D.offsets[q + 1], first[view[p]]) - row);
            if (closestInView(D, view, back, D.offsets[q + 1]).point == p)
                clear.push_back(there.distance / std::sqrt(own[p] * own[q]));
        }
    if (clear.size() < MIN_CLEAR)
        return DEFAULT_RHO;
    return std::max(medianOf(clear), 0.01f);
}

std::vector<float> kernelBandwidths(const NeighborGraph& graph, float rhoDen)
{
    return bandwidths(graph, rhoDen > 0 ? rhoDen : estimateRhoDen(graph));
}

namespace {

void checkSimilarity(const NeighborGraph& graph, const SimilarityParams& params)
{
    graph.distances.validate("distances");
    const std::vector<int> offsets = viewOffsets(graph.viewSizes);
    if (graph.distances.rows != offsets.back() || graph.distances.cols != offsets.back() ||
        graph.ownDistance.size() != static_cast<size_t>(offsets.back()))
        CV_Error_(
            Error::StsUnmatchedSizes,
            ("the views have %d points but distances is %d x %d and ownDistance has %zu entries",
             offsets.back(), graph.distances.rows, graph.distances.cols, graph.ownDistance.size()));
    checkRange("rhoDen", params.rhoDen, 0, false, FLT_MAX, "0 or more");
    checkRange("cutoff", params.cutoff, 0, false, 1 - FLT_EPSILON, "a value in [0, 1)");
}

} // namespace

CsrMatrix computeSimilarity(const NeighborGraph& graph, const SimilarityParams& params)
{
    checkSimilarity(graph, params);
    RunControl control((ProgressCallback()));
    return kernelSimilarity(graph.distances, kernelBandwidths(graph, params.rhoDen), params,
                            control);
}

CsrMatrix kernelSimilarity(CsrMatrix S, const std::vector<float>& h, const SimilarityParams& params,
                           RunControl& control)
{
    // In place: at a million points fresh memory costs more time than the exponentials.
    const float dropped = -1.f;
    control.part(0, 0.8);
    const auto weigh = [&](const Range& range) {
        for (int p = range.start; p < range.end; ++p)
            for (size_t e = S.offsets[p]; e < S.offsets[p + 1]; ++e)
            {
                const int q = S.columns[e];
                const float d = S.values[e], kernel = std::exp(-d * d / (2 * h[p] * h[q]));
                const float weight =
                    params.weighted ? std::sqrt(std::log1p(h[p]) * std::log1p(h[q])) : 1.f;
                S.values[e] = kernel > params.cutoff ? weight * kernel : dropped;
            }
    };
    if (!control.forSlices(S.rows, SLICE_POINTS, weigh))
        return CsrMatrix(S.rows, S.cols);
    control.part(0.8, 1);
    size_t from = 0, to = 0;
    for (int p = 0; p < S.rows; ++p)
    {
        for (const size_t end = S.offsets[p + 1]; from < end; ++from)
            if (S.values[from] != dropped)
            {
                S.columns[to] = S.columns[from];
                S.values[to++] = S.values[from];
            }
        S.offsets[p + 1] = to;
        if (p % SLICE_POINTS == 0 && !control.proceed(static_cast<double>(p) / S.rows))
            return CsrMatrix(S.rows, S.cols);
    }
    S.columns.resize(to);
    S.values.resize(to);
    return S;
}

}} // namespace cv::multimatch
