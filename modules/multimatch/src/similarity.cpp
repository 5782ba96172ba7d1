// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "precomp.hpp"

#include "appearance.hpp"
#include "input.hpp"

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
    if (finite.empty())
        return fallback;
    std::nth_element(finite.begin(), finite.begin() + static_cast<ptrdiff_t>(finite.size() / 2),
                     finite.end());
    return finite[finite.size() / 2] > 0 ? finite[finite.size() / 2] : fallback;
}

//! h_p = rhoDen * distance to the closest descriptor of the same view, with a floor.
std::vector<float> bandwidths(const NeighbourGraph& graph, float rhoDen)
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

//! The closest stored neighbour of p and the runner-up in the view whose points are first .. last - 1.
struct Closest
{
    int point; //!< -1: none
    float distance;
    int second; //!< -1: none
    float secondDistance;
};

//! Visits, for every point, the closest neighbours in each other view that has any.
template<typename Visit>
void visitClosest(const NeighbourGraph& graph, const std::vector<int>& view, const Visit& visit)
{
    const CsrMatrix& D = graph.distances;
    for (int p = 0; p < D.rows; ++p)
        for (size_t e = D.offsets[p]; e < D.offsets[p + 1];)
        {
            Closest closest = {-1, 0.f, -1, 0.f};
            const int v = view[D.columns[e]];
            for (; e < D.offsets[p + 1] && view[D.columns[e]] == v; ++e)
            {
                const float d = D.values[e];
                if (closest.point < 0 || d < closest.distance)
                {
                    closest.second = closest.point;
                    closest.secondDistance = closest.distance;
                    closest.point = D.columns[e];
                    closest.distance = d;
                }
                else if (closest.second < 0 || d < closest.secondDistance)
                {
                    closest.second = D.columns[e];
                    closest.secondDistance = d;
                }
            }
            visit(p, v, closest);
        }
}

const float CLEAR_RATIO = 0.8f;
const size_t MIN_CLEAR = 30;
const float DEFAULT_RHO = 0.5f;

} // namespace

float estimateRhoDen(const NeighbourGraph& graph)
{
    const std::vector<int> view = viewOfPoints(graph.viewSizes);
    const std::vector<float> own = bandwidths(graph, 1.f);
    std::vector<std::vector<std::pair<int, int>>> nearest(view.size()); // per point (view, point)
    visitClosest(graph, view, [&](int p, int v, const Closest& c) {
        nearest[static_cast<size_t>(p)].push_back(std::make_pair(v, c.point));
    });
    std::vector<float> clear;
    visitClosest(graph, view, [&](int p, int, const Closest& c) {
        const std::vector<std::pair<int, int>>& back = nearest[static_cast<size_t>(c.point)];
        const bool mutual =
            std::binary_search(back.begin(), back.end(), std::make_pair(view[p], p));
        if (mutual && c.second >= 0 && c.distance < CLEAR_RATIO * c.secondDistance)
            clear.push_back(c.distance / std::sqrt(own[p] * own[c.point]));
    });
    if (clear.size() < MIN_CLEAR)
        return DEFAULT_RHO;
    const ptrdiff_t middle = static_cast<ptrdiff_t>(clear.size() / 2);
    std::nth_element(clear.begin(), clear.begin() + middle, clear.end());
    return std::max(clear[static_cast<size_t>(middle)], 0.01f);
}

std::vector<float> kernelBandwidths(const NeighbourGraph& graph, float rhoDen)
{
    return bandwidths(graph, rhoDen > 0 ? rhoDen : estimateRhoDen(graph));
}

CsrMatrix computeSimilarity(const NeighbourGraph& graph, const SimilarityParams& params)
{
    graph.distances.validate("distances");
    const std::vector<int> offsets = viewOffsets(graph.viewSizes);
    if (graph.distances.rows != offsets.back() || graph.distances.cols != offsets.back() ||
        graph.ownDistance.size() != static_cast<size_t>(offsets.back()))
        CV_Error_(
            Error::StsUnmatchedSizes,
            ("the views have %d points but distances is %d x %d and ownDistance has %zu entries",
             offsets.back(), graph.distances.rows, graph.distances.cols, graph.ownDistance.size()));
    if (!(params.rhoDen >= 0))
        CV_Error_(Error::StsOutOfRange,
                  ("rhoDen is %f, expected 0 or more", static_cast<double>(params.rhoDen)));
    if (!(params.cutoff >= 0 && params.cutoff < 1))
        CV_Error_(Error::StsOutOfRange,
                  ("cutoff is %f, expected a value in [0, 1)", static_cast<double>(params.cutoff)));

    const std::vector<float> h = kernelBandwidths(graph, params.rhoDen);
    CsrMatrix S(offsets.back(), offsets.back());
    for (int p = 0; p < graph.distances.rows; ++p)
    {
        for (size_t e = graph.distances.offsets[p]; e < graph.distances.offsets[p + 1]; ++e)
        {
            const int q = graph.distances.columns[e];
            const float d = graph.distances.values[e];
            const float kernel = std::exp(-d * d / (2 * h[p] * h[q]));
            if (kernel <= params.cutoff)
                continue;
            const float weight =
                params.weighted ? std::sqrt(std::log1p(h[p]) * std::log1p(h[q])) : 1.f;
            S.columns.push_back(q);
            S.values.push_back(weight * kernel);
        }
        S.offsets[p + 1] = S.columns.size();
    }
    return S;
}

}} // namespace cv::multimatch
