// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_BASE_ASSIGNMENT_SOLVER_HPP
#define OPENCV_MULTIMATCH_SRC_BASE_ASSIGNMENT_SOLVER_HPP

#include "../precomp.hpp"

#include "opencv2/multimatch/detail/assignment.hpp"

namespace cv { namespace multimatch { namespace detail {

/* Both assignments minimize the sum of costs c = -value by shortest augmenting paths. Columns carry
prices v <= 0, which are 0 on free columns; a row's own potential is min over its columns of c - v
and need not be stored. Every row also has a private dummy column: no other row can take it, its
price stays 0, and a row that took it is never reached by a path again. */

/** Cost of a problem in which an unassigned row outweighs every value. Such rows are counted
separately: a large value in their place would make the sum of the values inexact. */
struct CountedCost
{
    int unassigned;
    double value;

    CountedCost() : unassigned(0), value(0) {}
    CountedCost(double value_) : unassigned(0), value(value_) {}
    CountedCost(int unassigned_, double value_) : unassigned(unassigned_), value(value_) {}
};

inline CountedCost operator+(const CountedCost& a, const CountedCost& b)
{
    return CountedCost(a.unassigned + b.unassigned, a.value + b.value);
}

inline CountedCost operator-(const CountedCost& a, const CountedCost& b)
{
    return CountedCost(a.unassigned - b.unassigned, a.value - b.value);
}

inline bool operator<(const CountedCost& a, const CountedCost& b)
{
    return a.unassigned < b.unassigned || (a.unassigned == b.unassigned && a.value < b.value);
}

inline double infiniteCost(double)
{
    return std::numeric_limits<double>::infinity();
}

inline CountedCost infiniteCost(const CountedCost&)
{
    return CountedCost(std::numeric_limits<int>::max() / 4, 0);
}

//! All columns of every row, read from the matrix.
class DenseRows
{
public:
    explicit DenseRows(const Mat& values) : values_(values) {}

    int rows() const { return values_.rows; }
    int cols() const { return values_.cols; }
    int begin(int) const { return 0; }
    int end(int) const { return values_.cols; }
    int column(int position) const { return position; }
    double cost(int row, int position) const { return -values_.ptr<double>(row)[position]; }

private:
    const Mat& values_;
};

//! The candidates of every row.
class SparseRows
{
public:
    explicit SparseRows(const AssignmentCandidates& candidates)
        : cols_(candidates.cols), rows_(static_cast<int>(candidates.offsets.size()) - 1),
          offsets_(candidates.offsets.data()), columns_(candidates.columns.data()),
          values_(candidates.values.data())
    {
    }

    int rows() const { return rows_; }
    int cols() const { return cols_; }
    int begin(int row) const { return offsets_[row]; }
    int end(int row) const { return offsets_[row + 1]; }
    int column(int position) const { return columns_[position]; }
    double cost(int, int position) const { return -values_[position]; }

private:
    int cols_, rows_;
    const int* offsets_;
    const int* columns_;
    const double* values_;
};

const int DUMMY = -1;

//! Common part of the dense and the sparse search: prices, the partial matching, and a cheap
//! initial matching.
template<class Rows, class Cost>
class AssignmentSolver
{
public:
    //! prices: initial prices; empty: zeros.
    AssignmentSolver(const Rows& rows, const Cost& dummyCost, const std::vector<Cost>& prices)
        : rows_(rows), dummyCost_(dummyCost),
          price_(prices.empty() ? std::vector<Cost>(rows.cols(), Cost(0.)) : prices),
          rowOf_(rows.cols(), -1), positionOf_(rows.rows(), DUMMY), distance_(rows.cols()),
          parent_(rows.cols(), -1)
    {
        reduceRows();
    }

    //! Rows that the reduction did not assign; each needs a shortest path.
    const std::vector<int>& freeRows() const { return freeRows_; }
    const std::vector<int>& positions() const { return positionOf_; }
    const std::vector<Cost>& prices() const { return price_; }

protected:
    Cost reducedCost(int row, int position) const
    {
        return Cost(rows_.cost(row, position)) - price_[rows_.column(position)];
    }

