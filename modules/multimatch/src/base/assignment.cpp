// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "../precomp.hpp"

#include "opencv2/multimatch/detail/assignment.hpp"

namespace cv { namespace multimatch { namespace detail {

namespace {

/* Both assignments minimize the sum of costs c = -value by shortest augmenting paths. Columns carry
prices v <= 0, which are 0 on free columns; a row's own potential is min over its columns of c - v
and need not be stored. Every row also has a private dummy column: nobody else competes for it, its
price stays 0, and a row that took it is never reached by a path again. */

/** Cost of a problem in which an unassigned row outweighs every value. Counting such rows apart
from the values keeps the values exact, where a large number in their place would swallow their
digits. */
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

//! All columns of every row, straight from the matrix.
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

//! What the dense and the sparse search share: prices, the partial matching, and a cheap first one.
template<class Rows, class Cost>
class AssignmentSolver
{
public:
    //! prices: to begin with, empty: zeros.
    AssignmentSolver(const Rows& rows, const Cost& dummyCost, const std::vector<Cost>& prices)
        : rows_(rows), dummyCost_(dummyCost),
          price_(prices.empty() ? std::vector<Cost>(rows.cols(), Cost(0.)) : prices),
          rowOf_(rows.cols(), -1), positionOf_(rows.rows(), DUMMY), distance_(rows.cols()),
          parent_(rows.cols(), -1)
    {
        reduceRows();
    }

    //! Rows that the reduction left without a decision; each needs a shortest path.
    const std::vector<int>& freeRows() const { return freeRows_; }
    const std::vector<int>& positions() const { return positionOf_; }
    const std::vector<Cost>& prices() const { return price_; }

protected:
    Cost reducedCost(int row, int position) const
    {
        return Cost(rows_.cost(row, position)) - price_[rows_.column(position)];
    }

    /* Gives each row its cheapest column and charges for it what the row would lose by its second
    choice; a row thrown out chooses again. Every step keeps c - v >= the row's potential with
    equality on the matching, so what is left only has to be augmented. Price wars are cut off: the
    shortest path settles them at once. */
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

//! Dijkstra over all columns: each row reached relaxes every column that is not final.
class DenseSolver : public AssignmentSolver<DenseRows, double>
{
public:
    DenseSolver(const DenseRows& rows, double dummyCost,
                const std::vector<double>& prices = std::vector<double>())
        : AssignmentSolver<DenseRows, double>(rows, dummyCost, prices), identity_(rows.cols())
    {
        std::iota(identity_.begin(), identity_.end(), 0);
        open_.reserve(rows.cols());
        final_.reserve(rows.cols());
    }

    void assign(int source)
    {
        std::fill(distance_.begin(), distance_.end(), infiniteCost(0.));
        open_ = identity_;
        final_.clear();

        // The source's potential shifts all distances alike and is left out.
        int row = source, endColumn = -1, endRow = source;
        double reached = 0, potential = 0, pathLength = dummyCost_;
        for (;;)
        {
            double nearest = infiniteCost(0.);
            size_t nearestAt = 0;
            for (size_t i = 0; i < open_.size(); ++i)
            {
                const int col = open_[i];
                const double d = reached + (reducedCost(row, col) - potential);
                if (d < distance_[col])
                {
                    distance_[col] = d;
                    parent_[col] = row;
                }
                // Among equals a free column ends the search at once.
                if (distance_[col] < nearest ||
                    (distance_[col] == nearest && rowOf_[open_[nearestAt]] >= 0 && rowOf_[col] < 0))
                {
                    nearest = distance_[col];
                    nearestAt = i;
                }
            }
            if (!(nearest < pathLength))
                break;
            const int col = open_[nearestAt];
            if (rowOf_[col] < 0)
            {
                pathLength = nearest;
                endColumn = col;
                break;
            }
            // The open columns stay in ascending order: ties are broken by index.
            open_.erase(open_.begin() + nearestAt);
            final_.push_back(col);
            row = rowOf_[col];
            reached = nearest;
            potential = reducedCost(row, positionOf_[row]);
            const double leave = reached + (dummyCost_ - potential);
            if (leave < pathLength)
            {
                pathLength = leave;
                endRow = row;
            }
        }
        augment(source, endColumn, endRow, pathLength, final_, identity_);
    }

private:
    std::vector<int> identity_; //!< in a dense row, position and column are the same
    std::vector<int> open_;
    std::vector<int> final_;
};

//! Dijkstra with a heap over the columns that candidates lead to.
template<class Cost>
class SparseSolver : public AssignmentSolver<SparseRows, Cost>
{
    typedef AssignmentSolver<SparseRows, Cost> Base;
    using Base::distance_;
    using Base::dummyCost_;
    using Base::parent_;
    using Base::positionOf_;
    using Base::rowOf_;
    using Base::rows_;

public:
    SparseSolver(const SparseRows& rows, const Cost& dummyCost)
        : Base(rows, dummyCost, std::vector<Cost>()), parentPosition_(rows.cols(), -1),
          state_(rows.cols(), UNSEEN)
    {
    }

