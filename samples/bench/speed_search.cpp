// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "speed_search.hpp"

#include "measure.hpp"
#include "methods.hpp"
#include "walk.hpp"

#include "opencv2/flann.hpp"

#include <algorithm>
#include <cstdio>

namespace bench {

using namespace cv;
using namespace cv::multimatch;

void report(Results& results, const std::string& set, const std::string& method,
            const std::string& metric, double value)
{
    results.add("speed", set, method, metric, value);
    std::printf("%-12s %-12s %-22s %.5g\n", set.c_str(), method.c_str(), metric.c_str(), value);
    std::fflush(stdout);
}

namespace {

//! Share of knnMatch's neighbors that the graph holds too, at the same distance; ties may go either
//! way.
class Agreement
{
public:
    explicit Agreement(const NeighborGraph& graph) : graph_(graph), offsets_(1, 0)
    {
        for (int size : graph.viewSizes)
            offsets_.push_back(offsets_.back() + size);
    }

    void add(size_t query, size_t train, const std::vector<std::vector<DMatch>>& matches)
    {
        const CsrMatrix& D = graph_.distances;
        for (const std::vector<DMatch>& list : matches)
            for (const DMatch& match : list)
            {
                const int p = offsets_[query] + match.queryIdx;
                const int q = offsets_[train] + match.trainIdx;
                ++all_;
                equal_ += std::abs(D.at(p, q) - match.distance) <= 1e-3f * match.distance ||
                          isTie(p, train, match.distance);
            }
    }
    double share() const { return double(equal_) / double(std::max<size_t>(1, all_)); }

private:
    bool isTie(int p, size_t view, float distance) const
    {
        const CsrMatrix& D = graph_.distances;
        for (size_t e = D.offsets[size_t(p)]; e < D.offsets[size_t(p) + 1]; ++e)
            if (D.columns[e] >= offsets_[view] && D.columns[e] < offsets_[view + 1] &&
                std::abs(D.values[e] - distance) <= 1e-5f * distance)
                return true;
        return false;
    }

    const NeighborGraph& graph_;
    std::vector<int> offsets_;
    size_t all_ = 0, equal_ = 0;
};

//! Share of the true matches of one graph that are in another.
double recallOf(const NeighborGraph& exact, const NeighborGraph& found, const Labels& labels)
{
    std::vector<int> all;
    for (const std::vector<int>& view : labels)
        all.insert(all.end(), view.begin(), view.end());
    double matches = 0, kept = 0;
    const CsrMatrix &E = exact.distances, &F = found.distances;
    for (int p = 0; p < E.rows; ++p)
        for (size_t e = E.offsets[size_t(p)]; e < E.offsets[size_t(p) + 1]; ++e)
            if (all[size_t(p)] >= 0 && all[size_t(p)] == all[size_t(E.columns[e])])
            {
                ++matches;
                kept += std::binary_search(F.columns.begin() + ptrdiff_t(F.offsets[size_t(p)]),
                                           F.columns.begin() + ptrdiff_t(F.offsets[size_t(p) + 1]),
                                           E.columns[e]);
            }
    return kept / std::max(1., matches);
}

//! FLANN's forest of k-d trees over all points: the nearest 64 of each.
NeighborGraph flannNeighbors(const Problem& walk)
{
    Mat all, rows;
    vconcat(walk.descriptors, all);
    all.convertTo(rows, CV_32F);
    flann::Index index(rows, flann::KDTreeIndexParams(4));
    Mat found, distances;
    index.knnSearch(rows, found, distances, 64, flann::SearchParams(128));
    std::vector<int> from, to;
    for (int p = 0; p < found.rows; ++p)
        for (int n = 0; n < found.cols; ++n)
        {
            from.push_back(p);
            to.push_back(found.at<int>(p, n));
            from.push_back(to.back());
            to.push_back(p);
        }
    NeighborGraph graph;
    graph.distances = CsrMatrix::fromTriplets(rows.rows, rows.rows, from, to,
                                              std::vector<float>(from.size(), 1.f));
    return graph;
}

} // namespace

void measureNeighbors(Results& results, const std::string& set, const Features& features, int norm)
{
    NeighborGraph graph;
    const double ours = secondsOf([&]() { graph = findNeighbors(features.descriptors, 2); });
    Agreement agreement(graph);
    const BFMatcher matcher(norm);
    double peer = 0;
    for (size_t i = 0; i < features.descriptors.size(); ++i)
        for (size_t j = 0; j < features.descriptors.size(); ++j)
        {
            if (i == j)
                continue;
            std::vector<std::vector<DMatch>> matches;
            peer += secondsOf([&]() {
                matcher.knnMatch(features.descriptors[i], features.descriptors[j], matches, 2);
            });
            agreement.add(i, j, matches);
        }
    report(results, set, "BFMatcher", "seconds", peer);
    report(results, set, OURS, "seconds", ours);
    report(results, set, OURS, "equal-neighbors", agreement.share());
    report(results, set, "BFMatcher", "ratio", peer / ours);
}

void measureApproximate(Results& results, int points)
{
    WalkParams params;
    params.views = points / params.viewPoints;
    params.descriptorType = CV_8U;
    const Problem walk = makeWalk(params);
    NeighborGraph exact, cells, trees;
    const double exactSeconds =
        secondsOf([&]() { exact = findNeighbors(walk.descriptors, 2, noArray(), NORM_L2); });
    const double cellSeconds = secondsOf([&]() {
        cells = findNeighbors(walk.descriptors, 2, noArray(), NORM_L2, SEARCH_APPROXIMATE);
    });
    const double treeSeconds = secondsOf([&]() { trees = flannNeighbors(walk); });
    const std::string set = "approximate";
    report(results, set, OURS, "key-points", points);
    report(results, set, OURS, "seconds", cellSeconds);
    report(results, set, OURS, "recall", recallOf(exact, cells, walk.labels));
    report(results, set, "exact", "seconds", exactSeconds);
    report(results, set, "exact", "ratio", exactSeconds / cellSeconds);
    report(results, set, "flann", "seconds", treeSeconds);
    report(results, set, "flann", "recall", recallOf(exact, trees, walk.labels));
    report(results, set, "flann", "ratio", treeSeconds / cellSeconds);
}

} // namespace bench
