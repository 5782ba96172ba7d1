// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "speed.hpp"

#include "arguments.hpp"
#include "measure.hpp"
#include "methods.hpp"
#include "paper_size.hpp"
#include "speed_search.hpp"

#include "opencv2/imgproc.hpp"

#include <algorithm>
#include <iostream>

namespace bench {

using namespace cv;
using namespace cv::multimatch;

namespace {

const int REPEATS = 10;

const int LONG_SIDE = 1400;       // of the photograph: enough for thousands of points a view
const int LARGE_LONG_SIDE = 4000; // and for tens of thousands

void measureDefaultRun(Results& results, const Features& features)
{
    Tracks tracks;
    const double peak = peakBytesOf(
        [&]() { tracks = HiPPI::create()->match(features.keypoints, features.descriptors); });
    // Other programs take time from some stages of some runs: the fastest of each stage is what it
    // takes alone.
    MatchReport run = tracks.report();
    for (int repeat = 1; repeat < REPEATS; ++repeat)
    {
        const MatchReport again =
            HiPPI::create()->match(features.keypoints, features.descriptors).report();
        for (size_t s = 0; s < run.seconds.size(); ++s)
            run.seconds[s] = std::min(run.seconds[s], again.seconds[s]);
    }
    double neighbors = 0;
    for (size_t s = 0; s < run.stages.size(); ++s)
    {
        report(results, "after-knn", OURS, "seconds-" + run.stages[s], run.seconds[s]);
        if (run.stages[s] == "neighbors")
            neighbors = run.seconds[s];
    }
    report(results, "after-knn", OURS, "key-points", features.pointCount());
    report(results, "after-knn", OURS, "tracks", tracks.size());
    report(results, "after-knn", OURS, "seconds", run.totalSeconds() - neighbors);
    report(results, "after-knn", OURS, "peak-rss-bytes", peak);
    report(results, "after-knn", "knn", "seconds", neighbors);
    report(results, "after-knn", "knn", "ratio", (run.totalSeconds() - neighbors) / neighbors);
}

//! One thread against two, for the search and for the whole run.
void measureThreads(Results& results, const Features& features)
{
    NeighborGraph graphs[2];
    Tracks tracks[2];
    double search[2], whole[2];
    for (int t = 0; t < 2; ++t)
    {
        setNumThreads(t + 1);
        search[t] = secondsOf([&]() { graphs[t] = findNeighbors(features.descriptors, 2); });
        whole[t] = secondsOf([&]() {
            tracks[t] = HiPPI::create()->match(features.keypoints, features.descriptors);
        });
    }
    setNumThreads(-1);
    const bool equal = graphs[0].distances.columns == graphs[1].distances.columns &&
                       graphs[0].distances.values == graphs[1].distances.values;
    report(results, "threads-knn", "one-thread", "seconds", search[0]);
    report(results, "threads-knn", OURS, "seconds", search[1]);
    report(results, "threads-knn", OURS, "identical", equal);
    report(results, "threads-knn", "one-thread", "ratio", search[0] / search[1]);
    report(results, "threads", "one-thread", "seconds", whole[0]);
    report(results, "threads", OURS, "seconds", whole[1]);
    report(results, "threads", OURS, "identical", tracks[0] == tracks[1]);
    report(results, "threads", "one-thread", "ratio", whole[0] / whole[1]);
}

double reportAll(Results& results, const std::string& set, const std::string& method,
                 const std::vector<Figure>& figures)
{
    for (const Figure& figure : figures)
        report(results, set, method, figure.metric, figure.value);
    return results.get(set, method, "seconds");
}

void measurePaperSize(Results& results, int denseIterations)
{
    const std::string solve = "paper-size", pipeline = "paper-size-pipeline";
    const double sparse = reportAll(results, solve, OURS, measureInChild(solveSparse));
    if (denseIterations > 0)
    {
        const double dense = reportAll(
            results, solve, "dense", measureInChild([&]() { return solveDense(denseIterations); }));
        report(results, solve, "dense", "objective-ratio",
               results.get(solve, OURS, "objective") / results.get(solve, "dense", "objective"));
        report(results, solve, "dense", "ratio", dense / sparse);
    }
    const double ours =
        reportAll(results, pipeline, OURS, measureInChild([&]() { return runPipeline(OURS); }));
    for (const char* peer : {"quickmatch", "matcheig"})
    {
        const double theirs =
            reportAll(results, pipeline, peer, measureInChild([&]() { return runPipeline(peer); }));
        report(results, pipeline, peer, "ratio", theirs / ours);
    }
}

//! Whether points of two views show the same place of the photograph.
class SamePlace
{
public:
    SamePlace(const Features& features, const WarpedViews& views)
    {
        for (size_t v = 0; v < features.keypoints.size(); ++v)
        {
            std::vector<Point2f> places, inPhoto;
            KeyPoint::convert(features.keypoints[v], places);
            if (!places.empty())
                perspectiveTransform(places, inPhoto, views.homographies[v].inv());
            places_.insert(places_.end(), inPhoto.begin(), inPhoto.end());
        }
    }

