// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "guided_search.hpp"

namespace cv { namespace multimatch {

namespace {

const float LEAST_SIMILARITY = 1e-4f; //!< of a partner, however well its place fits

//! An entry of S.
struct Entry
{
    int p, q;
    float similarity;

    bool operator<(const Entry& other) const { return p != other.p ? p < other.p : q < other.q; }
    bool operator==(const Entry& other) const { return p == other.p && q == other.q; }
};

//! The one of several points that is most like p; q is -1 where none is like it at all.
Entry mostSimilar(int p, const std::vector<int>& points, const Appearance& appearance)
{
    Entry best = {p, -1, LEAST_SIMILARITY};
    for (size_t n = 0; n < points.size(); ++n)
    {
        const float similarity = appearance.similarity(p, points[n]);
        if (similarity > best.similarity)
        {
            best.similarity = similarity;
            best.q = points[n];
        }
    }
    return best;
}

//! S with further entries, which are in order and not in S yet.
CsrMatrix merged(const CsrMatrix& S, const std::vector<Entry>& fresh, RunControl& control)
{
    CsrMatrix all(S.rows, S.cols);
    std::vector<size_t> first(static_cast<size_t>(S.rows) + 1, 0); // of the fresh ones of each row
    for (size_t n = 0; n < fresh.size(); ++n)
        ++first[static_cast<size_t>(fresh[n].p) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    for (size_t p = 0; p < first.size(); ++p)
        all.offsets[p] = S.offsets[p] + first[p];
    all.columns.reserve(all.offsets.back());
    all.values.reserve(all.offsets.back());
    const auto mergeRows = [&](const Range& range) {
        for (int p = range.start; p < range.end; ++p)
        {
            size_t to = all.offsets[p], n = first[p];
            for (size_t e = S.offsets[p]; e < S.offsets[p + 1] || n < first[p + 1]; ++to)
            {
                const bool isFresh =
                    n < first[p + 1] && (e == S.offsets[p + 1] || fresh[n].q < S.columns[e]);
                all.columns[to] = isFresh ? fresh[n].q : S.columns[e];
                all.values[to] = isFresh ? fresh[n].similarity : S.values[e];
                (isFresh ? n : e) += 1;
            }
        }
    };
    for (int row = 0; row < S.rows; row += SLICE_POINTS)
    {
        if (!control.wanted())
            return CsrMatrix();
        const Range rows(row, std::min(S.rows, row + SLICE_POINTS));
        // Within the reserve this touches the new rows only.
        all.columns.resize(all.offsets[static_cast<size_t>(rows.end)]);
        all.values.resize(all.columns.size());
        parallel_for_(rows, mergeRows);
    }
    return all;
}

} // namespace

CsrMatrix withGuidedEntries(const CsrMatrix& S, const Appearance& appearance,
                            const Predictions& predictions, const std::vector<int>& labels,
                            const std::vector<int>& offsets,
                            const std::vector<std::vector<int>>& searchedViews, RunControl& control)
{
    const int views = static_cast<int>(searchedViews.size());
    std::vector<std::vector<Entry>> found(static_cast<size_t>(views));
    control.forSlices(views, viewsInSlice(offsets), [&](const Range& range) {
        std::vector<KdTree::Hit> hits;
        std::vector<int> expected;
        for (int v = range.start; v < range.end; ++v)
            for (int p = offsets[v]; p < offsets[v + 1]; ++p)
            {
                if (labels[p] >= 0)
                    continue;
                for (int j : searchedViews[static_cast<size_t>(v)])
                {
                    predictions.expected(p, j, hits, expected);
                    const Entry entry = mostSimilar(p, expected, appearance);
                    if (entry.q >= 0 && S.at(p, entry.q) == 0)
                        found[static_cast<size_t>(v)].push_back(entry);
                }
            }
    });

    std::vector<Entry> fresh;
    for (size_t v = 0; v < found.size(); ++v)
        for (size_t n = 0; n < found[v].size(); ++n)
        {
            const Entry mirrored = {found[v][n].q, found[v][n].p, found[v][n].similarity};
            fresh.push_back(found[v][n]);
            fresh.push_back(mirrored);
        }
    // Two points may have found each other.
    std::sort(fresh.begin(), fresh.end());
    fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
    return merged(S, fresh, control);
}

}} // namespace cv::multimatch
