// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "reconstruction.hpp"

#include "opencv2/calib3d.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

using cv::multimatch::Observation;

namespace {

const double DEFAULT_FOCAL = 1.2; // times the longer side
const int LEAST_MATCHES = 30;     // of the first two views
const int LEAST_SEEN = 12;        // known points in a view for its pose
const double LEAST_ANGLE = 1.5;   // degrees, minimum angle of two rays for triangulation
const double GOOD_ANGLE = 8;      // degrees; a larger parallax is no advantage

cv::Matx33d rotationOf(const cv::Vec3d& axis)
{
    cv::Matx33d R;
    cv::Rodrigues(axis, R);
    return R;
}

cv::Matx34d projectionOf(const Reconstruction& scene, int view)
{
    const cv::Matx33d R = rotationOf(scene.poses[view].rotation);
    const cv::Vec3d& t = scene.poses[view].translation;
    return scene.cameraMatrix(view) * cv::Matx34d(R(0, 0), R(0, 1), R(0, 2), t[0], R(1, 0), R(1, 1),
                                                  R(1, 2), t[1], R(2, 0), R(2, 1), R(2, 2), t[2]);
}

double angleAt(const cv::Vec3d& place, const cv::Vec3d& a, const cv::Vec3d& b)
{
    const cv::Vec3d u = cv::normalize(a - place), v = cv::normalize(b - place);
    return std::acos(std::max(-1., std::min(1., u.dot(v)))) * 180 / CV_PI;
}

//! Linear triangulation from the observations in known views.
bool triangulate(const Reconstruction& scene, const std::vector<Observation>& track,
                 cv::Vec3d& place)
{
    cv::Mat_<double> A(0, 4);
    for (const Observation& seen : track)
    {
        if (!scene.poses[seen.view].known)
            continue;
        const cv::Matx34d P = projectionOf(scene, seen.view);
        const cv::Point2f x = scene.observed(seen);
        const double f = scene.focal[seen.view];
        for (int r = 0; r < 2; ++r)
        {
            const double coordinate = r ? x.y : x.x;
            cv::Matx14d row = (coordinate * P.row(2) - P.row(r)) * (1 / f);
            A.push_back(cv::Mat(row));
        }
    }
    if (A.rows < 4)
        return false;
    cv::Mat X;
    cv::SVD::solveZ(A, X);
    const double w = X.at<double>(3);
    if (std::abs(w) < 1e-12)
        return false;
    place = cv::Vec3d(X.at<double>(0), X.at<double>(1), X.at<double>(2)) * (1 / w);
    return true;
}

//! Triangulates every track that known views agree on, and removes points whose error has become
//! too large.
void updatePoints(Reconstruction& scene, double maxError)
{
    for (int t = 0; t < scene.tracks.size(); ++t)
    {
        const std::vector<Observation> track = scene.tracks.track(t);
        ScenePoint& point = scene.points[t];
        cv::Vec3d place = point.place;
        bool good = point.known || triangulate(scene, track, place);
        double widest = 0;
        std::vector<cv::Vec3d> centers;
        for (const Observation& seen : track)
        {
            if (!scene.poses[seen.view].known || !good)
                continue;
            good = scene.error(seen, place) <= maxError;
            const cv::Vec3d center = scene.poses[seen.view].center();
            for (const cv::Vec3d& other : centers)
                widest = std::max(widest, angleAt(place, center, other));
            centers.push_back(center);
        }
        point.known = good && widest >= LEAST_ANGLE;
        point.place = place;
    }
}

//! Points of a pair of views in normalized coordinates.
void normalizedMatches(const Reconstruction& scene, int i, int j, std::vector<cv::Point2d>& x,
                       std::vector<cv::Point2d>& y)
{
    const std::vector<cv::DMatch> matches = scene.tracks.matches(i, j);
    for (const cv::DMatch& match : matches)
    {
        const cv::Point2f a = scene.views[i].keypoints[match.queryIdx].pt;
        const cv::Point2f b = scene.views[j].keypoints[match.trainIdx].pt;
        const cv::Matx33d K = scene.cameraMatrix(i), L = scene.cameraMatrix(j);
        x.push_back(cv::Point2d((a.x - K(0, 2)) / K(0, 0), (a.y - K(1, 2)) / K(1, 1)));
        y.push_back(cv::Point2d((b.x - L(0, 2)) / L(0, 0), (b.y - L(1, 2)) / L(1, 1)));
    }
}

//! Score of two views as the first pair: number of inliers times their median parallax. Computes
//! the relative pose.
double startScore(const Reconstruction& scene, int i, int j, double maxError, Pose& relative)
{
    std::vector<cv::Point2d> x, y;
    normalizedMatches(scene, i, j, x, y);
    if (static_cast<int>(x.size()) < LEAST_MATCHES)
        return 0;
    cv::Mat inliers, R, t, triangulated;
    const double threshold = maxError / std::max(scene.focal[i], scene.focal[j]);
    const cv::Mat E = cv::findEssentialMat(x, y, cv::Mat::eye(3, 3, CV_64F), cv::RANSAC, 0.999,
                                           threshold, inliers);
    if (E.rows != 3)
        return 0;
    const int count =
        cv::recoverPose(E, x, y, cv::Mat::eye(3, 3, CV_64F), R, t, 50, inliers, triangulated);
    if (count < LEAST_MATCHES)
        return 0;
    cv::Rodrigues(R, relative.rotation);
    relative.translation = cv::Vec3d(t);
    relative.known = true;
    std::vector<double> angles;
    for (int n = 0; n < triangulated.cols; ++n)
        if (inliers.at<uchar>(n))
        {
            const cv::Vec3d place(triangulated.at<double>(0, n) / triangulated.at<double>(3, n),
                                  triangulated.at<double>(1, n) / triangulated.at<double>(3, n),
                                  triangulated.at<double>(2, n) / triangulated.at<double>(3, n));
            angles.push_back(angleAt(place, cv::Vec3d(), relative.center()));
        }
    std::nth_element(angles.begin(), angles.begin() + angles.size() / 2, angles.end());
    return count * std::min(GOOD_ANGLE, angles[angles.size() / 2]);
}

void startFromTwoViews(Reconstruction& scene, double maxError)
{
    const int views = static_cast<int>(scene.views.size());
    double best = 0;
    int first = -1, second = -1;
    Pose pose;
    for (int i = 0; i < views; ++i)
        for (int j = i + 1; j < views; ++j)
        {
            Pose relative;
            const double score = startScore(scene, i, j, maxError, relative);
            if (score > best)
            {
                best = score;
                first = i;
                second = j;
                pose = relative;
            }
        }
    if (first < 0)
        throw std::runtime_error("no two views share enough tracks for the first pair");
    scene.poses[first].known = true;
    scene.poses[second] = pose;
}

//! Known points of a view and their image coordinates.
void pointsSeenBy(const Reconstruction& scene, int view, std::vector<cv::Point3d>& places,
                  std::vector<cv::Point2d>& pixels)
{
    const std::vector<int> ids = scene.tracks.trackIds(view);
    for (size_t p = 0; p < ids.size(); ++p)
        if (ids[p] >= 0 && scene.points[ids[p]].known)
        {
            places.push_back(cv::Point3d(scene.points[ids[p]].place));
            pixels.push_back(cv::Point2d(scene.views[view].keypoints[p].pt));
        }
}

//! Computes the pose of the view with the most known points. Returns false if no view has enough.
bool addView(Reconstruction& scene, double maxError, std::vector<char>& failed)
{
    int next = -1;
    size_t most = LEAST_SEEN - 1;
    for (int v = 0; v < static_cast<int>(scene.views.size()); ++v)
    {
        if (scene.poses[v].known || failed[v])
            continue;
        std::vector<cv::Point3d> places;
        std::vector<cv::Point2d> pixels;
        pointsSeenBy(scene, v, places, pixels);
        if (places.size() > most)
        {
            most = places.size();
            next = v;
        }
    }
    if (next < 0)
        return false;
    std::vector<cv::Point3d> places;
    std::vector<cv::Point2d> pixels;
    pointsSeenBy(scene, next, places, pixels);
    cv::Mat rotation, translation, inliers;
    const cv::Vec4d lens(scene.distortion, 0, 0, 0);
    const bool found =
        cv::solvePnPRansac(places, pixels, scene.cameraMatrix(next), lens, rotation, translation,
                           false, 2000, static_cast<float>(2 * maxError), 0.999, inliers,
                           cv::SOLVEPNP_EPNP) &&
        inliers.rows >= LEAST_SEEN;
    if (!found)
    {
        failed[next] = 1;
        return true;
    }
    scene.poses[next].rotation = cv::Vec3d(rotation);
    scene.poses[next].translation = cv::Vec3d(translation);
    scene.poses[next].known = true;
    return true;
}

} // namespace

