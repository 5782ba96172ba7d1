// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "picture.hpp"

#include "opencv2/imgproc.hpp"

#include <cfloat>

using namespace cv::multimatch::shapes;

namespace {

const int TILE = 420, MARGIN = 14; // of one shape, in pixels of the picture
const int SAMPLING = 2;            // subpixels per pixel and axis
const cv::Vec3f BACKGROUND(255, 255, 255);
const float SURFACE_COLOR = 0.65f; // share of the track's color in that of the surface
const float LEAST_LIGHT = 0.35f;   // of faces that are seen from the side

//! A picture with the depth of each pixel.
class Canvas
{
public:
    Canvas(int width, int height)
        : color_(height, width, CV_32FC3, cv::Scalar(BACKGROUND[0], BACKGROUND[1], BACKGROUND[2])),
          depth_(height, width, CV_32F, cv::Scalar(-FLT_MAX))
    {
    }

    //! Corners: x and y in pixels, z toward the eye. Colors of the corners are interpolated.
    void triangle(const cv::Vec3d corners[3], const cv::Vec3f colors[3], float light)
    {
        const cv::Vec3d &a = corners[0], &b = corners[1], &c = corners[2];
        const double area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if (area == 0)
            return;
        const int left = std::max(0, cvCeil(std::min(a[0], std::min(b[0], c[0]))));
        const int right = std::min(color_.cols - 1, cvFloor(std::max(a[0], std::max(b[0], c[0]))));
        const int top = std::max(0, cvCeil(std::min(a[1], std::min(b[1], c[1]))));
        const int bottom = std::min(color_.rows - 1, cvFloor(std::max(a[1], std::max(b[1], c[1]))));
        for (int y = top; y <= bottom; ++y)
            for (int x = left; x <= right; ++x)
            {
                // Barycentric coordinates.
                const double u = ((b[0] - x) * (c[1] - y) - (b[1] - y) * (c[0] - x)) / area;
                const double v = ((c[0] - x) * (a[1] - y) - (c[1] - y) * (a[0] - x)) / area;
                const double w = 1 - u - v;
                if (u < 0 || v < 0 || w < 0)
                    continue;
                const float z = static_cast<float>(u * a[2] + v * b[2] + w * c[2]);
                if (z <= depth_.at<float>(y, x))
                    continue;
                depth_.at<float>(y, x) = z;
                color_.at<cv::Vec3f>(y, x) =
                    (colors[0] * static_cast<float>(u) + colors[1] * static_cast<float>(v) +
                     colors[2] * static_cast<float>(w)) *
                    light;
            }
    }

    //! A dot with a dark rim, unless the surface hides it.
    void dot(const cv::Vec3d& place, const cv::Vec3f& color, double radius, double tolerance)
    {
        const int cx = cvRound(place[0]), cy = cvRound(place[1]);
        if (cx < 0 || cy < 0 || cx >= color_.cols || cy >= color_.rows ||
            place[2] < depth_.at<float>(cy, cx) - tolerance)
            return;
        cv::circle(color_, cv::Point(cx, cy), cvRound(radius + SAMPLING), cv::Scalar(30, 30, 30),
                   cv::FILLED);
        cv::circle(color_, cv::Point(cx, cy), cvRound(radius),
                   cv::Scalar(color[0], color[1], color[2]), cv::FILLED);
    }