    /* Gives each row its cheapest column and charges for it what the row would lose by its second
    choice; a row that loses its column chooses again. Every step keeps c - v >= the row's potential
    with equality on the matching, so what is left only has to be augmented. The number of steps is
    limited: where rows compete for a column in many small steps, a shortest path is faster. */
    void reduceRows()
    {
        const int n = rows_.rows();
        int steps = 0;
        for (int first = 0; first < n; ++first)
        {
            for (int row = first; row >= 0;)
            {
                if (++steps > 6 * n)
                {
                    freeRows_.push_back(row);
                    break;
                }
                row = chooseColumn(row);
            }
        }
    }

    //! One step of the reduction. Returns the row to continue with, -1: none.
    int chooseColumn(int row)
    {
        const Cost infinite = infiniteCost(Cost());
        int bestPosition = DUMMY, secondPosition = DUMMY;
        Cost best = dummyCost_, second = infinite;
        for (int position = rows_.begin(row), end = rows_.end(row); position < end; ++position)
        {
            const Cost c = reducedCost(row, position);
            if (!(c < second))
                continue;
            if (c < best)
            {
                second = best;
                secondPosition = bestPosition;
                best = c;
                bestPosition = position;
            }
            else
            {
                second = c;
                secondPosition = position;
            }
        }
        if (bestPosition == DUMMY)
        {
            // Prices only fall: no other column will ever be better.
            positionOf_[row] = DUMMY;
            return -1;
        }

        int col = rows_.column(bestPosition);
        const bool strict = best < second;
        if (rowOf_[col] >= 0 && !strict && secondPosition != DUMMY &&
            rowOf_[rows_.column(secondPosition)] < 0)
        {
            bestPosition = secondPosition;
            col = rows_.column(bestPosition);
        }
        const int evicted = rowOf_[col];
        if (evicted >= 0 && (!strict || !(second < infinite)))
        {
            freeRows_.push_back(row);
            return -1;
        }
        if (strict && second < infinite)
            price_[col] = price_[col] - (second - best);
        rowOf_[col] = row;
        positionOf_[row] = bestPosition;
        if (evicted >= 0)
            positionOf_[evicted] = DUMMY;
        return evicted;
    }

    /* Lowers the prices of the columns whose shortest distance is final, and moves the rows along
    the path that ends in endColumn, or in the dummy of endRow where endColumn is -1. parent_ holds
    the row from which a column was reached and parentPosition_ the candidate used. */
    void augment(int source, int endColumn, int endRow, const Cost& pathLength,
                 const std::vector<int>& finalColumns, const std::vector<int>& parentPosition)
    {
        for (size_t i = 0; i < finalColumns.size(); ++i)
        {
            const int col = finalColumns[i];
            price_[col] = price_[col] - (pathLength - distance_[col]);
        }
        int row = endRow, col = endColumn;
        if (col < 0)
        {
            col = row == source ? -1 : rows_.column(positionOf_[row]);
            positionOf_[row] = DUMMY;
        }
        while (col >= 0)
        {
            row = parent_[col];
            const int previous = row == source ? -1 : rows_.column(positionOf_[row]);
            rowOf_[col] = row;
            positionOf_[row] = parentPosition[col];
            col = previous;
        }
    }

    const Rows& rows_;
    const Cost dummyCost_;
    std::vector<Cost> price_;
    std::vector<int> rowOf_;      //!< per column its row, -1: free
    std::vector<int> positionOf_; //!< per row its candidate, DUMMY: none
    std::vector<int> freeRows_;
    std::vector<Cost> distance_; //!< per column length of the shortest path known in this search
    std::vector<int> parent_;    //!< per column the row before it on that path
};

template<class Solver>
std::vector<int> assignAll(Solver& solver)
{
    const std::vector<int> freeRows = solver.freeRows();
    for (size_t i = 0; i < freeRows.size(); ++i)
        solver.assign(freeRows[i]);
    return solver.positions();
}

}}} // namespace cv::multimatch::detail

#endif
