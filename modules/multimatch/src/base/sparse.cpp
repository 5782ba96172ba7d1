// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "../precomp.hpp"

#include "opencv2/multimatch/detail/offsets.hpp"

#include <atomic>

namespace cv { namespace multimatch {

CsrMatrix::CsrMatrix() : rows(0), cols(0), offsets(1, 0) {}

CsrMatrix::CsrMatrix(int rows_, int cols_)
    : rows(rows_), cols(cols_), offsets(static_cast<size_t>(rows_) + 1, 0)
{
}

float CsrMatrix::at(int row, int col) const
{
    CV_CheckGE(row, 0, "row");
    CV_CheckLT(row, rows, "row");
    const std::vector<int>::const_iterator first = columns.begin() + offsets[row];
    const std::vector<int>::const_iterator last = columns.begin() + offsets[row + 1];
    const std::vector<int>::const_iterator found = std::lower_bound(first, last, col);
    return found != last && *found == col ? values[found - columns.begin()] : 0.f;
}

CsrMatrix CsrMatrix::fromTriplets(int rows, int cols, const std::vector<int>& rowOf,
                                  const std::vector<int>& columnOf,
                                  const std::vector<float>& valueOf)
{
    const size_t count = rowOf.size();
    if (columnOf.size() != count || valueOf.size() != count)
        CV_Error_(
            Error::StsUnmatchedSizes,
            ("triplets have %zu rows, %zu columns and %zu values, expected one number of each",
             count, columnOf.size(), valueOf.size()));
    CsrMatrix result(rows, cols);
    for (size_t t = 0; t < count; ++t)
    {
        if (rowOf[t] < 0 || rowOf[t] >= rows || columnOf[t] < 0 || columnOf[t] >= cols)
            CV_Error_(Error::StsOutOfRange, ("triplet %zu is at (%d, %d), outside a %d x %d matrix",
                                             t, rowOf[t], columnOf[t], rows, cols));
        if (!std::isfinite(valueOf[t]))
            CV_Error_(Error::StsBadArg, ("triplet %zu has the value %f, expected a finite one", t,
                                         static_cast<double>(valueOf[t])));
        ++result.offsets[rowOf[t] + 1];
    }
    detail::countsToOffsets(result.offsets);

    // Stable order inside a row makes the sum of coinciding triplets independent of other rows.
    std::vector<size_t> order(count), next(result.offsets.begin(), result.offsets.end() - 1);
    for (size_t t = 0; t < count; ++t)
        order[next[rowOf[t]]++] = t;
    result.columns.reserve(count);
    result.values.reserve(count);
    for (int r = 0; r < rows; ++r)
    {
        const size_t begin = result.offsets[r], end = next[r];
        std::stable_sort(order.begin() + begin, order.begin() + end,
                         [&](size_t a, size_t b) { return columnOf[a] < columnOf[b]; });
        result.offsets[r] = result.columns.size();
        for (size_t t = begin; t < end; ++t)
        {
            const int column = columnOf[order[t]];
            if (result.columns.size() > result.offsets[r] && result.columns.back() == column)
                result.values.back() += valueOf[order[t]];
            else
            {
                result.columns.push_back(column);
                result.values.push_back(valueOf[order[t]]);
            }
        }
    }
    result.offsets[rows] = result.columns.size();
    return result;
}

CsrMatrix CsrMatrix::fromArrays(int cols, InputArray data, InputArray indices, InputArray indptr)
{
    Mat values = data.getMat(), columns = indices.getMat(), offsets = indptr.getMat();
    const auto checkType = [](const Mat& array, bool right, const char* name, const char* type) {
        if (!array.empty() &&
            (!right || array.channels() != 1 ||
             array.total() != static_cast<size_t>(std::max(array.rows, array.cols))))
            CV_Error_(Error::StsBadArg,
                      ("%s is %d x %d of type %s, expected one row or column of %s", name,
                       array.rows, array.cols, typeToString(array.type()).c_str(), type));
    };
    checkType(values, values.depth() == CV_32F || values.depth() == CV_64F, "data",
              "CV_32F or CV_64F");
    checkType(columns, columns.depth() == CV_32S, "indices", "CV_32S");
    checkType(offsets, offsets.depth() == CV_32S, "indptr", "CV_32S");
    if (offsets.empty())
        CV_Error(Error::StsBadArg, "indptr is empty, expected one number more than there are rows");
    CsrMatrix matrix;
    matrix.rows = static_cast<int>(offsets.total()) - 1;
    matrix.cols = cols;
    // A negative offset becomes a huge one, which validate() refuses.
    const auto flat = [](const Mat& m) { return (m.isContinuous() ? m : m.clone()).reshape(1, 1); };
    const std::vector<int> first = flat(offsets);
    matrix.offsets.assign(first.begin(), first.end());
    if (!columns.empty())
        flat(columns).copyTo(matrix.columns);
    if (!values.empty())
        flat(values).convertTo(matrix.values, CV_32F);
    matrix.validate("matrix");
    return matrix;
}

CsrMatrix CsrMatrix::fromDense(InputArray dense)
{
    Mat_<float> matrix;
    CV_CheckEQ(dense.channels(), 1, "a dense matrix has one channel");
    dense.getMat().convertTo(matrix, CV_32F);
    CsrMatrix result(matrix.rows, matrix.cols);
    for (int r = 0; r < matrix.rows; ++r)
    {
        for (int c = 0; c < matrix.cols; ++c)
            if (matrix(r, c) != 0.f)
            {
                result.columns.push_back(c);
                result.values.push_back(matrix(r, c));
            }
        result.offsets[r + 1] = result.columns.size();
    }
    return result;
}

Mat CsrMatrix::toDense() const
{
    Mat_<float> dense = Mat_<float>::zeros(rows, cols);
    for (int r = 0; r < rows; ++r)
        for (size_t e = offsets[r]; e < offsets[r + 1]; ++e)
            dense(r, columns[e]) = values[e];
    return std::move(dense);
}

bool CsrMatrix::isSymmetric(double tolerance) const
{
    if (rows != cols)
        return false;
    std::atomic<bool> symmetric(true);
    const auto checkRows = [&](const Range& range) {
        // Rows are visited in order, so the mirrored entries of a row are visited in order too.
        // next: position in each row.
        std::vector<size_t> next(static_cast<size_t>(rows));
        for (int r = 0; r < rows; ++r)
            next[r] = static_cast<size_t>(std::lower_bound(columns.begin() + offsets[r],
                                                           columns.begin() + offsets[r + 1],
                                                           range.start) -
                                          columns.begin());
        for (int r = range.start; r < range.end && symmetric; ++r)
            for (size_t e = offsets[r]; e < offsets[r + 1]; ++e)
            {
                const int c = columns[e];
                size_t& there = next[c];
                while (there < offsets[c + 1] && columns[there] < r)
                    ++there;
                const bool found = there < offsets[c + 1] && columns[there] == r;
                const double mirrored = found ? values[there] : 0.f, value = values[e];
                if (std::abs(value - mirrored) >
                    tolerance * std::max(std::abs(value), std::abs(mirrored)))
                    symmetric = false;
            }
    };
    parallel_for_(Range(0, rows), checkRows, std::max(1, getNumThreads()));
    return symmetric;
}

CsrMatrix CsrMatrix::permuted(const std::vector<int>& newIndex) const
{
    CV_CheckEQ(rows, cols, "only a square matrix can be renumbered");
    CV_CheckEQ(newIndex.size(), static_cast<size_t>(rows), "one new index per row");
    CsrMatrix result(rows, cols);
    for (int r = 0; r < rows; ++r)
        result.offsets[newIndex[r] + 1] = offsets[r + 1] - offsets[r];
    detail::countsToOffsets(result.offsets);
    result.columns.resize(columns.size());
    result.values.resize(values.size());
    std::vector<std::pair<int, float>> row;
    for (int r = 0; r < rows; ++r)
    {
        row.clear();
        for (size_t e = offsets[r]; e < offsets[r + 1]; ++e)
            row.push_back(std::make_pair(newIndex[columns[e]], values[e]));
        std::sort(row.begin(), row.end());
        size_t to = result.offsets[newIndex[r]];
        for (size_t e = 0; e < row.size(); ++e, ++to)
        {
            result.columns[to] = row[e].first;
            result.values[to] = row[e].second;
        }
    }
    return result;
}

void CsrMatrix::validate(const char* name) const
{
    if (rows < 0 || cols < 0 || offsets.size() != static_cast<size_t>(rows) + 1 ||
        offsets[0] != 0 || offsets.back() != columns.size() || columns.size() != values.size())
        CV_Error_(
            Error::StsBadArg,
            ("%s: %d rows need %d offsets from 0 to the number of entries; found %zu offsets, %zu "
             "columns and %zu values",
             name, rows, rows + 1, offsets.size(), columns.size(), values.size()));
    // First all offsets: the entries between them are read below.
    for (int r = 0; r < rows; ++r)
        if (offsets[r] > offsets[r + 1])
            CV_Error_(Error::StsBadArg, ("%s: offsets fall after row %d", name, r));
    for (int r = 0; r < rows; ++r)
        for (size_t e = offsets[r]; e < offsets[r + 1]; ++e)
        {
            if (columns[e] < 0 || columns[e] >= cols ||
                (e > offsets[r] && columns[e] <= columns[e - 1]))
                CV_Error_(
                    Error::StsBadArg,
                    ("%s: column %d in row %d is out of range or out of order, expected ascending "
                     "numbers below %d",
                     name, columns[e], r, cols));
            if (!std::isfinite(values[e]))
                CV_Error_(Error::StsBadArg,
                          ("%s: the value at (%d, %d) is not finite", name, r, columns[e]));
        }
}

}} // namespace cv::multimatch
