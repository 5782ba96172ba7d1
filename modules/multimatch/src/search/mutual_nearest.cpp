// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "mutual_nearest.hpp"

#include "../input/input.hpp"

namespace cv { namespace multimatch {

Closest closestInView(const CsrMatrix& D, const std::vector<int>& view, size_t& e, size_t end)
{
    const float none = std::numeric_limits<float>::infinity();
    Closest closest = {-1, none, none};
    for (const int v = view[D.columns[e]]; e < end && view[D.columns[e]] == v; ++e)
    {
        const float d = D.values[e];
        if (closest.point < 0 || d < closest.distance)
        {
            closest.secondDistance = closest.distance;
            closest.point = D.columns[e];
            closest.distance = d;
        }
        else
            closest.secondDistance = std::min(closest.secondDistance, d);
    }
    return closest;
}

namespace {

//! Per point and other view the nearest point, where that is closer than ratio times the second
//! nearest.
CsrMatrix distinctNearest(const NeighborGraph& graph, float ratio)
{
    const CsrMatrix& distances = graph.distances;
    const std::vector<int> view = viewOfPoints(graph.viewSizes);
    CsrMatrix chosen(distances.rows, distances.cols);
    for (int p = 0; p < distances.rows; ++p)
    {
        for (size_t e = distances.offsets[p]; e < distances.offsets[p + 1];)
        {
            const Closest there = closestInView(distances, view, e, distances.offsets[p + 1]);
            if (ratio >= 1 || there.distance < ratio * there.secondDistance)
            {
                chosen.columns.push_back(there.point);
                chosen.values.push_back(there.distance);
            }
        }
        chosen.offsets[p + 1] = chosen.columns.size();
    }
    return chosen;
}

bool hasEntry(const CsrMatrix& matrix, int row, int col)
{
    return std::binary_search(matrix.columns.begin() + matrix.offsets[row],
                              matrix.columns.begin() + matrix.offsets[row + 1], col);
}

} // namespace

CsrMatrix mutualNearest(const NeighborGraph& graph, float ratio)
{
    const CsrMatrix chosen = distinctNearest(graph, ratio);
    CsrMatrix mutual(chosen.rows, chosen.cols);
    for (int p = 0; p < chosen.rows; ++p)
    {
        for (size_t e = chosen.offsets[p]; e < chosen.offsets[p + 1]; ++e)
            if (hasEntry(chosen, chosen.columns[e], p))
            {
                mutual.columns.push_back(chosen.columns[e]);
                mutual.values.push_back(chosen.values[e]);
            }
        mutual.offsets[p + 1] = mutual.columns.size();
    }
    return mutual;
}

}} // namespace cv::multimatch
