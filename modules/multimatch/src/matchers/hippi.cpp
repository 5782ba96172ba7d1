// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "matcher_base.hpp"

#include "../base/eigenpairs.hpp"
#include "../geometry/adjacency.hpp"
#include "../geometry/view_frames.hpp"
#include "../power/iteration.hpp"
#include "../power/solve_partial.hpp"
#include "../search/neighbors.hpp"
#include "../search/pair_edges.hpp"
#include "../similarity/similarity.hpp"
#include "../similarity/weights.hpp"
#include "../starts/labels.hpp"
#include "../starts/starts.hpp"

namespace cv { namespace multimatch {

namespace {

//! The kernel's tail must be this small where the objective is to be provably monotone.
const float EXACT_TOLERANCE = 1e-6f;

//! Adjacency neighbors of a point that are kept where A is cut.
const int ADJACENCY_NEIGHBORS = 12;

//! Of adjacency, labels and rows, for each point of a complete problem.
const double COMPLETE_POINT_BYTES = 2048;

//! Largest number of pairs of points for which a bijective problem compares everything with
//! everything.
const double FULL_COMPARISON_LIMIT = 5e7;

//! Truncated rows and blocks end when the objective grows by less than this share; exact ones when
//! it stops growing.
const double BLOCK_GROWTH = 2e-3;

RowLimits rowLimits(bool exact)
{
    RowLimits limits;
    if (!exact)
    {
        limits.B = 4;
        limits.C = 6;
        limits.G = 8;
        limits.candidates = 4;
    }
    return limits;
}

} // namespace

//! For WithParams.
static void checkParams(const HiPPIParams& params)
{
    params.validate();
}

class HiPPIImpl CV_FINAL : public WithParams<MatcherBase<HiPPI>, HiPPIParams>
{
public:
    explicit HiPPIImpl(const HiPPIParams& params) { setParams(params); }

    void setParams(const HiPPIParams& params) CV_OVERRIDE
    {
        WithParams<MatcherBase<HiPPI>, HiPPIParams>::setParams(params);
        used_ = params;
        if (params.mode != HIPPI_LITERAL)
            return;
        // The paper's algorithm: W = I + S, isotropic A, exact products.
        used_.normalization = NORMALIZE_NONE;
        used_.directional = 0;
        used_.exact = true;
    }
    void setInitialLabels(const std::vector<std::vector<int>>& labels) CV_OVERRIDE
    {
        initialLabels_ = labels;
    }

    String getDefaultName() const CV_OVERRIDE { return "multimatch.HiPPI"; }

    Tracks solve(const MatchingProblem& problem) CV_OVERRIDE;

protected:
    Tracks run(const Input& input) CV_OVERRIDE;
    Tracks runProblem(const MatchingProblem& problem) CV_OVERRIDE { return solve(problem); }

private:
    typedef std::vector<std::vector<int>> Starts;

    bool bijective(const std::vector<int>& viewSizes) const
    {
        return isComplete(viewSizes, used_.universeSize);
    }
    //! Every point gets a universe point.
    bool complete(const std::vector<int>& viewSizes) const
    {
        return used_.mode != HIPPI_PARTIAL || bijective(viewSizes);
    }
    int universe(const std::vector<int>& viewSizes) const;
    Starts startLabels(const CsrMatrix& S, const Input& input, const NeighborGraph* graph) const;
    Adjacency adjacency(const Input& input, const CsrMatrix& S, const std::vector<int>& tentative,
                        RunControl& control) const;
    IterationResult optimize(const CsrMatrix& S, const Adjacency& A, Starts& starts,
                             const std::vector<int>& viewSizes, RunControl& control) const;
    void checkBeforeWork(const Input& input) const;
    double solverBytes(const Input& input, int k) const;
    Tracks solveComplete(const Input& input, const CsrMatrix& S, const Adjacency& given,
                         Starts& starts, RunControl& control) const;
    Tracks solveIncomplete(EvidenceProblem& problem, Starts& starts, RunControl& control) const;

    Tracks untracked(const Input& input, RunControl& control) const;

