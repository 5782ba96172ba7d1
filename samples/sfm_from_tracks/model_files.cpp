// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "model_files.hpp"

#include "files.hpp"

#include "opencv2/calib3d.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

using cv::multimatch::Observation;

namespace {

const cv::Vec3b GRAY(170, 170, 170);
const int PANEL = 900; // pixels per side

//! The center of each camera and the four corners of an image plane in front of it.
std::vector<std::vector<cv::Vec3d>> pyramids(const Reconstruction& scene, double depth)
{
    std::vector<std::vector<cv::Vec3d>> all;
    for (size_t v = 0; v < scene.poses.size(); ++v)
    {
        if (!scene.poses[v].known)
            continue;
        cv::Matx33d R;
        cv::Rodrigues(scene.poses[v].rotation, R);
        const cv::Vec3d center = scene.poses[v].center();
        std::vector<cv::Vec3d> corners(1, center);
        const double w = scene.views[v].size.width / scene.focal[v] / 2;
        const double h = scene.views[v].size.height / scene.focal[v] / 2;
        for (const cv::Vec3d& ray :
             {cv::Vec3d(-w, -h, 1), cv::Vec3d(w, -h, 1), cv::Vec3d(w, h, 1), cv::Vec3d(-w, h, 1)})
            corners.push_back(center + depth * (R.t() * ray));
        all.push_back(corners);
    }
    return all;
}

double median(std::vector<double> values)
{
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

//! Median of the points, and a radius around it that includes most points and all cameras.
void extent(const Reconstruction& scene, cv::Vec3d& middle, double& radius)
{
    std::vector<double> coordinates[3], distances;
    for (const ScenePoint& point : scene.points)
        for (int k = 0; k < 3 && point.known; ++k)
            coordinates[k].push_back(point.place[k]);
    if (coordinates[0].empty())
        throw std::runtime_error("the reconstruction has no points");
    for (int k = 0; k < 3; ++k)
        middle[k] = median(coordinates[k]);
    for (const ScenePoint& point : scene.points)
        if (point.known)
            distances.push_back(cv::norm(point.place - middle));
    radius = 2.5 * median(distances);
    for (const Pose& pose : scene.poses)
        if (pose.known)
            radius = std::max(radius, 1.1 * cv::norm(pose.center() - middle));
}

//! Fraction of the points that is not shown, at each end of the range of coordinates.
const double OUTSIDE = 0.01;

//! Orthographic projection that shows the cameras and nearly all points.
class Placer
{
public:
    Placer(const Reconstruction& scene, const std::vector<std::vector<cv::Vec3d>>& cameras,
           const cv::Matx33d& axes)
        : axes_(axes)
    {
        double low[2], high[2];
        for (int k = 0; k < 2; ++k)
        {
            std::vector<double> values;
            for (const ScenePoint& point : scene.points)
                if (point.known)
                    values.push_back((axes * point.place)[k]);
            std::sort(values.begin(), values.end());
            const size_t outside = static_cast<size_t>(OUTSIDE * values.size());
            low[k] = values[outside];
            high[k] = values[values.size() - 1 - outside];
            for (const std::vector<cv::Vec3d>& camera : cameras)
                for (const cv::Vec3d& corner : camera)
                {
                    low[k] = std::min(low[k], (axes * corner)[k]);
                    high[k] = std::max(high[k], (axes * corner)[k]);
                }
            middle_[k] = (low[k] + high[k]) / 2;
        }
        scale_ = 0.92 * PANEL / std::max(1e-12, std::max(high[0] - low[0], high[1] - low[1]));
    }

    cv::Point operator()(const cv::Vec3d& X) const
    {
        const cv::Vec3d p = axes_ * X;
        return cv::Point(cvRound((p[0] - middle_[0]) * scale_ + PANEL / 2.),
                         cvRound((p[1] - middle_[1]) * scale_ + PANEL / 2.));
    }

private:
    cv::Matx33d axes_;
    double middle_[2], scale_;
};

//! Coordinates along the axes right, down and forward.
void drawPanel(cv::Mat panel, const Reconstruction& scene, const std::vector<cv::Vec3b>& colors,
               const cv::Matx33d& axes, double radius)
{
    const std::vector<std::vector<cv::Vec3d>> cameras = pyramids(scene, 0.08 * radius);
    const Placer place(scene, cameras, axes);
    // Far points first.
    std::vector<int> order;
    for (size_t t = 0; t < scene.points.size(); ++t)
        if (scene.points[t].known)
            order.push_back(static_cast<int>(t));
    std::sort(order.begin(), order.end(), [&](int a, int b) {
        return (axes * scene.points[a].place)[2] > (axes * scene.points[b].place)[2];
    });
    for (int t : order)
        cv::circle(panel, place(scene.points[t].place), 2, cv::Scalar(colors[t]), cv::FILLED,
                   cv::LINE_AA);
    for (const std::vector<cv::Vec3d>& camera : cameras)
        for (size_t c = 1; c < 5; ++c)
        {
            const cv::Scalar color(80, 120, 255);
            cv::line(panel, place(camera[0]), place(camera[c]), color, 1, cv::LINE_AA);
            cv::line(panel, place(camera[c]), place(camera[c == 4 ? 1 : c + 1]), color, 2,
                     cv::LINE_AA);
        }
}

} // namespace

std::vector<cv::Vec3b> pointColors(const Reconstruction& scene)
{
    std::vector<cv::Vec3d> sums(scene.points.size());
    std::vector<int> counts(scene.points.size(), 0);
    for (size_t v = 0; v < scene.views.size(); ++v)
    {
        const cv::Mat image = cv::imread(scene.views[v].name, cv::IMREAD_COLOR);
        if (image.empty())
            continue;
        const std::vector<int> ids = scene.tracks.trackIds(static_cast<int>(v));
        for (size_t p = 0; p < ids.size(); ++p)
        {
            const cv::Point pixel = scene.views[v].keypoints[p].pt;
            if (ids[p] < 0 || pixel.x < 0 || pixel.y < 0 || pixel.x >= image.cols ||
                pixel.y >= image.rows)
                continue;
            sums[ids[p]] += cv::Vec3d(image.at<cv::Vec3b>(pixel));
            ++counts[ids[p]];
        }
    }
    std::vector<cv::Vec3b> colors(scene.points.size(), GRAY);
    for (size_t t = 0; t < colors.size(); ++t)
        if (counts[t] > 0)
            colors[t] = cv::Vec3b(sums[t] * (1. / counts[t]));
    return colors;
}

void writePly(const std::string& name, const Reconstruction& scene,
              const std::vector<cv::Vec3b>& colors)
{
    cv::Vec3d middle;
    double radius;
    extent(scene, middle, radius);
    const std::vector<std::vector<cv::Vec3d>> cameras = pyramids(scene, 0.05 * radius);
    samples::NewFile file(name);
    std::ofstream out(file.temporaryName().c_str(), std::ios::binary);
    out << "ply\nformat ascii 1.0\nelement vertex " << scene.knownPoints() + 5 * cameras.size()
        << "\nproperty float x\nproperty float y\nproperty float z\n"
           "property uchar red\nproperty uchar green\nproperty uchar blue\nelement face "
        << 4 * cameras.size() << "\nproperty list uchar int vertex_indices\nend_header\n";
    // Cameras first, so that their vertices have the first indices.
    for (const std::vector<cv::Vec3d>& camera : cameras)
        for (const cv::Vec3d& corner : camera)
            out << corner[0] << ' ' << corner[1] << ' ' << corner[2] << " 255 60 60\n";
    for (size_t t = 0; t < scene.points.size(); ++t)
        if (scene.points[t].known)
            out << scene.points[t].place[0] << ' ' << scene.points[t].place[1] << ' '
                << scene.points[t].place[2]
                << cv::format(" %d %d %d\n", colors[t][2], colors[t][1], colors[t][0]);
    for (size_t c = 0; c < cameras.size(); ++c)
        for (int side = 1; side < 5; ++side)
            out << "3 " << 5 * c << ' ' << 5 * c + side << ' ' << 5 * c + side % 4 + 1 << '\n';
    out.close();
    if (!out)
        throw std::runtime_error("cannot write " + name + "; is the disk full?");
    file.commit();
}

cv::Mat drawScene(const Reconstruction& scene, const std::vector<cv::Vec3b>& colors)
{
    cv::Vec3d middle;
    double radius;
    extent(scene, middle, radius);
    // Axes of the mean camera: x to the right, y down, z forward.
    cv::Vec3d right, down;
    for (const Pose& pose : scene.poses)
    {
        if (!pose.known)
            continue;
        cv::Matx33d R;
        cv::Rodrigues(pose.rotation, R);
        right += cv::Vec3d(R(0, 0), R(0, 1), R(0, 2));
        down += cv::Vec3d(R(1, 0), R(1, 1), R(1, 2));
    }
    right = cv::normalize(right);
    const cv::Vec3d forward = cv::normalize(right.cross(down));
    down = forward.cross(right);
    const cv::Matx33d front(right[0], right[1], right[2], down[0], down[1], down[2], forward[0],
                            forward[1], forward[2]);
    const cv::Matx33d above(right[0], right[1], right[2], -forward[0], -forward[1], -forward[2],
                            down[0], down[1], down[2]);
    cv::Mat picture(PANEL, 2 * PANEL, CV_8UC3, cv::Scalar(28, 24, 22));
    drawPanel(picture.colRange(0, PANEL), scene, colors, front, radius);
    drawPanel(picture.colRange(PANEL, 2 * PANEL), scene, colors, above, radius);
    cv::putText(picture, "front", cv::Point(16, 34), cv::FONT_HERSHEY_SIMPLEX, 0.8,
                cv::Scalar::all(200), 1, cv::LINE_AA);
    cv::putText(picture, "above", cv::Point(PANEL + 16, 34), cv::FONT_HERSHEY_SIMPLEX, 0.8,
                cv::Scalar::all(200), 1, cv::LINE_AA);
    return picture;
}
