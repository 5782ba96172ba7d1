// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "matcher_base.hpp"

#include "adjacency.hpp"
#include "iteration.hpp"
#include "neighbours.hpp"
#include "pair_edges.hpp"
#include "problem_setup.hpp"
#include "refinement.hpp"
#include "starts.hpp"
#include "view_frames.hpp"

namespace cv { namespace multimatch {

namespace {

//! The kernel's tail must be this small where the objective is to be provably monotone.
const float EXACT_TOLERANCE = 1e-6f;

//! Adjacency neighbours kept where rows are truncated anyway, and where every point has a label.
const int TRUNCATED_NEIGHBOURS = 6;
const int LITERAL_NEIGHBOURS = 12;

//! The same of similarities: what is far from the most similar ones would not decide anything.
const int TRUNCATED_SIMILARITIES = 4;

//! Largest number of pairs of points for which a bijective problem compares everything with everything.
const double FULL_COMPARISON_LIMIT = 5e7;

//! Truncated rows and blocks end when the objective grows by less than this share; exact ones when it stops growing.
const double TRUNCATED_GROWTH = 0.1;
const double BLOCK_GROWTH = 2e-3;

//! Of the guided search and the maps, for each point and view compared with it.
const double GUIDED_BYTES = 64;

//! Of everything else, for each point: places, labels, adjacency, truncated rows.
const double POINT_BYTES = 2048;

//! A greedy start joins no points less similar than this.
const float START_MIN_SIMILARITY = 0.3f;

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

class HiPPIImpl CV_FINAL : public MatcherBase<HiPPI>
{
public:
    explicit HiPPIImpl(const HiPPIParams& params) { setParams(params); }

    void setParams(const HiPPIParams& params) CV_OVERRIDE
    {
        params.validate();
        params_ = params;
    }
    HiPPIParams getParams() const CV_OVERRIDE { return params_; }
    void setInitialLabels(const std::vector<std::vector<int>>& labels) CV_OVERRIDE
    {
        initialLabels_ = labels;
    }

    String getDefaultName() const CV_OVERRIDE { return "multimatch.HiPPI"; }
    void write(FileStorage& fs) const CV_OVERRIDE { params_.write(fs); }
    void read(const FileNode& node) CV_OVERRIDE
    {
        HiPPIParams params = params_;
        params.read(node);
        setParams(params);
    }

    Tracks solve(const MatchingProblem& problem) CV_OVERRIDE;

protected:
    Tracks run(const Input& input) CV_OVERRIDE;
    Tracks runProblem(const MatchingProblem& problem) CV_OVERRIDE { return solve(problem); }

private:
    typedef std::vector<std::vector<int>> Starts;

    bool bijective(const std::vector<int>& viewSizes) const
    {
        return params_.universeSize > 0 &&
               std::count(viewSizes.begin(), viewSizes.end(), params_.universeSize) ==
                   static_cast<ptrdiff_t>(viewSizes.size());
    }
    //! Every point gets a universe point.
    bool literal(const std::vector<int>& viewSizes) const
    {
        return params_.mode == HIPPI_LITERAL || bijective(viewSizes);
    }
    int universe(const std::vector<int>& viewSizes) const;
    Starts startLabels(const CsrMatrix& S, const Input& input, const NeighbourGraph* graph) const;
    Adjacency adjacency(const Input& input, const Confidence& confidence,
                        const std::vector<int>& tentative, const std::vector<float>& belief,
                        RunControl& control) const;
    IterationResult optimise(const CsrMatrix& S, const Adjacency& A, Starts& starts,
                             const std::vector<int>& viewSizes, RunControl& control) const;
    void checkBeforeWork(const Input& input) const;
    double solverBytes(const Input& input, int k) const;
    Tracks solveFrom(const Input& input, const CsrMatrix& S, const Adjacency& given,
                     const NeighbourGraph* graph, const Appearance* appearance,
                     RunControl& control) const;
    Tracks finish(const Input& input, const IterationResult& result, Confidence& confidence,
                  const Appearance* appearance, RunControl& control) const;

