// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "local_maps.hpp"

#include "../base/statistics.hpp"

namespace cv { namespace multimatch { namespace evidence {

namespace {

const int MAX_PATCH = 8; //!< points of a patch; at least half as many where a view has that many
const int SPACING_SAMPLE = 256; //!< points of a view that its spacing is measured at

//! Every point has a size and an angle, and the angles are not all equal.
bool haveFrames(const std::vector<float>& sizes, const std::vector<float>& angles)
{
    if (angles.empty() || *std::min_element(sizes.begin(), sizes.end()) <= 0)
        return false;
    const float least = *std::min_element(angles.begin(), angles.end());
    return least >= 0 && *std::max_element(angles.begin(), angles.end()) > least;
}

//! Number of patches that so many points are divided into.
int patchesOf(int points)
{
    return points == 0           ? 0
           : points <= MAX_PATCH ? 1
                                 : patchesOf(points / 2) + patchesOf(points - points / 2);
}

//! Median of the squared distance to the closest other location, 0: all points coincide.
float medianSpacing2(const Mat& points, const KdTree& tree)
{
    std::vector<float> squared;
    const int step = 1 + points.rows / SPACING_SAMPLE;
    for (int p = 0; p < points.rows; p += step)
    {
        float x[3] = {0, 0, 0};
        std::copy(points.ptr<float>(p), points.ptr<float>(p) + points.cols, x);
        const float closest = tree.closestElsewhere(x);
        if (std::isfinite(closest))
            squared.push_back(closest);
    }
    return squared.empty() ? 0 : medianOf(squared);
}

} // namespace

Positions::Positions(const std::vector<Mat>& points, const Views& views,
                     const std::vector<float>& sizes, const std::vector<float>& angles, float mu,
                     int around, RunControl& control)
    : dimension_(2), offsets_(views.offsets()),
      places_(static_cast<size_t>(views.pointCount()) * 3, 0.f)
{
    if (haveFrames(sizes, angles))
        for (size_t p = 0; p < angles.size(); ++p)
        {
            angles_.push_back(static_cast<float>(angles[p] * CV_PI / 180));
            logSizes_.push_back(std::log(sizes[p]));
            directions_.push_back(Point2f(std::cos(angles_.back()), std::sin(angles_.back())));
        }
    for (int v = 0; v < views.count(); ++v)
    {
        const Mat& view = points[v];
        if (view.rows > 0)
            dimension_ = view.cols;
        for (int p = 0; p < view.rows; ++p)
            std::copy(view.ptr<float>(p), view.ptr<float>(p) + view.cols,
                      &places_[static_cast<size_t>(views.first(v) + p) * 3]);
    }
    trees_ = kdTrees(points, offsets_, control);
    kernelWidth_.resize(views.count());
    extent_.resize(kernelWidth_.size());
    control.forSlices(
        views.count(), viewsInSlice(offsets_),
        [&](const Range& range) {
            for (int v = range.start; v < range.end; ++v)
            {
                const Mat& view = points[v];
                kernelWidth_[v] = 2 * mu * medianSpacing2(view, trees_[v]);
                double extent = view.rows > 0;
                for (int c = 0; c < view.cols && view.rows > 0; ++c)
                {
                    double low, high;
                    minMaxLoc(view.col(c), &low, &high);
                    extent *= high - low;
                }
                extent_[v] = static_cast<float>(extent);
            }
        },
        false);
    makePatches(views, control);
    findPointsAround(views, around, control);
}

//! Divides every view along its longer side into halves, and those again, down to patches.
void Positions::makePatches(const Views& views, RunControl& control)
{
    std::vector<int> order(static_cast<size_t>(views.pointCount()));
    std::iota(order.begin(), order.end(), 0);
    patch_.resize(order.size());
    patchOffsets_.assign(1, 0);
    for (int v = 0; v < views.count(); ++v)
        patchOffsets_.push_back(patchOffsets_.back() + patchesOf(views.size(v)));
    centers_.resize(static_cast<size_t>(patchOffsets_.back()) * 3);
    control.forSlices(
        views.count(), viewsInSlice(offsets_),
        [&](const Range& range) {
            for (int v = range.start; v < range.end; ++v)
            {
                int patch = firstPatch(v);
                split(order.data() + views.first(v), order.data() + views.end(v), patch);
            }
        },
        false);
}

//! patch: number of the next one.
void Positions::split(int* first, int* last, int& patch)
{
    if (first == last)
        return;
    const ptrdiff_t count = last - first;
    if (count <= MAX_PATCH)
    {
        float sum[3] = {0, 0, 0};
        for (const int* p = first; p != last; ++p)
        {
            patch_[*p] = patch;
            for (int d = 0; d < 3; ++d)
                sum[d] += at(*p)[d];
        }
        for (int d = 0; d < 3; ++d)
            centers_[static_cast<size_t>(patch) * 3 + static_cast<size_t>(d)] =
                sum[d] / static_cast<float>(count);
        ++patch;
        return;
    }
    halveAlongWidest(first, last, dimension_, [&](int p, int axis) { return at(p)[axis]; });
    int* middle = first + count / 2;
    split(first, middle, patch);
    split(middle, last, patch);
}

void Positions::findPointsAround(const Views& views, int count, RunControl& control)
{
    aroundOffsets_.assign(1, 0);
    for (int v = 0; v < views.count(); ++v)
        for (int patch = firstPatch(v); patch < firstPatch(v + 1); ++patch)
            aroundOffsets_.push_back(aroundOffsets_.back() +
                                     static_cast<size_t>(std::min(count, views.size(v))));
    around_.resize(aroundOffsets_.back());
    control.forSlices(
        views.count(), viewsInSlice(offsets_),
        [&](const Range& range) {
            std::vector<KdTree::Hit> hits;
            for (int v = range.start; v < range.end; ++v)
                for (int patch = firstPatch(v); patch < firstPatch(v + 1); ++patch)
                {
                    near(v, center(patch), std::numeric_limits<float>::max(), count, hits);
                    int* to = &around_[aroundOffsets_[patch]];
                    for (size_t h = 0; h < hits.size(); ++h)
                        to[h] = hits[h].point;
                }
        },
        false);
}

std::vector<int> Positions::farther(int view, int patch, int count) const
{
    std::vector<KdTree::Hit> hits;
    near(view, center(patch), std::numeric_limits<float>::max(), count, hits);
    std::vector<int> points;
    for (size_t h = static_cast<size_t>(aroundEnd(patch) - aroundBegin(patch)); h < hits.size();
         ++h)
        points.push_back(hits[h].point);
    return points;
}

float Positions::distance2(int p, const float* place) const
{
    float sum = 0;
    for (int d = 0; d < dimension_; ++d)
        sum += (at(p)[d] - place[d]) * (at(p)[d] - place[d]);
    return sum;
}

void Positions::near(int view, const float* place, float radius2, int limit,
                     std::vector<KdTree::Hit>& hits) const
{
    trees_[view].withinRadius(place, radius2, limit, hits);
    for (size_t h = 0; h < hits.size(); ++h)
        hits[h].point += offsets_[view];
}

}}} // namespace cv::multimatch::evidence
