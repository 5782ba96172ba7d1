// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "scale.hpp"

#include "child_process.hpp"
#include "methods.hpp"
#include "results.hpp"
#include "view_files.hpp"
#include "walk.hpp"

#include "arguments.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace bench {

using namespace cv;
using namespace cv::multimatch;

namespace {

const char* const PEER = "unionfind";
const int VIEW_POINTS = 1000;
const int WINDOW = 20;
const int LARGE = 100000;

struct Options
{
    std::vector<int> points;
    int descriptorType;
    int threads;
    std::vector<std::string> methods;
};

Ptr<MultiMatcher> createMatcher(const std::string& method)
{
    if (method == PEER)
        return UnionFind::create();
    return HiPPI::create();
}

Problem walkOf(int points, int descriptorType)
{
    WalkParams params;
    params.views = points / VIEW_POINTS;
    params.viewPoints = VIEW_POINTS;
    params.descriptorType = descriptorType;
    return makeWalk(params);
}

//! Generates the walk and matches it. The peak memory includes the generation.
std::vector<Figure> measure(const std::string& method, int points, const Options& options)
{
    if (options.threads > 0)
        setNumThreads(options.threads);
    const Problem walk = walkOf(points, options.descriptorType);
    const Ptr<MultiMatcher> matcher = createMatcher(method);
    matcher->setWindow(WINDOW);
    matcher->setNormType(NORM_L2);
    // A run can be stopped at each call of the callback: the longest time between two calls is the
    // longest delay.
    const int64 start = getTickCount();
    int64 last = 0;
    double longestDelay = 0;
    matcher->setProgressCallback([&](const Progress&) {
        const int64 now = getTickCount();
        if (last != 0)
            longestDelay = std::max(longestDelay, double(now - last) / getTickFrequency());
        last = now;
        return true;
    });
    const Tracks tracks = matcher->match(walk.keypoints, walk.descriptors);
    const double seconds = double(getTickCount() - start) / getTickFrequency();

    std::vector<Figure> figures;
    const auto add = [&](const std::string& metric, double value) {
        const Figure figure = {metric, value};
        figures.push_back(figure);
    };
    const MatchReport report = tracks.report();
    double staged = 0;
    for (size_t s = 0; s < report.stages.size(); ++s)
    {
        add("seconds-" + report.stages[s], report.seconds[s]);
        staged += report.seconds[s];
    }
    add("seconds-other", seconds - staged); // checking and sorting the input, writing the result
    add("seconds", seconds);
    add("seconds-per-point", seconds / points);
    add("longest-silence-seconds", longestDelay);
    const MatchScore score = scoreTracks(tracks, walk.labels);
    add("precision", score.precision());
    add("recall", score.recall());
    add("fscore", score.fscore());
    return figures;
}

void report(Results& results, const std::string& set, const std::string& method,
            const std::string& metric, double value)
{
    results.add("scale", set, method, metric, value);
    std::printf("%-9s %-10s %-22s %.5g\n", set.c_str(), method.c_str(), metric.c_str(), value);
    std::fflush(stdout);
}

void measureAll(Results& results, const std::string& method, int points, const Options& options)
{
    const std::string set = std::to_string(points);
    for (const Figure& figure : measureInChild([&]() { return measure(method, points, options); }))
    {
        report(results, set, method, figure.metric, figure.value);
        if (figure.metric == "peak-rss-bytes")
            report(results, set, method, "peak-rss-bytes-per-point", figure.value / points);
    }
}

//! Least squares slope of log(seconds) over log(points): 1 is linear.
void reportGrowth(Results& results, const std::string& set, const std::string& method,
                  const std::vector<int>& points)
{
    if (points.size() < 2)
        return;
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int n : points)
    {
        const double x = std::log(double(n));
        const double y = std::log(results.get(std::to_string(n), method, "seconds"));
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    const double count = double(points.size());
    report(results, set, method, "exponent", (count * sxy - sx * sy) / (count * sxx - sx * sx));
}

void reportGrowth(Results& results, const std::string& method, const std::vector<int>& points)
{
    reportGrowth(results, "all", method, points);
    std::vector<int> large;
    for (int n : points)
        if (n >= LARGE)
            large.push_back(n);
    reportGrowth(results, "large", method, large);
}

std::vector<int> pointCounts(const ::samples::Arguments& arguments)
{
    std::vector<int> counts;
    for (const std::string& text : arguments.getList("points"))
    {
        char* end = NULL;
        const long value = std::strtol(text.c_str(), &end, 10);
        if (*end != 0 || value < 2 * VIEW_POINTS || value > 10000000 || value % VIEW_POINTS != 0)
            throw ::samples::ArgumentError("--points has " + text +
                                           ", expected multiples of 1000 from 2000 to 10000000");
        counts.push_back(int(value));
    }
    if (counts.empty())
        throw ::samples::ArgumentError("--points is empty, expected numbers of key points");
    return counts;
}

int descriptorType(const std::string& name)
{
    if (name != "uint8" && name != "float")
        throw ::samples::ArgumentError("--descriptors is " + name + ", expected uint8 or float");
    return name == "uint8" ? CV_8U : CV_32F;
}

} // namespace