    HiPPIParams used_; //!< params_, but in literal mode those of the paper
    std::vector<std::vector<int>> initialLabels_;
};

//! d: as given, or twice the mean number of points a view. Where every point gets one, no view may
//! be larger.
int HiPPIImpl::universe(const std::vector<int>& viewSizes) const
{
    if (used_.universeSize == 0)
        return defaultUniverse(viewSizes);
    const std::vector<int>::const_iterator largest =
        std::max_element(viewSizes.begin(), viewSizes.end());
    if (used_.mode != HIPPI_PARTIAL && used_.universeSize < *largest)
        CV_Error_(Error::StsBadArg,
                  ("universeSize is %d but view %d has %d points, and in literal and complete mode "
                   "every point needs a universe point of its own",
                   used_.universeSize, static_cast<int>(largest - viewSizes.begin()), *largest));
    // There cannot be more universe points in use than points.
    return std::min(used_.universeSize,
                    std::max(1, std::accumulate(viewSizes.begin(), viewSizes.end(), 0)));
}

HiPPIImpl::Starts HiPPIImpl::startLabels(const CsrMatrix& S, const Input& input,
                                         const NeighborGraph* graph) const
{
    const int d = universe(input.viewSizes);
    Starts starts;
    switch (used_.start != START_AUTO    ? used_.start
            : bijective(input.viewSizes) ? START_SPECTRAL
                                         : START_GREEDY)
    {
    case START_QUICKMATCH:
        if (!graph)
            CV_Error(Error::StsBadArg,
                     "a QuickMatch start needs descriptors; solve() has only a similarity");
        starts.push_back(quickMatchLabels(*graph, used_.startRhoDen, used_.startRhoEdge, false));
        break;
    case START_GREEDY:
        // Where S comes from descriptors, its scale is known, and a start with few wrong joins is
        // best. Given similarities may have any scale or be all equal: there entries that other
        // entries confirm are joined first.
        starts.push_back(graph ? greedyLabels(S, input.viewSizes, used_.evidence.startSimilarity)
                               : greedyLabels(confirmedSimilarity(S), input.viewSizes, 0.f));
        break;
    case START_SPECTRAL:
    {
        if (S.rows == 0)
        {
            starts.push_back(std::vector<int>());
            break;
        }
        const Mat vectors =
            leadingEigenpairs(S, std::min(d, S.rows), LARGEST_ALGEBRAIC, used_.seed).vectors;
        // Points of a reference view represent the universe points, so no view may have more.
        const bool reachable =
            *std::max_element(input.viewSizes.begin(), input.viewSizes.end()) <= d;
        const std::vector<int> references =
            reachable ? referenceViews(S, input.viewSizes, d, used_.startCount)
                      : std::vector<int>();
        for (size_t r = 0; r < references.size(); ++r)
            starts.push_back(spectralLabelsComplete(vectors, input.viewSizes, references[r]));
        if (references.empty())
            starts.push_back(spectralLabelsPartial(vectors, input.viewSizes, 0.5));
        break;
    }
    case START_RANDOM:
        for (int s = 0; s < used_.startCount; ++s)
            starts.push_back(randomLabels(
                input.viewSizes, std::max(d, defaultUniverse(input.viewSizes)),
                static_cast<int>(static_cast<unsigned>(used_.seed) + static_cast<unsigned>(s))));
        break;
    default:
        starts.push_back(input.canonicalLabels(initialLabels_));
    }
    return starts;
}

//! A from the points, in frames that the tentative tracks agree on; the identity where there are no
//! points.
Adjacency HiPPIImpl::adjacency(const Input& input, const CsrMatrix& S,
                               const std::vector<int>& tentative, RunControl& control) const
{
    Adjacency result;
    if (input.points.empty())
    {
        result.weights = identityMatrix(input.pointCount());
        return result;
    }
    AdjacencyParams params;
    params.mu = used_.mu;
    params.tolerance = used_.exact ? std::min(used_.tolerance, EXACT_TOLERANCE) : used_.tolerance;
    params.maxNeighbors = used_.exact ? 0 : ADJACENCY_NEIGHBORS;
    params.directional = used_.directional;
    std::vector<ViewFrame> frames;
    if (params.directional > 0)
        frames = estimateFrames(input, tentative, similarityShares(S, tentative), control);
    return adjacencyOf(input.points, kdTrees(input.points, input.offsets, control), params, frames,
                       control);
}

IterationResult HiPPIImpl::optimize(const CsrMatrix& S, const Adjacency& A, Starts& starts,
                                    const std::vector<int>& viewSizes, RunControl& control) const
{
    IterationProblem problem;
    problem.viewSizes = viewSizes;
    problem.offsets = viewOffsets(viewSizes);
    problem.W = withSelfWeight(S, used_.normalization, used_.beta);
    problem.A = A;
    problem.d = universe(viewSizes);
    control.wanted();
    const double cells = static_cast<double>(problem.pointCount()) * problem.d;
    const bool dense = cells <= DENSE_STEP_LIMIT;
    const bool blocks = !dense && !used_.exact && cells <= BLOCK_STEP_LIMIT;
    const RowLimits limits = rowLimits(dense || used_.exact);
    IterationResult best;
    for (size_t s = 0; s < starts.size() && (s == 0 || !control.cancelled()); ++s)
    {
        starts[s] = completedLabels(starts[s], viewSizes, problem.d);
        const Ptr<PowerStep> step = dense    ? createDenseStep(problem)
                                    : blocks ? createBlockStep(problem, control)
                                             : createSparseStep(problem, limits, control);
        IterationResult result = iterate(*step, starts[s], used_.maxIterations,
                                         blocks || !limits.exact() ? BLOCK_GROWTH : 0, control);
        result.universe = problem.d;
        result.exact = limits.exact() && !blocks;
        if (s == 0 || result.best() > best.best())
            best = result;
    }
    return best;
}

Tracks HiPPIImpl::solveComplete(const Input& input, const CsrMatrix& S, const Adjacency& given,
                                Starts& starts, RunControl& control) const
{
    control.begin("adjacency");
    const Adjacency A = given.weights.rows > 0 ? given : adjacency(input, S, starts[0], control);
    if (control.cancelled())
        return untracked(input, control);
    control.begin("iterations");
    const IterationResult result = optimize(S, A, starts, input.viewSizes, control);
    control.begin("confidence");
    const std::vector<float> confidence = similarityShares(S, result.labels);
    MatchReport report = result.report();
    const bool whole = params_.exact || given.weights.rows > 0 || input.points.empty();
    report.exact = report.exact && whole; // the adjacency made here was cut otherwise
    control.finish(report);
    Tracks tracks = input.restore(result.labels, confidence, 1);
    tracks.setReport(report);
    return tracks;
}

//! The result of a run that was stopped before the iterations: no tracks.
Tracks HiPPIImpl::untracked(const Input& input, RunControl& control) const
{
    MatchReport report;
    control.finish(report);
    const std::vector<int> labels(static_cast<size_t>(input.pointCount()), -1);
    Tracks tracks = input.restore(labels, std::vector<float>(labels.size(), 0.f), 1);
    tracks.setReport(report);
    return tracks;
}

Tracks HiPPIImpl::run(const Input& input)
{
    checkBeforeWork(input);
    const bool full =
        bijective(input.viewSizes) &&
        static_cast<double>(input.pointCount()) * input.pointCount() <= FULL_COMPARISON_LIMIT;
    const int k = full ? used_.universeSize : used_.neighbors;
    checkBudget(input, std::max(searchBytes(input, k), inputBytes(input) + solverBytes(input, k)));
    RunControl control(callback_);
    control.begin("neighbors");
    NeighborGraph graph = neighborGraph(input, k, control);
    if (control.cancelled())
        return untracked(input, control);
    control.begin("similarity");
    SimilarityParams similarity;
    similarity.rhoDen = used_.rhoDen;
    similarity.weighted = used_.weighted;
    CsrMatrix S = full ? pairwiseAssignments(graph, input.pairs)
                       : kernelSimilarity(graph.distances, kernelBandwidths(graph, used_.rhoDen),
                                          similarity, control);
    if (control.cancelled())
        return untracked(input, control);
    control.begin("start");
    Starts starts = startLabels(S, input, &graph);
    if (complete(input.viewSizes))
        return solveComplete(input, S, Adjacency(), starts, control);
    S = CsrMatrix(); // evidence is made from the distances, and S needs as much memory as they do
    EvidenceProblem problem(input);
    problem.graph = &graph;
    return solveIncomplete(problem, starts, control);
}

Tracks HiPPIImpl::solve(const MatchingProblem& problem)
{
    checkProblem(problem);
    Input input = Input::fromProblem(problem);
    input.pairs = matchedPairs(problem.similarity, problem.viewSizes);
    checkBeforeWork(input);
    RunControl control(callback_);
    control.begin("start");
    Starts starts = startLabels(problem.similarity, input, NULL);
    if (complete(input.viewSizes))
        return solveComplete(input, problem.similarity, problem.adjacency, starts, control);
    EvidenceProblem evidence(input);
    evidence.given = &problem.similarity;
    return solveIncomplete(evidence, starts, control);
}

//! problem: its input, and the graph or the given matches.
Tracks HiPPIImpl::solveIncomplete(EvidenceProblem& problem, Starts& starts,
                                  RunControl& control) const
{
    if (control.cancelled())
        return untracked(problem.input, control);
    problem.params = used_.evidence;
    problem.neighbors = used_.neighbors;
    problem.mu = used_.mu;
    compactLabels(starts[0], used_.universeSize);
    const PartialResult result = solvePartial(problem, starts[0], used_, control);
    MatchReport report = result.iteration.report();
    control.finish(report);
    Tracks tracks =
        problem.input.restore(result.iteration.labels, result.confidence, used_.minLength);
    tracks.setReport(report);
    return tracks;
}

//! Upper bound of the bytes of the stages after the search, without the neighbors.
double HiPPIImpl::solverBytes(const Input& input, int k) const
{
    if (!complete(input.viewSizes))
        return partialBytes(input, k);
    const double entry = sizeof(int) + sizeof(float);
    const double entries = 2 * maxPairEdges(input.viewSizes, input.pairs, k); // of S
    const double cells = static_cast<double>(input.pointCount()) * universe(input.viewSizes);
    const bool blocks = !used_.exact && cells > DENSE_STEP_LIMIT && cells <= BLOCK_STEP_LIMIT;
    return 3 * entry * entries + COMPLETE_POINT_BYTES * input.pointCount() +
           cells * static_cast<double>(blocks ? 8 * sizeof(float) : 4 * 6 * sizeof(double));
}

//! Throws where run() or solve() would throw only later.
void HiPPIImpl::checkBeforeWork(const Input& input) const
{
    universe(input.viewSizes);
    if (used_.start == START_LABELS)
        input.canonicalLabels(initialLabels_);
}

Ptr<HiPPI> HiPPI::create(const HiPPIParams& params)
{
    return makePtr<HiPPIImpl>(params);
}

}} // namespace cv::multimatch
