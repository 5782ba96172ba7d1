// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "matcher_base.hpp"

#include "confidence.hpp"
#include "iteration.hpp"
#include "neighbours.hpp"
#include "starts.hpp"

#include "opencv2/multimatch/detail/assignment.hpp"

namespace cv
{
namespace multimatch
{

namespace
{

//! The kernel's tail must be this small where the objective is to be provably monotone.
const float EXACT_TOLERANCE = 1e-6f;

//! Largest number of pairs of points for which a bijective problem compares everything with everything.
const double FULL_COMPARISON_LIMIT = 5e7;

//! Truncated rows end when the objective grows by less than this share; exact ones when it stops growing.
const double TRUNCATED_GROWTH = 1e-4;

const int REFINE_ROUNDS = 3;

RowLimits rowLimits(bool exact)
{
    RowLimits limits;
    if (!exact)
    {
        limits.B = 8;
        limits.C = 24;
        limits.candidates = 12;
    }
    return limits;
}

/** W = I + beta D^-1/2 S D^-1/2, or W = I + S. */
CsrMatrix withSelfWeight(const CsrMatrix& S, int normalization, float beta)
{
    std::vector<float> scale(static_cast<size_t>(S.rows), 1.f);
    if (normalization == NORMALIZE_SYMMETRIC)
        for (int p = 0; p < S.rows; ++p)
        {
            double sum = 0;
            for (size_t e = S.offsets[p]; e < S.offsets[p + 1]; ++e)
                sum += S.values[e];
            scale[static_cast<size_t>(p)] =
                sum > 0 ? static_cast<float>(std::sqrt(beta / sum)) : 0.f;
        }
    CsrMatrix W(S.rows, S.cols);
    W.columns.reserve(S.nonZeros() + static_cast<size_t>(S.rows));
    W.values.reserve(S.nonZeros() + static_cast<size_t>(S.rows));
    for (int p = 0; p < S.rows; ++p)
    {
        bool selfStored = false;
        for (size_t e = S.offsets[p]; e <= S.offsets[p + 1]; ++e)
        {
            if (!selfStored && (e == S.offsets[p + 1] || S.columns[e] > p))
            {
                W.columns.push_back(p);
                W.values.push_back(1.f);
                selfStored = true;
            }
            if (e == S.offsets[p + 1])
                break;
            W.columns.push_back(S.columns[e]);
            W.values.push_back(S.values[e] * scale[static_cast<size_t>(p)] *
                               scale[static_cast<size_t>(S.columns[e])]);
        }
        W.offsets[static_cast<size_t>(p) + 1] = W.columns.size();
    }
    return W;
}

CsrMatrix identity(int rows)
{
    CsrMatrix I(rows, rows);
    I.columns.resize(static_cast<size_t>(rows));
    std::iota(I.columns.begin(), I.columns.end(), 0);
    I.values.assign(static_cast<size_t>(rows), 1.f);
    std::iota(I.offsets.begin(), I.offsets.end(), size_t(0));
    return I;
}

/** Views of d points each, compared in full: S is 1 where the linear assignment of the two views on descriptor distance
puts two points together. */
CsrMatrix pairwiseAssignments(const NeighbourGraph& graph, const Mat& pairs)
{
    const std::vector<int> offsets = viewOffsets(graph.viewSizes);
    std::vector<int> rows, columns;
    for (int r = 0; r < pairs.rows; ++r)
    {
        const int i = pairs.at<int>(r, 0), j = pairs.at<int>(r, 1);
        Mat_<double> negative(graph.viewSizes[i], graph.viewSizes[j], 0.0);
        const CsrMatrix& D = graph.distances;
        for (int p = offsets[i]; p < offsets[i + 1]; ++p)
        {
            const std::vector<int>::const_iterator end =
                D.columns.begin() + static_cast<ptrdiff_t>(D.offsets[p + 1]);
            std::vector<int>::const_iterator at = std::lower_bound(
                D.columns.begin() + static_cast<ptrdiff_t>(D.offsets[p]), end, offsets[j]);
            for (; at != end && *at < offsets[j + 1]; ++at)
            {
                const double distance = D.values[static_cast<size_t>(at - D.columns.begin())];
                negative(p - offsets[i], *at - offsets[j]) = -distance * distance;
            }
        }
        const std::vector<int> assigned = detail::assignDense(negative, false);
        for (size_t p = 0; p < assigned.size(); ++p)
        {
            rows.push_back(offsets[i] + static_cast<int>(p));
            columns.push_back(offsets[j] + assigned[p]);
            rows.push_back(columns.back());
            columns.push_back(rows[rows.size() - 2]);
        }
    }
    return CsrMatrix::fromTriplets(offsets.back(), offsets.back(), rows, columns,
                                   std::vector<float>(rows.size(), 1.f));
}

/** Every point one of d labels: labels beyond the d most frequent ones are replaced by labels still free
in the view. */
std::vector<int> completedLabels(const std::vector<int>& labels, const std::vector<int>& viewSizes,
                                 int d)
{
    int count = 0;
    for (size_t p = 0; p < labels.size(); ++p)
        count = std::max(count, labels[p] + 1);
    std::vector<int> frequency(static_cast<size_t>(count), 0);
    for (size_t p = 0; p < labels.size(); ++p)
        if (labels[p] >= 0)
            ++frequency[static_cast<size_t>(labels[p])];
    std::vector<int> byFrequency(static_cast<size_t>(count)), rank(static_cast<size_t>(count));
    std::iota(byFrequency.begin(), byFrequency.end(), 0);
    std::stable_sort(
        byFrequency.begin(), byFrequency.end(),
        [&](int a, int b)
        { return frequency[static_cast<size_t>(a)] > frequency[static_cast<size_t>(b)]; });
    for (int r = 0; r < count; ++r)
        rank[static_cast<size_t>(byFrequency[static_cast<size_t>(r)])] = r;

    const std::vector<int> offsets = viewOffsets(viewSizes);
    std::vector<int> result(labels.size());
    for (size_t v = 0; v < viewSizes.size(); ++v)
    {
        std::vector<uchar> taken(static_cast<size_t>(d), 0);
        for (int p = offsets[v]; p < offsets[v + 1]; ++p)
        {
            result[p] = labels[p] >= 0 && rank[static_cast<size_t>(labels[p])] < d
                            ? rank[static_cast<size_t>(labels[p])]
                            : -1;
            if (result[p] >= 0)
                taken[static_cast<size_t>(result[p])] = 1;
        }
        int next = 0;
        for (int p = offsets[v]; p < offsets[v + 1]; ++p)
        {
            if (result[p] >= 0)
                continue;
            while (taken[static_cast<size_t>(next)])
                ++next;
            taken[static_cast<size_t>(next)] = 1;
            result[p] = next;
        }
    }
    return result;
}

/** Labels renumbered 0, 1, ... by falling frequency; those beyond limit (0: none) and those of a single point become -1. Returns the number
of labels. */
int compactLabels(std::vector<int>& labels, int limit)
{
    int count = 0;
    for (size_t p = 0; p < labels.size(); ++p)
        count = std::max(count, labels[p] + 1);
    std::vector<int> frequency(static_cast<size_t>(count), 0), order(static_cast<size_t>(count)),
        rank(static_cast<size_t>(count), -1);
    for (size_t p = 0; p < labels.size(); ++p)
        if (labels[p] >= 0)
            ++frequency[static_cast<size_t>(labels[p])];
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(
        order.begin(), order.end(),
        [&](int a, int b)
        { return frequency[static_cast<size_t>(a)] > frequency[static_cast<size_t>(b)]; });
    int kept = 0;
    for (size_t r = 0; r < order.size(); ++r)
        if (frequency[static_cast<size_t>(order[r])] > 1 && (limit == 0 || kept < limit))
            rank[static_cast<size_t>(order[r])] = kept++;
    for (size_t p = 0; p < labels.size(); ++p)
        labels[p] = labels[p] >= 0 ? rank[static_cast<size_t>(labels[p])] : -1;
    return kept;
}

//! Views whose rows of S weigh most, first: the references to try for a complete spectral start.
std::vector<int> referenceViews(const CsrMatrix& S, const std::vector<int>& viewSizes, int d,
                                int count)
{
    const std::vector<int> offsets = viewOffsets(viewSizes);
    std::vector<int> complete;
    std::vector<double> weight(viewSizes.size(), 0);
    for (size_t v = 0; v < viewSizes.size(); ++v)
    {
        for (size_t e = S.offsets[offsets[v]]; e < S.offsets[offsets[v + 1]]; ++e)
            weight[v] += S.values[e];
        if (viewSizes[v] == d)
            complete.push_back(static_cast<int>(v));
    }
    std::stable_sort(complete.begin(), complete.end(),
                     [&](int a, int b)
                     { return weight[static_cast<size_t>(a)] > weight[static_cast<size_t>(b)]; });
    // Evenly spread through the ranking, so that the tries differ.
    std::vector<int> chosen;
    const size_t tries = std::min(complete.size(), static_cast<size_t>(count));
    for (size_t t = 0; t < tries; ++t)
        chosen.push_back(complete[t * complete.size() / tries]);
    return chosen;
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

private:
    //! What the iteration ended with, in the order of the problem.
    struct Solution
    {
        std::vector<int> labels;
        std::vector<float> confidence;
        MatchReport report;
    };

    bool bijective(const std::vector<int>& viewSizes) const
    {
        return params_.universeSize > 0 &&
               std::count(viewSizes.begin(), viewSizes.end(), params_.universeSize) ==
                   static_cast<ptrdiff_t>(viewSizes.size());
    }
    int literalUniverse(const std::vector<int>& viewSizes) const;
    std::vector<std::vector<int>> startLabels(const CsrMatrix& S, const std::vector<int>& viewSizes,
                                              int d, const NeighbourGraph* graph,
                                              const std::vector<int>& given) const;
    Solution optimise(const CsrMatrix& S, const Adjacency& A, const std::vector<int>& viewSizes,
                      const NeighbourGraph* graph, const std::vector<Mat>* points,
                      const std::vector<int>& given, RunControl& control) const;

    HiPPIParams params_;
    std::vector<std::vector<int>> initialLabels_;
};

//! d of the literal mode: as given, or twice the mean number of points a view, at least the largest view.
int HiPPIImpl::literalUniverse(const std::vector<int>& viewSizes) const
{
    const std::vector<int>::const_iterator largest =
        std::max_element(viewSizes.begin(), viewSizes.end());
    if (params_.universeSize > 0)
    {
        if (params_.universeSize < *largest)
            CV_Error_(Error::StsBadArg, ("universeSize is %d but view %d has %d points, and in "
                                         "literal mode every point needs a universe "
                                         "point of its own",
                                         params_.universeSize,
                                         static_cast<int>(largest - viewSizes.begin()), *largest));
        return params_.universeSize;
    }
    const double mean = std::accumulate(viewSizes.begin(), viewSizes.end(), 0.0) /
                        static_cast<double>(viewSizes.size());
    return std::max(*largest, cvRound(2 * mean));
}

std::vector<std::vector<int>> HiPPIImpl::startLabels(const CsrMatrix& S,
                                                     const std::vector<int>& viewSizes, int d,
                                                     const NeighbourGraph* graph,
                                                     const std::vector<int>& given) const
{
    int start = params_.start;
    if (start == START_AUTO)
        start = bijective(viewSizes) ? START_SPECTRAL : graph ? START_QUICKMATCH : START_GREEDY;
    std::vector<std::vector<int>> starts;
    switch (start)
    {
    case START_QUICKMATCH:
        if (!graph)
            CV_Error(Error::StsBadArg,
                     "a QuickMatch start needs descriptors; solve() has only a similarity");
        starts.push_back(
            quickMatchLabels(*graph, params_.startRhoDen, params_.startRhoEdge, false));
        break;
    case START_GREEDY:
        starts.push_back(greedyLabels(S, viewSizes));
        break;
    case START_SPECTRAL:
    {
        const Mat vectors = leadingEigenvectors(S, std::min(d, S.rows), params_.seed);
        const std::vector<int> references = referenceViews(S, viewSizes, d, params_.startCount);
        for (size_t r = 0; r < references.size(); ++r)
            starts.push_back(spectralLabelsComplete(vectors, viewSizes, references[r]));
        if (references.empty())
            starts.push_back(spectralLabelsPartial(vectors, viewSizes, 0.5));
        break;
    }
    case START_RANDOM:
        for (int s = 0; s < params_.startCount; ++s)
            starts.push_back(randomLabels(viewSizes, d, params_.seed + s));
        break;
    default:
        if (given.empty())
            CV_Error(Error::StsBadArg, "START_LABELS needs labels: call setInitialLabels first");
        starts.push_back(given);
    }
    return starts;
}

HiPPIImpl::Solution HiPPIImpl::optimise(const CsrMatrix& S, const Adjacency& A,
                                        const std::vector<int>& viewSizes,
                                        const NeighbourGraph* graph, const std::vector<Mat>* points,
                                        const std::vector<int>& given, RunControl& control) const
{
    const bool literal = params_.mode == HIPPI_LITERAL || bijective(viewSizes);
    IterationProblem problem;
    problem.viewSizes = viewSizes;
    problem.offsets = viewOffsets(viewSizes);
    problem.W = withSelfWeight(S, params_.normalization, params_.beta);
    problem.A = A;
    if (problem.A.weights.rows == 0)
        problem.A.weights = identity(S.rows);
    if (!literal)
        problem.charges = standaloneCharges(problem.W, problem.A, viewSizes, params_.charge);

    control.begin("start");
    const int universe = literalUniverse(viewSizes);
    std::vector<std::vector<int>> starts = startLabels(S, viewSizes, universe, graph, given);
    control.begin("iterations");
    IterationResult best;
    for (size_t s = 0;
         s < starts.size() && (s == 0 || control.proceed(static_cast<double>(s) / starts.size()));
         ++s)
    {
        if (literal)
        {
            problem.d = universe;
            starts[s] = completedLabels(starts[s], viewSizes, universe);
        }
        else
            problem.d = compactLabels(starts[s], params_.universeSize);
        const bool small =
            static_cast<double>(problem.pointCount()) * problem.d <= DENSE_STEP_LIMIT;
        const Ptr<PowerStep> step = literal && small
                                        ? createDenseStep(problem)
                                        : createSparseStep(problem, rowLimits(params_.exact));
        const IterationResult result =
            iterate(problem, *step, starts[s], params_.maxIterations,
                    params_.exact || (literal && small) ? 0 : TRUNCATED_GROWTH, control);
        if (s == 0 || result.best() > best.best())
        {
            best = result;
            // d of the chosen start
            best.universe = problem.d;
            best.exact = params_.exact || (literal && small);
        }
    }

    control.begin("confidence");
    Solution solution;
    solution.labels = best.labels;
    const Ptr<LocalGeometry> geometry =
        points ? makePtr<LocalGeometry>(*points, problem.offsets) : Ptr<LocalGeometry>();
    const Confidence confidence(S, viewSizes, geometry.get());
    solution.confidence =
        Confidence(S, viewSizes, NULL).ofMembers(solution.labels, std::vector<float>());
    for (size_t p = 0; p < solution.confidence.size(); ++p) // context at first: what looks right
        if (solution.confidence[p] < 0.5f)
            solution.confidence[p] = 0.f;
    if (literal)
        solution.confidence = confidence.ofMembers(solution.labels, solution.confidence);
    else if (params_.refine)
        for (int round = 0; round < REFINE_ROUNDS; ++round)
            confidence.reassign(solution.labels, solution.confidence);
    if (!literal)
        for (size_t p = 0; p < solution.labels.size(); ++p)
            if (solution.confidence[p] < params_.minConfidence)
                solution.labels[p] = -1;
    solution.report.objective = best.objective;
    solution.report.iterations = best.iterations;
    solution.report.converged = best.converged;
    solution.report.universeSize = best.universe;
    solution.report.exact = best.exact;
    return solution;
}

Tracks HiPPIImpl::run(const Input& input)
{
    RunControl control(callback_);
    const std::vector<int> given =
        params_.start == START_LABELS ? input.canonicalLabels(initialLabels_) : std::vector<int>();
    if (params_.mode == HIPPI_LITERAL)
        literalUniverse(input.viewSizes); // complains before any work

    control.begin("neighbours");
    const bool full =
        bijective(input.viewSizes) &&
        static_cast<double>(input.pointCount()) * input.pointCount() <= FULL_COMPARISON_LIMIT;
    const NeighbourGraph graph =
        neighbourGraph(input.descriptors, input.viewSizes,
                       full ? params_.universeSize : params_.neighbours, input.pairs, control);
    control.begin("similarity");
    SimilarityParams similarity;
    similarity.rhoDen = params_.rhoDen;
    similarity.weighted = params_.weighted;
    const CsrMatrix S =
        full ? pairwiseAssignments(graph, input.pairs) : computeSimilarity(graph, similarity);
    control.begin("adjacency");
    AdjacencyParams adjacency;
    adjacency.mu = params_.mu;
    adjacency.tolerance =
        params_.exact ? std::min(params_.tolerance, EXACT_TOLERANCE) : params_.tolerance;
    adjacency.directional = params_.directional;
    const Adjacency A = computeAdjacency(input.points, adjacency);

    Solution solution = optimise(S, A, input.viewSizes, &graph, &input.points, given, control);
    control.finish(solution.report);
    Tracks tracks = input.restore(solution.labels, solution.confidence,
                                  params_.mode == HIPPI_LITERAL ? 1 : params_.minLength);
    tracks.setReport(solution.report);
    return tracks;
}

Tracks HiPPIImpl::solve(const MatchingProblem& problem)
{
    checkProblem(problem);
    if (params_.mode == HIPPI_LITERAL)
        literalUniverse(problem.viewSizes);
    RunControl control(callback_);
    Input input; // the caller's order is kept: a similarity has no content to sort points by
    input.viewSizes = input.originalSizes = problem.viewSizes;
    input.offsets = viewOffsets(problem.viewSizes);
    input.originalIndex.resize(static_cast<size_t>(input.pointCount()));
    std::iota(input.originalIndex.begin(), input.originalIndex.end(), 0);
    const std::vector<int> given =
        params_.start == START_LABELS ? input.canonicalLabels(initialLabels_) : std::vector<int>();
    Solution solution = optimise(problem.similarity, problem.adjacency, problem.viewSizes, NULL,
                                 NULL, given, control);
    control.finish(solution.report);
    Tracks tracks = input.restore(solution.labels, solution.confidence,
                                  params_.mode == HIPPI_LITERAL ? 1 : params_.minLength);
    tracks.setReport(solution.report);
    return tracks;
}

Ptr<HiPPI> HiPPI::create(const HiPPIParams& params)
{
    return makePtr<HiPPIImpl>(params);
}

}
} // namespace cv::multimatch
