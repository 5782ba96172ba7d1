// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "../base/checks.hpp"

#include "opencv2/multimatch/pair_report.hpp"

#include <map>
#include <unordered_map>

namespace cv { namespace multimatch {

PairReport::PairReport() : first(-1), second(-1), given(0), kept(0), contradicted(0), score(0.5) {}

namespace {

//! A view and the number of tracks that it shares with another one.
typedef std::pair<int, int> Shared;

//! Per view the views that share tracks with it, ascending.
std::vector<std::vector<Shared>> sharedTracks(const std::vector<std::vector<Observation>>& members,
                                              const Tracks& tracks)
{
    const int views = tracks.viewCount();
    std::vector<std::vector<Shared>> result(static_cast<size_t>(views));
    parallel_for_(Range(0, views), [&](const Range& range) {
        std::vector<int> counts(static_cast<size_t>(views));
        for (int v = range.start; v < range.end; ++v)
        {
            std::fill(counts.begin(), counts.end(), 0);
            for (int id : tracks.ids(v))
                if (id >= 0)
                    for (const Observation& other : members[id])
                        ++counts[other.view];
            for (int u = 0; u < views; ++u)
                if (u != v && counts[u] > 0)
                    result[v].push_back(Shared(u, counts[u]));
        }
    });
    return result;
}

//! Sum over third views of the geometric mean of the tracks they share with a and b.
double expectedCycles(const std::vector<Shared>& a, int viewA, const std::vector<Shared>& b,
                      int viewB)
{
    double sum = 0;
    for (size_t n = 0, m = 0; n < a.size() && m < b.size();)
    {
        if (a[n].first == b[m].first)
        {
            if (a[n].first != viewA && a[n].first != viewB)
                sum += std::sqrt(static_cast<double>(a[n].second) * b[m].second);
            ++n, ++m;
        }
        else
            ++(a[n].first < b[m].first ? n : m);
    }
    return sum;
}

typedef std::pair<int, int> Pair;

Pair ordered(int a, int b)
{
    return Pair(std::min(a, b), std::max(a, b));
}

//! The different matches of each pair of views as points of the first and the second view.
std::map<Pair, std::vector<Pair>> differentMatches(const std::vector<PairMatches>& matches)
{
    std::map<Pair, std::vector<Pair>> result;
    for (const PairMatches& pair : matches)
    {
        std::vector<Pair>& points = result[ordered(pair.first, pair.second)];
        for (const DMatch& match : pair.matches)
            points.push_back(pair.first < pair.second ? Pair(match.queryIdx, match.trainIdx)
                                                      : Pair(match.trainIdx, match.queryIdx));
    }
    for (std::pair<const Pair, std::vector<Pair>>& pair : result)
    {
        std::sort(pair.second.begin(), pair.second.end());
        pair.second.erase(std::unique(pair.second.begin(), pair.second.end()), pair.second.end());
    }
    return result;
}

} // namespace

std::vector<PairReport> reportPairs(const std::vector<PairMatches>& matches, const Tracks& tracks)
{
    std::vector<int> sizes;
    sizes.reserve(static_cast<size_t>(tracks.viewCount()));
    for (int v = 0; v < tracks.viewCount(); ++v)
        sizes.push_back(tracks.pointCount(v));
    checkMatches(matches, sizes, false);
    std::vector<std::vector<Observation>> members;
    members.reserve(static_cast<size_t>(tracks.size()));
    for (int t = 0; t < tracks.size(); ++t)
        members.push_back(tracks.track(t));
    const std::vector<std::vector<Shared>> shared = sharedTracks(members, tracks);

    std::vector<PairReport> result;
    for (const std::pair<const Pair, std::vector<Pair>>& pair : differentMatches(matches))
    {
        PairReport report;
        report.first = pair.first.first;
        report.second = pair.first.second;
        report.given = static_cast<int>(pair.second.size());
        for (const Pair& match : pair.second)
        {
            const int a = tracks.ids(report.first)[match.first];
            const int b = tracks.ids(report.second)[match.second];
            report.kept += a >= 0 && a == b;
            report.contradicted += a >= 0 && b >= 0 && a != b;
        }
        double cycles = 0;
        for (int id : tracks.ids(report.first))
            if (id >= 0 &&
                std::any_of(members[id].begin(), members[id].end(),
                            [&](const Observation& o) { return o.view == report.second; }))
                cycles += static_cast<double>(members[id].size()) - 2;
        const double agreement =
            (cycles + 0.5) / (expectedCycles(shared[report.first], report.first,
                                             shared[report.second], report.second) +
                              1);
        report.score = (report.kept * agreement + 0.5) / (report.kept + report.contradicted + 1);
        result.push_back(report);
    }
    return result;
}

InputReport::InputReport()
    : duplicateMatches(0), ambiguousMatches(0), outsidePoints(0), coincidentPoints(0)
{
}

namespace {

bool isOutside(const Point2f& point, const std::vector<Size>& sizes, size_t view)
{
    if (point.x < -0.5f || point.y < -0.5f)
        return true;
    if (sizes.empty())
        return false;
    return point.x > static_cast<float>(sizes[view].width) - 0.5f ||
           point.y > static_cast<float>(sizes[view].height) - 0.5f;
}

int coincidentIn(const std::vector<KeyPoint>& view)
{
    std::vector<std::pair<float, float>> places;
    places.reserve(view.size());
    for (const KeyPoint& point : view)
        places.push_back(std::make_pair(point.pt.x, point.pt.y));
    std::sort(places.begin(), places.end());
    return static_cast<int>(places.end() - std::unique(places.begin(), places.end()));
}

//! Matches of a pair of views that share a point with another one; matches are different and
//! ascending.
int ambiguousIn(const std::vector<Pair>& matches)
{
    std::unordered_map<int, int> first, second;
    for (const Pair& match : matches)
    {
        ++first[match.first];
        ++second[match.second];
    }
    int count = 0;
    for (const Pair& match : matches)
        count += first[match.first] > 1 || second[match.second] > 1;
    return count;
}

} // namespace

InputReport inspectMatches(const std::vector<std::vector<KeyPoint>>& keypoints,
                           const std::vector<PairMatches>& matches,
                           const std::vector<Size>& imageSizes)
{
    checkMatches(matches, sizesOf(keypoints), false);
    if (!imageSizes.empty() && imageSizes.size() != keypoints.size())
        CV_Error_(Error::StsUnmatchedSizes, ("imageSizes has %zu views but keypoints has %zu",
                                             imageSizes.size(), keypoints.size()));
    InputReport report;
    for (size_t v = 0; v < keypoints.size(); ++v)
    {
        for (const KeyPoint& point : keypoints[v])
            report.outsidePoints += isOutside(point.pt, imageSizes, v);
        report.coincidentPoints += coincidentIn(keypoints[v]);
    }
    int given = 0;
    for (const PairMatches& pair : matches)
        given += static_cast<int>(pair.matches.size());
    for (const std::pair<const Pair, std::vector<Pair>>& pair : differentMatches(matches))
    {
        given -= static_cast<int>(pair.second.size());
        report.ambiguousMatches += ambiguousIn(pair.second);
    }
    report.duplicateMatches = given;
    return report;
}

}} // namespace cv::multimatch
