// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "paper_size.hpp"

#include "measure.hpp"
#include "methods.hpp"
#include "synthetic.hpp"

#include "opencv2/multimatch/detail/assignment.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace bench {

using namespace cv;
using namespace cv::multimatch;

namespace {

const int VIEWS = 100, VIEW_POINTS = 207, UNIVERSE = 414;
const float BETA = 0.2f; // of HiPPIParams

Problem makeProblem()
{
    SyntheticParams params;
    params.views = VIEWS;
    params.universe = UNIVERSE;
    params.seen = VIEW_POINTS;
    params.outliers = 0;
    params.positions = true;
    Problem problem = makeSynthetic(params);
    problem.universeSize = UNIVERSE;
    return problem;
}

//! W without its unit diagonal, A, and the start.
struct Task
{
    Problem problem;
    CsrMatrix S;
    CsrMatrix A;
    Labels start;
};

//! beta D^-1/2 S D^-1/2
void normalize(CsrMatrix& S)
{
    std::vector<double> scale;
    for (int p = 0; p < S.rows; ++p)
    {
        double sum = 0;
        for (size_t e = S.offsets[size_t(p)]; e < S.offsets[size_t(p) + 1]; ++e)
            sum += S.values[e];
        scale.push_back(sum > 0 ? std::sqrt(BETA / sum) : 0);
    }
    for (int p = 0; p < S.rows; ++p)
        for (size_t e = S.offsets[size_t(p)]; e < S.offsets[size_t(p) + 1]; ++e)
            S.values[e] *= float(scale[size_t(p)] * scale[size_t(S.columns[e])]);
}

//! Labels below UNIVERSE from the longest tracks of union-find. Points without a track get the
//! unused labels of their view in order.
Labels startLabels(const Problem& problem)
{
    const Tracks tracks = UnionFind::create()->matchPoints(problem.points, problem.descriptors);
    std::vector<int> byLength(size_t(tracks.size())), labelOf(size_t(tracks.size()), -1);
    std::iota(byLength.begin(), byLength.end(), 0);
    std::stable_sort(byLength.begin(), byLength.end(),
                     [&](int a, int b) { return tracks.length(a) > tracks.length(b); });
    for (size_t n = 0; n < byLength.size() && n < size_t(UNIVERSE); ++n)
        labelOf[size_t(byLength[n])] = int(n);
    Labels labels;
    for (int v = 0; v < VIEWS; ++v)
    {
        labels.push_back(tracks.trackIds(v));
        std::set<int> used;
        for (int& label : labels.back())
        {
            label = label >= 0 ? labelOf[size_t(label)] : -1;
            used.insert(label);
        }
        int next = 0;
        for (int& label : labels.back())
            if (label < 0)
            {
                while (used.count(next))
                    ++next;
                label = next++;
            }
    }
    return labels;
}

Task makeTask()
{
    Task task;
    task.problem = makeProblem();
    task.S = computeSimilarity(findNeighbors(task.problem.descriptors, 2));
    normalize(task.S);
    AdjacencyParams adjacency;
    adjacency.directional = 0;
    task.A = computeAdjacency(task.problem.points, adjacency).weights;
    task.start = startLabels(task.problem);
    return task;
}

std::vector<int> flat(const Labels& labels)
{
    std::vector<int> all;
    for (const std::vector<int>& view : labels)
        all.insert(all.end(), view.begin(), view.end());
    return all;
}

//! out = (S + identity * diagonal) x
Mat_<double> times(const CsrMatrix& S, double diagonal, const Mat_<double>& x)
{
    Mat_<double> out = diagonal * x;
    for (int p = 0; p < S.rows; ++p)
        for (size_t e = S.offsets[size_t(p)]; e < S.offsets[size_t(p) + 1]; ++e)
            scaleAdd(x.row(S.columns[e]), S.values[e], out.row(p), out.row(p));
    return out;
}

//! || U' W A W U ||^2
double objective(const Task& task, const std::vector<int>& labels)
{
    Mat_<double> U = Mat_<double>::zeros(int(labels.size()), UNIVERSE);
    for (size_t p = 0; p < labels.size(); ++p)
        if (labels[p] >= 0)
            U(int(p), labels[p]) = 1;
    const Mat_<double> R = times(task.S, 1, times(task.A, 0, times(task.S, 1, U)));
    const Mat_<double> G = U.t() * R;
    return G.dot(G);
}

void add(std::vector<Figure>& figures, const std::string& metric, double value)
{
    const Figure figure = {metric, value};
    figures.push_back(figure);
}

void tellStages(std::vector<Figure>& figures, const MatchReport& report)
{
    for (size_t s = 0; s < report.stages.size(); ++s)
        add(figures, "seconds-" + report.stages[s], report.seconds[s]);
}

Mat denseSimilarity(const Task& task)
{
    Mat W = task.S.toDense();
    for (int p = 0; p < W.rows; ++p)
        W.at<float>(p, p) = 1;
    return W;
}

Mat asMatrix(const std::vector<int>& labels)
{
    Mat U = Mat::zeros(int(labels.size()), UNIVERSE, CV_32F);
    for (size_t p = 0; p < labels.size(); ++p)
        U.at<float>(int(p), labels[p]) = 1;
    return U;
}

std::vector<int> projected(const Mat& V)
{
    std::vector<std::vector<int>> views(VIEWS);
    parallel_for_(Range(0, VIEWS), [&](const Range& range) {
        for (int v = range.start; v < range.end; ++v)
        {
            Mat values;
            V.rowRange(v * VIEW_POINTS, (v + 1) * VIEW_POINTS).convertTo(values, CV_64F);
            views[size_t(v)] = multimatch::detail::assignDense(values, false);
        }
    });
    return flat(views);
}

} // namespace

