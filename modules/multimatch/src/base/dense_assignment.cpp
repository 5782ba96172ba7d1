// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "assignment_solver.hpp"

namespace cv { namespace multimatch { namespace detail {

namespace {

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
                // Of equal columns a free one ends the search.
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
    // Rows of zeros for the remaining columns make every column assigned; then any initial prices
    // are valid.
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
    assigned.resize(values.rows);
    return assigned;
}

}}} // namespace cv::multimatch::detail