cv::Vec3d Pose::center() const
{
    return -(rotationOf(rotation).t() * translation);
}

cv::Matx33d Reconstruction::cameraMatrix(int view) const
{
    const cv::Size& size = views[view].size;
    return cv::Matx33d(focal[view], 0, (size.width - 1) / 2., 0, focal[view],
                       (size.height - 1) / 2., 0, 0, 1);
}

cv::Point2d Reconstruction::project(int view, const cv::Vec3d& place) const
{
    const cv::Vec3d p = rotationOf(poses[view].rotation) * place + poses[view].translation;
    const double x = p[0] / p[2], y = p[1] / p[2];
    const double stretch = focal[view] * (1 + distortion * (x * x + y * y));
    const cv::Size& size = views[view].size;
    return cv::Point2d(stretch * x + (size.width - 1) / 2., stretch * y + (size.height - 1) / 2.);
}

cv::Point2f Reconstruction::observed(const Observation& observation) const
{
    return views[observation.view].keypoints[observation.point].pt;
}

double Reconstruction::error(const Observation& observation, const cv::Vec3d& place) const
{
    const Pose& pose = poses[observation.view];
    const cv::Vec3d p = rotationOf(pose.rotation) * place + pose.translation;
    if (!(p[2] > 0))
        return std::numeric_limits<double>::infinity();
    return cv::norm(project(observation.view, place) - cv::Point2d(observed(observation)));
}

