// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "local_geometry.hpp"

namespace cv { namespace multimatch {

namespace {

const int POINTS_AROUND = 48; //!< closest points looked at

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
                             const std::vector<float>& sizes, const std::vector<float>& angles)
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
        }
    for (size_t v = 0; v < points.size(); ++v)
        trees_.push_back(KdTree(points[v]));
    std::vector<std::vector<int>> near(static_cast<size_t>(offsets.back()));
    parallel_for_(Range(0, static_cast<int>(points.size())), [&](const Range& range) {
        std::vector<KdTree::Hit> hits;
        for (int v = range.start; v < range.end; ++v)
        {
            const Mat& x = points[static_cast<size_t>(v)];
            const KdTree& tree = trees_[static_cast<size_t>(v)];
            for (int p = 0; p < x.rows; ++p)
            {
                std::copy(x.ptr<float>(p), x.ptr<float>(p) + x.cols,
                          &places_[static_cast<size_t>(offsets_[v] + p) * 3]);
                tree.withinRadius(x.ptr<float>(p), std::numeric_limits<float>::max(),
                                  POINTS_AROUND + 1, hits);
                for (size_t h = 0; h < hits.size(); ++h)
                    if (hits[h].squared > 0) // siblings at one location say nothing about it
                        near[static_cast<size_t>(offsets_[v] + p)].push_back(offsets_[v] +
                                                                             hits[h].point);
            }
        }
    });
    aroundOffsets_.assign(1, 0);
    for (size_t p = 0; p < near.size(); ++p)
    {
        around_.insert(around_.end(), near[p].begin(), near[p].end());
        aroundOffsets_.push_back(around_.size());
    }
}

}} // namespace cv::multimatch
