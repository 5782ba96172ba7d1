// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "reconstruction.hpp"

#include "opencv2/calib3d.hpp"

using cv::multimatch::Observation;

namespace {

const int ROUNDS = 5;
const int STEPS = 3; // Gauss-Newton steps per point

void refinePose(Reconstruction& scene, int view, double maxError)
{
    std::vector<cv::Point3d> places;
    std::vector<cv::Point2d> pixels;
    const std::vector<int> ids = scene.tracks.trackIds(view);
    for (size_t p = 0; p < ids.size(); ++p)
    {
        if (ids[p] < 0 || !scene.points[ids[p]].known)
            continue;
        const Observation seen(view, static_cast<int>(p), 1.f);
        if (scene.error(seen, scene.points[ids[p]].place) > maxError)
            continue;
        places.push_back(cv::Point3d(scene.points[ids[p]].place));
        pixels.push_back(cv::Point2d(scene.observed(seen)));
    }
    if (places.size() < 6)
        return;
    cv::Mat rotation(scene.poses[view].rotation), translation(scene.poses[view].translation);
    cv::solvePnPRefineLM(places, pixels, scene.cameraMatrix(view),
                         cv::Vec4d(scene.distortion, 0, 0, 0), rotation, translation);
    scene.poses[view].rotation = cv::Vec3d(rotation);
    scene.poses[view].translation = cv::Vec3d(translation);
}

void refinePoint(Reconstruction& scene, int track)
{
    cv::Vec3d& place = scene.points[track].place;
    for (int step = 0; step < STEPS; ++step)
    {
        cv::Matx33d normal = cv::Matx33d::eye() * 1e-9;
        cv::Vec3d gradient;
        for (const Observation& seen : scene.tracks.track(track))
        {
            if (!scene.poses[seen.view].known)
                continue;
            const cv::Point2d here = scene.project(seen.view, place);
            const cv::Point2d off = here - cv::Point2d(scene.observed(seen));
            // Numerical derivatives; the step is much smaller than a pixel.
            const double delta = 1e-6 * std::max(1., cv::norm(place));
            cv::Matx23d jacobian;
            for (int k = 0; k < 3; ++k)
            {
                cv::Vec3d moved = place;
                moved[k] += delta;
                const cv::Point2d there = scene.project(seen.view, moved);
                jacobian(0, k) = (there.x - here.x) / delta;
                jacobian(1, k) = (there.y - here.y) / delta;
            }
            normal += jacobian.t() * jacobian;
            gradient += jacobian.t() * cv::Vec2d(off.x, off.y);
        }
        place -= normal.inv() * gradient;
    }
}

} // namespace

bool haveBundleAdjustment()
{
    return false;
}

void adjust(Reconstruction& scene, double maxError)
{
    for (int round = 0; round < ROUNDS; ++round)
    {
        for (int t = 0; t < scene.tracks.size(); ++t)
            if (scene.points[t].known)
                refinePoint(scene, t);
        for (int v = 0; v < static_cast<int>(scene.views.size()); ++v)
            if (scene.poses[v].known)
                refinePose(scene, v, 2 * maxError);
    }
}
