// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "graphs.hpp"

#include "opencv2/multimatch/detail/assignment.hpp"

namespace cv { namespace multimatch {

using Eigen::MatrixXf;

namespace {

//! Distances of the rows of X over the largest of them.
MatrixXf scaledDistances(const Mat& X)
{
    MatrixXf D = MatrixXf::Zero(X.rows, X.rows);
    for (int p = 0; p < X.rows; ++p)
        for (int q = p + 1; q < X.rows; ++q)
            D(p, q) = D(q, p) = static_cast<float>(norm(X.row(p), X.row(q)));
    const float largest = X.rows > 0 ? D.maxCoeff() : 0;
    if (largest > 0)
        D /= largest;
    return D;
}

MatrixXf scaledDistances(const Mat& given, int n, size_t view)
{
    if (given.rows != n || given.cols != n || given.channels() != 1 ||
        (given.depth() != CV_32F && given.depth() != CV_64F))
        CV_Error_(Error::StsUnmatchedSizes,
                  ("distances[%zu] is %d x %d of type %s, expected %d x %d numbers of type CV_32F "
                   "or CV_64F",
                   view, given.rows, given.cols, typeToString(given.type()).c_str(), n, n));
    checkFinite(given, "distances", view);
    Mat values;
    given.convertTo(values, CV_32F);
    MatrixXf D(n, n);
    for (int p = 0; p < n; ++p)
        for (int q = 0; q < n; ++q)
            D(p, q) = p == q ? 0 : (values.at<float>(p, q) + values.at<float>(q, p)) / 2;
    const float largest = n > 0 ? D.maxCoeff() : 0;
    if (largest > 0)
        D /= largest;
    return D;
}

ViewGraphs graphsWithoutEdges(const MultiMatcher::Input& input)
{
    ViewGraphs graphs;
    graphs.viewSizes = input.viewSizes;
    graphs.offsets = input.offsets;
    graphs.appearance = MatrixXf::Zero(input.pointCount(), input.pointCount());
    return graphs;
}

float median(std::vector<float>& values)
{
    if (values.empty())
        return 0;
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

} // namespace

ViewGraphs graphsOfInput(const MultiMatcher::Input& input, RunControl& control)
{
    ViewGraphs graphs = graphsWithoutEdges(input);
    for (const Mat& points : input.points)
        graphs.distances.push_back(scaledDistances(points));

    std::vector<float> nearest;
    std::vector<Mat> distances(static_cast<size_t>(input.pairs.rows));
    for (int r = 0; r < input.pairs.rows && control.proceed(double(r) / input.pairs.rows); ++r)
    {
        const int i = input.pairs.at<int>(r, 0), j = input.pairs.at<int>(r, 1);
        if (input.viewSizes[i] == 0 || input.viewSizes[j] == 0)
            continue;
        Mat D;
        batchDistance(input.descriptors[i], input.descriptors[j], D,
                      input.normType == NORM_HAMMING ? CV_32S : CV_32F, noArray(), input.normType);
        D.convertTo(distances[r], CV_32F);
        Mat rows, columns;
        reduce(distances[r], rows, 1, REDUCE_MIN);
        reduce(distances[r], columns, 0, REDUCE_MIN);
        nearest.insert(nearest.end(), rows.begin<float>(), rows.end<float>());
        nearest.insert(nearest.end(), columns.begin<float>(), columns.end<float>());
    }
    const float scale = median(nearest);
    const float factor = scale > 0 ? -0.5f / (scale * scale) : -FLT_MAX;
    for (int r = 0; r < input.pairs.rows; ++r)
    {
        const int i = input.pairs.at<int>(r, 0), j = input.pairs.at<int>(r, 1);
        for (int p = 0; p < distances[r].rows; ++p)
            for (int q = 0; q < distances[r].cols; ++q)
            {
                const float d = distances[r].at<float>(p, q);
                const float similarity = d > 0 ? std::exp(factor * d * d) : 1.f;
                graphs.appearance(input.offsets[i] + p, input.offsets[j] + q) = similarity;
                graphs.appearance(input.offsets[j] + q, input.offsets[i] + p) = similarity;
            }
    }
    return graphs;
}

ViewGraphs graphsOfProblem(const MatchingProblem& problem, const MultiMatcher::Input& input,
                           const std::vector<Mat>& distances)
{
    ViewGraphs graphs = graphsWithoutEdges(input);
    if (!distances.empty() && distances.size() != input.viewSizes.size())
        CV_Error_(Error::StsUnmatchedSizes, ("distances has %zu views but viewSizes has %zu",
                                             distances.size(), input.viewSizes.size()));
    if (distances.empty() && input.points.empty() && input.pointCount() > 0)
        CV_Error(Error::StsBadArg,
                 "the problem has neither points nor key points, and there are no distances");
    for (size_t v = 0; v < input.viewSizes.size(); ++v)
        graphs.distances.push_back(
            distances.empty() ? scaledDistances(input.points.empty() ? Mat() : input.points[v])
                              : scaledDistances(distances[v], input.viewSizes[v], v));
    const CsrMatrix& S = problem.similarity;
    for (int p = 0; p < S.rows; ++p)
        for (size_t e = S.offsets[p]; e < S.offsets[p + 1]; ++e)
            graphs.appearance(p, S.columns[e]) = S.values[e];
    const float largest = S.rows > 0 ? graphs.appearance.maxCoeff() : 0;
    if (largest > 0)
        graphs.appearance /= largest;
    return graphs;
}

EdgeKernel::EdgeKernel(float scale) : values_(STEPS + 2, 0.f)
{
    for (int s = 0; s <= STEPS; ++s)
    {
        const float difference = static_cast<float>(s) / STEPS;
        values_[s] = std::exp(-difference * difference / scale);
    }
}

double LawlerAffinity::ofMatching(int i, int j, const Matching& matching) const
{
    const MatrixXf &Di = graphs_.distances[i], &Dj = graphs_.distances[j];
    const int n = graphs_.viewSizes[i];
    const double smaller = std::min(n, graphs_.viewSizes[j]);
    double nodes = 0, edges = 0;
    for (int p = 0; p < n; ++p)
    {
        if (matching[p] < 0)
            continue;
        nodes += graphs_.similarity(i, p, j, matching[p]);
        for (int q = 0; q < p; ++q)
            if (matching[q] >= 0)
                edges += kernel_(Di(p, q) - Dj(matching[p], matching[q]));
    }
    if (smaller == 0)
        return 0;
    return appearance_ * nodes / smaller +
           (1 - appearance_) * 2 * edges / std::max(1., smaller * (smaller - 1));
}

MatrixXf LawlerAffinity::ofAssignments(int view, const std::vector<UniverseView>& others) const
{
    const float MISSING = 9; // beyond the largest difference of the kernel
    const int n = graphs_.viewSizes[view];
    const int d = others.empty() ? 0 : static_cast<int>(others[0].points.size());
    const MatrixXf& D = graphs_.distances[view];
    MatrixXf K = MatrixXf::Zero(n * d, n * d);
    MatrixXf E(d, d);
    for (const UniverseView& other : others)
    {
        const MatrixXf& F = graphs_.distances[other.view];
        for (int t = 0; t < d; ++t)
            for (int s = 0; s < d; ++s)
            {
                const bool known = s != t && other.points[s] >= 0 && other.points[t] >= 0;
                E(s, t) = known ? F(other.points[s], other.points[t]) : MISSING;
            }
        for (int p = 0; p < n; ++p)
        {
            for (int s = 0; s < d; ++s)
                if (other.points[s] >= 0)
                    K(p * d + s, p * d + s) +=
                        appearance_ * static_cast<float>(std::max(1, n - 1)) *
                        graphs_.similarity(view, p, other.view, other.points[s]);
            for (int q = 0; q < p; ++q)
                for (int t = 0; t < d; ++t)
                    for (int s = 0; s < d; ++s)
                        K(p * d + s, q * d + t) += (1 - appearance_) * kernel_(D(p, q) - E(s, t));
        }
    }
    K.triangularView<Eigen::StrictlyUpper>() = K.transpose().eval();
    return K;
}

double assignmentScore(const MatrixXf& K, int d, const Matching& assignment)
{
    double score = 0;
    for (size_t p = 0; p < assignment.size(); ++p)
        for (size_t q = 0; q < assignment.size(); ++q)
            score +=
                K(static_cast<int>(p) * d + assignment[p], static_cast<int>(q) * d + assignment[q]);
    return score;
}

namespace {

const int WALK_ITERATIONS = 100;    //!< at most; most walks converge within 30
const float WALK_TOLERANCE = 1e-4f; //!< of the 1-norm of a change
const float RESTART = 0.8f;         //!< share of the reweighted jumps, 1 - alpha of Cho et al.
const float INFLATION = 30;         //!< beta of Cho et al.
const int SINKHORN_ROUNDS = 20;

//! X scaled to rows of sum 1 and columns of sum 1 or less.
void scaleToAssignment(MatrixXf& X)
{
    for (int round = 0; round < SINKHORN_ROUNDS; ++round)
    {
        for (int c = 0; c < X.cols(); ++c)
            X.col(c) /= std::max(X.rows() == X.cols() ? FLT_MIN : 1.f, X.col(c).sum());
        float change = 0;
        for (int r = 0; r < X.rows(); ++r)
        {
            const float sum = std::max(FLT_MIN, X.row(r).sum());
            change = std::max(change, std::abs(sum - 1));
            X.row(r) /= sum;
        }
        if (change < 1e-3f)
            break;
    }
}

} // namespace

Matching reweightedRandomWalks(const MatrixXf& K, int n, int d)
{
    const float largestDegree = K.rows() > 0 ? K.rowwise().sum().maxCoeff() : 0;
    if (n == 0)
        return Matching();
    // Row p, column u: the walker's share at the assignment of p to u.
    MatrixXf X = MatrixXf::Constant(n, d, 1.f / static_cast<float>(n * d));
    for (int iteration = 0; iteration < WALK_ITERATIONS && largestDegree > 0; ++iteration)
    {
        const MatrixXf byRows = X.transpose(); // d x n: in memory as the rows of K
        const Eigen::Map<const Eigen::VectorXf> x(byRows.data(), n * d);
        const Eigen::VectorXf walked = K * x / largestDegree;
        const float highest = walked.maxCoeff();
        if (highest <= 0)
            break;
        const MatrixXf walk = Eigen::Map<const MatrixXf>(walked.data(), d, n).transpose();
        MatrixXf jump = (walk * (INFLATION / highest)).array().exp().matrix();
        jump /= jump.maxCoeff();
        scaleToAssignment(jump);
        MatrixXf next = (1 - RESTART) * walk / walk.sum() + RESTART * jump / jump.sum();
        next /= next.sum();
        const float change = (next - X).cwiseAbs().sum();
        X = next;
        if (change < WALK_TOLERANCE)
            break;
    }
    Mat values(n, d, CV_64F);
    for (int p = 0; p < n; ++p)
        for (int u = 0; u < d; ++u)
            values.at<double>(p, u) = X(p, u);
    return detail::assignDense(values, false);
}

MatchTable::MatchTable(const std::vector<int>& viewSizes) : viewSizes_(viewSizes)
{
    for (int i = 0; i < viewCount(); ++i)
        for (int j = 0; j < viewCount(); ++j)
            matches_.push_back(Matching(static_cast<size_t>(size(i)), -1));
    for (int i = 0; i < viewCount(); ++i)
        std::iota(matches_[i * viewCount() + i].begin(), matches_[i * viewCount() + i].end(), 0);
}

void MatchTable::set(int i, int j, const Matching& matching)
{
    Matching& back = matches_[j * viewCount() + i];
    matches_[i * viewCount() + j] = matching;
    std::fill(back.begin(), back.end(), -1);
    for (size_t p = 0; p < matching.size(); ++p)
        if (matching[p] >= 0)
            back[matching[p]] = static_cast<int>(p);
}

Matching MatchTable::composed(int i, int v, int j) const
{
    Matching result = at(i, v);
    const Matching& second = at(v, j);
    for (int& p : result)
        p = p >= 0 ? second[p] : -1;
    return result;
}

double MatchTable::agreement(int i, int j, const Matching& a, const Matching& b) const
{
    int same = 0;
    for (size_t p = 0; p < a.size(); ++p)
        same += a[p] >= 0 && a[p] == b[p];
    return same / std::max(1., static_cast<double>(std::min(size(i), size(j))));
}

MatchTable matchedPairs(const ViewGraphs& graphs, const GraphMatchingParams& params,
                        const Mat& pairs, RunControl& control)
{
    const LawlerAffinity affinity(graphs, params);
    std::vector<Matching> found(static_cast<size_t>(pairs.rows));
    const auto matchPairs = [&](const Range& range) {
        for (int r = range.start; r < range.end; ++r)
        {
            int i = pairs.at<int>(r, 0), j = pairs.at<int>(r, 1);
            if (graphs.viewSizes[i] > graphs.viewSizes[j])
                std::swap(i, j);
            Matching all(static_cast<size_t>(graphs.viewSizes[j]));
            std::iota(all.begin(), all.end(), 0);
            const MatrixXf K = affinity.ofAssignments(i, {UniverseView(j, all)});
            found[r] = reweightedRandomWalks(K, graphs.viewSizes[i], graphs.viewSizes[j]);
        }
    };
    control.begin("random walks");
    control.forSlices(pairs.rows, pairsInSlice(), matchPairs);
    MatchTable table(graphs.viewSizes);
    for (int r = 0; r < pairs.rows; ++r)
    {
        int i = pairs.at<int>(r, 0), j = pairs.at<int>(r, 1);
        if (graphs.viewSizes[i] > graphs.viewSizes[j])
            std::swap(i, j);
        if (static_cast<int>(found[r].size()) == graphs.viewSizes[i])
            table.set(i, j, found[r]);
    }
    return table;
}

}} // namespace cv::multimatch