    void assign(int source)
    {
        heap_.clear();
        seen_.clear();
        final_.clear();

        int row = source, endColumn = -1, endRow = source;
        Cost reached = Cost(0.), potential = Cost(0.), pathLength = dummyCost_;
        for (;;)
        {
            for (int position = rows_.begin(row), end = rows_.end(row); position < end; ++position)
            {
                const int col = rows_.column(position);
                if (state_[col] == FINAL)
                    continue;
                const Cost d = reached + (this->reducedCost(row, position) - potential);
                if (!(d < pathLength) || (state_[col] == SEEN && !(d < distance_[col])))
                    continue;
                if (state_[col] == UNSEEN)
                {
                    state_[col] = SEEN;
                    seen_.push_back(col);
                }
                distance_[col] = d;
                parent_[col] = row;
                parentPosition_[col] = position;
                if (rowOf_[col] < 0)
                {
                    pathLength = d;
                    endColumn = col;
                }
                else
                {
                    heap_.push_back(HeapEntry(d, col));
                    std::push_heap(heap_.begin(), heap_.end());
                }
            }

            // A column sits in the heap once for every time its distance fell; only the last
            // counts.
            int nearest = -1;
            while (!heap_.empty() && nearest < 0 && heap_.front().distance < pathLength)
            {
                if (state_[heap_.front().col] != FINAL)
                    nearest = heap_.front().col;
                std::pop_heap(heap_.begin(), heap_.end());
                heap_.pop_back();
            }
            if (nearest < 0)
                break;
            state_[nearest] = FINAL;
            final_.push_back(nearest);
            row = rowOf_[nearest];
            reached = distance_[nearest];
            potential = this->reducedCost(row, positionOf_[row]);
            const Cost leave = reached + (dummyCost_ - potential);
            if (leave < pathLength)
            {
                pathLength = leave;
                endRow = row;
                endColumn = -1;
            }
        }
        this->augment(source, endColumn, endRow, pathLength, final_, parentPosition_);
        for (size_t i = 0; i < seen_.size(); ++i)
            state_[seen_[i]] = UNSEEN;
    }

private:
    enum State : uchar
    {
        UNSEEN,
        SEEN,
        FINAL
    };

    struct HeapEntry
    {
        Cost distance;
        int col;

        HeapEntry(const Cost& distance_, int col_) : distance(distance_), col(col_) {}
        //! The heap's top is its largest entry: nearest first, ties by index.
        bool operator<(const HeapEntry& other) const
        {
            return other.distance < distance || (!(distance < other.distance) && other.col < col);
        }
    };

