// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// The image experiment of the paper with its features: SURF with three octaves, half of the points
// outliers, a hidden rectangle in every view. Its videos are not public; views of photographs under
// known homographies replace them.

#include "arguments.hpp"
#include "features.hpp"
#include "files.hpp"
#include "photo_sequence.hpp"

#include "opencv2/core/utility.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/multimatch.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <exception>
#include <fstream>

namespace {

using namespace cv::multimatch;

struct Options
{
    samples::FeatureParams features;
    int views, points, sequences;
    uint64_t seed;
    bool literal = true;
    std::string csv; //!< file for the means; empty: none
};

// The peers that compare all pairs of points or need many eigenvectors.
const size_t MAX_SYNCHRONIZED_POINTS = 3500;
const int MATCHALS_ITERATIONS = 100; // a tenth of the default, which takes many minutes here

// Features of one view, true points and as many outliers.
struct View
{
    std::vector<cv::KeyPoint> keypoints;
    cv::Mat descriptors;
    std::vector<int> labels;
};

// Index of the reference point of a key point: the closest one within 1.5 px of its mapped
// position, -1: none.
int labelOf(const cv::Point2f& point, const std::vector<cv::Point2f>& mapped)
{
    int best = -1;
    double least = 1.5;
    for (size_t r = 0; r < mapped.size(); ++r)
    {
        const double distance = cv::norm(point - mapped[r]);
        if (distance < least)
        {
            least = distance;
            best = static_cast<int>(r);
        }
    }
    return best;
}

bool nearAny(const cv::Point2f& point, const std::vector<cv::Point2f>& others)
{
    for (const cv::Point2f& other : others)
        if (cv::norm(point - other) < 3)
            return true;
    return false;
}

/* Chooses strong points first, each label once, and at most as many outliers as true points. places
are the positions of the chosen points on the photograph: an outlier is at least 3 px from all of
them, so every match of it is wrong. */
View chooseView(const samples::Features& found, const std::vector<cv::Point2f>& mapped,
                const cv::Mat& toPhoto, std::vector<cv::Point2f>& places)
{
    std::vector<int> order(found.keypoints.size());
    for (size_t i = 0; i < order.size(); ++i)
        order[i] = static_cast<int>(i);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return found.keypoints[a].response > found.keypoints[b].response;
    });
    std::vector<cv::Point2f> points, onPhoto;
    cv::KeyPoint::convert(found.keypoints, points);
    cv::perspectiveTransform(points, onPhoto, toPhoto);

    std::vector<bool> taken(mapped.size(), false);
    std::vector<std::pair<int, int>> chosen; // index, label
    for (int p : order)
    {
        const int label = labelOf(points[p], mapped);
        if (label >= 0 && !taken[label])
        {
            taken[label] = true;
            chosen.push_back(std::make_pair(p, label));
        }
    }
    size_t outliers = chosen.size();
    for (size_t i = 0; i < order.size() && outliers > 0; ++i)
        if (!nearAny(onPhoto[order[i]], places))
        {
            places.push_back(onPhoto[order[i]]);
            chosen.push_back(std::make_pair(order[i], -1));
            --outliers;
        }
    std::sort(chosen.begin(), chosen.end());
    View view;
    for (size_t i = 0; i < chosen.size(); ++i)
    {
        view.keypoints.push_back(found.keypoints[chosen[i].first]);
        view.descriptors.push_back(found.descriptors.row(chosen[i].first));
        view.labels.push_back(chosen[i].second);
    }
    return view;
}

// Labels of a single view are outliers too.
void dropSingles(std::vector<std::vector<int>>& labels)
{
    std::vector<int> counts;
    for (const std::vector<int>& view : labels)
        for (int label : view)
            if (label >= 0)
            {
                counts.resize(std::max<size_t>(counts.size(), label + 1), 0);
                ++counts[label];
            }
    for (std::vector<int>& view : labels)
        for (int& label : view)
            if (label >= 0 && counts[label] < 2)
                label = -1;
}

struct Problem
{
    std::vector<std::vector<cv::KeyPoint>> keypoints;
    std::vector<cv::Mat> descriptors;
    std::vector<std::vector<int>> labels;
};

