// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "starts.hpp"

#include "match_graph.hpp"
#include "view_exclusive_union_find.hpp"

namespace cv { namespace multimatch {

namespace {

/** Joins along the entries of at least minimum in the order of before(value, value), ties by index. Each entry is
stored twice; the one above the diagonal is taken. */
template<class Before>
std::vector<int> joinInOrder(const CsrMatrix& entries, const std::vector<int>& viewSizes,
                             const Before& before, float minimum)
{
    std::vector<size_t> edges;
    std::vector<int> rowOf(entries.nonZeros());
    for (int p = 0; p < entries.rows; ++p)
        for (size_t e = entries.offsets[p]; e < entries.offsets[p + 1]; ++e)
        {
            rowOf[e] = p;
            if (entries.columns[e] > p && entries.values[e] >= minimum)
                edges.push_back(e);
        }
    // Positions ascend by row, then by column.
    std::stable_sort(edges.begin(), edges.end(), [&](size_t a, size_t b) {
        return before(entries.values[a], entries.values[b]);
    });

    ViewExclusiveUnionFind components(viewOfPoints(viewSizes));
    for (size_t i = 0; i < edges.size(); ++i)
        components.unite(rowOf[edges[i]], entries.columns[edges[i]]);
    return components.labels();
}

} // namespace

std::vector<int> greedyLabels(const CsrMatrix& similarity, const std::vector<int>& viewSizes,
                              float minimum)
{
    return joinInOrder(positiveEntries(similarity), viewSizes, std::greater<float>(), minimum);
}

std::vector<int> nearestFirstLabels(const CsrMatrix& matches, const std::vector<int>& viewSizes)
{
    return joinInOrder(matches, viewSizes, std::less<float>(), 0.f);
}

}} // namespace cv::multimatch
