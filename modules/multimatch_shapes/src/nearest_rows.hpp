// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SHAPES_SRC_NEAREST_ROWS_HPP
#define OPENCV_MULTIMATCH_SHAPES_SRC_NEAREST_ROWS_HPP

#include "eigen_views.hpp"

#include <vector>

namespace cv { namespace multimatch { namespace shapes {

//! For each row of X the nearest row of Y, the first of equally near ones.
template<typename MatrixX, typename MatrixY>
std::vector<int> nearestRows(const MatrixX& X, const MatrixY& Y)
{
    const Eigen::Index BLOCK = 512; // rows of Y whose products are in memory at once
    const Eigen::VectorXf half = Y.rowwise().squaredNorm() / 2;
    std::vector<int> nearest(static_cast<size_t>(X.rows()), 0);
    Eigen::VectorXf best =
        Eigen::VectorXf::Constant(X.rows(), std::numeric_limits<float>::infinity());
    RowMatrixf distances;
    for (Eigen::Index first = 0; first < Y.rows(); first += BLOCK)
    {
        const Eigen::Index count = std::min(BLOCK, Y.rows() - first);
        distances.noalias() = -X * Y.middleRows(first, count).transpose();
        distances.rowwise() += half.segment(first, count).transpose();
        for (Eigen::Index p = 0; p < X.rows(); ++p)
        {
            Eigen::Index q = 0;
            const float distance = distances.row(p).minCoeff(&q);
            if (distance < best[p])
            {
                best[p] = distance;
                nearest[p] = static_cast<int>(first + q);
            }
        }
    }
    return nearest;
}

}}} // namespace cv::multimatch::shapes

#endif