int Reconstruction::registeredViews() const
{
    return static_cast<int>(
        std::count_if(poses.begin(), poses.end(), [](const Pose& pose) { return pose.known; }));
}

int Reconstruction::knownPoints() const
{
    return static_cast<int>(std::count_if(points.begin(), points.end(),
                                          [](const ScenePoint& point) { return point.known; }));
}

double Reconstruction::meanError() const
{
    double sum = 0, count = 0;
    for (int t = 0; t < tracks.size(); ++t)
    {
        if (!points[t].known)
            continue;
        for (const Observation& seen : tracks.track(t))
            if (poses[seen.view].known)
            {
                const double e = error(seen, points[t].place);
                sum += e * e;
                ++count;
            }
    }
    return count > 0 ? std::sqrt(sum / count) : 0;
}

Reconstruction reconstruct(const std::vector<cv::multimatch::ViewInfo>& views,
                           const cv::multimatch::Tracks& tracks, double maxError)
{
    Reconstruction scene;
    scene.views = views;
    scene.tracks = tracks;
    scene.poses.resize(views.size());
    scene.points.resize(tracks.size());
    for (const cv::multimatch::ViewInfo& view : views)
        scene.focal.push_back(view.focalLength > 0
                                  ? view.focalLength
                                  : DEFAULT_FOCAL * std::max(view.size.width, view.size.height));
    startFromTwoViews(scene, maxError);
    updatePoints(scene, 2 * maxError);
    adjust(scene, maxError);
    std::vector<char> failed(views.size(), 0);
    while (addView(scene, maxError, failed))
    {
        updatePoints(scene, 2 * maxError);
        adjust(scene, maxError);
        updatePoints(scene, maxError);
    }
    // Points that were rejected with an early pose are tried again.
    for (ScenePoint& point : scene.points)
        point.known = false;
    updatePoints(scene, 2 * maxError);
    adjust(scene, maxError);
    updatePoints(scene, maxError);
    return scene;
}
