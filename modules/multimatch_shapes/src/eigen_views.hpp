// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SHAPES_SRC_EIGEN_VIEWS_HPP
#define OPENCV_MULTIMATCH_SHAPES_SRC_EIGEN_VIEWS_HPP

#include "opencv2/core.hpp"

#include <Eigen/Core>

namespace cv { namespace multimatch { namespace shapes {

typedef Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> RowMatrix;
typedef Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> RowMatrixf;

//! A CV_64F matrix as Eigen has it, without a copy.
inline Eigen::Map<const RowMatrix, 0, Eigen::OuterStride<>> eigenView(const Mat& mat)
{
    return Eigen::Map<const RowMatrix, 0, Eigen::OuterStride<>>(
        mat.ptr<double>(), mat.rows, mat.cols,
        Eigen::OuterStride<>(static_cast<Eigen::Index>(mat.step1())));
}

//! A CV_64F matrix that Eigen fills.
inline Eigen::Map<RowMatrix> eigenResult(Mat& mat, Eigen::Index rows, Eigen::Index cols)
{
    mat.create(static_cast<int>(rows), static_cast<int>(cols), CV_64F);
    return Eigen::Map<RowMatrix>(mat.ptr<double>(), rows, cols);
}

//! A copy as CV_64F.
template<typename Derived>
Mat matOf(const Eigen::MatrixBase<Derived>& matrix)
{
    Mat mat;
    eigenResult(mat, matrix.rows(), matrix.cols()) = matrix;
    return mat;
}

}}} // namespace cv::multimatch::shapes

#endif
