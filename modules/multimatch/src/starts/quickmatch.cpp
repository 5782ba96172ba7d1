// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "starts.hpp"

#include "../base/statistics.hpp"
#include "../base/union_find.hpp"
#include "../input/input.hpp"

namespace cv { namespace multimatch {

namespace {

//! A point and the point that it may be joined to.
struct Edge
{
    float distance;
    int child;
    int parent;

    Edge(float distance_, int child_, int parent_)
        : distance(distance_), child(child_), parent(parent_)
    {
    }
    bool operator<(const Edge& other) const
    {
        return distance < other.distance || (distance == other.distance && child < other.child);
    }
};

/* The distance d_p that sets the bandwidth of a point. A point alone in its view has no other
descriptor there: it gets the median of all other points. */
std::vector<double> bandwidthDistances(const std::vector<float>& ownDistance)
{
    std::vector<float> known;
    for (size_t p = 0; p < ownDistance.size(); ++p)
        if (std::isfinite(ownDistance[p]))
            known.push_back(ownDistance[p]);
    const double median = known.empty() ? 1. : medianOf(known);
    std::vector<double> distances(ownDistance.begin(), ownDistance.end());
    for (size_t p = 0; p < distances.size(); ++p)
        if (!std::isfinite(ownDistance[p]))
            distances[p] = median;
    return distances;
}

/* density(x) = sum over p of a_p exp(-|x - x_p|^2 / (2 h_p^2)): bandwidth and weight belong to the
contributor p. */
std::vector<double> densities(const NeighborGraph& graph, float rhoDen, bool weighted)
{
    const std::vector<double> own = bandwidthDistances(graph.ownDistance);
    std::vector<double> scale(own.size()), weight(own.size(), 1.);
    for (size_t p = 0; p < own.size(); ++p)
    {
        const double h = rhoDen * own[p];
        scale[p] = h > 0 ? 1 / (2 * h * h) : std::numeric_limits<double>::infinity();
        if (weighted)
            weight[p] = std::log(1 + h);
    }
    const CsrMatrix& distances = graph.distances;
    std::vector<double> density(own.size());
    parallel_for_(Range(0, distances.rows), [&](const Range& range) {
        for (int x = range.start; x < range.end; ++x)
        {
            double sum = weight[x];
            for (size_t e = distances.offsets[x]; e < distances.offsets[x + 1]; ++e)
            {
                const int p = distances.columns[e];
                const double d = distances.values[e];
                sum += d > 0 ? weight[p] * std::exp(-d * d * scale[p]) : weight[p];
            }
            density[x] = sum;
        }
    });
    return density;
}

//! From every point to its nearest neighbor of higher density; equal densities count by index.
std::vector<Edge> parentEdges(const CsrMatrix& distances, const std::vector<double>& density)
{
    std::vector<Edge> edges;
    for (int p = 0; p < distances.rows; ++p)
    {
        int parent = -1;
        float nearest = std::numeric_limits<float>::infinity();
        for (size_t e = distances.offsets[p]; e < distances.offsets[p + 1]; ++e)
        {
            const int q = distances.columns[e];
            const bool higher = density[q] > density[p] || (density[q] == density[p] && q < p);
            if (higher && distances.values[e] < nearest)
            {
                nearest = distances.values[e];
                parent = q;
            }
        }
        if (parent >= 0)
            edges.push_back(Edge(nearest, p, parent));
    }
    std::sort(edges.begin(), edges.end());
    return edges;
}

} // namespace

std::vector<int> quickMatchLabels(const NeighborGraph& graph, float rhoDen, float rhoEdge,
                                  bool weighted)
{
    const std::vector<Edge> edges =
        parentEdges(graph.distances, densities(graph, rhoDen, weighted));

    ViewExclusiveUnionFind components(viewOfPoints(graph.viewSizes));
    // Per component the smallest distance between two descriptors of one view, over its points.
    std::vector<float> separation(graph.ownDistance);
    for (size_t e = 0; e < edges.size(); ++e)
    {
        const int child = components.find(edges[e].child);
        const int parent = components.find(edges[e].parent);
        const float smallest = std::min(separation[child], separation[parent]);
        if (!(edges[e].distance < rhoEdge * smallest))
            continue;
        const int joined = components.unite(child, parent);
        if (joined >= 0)
            separation[joined] = smallest;
    }
    return components.labels();
}

}} // namespace cv::multimatch
