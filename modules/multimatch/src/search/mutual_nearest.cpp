// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "mutual_nearest.hpp"

#include "../input/input.hpp"

namespace cv { namespace multimatch {

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
        // Columns ascend, so the points of one view follow each other.
        for (size_t e = distances.offsets[p]; e < distances.offsets[p + 1];)
        {
            const int v = view[distances.columns[e]];
            size_t nearest = e++;
            float second = std::numeric_limits<float>::infinity();
            for (; e < distances.offsets[p + 1] && view[distances.columns[e]] == v; ++e)
            {
                if (distances.values[e] < distances.values[nearest])
                {
                    second = distances.values[nearest];
                    nearest = e;
                }
                else
                    second = std::min(second, distances.values[e]);
            }
            if (ratio >= 1 || distances.values[nearest] < ratio * second)
            {
                chosen.columns.push_back(distances.columns[nearest]);
                chosen.values.push_back(distances.values[nearest]);
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
