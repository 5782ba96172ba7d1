// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "assignment_solver.hpp"

namespace cv { namespace multimatch { namespace detail {

int candidateOffset(size_t count)
{
    if (count > static_cast<size_t>(INT_MAX))
        CV_Error_(
            Error::StsOutOfRange,
            ("two views have %zu pairs of neighbors, expected at most %d: take fewer neighbors",
             count, INT_MAX));
    return static_cast<int>(count);
}

namespace {

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

            const int nearest = nearestWithin(pathLength);
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

    //! Takes the nearest column that is not final from the heap; -1: none is nearer than the limit.
    int nearestWithin(const Cost& limit)
    {
        // A column is in the heap once for every time its distance fell; only the last counts.
        int nearest = -1;
        while (!heap_.empty() && nearest < 0 && heap_.front().distance < limit)
        {
            if (state_[heap_.front().col] != FINAL)
                nearest = heap_.front().col;
            std::pop_heap(heap_.begin(), heap_.end());
            heap_.pop_back();
        }
        return nearest;
    }

    std::vector<int> parentPosition_;
    std::vector<State> state_;
    std::vector<HeapEntry> heap_;
    std::vector<int> seen_;
    std::vector<int> final_;
};

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
