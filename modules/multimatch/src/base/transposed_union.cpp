// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "transposed_union.hpp"

#include "opencv2/multimatch/detail/offsets.hpp"

namespace cv { namespace multimatch {

namespace {

struct Entry
{
    int column;
    float value;
    bool operator<(const Entry& other) const { return column < other.column; }
};

} // namespace

CsrMatrix uniteWithTransposed(const CsrMatrix& A, const CsrMatrix& B)
{
    CsrMatrix result(A.rows, A.cols);
    std::vector<size_t>& first = result.offsets;
    for (int r = 0; r < A.rows; ++r)
        first[r + 1] = A.offsets[r + 1] - A.offsets[r];
    for (size_t e = 0; e < B.columns.size(); ++e)
        ++first[B.columns[e] + 1];
    detail::countsToOffsets(first);
    std::vector<Entry> entries(first.back());
    std::vector<size_t> next(first.begin(), first.end() - 1);
    const auto put = [&](int row, int column, float value) {
        const Entry entry = {column, value};
        entries[next[row]++] = entry;
    };
    for (int r = 0; r < A.rows; ++r)
        for (size_t e = A.offsets[r]; e < A.offsets[r + 1]; ++e)
            put(r, A.columns[e], A.values[e]);
    for (int r = 0; r < B.rows; ++r)
        for (size_t e = B.offsets[r]; e < B.offsets[r + 1]; ++e)
            put(B.columns[e], r, B.values[e]);

    size_t from = 0, to = 0;
    for (int r = 0; r < A.rows; ++r)
    {
        const size_t begin = to, last = first[r + 1];
        std::sort(entries.begin() + from, entries.begin() + last);
        for (; from < last; ++from)
            if (to == begin || entries[to - 1].column != entries[from].column)
                entries[to++] = entries[from];
        first[r + 1] = to;
    }
    result.columns.resize(to);
    result.values.resize(to);
    for (size_t e = 0; e < to; ++e)
    {
        result.columns[e] = entries[e].column;
        result.values[e] = entries[e].value;
    }
    return result;
}

}} // namespace cv::multimatch
