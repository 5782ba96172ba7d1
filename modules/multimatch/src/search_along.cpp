// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "search_along.hpp"

#include "opencv2/core/hal/hal.hpp"

#include <Eigen/Core>

#include <iterator>

namespace cv { namespace multimatch {

namespace {

const double POINTS_PER_STRIP = 32;

Point2f pointAt(const Mat& points, int p)
{
    return Point2f(points.at<float>(p, 0), points.at<float>(p, 1));
}

double descriptorDistance(const Mat& a, int p, const Mat& b, int q, int normType)
{
    if (normType == NORM_HAMMING)
        return hal::normHamming(a.ptr<uchar>(p), b.ptr<uchar>(q), a.cols);
    if (a.depth() == CV_8U)
    {
        int sum = 0;
        for (int c = 0; c < a.cols; ++c)
        {
            const int difference = a.at<uchar>(p, c) - b.at<uchar>(q, c);
            sum += difference * difference;
        }
        return std::sqrt(static_cast<double>(sum));
    }
    typedef Eigen::Map<const Eigen::VectorXf> Row;
    return (Row(a.ptr<float>(p), a.cols) - Row(b.ptr<float>(q), b.cols)).norm();
}

PairGeometry swapped(const PairGeometry& geometry)
{
    PairGeometry result = geometry;
    std::swap(result.first, result.second);
    const Matx33d M = geometry.matrix;
    result.matrix = Mat(geometry.model == MODEL_HOMOGRAPHY ? M.inv() : M.t(), true);
    return result;
}

bool closer(const GuidedCandidate& a, const GuidedCandidate& b)
{
    return a.distance < b.distance || (a.distance == b.distance && a.second < b.second);
}

bool sameOrder(const GuidedCandidate& a, const GuidedCandidate& b)
{
    return a.first < b.first || (a.first == b.first && a.second < b.second);
}

//! From one side.
void searchOneWay(const PairGeometry& geometry, const SearchView& first, const SearchView& second,
                  const SearchParams& params, std::vector<GuidedCandidate>& result)
{
    const ResidualMeter residual(geometry);
    std::vector<int> found;
    std::vector<GuidedCandidate> candidates;
    for (int p = 0; p < first.points.rows; ++p)
    {
        const Point2f place = pointAt(first.points, p);
        found.clear();
        if (residual.epipolar())
            second.index.nearLine(residual.lineInSecond(place), params.maxResidual, found);
        else
            second.index.nearPoint(residual.imageInSecond(place), params.maxResidual, found);
        candidates.clear();
        for (size_t n = 0; n < found.size(); ++n)
        {
            const double off = residual(place, pointAt(second.points, found[n]));
            if (off > params.maxResidual)
                continue;
            const GuidedCandidate candidate = {
                p, found[n],
                static_cast<float>(descriptorDistance(first.descriptors, p, second.descriptors,
                                                      found[n], params.normType)),
                static_cast<float>(off)};
            candidates.push_back(candidate);
        }
        const size_t kept = std::min(candidates.size(), static_cast<size_t>(params.count));
        std::partial_sort(candidates.begin(), candidates.begin() + static_cast<ptrdiff_t>(kept),
                          candidates.end(), closer);
        result.insert(result.end(), candidates.begin(),
                      candidates.begin() + static_cast<ptrdiff_t>(kept));
    }
}

/** Strikes out, in a list ascending by first, what is not the first point's nearest, and all of a point whose nearest is not clearly
closer than the nearest at another place. */
void strikeOut(const std::vector<GuidedCandidate>& candidates, const Mat& secondPoints,
               const SearchParams& params, std::vector<char>& good)
{
    for (size_t begin = 0, end; begin < candidates.size(); begin = end)
    {
        size_t best = begin;
        for (end = begin;
             end < candidates.size() && candidates[end].first == candidates[begin].first; ++end)
            if (closer(candidates[end], candidates[best]))
                best = end;
        const Point2f place = pointAt(secondPoints, candidates[best].second);
        float elsewhere = std::numeric_limits<float>::infinity();
        for (size_t n = begin; n < end; ++n)
        {
            const Point2f off = pointAt(secondPoints, candidates[n].second) - place;
            if (off.dot(off) > params.maxResidual * params.maxResidual)
            {
                elsewhere = std::min(elsewhere, candidates[n].distance);
                good[n] = 0;
            }
        }
        if (params.ratio < 1 && !(candidates[best].distance < params.ratio * elsewhere))
            std::fill(good.begin() + static_cast<ptrdiff_t>(begin),
                      good.begin() + static_cast<ptrdiff_t>(end), 0);
    }
}

//! The same pairs of points, ascending by what was their second.
std::vector<GuidedCandidate> mirrored(std::vector<GuidedCandidate> candidates)
{
    for (size_t n = 0; n < candidates.size(); ++n)
        std::swap(candidates[n].first, candidates[n].second);
    std::sort(candidates.begin(), candidates.end(), sameOrder);
    return candidates;
}

std::vector<GuidedCandidate> only(const std::vector<GuidedCandidate>& candidates,
                                  const std::vector<char>& good)
{
    std::vector<GuidedCandidate> kept;
    for (size_t n = 0; n < candidates.size(); ++n)
        if (good[n])
            kept.push_back(candidates[n]);
    return kept;
}

//! Sorted lists of which each pair of points must be in both.
std::vector<GuidedCandidate> common(const std::vector<GuidedCandidate>& a,
                                    const std::vector<GuidedCandidate>& b)
{
    std::vector<GuidedCandidate> both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both),
                          sameOrder);
    return both;
}

} // namespace

