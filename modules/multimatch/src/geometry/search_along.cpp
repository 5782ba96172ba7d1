// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "../base/kd_tree.hpp"
#include "pair_geometry.hpp"
#include "pencil_index.hpp"

#include "opencv2/multimatch/detail/offsets.hpp"
#include "opencv2/multimatch/detail/search_along.hpp"

#include <iterator>

namespace cv { namespace multimatch { namespace detail {

namespace {

Point2f pointAt(const Mat& points, int p)
{
    return Point2f(points.at<float>(p, 0), points.at<float>(p, 1));
}

bool closer(const AlongPair& a, const AlongPair& b)
{
    return a.distance < b.distance || (a.distance == b.distance && a.second < b.second);
}

bool sameOrder(const AlongPair& a, const AlongPair& b)
{
    return a.first < b.first || (a.first == b.first && a.second < b.second);
}

//! The pairs of one point with points that lie along the geometry.
void addPairs(const ResidualMeter& residual, const Mat& first, const Mat& second, int p,
              const std::vector<int>& found, const SearchAlongParams& params,
              std::vector<AlongPair>& pairs)
{
    const Point2f place = pointAt(first, p);
    for (size_t n = 0; n < found.size(); ++n)
    {
        const double off = residual(place, pointAt(second, found[n]));
        if (off > params.maxResidual)
            continue;
        const float distance = params.distance(p, found[n]);
        if (!(distance < std::numeric_limits<float>::infinity()))
            continue;
        const AlongPair candidate = {p, found[n], distance, static_cast<float>(off)};
        pairs.push_back(candidate);
    }
}

//! Line after line, so that the points near one are still in the cache for the next.
std::vector<AlongPair> pairsAlongLines(const PairGeometry& geometry, const Mat& first,
                                       const Mat& second, const SearchAlongParams& params)
{
    const ResidualMeter residual(geometry);
    const PencilIndex index(second, residual.epipoleInSecond());
    std::vector<std::pair<double, int>> order; // direction of the line, point
    for (int p = 0; p < first.rows; ++p)
    {
        const double direction = index.directionOf(residual.lineInSecond(pointAt(first, p)));
        if (std::isfinite(direction))
            order.push_back(std::make_pair(direction, p));
    }
    std::sort(order.begin(), order.end());
    std::vector<int> found;
    std::vector<AlongPair> pairs;
    for (size_t n = 0; n < order.size(); ++n)
    {
        found.clear();
        index.nearLine(order[n].first, params.maxResidual, found);
        addPairs(residual, first, second, order[n].second, found, params, pairs);
    }
    return pairs;
}

std::vector<AlongPair> pairsAtPlaces(const PairGeometry& geometry, const Mat& first,
                                     const Mat& second, const SearchAlongParams& params)
{
    const ResidualMeter residual(geometry);
    const KdTree tree(second);
    const float radius2 = static_cast<float>(params.maxResidual * params.maxResidual) * 1.0001f;
    std::vector<KdTree::Hit> hits;
    std::vector<int> found;
    std::vector<AlongPair> pairs;
    for (int p = 0; p < first.rows; ++p)
    {
        const Point2f image(residual.imageInSecond(pointAt(first, p)));
        found.clear();
        if (!std::isfinite(image.x) || !std::isfinite(image.y))
            continue;
        tree.withinRadius(&image.x, radius2, 0, hits);
        for (size_t h = 0; h < hits.size(); ++h)
            found.push_back(hits[h].point);
        addPairs(residual, first, second, p, found, params, pairs);
    }
    return pairs;
}

//! Marks the count nearest ones of each point; point: the first or the second of a candidate.
void markNearest(const std::vector<AlongPair>& candidates, int AlongPair::*point, int points,
                 int count, std::vector<char>& marked)
{
    std::vector<size_t> offsets(static_cast<size_t>(points) + 1, 0), order(candidates.size());
    for (size_t n = 0; n < candidates.size(); ++n)
        ++offsets[candidates[n].*point + 1];
    countsToOffsets(offsets);
    std::vector<size_t> next(offsets.begin(), offsets.end() - 1);
    for (size_t n = 0; n < candidates.size(); ++n)
        order[next[candidates[n].*point]++] = n;
    const auto nearer = [&](size_t a, size_t b) {
        const AlongPair &x = candidates[a], &y = candidates[b];
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
void clearOtherPlaces(const std::vector<AlongPair>& candidates, const Mat& secondPoints,
                      const SearchAlongParams& params, std::vector<char>& good)
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
std::vector<AlongPair> mirrored(std::vector<AlongPair> candidates)
{
    for (size_t n = 0; n < candidates.size(); ++n)
        std::swap(candidates[n].first, candidates[n].second);
    std::sort(candidates.begin(), candidates.end(), sameOrder);
    return candidates;
}

std::vector<AlongPair> only(const std::vector<AlongPair>& candidates, const std::vector<char>& good)
{
    std::vector<AlongPair> kept;
    for (size_t n = 0; n < candidates.size(); ++n)
        if (good[n])
            kept.push_back(candidates[n]);
    return kept;
}

//! Intersection of two sorted lists.
std::vector<AlongPair> common(const std::vector<AlongPair>& a, const std::vector<AlongPair>& b)
{
    std::vector<AlongPair> both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both),
                          sameOrder);
    return both;
}

} // namespace

std::vector<AlongPair> searchAlong(const PairGeometry& geometry, const Mat& first,
                                   const Mat& second, const SearchAlongParams& params)
{
    // The residual is the larger of both views', so one direction is enough.
    std::vector<AlongPair> pairs = geometry.model == MODEL_HOMOGRAPHY
                                       ? pairsAtPlaces(geometry, first, second, params)
                                       : pairsAlongLines(geometry, first, second, params);
    std::sort(pairs.begin(), pairs.end(), sameOrder);
    std::vector<char> near(pairs.size(), 0);
    markNearest(pairs, &AlongPair::first, first.rows, params.count, near);
    markNearest(pairs, &AlongPair::second, second.rows, params.count, near);
    const std::vector<AlongPair> all = only(pairs, near), other = mirrored(all);
    std::vector<char> good(all.size(), 1), goodBack(all.size(), 1);
    clearOtherPlaces(all, second, params, good);
    clearOtherPlaces(other, first, params, goodBack);
    return common(only(all, good), mirrored(only(other, goodBack)));
}

}}} // namespace cv::multimatch::detail