int runScale(int argc, const char* const* argv)
{
    ::samples::Arguments arguments(
        "multimatch_bench scale [options]",
        "Time and memory over the number of key points: a walk along a scene with 1,000 key points "
        "per view, each scene point in 5 to 15 views, 30 % outliers, each view compared with the "
        "next 20. The other method is union-find after a ratio test, with the same descriptor "
        "search. ratio: seconds of union-find divided by those of HiPPI. exponent: slope of "
        "log(seconds) over log(points), 1 is linear; for all sizes, and for sizes from 100,000, as "
        "in short walks most views have fewer than 20 neighbors on each side and cost less. Each "
        "run is a separate process; peak-rss-bytes is its total memory, including the features.");
    arguments.option("points", "N,N,...", "10000,30000,100000,300000,1000000",
                     "numbers of key points, multiples of 1000");
    arguments.option("descriptors", "TYPE", "uint8", "uint8 or float");
    arguments.option("threads", "N", "0", "number of threads; 0: default of OpenCV");
    arguments.option("methods", "NAME,NAME", "hippi,unionfind", "one or both");
    arguments.option("write", "DIR", "",
                     "match nothing; write the views of the first of --points as .npy files for "
                     "cv2_multimatch.distributed");
    arguments.option("csv", "FILE", "", "write suite,set,method,metric,value");
    arguments.flag("help", false, "print this text");
    arguments.parse(argc, argv);
    if (arguments.getFlag("help"))
    {
        std::cout << arguments.help();
        return 0;
    }
    Options options;
    options.points = pointCounts(arguments);
    options.descriptorType = descriptorType(arguments.get("descriptors"));
    options.threads = arguments.getInt("threads", 0, 1000);
    options.methods = arguments.getList("methods");
    if (arguments.given("write"))
    {
        writeViewFiles(arguments.get("write"), walkOf(options.points[0], CV_8U));
        return 0;
    }
    for (const std::string& method : options.methods)
        if (method != OURS && method != PEER)
            throw ::samples::ArgumentError("--methods has " + method +
                                           ", expected hippi or unionfind");
    Results results("scale", arguments.get("csv"));
    for (int points : options.points)
    {
        const std::string set = std::to_string(points);
        for (const std::string& method : options.methods)
            measureAll(results, method, points, options);
        if (results.has(set, OURS, "seconds") && results.has(set, PEER, "seconds"))
            report(results, set, PEER, "ratio",
                   results.get(set, PEER, "seconds") / results.get(set, OURS, "seconds"));
    }
    for (const std::string& method : options.methods)
        reportGrowth(results, method, options.points);
    return 0;
}

} // namespace bench
