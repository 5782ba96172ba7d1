// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SFM_RECONSTRUCTION_HPP
#define MULTIMATCH_SFM_RECONSTRUCTION_HPP

#include "opencv2/multimatch/io.hpp"

#include <vector>

//! Pose of a camera: x ~ K (R X + t).
struct Pose
{
    bool known = false;
    cv::Vec3d rotation; //!< rotation vector: axis times angle
    cv::Vec3d translation;

    cv::Vec3d center() const;
};

//! 3D point triangulated from a track.
struct ScenePoint
{
    bool known = false;
    cv::Vec3d place;
};

//! Poses and points computed so far, indexed by view and track.
struct Reconstruction
{
    std::vector<cv::multimatch::ViewInfo> views;
    cv::multimatch::Tracks tracks;
    std::vector<double> focal; //!< in pixels, per view
    double distortion = 0;     //!< radial distortion of all cameras: x (1 + distortion r^2)
    std::vector<Pose> poses;
    std::vector<ScenePoint> points; //!< per track

    cv::Matx33d cameraMatrix(int view) const;
    //! Projection of a 3D point to the view, in pixels.
    cv::Point2d project(int view, const cv::Vec3d& place) const;
    cv::Point2f observed(const cv::multimatch::Observation& observation) const;
    //! Reprojection error of an observation in pixels; infinite for points behind the camera.
    double error(const cv::multimatch::Observation& observation, const cv::Vec3d& place) const;

    int registeredViews() const;
    int knownPoints() const;
    //! Root mean square over all observations of known points in registered views, in pixels.
    double meanError() const;
};

/** @brief Computes poses and points from tracks.

The first two views are a pair with large parallax; the others are added one by one (PnP). Tracks in
two or more known views are triangulated, with bundle adjustment in between.
@param views names, sizes, key points and focal lengths; an unknown focal length is 1.2 times the
longer side
@param tracks tracks of these views
@param maxError maximum error of an observation, in pixels
Throws std::runtime_error if no two views are suitable as the first pair. */
Reconstruction reconstruct(const std::vector<cv::multimatch::ViewInfo>& views,
                           const cv::multimatch::Tracks& tracks, double maxError);

//! True if bundle adjustment uses Ceres; otherwise points and poses are refined alternately.
bool haveBundleAdjustment();

//! Refines poses, points, focal lengths and distortion jointly with a robust loss.
void adjust(Reconstruction& scene, double maxError);

#endif
