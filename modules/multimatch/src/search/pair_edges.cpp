// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "pair_edges.hpp"

#include "../base/transposed_union.hpp"
#include "../input/input.hpp"

#include "opencv2/multimatch/detail/offsets.hpp"

namespace cv { namespace multimatch {

namespace {

//! The k nearest neighbors of each point of one view in another.
CsrMatrix nearestOf(int own, int other, const NearestLists& lists, const DescriptorScores& scores,
                    int otherPoints, int k)
{
    CsrMatrix found(lists.size(), otherPoints);
    AutoBuffer<Neighbor> nearest(static_cast<size_t>(std::max(1, lists.capacity())));
    const size_t most =
        static_cast<size_t>(lists.size()) * static_cast<size_t>(std::min(k, lists.capacity()));
    found.columns.reserve(most);
    found.values.reserve(most);
    for (int p = 0; p < lists.size(); ++p)
    {
        const int count =
            scores.nearest(own, p, other, lists.begin(p), lists.count(p), k, nearest.data());
        for (int n = 0; n < count; ++n)
        {
            found.columns.push_back(nearest[n].index);
            found.values.push_back(nearest[n].distance);
        }
        found.offsets[p + 1] = found.columns.size();
    }
    return found;
}

} // namespace

CsrMatrix edgesOf(const ViewComparison& comparison, const DescriptorScores& scores, int k)
{
    const NearestLists &own = comparison.ofOwn, &other = comparison.ofOther;
    return uniteWithTransposed(
        nearestOf(comparison.own, comparison.other, own, scores, other.size(), k),
        nearestOf(comparison.other, comparison.own, other, scores, own.size(), k));
}

namespace {

const int VIEWS_AT_A_TIME = 16;

class SymmetricBuilder
{
public:
    SymmetricBuilder(const std::vector<int>& viewSizes, const Mat& pairs,
                     std::vector<CsrMatrix>& edges)
        : offsets_(viewOffsets(viewSizes)), pairs_(pairs), edges_(edges), ofView_(viewSizes.size())
    {
        // Pairs ascend, so a view's partners do too.
        for (int r = 0; r < pairs.rows; ++r)
        {
            if (edges[r].rows == 0)
                continue;
            ofView_[pairs.at<int>(r, 0)].push_back(r);
            ofView_[pairs.at<int>(r, 1)].push_back(r);
        }
    }

    //! Rows that were not computed when the callback returned false are empty.
    CsrMatrix build(RunControl& control)
    {
        CsrMatrix matrix(offsets_.back(), offsets_.back());
        size_t entries = 0;
        for (size_t r = 0; r < edges_.size(); ++r)
            entries += 2 * edges_[r].nonZeros();
        matrix.columns.reserve(entries);
        matrix.values.reserve(entries);
        const int views = static_cast<int>(ofView_.size());
        int v = 0;
        for (; v < views && control.wanted(); v += VIEWS_AT_A_TIME)
        {
            const Range group(v, std::min(views, v + VIEWS_AT_A_TIME));
            parallel_for_(group, [&](const Range& range) {
                for (int w = range.start; w < range.end; ++w)
                    countRows(w, matrix);
            });
            detail::countsToOffsets(matrix.offsets, static_cast<size_t>(offsets_[group.start]),
                                    static_cast<size_t>(offsets_[group.end]));
            // Within the reserve this touches the new rows only.
            matrix.columns.resize(matrix.offsets[offsets_[group.end]]);
            matrix.values.resize(matrix.columns.size());
            parallel_for_(group, [&](const Range& range) {
                for (int w = range.start; w < range.end; ++w)
                    fillRows(w, matrix);
            });
            for (int w = group.start; w < group.end; ++w)
                release(w);
        }
        std::fill(matrix.offsets.begin() + offsets_[std::min(v, views)], matrix.offsets.end(),
                  matrix.columns.size());
        return matrix;
    }

private:
    //! Visits (own point, other point in the whole numbering, distance) of a view, others ascending
    //! for each own.
    template<typename Visit>
    void visit(int view, const Visit& entry) const
    {
        const std::vector<int>& pairs = ofView_[view];
        for (size_t n = 0; n < pairs.size(); ++n)
        {
            const CsrMatrix& edges = edges_[pairs[n]];
            const int i = pairs_.at<int>(pairs[n], 0), j = pairs_.at<int>(pairs[n], 1);
            for (int p = 0; p < edges.rows; ++p)
                for (size_t e = edges.offsets[p]; e < edges.offsets[p + 1]; ++e)
                {
                    const int q = edges.columns[e];
                    const float distance = edges.values[e];
                    if (view == i)
                        entry(p, offsets_[j] + q, distance);
                    else
                        entry(q, offsets_[i] + p, distance);
                }
        }
    }

    void countRows(int view, CsrMatrix& matrix) const
    {
        size_t* counts = &matrix.offsets[offsets_[view] + 1];
        visit(view, [&](int own, int, float) { ++counts[own]; });
    }

    void fillRows(int view, CsrMatrix& matrix) const
    {
        std::vector<size_t> next(matrix.offsets.begin() + offsets_[view],
                                 matrix.offsets.begin() + offsets_[view + 1]);
        visit(view, [&](int own, int other, float distance) {
            const size_t at = next[own]++;
            matrix.columns[at] = other;
            matrix.values[at] = distance;
        });
    }

    void release(int view)
    {
        const std::vector<int>& pairs = ofView_[view];
        for (size_t n = 0; n < pairs.size(); ++n)
            if (pairs_.at<int>(pairs[n], 1) == view)
                edges_[pairs[n]] = CsrMatrix();
    }

    const std::vector<int> offsets_;
    const Mat pairs_;
    std::vector<CsrMatrix>& edges_;
    std::vector<std::vector<int>> ofView_; //!< rows of pairs in which a view occurs
};

} // namespace

double maxPairEdges(const std::vector<int>& viewSizes, const Mat& pairs, int k)
{
    double edges = 0;
    for (int r = 0; r < pairs.rows; ++r)
    {
        const double a = viewSizes[pairs.at<int>(r, 0)], b = viewSizes[pairs.at<int>(r, 1)];
        edges += std::min(a * b, std::min<double>(k, b) * a + std::min<double>(k, a) * b);
    }
    return edges;
}

double pairEdgesBytes(const std::vector<int>& viewSizes, const Mat& pairs, int k, double searching)
{
    double rows = 0, largest = 0;
    for (int r = 0; r < pairs.rows; ++r)
    {
        const double a = viewSizes[pairs.at<int>(r, 0)], b = viewSizes[pairs.at<int>(r, 1)];
        rows += a + 1;
        largest = std::max(largest, std::min<double>(k, b) * a + std::min<double>(k, a) * b);
    }
    const double edge = sizeof(int) + sizeof(float);
    const double edges = edge * maxPairEdges(viewSizes, pairs, k);
    // edgesOf() stores the neighbors in both directions and, to sort them, once more.
    const double uniting = std::min(getNumThreads(), pairs.rows) * 2 * edge * largest;
    // An edge is stored once in the lists and twice in the matrix; lists are released while the
    // matrix grows.
    return std::max(3 * edges, edges + searching + uniting) + sizeof(size_t) * rows;
}

CsrMatrix symmetricFromPairs(const std::vector<int>& viewSizes, const Mat& pairs,
                             std::vector<CsrMatrix>& edges, RunControl& control)
{
    return SymmetricBuilder(viewSizes, pairs, edges).build(control);
}

}} // namespace cv::multimatch