    Tracks untracked(const Input& input, RunControl& control) const;

    HiPPIParams params_;
    std::vector<std::vector<int>> initialLabels_;
};

//! d: as given, or twice the mean number of points a view. In literal mode no view may be larger.
int HiPPIImpl::universe(const std::vector<int>& viewSizes) const
{
    if (params_.universeSize == 0)
        return defaultUniverse(viewSizes);
    const std::vector<int>::const_iterator largest =
        std::max_element(viewSizes.begin(), viewSizes.end());
    if (params_.mode == HIPPI_LITERAL && params_.universeSize < *largest)
        CV_Error_(Error::StsBadArg,
                  ("universeSize is %d but view %d has %d points, and in literal mode every point "
                   "needs a "
                   "universe point of its own",
                   params_.universeSize, static_cast<int>(largest - viewSizes.begin()), *largest));
    return params_.universeSize;
}

HiPPIImpl::Starts HiPPIImpl::startLabels(const CsrMatrix& S, const Input& input,
                                         const NeighbourGraph* graph) const
{
    const int d = universe(input.viewSizes);
    Starts starts;
    switch (params_.start != START_AUTO  ? params_.start
            : bijective(input.viewSizes) ? START_SPECTRAL
                                         : START_GREEDY)
    {
    case START_QUICKMATCH:
        if (!graph)
            CV_Error(Error::StsBadArg,
                     "a QuickMatch start needs descriptors; solve() has only a similarity");
        starts.push_back(
            quickMatchLabels(*graph, params_.startRhoDen, params_.startRhoEdge, false));
        break;
    case START_GREEDY:
        // Where S comes from descriptors its scale is known and pure starts are best; given similarities may have any
        // scale, even be all equal: there those that others confirm go first.
        starts.push_back(graph ? greedyLabels(S, input.viewSizes, START_MIN_SIMILARITY)
                               : greedyLabels(confirmedSimilarity(S), input.viewSizes, 0.f));
        break;
    case START_SPECTRAL:
    {
        const Mat vectors = leadingEigenvectors(S, std::min(d, S.rows), params_.seed);
        const std::vector<int> references =
            referenceViews(S, input.viewSizes, d, params_.startCount);
        for (size_t r = 0; r < references.size(); ++r)
            starts.push_back(spectralLabelsComplete(vectors, input.viewSizes, references[r]));
        if (references.empty())
            starts.push_back(spectralLabelsPartial(vectors, input.viewSizes, 0.5));
        break;
    }
    case START_RANDOM:
        for (int s = 0; s < params_.startCount; ++s)
            starts.push_back(randomLabels(
                input.viewSizes, std::max(d, defaultUniverse(input.viewSizes)), params_.seed + s));
        break;
    default:
        starts.push_back(input.canonicalLabels(initialLabels_));
    }
    return starts;
}

//! A from the points, in frames that the tentative tracks agree on; the identity where geometry tells nothing.
Adjacency HiPPIImpl::adjacency(const Input& input, const Confidence& confidence,
                               const std::vector<int>& tentative, const std::vector<float>& belief,
                               RunControl& control) const
{
    Adjacency result;
    if (!confidence.geometry())
    {
        result.weights = identityMatrix(input.pointCount());
        return result;
    }
    AdjacencyParams params;
    params.mu = params_.mu;
    params.tolerance =
        params_.exact ? std::min(params_.tolerance, EXACT_TOLERANCE) : params_.tolerance;
    params.maxNeighbours = params_.exact              ? 0
                           : literal(input.viewSizes) ? LITERAL_NEIGHBOURS
                                                      : TRUNCATED_NEIGHBOURS;
    params.directional = params_.directional;
    return adjacencyOf(input.points, confidence.geometry()->trees(), params,
                       estimateFrames(input, tentative, belief, control), control);
}

IterationResult HiPPIImpl::optimise(const CsrMatrix& S, const Adjacency& A, Starts& starts,
                                    const std::vector<int>& viewSizes, RunControl& control) const
{
    IterationProblem problem;
    problem.viewSizes = viewSizes;
    problem.offsets = viewOffsets(viewSizes);
    const bool truncated = !params_.exact && !literal(viewSizes);
    problem.W = withSelfWeight(truncated ? strongestEntries(S, TRUNCATED_SIMILARITIES, control) : S,
                               params_.normalization, params_.beta);
    problem.A = A;
    control.wanted();
    if (!literal(viewSizes))
        problem.charges =
            standaloneCharges(problem.W, problem.A, viewSizes, params_.charge, control);

    IterationResult best;
    for (size_t s = 0; s < starts.size() && (s == 0 || !control.cancelled()); ++s)
    {
        problem.d = problem.partial() ? compactLabels(starts[s], params_.universeSize)
                                      : universe(viewSizes);
        if (!problem.partial())
            starts[s] = completedLabels(starts[s], viewSizes, problem.d);
        const double cells = static_cast<double>(problem.pointCount()) * problem.d;
        const bool dense = !problem.partial() && cells <= DENSE_STEP_LIMIT;
        const bool blocks = !problem.partial() && !params_.exact && cells <= BLOCK_STEP_LIMIT;
        const RowLimits limits = rowLimits(dense || params_.exact);
        const Ptr<PowerStep> step = dense    ? createDenseStep(problem)
                                    : blocks ? createBlockStep(problem, control)
                                             : createSparseStep(problem, limits, control);
        IterationResult result = iterate(problem, *step, starts[s], params_.maxIterations,
                                         blocks           ? BLOCK_GROWTH
                                         : limits.exact() ? 0
                                                          : TRUNCATED_GROWTH,
                                         control);
        result.universe = problem.d;
        result.exact = limits.exact();
        if (s == 0 || result.best() > best.best())
            best = result;
    }
    return best;
}

Tracks HiPPIImpl::finish(const Input& input, const IterationResult& result, Confidence& confidence,
                         const Appearance* appearance, RunControl& control) const
{
    control.begin("confidence");
    const bool complete = literal(input.viewSizes);
    std::vector<int> labels = result.labels;
    std::vector<float> sure;
    if (complete || !params_.refine)
    {
        control.part(0, 0.3);
        const std::vector<float> belief = confidence.byAppearance(labels, control);
        control.part(0.3, 0.6);
        const Ptr<Predictions> predictions = confidence.predict(labels, belief, control);
        control.part(0.6, 1);
        sure = confidence.ofMembers(labels, predictions.get(), control);
    }
    else
        sure = refineTracks(confidence, appearance, params_.minConfidence, labels, control);
    for (size_t p = 0; p < labels.size(); ++p)
    {
        sure[p] = labels[p] < 0 ? 0.f : Confidence::calibrated(sure[p]);
        if (sure[p] < params_.minConfidence && !complete)
            labels[p] = -1;
    }
    if (params_.universeSize > 0 && !complete)
        compactLabels(labels, params_.universeSize);

    MatchReport report;
    report.objective = result.objective;
    report.iterations = result.iterations;
    report.converged = result.converged;
    report.universeSize = result.universe;
    report.exact = result.exact;
    control.finish(report);
    Tracks tracks = input.restore(labels, sure, complete ? 1 : params_.minLength);
    tracks.setReport(report);
    return tracks;
}

//! What there is when the user stops it before the iterations: no tracks.
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
    const int k = full ? params_.universeSize : params_.neighbours;
    checkBudget(input, std::max(searchBytes(input, k), solverBytes(input, k)));
    RunControl control(callback_);
    control.begin("neighbours");
    NeighbourGraph graph = neighbourGraph(input, k, control);
    if (control.cancelled())
        return untracked(input, control);
    control.begin("similarity");
    SimilarityParams similarity;
    similarity.rhoDen = params_.rhoDen;
    similarity.weighted = params_.weighted;
    const std::vector<float> bandwidths = kernelBandwidths(graph, params_.rhoDen);
    CsrMatrix S;
    if (full)
        S = pairwiseAssignments(graph, input.pairs);
    else if (params_.start == START_QUICKMATCH) // needs the distances too
        S = kernelSimilarity(graph.distances, bandwidths, similarity, control);
    else
        S = kernelSimilarity(std::move(graph.distances), bandwidths, similarity, control);
    const Appearance appearance(input.descriptors, input.normType, bandwidths);
    return solveFrom(input, S, Adjacency(), &graph, &appearance, control);
}

Tracks HiPPIImpl::solve(const MatchingProblem& problem)
{
    checkProblem(problem);
    const Input input = Input::fromProblem(problem);
    checkBeforeWork(input);
    RunControl control(callback_);
    return solveFrom(input, problem.similarity, problem.adjacency, NULL, NULL, control);
}

/** The stages behind the similarity. given: the caller's adjacency; graph, appearance: where S comes from, NULL: from the
caller. The graph is filled only where a start asks for it. */
Tracks HiPPIImpl::solveFrom(const Input& input, const CsrMatrix& S, const Adjacency& given,
                            const NeighbourGraph* graph, const Appearance* appearance,
                            RunControl& control) const
{
    if (control.cancelled())
        return untracked(input, control);
    control.begin("start");
    Starts starts = startLabels(S, input, graph);
    control.begin("adjacency");
    Ptr<LocalGeometry> geometry;
    if (!input.points.empty())
        geometry = Ptr<LocalGeometry>(
            new LocalGeometry(input.points, input.offsets, input.sizes, input.angles, control));
    Confidence confidence(S, input.viewSizes, geometry.get(), appearance != NULL);
    std::vector<float> belief;
    control.part(0.2, 0.4);
    if (confidence.geometry())
        belief = confidence.byAppearance(starts[0], control);
    control.part(0.4, 0.5);
    // Where every point has its counterpart, wrong starts are common and geometry is still right.
    if (confidence.geometry() && !bijective(input.viewSizes))
        confidence.dropGeometryUnlessItAgrees(starts[0], belief, control);
    control.part(0.5, 1);
    const Adjacency A =
        given.weights.rows > 0 ? given : adjacency(input, confidence, starts[0], belief, control);
    if (control.cancelled())
        return untracked(input, control);
    control.begin("iterations");
    const IterationResult result = optimise(S, A, starts, input.viewSizes, control);
    return finish(input, result, confidence, appearance, control);
}

/** Bytes that the stages behind the search hold at most: the distances while they become similarities; later those, once more with
what the guided search adds, and the maps of all patches. Where every label may be in every row, those rows. */
double HiPPIImpl::solverBytes(const Input& input, int k) const
{
    const double points = input.pointCount(), entry = sizeof(int) + sizeof(float);
    const double entries = 2 * maxPairEdges(input.viewSizes, input.pairs, k); // of S
    double compared = 0; // points times the views compared with each
    for (int r = 0; r < input.pairs.rows; ++r)
        for (int side = 0; side < 2; ++side)
            compared += input.viewSizes[input.pairs.at<int>(r, side)];
    const double kernel = (2 * entry + sizeof(float)) * entries;
    const double refinement = 2 * entry * entries + GUIDED_BYTES * compared;
    double rows = POINT_BYTES * points;
    if (params_.exact || literal(input.viewSizes))
    {
        const double cells = points * universe(input.viewSizes);
        const bool blocks = !params_.exact && cells > DENSE_STEP_LIMIT && cells <= BLOCK_STEP_LIMIT;
        rows += cells * static_cast<double>(blocks ? 8 * sizeof(float) : 4 * 6 * sizeof(double));
    }
    return std::max(kernel, refinement) + rows;
}

//! Complains of what run() and solve() would meet only later.
void HiPPIImpl::checkBeforeWork(const Input& input) const
{
    universe(input.viewSizes);
    if (params_.start == START_LABELS)
        input.canonicalLabels(initialLabels_);
}

Ptr<HiPPI> HiPPI::create(const HiPPIParams& params)
{
    return makePtr<HiPPIImpl>(params);
}

}} // namespace cv::multimatch
