// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// A whole matching problem: views, points, descriptors or matches, parameters in range, any pairs.
// What must hold of every result is checked: valid ids, none twice in a view, confidences in [0,
// 1], an objective that does not fall, and the same tracks where the views come in another order.

#include "fuzz.hpp"

#include "opencv2/multimatch.hpp"
#include "opencv2/multimatch/peers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace cv::multimatch;

namespace {

struct Problem
{
    std::vector<std::vector<cv::KeyPoint>> keypoints;
    std::vector<cv::Mat> descriptors;
    cv::Mat_<int> pairs;              // to be compared; empty: all
    std::vector<PairMatches> matches; // to be synchronized, in place of descriptors
};

//! A coordinate: often the same ones, sometimes far away.
float coordinate(fuzz::Bytes& bytes)
{
    const int kind = bytes.byte();
    if (kind < 192)
        return static_cast<float>(kind % 48 * 13);
    const float far[] = {0.f, -1.f, 1e-30f, 1e6f, -1e6f, 1e15f, 3e38f, 0.1f};
    return far[kind % 8];
}

//! A number of a descriptor: zero, small, or large up to what is refused.
float component(fuzz::Bytes& bytes)
{
    const int kind = bytes.byte();
    if (kind < 240)
        return static_cast<float>(kind % 120 - 20);
    const float others[] = {0.f, 1e-30f, 1e10f, 1e17f, -1e17f, 3e38f, 0.5f, 255.f};
    return others[kind % 8];
}

cv::Mat descriptorsOf(fuzz::Bytes& bytes, int count, int width, int type)
{
    cv::Mat result(count, width, type, cv::Scalar::all(0));
    for (int p = 0; p < count; ++p)
    {
        const int kind = bytes.byte() % 4;
        if (kind == 0 && p > 0)
            result.row(p - 1).copyTo(result.row(p));
        for (int c = 0; c < width && kind >= 2; ++c)
            if (type == CV_8U)
                result.at<uchar>(p, c) = static_cast<uchar>(bytes.byte());
            else
                result.at<float>(p, c) = component(bytes);
    }
    return result;
}

Problem problemFrom(fuzz::Bytes& bytes)
{
    Problem problem;
    const int views = bytes.integer(0, 6), width = bytes.integer(1, 9), most = bytes.integer(0, 14);
    const int type = bytes.flag() ? CV_8U : CV_32F;
    const bool equalSizes = bytes.flag();
    for (int v = 0; v < views; ++v)
    {
        const int count = equalSizes ? most : bytes.integer(0, most);
        std::vector<cv::KeyPoint> keypoints;
        for (int p = 0; p < count; ++p)
        {
            cv::KeyPoint keypoint(coordinate(bytes), coordinate(bytes), 1.f);
            const int shape = bytes.byte();
            keypoint.size = static_cast<float>(shape % 8);
            keypoint.angle = shape < 128 ? -1.f : static_cast<float>(shape);
            keypoints.push_back(keypoint);
        }
        problem.keypoints.push_back(keypoints);
        problem.descriptors.push_back(descriptorsOf(bytes, count, width, type));
    }
    const int pairs = views < 2 || bytes.flag() ? 0 : bytes.integer(1, 12);
    for (int n = 0; n < pairs; ++n)
    {
        const int i = bytes.integer(0, views - 1), j = bytes.integer(0, views - 1);
        if (i != j)
        {
            const cv::Mat_<int> pair = (cv::Mat_<int>(1, 2) << i, j);
            problem.pairs.push_back(pair);
        }
    }
    return problem;
}

//! Matches with every index in range, also twice and contradicting each other.
std::vector<PairMatches> matchesFrom(fuzz::Bytes& bytes, const Problem& problem)
{
    std::vector<PairMatches> matches;
    const int views = static_cast<int>(problem.keypoints.size());
    for (int i = 0; i < views; ++i)
        for (int j = i + 1; j < views; ++j)
        {
            const int first = static_cast<int>(problem.keypoints[i].size()),
                      second = static_cast<int>(problem.keypoints[j].size());
            PairMatches pair(i, j);
            const int count = first > 0 && second > 0 ? bytes.integer(0, 15) : 0;
            std::set<std::pair<int, int>> known;
            for (int m = 0; m < count; ++m)
            {
                const cv::DMatch match(bytes.integer(0, first - 1), bytes.integer(0, second - 1),
                                       static_cast<float>(bytes.number(0, 1)));
                if (known.insert(std::make_pair(match.queryIdx, match.trainIdx)).second)
                    pair.matches.push_back(match);
            }
            matches.push_back(pair);
        }
    return matches;
}

//! A positive number of any size.
float positive(fuzz::Bytes& bytes, float usual)
{
    const float numbers[] = {usual, usual, usual, usual, usual / 10, usual * 10, 1e-6f, 1e6f};
    return numbers[bytes.byte() % 8];
}

HiPPIParams paramsFrom(fuzz::Bytes& bytes)
{
    HiPPIParams params;
    params.mode = bytes.integer(HIPPI_PARTIAL, HIPPI_COMPLETE);
    params.universeSize = bytes.flag() ? 0 : bytes.integer(0, 60);
    params.neighbors = bytes.flag() ? params.neighbors : bytes.integer(1, 40);
    params.rhoDen = bytes.flag() ? params.rhoDen : positive(bytes, 0.5f);
    params.weighted = bytes.flag();
    params.normalization = bytes.integer(NORMALIZE_SYMMETRIC, NORMALIZE_NONE);
    params.beta = positive(bytes, params.beta);
    params.mu = positive(bytes, params.mu);
    params.directional = bytes.flag() ? 0 : positive(bytes, 1.f);
    params.start = bytes.integer(START_AUTO, START_GREEDY);
    params.startCount = bytes.integer(1, 3);
    params.startRhoDen = positive(bytes, params.startRhoDen);
    params.startRhoEdge = positive(bytes, params.startRhoEdge);
    params.maxIterations = bytes.integer(0, 12);
    params.exact = bytes.flag();
    params.minConfidence = static_cast<float>(bytes.number(0, 1));
    params.minLength = bytes.integer(1, 4);
    params.seed = static_cast<int>(bytes.bits());
    return params;
}

cv::Ptr<MultiMatcher> matcherFrom(fuzz::Bytes& bytes)
{
    switch (bytes.byte() % 17)
    {
    case 0:
        return UnionFind::create();
    case 1:
        return Kruskal::create();
    case 2:
        return QuickMatch::create();
    case 3:
        return Pairwise::create();
    case 4:
        return Spectral::create();
    case 5:
        return MatchEig::create();
    case 6:
    {
        MatchALSParams params;
        params.universeSize = bytes.integer(0, 60);
        params.alpha = positive(bytes, params.alpha);
        params.beta = positive(bytes, params.beta);
        params.mu = positive(bytes, params.mu);
        params.maxIterations = bytes.integer(1, 12); // each takes milliseconds with a sanitizer
        return MatchALS::create(params);
    }
    case 7:
    case 8:
    {
        GuidedParams params;
        params.hippi = paramsFrom(bytes);
        params.verification.model = bytes.flag() ? MODEL_FUNDAMENTAL : MODEL_HOMOGRAPHY;
        params.candidates = bytes.integer(1, 5);
        return GuidedHiPPI::create(params);
    }
    case 12:
        return RandomWalks::create();
    case 13:
        return AlternatingMatching::create();
    case 14:
    {
        GraphMatchingParams params;
        params.universeSize = bytes.integer(-1, 60);
        params.appearance = static_cast<float>(bytes.number(0, 1));
        return GraduatedConsistency::create(params);
    }
    case 15:
        return LowRankCoordinates::create();
    case 16:
        return SparseConsistent::create();
    default:
        return HiPPI::create(paramsFrom(bytes));
    }
}

typedef std::set<std::vector<std::pair<int, int>>> Partition;

//! The tracks as sets of observations; viewTo: number of each view.
Partition partitionOf(const Tracks& tracks, const std::vector<int>& viewTo)
{
    Partition result;
    for (int t = 0; t < tracks.size(); ++t)
    {
        std::vector<std::pair<int, int>> members;
        for (const Observation& seen : tracks.track(t))
            members.push_back(std::make_pair(viewTo[seen.view], seen.point));
        std::sort(members.begin(), members.end());
        result.insert(members);
    }
    return result;
}

//! The points of a view, whatever their order.
std::multiset<std::vector<double>> pointsOf(const Problem& problem, size_t view)
{
    std::multiset<std::vector<double>> points;
    for (size_t p = 0; p < problem.keypoints[view].size(); ++p)
    {
        const cv::KeyPoint& at = problem.keypoints[view][p];
        cv::Mat_<double> numbers;
        problem.descriptors[view].row(static_cast<int>(p)).convertTo(numbers, CV_64F);
        std::vector<double> point = numbers;
        point.insert(point.end(), {at.pt.x, at.pt.y, at.size, at.angle});
        points.insert(point);
    }
    return points;
}

//! True where no two views have the same points, so that there is one canonical order. Views
//! without points take no part.
bool viewsDiffer(const Problem& problem)
{
    std::set<std::multiset<std::vector<double>>> views;
    for (size_t v = 0; v < problem.keypoints.size(); ++v)
        if (!problem.keypoints[v].empty() && !views.insert(pointsOf(problem, v)).second)
            return false;
    return true;
}

//! The problem with its views in the order of a permutation.
Problem permuted(const Problem& problem, const std::vector<int>& order)
{
    Problem result;
    std::vector<int> place(order.size());
    for (size_t v = 0; v < order.size(); ++v)
    {
        place[order[v]] = static_cast<int>(v);
        result.keypoints.push_back(problem.keypoints[order[v]]);
        result.descriptors.push_back(problem.descriptors[order[v]]);
    }
    result.pairs = problem.pairs.clone();
    for (int& view : result.pairs)
        view = place[view];
    return result;
}

Tracks run(MultiMatcher& matcher, const Problem& problem)
{
    if (!problem.matches.empty())
        return matcher.synchronize(problem.keypoints, problem.matches, WEIGHTS_FROM_SCORES);
    matcher.setPairs(problem.pairs);
    return matcher.match(problem.keypoints, problem.descriptors);
}

void requireRight(const Problem& problem, const Tracks& tracks)
{
    fuzz::requireConsistent(tracks);
    fuzz::require(tracks.viewCount() == static_cast<int>(problem.keypoints.size()), "all views");
    for (int v = 0; v < tracks.viewCount(); ++v)
        fuzz::require(tracks.trackIds(v).size() == problem.keypoints[v].size(),
                      "an id for each point");
    const MatchReport report = tracks.report();
    for (size_t n = 0; n < report.objective.size(); ++n)
        fuzz::require(std::isfinite(report.objective[n]), "a finite objective");
    for (size_t n = 1; n < report.objective.size(); ++n)
        fuzz::require(report.objective[n] >= report.objective[n - 1],
                      "an objective that does not fall");
}

//! True for the errors that the headers announce for such problems; all others come from inside.
bool isRefusal(const cv::Exception& e)
{
    const char* const texts[] = {"keypoints has ", "] has the value ", "universeSize is ",
                                 " works on descriptors", "a QuickMatch start needs descriptors"};
    for (const char* text : texts)
        if (e.err.find(text) != std::string::npos)
            return true;
    return false;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    fuzz::folder(); // sets up OpenCV
    fuzz::Bytes bytes(data, size);
    try
    {
        const cv::Ptr<MultiMatcher> matcher = matcherFrom(bytes);
        matcher->setSearchMode(bytes.byte() % 4 == 0 ? SEARCH_APPROXIMATE : SEARCH_EXACT);
        const bool given = bytes.byte() % 4 == 0;
        Problem problem = problemFrom(bytes);
        if (given)
            problem.matches = matchesFrom(bytes, problem);
        const Tracks tracks = run(*matcher, problem);
        requireRight(problem, tracks);
        // Given matches are taken in the order of the caller.
        if (!problem.matches.empty() || !viewsDiffer(problem))
            return 0;
        std::vector<int> order(problem.keypoints.size());
        std::iota(order.begin(), order.end(), 0);
        const std::vector<int> same = order;
        std::reverse(order.begin(), order.end());
        fuzz::require(partitionOf(run(*matcher, permuted(problem, order)), order) ==
                          partitionOf(tracks, same),
                      "the same tracks for another order of the views");
    }
    catch (const cv::Exception& e)
    {
        fuzz::require(isRefusal(e), e.what());
    }
    return 0;
}