    cv::Mat picture() const
    {
        cv::Mat small, bytes;
        cv::resize(color_, small, cv::Size(), 1. / SAMPLING, 1. / SAMPLING, cv::INTER_AREA);
        small.convertTo(bytes, CV_8U);
        cv::cvtColor(bytes, bytes, cv::COLOR_RGB2BGR);
        return bytes;
    }

private:
    cv::Mat color_, depth_;
};

cv::Vec3f floats(const cv::Vec3b& color)
{
    return cv::Vec3f(color[0], color[1], color[2]);
}

//! Vertices as seen, around the middle of the shape; largest: of all absolute coordinates in the
//! picture.
std::vector<cv::Vec3d> seen(const Mesh& mesh, const cv::Matx33d& rotation, double& largest)
{
    std::vector<cv::Vec3d> places;
    cv::Vec3d low(DBL_MAX, DBL_MAX, DBL_MAX), high = -low;
    for (const cv::Vec3d& vertex : mesh.vertices)
    {
        places.push_back(rotation * vertex);
        for (int c = 0; c < 3; ++c)
        {
            low[c] = std::min(low[c], places.back()[c]);
            high[c] = std::max(high[c], places.back()[c]);
        }
    }
    for (cv::Vec3d& place : places)
        place -= (low + high) * 0.5;
    largest = std::max(largest, std::max(high[0] - low[0], high[1] - low[1]) / 2);
    return places;
}

} // namespace

cv::Matx33d viewRotation(char up, double azimuth, double elevation)
{
    // First to axes with z up.
    const cv::Matx33d upright = up == 'z'   ? cv::Matx33d::eye()
                                : up == 'y' ? cv::Matx33d(0, 0, 1, 1, 0, 0, 0, 1, 0)
                                            : cv::Matx33d(0, 1, 0, 0, 0, 1, 1, 0, 0);
    const double a = azimuth * CV_PI / 180, e = elevation * CV_PI / 180;
    const cv::Vec3d toEye(std::cos(e) * std::cos(a), std::cos(e) * std::sin(a), std::sin(e));
    const cv::Vec3d right(-std::sin(a), std::cos(a), 0);
    const cv::Vec3d above = toEye.cross(right);
    return cv::Matx33d(right[0], right[1], right[2], above[0], above[1], above[2], toEye[0],
                       toEye[1], toEye[2]) *
           upright;
}

cv::Mat drawShapes(const ShapeTracks& found, const std::vector<ShapeColors>& colors,
                   const cv::Matx33d& rotation)
{
    const int count = static_cast<int>(found.shapes.size());
    const int columns = std::max(1, cvCeil(std::sqrt(count * 1.5)));
    const int rows = (count + columns - 1) / columns;
    std::vector<std::vector<cv::Vec3d>> places;
    double largest = 0;
    for (const SampledShape& shape : found.shapes)
        places.push_back(seen(shape.functions.mesh, rotation, largest));
    const double tile = TILE * SAMPLING;
    const double scale = (tile / 2 - MARGIN * SAMPLING) / std::max(largest, DBL_MIN);
    Canvas canvas(columns * TILE * SAMPLING, rows * TILE * SAMPLING);
    for (int i = 0; i < count; ++i)
    {
        const ShapeFunctions& shape = found.shapes[i].functions;
        std::vector<cv::Vec3d>& points = places[i];
        const int column = i % columns, row = i / columns;
        for (cv::Vec3d& point : points)
            point = cv::Vec3d((column + 0.5) * tile + scale * point[0],
                              (row + 0.5) * tile - scale * point[1], scale * point[2]);
        const ShapeColors& color = colors[i];
        for (const cv::Vec3i& face : shape.mesh.faces)
        {
            cv::Vec3d corners[3];
            cv::Vec3f cornerColors[3];
            for (int c = 0; c < 3; ++c)
            {
                corners[c] = points[face[c]];
                cornerColors[c] = floats(color.vertices[face[c]]) * SURFACE_COLOR +
                                  cv::Vec3f(235, 235, 235) * (1 - SURFACE_COLOR);
            }
            const cv::Vec3d normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            const double facing = std::abs(normal[2]) / std::max(cv::norm(normal), DBL_MIN);
            canvas.triangle(corners, cornerColors,
                            static_cast<float>(LEAST_LIGHT + (1 - LEAST_LIGHT) * facing));
        }
        const std::vector<int>& ids = found.tracks.ids(i);
        for (size_t p = 0; p < ids.size(); ++p)
            if (ids[p] >= 0)
                canvas.dot(points[shape.samples[p]], floats(color.points[p]), 1.4 * SAMPLING,
                           0.02 * tile);
    }
    return canvas.picture();
}
