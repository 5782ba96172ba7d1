// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SPARSE_HPP
#define OPENCV_MULTIMATCH_SPARSE_HPP

#include "opencv2/core.hpp"

#include <vector>

namespace cv { namespace multimatch {

//! @addtogroup multimatch_stages
//! @{

/** @brief Sparse matrix in compressed row storage, the one sparse type of this module.

Row r holds the entries offsets[r] .. offsets[r + 1] - 1 of columns and values, with columns
strictly ascending. Points are numbered through all views: point p of view i has the number
(sum of the sizes of the views before i) + p.

Threads: a plain value; many threads may read one, none while another thread changes it.
*/
struct CV_EXPORTS CsrMatrix
{
    int rows;                    //!< number of rows
    int cols;                    //!< number of columns
    std::vector<size_t> offsets; //!< rows + 1 entries
    std::vector<int> columns;    //!< of each entry, in [0, cols)
    std::vector<float> values;   //!< of each entry

    CsrMatrix();
    CsrMatrix(int rows, int cols); //!< all zero

    //! Number of entries stored.
    size_t nonZeros() const { return columns.size(); }

    //! Value at (row, col), 0 where nothing is stored. Cost: log of the row's length.
    float at(int row, int col) const;

    /** @brief Builds a matrix from triplets.
    @param rows number of rows
    @param cols number of columns
    @param rowOf row of each triplet
    @param columnOf column of each triplet
    @param valueOf value of each triplet, finite
    Triplets of one place are added. Throws cv::Exception where an index is out of range, a value
    is not finite or the lengths differ. */
    static CsrMatrix fromTriplets(int rows, int cols, const std::vector<int>& rowOf,
                                  const std::vector<int>& columnOf,
                                  const std::vector<float>& valueOf);

    /** @brief Builds a matrix from three arrays, as scipy.sparse.csr_matrix has them.
    @param cols number of columns
    @param data value of each entry, CV_32F or CV_64F
    @param indices column of each entry, ascending inside a row, CV_32S
    @param indptr first entry of each row, and at the end the number of entries, CV_32S
    Throws cv::Exception where a type differs or validate() does. */
    static CsrMatrix fromArrays(int cols, InputArray data, InputArray indices, InputArray indptr);

    //! Non-zero entries of a single-channel dense matrix (CV_32F or CV_64F).
    static CsrMatrix fromDense(InputArray dense);

    //! CV_32F matrix with the same entries; for small matrices.
    Mat toDense() const;

    //! True if the pattern and the values equal their transpose up to a relative tolerance.
    bool isSymmetric(double tolerance = 1e-6) const;

    /** @brief Rows and columns renumbered: entry (r, c) moves to (newIndex[r], newIndex[c]).
    The matrix must be square and newIndex a permutation of its rows. */
    CsrMatrix permuted(const std::vector<int>& newIndex) const;

    //! Throws cv::Exception, naming the first fault, unless offsets, columns and values form a
    //! matrix.
    void validate(const char* name) const;
};

//! @}

}} // namespace cv::multimatch

#endif
