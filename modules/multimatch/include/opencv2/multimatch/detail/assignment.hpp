// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_DETAIL_ASSIGNMENT_HPP
#define OPENCV_MULTIMATCH_DETAIL_ASSIGNMENT_HPP

#include "opencv2/core.hpp"

#include <vector>

namespace cv { namespace multimatch { namespace detail {

//! @addtogroup multimatch
//! @{

/** @brief Rectangular linear assignment of largest total value, exact.

@param values rows x cols CV_64F, finite; rows <= cols unless allowUnmatched
@param allowUnmatched a row may stay without a column at value 0; otherwise every row gets one
@return per row its column, -1: none
Shortest augmenting paths: O(rows^2 cols). Ties are broken by index. */
CV_EXPORTS std::vector<int> assignDense(const Mat& values, bool allowUnmatched);

/** @brief The same where every row gets a column, for a problem that is similar to one solved
before.

@param values as above
@param prices of the columns: those of the solution of the similar problem, or empty; replaced by
those of this solution. The result does not depend on them but for ties, only the time does. */
CV_EXPORTS std::vector<int> assignDense(const Mat& values, std::vector<double>& prices);

/** @brief Candidates of a sparse assignment problem: row r may take columns[offsets[r]] ..
columns[offsets[r + 1] - 1] (distinct) at the value beside it. */
struct CV_EXPORTS AssignmentCandidates
{
    int cols;
    std::vector<int> offsets; //!< rows + 1
    std::vector<int> columns; //!< in [0, cols)
    std::vector<double> values;
};

/** @brief The offset behind a number of candidates, for AssignmentCandidates::offsets.

Throws cv::Exception (StsOutOfRange) where there are more candidates than int can count. */
CV_EXPORTS int candidateOffset(size_t count);

/** @brief Sparse linear assignment of largest total value, exact.

@param candidates which row may take which column; a row may have none
@param allowUnmatched every row has a private dummy column of value 0; otherwise the largest
possible number of rows is assigned first and the value decides among those
@return per row the *position* of its candidate in candidates.columns, -1: none
Shortest augmenting paths from row to row with a heap over the columns reached. */
CV_EXPORTS std::vector<int> assignSparse(const AssignmentCandidates& candidates,
                                         bool allowUnmatched);

//! @}

}}} // namespace cv::multimatch::detail

#endif
