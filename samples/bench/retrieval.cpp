// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "retrieval.hpp"

#include "datasets.hpp"
#include "measure.hpp"
#include "methods.hpp"
#include "pair_matching.hpp"
#include "results.hpp"

#include "arguments.hpp"
#include "photo_sequence.hpp"

#include "opencv2/features2d.hpp"
#include "opencv2/imgcodecs.hpp"

#include <cstdio>
#include <iostream>
#include <set>

namespace bench {

using namespace cv;
using namespace cv::multimatch;

namespace {

typedef std::set<std::pair<int, int>> PairSet;

const double MATCH_RATIO = 0.8;
const double OVERLAP = 30; // minimum number of correct matches of overlapping views
const int COUNTS[] = {2, 5, 10};

//! Descriptors of views, and the overlapping pairs.
struct Collection
{
    std::vector<Mat> descriptors;
    PairSet overlapping;
};

//! Pairs with enough matches that agree with the known geometry.
PairSet overlappingPairs(const Problem& problem, const Geometry& geometry)
{
    PairSet result;
    for (const PairMatches& pair : ::samples::mutualMatches(problem.descriptors, MATCH_RATIO))
        if (geometry.score(PairList(1, pair), problem.keypoints).correct >= OVERLAP)
            result.insert(std::make_pair(pair.first, pair.second));
    return result;
}

void append(Collection& all, const Collection& part)
{
    const int first = int(all.descriptors.size());
    all.descriptors.insert(all.descriptors.end(), part.descriptors.begin(), part.descriptors.end());
    for (const std::pair<int, int>& pair : part.overlapping)
        all.overlapping.insert(std::make_pair(first + pair.first, first + pair.second));
}

void report(Results& results, const std::string& set, const std::string& metric, double value)
{
    results.add("retrieval", set, OURS, metric, value);
    std::printf("%-28s %-22s %.5g\n", set.c_str(), metric.c_str(), value);
    std::fflush(stdout);
}

void measure(Results& results, const std::string& set, const Collection& collection)
{
    const double views = double(collection.descriptors.size());
    report(results, set, "views", views);
    report(results, set, "overlapping-pairs", double(collection.overlapping.size()));
    for (int count : COUNTS)
    {
        Mat pairs;
        const double seconds =
            secondsOf([&]() { pairs = retrievePairs(collection.descriptors, count); });
        double right = 0;
        for (int r = 0; r < pairs.rows; ++r)
            right += double(collection.overlapping.count(
                std::make_pair(pairs.at<int>(r, 0), pairs.at<int>(r, 1))));
        const std::string at = "-at-" + std::to_string(count);
        report(results, set, "recall" + at, right / double(collection.overlapping.size()));
        report(results, set, "precision" + at, right / pairs.rows);
        report(results, set, "share-of-pairs" + at, pairs.rows / (views * (views - 1) / 2));
        report(results, set, "seconds" + at, seconds);
    }
}

//! Photographs that do not overlap with the data.
Collection unrelatedPhotographs(int maxFeatures)
{
    Collection collection;
    const Ptr<SIFT> sift = SIFT::create(maxFeatures);
    for (const std::string& path : ::samples::examplePhotographs())
    {
        if (path.find("graf") != std::string::npos || path.find("leuven") != std::string::npos)
            continue; // may be part of the data
        std::vector<KeyPoint> keypoints;
        Mat descriptors;
        sift->detectAndCompute(imread(path, IMREAD_GRAYSCALE), noArray(), keypoints, descriptors);
        collection.descriptors.push_back(descriptors);
    }
    return collection;
}

} // namespace

int runRetrieval(int argc, const char* const* argv)
{
    ::samples::Arguments arguments(
        "multimatch_bench retrieval --data DIR [options]",
        "Recall of retrievePairs on pairs of overlapping views, if each view chooses "
        "2, "
        "5 and 10 others: on each set of photographs with known cameras or homographies, and on "
        "all "
        "of them together with unrelated photographs. Two views overlap if they share 30 matches "
        "(SIFT, mutual nearest, ratio 0.8) that agree with the geometry. A random choice has "
        "a recall of share-of-pairs.");
    arguments.option("data", "DIR", "", "folder with the sets");
    arguments.option("max-features", "N", "2000", "SIFT points per photograph");
    arguments.option("csv", "FILE", "", "write suite,set,method,metric,value");
    arguments.flag("help", false, "print this text");
    arguments.parse(argc, argv);
    if (arguments.getFlag("help"))
    {
        std::cout << arguments.help();
        return 0;
    }
    if (!arguments.given("data"))
        throw ::samples::ArgumentError("--data is missing: the folder with the sets");
    const int maxFeatures = arguments.getInt("max-features", 10, 100000);
    Results results("retrieval", arguments.get("csv"));
    Collection mixture;
    for (const DataSet& set : findDataSets(arguments.get("data")))
    {
        if (set.kind != DATA_CAMERAS && set.kind != DATA_HOMOGRAPHIES)
            continue;
        Geometry geometry;
        const Problem problem = loadPhotographs(set, maxFeatures, geometry);
        Collection collection;
        collection.descriptors = problem.descriptors;
        collection.overlapping = overlappingPairs(problem, geometry);
        if (collection.overlapping.empty())
            continue;
        measure(results, set.name, collection);
        append(mixture, collection);
    }
    if (mixture.descriptors.empty())
        throw ::samples::ArgumentError("there are no photographs with known geometry below " +
                                       arguments.get("data"));
    append(mixture, unrelatedPhotographs(maxFeatures));
    measure(results, "mixture", mixture);
    return 0;
}

} // namespace bench
