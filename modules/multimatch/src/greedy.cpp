// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "starts.hpp"

#include "input.hpp"
#include "view_exclusive_union_find.hpp"

namespace cv { namespace multimatch {

std::vector<int> greedyLabels(const CsrMatrix& similarity, const std::vector<int>& viewSizes)
{
    // Positions of the entries above the diagonal: the other half says the same.
    std::vector<size_t> edges;
    std::vector<int> rowOf(similarity.nonZeros());
    for (int p = 0; p < similarity.rows; ++p)
        for (size_t e = similarity.offsets[p]; e < similarity.offsets[p + 1]; ++e)
        {
            rowOf[e] = p;
            if (similarity.columns[e] > p && similarity.values[e] > 0)
                edges.push_back(e);
        }
    // Positions ascend by row, then by column: a stable sort breaks ties by index.
    std::stable_sort(edges.begin(), edges.end(), [&](size_t a, size_t b) {
        return similarity.values[a] > similarity.values[b];
    });

    ViewExclusiveUnionFind components(viewOfPoints(viewSizes));
    for (size_t i = 0; i < edges.size(); ++i)
        components.unite(rowOf[edges[i]], similarity.columns[edges[i]]);
    return components.labels();
}

}} // namespace cv::multimatch
