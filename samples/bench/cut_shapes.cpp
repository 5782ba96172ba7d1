// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "cut_shapes.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace bench {

using namespace cv;
using namespace cv::multimatch::shapes;

namespace {

const int TRIES = 50; // vertices to cut around: some cuts leave parts that touch in one vertex

//! Per vertex the smallest vertex of its part.
std::vector<int> partsOf(const std::vector<Vec3i>& faces, size_t vertices)
{
    std::vector<int> part(vertices);
    std::iota(part.begin(), part.end(), 0);
    for (bool changed = true; changed;)
    {
        changed = false;
        for (const Vec3i& face : faces)
        {
            const int least = std::min(part[size_t(face[0])],
                                       std::min(part[size_t(face[1])], part[size_t(face[2])]));
            for (int c = 0; c < 3; ++c)
                if (part[size_t(face[c])] != least)
                {
                    part[size_t(face[c])] = least;
                    changed = true;
                }
        }
    }
    return part;
}

std::vector<Vec3i> largestPart(const std::vector<Vec3i>& faces, size_t vertices)
{
    const std::vector<int> part = partsOf(faces, vertices);
    std::map<int, int> sizes;
    for (const Vec3i& face : faces)
        ++sizes[part[size_t(face[0])]];
    int largest = -1, most = 0;
    for (const auto& size : sizes)
        if (size.second > most)
        {
            largest = size.first;
            most = size.second;
        }
    std::vector<Vec3i> kept;
    for (const Vec3i& face : faces)
        if (part[size_t(face[0])] == largest)
            kept.push_back(face);
    return kept;
}

//! The mesh of these faces, without the vertices that none of them has.
CutMesh meshOf(const Mesh& whole, const std::vector<Vec3i>& faces)
{
    CutMesh cut;
    std::vector<int> place(whole.vertices.size(), -1);
    for (Vec3i face : faces)
    {
        for (int c = 0; c < 3; ++c)
        {
            int& index = place[size_t(face[c])];
            if (index < 0)
            {
                index = int(cut.mesh.vertices.size());
                cut.mesh.vertices.push_back(whole.vertices[size_t(face[c])]);
                cut.originalVertex.push_back(face[c]);
            }
            face[c] = index;
        }
        cut.mesh.faces.push_back(face);
    }
    return cut;
}

} // namespace

CutMesh cutMesh(const Mesh& whole, double share, RNG& rng)
{
    const size_t removed = size_t(share * double(whole.faces.size()));
    const Geodesics geodesics(whole);
    for (int tried = 1;; ++tried)
    {
        const std::vector<int> center(1, rng.uniform(0, int(whole.vertices.size())));
        const Mat distances = geodesics.distancesFrom(center);
        std::vector<std::pair<float, int>> order; // the farthest corner of each face
        for (size_t f = 0; f < whole.faces.size(); ++f)
        {
            const Vec3i& face = whole.faces[f];
            order.push_back({std::max(distances.at<float>(0, face[0]),
                                      std::max(distances.at<float>(0, face[1]),
                                               distances.at<float>(0, face[2]))),
                             int(f)});
        }
        std::sort(order.begin(), order.end());
        std::vector<Vec3i> faces;
        for (size_t n = removed; n < order.size(); ++n)
            faces.push_back(whole.faces[size_t(order[n].second)]);
        CutMesh cut = meshOf(whole, largestPart(faces, whole.vertices.size()));
        try
        {
            checkMesh(cut.mesh);
            return cut;
        }
        catch (const cv::Exception&)
        {
            if (tried == TRIES)
                throw;
        }
    }
}

} // namespace bench
