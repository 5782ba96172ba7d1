// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "objects.hpp"

#include "methods.hpp"
#include "results.hpp"
#include "synthetic.hpp"

#include "arguments.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>

namespace bench {

using namespace cv;
using namespace cv::multimatch;

namespace {

const int OBJECT_POINTS = 20;
const int LARGEST = 50, STEP = 5; // objects
const int MEASURED = 3;           // runs, of which the fastest counts
const double SLOW = 1;            // seconds; what takes longer runs once

//! All objects show the same points, as in the figure.
Problem makeObjects(int count)
{
    SyntheticParams params;
    params.views = count;
    params.universe = params.seen = OBJECT_POINTS;
    params.outliers = 0;
    params.positions = true;
    Problem problem = makeSynthetic(params);
    problem.universeSize = OBJECT_POINTS;
    return problem;
}

void measure(Results& results, const std::string& method, int objects)
{
    const Problem problem = makeObjects(objects);
    const std::string set = std::to_string(problem.pointCount());
    Outcome outcome;
    double fastest = DBL_MAX;
    for (int run = 0; run < (outcome.seconds < SLOW ? MEASURED : 1); ++run)
    {
        outcome = runMethod(method, problem);
        if (!outcome.ran)
            return;
        fastest = std::min(fastest, outcome.seconds);
    }
    const MatchScore score = outcome.consistent ? scoreTracks(outcome.tracks, problem.labels)
                                                : scorePairs(outcome.pairs, problem.labels);
    results.add("objects", set, method, "seconds", fastest);
    results.add("objects", set, method, "fscore", score.fscore());
    std::printf("%-14s %6d points %10.4f s  fscore %.3f\n", method.c_str(), problem.pointCount(),
                fastest, score.fscore());
    std::fflush(stdout);
}

} // namespace

int runObjects(int argc, const char* const* argv)
{
    ::samples::Arguments arguments(
        "multimatch_bench objects [--csv=FILE] [options]",
        "Seconds of all methods for 5, 10, ... 50 objects of 20 points each: random places, "
        "jittered by 2 % of the width, and noisy descriptors. The fastest of three runs counts, or "
        "one run "
        "of a second and more.");
    arguments.option("methods", "LIST", "",
                     "only these of " + ::samples::join(methodNames(), ", "));
    arguments.option("csv", "FILE", "", "write suite,set,method,metric,value");
    arguments.flag("help", false, "print this text");
    arguments.parse(argc, argv);
    if (arguments.getFlag("help"))
    {
        std::cout << arguments.help();
        return 0;
    }
    const std::vector<std::string> methods = arguments.getChosen("methods", methodNames());
    Results results("objects", arguments.get("csv"));
    for (const std::string& method : methods)
        for (int objects = STEP; objects <= LARGEST; objects += STEP)
            measure(results, method, objects);
    return 0;
}

} // namespace bench
