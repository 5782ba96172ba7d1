// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "opencv2/multimatch_shapes/geodesics.hpp"

#include "edges.hpp"

#include "opencv2/multimatch/detail/offsets.hpp"

#include <queue>

namespace cv { namespace multimatch { namespace shapes {

namespace {

struct Link
{
    int a, b;
    float length;

    bool operator<(const Link& other) const
    {
        return a != other.a ? a < other.a : b != other.b ? b < other.b : length < other.length;
    }
    bool samePlaces(const Link& other) const { return a == other.a && b == other.b; }
};

/** The line between the vertices opposite to an edge when both triangles are unfolded into a plane.
False where it leaves the two triangles. */
bool unfoldedDiagonal(const Mesh& mesh, const HalfEdge& one, const HalfEdge& other, float& length)
{
    const Vec3d& p = mesh.vertices[one.from];
    const Vec3d along = mesh.vertices[one.to] - p;
    const Vec3d c = mesh.vertices[one.opposite] - p;
    const Vec3d d = mesh.vertices[other.opposite] - p;
    const double base = norm(along);
    if (!(base > 0))
        return false;
    const Vec3d u = along * (1 / base);
    const double cx = c.dot(u), dx = d.dot(u);
    const double cy = norm(c - u * cx), dy = norm(d - u * dx);
    if (!(cy + dy > 0))
        return false;
    const double crossing = cx + (dx - cx) * cy / (cy + dy);
    length = static_cast<float>(std::hypot(cx - dx, cy + dy));
    return crossing > 0 && crossing < base;
}

} // namespace

Geodesics::Geodesics(const Mesh& mesh)
{
    const std::vector<HalfEdge> edges = sortedHalfEdges(mesh);
    std::vector<Link> links;
    for (const HalfEdge& edge : edges)
    {
        const Link link = {
            edge.low(), edge.high(),
            static_cast<float>(norm(mesh.vertices[edge.from] - mesh.vertices[edge.to]))};
        links.push_back(link);
    }
    forInteriorEdges(edges, [&](const HalfEdge& one, const HalfEdge& other) {
        float length = 0;
        if (one.opposite == other.opposite || !unfoldedDiagonal(mesh, one, other, length))
            return;
        const Link link = {std::min(one.opposite, other.opposite),
                           std::max(one.opposite, other.opposite), length};
        links.push_back(link);
    });
    // Of several links between two vertices the shortest one.
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end(),
                            [](const Link& a, const Link& b) { return a.samePlaces(b); }),
                links.end());
    offsets_.assign(mesh.vertices.size() + 1, 0);
    for (const Link& link : links)
    {
        ++offsets_[link.a + 1];
        ++offsets_[link.b + 1];
    }
    detail::countsToOffsets(offsets_);
    neighbors_.resize(offsets_.back());
    lengths_.resize(offsets_.back());
    std::vector<size_t> next(offsets_.begin(), offsets_.end() - 1);
    for (const Link& link : links)
        for (int side = 0; side < 2; ++side)
        {
            const size_t entry = next[side ? link.b : link.a]++;
            neighbors_[entry] = side ? link.a : link.b;
            lengths_[entry] = link.length;
        }
}

void Geodesics::checkVertex(int vertex) const
{
    if (vertex < 0 || vertex >= vertexCount())
        CV_Error_(Error::StsOutOfRange,
                  ("found the vertex %d but the mesh has %d vertices", vertex, vertexCount()));
}

//! Dijkstra's algorithm.
void Geodesics::distancesFrom(int source, float* distances) const
{
    typedef std::pair<float, int> Entry;
    std::fill(distances, distances + vertexCount(), std::numeric_limits<float>::infinity());
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
    distances[source] = 0;
    queue.push(Entry(0.f, source));
    while (!queue.empty())
    {
        const Entry nearest = queue.top();
        queue.pop();
        if (nearest.first > distances[nearest.second])
            continue;
        const size_t vertex = static_cast<size_t>(nearest.second);
        for (size_t e = offsets_[vertex]; e < offsets_[vertex + 1]; ++e)
        {
            const float distance = nearest.first + lengths_[e];
            if (distance < distances[neighbors_[e]])
            {
                distances[neighbors_[e]] = distance;
                queue.push(Entry(distance, neighbors_[e]));
            }
        }
    }
}

Mat Geodesics::distancesFrom(const std::vector<int>& sources) const
{
    for (int source : sources)
        checkVertex(source);
    Mat distances(static_cast<int>(sources.size()), vertexCount(), CV_32F);
    parallel_for_(Range(0, distances.rows), [&](const Range& range) {
        for (int s = range.start; s < range.end; ++s)
            distancesFrom(sources[s], distances.ptr<float>(s));
    });
    return distances;
}

std::vector<int> Geodesics::farthestPoints(int count, int first, Mat* distances) const
{
    checkVertex(first);
    const int n = vertexCount();
    if (count < 1 || count > n)
        CV_Error_(Error::StsOutOfRange, ("count is %d, expected 1 to %d", count, n));
    std::vector<float> row(static_cast<size_t>(n)), nearest(row.size());
    if (distances)
        distances->create(count, n, CV_32F);
    distancesFrom(first, nearest.data());
    std::vector<int> points;
    for (int p = 0; p < count; ++p)
    {
        points.push_back(
            static_cast<int>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin()));
        float* const found = distances ? distances->ptr<float>(p) : row.data();
        distancesFrom(points.back(), found);
        for (int v = 0; v < n; ++v)
            nearest[v] = p == 0 ? found[v] : std::min(nearest[v], found[v]);
    }
    return points;
}

}}} // namespace cv::multimatch::shapes
