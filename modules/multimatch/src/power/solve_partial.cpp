// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "solve_partial.hpp"

#include "../search/neighbors.hpp"
#include "../search/pair_edges.hpp"
#include "../similarity/similarity.hpp"
#include "../starts/labels.hpp"
#include "../starts/starts.hpp"

#include "opencv2/multimatch/detail/log_odds.hpp"

namespace cv { namespace multimatch {

namespace {

EvidenceProblem problemOf(const MultiMatcher::Input& input, const NeighborGraph& graph,
                          const HiPPIParams& params)
{
    EvidenceProblem problem(input);
    problem.params = params.evidence;
    problem.graph = &graph;
    problem.neighbors = params.neighbors;
    problem.mu = params.mu;
    return problem;
}

} // namespace

PartialResult solvePartial(const EvidenceProblem& problem, const std::vector<int>& start,
                           const HiPPIParams& params, RunControl& control)
{
    PartialResult result;
    control.begin("evidence");
    EvidenceStep step(problem, control);
    control.begin("iterations");
    const int rounds = params.maxIterations;
    std::vector<int> labels = start;
    if (rounds > 0)
    {
        // By descriptors or given matches alone: objectives of different witnesses cannot be
        // compared.
        step.evaluate(start);
        labels = step.project();
    }
    if (rounds > 0 && problem.geometry)
    {
        // The tracks of earlier rounds are not pure enough to estimate the geometry of pairs of
        // views.
        const int before = std::min(rounds, problem.params.roundsBeforeGeometry);
        labels = iterate(step, labels, before, problem.params.minGrowth, control).labels;
        step.useGeometry();
    }
    result.iteration = iterate(step, labels, rounds, problem.params.minGrowth, control);
    result.iteration.exact = false; // L changes with the tracks
    control.begin("confidence");
    labels = result.iteration.labels;
    // Without an iteration the start itself is wanted.
    result.confidence =
        step.confidence(labels, params.maxIterations > 0 && params.minConfidence < 0.5f);
    result.geometries = step.geometries();
    for (size_t p = 0; p < labels.size(); ++p)
        if (result.confidence[p] < params.minConfidence)
            labels[p] = -1;
    result.iteration.universe = compactLabels(labels, params.universeSize);
    result.iteration.labels = labels;
    return result;
}

std::vector<float> detail::iteratePartial(const HiPPIParams& params,
                                          const std::vector<std::vector<KeyPoint>>& keypoints,
                                          InputArrayOfArrays descriptors, bool reuse,
                                          std::vector<int>& labels)
{
    const MultiMatcher::Input input =
        MultiMatcher::Input::fromKeyPoints(keypoints, descriptors, *HiPPI::create(params));
    RunControl control((ProgressCallback()));
    const NeighborGraph graph = neighborGraph(input, params.neighbors, control);
    const CsrMatrix S = kernelSimilarity(graph.distances, kernelBandwidths(graph, params.rhoDen),
                                         SimilarityParams(), control);
    labels = greedyLabels(S, input.viewSizes, params.evidence.startSimilarity);
    compactLabels(labels, params.universeSize);
    EvidenceProblem problem = problemOf(input, graph, params);
    problem.reuse = reuse;
    const PartialResult result = solvePartial(problem, labels, params, control);
    labels = result.iteration.labels;
    return result.confidence;
}

CsrMatrix detail::logOddsGiven(const HiPPIParams& params,
                               const std::vector<std::vector<KeyPoint>>& keypoints,
                               InputArrayOfArrays descriptors,
                               const std::vector<std::vector<int>>& tracks,
                               const VerificationParams* geometry)
{
    const MultiMatcher::Input input =
        MultiMatcher::Input::fromKeyPoints(keypoints, descriptors, *HiPPI::create(params));
    RunControl control((ProgressCallback()));
    const NeighborGraph graph = neighborGraph(input, params.neighbors, control);
    const std::vector<int> labels = input.canonicalLabels(tracks);
    EvidenceProblem problem = problemOf(input, graph, params);
    problem.geometry = geometry;
    EvidenceStep step(problem, control);
    step.evaluate(labels); // by descriptors alone
    if (geometry)
        step.useGeometry();
    step.evaluate(labels);
    const CsrMatrix& pairs = step.candidates().pairs();
    std::vector<int> rows, columns;
    for (int p = 0; p < pairs.rows; ++p)
        for (size_t e = pairs.offsets[p]; e < pairs.offsets[p + 1]; ++e)
        {
            rows.push_back(input.originalIndex[p]);
            columns.push_back(input.originalIndex[pairs.columns[e]]);
        }
    return CsrMatrix::fromTriplets(pairs.rows, pairs.cols, rows, columns,
                                   step.candidates().logOdds());
}

double partialBytes(const MultiMatcher::Input& input, int k, int along)
{
    // Candidates with distances and log-odds, twice while new ones are merged; maps and all else
    // per point and compared view.
    const double CANDIDATE = 2 * (sizeof(int) + 2 * sizeof(float)), MAPS = 24, POINT = 1024;
    const double ALONG = 2 * 16; // kept, and evaluated
    double compared = 0;
    for (int r = 0; r < input.pairs.rows; ++r)
        for (int side = 0; side < 2; ++side)
            compared += input.viewSizes[input.pairs.at<int>(r, side)];
    const double entries = 2 * maxPairEdges(input.viewSizes, input.pairs, k);
    return CANDIDATE * (entries + compared) + (MAPS + ALONG * along) * compared +
           POINT * input.pointCount();
}

}} // namespace cv::multimatch
