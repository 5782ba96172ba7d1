// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "methods.hpp"

#include "opencv2/core/utility.hpp"
#include "opencv2/multimatch/geometric_peers.hpp"

#include <algorithm>

namespace bench {

using namespace cv;
using namespace cv::multimatch;

namespace {

//! Points times eigenvectors squared, the cost of the eigensolver: about twenty seconds.
const double MAX_EIGEN_COST = 2e9;
const int MAX_DENSE_POINTS = 3500; //!< of MatchALS, which stores all pairs of points
const int MANY_DENSE_POINTS =
    2000; //!< above this number of points it stops after MANY_POINTS_ITERATIONS
const int MANY_POINTS_ITERATIONS = 100;
const int MAX_LITERAL_POINTS =
    6000;                       //!< of the algorithm of the paper, with similarities of all pairs
const int MAX_DENSE_VIEW = 700; //!< maximum points per view for a dense pairwise assignment
// Of the methods that compare pairs of points with pairs of points.
const int MAX_GRAPH_POINTS = 4000, MAX_GRAPH_VIEW = 50, MAX_LOW_RANK_POINTS = 4000;
const int MAX_SPARSE_POINTS = 8000, MAX_SPARSE_CANDIDATES = 4096;
const int SPARSE_CANDIDATES = 8; //!< candidates per point of a sparse pairwise assignment

Outcome refusal(const std::string& reason)
{
    Outcome outcome;
    outcome.reason = reason;
    return outcome;
}

Tracks matchFeatures(MultiMatcher& matcher, const Problem& problem)
{
    return problem.keypoints.empty() ? matcher.matchPoints(problem.points, problem.descriptors)
                                     : matcher.match(problem.keypoints, problem.descriptors);
}

PairList matchFeaturePairs(PairwiseMatcher& matcher, const Problem& problem)
{
    return problem.keypoints.empty() ? matcher.matchPointPairs(problem.points, problem.descriptors)
                                     : matcher.matchPairs(problem.keypoints, problem.descriptors);
}

Outcome fromTracks(const Tracks& tracks)
{
    Outcome outcome;
    outcome.ran = true;
    outcome.tracks = tracks;
    return outcome;
}

Outcome fromPairs(const PairList& pairs)
{
    Outcome outcome;
    outcome.ran = true;
    outcome.consistent = false;
    outcome.pairs = pairs;
    return outcome;
}

template<typename Matcher>
Outcome runConsistent(Matcher& matcher, const Problem& problem)
{
    return fromTracks(problem.hasFeatures() ? matchFeatures(matcher, problem)
                                            : matcher.solve(problem.viewSizes, problem.similarity));
}

template<typename Matcher>
Outcome runInconsistent(Matcher& matcher, const Problem& problem)
{
    return fromPairs(problem.hasFeatures()
                         ? matchFeaturePairs(matcher, problem)
                         : matcher.solvePairs(problem.viewSizes, problem.similarity));
}

// True if d eigenvectors are too expensive. If d is unknown, the default of the method is used.
bool tooManyEigenvectors(const Problem& problem, int byDefault, std::string& reason)
{
    const int d = problem.universeSize > 0 ? problem.universeSize : byDefault;
    if (double(d) * d * problem.pointCount() <= MAX_EIGEN_COST)
        return false;
    reason = format("%d eigenvectors of %d points are too many", d, problem.pointCount());
    return true;
}

Outcome runHiPPI(const Problem& problem, bool literal, float minConfidence)
{
    HiPPIParams params;
    if (literal)
    {
        if (problem.pointCount() > MAX_LITERAL_POINTS)
            return refusal(
                format("%d points are too many for similarities of all pairs, at most %d",
                       problem.pointCount(), MAX_LITERAL_POINTS));
        // For given matches and complete problems, the start and the scale of the similarity are
        // computed from the matches.
        const bool quickMatch = problem.hasFeatures() && problem.universeSize == 0;
        params = paperParams();
        if (!quickMatch)
        {
            params.start = problem.hasFeatures() ? START_SPECTRAL : START_GREEDY;
            params.mu = 10;
        }
    }
    if (minConfidence >= 0)
        params.minConfidence = minConfidence;
    params.universeSize = problem.universeSize;
    const Ptr<HiPPI> matcher = HiPPI::create(params);
    if (problem.hasFeatures())
        return fromTracks(matchFeatures(*matcher, problem));
    MatchingProblem given;
    given.viewSizes = problem.viewSizes;
    given.similarity = problem.similarity;
    given.keypoints = problem.keypoints;
    return fromTracks(matcher->solve(given));
}

Outcome runGuided(const Problem& problem)
{
    if (!problem.rigid || !problem.hasFeatures())
        return refusal("needs photographs of a rigid scene");
    GuidedParams params;
    if (problem.planar)
        params.verification.model = MODEL_HOMOGRAPHY;
    return fromTracks(matchFeatures(*GuidedHiPPI::create(params), problem));
}

Outcome runPairwise(const Problem& problem)
{
    if (!problem.hasFeatures())
        return fromPairs(problem.given);
    PairwiseParams params;
    if (problem.largestView() > MAX_DENSE_VIEW)
        params.neighbors = SPARSE_CANDIDATES;
    return fromPairs(matchFeaturePairs(*Pairwise::create(params), problem));
}

Outcome runQuickMatch(const Problem& problem)
{
    if (!problem.hasFeatures())
        return refusal("needs descriptors");
    // The default of 0.67 finds almost no matches with noisy descriptors; 1 works on all sets.
    QuickMatchParams params;
    params.rhoEdge = 1.f;
    return fromTracks(matchFeatures(*QuickMatch::create(params), problem));
}

Outcome runSpectral(const Problem& problem)
{
    std::string reason;
    if (tooManyEigenvectors(problem, problem.largestView(), reason))
        return refusal(reason);
    SpectralParams params;
    params.universeSize = problem.universeSize;
    return runConsistent(*Spectral::create(params), problem);
}

Outcome runMatchEig(const Problem& problem)
{
    std::string reason;
    const int views = std::max(1, static_cast<int>(problem.viewSizes.size()));
    if (tooManyEigenvectors(problem, 2 * problem.pointCount() / views, reason))
        return refusal(reason);
    MatchEigParams params;
    params.universeSize = problem.universeSize;
    return runInconsistent(*MatchEig::create(params), problem);
}

Outcome runMatchALS(const Problem& problem)
{
    if (problem.pointCount() > MAX_DENSE_POINTS)
        return refusal(format("%d points are too many for a dense method, at most %d",
                              problem.pointCount(), MAX_DENSE_POINTS));
    MatchALSParams params;
    params.universeSize = problem.universeSize;
    if (problem.pointCount() > MANY_DENSE_POINTS)
        params.maxIterations = std::min(params.maxIterations, MANY_POINTS_ITERATIONS);
    return runInconsistent(*MatchALS::create(params), problem);
}

//! Graph methods match points of views that all show the same points.
Outcome runOnGraphs(const std::string& name, const Problem& problem)
{
    if (!problem.hasFeatures())
        return refusal("needs positions and descriptors");
    if (problem.pointCount() > MAX_GRAPH_POINTS || problem.largestView() > MAX_GRAPH_VIEW)
        return refusal(format("%d points in views of up to %d are too many for a method on graphs, "
                              "at most %d in views of %d",
                              problem.pointCount(), problem.largestView(), MAX_GRAPH_POINTS,
                              MAX_GRAPH_VIEW));
    GraphMatchingParams params;
    params.universeSize = problem.universeSize;
    if (name == "randomwalks")
        return fromPairs(matchFeaturePairs(*RandomWalks::create(params), problem));
    if (name == "alternating")
        return fromTracks(matchFeatures(*AlternatingMatching::create(params), problem));
    return fromTracks(matchFeatures(*GraduatedConsistency::create(params), problem));
}

Outcome runLowRank(const Problem& problem)
{
    if (!problem.hasFeatures())
        return refusal("needs positions and descriptors");
    if (problem.pointCount() > MAX_LOW_RANK_POINTS)
        return refusal(format("%d points are too many, at most %d", problem.pointCount(),
                              MAX_LOW_RANK_POINTS));
    LowRankParams params;
    params.universeSize = problem.universeSize;
    return fromTracks(matchFeatures(*LowRankCoordinates::create(params), problem));
}

Outcome runSparse(const Problem& problem)
{
    if (!problem.hasFeatures())
        return refusal("needs positions and descriptors");
    SparseConsistentParams params;
    if (problem.pointCount() > MAX_SPARSE_POINTS ||
        problem.largestView() * params.candidates > MAX_SPARSE_CANDIDATES)
        return refusal(format("%d points in views of up to %d are too many, at most %d in views of "
                              "%d",
                              problem.pointCount(), problem.largestView(), MAX_SPARSE_POINTS,
                              MAX_SPARSE_CANDIDATES / params.candidates));
    return fromTracks(matchFeatures(*SparseConsistent::create(params), problem));
}

Outcome dispatch(const std::string& name, const Problem& problem, float minConfidence)
{
    if (name == OURS)
        return runHiPPI(problem, false, minConfidence);
    if (name == "hippi-literal")
        return runHiPPI(problem, true, -1);
    if (name == "guided")
        return runGuided(problem);
    if (name == "pairwise")
        return runPairwise(problem);
    if (name == "unionfind")
        return runConsistent(*UnionFind::create(), problem);
    if (name == "kruskal")
        return runConsistent(*Kruskal::create(), problem);
    if (name == "quickmatch")
        return runQuickMatch(problem);
    if (name == "spectral")
        return runSpectral(problem);
    if (name == "matcheig")
        return runMatchEig(problem);
    if (name == "matchals")
        return runMatchALS(problem);
    if (name == "randomwalks" || name == "alternating" || name == "cao")
        return runOnGraphs(name, problem);
    if (name == "lowrank")
        return runLowRank(problem);
    if (name == "sparse")
        return runSparse(problem);
    CV_Error(Error::StsBadArg, "unknown method " + name);
}

} // namespace

const std::vector<std::string>& methodNames()
{
    static const std::vector<std::string> names = {
        OURS,          "guided",      "hippi-literal", "pairwise", "unionfind",
        "kruskal",     "quickmatch",  "spectral",      "matcheig", "matchals",
        "randomwalks", "alternating", "cao",           "lowrank",  "sparse"};
    return names;
}

bool usesPositions(const std::string& name)
{
    static const char* const NAMES[] = {OURS,  "hippi-literal", "randomwalks", "alternating",
                                        "cao", "lowrank",       "sparse"};
    return std::find(std::begin(NAMES), std::end(NAMES), name) != std::end(NAMES);
}

Outcome runMethod(const std::string& name, const Problem& problem, float minConfidence)
{
    TickMeter timer;
    timer.start();
    Outcome outcome = dispatch(name, problem, minConfidence);
    timer.stop();
    outcome.seconds = timer.getTimeSec();
    return outcome;
}

} // namespace bench
