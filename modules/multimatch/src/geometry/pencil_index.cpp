// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "pencil_index.hpp"

namespace cv { namespace multimatch {

namespace {

//! Lines through an epipole at so many times the size of the view are parallel.
const double INFINITY_DISTANCE = 1e6;
const double OUTSIDE = 4;    //!< an epipole at so many times the size of the view lies outside
const double SLACK = 1e-2;   //!< px, for the precision of the epipole
const double MIN_RADIUS = 8; //!< px; all points that are nearer are one ring

//! In (-pi/2, pi/2].
double halfTurn(double angle)
{
    return angle > CV_PI / 2 ? angle - CV_PI : angle <= -CV_PI / 2 ? angle + CV_PI : angle;
}

Point2d pointAt(const Mat& points, int p)
{
    return Point2d(points.at<float>(p, 0), points.at<float>(p, 1));
}

} // namespace

PencilIndex::PencilIndex(const Mat& points, const Vec3d& epipole) : center_(0, 0)
{
    double size = 1;
    for (int p = 0; p < points.rows; ++p)
        center_ += pointAt(points, p) * (1. / points.rows);
    for (int p = 0; p < points.rows; ++p)
        size = std::max(size, cv::norm(pointAt(points, p) - center_));
    // From the center to the epipole, times epipole[2].
    const Point2d towards(epipole[0] - epipole[2] * center_.x, epipole[1] - epipole[2] * center_.y);
    const double length = cv::norm(towards), farthest = INFINITY_DISTANCE * size;
    const bool infinite = !(std::abs(epipole[2]) * farthest > length);
    epipole_ = center_ + towards * (infinite ? farthest / length : 1 / epipole[2]);
    outside_ = infinite || length > OUTSIDE * size * std::abs(epipole[2]);
    axis_ = length > 0 ? towards * (1 / length) : Point2d(1, 0);
    for (int p = 0; p < points.rows; ++p)
    {
        const Point2d off = pointAt(points, p) - epipole_;
        const double radius = cv::norm(off);
        const size_t ring =
            radius < MIN_RADIUS
                ? 0
                : 1 + static_cast<size_t>(std::max(0, std::ilogb(radius / MIN_RADIUS)));
        if (rings_.size() <= ring)
            rings_.resize(ring + 1);
        const Entry entry = {halfTurn(std::atan2(axis_.cross(off), axis_.dot(off))), p};
        rings_[ring].entries.push_back(entry);
        rings_[ring].radius = ring == 0 ? 0 : std::ldexp(MIN_RADIUS, static_cast<int>(ring) - 1);
    }
    for (size_t r = 0; r < rings_.size(); ++r)
        rings_[r].arrange();
}

double PencilIndex::directionOf(const Vec3d& line) const
{
    const Point2d normal(line[0], line[1]);
    Point2d along(-line[1], line[0]);
    if (outside_)
    {
        // By where the line passes the points: so far away from the epipole this is more precise.
        const double offset = normal.dot(center_) + line[2];
        along = center_ - normal * (offset / normal.dot(normal)) - epipole_;
    }
    return halfTurn(std::atan2(axis_.cross(along), axis_.dot(along)));
}

void PencilIndex::nearLine(double direction, double distance, std::vector<int>& found) const
{
    const double reach = distance + SLACK;
    for (size_t r = 0; r < rings_.size(); ++r)
    {
        const double angle = reach < rings_[r].radius ? std::asin(reach / rings_[r].radius) : CV_PI;
        if (angle > CV_PI / 2)
            rings_[r].collect(-CV_PI, CV_PI, found);
        else
            for (int side = -1; side <= 1; ++side) // directions are the same after half a turn
                rings_[r].collect(direction + side * CV_PI - angle,
                                  direction + side * CV_PI + angle, found);
    }
}

//! Sorts the entries into bins of equal width.
void PencilIndex::Ring::arrange()
{
    if (entries.empty())
        return;
    double high = low = entries[0].direction;
    for (size_t n = 1; n < entries.size(); ++n)
    {
        low = std::min(low, entries[n].direction);
        high = std::max(high, entries[n].direction);
    }
    const int bins = static_cast<int>(entries.size());
    width = std::max((high - low) / bins, std::numeric_limits<double>::min());
    offsets.assign(entries.size() + 1, 0);
    for (size_t n = 0; n < entries.size(); ++n)
        ++offsets[binOf(entries[n].direction) + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    std::vector<int> next(offsets.begin(), offsets.end() - 1);
    std::vector<Entry> sorted(entries.size());
    for (size_t n = 0; n < entries.size(); ++n)
        sorted[next[binOf(entries[n].direction)]++] = entries[n];
    entries.swap(sorted);
}

int PencilIndex::Ring::binOf(double direction) const
{
    const double bin = (direction - low) / width, last = static_cast<double>(entries.size() - 1);
    return static_cast<int>(std::max(0., std::min(last, bin)));
}

void PencilIndex::Ring::collect(double from, double to, std::vector<int>& found) const
{
    if (entries.empty() || to < low || from > low + width * static_cast<double>(entries.size()))
        return;
    const int last = offsets[binOf(to) + 1];
    for (int e = offsets[binOf(from)]; e < last; ++e)
        if (entries[e].direction >= from && entries[e].direction <= to)
            found.push_back(entries[e].point);
}

}} // namespace cv::multimatch
