// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "reconstruction.hpp"

#include <ceres/ceres.h>
#include <ceres/rotation.h>

#include <map>

using cv::multimatch::Observation;

namespace {

//! Reprojection error in pixels, a function of pose (rotation vector, translation), focal length,
//! distortion and point.
struct ReprojectionError
{
    double x, y; // relative to the image center

    template<typename T>
    bool operator()(const T* pose, const T* focal, const T* distortion, const T* place,
                    T* residual) const
    {
        T p[3];
        ceres::AngleAxisRotatePoint(pose, place, p);
        const T u = (p[0] + pose[3]) / (p[2] + pose[5]);
        const T v = (p[1] + pose[4]) / (p[2] + pose[5]);
        const T stretch = focal[0] * (T(1) + distortion[0] * (u * u + v * v));
        residual[0] = stretch * u - T(x);
        residual[1] = stretch * v - T(y);
        return true;
    }
};

//! The scene as ceres changes it: one block of numbers per pose, camera and point.
struct Blocks
{
    std::vector<double> poses, places;
    std::vector<double*> focalOf; //!< per view; views of equal size and focal length share a camera
    std::map<std::pair<std::pair<int, int>, double>, double> focal;

    explicit Blocks(const Reconstruction& scene)
        : poses(6 * scene.views.size()), places(3 * scene.points.size()),
          focalOf(scene.views.size())
    {
        for (size_t v = 0; v < scene.views.size(); ++v)
        {
            for (int k = 0; k < 3; ++k)
            {
                poses[6 * v + k] = scene.poses[v].rotation[k];
                poses[6 * v + 3 + k] = scene.poses[v].translation[k];
            }
            const cv::Size& size = scene.views[v].size;
            focalOf[v] = &focal
                              .insert({{{size.width, size.height}, scene.views[v].focalLength},
                                       scene.focal[v]})
                              .first->second;
        }
        for (size_t t = 0; t < scene.points.size(); ++t)
            for (int k = 0; k < 3; ++k)
                places[3 * t + k] = scene.points[t].place[k];
    }
    Blocks(const Blocks&) = delete;
    Blocks& operator=(const Blocks&) = delete;

    void copyTo(Reconstruction& scene) const
    {
        for (size_t v = 0; v < scene.views.size(); ++v)
        {
            for (int k = 0; k < 3; ++k)
            {
                scene.poses[v].rotation[k] = poses[6 * v + k];
                scene.poses[v].translation[k] = poses[6 * v + 3 + k];
            }
            scene.focal[v] = *focalOf[v];
        }
        for (size_t t = 0; t < scene.points.size(); ++t)
            if (scene.points[t].known)
                scene.points[t].place =
                    cv::Vec3d(places[3 * t], places[3 * t + 1], places[3 * t + 2]);
    }
};

//! Adds all observations of known points in known poses. Returns the view of the first, -1: none.
int addObservations(Reconstruction& scene, Blocks& blocks, double maxError, ceres::Problem& problem)
{
    int first = -1;
    for (int t = 0; t < scene.tracks.size(); ++t)
    {
        if (!scene.points[t].known)
            continue;
        for (const Observation& seen : scene.tracks.track(t))
        {
            if (!scene.poses[seen.view].known)
                continue;
            if (first < 0)
                first = seen.view;
            const cv::Point2f pixel = scene.observed(seen);
            const cv::Size& size = scene.views[seen.view].size;
            ReprojectionError* error = new ReprojectionError;
            error->x = pixel.x - (size.width - 1) / 2.;
            error->y = pixel.y - (size.height - 1) / 2.;
            problem.AddResidualBlock(
                new ceres::AutoDiffCostFunction<ReprojectionError, 2, 6, 1, 1, 3>(error),
                new ceres::HuberLoss(maxError / 2), &blocks.poses[6 * seen.view],
                blocks.focalOf[seen.view], &scene.distortion, &blocks.places[3 * t]);
        }
    }
    return first;
}

} // namespace

bool haveBundleAdjustment()
{
    return true;
}

void adjust(Reconstruction& scene, double maxError)
{
    Blocks blocks(scene);
    ceres::Problem problem;
    const int first = addObservations(scene, blocks, maxError, problem);
    if (first < 0)
        return;
    // The coordinate system is not determined by the observations, so one camera is fixed.
    problem.SetParameterBlockConstant(&blocks.poses[6 * first]);
    // Two or three views do not determine focal length and distortion.
    if (scene.registeredViews() < 4)
    {
        for (double* focal : blocks.focalOf)
            if (problem.HasParameterBlock(focal))
                problem.SetParameterBlockConstant(focal);
        problem.SetParameterBlockConstant(&scene.distortion);
    }
    ceres::Solver::Options options;
    options.linear_solver_type = ceres::DENSE_SCHUR;
    options.max_num_iterations = 30;
    options.num_threads = cv::getNumThreads();
    options.logging_type = ceres::SILENT;
    ceres::Solver::Summary summary;
    ceres::Solve(options, &problem, &summary);
    if (summary.IsSolutionUsable())
        blocks.copyTo(scene);
}
