// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_POWER_SPARSE_ROWS_HPP
#define OPENCV_MULTIMATCH_SRC_POWER_SPARSE_ROWS_HPP

#include "../base/run_control.hpp"

namespace cv { namespace multimatch {

/** Rows of (label, value) pairs. A value has LANES numbers: a real channel is one lane, a complex
one two (real and imaginary part), so that the real part of x times the conjugate of y is the dot
product of their lanes. */
template<typename Real, int LANES>
struct SparseRows
{
    std::vector<size_t> offsets;
    std::vector<int> labels;
    std::vector<Real> values; //!< LANES per entry
};

//! Sum of sparse rows, scattered over all labels; only touched entries are visited and cleared.
template<typename Real, int LANES>
class RowAccumulator
{
public:
    explicit RowAccumulator(int d)
        : sums_(static_cast<size_t>(d) * LANES, Real(0)), seen_(static_cast<size_t>(d), 0)
    {
    }

    Real* at(int label)
    {
        if (!seen_[label])
        {
            seen_[label] = 1;
            touched_.push_back(label);
        }
        return &sums_[static_cast<size_t>(label) * LANES];
    }
    //! Without marking: zeros where nothing was added.
    const Real* peek(int label) const { return &sums_[static_cast<size_t>(label) * LANES]; }
    std::vector<int>& touched() { return touched_; }

    void clear()
    {
        for (size_t t = 0; t < touched_.size(); ++t)
        {
            seen_[touched_[t]] = 0;
            std::fill_n(&sums_[static_cast<size_t>(touched_[t]) * LANES],
                        static_cast<size_t>(LANES), Real(0));
        }
        touched_.clear();
    }

    Real squaredNorm(int label) const
    {
        const Real* v = peek(label);
        Real sum = 0;
        for (int l = 0; l < LANES; ++l)
            sum += v[l] * v[l];
        return sum;
    }

    //! Keeps the limit largest touched labels (0: all) and, wherever it ranks, the label keep (-1:
    //! none).
    void truncate(int limit, int keep)
    {
        if (limit == 0 || touched_.size() <= static_cast<size_t>(limit))
            return;
        ranked_.clear();
        for (size_t t = 0; t < touched_.size(); ++t)
            ranked_.push_back(std::make_pair(touched_[t] == keep
                                                 ? -std::numeric_limits<Real>::infinity()
                                                 : -squaredNorm(touched_[t]),
                                             touched_[t]));
        std::nth_element(ranked_.begin(), ranked_.begin() + (limit - 1), ranked_.end());
        for (size_t t = 0; t < touched_.size(); ++t)
            touched_[t] = ranked_[t].second;
        for (size_t t = static_cast<size_t>(limit); t < touched_.size(); ++t)
        {
            seen_[touched_[t]] = 0;
            std::fill_n(&sums_[static_cast<size_t>(touched_[t]) * LANES],
                        static_cast<size_t>(LANES), Real(0));
        }
        touched_.resize(limit);
    }

private:
    std::vector<Real> sums_;
    std::vector<uchar> seen_;
    std::vector<int> touched_;
    std::vector<std::pair<Real, int>> ranked_; //!< scratch of truncate: falling norm, then label
};

//! Slices of a range whose rows are put together in order afterwards: the same for any number of
//! threads.
const int SLICE = 256;

/** Makes rows 0 .. count - 1 in parallel: fill(row, accumulator) leaves the row in the accumulator.
Rows that were not computed when the callback returned false are empty. */
template<typename Real, int LANES, typename Fill>
void makeRows(int count, int d, SparseRows<Real, LANES>& rows, RunControl& control,
              const Fill& fill)
{
    const int slices = (count + SLICE - 1) / SLICE;
    std::vector<SparseRows<Real, LANES>> parts(static_cast<size_t>(slices));
    control.forSlices(
        slices, SLICE_POINTS / SLICE,
        [&](const Range& range) {
            RowAccumulator<Real, LANES> sum(d);
            for (int s = range.start; s < range.end; ++s)
            {
                SparseRows<Real, LANES>& part = parts[s];
                for (int r = s * SLICE; r < std::min(count, (s + 1) * SLICE); ++r)
                {
                    fill(r, sum);
                    std::vector<int>& touched = sum.touched();
                    for (size_t t = 0; t < touched.size(); ++t)
                    {
                        part.labels.push_back(touched[t]);
                        const Real* v = sum.peek(touched[t]);
                        part.values.insert(part.values.end(), v, v + LANES);
                    }
                    part.offsets.push_back(touched.size());
                    sum.clear();
                }
            }
        },
        false);

    size_t entries = 0;
    for (size_t s = 0; s < parts.size(); ++s)
        entries += parts[s].labels.size();
    rows.offsets.assign(1, 0);
    rows.labels.clear();
    rows.values.clear();
    rows.labels.reserve(entries);
    rows.values.reserve(entries * LANES);
    for (size_t s = 0; s < parts.size(); ++s)
    {
        for (size_t r = 0; r < parts[s].offsets.size(); ++r)
            rows.offsets.push_back(rows.offsets.back() + parts[s].offsets[r]);
        rows.labels.insert(rows.labels.end(), parts[s].labels.begin(), parts[s].labels.end());
        rows.values.insert(rows.values.end(), parts[s].values.begin(), parts[s].values.end());
        SparseRows<Real, LANES>().labels.swap(parts[s].labels);
        SparseRows<Real, LANES>().values.swap(parts[s].values);
    }
    rows.offsets.resize(static_cast<size_t>(count) + 1, rows.offsets.back());
}

}} // namespace cv::multimatch

#endif
