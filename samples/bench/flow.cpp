// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "flow.hpp"

#include "measure.hpp"
#include "results.hpp"

#include "arguments.hpp"
#include "files.hpp"
#include "flow_matches.hpp"
#include "photo_sequence.hpp"

#include "opencv2/imgcodecs.hpp"
#include "opencv2/multimatch.hpp"
#include "opencv2/multimatch/evaluation.hpp"

#include <cstdio>
#include <iostream>
#include <map>

namespace bench {

using namespace cv;
using namespace cv::multimatch;

namespace {

typedef std::vector<std::vector<KeyPoint>> KeyPoints;

const double MAX_ERROR = 1.5; // px
const char* const METHODS[] = {"HiPPI", "chained", "rounded to 4 px", "rounded to 8 px"};

struct Tracked
{
    Tracks tracks;
    KeyPoints keypoints;
};

Tracked byHiPPI(const std::vector<CoordinateMatches>& matches, int frames, double radius)
{
    const ClusteredMatches clustered = clusterMatches(matches, frames, radius);
    Tracked result;
    result.tracks =
        HiPPI::create()->synchronize(clustered.keypoints, clustered.matches, WEIGHTS_FROM_SCORES);
    result.keypoints = refineKeyPoints(clustered, result.tracks);
    return result;
}

//! Follows the matches of neighboring frames; a match ends where another one begins.
Tracked chained(const std::vector<CoordinateMatches>& matches, int frames)
{
    typedef std::map<std::pair<float, float>, int> Places;
    std::vector<Places> places(static_cast<size_t>(frames));
    std::vector<std::vector<int>> labels(places.size());
    Tracked result;
    result.keypoints.resize(places.size());
    int count = 0;
    const auto add = [&](int frame, float x, float y, int label) {
        const size_t f = static_cast<size_t>(frame);
        const std::pair<Places::iterator, bool> added =
            places[f].insert(std::make_pair(std::make_pair(x, y), label));
        if (added.second)
        {
            labels[f].push_back(label < 0 ? count++ : label);
            added.first->second = labels[f].back();
            result.keypoints[f].push_back(KeyPoint(Point2f(x, y), 1));
        }
        return added.first->second;
    };
    for (const CoordinateMatches& pair : matches) // ascending
        for (int r = 0; pair.second == pair.first + 1 && r < pair.points.rows; ++r)
        {
            const float* x = pair.points.ptr<float>(r);
            add(pair.second, x[2], x[3], add(pair.first, x[0], x[1], -1));
        }
    result.tracks = Tracks(labels, std::vector<std::vector<float>>(), 2);
    return result;
}

/** Coordinates in one cell are one key point, at their mean, and the components of the matches are
tracks; those with two key points in one frame are dropped, as programs for structure from motion
do. */
Tracked rounded(const std::vector<CoordinateMatches>& matches, int frames, float cell)
{
    std::vector<std::map<std::pair<int, int>, int>> cells(static_cast<size_t>(frames));
    std::vector<std::vector<int>> counts(cells.size());
    Tracked result;
    result.keypoints.resize(cells.size());
    const auto add = [&](int frame, float x, float y) {
        const size_t f = static_cast<size_t>(frame);
        const int next = static_cast<int>(result.keypoints[f].size());
        const int p =
            cells[f]
                .insert(std::make_pair(std::make_pair(cvRound(x / cell), cvRound(y / cell)), next))
                .first->second;
        if (p == next)
        {
            result.keypoints[f].push_back(KeyPoint(Point2f(0, 0), cell));
            counts[f].push_back(0);
        }
        result.keypoints[f][p].pt += Point2f(x, y);
        ++counts[f][p];
        return p;
    };
    std::vector<PairMatches> pairs;
    for (const CoordinateMatches& given : matches)
    {
        PairMatches pair(given.first, given.second);
        for (int r = 0; r < given.points.rows; ++r)
        {
            const float* x = given.points.ptr<float>(r);
            const int p = add(given.first, x[0], x[1]), q = add(given.second, x[2], x[3]);
            pair.matches.push_back(DMatch(p, q, 1.f));
        }
        pairs.push_back(pair);
    }
    for (size_t f = 0; f < counts.size(); ++f)
        for (size_t p = 0; p < counts[f].size(); ++p)
            result.keypoints[f][p].pt *= 1.f / static_cast<float>(counts[f][p]);
    result.tracks =
        UnionFind::create()->synchronize(result.keypoints, pairs, WEIGHTS_FROM_SCORES).filter(2);
    return result;
}

Tracked trackedBy(int method, const std::vector<CoordinateMatches>& matches, int frames,
                  double radius)
{
    switch (method)
    {
    case 0:
        return byHiPPI(matches, frames, radius);
    case 1:
        return chained(matches, frames);
    default:
        return rounded(matches, frames, method == 2 ? 4.f : 8.f);
    }
}

void measure(Results& results, const std::string& set, const ::samples::CameraFlight& flight,
             double radius)
{
    const int frames = static_cast<int>(flight.images.size());
    ::samples::FlowMatcher matcher((::samples::FlowParams()));
    const double flowSeconds = secondsOf([&]() {
        for (const Mat& image : flight.images)
            matcher.add(image);
    });
    results.add("flow", set, "flow", "seconds", flowSeconds);
    for (int m = 0; m < 4; ++m)
    {
        Tracked tracked;
        const double seconds =
            secondsOf([&]() { tracked = trackedBy(m, matcher.matches(), frames, radius); });
        const TrackStatistics statistics = tracked.tracks.statistics();
        const GeometryScore score =
            scoreHomographies(tracked.tracks, tracked.keypoints, flight.homographies, MAX_ERROR);
        results.add("flow", set, METHODS[m], "tracks", statistics.tracks);
        results.add("flow", set, METHODS[m], "length", statistics.meanLength);
        results.add("flow", set, METHODS[m], "precision", score.precision());
        results.add("flow", set, METHODS[m], "correct", score.correct);
        results.add("flow", set, METHODS[m], "two-view", statistics.twoViewShare);
        results.add("flow", set, METHODS[m], "seconds", seconds);
        std::printf("%-22s %-16s %8d %8.2f %10.4f %12.0f %9.3f %8.2f\n", set.c_str(), METHODS[m],
                    statistics.tracks, statistics.meanLength, score.precision(), score.correct,
                    statistics.twoViewShare, seconds);
        std::fflush(stdout);
    }
}

void printMeans(const Results& results)
{
    std::printf(
        "\n| method | track length | precision at %.1f px | correct matches | two-view tracks "
        "|\n|---|---|---|---|---|\n",
        MAX_ERROR);
    for (const char* method : METHODS)
        std::printf(
            "| %s | %.2f | %.4f | %.0f | %.3f |\n", method, results.mean("flow", method, "length"),
            results.mean("flow", method, "precision"), results.mean("flow", method, "correct"),
            results.mean("flow", method, "two-view"));
}

} // namespace

int runFlow(int argc, const char* const* argv)
{
    ::samples::Arguments arguments(
        "multimatch_bench flow [options]",
        "Tracks of a dense matcher, which has no key points: DIS optical flow on a grid of 8 px "
        "between\nframes 1, 2, 4 and 8 apart, forward-backward checked, on flights over "
        "photographs with known\nhomographies. Compared with chaining from frame to frame, and "
        "with "
        "rounding coordinates to\n4 and 8 px and union-find. Precision: share of the matches of "
        "all "
        "pairs of frames within 1.5 px.");
    arguments.option("photos", "LIST", "all",
                     "all: the example photographs; first: the first four, on which constants were "
                     "chosen; rest: the others");
    arguments.option("frames", "N", "24", "frames of each flight");
    arguments.option("seed", "N", "1", "seed of the flights");
    arguments.option("radius", "PX", "0", "of clusterMatches; 0: from the data");
    arguments.option("csv", "FILE", "", "write all values to this file");
    arguments.flag("help", false, "print this text");
    arguments.parse(argc, argv);
    if (arguments.getFlag("help"))
    {
        std::cout << arguments.help();
        return 0;
    }
    if (!::samples::haveOpticalFlow())
        throw ::samples::ArgumentError("this build of OpenCV has no module video");
    const std::string which = arguments.get("photos");
    if (which != "all" && which != "first" && which != "rest")
        throw ::samples::ArgumentError("--photos=" + which + ": expected all, first or rest");
    ::samples::CameraFlightParams params;
    params.frames = arguments.getInt("frames", 2, 10000);
    params.seed = static_cast<uint64_t>(arguments.getInt("seed", 0, 1000000));
    const double radius = arguments.getDouble("radius", 0, 1000);
    Results results("flow", arguments.get("csv"));
    std::printf("%-22s %-16s %8s %8s %10s %12s %9s %8s\n", "set", "method", "tracks", "length",
                "precision", "correct", "two-view", "seconds");
    std::vector<std::string> photos = ::samples::examplePhotographs();
    if (photos.empty())
        photos.push_back("");
    for (size_t n = 0; n < photos.size(); ++n)
    {
        if ((which == "first" && n >= 4) || (which == "rest" && n < 4))
            continue;
        const Mat photo =
            photos[n].empty() ? ::samples::renderedPhotograph(1) : imread(photos[n], IMREAD_COLOR);
        measure(results, photos[n].empty() ? "rendered" : ::samples::baseName(photos[n]),
                ::samples::makeCameraFlight(photo, params), radius);
        ++params.seed;
    }
    printMeans(results);
    return 0;
}

} // namespace bench
