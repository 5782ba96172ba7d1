// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "starts.hpp"

#include "../base/union_find.hpp"
#include "../input/input.hpp"

#include <cstring>

namespace cv { namespace multimatch {

namespace {

//! An entry above the diagonal.
struct Edge
{
    float order; //!< smaller ones come first
    int p, q;
};

//! The bits of a float as an unsigned number that is ordered like the float.
unsigned ascendingBits(float number)
{
    unsigned bits;
    std::memcpy(&bits, &number, sizeof(bits));
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

//! Stable radix sort by ascending order, with digits of eleven bits.
void sortByOrder(std::vector<Edge>& edges)
{
    const int DIGITS = 3, BITS = 11, VALUES = 1 << BITS;
    std::vector<Edge> sorted(edges.size());
    for (int digit = 0; digit < DIGITS; ++digit)
    {
        const auto valueOf = [&](const Edge& edge) {
            return (ascendingBits(edge.order) >> (digit * BITS)) & (VALUES - 1);
        };
        std::vector<size_t> next(VALUES + 1, 0);
        for (size_t e = 0; e < edges.size(); ++e)
            ++next[valueOf(edges[e]) + 1];
        std::partial_sum(next.begin(), next.end(), next.begin());
        for (size_t e = 0; e < edges.size(); ++e)
            sorted[next[valueOf(edges[e])]++] = edges[e];
        edges.swap(sorted);
    }
}

/** Joins along the entries of at least minimum in the order of sign times their value, ties by
index. Each entry is stored twice; the one above the diagonal is taken. */
std::vector<int> joinInOrder(const CsrMatrix& entries, const std::vector<int>& viewSizes,
                             float sign, float minimum)
{
    std::vector<Edge> edges;
    for (int p = 0; p < entries.rows; ++p)
        for (size_t e = entries.offsets[p]; e < entries.offsets[p + 1]; ++e)
            if (entries.columns[e] > p && entries.values[e] >= minimum)
            {
                const Edge edge = {sign * entries.values[e], p, entries.columns[e]};
                edges.push_back(edge);
            }
    sortByOrder(edges); // ties stay by row, then column
    ViewExclusiveUnionFind components(viewOfPoints(viewSizes));
    for (size_t i = 0; i < edges.size(); ++i)
        components.unite(edges[i].p, edges[i].q);
    return components.labels();
}

} // namespace

std::vector<int> greedyLabels(const CsrMatrix& similarity, const std::vector<int>& viewSizes,
                              float minimum)
{
    return joinInOrder(similarity, viewSizes, -1.f,
                       std::max(minimum, std::numeric_limits<float>::min()));
}

std::vector<int> nearestFirstLabels(const CsrMatrix& matches, const std::vector<int>& viewSizes)
{
    return joinInOrder(matches, viewSizes, 1.f, 0.f);
}

}} // namespace cv::multimatch