std::vector<Figure> solveSparse()
{
    const Task task = makeTask();
    HiPPIParams params;
    params.mode = HIPPI_COMPLETE;
    params.universeSize = UNIVERSE;
    params.normalization = NORMALIZE_NONE; // W is normalized already
    params.directional = 0;
    params.start = START_LABELS;
    const Ptr<HiPPI> matcher = HiPPI::create(params);
    matcher->setInitialLabels(task.start);
    MatchingProblem problem;
    problem.viewSizes = task.problem.viewSizes;
    problem.similarity = task.S;
    problem.adjacency.weights = task.A;
    Tracks tracks;
    std::vector<Figure> figures;
    double seconds = 0;
    const double peak =
        peakBytesOf([&]() { seconds = secondsOf([&]() { tracks = matcher->solve(problem); }); });
    add(figures, "seconds", seconds);
    add(figures, "peak-rss-bytes", peak);
    add(figures, "iterations", tracks.report().iterations);
    tellStages(figures, tracks.report());
    Labels labels;
    for (int v = 0; v < VIEWS; ++v)
        labels.push_back(tracks.trackIds(v));
    add(figures, "fscore", scoreTracks(tracks, task.problem.labels).fscore());
    add(figures, "objective-at-start", objective(task, flat(task.start)));
    add(figures, "objective", objective(task, flat(labels)));
    return figures;
}

std::vector<Figure> solveDense(int maxIterations)
{
    const Task task = makeTask();
    const Mat W = denseSimilarity(task);
    std::vector<Mat> A; // its blocks
    for (int v = 0; v < VIEWS; ++v)
    {
        A.push_back(Mat::zeros(VIEW_POINTS, VIEW_POINTS, CV_32F));
        const int first = v * VIEW_POINTS;
        for (int p = 0; p < VIEW_POINTS; ++p)
            for (size_t e = task.A.offsets[first + p]; e < task.A.offsets[first + p + 1]; ++e)
                A.back().at<float>(p, task.A.columns[e] - first) = task.A.values[e];
    }
    std::vector<int> labels = flat(task.start), best = labels;
    double largest = -1;
    int iterations = 0;
    const double seconds = secondsOf([&]() {
        for (;; ++iterations)
        {
            const Mat U = asMatrix(labels);
            Mat B, C(U.size(), CV_32F), R, G, V;
            gemm(W, U, 1, noArray(), 0, B);
            for (int v = 0; v < VIEWS; ++v)
            {
                const Range rows(v * VIEW_POINTS, (v + 1) * VIEW_POINTS);
                gemm(A[size_t(v)], B.rowRange(rows), 1, noArray(), 0, C.rowRange(rows));
            }
            gemm(W, C, 1, noArray(), 0, R);
            gemm(U, R, 1, noArray(), 0, G, GEMM_1_T);
            const double f = G.dot(G);
            if (f <= largest)
                break;
            largest = f;
            best = labels;
            if (iterations == maxIterations)
                break;
            gemm(R, G, 1, noArray(), 0, V);
            labels = projected(V);
        }
    });
    std::vector<Figure> figures;
    add(figures, "seconds", seconds);
    add(figures, "iterations", iterations);
    add(figures, "objective", objective(task, best));
    return figures;
}

std::vector<Figure> runPipeline(const std::string& method)
{
    const Problem problem = makeProblem();
    std::vector<Figure> figures;
    MatchScore score;
    if (method == "matcheig")
    {
        MatchEigParams params;
        params.universeSize = UNIVERSE;
        const Ptr<MatchEig> matcher = MatchEig::create(params);
        PairList pairs;
        add(figures, "seconds", secondsOf([&]() {
                pairs = matcher->matchPointPairs(problem.points, problem.descriptors);
            }));
        score = scorePairs(pairs, problem.labels);
    }
    else
    {
        const Outcome outcome = runMethod(method, problem);
        if (!outcome.ran)
            CV_Error(Error::StsError, method + " did not run: " + outcome.reason);
        add(figures, "seconds", outcome.seconds);
        score = scoreTracks(outcome.tracks, problem.labels);
        tellStages(figures, outcome.tracks.report());
    }
    add(figures, "fscore", score.fscore());
    return figures;
}

} // namespace bench
