// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "grow.hpp"

#include "datasets.hpp"
#include "measure.hpp"
#include "results.hpp"
#include "walk.hpp"

#include "arguments.hpp"

#include "opencv2/multimatch/track_builder.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>

namespace bench {

using namespace cv;
using namespace cv::multimatch;

namespace {

const int VIEW_POINTS = 1000;
const int WINDOW = 20;
const int LAST_VIEWS = 10; // whose median is the cost of the last view
const char* const BATCH = "batch";
const char* const GROWN = "grown";

struct Growth
{
    Tracks tracks;
    double seconds = 0, lastView = 0;
    double meanView = 0; //!< of the second half of the views, those that solve all again included
};

//! The views one after the other.
Growth grow(const Problem& problem, int window, double refreshShare)
{
    const Ptr<TrackBuilder> builder = TrackBuilder::create();
    builder->setWindow(window);
    builder->setRefreshShare(refreshShare);
    builder->setNormType(NORM_L2);
    Growth result;
    std::vector<double> last;
    for (size_t v = 0; v < problem.keypoints.size(); ++v)
    {
        const KeyPoints keypoints(1, problem.keypoints[v]);
        const std::vector<Mat> descriptors(1, problem.descriptors[v]);
        const double seconds = secondsOf([&]() { builder->add(keypoints, descriptors); });
        result.seconds += seconds;
        const size_t secondHalf = problem.keypoints.size() - problem.keypoints.size() / 2;
        if (v >= problem.keypoints.size() / 2)
            result.meanView += seconds / double(secondHalf);
        if (v + LAST_VIEWS >= problem.keypoints.size())
            last.push_back(seconds);
    }
    std::sort(last.begin(), last.end());
    result.lastView = last[last.size() / 2];
    result.tracks = builder->tracks();
    return result;
}

Tracks batch(const Problem& problem, int window, double& seconds)
{
    const Ptr<HiPPI> matcher = HiPPI::create();
    matcher->setWindow(window);
    matcher->setNormType(NORM_L2);
    Tracks tracks;
    seconds = secondsOf([&]() { tracks = matcher->match(problem.keypoints, problem.descriptors); });
    return tracks;
}

void report(Results& results, const std::string& set, const std::string& method,
            const std::string& metric, double value)
{
    results.add("grow", set, method, metric, value);
    std::printf("%-28s %-7s %-22s %.5g\n", set.c_str(), method.c_str(), metric.c_str(), value);
    std::fflush(stdout);
}

void measureWalk(Results& results, int points, double refreshShare)
{
    WalkParams params;
    params.views = points / VIEW_POINTS;
    params.viewPoints = VIEW_POINTS;
    params.descriptorType = CV_8U;
    const Problem walk = makeWalk(params);
    const std::string set = "scale/" + std::to_string(points);
    double seconds = 0;
    const Tracks whole = batch(walk, WINDOW, seconds);
    const Growth growth = grow(walk, WINDOW, refreshShare);
    report(results, set, BATCH, "seconds", seconds);
    report(results, set, GROWN, "seconds", growth.seconds);
    report(results, set, GROWN, "seconds-last-view", growth.lastView);
    report(results, set, GROWN, "last-view-of-batch", growth.lastView / seconds);
    report(results, set, GROWN, "mean-view-of-batch", growth.meanView / seconds);
    const Tracks* const tracks[] = {&whole, &growth.tracks};
    for (int n = 0; n < 2; ++n)
    {
        const MatchScore score = scoreTracks(*tracks[n], walk.labels);
        const std::string method = n == 0 ? BATCH : GROWN;
        report(results, set, method, "precision", score.precision());
        report(results, set, method, "recall", score.recall());
        report(results, set, method, "fscore", score.fscore());
    }
}

void measurePhotographs(Results& results, const DataSet& data, int maxFeatures, double refreshShare)
{
    Geometry geometry;
    const Problem problem = loadPhotographs(data, maxFeatures, geometry);
    double seconds = 0;
    const Tracks whole = batch(problem, 0, seconds);
    const Growth growth = grow(problem, 0, refreshShare);
    const GeometryScore of = geometry.score(whole, problem.keypoints);
    const GeometryScore grown = geometry.score(growth.tracks, problem.keypoints);
    report(results, data.name, BATCH, "seconds", seconds);
    report(results, data.name, GROWN, "seconds", growth.seconds);
    report(results, data.name, GROWN, "last-view-of-batch", growth.lastView / seconds);
    report(results, data.name, GROWN, "mean-view-of-batch", growth.meanView / seconds);
    report(results, data.name, BATCH, "precision", of.precision());
    report(results, data.name, GROWN, "precision", grown.precision());
    report(results, data.name, BATCH, "correct-pairs", of.correct);
    report(results, data.name, GROWN, "correct-pairs", grown.correct);
    report(results, data.name, BATCH, "correct-tracks", of.correctTracks);
    report(results, data.name, GROWN, "correct-tracks", grown.correctTracks);
    report(results, data.name, GROWN, "tracks-of-batch",
           grown.correctTracks / std::max(1., double(of.correctTracks)));
}

bool selected(const std::string& name, const std::vector<std::string>& words)
{
    return words.empty() || std::any_of(words.begin(), words.end(), [&](const std::string& word) {
               return name.find(word) != std::string::npos;
           });
}

} // namespace

int runGrow(int argc, const char* const* argv)
{
    ::samples::Arguments arguments(
        "multimatch_bench grow [--data DIR] [options]",
        "A collection whose views are added one after the other by TrackBuilder, compared with one "
        "run of HiPPI: the walk of the command scale, and with --data the photographs with known "
        "cameras. last-view-of-batch: median seconds of the last 10 views over those of the run "
        "of all views; mean-view-of-batch: mean of the second half of the views. tracks-of-batch: "
        "correct tracks over those of that run.");
    arguments.option("data", "DIR", "", "folder with the sets; none: the walk only");
    arguments.option("sets", "LIST", "", "only sets whose name contains one of these words");
    arguments.option("points", "N", "100000",
                     "key points of the walk, a multiple of 1000; 0: no walk");
    arguments.option("max-features", "N", "0", "SIFT points per photograph, 0: all");
    arguments.option("refresh", "SHARE", "0.2", "of TrackBuilder::setRefreshShare");
    arguments.option("csv", "FILE", "", "write suite,set,method,metric,value");
    arguments.flag("help", false, "print this text");
    arguments.parse(argc, argv);
    if (arguments.getFlag("help"))
    {
        std::cout << arguments.help();
        return 0;
    }
    Results results("grow", arguments.get("csv"));
    const int points = arguments.getInt("points", 0, 10000000);
    if (points != 0 && (points < 2 * VIEW_POINTS || points % VIEW_POINTS != 0))
        throw ::samples::ArgumentError("--points is " + arguments.get("points") +
                                       ", expected 0 or a multiple of 1000 from 2000");
    const double refreshShare = arguments.getDouble("refresh", 0, 1);
    if (points > 0)
        measureWalk(results, points, refreshShare);
    if (!arguments.given("data"))
        return 0;
    for (const DataSet& set : findDataSets(arguments.get("data")))
        if (set.kind == DATA_CAMERAS && selected(set.name, arguments.getList("sets")))
            measurePhotographs(results, set, arguments.getInt("max-features", 0, 1000000),
                               refreshShare);
    return 0;
}

} // namespace bench