    std::vector<int> parentPosition_;
    std::vector<State> state_;
    std::vector<HeapEntry> heap_;
    std::vector<int> seen_;
    std::vector<int> final_;
};

template<class Solver>
std::vector<int> assignAll(Solver& solver)
{
    const std::vector<int> freeRows = solver.freeRows();
    for (size_t i = 0; i < freeRows.size(); ++i)
        solver.assign(freeRows[i]);
    return solver.positions();
}

void check(const AssignmentCandidates& candidates)
{
    const std::vector<int>& offsets = candidates.offsets;
    if (candidates.cols < 0)
        CV_Error_(Error::StsBadArg, ("candidates.cols is %d, expected >= 0", candidates.cols));
    if (offsets.empty() || offsets.front() != 0)
        CV_Error(Error::StsBadArg, "candidates.offsets must hold rows + 1 entries, the first 0");
    for (size_t r = 0; r + 1 < offsets.size(); ++r)
        if (offsets[r + 1] < offsets[r])
            CV_Error_(Error::StsBadArg, ("candidates.offsets[%d] is %d, expected at least %d",
                                         static_cast<int>(r + 1), offsets[r + 1], offsets[r]));
    const size_t count = offsets.back();
    if (candidates.columns.size() != count || candidates.values.size() != count)
        CV_Error_(Error::StsBadArg,
                  ("candidates hold %d columns and %d values, expected %d of each",
                   static_cast<int>(candidates.columns.size()),
                   static_cast<int>(candidates.values.size()), static_cast<int>(count)));
    for (size_t i = 0; i < count; ++i)
    {
        if (candidates.columns[i] < 0 || candidates.columns[i] >= candidates.cols)
            CV_Error_(Error::StsOutOfRange,
                      ("candidates.columns[%d] is %d, expected in [0, %d)", static_cast<int>(i),
                       candidates.columns[i], candidates.cols));
        if (!std::isfinite(candidates.values[i]))
            CV_Error_(Error::StsBadArg, ("candidates.values[%d] is %f, expected a finite value",
                                         static_cast<int>(i), candidates.values[i]));
    }
}

} // namespace

namespace {

void check(const Mat& values, bool allowUnmatched)
{
    if (values.empty())
    {
        if (values.rows > 0 && !allowUnmatched)
            CV_Error_(Error::StsBadSize,
                      ("values is %d x %d, expected at least as many columns as rows", values.rows,
                       values.cols));
        return;
    }
    if (values.dims != 2 || values.type() != CV_64FC1)
        CV_Error_(Error::StsBadArg, ("values has type %d in %d dimensions, expected CV_64FC1 in 2",
                                     values.type(), values.dims));
    if (!allowUnmatched && values.rows > values.cols)
        CV_Error_(
            Error::StsBadSize,
            ("values is %d x %d, expected at least as many columns as rows where every row must "
             "be assigned",
             values.rows, values.cols));
    for (int r = 0; r < values.rows; ++r)
        for (int c = 0; c < values.cols; ++c)
            if (!std::isfinite(values.at<double>(r, c)))
                CV_Error_(Error::StsBadArg, ("values(%d, %d) is %f, expected a finite value", r, c,
                                             values.at<double>(r, c)));
}

} // namespace

std::vector<int> assignDense(const Mat& values, bool allowUnmatched)
{
    check(values, allowUnmatched);
    if (values.empty())
        return std::vector<int>(values.rows, -1);
    const DenseRows rows(values);
    DenseSolver solver(rows, allowUnmatched ? 0. : infiniteCost(0.));
    return assignAll(solver);
}

std::vector<int> assignDense(const Mat& values, std::vector<double>& prices)
{
    check(values, false);
    if (!prices.empty() && prices.size() != static_cast<size_t>(values.cols))
        CV_Error_(Error::StsUnmatchedSizes,
                  ("prices has %zu entries but values has %d columns", prices.size(), values.cols));
    if (values.empty())
        return std::vector<int>(values.rows, -1);
    // With rows of zeros for the columns left over every column is taken, and then any prices will do to begin with.
    Mat square = values;
    if (values.rows < values.cols)
    {
        square = Mat::zeros(values.cols, values.cols, CV_64F);
        values.copyTo(square.rowRange(0, values.rows));
    }
    const DenseRows rows(square);
    DenseSolver solver(rows, infiniteCost(0.), prices);
    std::vector<int> assigned = assignAll(solver);
    prices = solver.prices();
    assigned.resize(static_cast<size_t>(values.rows));
    return assigned;
}

std::vector<int> assignSparse(const AssignmentCandidates& candidates, bool allowUnmatched)
{
    check(candidates);
    const SparseRows rows(candidates);
    if (allowUnmatched)
    {
        SparseSolver<double> solver(rows, 0.);
        return assignAll(solver);
    }
    SparseSolver<CountedCost> solver(rows, CountedCost(1, 0.));
    return assignAll(solver);
}

}}} // namespace cv::multimatch::detail
