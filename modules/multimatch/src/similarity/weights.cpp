// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "weights.hpp"

#include "../input/input.hpp"

#include "opencv2/multimatch/detail/assignment.hpp"
#include "opencv2/multimatch/detail/offsets.hpp"

namespace cv { namespace multimatch {

CsrMatrix withSelfWeight(const CsrMatrix& S, int normalization, float beta)
{
    std::vector<float> scale(static_cast<size_t>(S.rows), 1.f);
    if (normalization == NORMALIZE_SYMMETRIC)
        for (int p = 0; p < S.rows; ++p)
        {
            double sum = 0;
            for (size_t e = S.offsets[p]; e < S.offsets[p + 1]; ++e)
                sum += S.values[e];
            scale[p] = sum > 0 ? static_cast<float>(std::sqrt(beta / sum)) : 0.f;
        }
    CsrMatrix W(S.rows, S.cols);
    W.columns.resize(S.nonZeros() + static_cast<size_t>(S.rows));
    W.values.resize(W.columns.size());
    for (int p = 0; p < S.rows; ++p)
        W.offsets[p + 1] = S.offsets[p + 1] + static_cast<size_t>(p) + 1;
    parallel_for_(Range(0, S.rows), [&](const Range& range) {
        for (int p = range.start; p < range.end; ++p)
        {
            size_t to = W.offsets[p], e = S.offsets[p];
            const auto copyEntry = [&]() {
                W.columns[to] = S.columns[e];
                W.values[to++] = S.values[e] * scale[p] * scale[S.columns[e]];
            };
            for (; e < S.offsets[p + 1] && S.columns[e] < p; ++e)
                copyEntry();
            W.columns[to] = p;
            W.values[to++] = 1.f;
            for (; e < S.offsets[p + 1]; ++e)
                copyEntry();
        }
    });
    return W;
}

CsrMatrix strongestEntries(const CsrMatrix& S, int limit, RunControl& control)
{
    // Per row the smallest value that is kept. An entry stays if either of its rows keeps it.
    std::vector<float> least(static_cast<size_t>(S.rows), 0.f);
    control.forSlices(
        S.rows, SLICE_POINTS,
        [&](const Range& range) {
            std::vector<float> values;
            for (int p = range.start; p < range.end; ++p)
            {
                values.assign(S.values.begin() + S.offsets[p], S.values.begin() + S.offsets[p + 1]);
                if (values.size() <= static_cast<size_t>(limit))
                    continue;
                std::nth_element(values.begin(), values.begin() + (limit - 1), values.end(),
                                 std::greater<float>());
                least[p] = values[limit - 1];
            }
        },
        false);
    const auto stays = [&](int p, size_t e) {
        return S.values[e] >= std::min(least[p], least[S.columns[e]]);
    };
    CsrMatrix kept(S.rows, S.cols);
    control.forSlices(
        S.rows, SLICE_POINTS,
        [&](const Range& range) {
            for (int p = range.start; p < range.end; ++p)
                for (size_t e = S.offsets[p]; e < S.offsets[p + 1]; ++e)
                    kept.offsets[p + 1] += stays(p, e);
        },
        false);
    detail::countsToOffsets(kept.offsets);
    kept.columns.resize(kept.offsets.back());
    kept.values.resize(kept.offsets.back());
    control.forSlices(
        S.rows, SLICE_POINTS,
        [&](const Range& range) {
            for (int p = range.start; p < range.end; ++p)
            {
                size_t to = kept.offsets[p];
                for (size_t e = S.offsets[p]; e < S.offsets[p + 1]; ++e)
                    if (stays(p, e))
                    {
                        kept.columns[to] = S.columns[e];
                        kept.values[to++] = S.values[e];
                    }
            }
        },
        false);
    return kept;
}

CsrMatrix identityMatrix(int rows)
{
    CsrMatrix I(rows, rows);
    I.columns.resize(rows);
    std::iota(I.columns.begin(), I.columns.end(), 0);
    I.values.assign(rows, 1.f);
    std::iota(I.offsets.begin(), I.offsets.end(), size_t(0));
    return I;
}

CsrMatrix confirmedSimilarity(const CsrMatrix& S)
{
    CsrMatrix result = S;
    parallel_for_(Range(0, S.rows), [&](const Range& range) {
        for (int p = range.start; p < range.end; ++p)
            for (size_t e = S.offsets[p]; e < S.offsets[p + 1]; ++e)
            {
                const int q = S.columns[e];
                float common = S.values[e];
                size_t a = S.offsets[p], b = S.offsets[q];
                while (a < S.offsets[p + 1] && b < S.offsets[q + 1])
                {
                    if (S.columns[a] == S.columns[b])
                        common += S.values[a] * S.values[b];
                    const bool first = S.columns[a] <= S.columns[b],
                               second = S.columns[b] <= S.columns[a];
                    a += first;
                    b += second;
                }
                result.values[e] = S.values[e] * common;
            }
    });
    return result;
}

std::vector<float> similarityShares(const CsrMatrix& S, const std::vector<int>& labels)
{
    std::vector<float> shares(labels.size(), 0.f);
    parallel_for_(Range(0, S.rows), [&](const Range& range) {
        std::vector<std::pair<int, float>> row; // labels and similarities
        for (int p = range.start; p < range.end; ++p)
        {
            row.clear();
            for (size_t e = S.offsets[p]; e < S.offsets[p + 1]; ++e)
                row.push_back(std::make_pair(labels[S.columns[e]], S.values[e]));
            std::sort(row.begin(), row.end());
            float own = 0, other = 0;
            for (size_t first = 0, last = 0; first < row.size(); first = last)
            {
                float sum = 0;
                for (; last < row.size() && row[last].first == row[first].first; ++last)
                    sum += row[last].second;
                if (row[first].first == labels[p])
                    own = sum;
                else
                    other = std::max(other, sum);
            }
            shares[p] = own > 0 ? own / (own + other) : 0.f;
        }
    });
    return shares;
}

Mat matchedPairs(const CsrMatrix& S, const std::vector<int>& viewSizes)
{
    const std::vector<int> view = viewOfPoints(viewSizes);
    std::vector<std::pair<int, int>> pairs;
    for (int p = 0; p < S.rows; ++p)
        for (size_t e = S.offsets[p]; e < S.offsets[p + 1]; ++e)
        {
            const std::pair<int, int> pair(view[p], view[S.columns[e]]);
            if (pair.first < pair.second && (pairs.empty() || pairs.back() != pair))
                pairs.push_back(pair);
        }
    return pairMatrix(pairs);
}

CsrMatrix pairwiseAssignments(const NeighborGraph& graph, const Mat& pairs)
{
    const std::vector<int> offsets = viewOffsets(graph.viewSizes);
    std::vector<int> rows, columns;
    for (int r = 0; r < pairs.rows; ++r)
    {
        const int i = pairs.at<int>(r, 0), j = pairs.at<int>(r, 1);
        Mat_<double> negative(graph.viewSizes[i], graph.viewSizes[j], 0.0);
        const CsrMatrix& D = graph.distances;
        for (int p = offsets[i]; p < offsets[i + 1]; ++p)
        {
            const std::vector<int>::const_iterator end = D.columns.begin() + D.offsets[p + 1];
            std::vector<int>::const_iterator at =
                std::lower_bound(D.columns.begin() + D.offsets[p], end, offsets[j]);
            for (; at != end && *at < offsets[j + 1]; ++at)
            {
                const double distance = D.values[at - D.columns.begin()];
                negative(p - offsets[i], *at - offsets[j]) = -distance * distance;
            }
        }
        const std::vector<int> assigned = detail::assignDense(negative, false);
        for (size_t p = 0; p < assigned.size(); ++p)
        {
            const int first = offsets[i] + static_cast<int>(p), second = offsets[j] + assigned[p];
            rows.insert(rows.end(), {first, second});
            columns.insert(columns.end(), {second, first});
        }
    }
    return CsrMatrix::fromTriplets(offsets.back(), offsets.back(), rows, columns,
                                   std::vector<float>(rows.size(), 1.f));
}

}} // namespace cv::multimatch
