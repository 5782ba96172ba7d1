// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "canvas.hpp"

#include "opencv2/imgproc.hpp"

namespace cv { namespace multimatch {

std::vector<Vec3b> trackColors(const std::vector<int>& ids)
{
    std::vector<Vec3b> colors;
    if (ids.empty())
        return colors;
    const double goldenRatio = 0.6180339887498949;
    const float saturations[] = {0.8f, 0.5f, 0.65f};
    Mat hsv(1, static_cast<int>(ids.size()), CV_32FC3), bgr;
    for (int i = 0; i < hsv.cols; ++i)
    {
        const double turns = ids[i] * goldenRatio;
        const double hue = 360.0 * (turns - std::floor(turns));
        hsv.at<Vec3f>(i) = Vec3f(static_cast<float>(hue), saturations[ids[i] % 3], 1.f);
    }
    cvtColor(hsv, bgr, COLOR_HSV2BGR);
    bgr.convertTo(bgr, CV_8UC3, 255.0);
    return std::vector<Vec3b>(bgr.begin<Vec3b>(), bgr.end<Vec3b>());
}

namespace {

// Lines are opaque at their ends and faint in the middle, where they would only hide the pictures.
const double MIDDLE_OPACITY = 0.25;

void blendPixel(Mat& canvas, int x, int y, const Vec3b& color, double opacity)
{
    if (opacity <= 0.0 || x < 0 || y < 0 || x >= canvas.cols || y >= canvas.rows)
        return;
    Vec3b& pixel = canvas.at<Vec3b>(y, x);
    for (int c = 0; c < 3; ++c)
        pixel[c] = saturate_cast<uchar>(pixel[c] + opacity * (color[c] - pixel[c]));
}

/* cv::line has no opacity. The coverage of a pixel follows from its distance to the ideal shape,
which only visits the pixels of the shape. */
double coverage(double distanceInside)
{
    return std::min(1.0, std::max(0.0, distanceInside + 0.5));
}

} // namespace

void blendDisc(Mat& canvas, const Point2d& center, double radius, const Vec3b& color,
               double opacity)
{
    const int reach = cvCeil(radius + 0.5);
    if (!(center.x > -reach - 1.0 && center.x < canvas.cols + reach && center.y > -reach - 1.0 &&
          center.y < canvas.rows + reach))
        return;
    const int x0 = cvRound(center.x), y0 = cvRound(center.y);
    for (int y = y0 - reach; y <= y0 + reach; ++y)
        for (int x = x0 - reach; x <= x0 + reach; ++x)
        {
            const double distance = std::hypot(x - center.x, y - center.y);
            blendPixel(canvas, x, y, color, opacity * coverage(radius - distance));
        }
}

void blendLine(Mat& canvas, Point2d from, Point2d to, double width, const Vec3b& color,
               double opacity)
{
    // Walk along the longer axis; across it, visit the few pixels that the width can reach.
    const bool steep = std::abs(to.y - from.y) > std::abs(to.x - from.x);
    if (steep)
    {
        std::swap(from.x, from.y);
        std::swap(to.x, to.y);
    }
    if (from.x > to.x)
        std::swap(from, to);
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    if (length < 1e-9)
        return;
    const double slope = (to.y - from.y) / (to.x - from.x);
    const double acrossToDistance = (to.x - from.x) / length;
    const double reach = (0.5 * width + 0.5) / acrossToDistance;
    // Points may lie outside of the canvas, even far.
    const double across = steep ? canvas.cols : canvas.rows;
    const double last = (steep ? canvas.rows : canvas.cols) - 1.0;
    const int xBegin = cvRound(std::min(std::max(from.x, 0.0), last + 1.0));
    const int xEnd = cvRound(std::min(std::max(to.x, -1.0), last));
    for (int x = xBegin; x <= xEnd; ++x)
    {
        const double center = from.y + slope * (x - from.x);
        if (!(center > -reach - 1.0 && center < across + reach))
            continue;
        const double fromMiddle = 2.0 * (x - from.x) / (to.x - from.x) - 1.0;
        const double strength =
            opacity * (MIDDLE_OPACITY + (1.0 - MIDDLE_OPACITY) * fromMiddle * fromMiddle);
        for (int y = cvCeil(center - reach); y <= cvFloor(center + reach); ++y)
        {
            const double distance = std::abs(y - center) * acrossToDistance;
            const double share = strength * coverage(0.5 * width - distance);
            if (steep)
                blendPixel(canvas, y, x, color, share);
            else
                blendPixel(canvas, x, y, color, share);
        }
    }
}

}} // namespace cv::multimatch
