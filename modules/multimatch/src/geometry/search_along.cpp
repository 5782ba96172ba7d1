// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "search_along.hpp"

#include "../search/descriptor_distance.hpp"

#include "opencv2/multimatch/detail/offsets.hpp"

#include <Eigen/Core>

#include <iterator>

namespace cv { namespace multimatch {

namespace {

const double POINTS_PER_STRIP = 96;
const int CELLS_PER_STRIP = 96;

Point2f pointAt(const Mat& points, int p)
{
    return Point2f(points.at<float>(p, 0), points.at<float>(p, 1));
}

bool closer(const GuidedCandidate& a, const GuidedCandidate& b)
{
    return a.distance < b.distance || (a.distance == b.distance && a.second < b.second);
}

bool sameOrder(const GuidedCandidate& a, const GuidedCandidate& b)
{
    return a.first < b.first || (a.first == b.first && a.second < b.second);
}

//! All pairs of points that lie along the geometry, ascending by the first. The residual is the
//! larger of both views', so one direction is enough.
std::vector<GuidedCandidate> pairsAlong(const PairGeometry& geometry, const SearchView& first,
                                        const SearchView& second, const SearchParams& params)
{
    const ResidualMeter residual(geometry);
    std::vector<int> found;
    std::vector<GuidedCandidate> result;
    for (int p = 0; p < first.points.rows; ++p)
    {
        const Point2f place = pointAt(first.points, p);
        found.clear();
        if (residual.epipolar())
            second.index.nearLine(residual.lineInSecond(place), params.maxResidual, found);
        else
            second.index.nearPoint(residual.imageInSecond(place), params.maxResidual, found);
        for (size_t n = 0; n < found.size(); ++n)
        {
            const double off = residual(place, pointAt(second.points, found[n]));
            if (off > params.maxResidual)
                continue;
            const GuidedCandidate candidate = {
                p, found[n],
                descriptorDistance(first.descriptors.ptr(p), second.descriptors.ptr(found[n]),
                                   first.descriptors.cols, first.descriptors.depth(),
                                   params.normType),
                static_cast<float>(off)};
            result.push_back(candidate);
        }
    }
    return result;
}

//! Marks the count nearest ones of each point; point: the first or the second of a candidate.
void markNearest(const std::vector<GuidedCandidate>& candidates, int GuidedCandidate::*point,
                 int points, int count, std::vector<char>& marked)
{
    std::vector<size_t> offsets(static_cast<size_t>(points) + 1, 0), order(candidates.size());
    for (size_t n = 0; n < candidates.size(); ++n)
        ++offsets[candidates[n].*point + 1];
    detail::countsToOffsets(offsets);
    std::vector<size_t> next(offsets.begin(), offsets.end() - 1);
    for (size_t n = 0; n < candidates.size(); ++n)
        order[next[candidates[n].*point]++] = n;
    const auto nearer = [&](size_t a, size_t b) {
        const GuidedCandidate &x = candidates[a], &y = candidates[b];
        return x.distance != y.distance ? x.distance < y.distance : sameOrder(x, y);
    };
    for (size_t p = 0; p < static_cast<size_t>(points); ++p)
    {
        const size_t kept = std::min(offsets[p + 1], offsets[p] + static_cast<size_t>(count));
        std::partial_sort(order.begin() + offsets[p], order.begin() + kept,
                          order.begin() + offsets[p + 1], nearer);
        for (size_t n = offsets[p]; n < kept; ++n)
            marked[order[n]] = 1;
    }
}

//! In a list ascending by first: clears good for candidates that are not at the position of the
//! nearest one of their first point.
void clearOtherPlaces(const std::vector<GuidedCandidate>& candidates, const Mat& secondPoints,
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
        for (size_t n = begin; n < end; ++n)
        {
            const Point2f off = pointAt(secondPoints, candidates[n].second) - place;
            if (off.dot(off) > params.maxResidual * params.maxResidual)
                good[n] = 0;
        }
    }
}

//! The same pairs of points with first and second exchanged, ascending.
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

//! Intersection of two sorted lists.
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
    Axis axes[2];
    for (int axis = 0; axis < 2; ++axis)
    {
        double high = axes[axis].low = points.rows > 0 ? points.at<float>(0, axis) : 0;
        for (int p = 1; p < points.rows; ++p)
        {
            axes[axis].low = std::min<double>(axes[axis].low, points.at<float>(p, axis));
            high = std::max<double>(high, points.at<float>(p, axis));
        }
        axes[axis].width = high - axes[axis].low;
    }
    for (int axis = 0; axis < 2; ++axis)
    {
        Strips& strips = strips_[axis];
        const int count = std::max(1, static_cast<int>(points.rows / POINTS_PER_STRIP));
        strips.across = axes[axis];
        strips.along = axes[1 - axis];
        strips.across.count = count;
        strips.along.count = CELLS_PER_STRIP;
        strips.across.width = std::max(1e-3, strips.across.width / strips.across.count);
        strips.along.width = std::max(1e-3, strips.along.width / strips.along.count);
        std::vector<int> cell;
        strips.offsets.assign(static_cast<size_t>(count * CELLS_PER_STRIP) + 1, 0);
        for (int p = 0; p < points.rows; ++p)
        {
            cell.push_back(strips.across.at(points.at<float>(p, axis)) * CELLS_PER_STRIP +
                           strips.along.at(points.at<float>(p, 1 - axis)));
            ++strips.offsets[cell.back() + 1];
        }
        std::partial_sum(strips.offsets.begin(), strips.offsets.end(), strips.offsets.begin());
        strips.entries.resize(points.rows);
        std::vector<int> next(strips.offsets.begin(), strips.offsets.end() - 1);
        for (int p = 0; p < points.rows; ++p)
        {
            const Entry entry = {points.at<float>(p, 1 - axis), points.at<float>(p, axis), p};
            strips.entries[next[cell[p]]++] = entry;
        }
    }
}

int StripIndex::Axis::at(double x) const
{
    const double part = (x - low) / width;
    return part <= 0 ? 0 : part >= count - 1 ? count - 1 : static_cast<int>(part);
}

template<typename Wanted>
void StripIndex::Strips::collect(int strip, double from, double to, const Wanted& wanted,
                                 std::vector<int>& found) const
{
    if (to < along.low || from > along.low + along.width * along.count)
        return;
    const int first = offsets[strip * along.count + along.at(from)];
    const int last = offsets[strip * along.count + along.at(to) + 1];
    for (int e = first; e < last; ++e)
        if (wanted(entries[e]))
            found.push_back(entries[e].point);
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
    const auto nearEnough = [&](const Entry& e) {
        return std::abs(across * e.across + along * e.along + line[2]) <= distance;
    };
    const double advance = -across * strips.across.width / along;
    const double start = -(across * strips.across.low + line[2]) / along;
    for (int s = 0; s < strips.across.count; ++s)
    {
        const double a = start + s * advance, b = a + advance;
        strips.collect(s, std::min(a, b) - slack, std::max(a, b) + slack, nearEnough, found);
    }
}

void StripIndex::nearPoint(const Point2d& place, double distance, std::vector<int>& found) const
{
    if (!std::isfinite(place.x) || !std::isfinite(place.y))
        return;
    const Strips& strips = strips_[0];
    const auto inSquare = [&](const Entry& e) {
        return std::abs(e.across - place.x) <= distance && std::abs(e.along - place.y) <= distance;
    };
    for (int s = strips.across.at(place.x - distance); s <= strips.across.at(place.x + distance);
         ++s)
        strips.collect(s, place.y - distance, place.y + distance, inSquare, found);
}

std::vector<GuidedCandidate> searchAlong(const PairGeometry& geometry, const SearchView& first,
                                         const SearchView& second, const SearchParams& params)
{
    const std::vector<GuidedCandidate> pairs = pairsAlong(geometry, first, second, params);
    std::vector<char> near(pairs.size(), 0);
    markNearest(pairs, &GuidedCandidate::first, first.points.rows, params.count, near);
    markNearest(pairs, &GuidedCandidate::second, second.points.rows, params.count, near);
    std::vector<GuidedCandidate> all = only(pairs, near);
    std::sort(all.begin(), all.end(), sameOrder);
    const std::vector<GuidedCandidate> other = mirrored(all);
    std::vector<char> good(all.size(), 1), goodBack(all.size(), 1);
    clearOtherPlaces(all, second.points, params, good);
    clearOtherPlaces(other, first.points, params, goodBack);
    return common(only(all, good), mirrored(only(other, goodBack)));
}

}} // namespace cv::multimatch