Problem makeProblem(const cv::Mat& photo, const Options& options)
{
    samples::PhotoSequenceParams params;
    params.views = options.views;
    params.minViews = 2;
    params.seed = options.seed;
    const samples::PhotoSequence sequence = samples::makePhotoSequence(photo, params);

    const samples::FeatureExtractor extractor(options.features);
    samples::FeatureParams fewer = options.features;
    fewer.maxFeatures = options.points;
    std::vector<cv::Point2f> reference;
    cv::KeyPoint::convert(samples::FeatureExtractor(fewer).extract(sequence.photo).keypoints,
                          reference);
    std::vector<cv::Point2f> places = reference;
    Problem problem;
    for (size_t i = 0; i < sequence.images.size(); ++i)
    {
        std::vector<cv::Point2f> mapped;
        cv::perspectiveTransform(reference, mapped, sequence.homographies[i]);
        const View view = chooseView(extractor.extract(sequence.images[i]), mapped,
                                     sequence.homographies[i].inv(), places);
        problem.keypoints.push_back(view.keypoints);
        problem.descriptors.push_back(view.descriptors);
        problem.labels.push_back(view.labels);
    }
    dropSingles(problem.labels);
    return problem;
}

struct Method
{
    const char* name;
    cv::Ptr<MultiMatcher> matcher;
    std::vector<MatchScore> scores;
    double seconds;
    double cycleErrors; //!< sum over the photographs
};

// QuickMatch with the parameters of the paper's image experiment; the others with d as there, twice
// the mean number of points of a view, which is their default.
std::vector<Method> makeMethods(bool literal)
{
    QuickMatchParams quickMatch;
    quickMatch.rhoDen = 0.7f;
    MatchALSParams matchALS;
    matchALS.maxIterations = MATCHALS_ITERATIONS;
    std::vector<Method> methods = {{"HiPPI", HiPPI::create(), {}, 0, 0},
                                   {"QuickMatch", QuickMatch::create(quickMatch), {}, 0, 0},
                                   {"Spectral", Spectral::create(), {}, 0, 0},
                                   {"MatchEig", MatchEig::create(), {}, 0, 0},
                                   {"MatchALS", MatchALS::create(matchALS), {}, 0, 0},
                                   {"union-find", UnionFind::create(), {}, 0, 0}};
    if (literal)
        methods.push_back({"HiPPI literal", HiPPI::create(paperParams()), {}, 0, 0});
    return methods;
}

bool isTooLarge(const Method& method, size_t points)
{
    const std::string name = method.name;
    return points > MAX_SYNCHRONIZED_POINTS &&
           (name == "Spectral" || name == "MatchEig" || name == "MatchALS");
}

void runMethod(Method& method, const Problem& problem)
{
    cv::TickMeter timer;
    timer.start();
    // MatchEig and MatchALS are not consistent: their pairs are rated, not the closure.
    if (PairwiseMatcher* pairwise = dynamic_cast<PairwiseMatcher*>(method.matcher.get()))
    {
        const std::vector<PairMatches> pairs =
            pairwise->matchPairs(problem.keypoints, problem.descriptors);
        timer.stop();
        method.scores.push_back(scorePairs(pairs, problem.labels));
        method.cycleErrors += cycleError(pairs);
    }
    else
    {
        const Tracks tracks = method.matcher->match(problem.keypoints, problem.descriptors);
        timer.stop();
        method.scores.push_back(scoreTracks(tracks, problem.labels));
    }
    method.seconds += timer.getTimeSec();
}

// csv: where the means are added, if it is open.
void printMean(const Method& method, std::ofstream& csv)
{
    if (method.scores.empty())
    {
        std::printf("  %-13s too many points\n", method.name);
        return;
    }
    double precision = 0, recall = 0, fscore = 0, squares = 0;
    const double n = static_cast<double>(method.scores.size());
    for (const MatchScore& score : method.scores)
    {
        precision += score.precision() / n;
        recall += score.recall() / n;
        fscore += score.fscore() / n;
    }
    for (const MatchScore& score : method.scores)
        squares += std::pow(score.fscore() - fscore, 2) / n;
    std::printf("  %-13s %9.3f %8.3f %8.3f +- %.3f %11.3f %8.2f\n", method.name, precision, recall,
                fscore, std::sqrt(squares), method.cycleErrors / n, method.seconds / n);
    const std::pair<const char*, double> means[] = {{"precision", precision},
                                                    {"recall", recall},
                                                    {"fscore", fscore},
                                                    {"fscore-deviation", std::sqrt(squares)},
                                                    {"cycle-error", method.cycleErrors / n},
                                                    {"seconds", method.seconds / n}};
    for (const auto& mean : means)
        if (csv.is_open())
            csv << "accuracy,images," << method.name << "," << mean.first << "," << mean.second
                << "\n";
}

