// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "speed.hpp"

#include "arguments.hpp"
#include "photo_sequence.hpp"
#include "results.hpp"

#include "opencv2/multimatch.hpp"

#include "opencv2/features2d.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>

namespace bench {

using namespace cv;
using namespace cv::multimatch;

namespace {

const int LONG_SIDE = 1400; // of the photograph: enough for thousands of points a view

double secondsOf(const std::function<void()>& work)
{
    const int64 start = getTickCount();
    work();
    return double(getTickCount() - start) / getTickFrequency();
}

//! Largest resident set of this process so far; 0 where the system does not tell.
double peakBytes()
{
    std::ifstream status("/proc/self/status");
    std::string line;
    while (std::getline(status, line))
        if (line.compare(0, 6, "VmHWM:") == 0)
            return 1024. * std::stod(line.substr(6));
    return 0;
}

//! Views of one photograph under random homographies, with noise.
std::vector<Mat> warpedViews(int views)
{
    const std::vector<std::string> photographs = ::samples::examplePhotographs();
    Mat photo = photographs.empty() ? ::samples::renderedPhotograph(1) : imread(photographs[0]);
    cvtColor(photo, photo, COLOR_BGR2GRAY);
    const double scale = double(LONG_SIDE) / std::max(photo.cols, photo.rows);
    resize(photo, photo, Size(), scale, scale, INTER_CUBIC);
    const float w = float(photo.cols), h = float(photo.rows);
    const Point2f corners[4] = {{0, 0}, {w, 0}, {w, h}, {0, h}};
    RNG rng(1);
    std::vector<Mat> images;
    for (int v = 0; v < views; ++v)
    {
        Point2f moved[4];
        for (int c = 0; c < 4; ++c)
            moved[c] =
                corners[c] + Point2f(rng.uniform(-0.1f, 0.1f) * w, rng.uniform(-0.1f, 0.1f) * h);
        Mat view, noise(photo.size(), CV_16S);
        warpPerspective(photo, view, getPerspectiveTransform(corners, moved), photo.size());
        rng.fill(noise, RNG::NORMAL, 0, 4);
        add(view, noise, view, noArray(), CV_8U);
        images.push_back(view);
    }
    return images;
}

struct Features
{
    std::vector<std::vector<KeyPoint>> keypoints;
    std::vector<Mat> descriptors;

    int pointCount() const
    {
        size_t count = 0;
        for (const std::vector<KeyPoint>& view : keypoints)
            count += view.size();
        return int(count);
    }
};

Features extract(const std::vector<Mat>& images, const Ptr<Feature2D>& detector, int points)
{
    Features features;
    for (const Mat& image : images)
    {
        std::vector<KeyPoint> keypoints;
        Mat descriptors;
        detector->detectAndCompute(image, noArray(), keypoints, descriptors);
        // A detector may return a few more than asked for.
        keypoints.resize(std::min(keypoints.size(), size_t(points)));
        features.keypoints.push_back(keypoints);
        features.descriptors.push_back(descriptors.rowRange(0, int(keypoints.size())));
    }
    return features;
}

//! Seconds of cv::BFMatcher::knnMatch in both directions over all pairs; it finds what findNeighbours finds.
double bruteForceSeconds(const Features& features, int norm)
{
    const BFMatcher matcher(norm);
    return secondsOf([&]() {
        std::vector<std::vector<DMatch>> matches;
        for (const Mat& query : features.descriptors)
            for (const Mat& train : features.descriptors)
                if (query.data != train.data)
                    matcher.knnMatch(query, train, matches, 2);
    });
}

void report(Results& results, const std::string& set, const std::string& method,
            const std::string& metric, double value)
{
    results.add("speed", set, method, metric, value);
    std::printf("%-12s %-14s %-16s %.4g\n", set.c_str(), method.c_str(), metric.c_str(), value);
    std::fflush(stdout);
}

void measureNeighbours(Results& results, const std::string& set, const Features& features, int norm)
{
    const double peer = bruteForceSeconds(features, norm);
    const double ours = secondsOf([&]() { findNeighbours(features.descriptors, 2); });
    report(results, set, "BFMatcher", "seconds", peer);
    report(results, set, "hippi", "seconds", ours);
    report(results, set, "BFMatcher", "ratio", peer / ours);
}

void measureDefaultRun(Results& results, const Features& features)
{
    const Tracks tracks = HiPPI::create()->match(features.keypoints, features.descriptors);
    const MatchReport run = tracks.report();
    double neighbours = 0;
    for (size_t s = 0; s < run.stages.size(); ++s)
    {
        report(results, "default-run", "hippi", "seconds-" + run.stages[s], run.seconds[s]);
        if (run.stages[s] == "neighbours")
            neighbours = run.seconds[s];
    }
    report(results, "default-run", "hippi", "key-points", features.pointCount());
    report(results, "default-run", "hippi", "tracks", tracks.size());
    report(results, "default-run", "hippi", "seconds", run.totalSeconds());
    report(results, "default-run", "hippi", "peak-rss-bytes", peakBytes());
    report(results, "after-knn", "knn", "ratio", (run.totalSeconds() - neighbours) / neighbours);
}

} // namespace

int runSpeed(int argc, const char* const* argv)
{
    ::samples::Arguments arguments("multimatch_bench speed [options]",
                                   "Seconds per stage and peak memory of a default run, and the "
                                   "descriptor search beside cv::BFMatcher.");
    arguments.option("views", "N", "12", "views of a photograph");
    arguments.option("points", "N", "3000", "key points a view");
    arguments.option("csv", "FILE", "", "write suite,set,method,metric,value");
    arguments.flag("help", false, "this text");
    arguments.parse(argc, argv);
    if (arguments.getFlag("help"))
    {
        std::cout << arguments.help();
        return 0;
    }
    const int views = arguments.getInt("views", 2, 1000);
    const int points = arguments.getInt("points", 10, 100000);
    Results results("speed", arguments.get("csv"));
    const std::vector<Mat> images = warpedViews(views);
    const Features sift = extract(images, SIFT::create(points, 3, 0.01), points);
    measureDefaultRun(results, sift); // first: peak memory counts from the start of the process
    measureNeighbours(results, "knn-float", sift, NORM_L2);
    measureNeighbours(results, "knn-binary", extract(images, ORB::create(points), points),
                      NORM_HAMMING);
    return 0;
}

} // namespace bench
