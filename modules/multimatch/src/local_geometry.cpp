// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "local_geometry.hpp"

#include "input.hpp"

namespace cv { namespace multimatch {

namespace {

const int POINTS_AROUND = 48; //!< closest points looked at
const int MAX_PATCH = 8; //!< points in a patch; at least half as many where a view has that many

//! Every point has a size and an angle, and they are not all the same one.
bool haveFrames(const std::vector<float>& sizes, const std::vector<float>& angles)
{
    if (angles.empty() || *std::min_element(sizes.begin(), sizes.end()) <= 0)
        return false;
    const float least = *std::min_element(angles.begin(), angles.end());
    return least >= 0 && *std::max_element(angles.begin(), angles.end()) > least;
}

} // namespace

LocalGeometry::LocalGeometry(const std::vector<Mat>& points, const std::vector<int>& offsets,
                             const std::vector<float>& sizes, const std::vector<float>& angles,
                             RunControl& control)
    : dimension_(0), offsets_(offsets), places_(static_cast<size_t>(offsets.back()) * 3, 0.f)
{
    for (size_t v = 0; v < points.size(); ++v)
        if (points[v].rows > 0)
            dimension_ = points[v].cols;
    if (haveFrames(sizes, angles))
        for (size_t p = 0; p < angles.size(); ++p)
        {
            angles_.push_back(static_cast<float>(angles[p] * CV_PI / 180));
            logSizes_.push_back(std::log(sizes[p]));
            directions_.push_back(std::cos(angles_.back()));
            directions_.push_back(std::sin(angles_.back()));
        }
    std::vector<int> viewSizes;
    for (size_t v = 0; v < points.size(); ++v)
    {
        viewSizes.push_back(points[v].rows);
        for (int p = 0; p < points[v].rows; ++p)
            std::copy(points[v].ptr<float>(p), points[v].ptr<float>(p) + points[v].cols,
                      &places_[static_cast<size_t>(offsets_[v] + p) * 3]);
    }
    view_ = viewOfPoints(viewSizes);
    trees_ = kdTrees(points, offsets_, control);
    makePatches(control);
    findPointsAround(control);
}

namespace {

//! Patches that so many points are cut into.
int patchCount(int points)
{
    return points == 0           ? 0
           : points <= MAX_PATCH ? 1
                                 : patchCount(points / 2) + patchCount(points - points / 2);
}

} // namespace

//! Cuts every view along its longer side into halves, and those again, down to patches.
void LocalGeometry::makePatches(RunControl& control)
{
    std::vector<int> order(view_.size());
    std::iota(order.begin(), order.end(), 0);
    patch_.resize(view_.size());
    patchOffsets_.assign(1, 0);
    for (size_t v = 0; v + 1 < offsets_.size(); ++v)
        patchOffsets_.push_back(patchOffsets_.back() + patchCount(offsets_[v + 1] - offsets_[v]));
    middles_.resize(static_cast<size_t>(patchOffsets_.back()) * 3);
    control.forSlices(
        static_cast<int>(offsets_.size()) - 1, viewsInSlice(offsets_),
        [&](const Range& range) {
            for (int v = range.start; v < range.end; ++v)
            {
                int patch = patchOffsets_[static_cast<size_t>(v)];
                split(order.data() + offsets_[static_cast<size_t>(v)],
                      order.data() + offsets_[static_cast<size_t>(v) + 1], patch);
            }
        },
        false);
}

//! patch: number of the next one.
void LocalGeometry::split(int* first, int* last, int& patch)
{
    if (first == last)
        return;
    const ptrdiff_t count = last - first;
    if (count <= MAX_PATCH)
    {
        float sum[3] = {0, 0, 0};
        for (const int* p = first; p != last; ++p)
        {
            patch_[static_cast<size_t>(*p)] = patch;
            for (int d = 0; d < 3; ++d)
                sum[d] += place(*p)[d];
        }
        for (int d = 0; d < 3; ++d)
            middles_[static_cast<size_t>(patch) * 3 + static_cast<size_t>(d)] =
                sum[d] / static_cast<float>(count);
        ++patch;
        return;
    }
    halveAlongWidest(first, last, dimension_, [&](int p, int axis) { return place(p)[axis]; });
    int* middle = first + count / 2;
    split(first, middle, patch);
    split(middle, last, patch);
}

void LocalGeometry::findPointsAround(RunControl& control)
{
    aroundOffsets_.assign(1, 0);
    for (size_t v = 0; v + 1 < offsets_.size(); ++v)
        for (int patch = patchOffsets_[v]; patch < patchOffsets_[v + 1]; ++patch)
            aroundOffsets_.push_back(
                aroundOffsets_.back() +
                static_cast<size_t>(std::min(POINTS_AROUND, offsets_[v + 1] - offsets_[v])));
    around_.resize(aroundOffsets_.back());
    control.forSlices(
        static_cast<int>(trees_.size()), viewsInSlice(offsets_),
        [&](const Range& range) {
            std::vector<KdTree::Hit> hits;
            for (int v = range.start; v < range.end; ++v)
                for (int patch = patchOffsets_[static_cast<size_t>(v)];
                     patch < patchOffsets_[static_cast<size_t>(v) + 1]; ++patch)
                {
                    trees_[static_cast<size_t>(v)].withinRadius(
                        middle(patch), std::numeric_limits<float>::max(), POINTS_AROUND, hits);
                    int* to = &around_[aroundOffsets_[static_cast<size_t>(patch)]];
                    for (size_t h = 0; h < hits.size(); ++h)
                        to[h] = offsets_[static_cast<size_t>(v)] + hits[h].point;
                }
        },
        false);
}

}} // namespace cv::multimatch