int run(const Options& options)
{
    std::vector<cv::Mat> photos;
    for (const std::string& file : samples::examplePhotographs())
        photos.push_back(cv::imread(file));
    while (photos.size() < static_cast<size_t>(options.sequences))
        photos.push_back(samples::renderedPhotograph(options.seed + photos.size()));
    photos.resize(options.sequences);

    std::vector<Method> methods = makeMethods(options.literal);
    std::ofstream csv;
    if (!options.csv.empty())
    {
        csv.open(options.csv);
        if (!csv.is_open())
            throw std::invalid_argument("cannot write " + options.csv);
        csv << "suite,set,method,metric,value\n";
    }
    size_t points = 0, photograph = 0;
    for (const cv::Mat& photo : photos)
    {
        const Problem problem = makeProblem(photo, options);
        size_t own = 0;
        for (const std::vector<cv::KeyPoint>& view : problem.keypoints)
            own += view.size();
        points += own;
        ++photograph;
        for (Method& method : methods)
        {
            if (isTooLarge(method, own))
                continue;
            std::fprintf(stderr, "photograph %zu of %zu: %s\n", photograph, photos.size(),
                         method.name);
            runMethod(method, problem);
        }
    }
    std::printf("%s, %d sequences of %d views, %.0f key points per view, half of them outliers\n\n",
                options.features.name.c_str(), options.sequences, options.views,
                static_cast<double>(points) / options.sequences / options.views);
    std::printf("  %-13s %9s %8s %8s %20s %8s\n", "", "precision", "recall", "fscore",
                "cycle error", "seconds");
    for (const Method& method : methods)
        printMean(method, csv);
    std::printf("\nHiPPI: default parameters, evidence on partial data.\n");
    if (options.literal)
        std::printf("HiPPI literal: Algorithm 1 of the paper (paperParams), which matches every "
                    "point.\n");
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    try
    {
        samples::Arguments arguments(
            "multimatch_paper_images [options]",
            "The image experiment of the HiPPI paper: SURF with three octaves, 50 % outliers, a "
            "hidden rectangle.\nViews of photographs under known homographies replace its "
            "videos.");
        arguments.section("Options");
        arguments.option("features", "NAME", "SURF",
                         "SURF needs an OpenCV with xfeatures2d and non-free algorithms");
        arguments.option("views", "N", "15", "number of views of each photograph");
        arguments.option("points", "N", "400",
                         "maximum number of reference points of each photograph");
        arguments.option("sequences", "N", "8", "photographs");
        arguments.option("seed", "N", "1", "seed of the random generator");
        arguments.flag("literal", true,
                       "also run Algorithm 1 of the paper, about one minute per photograph");
        arguments.option("csv", "FILE", "", "write the means as suite,set,method,metric,value");
        arguments.flag("help", false, "print this text");
        arguments.parse(argc, argv);
        if (arguments.getFlag("help"))
        {
            std::printf("%s", arguments.help().c_str());
            return 0;
        }
        if (!arguments.positional().empty())
            throw samples::ArgumentError("unexpected argument " + arguments.positional()[0]);
        Options options;
        options.features.name = arguments.get("features");
        options.views = arguments.getInt("views", 2, 1000);
        options.points = arguments.getInt("points", 10, 100000);
        options.sequences = arguments.getInt("sequences", 1, 1000);
        options.literal = arguments.getFlag("literal");
        options.csv = arguments.get("csv");
        options.seed = static_cast<uint64_t>(arguments.getInt("seed", 0, INT_MAX));
        return run(options);
    }
    catch (const samples::ArgumentError& e)
    {
        std::fprintf(stderr, "multimatch_paper_images: %s\nTry multimatch_paper_images --help.\n",
                     e.what());
        return 1;
    }
    catch (const std::invalid_argument& e)
    {
        std::fprintf(stderr, "multimatch_paper_images: %s\n", e.what());
        return 1;
    }
    catch (const std::exception& e)
    {
        std::fprintf(stderr, "multimatch_paper_images: %s\n", e.what());
        return 4;
    }
}
