// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "kd_tree.hpp"

namespace cv { namespace multimatch {

KdTree::KdTree(const Mat& points)
    : points_(points), dimension_(points.cols), order_(static_cast<size_t>(points.rows)),
      axis_(static_cast<size_t>(points.rows))
{
    CV_CheckTypeEQ(points.type(), CV_32FC1, "points");
    std::iota(order_.begin(), order_.end(), 0);
    build(0, points.rows);
}

void KdTree::build(int first, int last)
{
    if (last - first < 2)
        return;
    const int middle = first + (last - first) / 2;
    const int axis =
        halveAlongWidest(order_.data() + first, order_.data() + last, dimension_,
                         [&](int point, int along) { return points_.at<float>(point, along); });
    axis_[middle] = static_cast<uchar>(axis);
    build(first, middle);
    build(middle + 1, last);
}

float KdTree::squaredDistance(const float* x, int point) const
{
    const float* y = points_.ptr<float>(point);
    float sum = 0;
    for (int axis = 0; axis < dimension_; ++axis)
        sum += (x[axis] - y[axis]) * (x[axis] - y[axis]);
    return sum;
}

void KdTree::withinRadius(const float* x, float squaredRadius, int limit,
                          std::vector<Hit>& hits) const
{
    hits.clear();
    float bound = squaredRadius;
    collect(x, 0, points_.rows, bound, static_cast<size_t>(limit), hits);
    std::sort(hits.begin(), hits.end());
}

void KdTree::collect(const float* x, int first, int last, float& bound, size_t limit,
                     std::vector<Hit>& hits) const
{
    if (first >= last)
        return;
    const int middle = first + (last - first) / 2, point = order_[middle], axis = axis_[middle];
    const float toPlane = x[axis] - points_.at<float>(point, axis);
    const bool left = toPlane < 0;
    collect(x, left ? first : middle + 1, left ? middle : last, bound, limit, hits);
    const Hit hit = {squaredDistance(x, point), point};
    if (hit.squared <= bound)
    {
        hits.push_back(hit);
        if (limit > 0)
        {
            // A heap with the farthest on top; once full, the farthest bounds the search.
            std::push_heap(hits.begin(), hits.end());
            if (hits.size() > limit)
            {
                std::pop_heap(hits.begin(), hits.end());
                hits.pop_back();
            }
            if (hits.size() == limit)
                bound = std::min(bound, hits.front().squared);
        }
    }
    if (toPlane * toPlane <= bound)
        collect(x, left ? middle + 1 : first, left ? last : middle, bound, limit, hits);
}

float KdTree::closestElsewhere(const float* x) const
{
    float best = std::numeric_limits<float>::infinity();
    closest(x, 0, points_.rows, best);
    return best;
}

void KdTree::closest(const float* x, int first, int last, float& best) const
{
    if (first >= last)
        return;
    const int middle = first + (last - first) / 2, point = order_[middle], axis = axis_[middle];
    const float toPlane = x[axis] - points_.at<float>(point, axis);
    const bool left = toPlane < 0;
    closest(x, left ? first : middle + 1, left ? middle : last, best);
    const float squared = squaredDistance(x, point);
    if (squared > 0 && squared < best)
        best = squared;
    if (toPlane * toPlane < best)
        closest(x, left ? middle + 1 : first, left ? last : middle, best);
}

}} // namespace cv::multimatch