    bool operator()(int p, int q) const
    {
        return norm(places_[size_t(p)] - places_[size_t(q)]) < TOLERANCE;
    }

private:
    static constexpr double TOLERANCE = 3; // px of the photograph

    std::vector<Point2f> places_;
};

//! Share of the true matches among the neighbors of one graph that another one has too.
double recallOfTrue(const NeighborGraph& exact, const NeighborGraph& found, const SamePlace& same)
{
    double matches = 0, kept = 0;
    const CsrMatrix& E = exact.distances;
    for (int p = 0; p < E.rows; ++p)
        for (size_t e = E.offsets[size_t(p)]; e < E.offsets[size_t(p) + 1]; ++e)
            if (same(p, E.columns[e]))
            {
                ++matches;
                kept += found.distances.at(p, E.columns[e]) > 0 || E.values[e] == 0;
            }
    return kept / std::max(1., matches);
}

//! Pairs of observations on one track: those that show one place, and their share of all.
void reportTracks(Results& results, const std::string& method, const Tracks& tracks,
                  const SamePlace& same)
{
    double right = 0, all = 0;
    std::vector<std::vector<int>> members(size_t(tracks.size()));
    for (int v = 0, p = 0; v < tracks.viewCount(); ++v)
        for (int id : tracks.trackIds(v))
        {
            if (id >= 0)
                members[size_t(id)].push_back(p);
            ++p;
        }
    for (const std::vector<int>& track : members)
        for (size_t a = 0; a < track.size(); ++a)
            for (size_t b = a + 1; b < track.size(); ++b, ++all)
                right += same(track[a], track[b]);
    report(results, "large-views", method, "right-pairs", right);
    report(results, "large-views", method, "precision", right / std::max(1., all));
}

//! Views with as many key points as full-size photographs have: the search by cells beside the
//! exact one, whole runs with both, and a guided run.
void measureLargeViews(Results& results, int views, int points)
{
    const std::string set = "large-views";
    const WarpedViews warped = warpedViews(views, LARGE_LONG_SIDE);
    const Features sift = extract(warped.images, SIFT::create(points, 3, 0.002), points);
    const SamePlace same(sift, warped);
    report(results, set, OURS, "key-points", sift.pointCount());
    NeighborGraph exact, cells;
    const double cellSeconds = secondsOf([&]() { cells = findNeighbors(sift.descriptors, 2); });
    const double exactSeconds = secondsOf(
        [&]() { exact = findNeighbors(sift.descriptors, 2, noArray(), 0, SEARCH_EXACT); });
    report(results, set, OURS, "search-seconds", cellSeconds);
    report(results, set, OURS, "recall", recallOfTrue(exact, cells, same));
    report(results, set, "exact", "search-seconds", exactSeconds);
    report(results, set, "exact", "ratio", exactSeconds / cellSeconds);
    double seconds[3];
    const char* const names[] = {OURS, "exact", "guided"};
    for (int run = 0; run < 3; ++run)
    {
        const Ptr<MultiMatcher> matcher = run == 2 ? Ptr<MultiMatcher>(GuidedHiPPI::create())
                                                   : Ptr<MultiMatcher>(HiPPI::create());
        matcher->setSearchMode(run == 1 ? SEARCH_EXACT : SEARCH_AUTO);
        Tracks tracks;
        seconds[run] =
            secondsOf([&]() { tracks = matcher->match(sift.keypoints, sift.descriptors); });
        report(results, set, names[run], "seconds", seconds[run]);
        reportTracks(results, names[run], tracks, same);
    }
    report(results, set, "guided", "ratio", seconds[2] / seconds[0]);
}

const std::vector<std::string> SETS = {"paper-size", "after-knn",   "knn-float",  "knn-binary",
                                       "threads",    "approximate", "large-views"};

::samples::Arguments declareOptions()
{
    ::samples::Arguments arguments(
        "multimatch_bench speed [options]",
        "Seconds and peak memory, each beside a peer measured in the same run. ratio is the peer's "
        "seconds over ours (after-knn: ours over those of the search). Sets: paper-size (100 "
        "views, "
        "20,700 points, d = 414: the iteration beside a dense one, the whole run beside QuickMatch "
        "and MatchEig), after-knn (a default run by stages, each the fastest of ten), knn-float "
        "and knn-binary (the "
        "descriptor search beside cv::BFMatcher), threads (two beside one), approximate (all views "
        "of a walk with all by an index, beside the exact search and FLANN's k-d trees; recall is "
        "of the true matches that the exact search finds), large-views (views with as many key "
        "points as full-size photographs have: the default search beside the exact one, runs with "
        "both, and a guided run, whose ratio is over the default run).");
    arguments.option("sets", "NAME,NAME,...", "", "only these");
    arguments.option("views", "N", "12", "views of a photograph");
    arguments.option("points", "N", "3000", "key points a view");
    arguments.option("dense-iterations", "N", "100",
                     "paper-size: at most so many of the dense implementation, 0: leave it out");
    arguments.option("index-points", "N", "50000", "approximate: key points, in views of 1000");
    arguments.option("large-points", "N", "25000", "large-views: key points a view");
    arguments.option("csv", "FILE", "", "write suite,set,method,metric,value");
    arguments.flag("help", false, "this text");
    return arguments;
}

} // namespace

int runSpeed(int argc, const char* const* argv)
{
    ::samples::Arguments arguments = declareOptions();
    arguments.parse(argc, argv);
    if (arguments.getFlag("help"))
    {
        std::cout << arguments.help();
        return 0;
    }
    const std::vector<std::string> sets = arguments.getChosen("sets", SETS);
    const auto chosen = [&](const char* name) {
        return std::find(sets.begin(), sets.end(), name) != sets.end();
    };
    const int views = arguments.getInt("views", 2, 1000);
    const int points = arguments.getInt("points", 10, 100000);
    const int denseIterations = arguments.getInt("dense-iterations", 0, 1000);
    const int largePoints = arguments.getInt("large-points", 1000, 100000);
    const int indexPoints = arguments.getInt("index-points", 2000, 1000000);
    Results results("speed", arguments.get("csv"));
    if (chosen("paper-size")) // first: its processes must be made before there are threads
        measurePaperSize(results, denseIterations);
    if (chosen("approximate"))
        measureApproximate(results, indexPoints);
    if (chosen("large-views"))
        measureLargeViews(results, views, largePoints);
    if (!chosen("after-knn") && !chosen("knn-float") && !chosen("knn-binary") && !chosen("threads"))
        return 0;
    const std::vector<Mat> images = warpedViews(views, LONG_SIDE).images;
    const Features sift = extract(images, SIFT::create(points, 3, 0.01), points);
    if (chosen("after-knn"))
        measureDefaultRun(results, sift);
    if (chosen("knn-float"))
    {
        measureNeighbors(results, "knn-float", sift, NORM_L2);
        measureNeighbors(results, "knn-rootsift", rooted(sift), NORM_L2);
    }
    if (chosen("knn-binary"))
        measureNeighbors(results, "knn-binary", extract(images, ORB::create(points), points),
                         NORM_HAMMING);
    if (chosen("threads"))
        measureThreads(results, sift);
    return 0;
}

} // namespace bench
