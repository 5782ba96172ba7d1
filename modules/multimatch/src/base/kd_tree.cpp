// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "kd_tree.hpp"

namespace cv { namespace multimatch {

namespace {

const int LEAF = 8; //!< ranges of at most so many points are not split

} // namespace

KdTree::KdTree(const Mat& points)
    : dimension_(points.cols), order_(static_cast<size_t>(points.rows)),
      places_(static_cast<size_t>(points.rows) * 3, 0.f), axis_(static_cast<size_t>(points.rows))
{
    CV_CheckTypeEQ(points.type(), CV_32FC1, "points");
    std::iota(order_.begin(), order_.end(), 0);
    for (int p = 0; p < points.rows; ++p)
        std::copy(points.ptr<float>(p), points.ptr<float>(p) + points.cols,
                  &places_[static_cast<size_t>(p) * 3]);
    build(0, points.rows);
    for (size_t n = 0; n < order_.size(); ++n)
        std::copy(points.ptr<float>(order_[n]), points.ptr<float>(order_[n]) + points.cols,
                  &places_[n * 3]);
}

void KdTree::build(int first, int last)
{
    if (last - first <= LEAF)
        return;
    const int middle = first + (last - first) / 2;
    const int axis = halveAlongWidest(
        order_.data() + first, order_.data() + last, dimension_, [&](int point, int along) {
            return places_[static_cast<size_t>(point) * 3 + static_cast<size_t>(along)];
        });
    axis_[middle] = static_cast<uchar>(axis);
    build(first, middle);
    build(middle + 1, last);
}

float KdTree::squaredDistance(const float* x, int position) const
{
    const float* y = &places_[static_cast<size_t>(position) * 3];
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
    collect(x, 0, static_cast<int>(order_.size()), bound, static_cast<size_t>(limit), hits);
    if (limit == 0)
        std::sort(hits.begin(), hits.end());
}

void KdTree::add(const float* x, int position, float& bound, size_t limit,
                 std::vector<Hit>& hits) const
{
    const Hit hit = {squaredDistance(x, position), order_[position]};
    if (hit.squared > bound)
        return;
    hits.push_back(hit);
    if (limit == 0)
        return;
    // Insertion sort, as there are few. Once the list is full, its farthest entry bounds the
    // search.
    size_t at = hits.size() - 1;
    for (; at > 0 && hit < hits[at - 1]; --at)
        hits[at] = hits[at - 1];
    hits[at] = hit;
    if (hits.size() > limit)
        hits.pop_back();
    if (hits.size() == limit)
        bound = std::min(bound, hits.back().squared);
}

void KdTree::collect(const float* x, int first, int last, float& bound, size_t limit,
                     std::vector<Hit>& hits) const
{
    if (last - first <= LEAF)
    {
        for (int position = first; position < last; ++position)
            add(x, position, bound, limit, hits);
        return;
    }
    const int middle = first + (last - first) / 2, axis = axis_[middle];
    const float toPlane =
        x[axis] - places_[static_cast<size_t>(middle) * 3 + static_cast<size_t>(axis)];
    const bool left = toPlane < 0;
    collect(x, left ? first : middle + 1, left ? middle : last, bound, limit, hits);
    add(x, middle, bound, limit, hits);
    if (toPlane * toPlane <= bound)
        collect(x, left ? middle + 1 : first, left ? last : middle, bound, limit, hits);
}

float KdTree::closestElsewhere(const float* x) const
{
    float best = std::numeric_limits<float>::infinity();
    closest(x, 0, static_cast<int>(order_.size()), best);
    return best;
}

void KdTree::closest(const float* x, int first, int last, float& best) const
{
    const int middle = first + (last - first) / 2;
    const bool leaf = last - first <= LEAF;
    for (int position = leaf ? first : middle; position < (leaf ? last : middle + 1); ++position)
    {
        const float squared = squaredDistance(x, position);
        if (squared > 0 && squared < best)
            best = squared;
    }
    if (leaf)
        return;
    const int axis = axis_[middle];
    const float toPlane =
        x[axis] - places_[static_cast<size_t>(middle) * 3 + static_cast<size_t>(axis)];
    const bool left = toPlane < 0;
    closest(x, left ? first : middle + 1, left ? middle : last, best);
    if (toPlane * toPlane < best)
        closest(x, left ? middle + 1 : first, left ? last : middle, best);
}

std::vector<KdTree> kdTrees(const std::vector<Mat>& views, const std::vector<int>& offsets,
                            RunControl& control)
{
    std::vector<KdTree> trees(views.size());
    control.forSlices(
        static_cast<int>(views.size()), viewsInSlice(offsets),
        [&](const Range& range) {
            for (int v = range.start; v < range.end; ++v)
                trees[v] = KdTree(views[v]);
        },
        false);
    return trees;
}

}} // namespace cv::multimatch
