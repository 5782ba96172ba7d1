// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "edges.hpp"

#include "../../multimatch/src/base/union_find.hpp"

#include <queue>

namespace cv { namespace multimatch { namespace shapes {

namespace {

//! A face below this share of the mean area counts as one of area 0.
const double LEAST_AREA = 1e-12;

void checkIndices(const Mesh& mesh)
{
    const int n = static_cast<int>(mesh.vertices.size());
    if (mesh.faces.empty())
        CV_Error(Error::StsBadArg, "the mesh has no faces");
    for (int v = 0; v < n; ++v)
        for (int c = 0; c < 3; ++c)
            if (!std::isfinite(mesh.vertices[v][c]))
                CV_Error_(Error::StsBadArg,
                          ("coordinate %d of vertex %d is %f, expected a finite number", c, v,
                           mesh.vertices[v][c]));
    for (size_t f = 0; f < mesh.faces.size(); ++f)
    {
        const Vec3i& face = mesh.faces[f];
        for (int c = 0; c < 3; ++c)
            if (face[c] < 0 || face[c] >= n)
                CV_Error_(
                    Error::StsOutOfRange,
                    ("face %zu has the vertex %d but the mesh has %d vertices", f, face[c], n));
        if (face[0] == face[1] || face[1] == face[2] || face[2] == face[0])
            CV_Error_(Error::StsBadArg,
                      ("face %zu has a vertex twice: %d, %d, %d", f, face[0], face[1], face[2]));
    }
}

void checkAreas(const Mesh& mesh)
{
    const double area = surfaceArea(mesh);
    if (!std::isfinite(area))
        CV_Error(Error::StsBadArg,
                 "the coordinates are too large: the area is not a finite number");
    const double least = LEAST_AREA * area / static_cast<double>(mesh.faces.size());
    for (size_t f = 0; f < mesh.faces.size(); ++f)
        if (!(faceArea(mesh, mesh.faces[f]) > least))
            CV_Error_(Error::StsBadArg,
                      ("face %zu has an area of 0: its vertices %d, %d and %d are on one line", f,
                       mesh.faces[f][0], mesh.faces[f][1], mesh.faces[f][2]));
}

void checkVerticesUsed(const Mesh& mesh)
{
    std::vector<uchar> used(mesh.vertices.size(), 0);
    for (const Vec3i& face : mesh.faces)
        for (int c = 0; c < 3; ++c)
            used[face[c]] = 1;
    const size_t unused = static_cast<size_t>(std::count(used.begin(), used.end(), uchar(0)));
    if (unused > 0)
        CV_Error_(Error::StsBadArg,
                  ("vertex %d belongs to no face (%zu such vertices)",
                   static_cast<int>(std::find(used.begin(), used.end(), uchar(0)) - used.begin()),
                   unused));
}

void checkEdges(const std::vector<HalfEdge>& edges)
{
    for (size_t e = 0; e + 2 < edges.size(); ++e)
        if (edges[e].sameEdge(edges[e + 2]))
            CV_Error_(
                Error::StsBadArg,
                ("the edge of the vertices %d and %d belongs to more than two faces: %d, %d, %d",
                 edges[e].low(), edges[e].high(), edges[e].face, edges[e + 1].face,
                 edges[e + 2].face));
}

void checkComponents(const Mesh& mesh)
{
    DisjointSets sets(static_cast<int>(mesh.vertices.size()));
    for (const Vec3i& face : mesh.faces)
        sets.unite(sets.unite(face[0], face[1]), face[2]);
    const std::vector<int> labels = sets.labels();
    const int components = *std::max_element(labels.begin(), labels.end()) + 1;
    if (components > 1)
        CV_Error_(Error::StsBadArg,
                  ("the mesh has %d components that are not connected, expected one", components));
}

//! The faces around a vertex must be one fan, closed or not.
void checkFans(const Mesh& mesh, const std::vector<HalfEdge>& edges)
{
    // Corners of one vertex are joined across the edges at the vertex.
    const auto corner = [&](const HalfEdge& edge, int vertex) {
        const Vec3i& face = mesh.faces[edge.face];
        return 3 * edge.face + (face[0] == vertex ? 0 : face[1] == vertex ? 1 : 2);
    };
    DisjointSets corners(static_cast<int>(3 * mesh.faces.size()));
    forInteriorEdges(edges, [&](const HalfEdge& a, const HalfEdge& b) {
        corners.unite(corner(a, a.from), corner(b, a.from));
        corners.unite(corner(a, a.to), corner(b, a.to));
    });
    std::vector<int> fan(mesh.vertices.size(), -1);
    for (size_t f = 0; f < mesh.faces.size(); ++f)
        for (int c = 0; c < 3; ++c)
        {
            int& known = fan[mesh.faces[f][c]];
            const int root = corners.find(static_cast<int>(3 * f) + c);
            if (known >= 0 && known != root)
                CV_Error_(Error::StsBadArg,
                          ("two parts of the surface touch at vertex %d alone", mesh.faces[f][c]));
            known = root;
        }
}

} // namespace

double faceArea(const Mesh& mesh, const Vec3i& face)
{
    const Vec3d& a = mesh.vertices[face[0]];
    return norm((mesh.vertices[face[1]] - a).cross(mesh.vertices[face[2]] - a)) / 2;
}

double surfaceArea(const Mesh& mesh)
{
    double area = 0;
    for (const Vec3i& face : mesh.faces)
        area += faceArea(mesh, face);
    return area;
}

std::vector<HalfEdge> sortedHalfEdges(const Mesh& mesh)
{
    std::vector<HalfEdge> edges;
    edges.reserve(3 * mesh.faces.size());
    for (size_t f = 0; f < mesh.faces.size(); ++f)
        for (int c = 0; c < 3; ++c)
        {
            const Vec3i& face = mesh.faces[f];
            const HalfEdge edge = {face[c], face[(c + 1) % 3], face[(c + 2) % 3],
                                   static_cast<int>(f)};
            edges.push_back(edge);
        }
    std::sort(edges.begin(), edges.end(), [](const HalfEdge& a, const HalfEdge& b) {
        return a.low() != b.low()     ? a.low() < b.low()
               : a.high() != b.high() ? a.high() < b.high()
                                      : a.face < b.face;
    });
    return edges;
}

void checkMesh(const Mesh& mesh)
{
    if (mesh.vertices.size() > INT_MAX / 8 || mesh.faces.size() > INT_MAX / 8)
        CV_Error(Error::StsOutOfRange, "the mesh has too many vertices or faces");
    checkIndices(mesh);
    checkAreas(mesh);
    checkVerticesUsed(mesh);
    const std::vector<HalfEdge> edges = sortedHalfEdges(mesh);
    checkEdges(edges);
    checkComponents(mesh);
    checkFans(mesh, edges);
}

namespace {

struct NeighborFace
{
    int face;
    bool agrees; //!< both faces are oriented the same way
};
typedef std::vector<std::vector<NeighborFace>> NeighborFaces;

//! Faces with a common edge. closed: the surface has no boundary.
NeighborFaces neighborFaces(const Mesh& mesh, bool& closed)
{
    NeighborFaces around(mesh.faces.size());
    const std::vector<HalfEdge> edges = sortedHalfEdges(mesh);
    size_t interior = 0;
    forInteriorEdges(edges, [&](const HalfEdge& a, const HalfEdge& b) {
        const bool agrees = a.from != b.from;
        around[a.face].push_back(NeighborFace{b.face, agrees});
        around[b.face].push_back(NeighborFace{a.face, agrees});
        ++interior;
    });
    closed = 2 * interior == edges.size();
    return around;
}

//! 1: a face as it is, -1: turned over, so that all are oriented as the first one of their
//! component. Throws where this is impossible.
std::vector<int> alikeSides(const NeighborFaces& around)
{
    std::vector<int> side(around.size(), 0);
    for (size_t seed = 0; seed < side.size(); ++seed)
    {
        if (side[seed] != 0)
            continue;
        std::queue<int> next;
        side[seed] = 1;
        next.push(static_cast<int>(seed));
        for (; !next.empty(); next.pop())
        {
            const int f = next.front();
            for (const NeighborFace& neighbor : around[f])
            {
                int& other = side[neighbor.face];
                const int expected = neighbor.agrees ? side[f] : -side[f];
                if (other == 0)
                {
                    other = expected;
                    next.push(neighbor.face);
                }
                else if (other != expected)
                    CV_Error_(Error::StsBadArg, ("the surface has one side only: the faces %d and "
                                                 "%d cannot be oriented alike",
                                                 f, neighbor.face));
            }
        }
    }
    return side;
}

//! 6 times the volume within the oriented faces; of a surface with a boundary relative to its
//! center, as a best guess.
double signedVolume(const Mesh& mesh, const std::vector<int>& side, bool closed)
{
    Vec3d center(0, 0, 0);
    if (!closed)
    {
        for (const Vec3d& vertex : mesh.vertices)
            center += vertex;
        center *= 1. / static_cast<double>(mesh.vertices.size());
    }
    double volume = 0;
    for (size_t f = 0; f < mesh.faces.size(); ++f)
    {
        const Vec3i& face = mesh.faces[f];
        const Vec3d a = mesh.vertices[face[0]] - center;
        volume += side[f] *
                  a.dot((mesh.vertices[face[1]] - center).cross(mesh.vertices[face[2]] - center));
    }
    return volume;
}

} // namespace

int orientFaces(Mesh& mesh)
{
    bool closed = true;
    const std::vector<int> side = alikeSides(neighborFaces(mesh, closed));
    const int outward = signedVolume(mesh, side, closed) < 0 ? -1 : 1;
    int turned = 0;
    for (size_t f = 0; f < mesh.faces.size(); ++f)
        if (side[f] != outward)
        {
            std::swap(mesh.faces[f][1], mesh.faces[f][2]);
            ++turned;
        }
    return turned;
}

}}} // namespace cv::multimatch::shapes
