// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SHAPES_SRC_OPERATORS_HPP
#define OPENCV_MULTIMATCH_SHAPES_SRC_OPERATORS_HPP

#include "opencv2/multimatch_shapes/alignment.hpp"

#include "eigen_views.hpp"

namespace cv { namespace multimatch { namespace shapes {

//! What a functional map compares, for one shape: all of the size k of the map.
struct MapConstraints
{
    Eigen::VectorXd eigenvalues;
    Eigen::MatrixXd coefficients; //!< of the descriptors, k x 40
    /** Of functions f: multiplication by f, and g -> n . (grad f x grad g); k x k, of Frobenius
    norm 1. The first is kept by isometries, the second by those that keep the orientation. */
    std::vector<Eigen::MatrixXd> products, turns;
};

MapConstraints mapConstraints(const ShapeFunctions& shape, int k);

}}} // namespace cv::multimatch::shapes

#endif