StripIndex::StripIndex(const Mat& points)
{
    for (int axis = 0; axis < 2; ++axis)
    {
        Strips& strips = strips_[axis];
        double high = strips.low = points.rows > 0 ? points.at<float>(0, axis) : 0;
        for (int p = 1; p < points.rows; ++p)
        {
            strips.low = std::min<double>(strips.low, points.at<float>(p, axis));
            high = std::max<double>(high, points.at<float>(p, axis));
        }
        const int count = std::max(1, static_cast<int>(points.rows / POINTS_PER_STRIP));
        strips.width = std::max(1e-3, (high - strips.low) / count);
        strips.entries.resize(static_cast<size_t>(count));
        for (int p = 0; p < points.rows; ++p)
        {
            const Entry entry = {points.at<float>(p, 1 - axis), p};
            strips.entries[static_cast<size_t>(strips.at(points.at<float>(p, axis)))].push_back(
                entry);
        }
        for (size_t s = 0; s < strips.entries.size(); ++s)
            std::sort(strips.entries[s].begin(), strips.entries[s].end());
    }
}

int StripIndex::Strips::at(double across) const
{
    const double strip = (across - low) / width;
    const int last = static_cast<int>(entries.size()) - 1;
    return strip <= 0 ? 0 : strip >= last ? last : static_cast<int>(strip);
}

void StripIndex::Strips::collect(int strip, double from, double to, std::vector<int>& found) const
{
    const std::vector<Entry>& entry = entries[static_cast<size_t>(strip)];
    const Entry first = {static_cast<float>(from), -1};
    for (std::vector<Entry>::const_iterator e = std::lower_bound(entry.begin(), entry.end(), first);
         e != entry.end() && e->along <= to; ++e)
        found.push_back(e->point);
}

void StripIndex::nearLine(const Vec3d& line, double distance, std::vector<int>& found) const
{
    // Along the axis in which the line advances faster, its other coordinate is well determined.
    const int axis = std::abs(line[1]) >= std::abs(line[0]) ? 0 : 1;
    const double across = line[axis], along = line[1 - axis];
    const Strips& strips = strips_[axis];
    if (!(std::abs(along) > 0) || !std::isfinite(line[2]))
        return;
    const double slack = distance / std::abs(along) + 1e-3;
    for (size_t s = 0; s < strips.entries.size(); ++s)
    {
        const double left = strips.low + static_cast<double>(s) * strips.width;
        const double right = left + strips.width;
        const double a = -(across * left + line[2]) / along;
        const double b = -(across * right + line[2]) / along;
        strips.collect(static_cast<int>(s), std::min(a, b) - slack, std::max(a, b) + slack, found);
    }
}

void StripIndex::nearPoint(const Point2d& place, double distance, std::vector<int>& found) const
{
    if (!std::isfinite(place.x) || !std::isfinite(place.y))
        return;
    const Strips& strips = strips_[0];
    for (int s = strips.at(place.x - distance); s <= strips.at(place.x + distance); ++s)
        strips.collect(s, place.y - distance, place.y + distance, found);
}

std::vector<GuidedCandidate> searchAlong(const PairGeometry& geometry, const SearchView& first,
                                         const SearchView& second, const SearchParams& params)
{
    std::vector<GuidedCandidate> all, back;
    searchOneWay(geometry, first, second, params, all);
    searchOneWay(swapped(geometry), second, first, params, back);
    back = mirrored(back);
    all.insert(all.end(), back.begin(), back.end());
    std::sort(all.begin(), all.end(), sameOrder);
    all.erase(std::unique(all.begin(), all.end(),
                          [](const GuidedCandidate& a, const GuidedCandidate& b) {
                              return a.first == b.first && a.second == b.second;
                          }),
              all.end());
    const std::vector<GuidedCandidate> other = mirrored(all);
    std::vector<char> good(all.size(), 1), goodBack(all.size(), 1);
    strikeOut(all, second.points, params, good);
    strikeOut(other, first.points, params, goodBack);
    return common(only(all, good), mirrored(only(other, goodBack)));
}

}} // namespace cv::multimatch
