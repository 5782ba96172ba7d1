// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_GEOMETRY_PAIR_GEOMETRY_HPP
#define OPENCV_MULTIMATCH_SRC_GEOMETRY_PAIR_GEOMETRY_HPP

#include "../precomp.hpp"

#include "opencv2/multimatch/geometry.hpp"

namespace cv { namespace multimatch {

//! Residuals of one pair of views, without the cost of reading a Mat each time.
class ResidualMeter
{
public:
    explicit ResidualMeter(const PairGeometry& geometry);
    double operator()(const Point2f& inFirst, const Point2f& inSecond) const;

    //! Epipolar line of a point of the first view in the second: a x + b y + c = 0 with a^2 + b^2 =
    //! 1.
    Vec3d lineInSecond(const Point2f& inFirst) const;
    //! Where all epipolar lines meet in the second view; homogeneous.
    Vec3d epipoleInSecond() const;
    Point2d imageInSecond(const Point2f& inFirst) const; //!< under the homography

private:
    bool epipolar_;
    Matx33d forward_, backward_; //!< F and F', or H and its inverse
};

/** The camera matrices of all views as 3 x 3 CV_64F, copied. Throws unless there is an invertible
one for each view. */
std::vector<Mat> checkedCameras(InputArrayOfArrays cameraMatrices, size_t views);

/** The geometry of matching points x and y. first, second and inliers are filled in too; K may be
empty unless the model is essential. */
PairGeometry geometryOf(const std::vector<Point2f>& x, const std::vector<Point2f>& y,
                        const VerificationParams& params, const Mat& K1, const Mat& K2);

}} // namespace cv::multimatch

#endif
