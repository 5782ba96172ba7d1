// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SFM_RECONSTRUCTION_HPP
#define MULTIMATCH_SFM_RECONSTRUCTION_HPP

#include "opencv2/multimatch/io.hpp"

#include <vector>

//! Where a camera is: x ~ K (R X + t).
struct Pose
{
    bool known = false;
    cv::Vec3d rotation; //!< axis times angle
    cv::Vec3d translation;

    cv::Vec3d center() const;
};

//! A point that was triangulated from a track.
struct ScenePoint
{
    bool known = false;
    cv::Vec3d place;
};

//! What is known of the scene so far. Tracks and views give the numbers.
struct Reconstruction
{
    std::vector<cv::multimatch::ViewInfo> views;
    cv::multimatch::Tracks tracks;
    std::vector<double> focal; //!< in pixels, per view
    double distortion = 0;     //!< of all lenses: x (1 + distortion r^2)
    std::vector<Pose> poses;
    std::vector<ScenePoint> points; //!< per track

    cv::Matx33d cameraMatrix(int view) const;
    //! Where the view sees a place, in pixels.
    cv::Point2d project(int view, const cv::Vec3d& place) const;
    cv::Point2f observed(const cv::multimatch::Observation& observation) const;
    //! Distance of an observation from its point; infinite behind the camera.
    double error(const cv::multimatch::Observation& observation, const cv::Vec3d& place) const;

    int registeredViews() const;
    int knownPoints() const;
    //! Root mean square over all observations of known points in registered views, in pixels.
    double meanError() const;
};

/** Poses and points from tracks: two views with wide parallax first, then view by view (PnP), triangulating what two or more known
views see; bundle adjustment in between.
@param views names, sizes, key points and focal lengths; 1.2 times the longer side where one is not known
@param tracks of these views
@param maxError of an observation, in pixels
Throws std::runtime_error where no two views make a start. */
Reconstruction reconstruct(const std::vector<cv::multimatch::ViewInfo>& views,
                           const cv::multimatch::Tracks& tracks, double maxError);

//! True where bundle adjustment is done by Ceres; otherwise points and poses are refined in turn.
bool haveBundleAdjustment();

//! Refines poses, points, focal lengths and distortion together, robustly.
void adjust(Reconstruction& scene, double maxError);

#endif
