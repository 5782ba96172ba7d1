// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "peer_base.hpp"

#include "../base/eigenpairs.hpp"
#include "../starts/labels.hpp"
#include "../starts/starts.hpp"

#include "opencv2/multimatch/detail/assignment.hpp"
#include "opencv2/multimatch/geometric_peers.hpp"

#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Dense>

namespace cv { namespace multimatch {

LowRankParams::LowRankParams()
    : universeSize(0), rank(3), geometry(0.3f), tolerance(1e-6f), maxIterations(300), seed(0)
{
}

void LowRankParams::write(FileStorage& fs) const
{
    fs << "universeSize" << universeSize << "rank" << rank << "geometry" << geometry << "tolerance"
       << tolerance << "maxIterations" << maxIterations << "seed" << seed;
}

void LowRankParams::read(const FileNode& node)
{
    readIfThere(node, "universeSize", universeSize);
    readIfThere(node, "rank", rank);
    readIfThere(node, "geometry", geometry);
    readIfThere(node, "tolerance", tolerance);
    readIfThere(node, "maxIterations", maxIterations);
    readIfThere(node, "seed", seed);
}

static void checkParams(const LowRankParams& params)
{
    checkRange("LowRankParams::universeSize", params.universeSize, 0, false, INT_MAX, "0 or more");
    checkRange("LowRankParams::rank", params.rank, 1, false, INT_MAX, "1 or more");
    checkRange("LowRankParams::geometry", params.geometry, 0, false, FLT_MAX, "0 or more");
    checkRange("LowRankParams::tolerance", params.tolerance, 0, true, FLT_MAX, "more than 0");
    checkRange("LowRankParams::maxIterations", params.maxIterations, 1, false, INT_MAX,
               "1 or more");
}

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

const int MAX_POINTS = 4000;
const int PROJECTION_ROUNDS = 100;
const double PROJECTION_TOLERANCE = 1e-5; //!< largest change of an entry in a round
const int LAST_HALVING = 40;              //!< of a step that does not lower the objective

//! The nearest vector with entries >= 0 of sum 1; with atMost, of sum 1 or less.
template<typename Vector>
void projectToSimplex(Vector&& x, bool atMost)
{
    if (atMost && x.cwiseMax(0).sum() <= 1)
    {
        x = x.cwiseMax(0).eval();
        return;
    }
    std::vector<double> sorted(static_cast<size_t>(x.size()));
    for (int n = 0; n < x.size(); ++n)
        sorted[n] = x(n);
    std::sort(sorted.begin(), sorted.end(), std::greater<double>());
    double sum = 0, shift = 0;
    for (size_t n = 0; n < sorted.size(); ++n)
    {
        sum += sorted[n];
        const double candidate = (sum - 1) / static_cast<double>(n + 1);
        if (sorted[n] > candidate)
            shift = candidate;
    }
    x = (x.array() - shift).max(0).matrix().eval();
}

/** The nearest matrix with entries >= 0, columns of sum 1 and rows of sum 1 or less, by Dykstra's
alternating projections. */
void projectToAssignments(MatrixXd& X)
{
    MatrixXd forRows = MatrixXd::Zero(X.rows(), X.cols()), forColumns = forRows;
    for (int round = 0; round < PROJECTION_ROUNDS; ++round)
    {
        const MatrixXd before = X;
        MatrixXd Y = X + forRows;
        for (int r = 0; r < X.rows(); ++r)
            projectToSimplex(Y.row(r), true);
        forRows += X - Y;
        X = Y + forColumns;
        for (int c = 0; c < X.cols(); ++c)
            projectToSimplex(X.col(c), false);
        forColumns += Y - X;
        if ((X - before).cwiseAbs().maxCoeff() < PROJECTION_TOLERANCE)
            break;
    }
}

//! Coordinates as columns, mean 0 and mean square of the distance from it 1.
MatrixXd normalizedCoordinates(const Mat& points)
{
    MatrixXd C(points.cols, points.rows);
    for (int p = 0; p < points.rows; ++p)
        for (int c = 0; c < points.cols; ++c)
            C(c, p) = points.at<float>(p, c);
    C.colwise() -= C.rowwise().mean().eval();
    const double size = std::sqrt(C.squaredNorm() / std::max(1, points.rows));
    if (size > 0)
        C /= size;
    return C;
}

//! |W + I - X X'|^2 / 4 + weight / 2 |M - Z|^2, see LowRankCoordinates. X: the views one below the
//! other.
class LowRankObjective
{
public:
    LowRankObjective(const MultiMatcher::Input& input, const CsrMatrix& W,
                     const LowRankParams& params)
        : offsets_(input.offsets), W_(W), rank_(params.rank),
          weight_(params.geometry * static_cast<double>(input.viewCount())), squareOfW_(W.rows)
    {
        for (const Mat& points : input.points)
            coordinates_.push_back(normalizedCoordinates(points));
        for (float w : W.values)
            squareOfW_ += static_cast<double>(w) * w;
    }

    //! Minimizes over Z.
    void updateZ(const MatrixXd& X)
    {
        const MatrixXd M = coordinatesOf(X);
        const VectorXd means = M.rowwise().mean();
        const MatrixXd centered = M.colwise() - means;
        const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(centered.transpose() * centered);
        const int kept = std::min<int>(rank_, static_cast<int>(X.cols()));
        const MatrixXd V = solver.eigenvectors().rightCols(kept); // eigenvalues ascend
        Z_ = centered * V * V.transpose();
        Z_.colwise() += means;
    }

    double value(const MatrixXd& X) const
    {
        return (squareOfW_ - 2 * X.cwiseProduct(timesW(X)).sum() +
                (X.transpose() * X).squaredNorm()) /
                   4 +
               weight_ / 2 * (coordinatesOf(X) - Z_).squaredNorm();
    }

    MatrixXd gradient(const MatrixXd& X) const
    {
        MatrixXd G = X * (X.transpose() * X) - timesW(X);
        const MatrixXd residuals = coordinatesOf(X) - Z_;
        for (int v = 0; v < viewCount(); ++v)
            view(G, v) += weight_ * coordinates_[v].transpose() *
                          residuals.middleRows(v * dimensions(), dimensions());
        return G;
    }

    MatrixXd projected(MatrixXd X) const
    {
        parallel_for_(Range(0, viewCount()), [&](const Range& range) {
            for (int v = range.start; v < range.end; ++v)
            {
                MatrixXd own = view(X, v);
                projectToAssignments(own);
                view(X, v) = own;
            }
        });
        return X;
    }

    //! Per point the universe point that one assignment per view gives it; -1: none.
    std::vector<int> labels(const MatrixXd& X) const
    {
        std::vector<int> labels(static_cast<size_t>(X.rows()), -1);
        for (int v = 0; v < viewCount(); ++v)
        {
            const int n = offsets_[v + 1] - offsets_[v];
            Mat values(static_cast<int>(X.cols()), n, CV_64F);
            for (int u = 0; u < values.rows; ++u)
                for (int p = 0; p < n; ++p)
                    values.at<double>(u, p) = X(offsets_[v] + p, u);
            const std::vector<int> points = detail::assignDense(values, false);
            for (int u = 0; u < values.rows; ++u)
                labels[offsets_[v] + points[u]] = u;
        }
        return labels;
    }

private:
    int viewCount() const { return static_cast<int>(coordinates_.size()); }
    int dimensions() const { return static_cast<int>(coordinates_[0].rows()); }

    Eigen::Block<MatrixXd> view(MatrixXd& X, int v) const
    {
        return X.block(offsets_[v], 0, offsets_[v + 1] - offsets_[v], X.cols());
    }

    //! (W + I) X
    MatrixXd timesW(const MatrixXd& X) const
    {
        MatrixXd product = X;
        for (int p = 0; p < W_.rows; ++p)
            for (size_t e = W_.offsets[p]; e < W_.offsets[p + 1]; ++e)
                product.row(p) += static_cast<double>(W_.values[e]) * X.row(W_.columns[e]);
        return product;
    }

    //! M
    MatrixXd coordinatesOf(const MatrixXd& X) const
    {
        MatrixXd M(viewCount() * dimensions(), X.cols());
        for (int v = 0; v < viewCount(); ++v)
            M.middleRows(v * dimensions(), dimensions()) =
                coordinates_[v] * X.middleRows(offsets_[v], offsets_[v + 1] - offsets_[v]);
        return M;
    }

    const std::vector<int> offsets_;
    const CsrMatrix& W_;
    const int rank_;
    const double weight_;
    double squareOfW_;
    std::vector<MatrixXd> coordinates_;
    MatrixXd Z_;
};

//! Leading eigenvectors of W times the mean rows of their d most frequent spectral labels.
MatrixXd spectralStart(const MultiMatcher::Input& input, const CsrMatrix& W, int d, int seed,
                       RunControl& control)
{
    const bool complete = isComplete(input.viewSizes, d);
    const int count = complete ? d : universeSizeOrDefault(0, input, W);
    const Eigenpairs pairs = leadingEigenpairs(W, count, LARGEST_ALGEBRAIC, seed, &control);
    MatrixXd X = MatrixXd::Zero(input.pointCount(), d);
    if (pairs.vectors.empty())
        return X;
    MatrixXd V(pairs.vectors.rows, pairs.vectors.cols);
    for (int p = 0; p < V.rows(); ++p)
        for (int c = 0; c < V.cols(); ++c)
            V(p, c) = pairs.vectors.at<double>(p, c) * std::sqrt(std::max(0., pairs.values[c]));
    std::vector<int> labels =
        complete ? spectralLabelsComplete(pairs.vectors, input.viewSizes,
                                          referenceViews(W, input.viewSizes, d, 1)[0])
                 : spectralLabelsPartial(pairs.vectors, input.viewSizes, 0.5);
    compactLabels(labels, d);
    MatrixXd means = MatrixXd::Zero(d, V.cols());
    VectorXd sizes = VectorXd::Zero(d);
    for (int p = 0; p < V.rows(); ++p)
        if (labels[p] >= 0)
        {
            means.row(labels[p]) += V.row(p);
            sizes(labels[p]) += 1;
        }
    return V * (sizes.cwiseMax(1).cwiseInverse().asDiagonal() * means).transpose();
}

} // namespace

class LowRankCoordinatesImpl CV_FINAL
    : public WithParams<MatcherBase<LowRankCoordinates>, LowRankParams>
{
public:
    explicit LowRankCoordinatesImpl(const LowRankParams& params) { setParams(params); }

    String getDefaultName() const CV_OVERRIDE { return "multimatch.LowRankCoordinates"; }

    Tracks solve(const MatchingProblem& problem) CV_OVERRIDE
    {
        checkProblem(problem);
        Input input = Input::fromProblem(problem);
        if (input.points.empty() && input.pointCount() > 0)
            CV_Error(Error::StsBadArg, "the problem has neither points nor key points");
        RunControl control(callback_);
        return minimize(input, problem.similarity, universeSize(input), control);
    }

protected:
    Tracks runProblem(const MatchingProblem& problem) CV_OVERRIDE { return solve(problem); }

    Tracks run(const Input& input) CV_OVERRIDE
    {
        RunControl control(callback_);
        const int d = universeSize(input);
        const CsrMatrix W = startingMatches(input, d, 1.f, control);
        return minimize(input, W, d, control);
    }

private:
    //! d; throws where there are too many points, or d is larger than a view.
    int universeSize(const Input& input) const
    {
        if (input.pointCount() > MAX_POINTS)
            CV_Error_(Error::StsOutOfRange,
                      ("LowRankCoordinates takes at most %d points in all views together, but "
                       "there are %d",
                       MAX_POINTS, input.pointCount()));
        const int smallest = *std::min_element(input.viewSizes.begin(), input.viewSizes.end());
        if (params_.universeSize > smallest)
            CV_Error_(Error::StsOutOfRange,
                      ("LowRankParams::universeSize is %d, expected at most %d, the points of the "
                       "smallest view",
                       params_.universeSize, smallest));
        return params_.universeSize > 0 ? params_.universeSize : smallest;
    }

    Tracks minimize(const Input& input, const CsrMatrix& W, int d, RunControl& control) const
    {
        MatchReport report;
        report.universeSize = d;
        std::vector<int> labels(static_cast<size_t>(input.pointCount()), -1);
        control.begin("eigenvectors");
        if (d > 0 && control.proceed(0))
        {
            LowRankObjective objective(input, W, params_);
            MatrixXd X = objective.projected(spectralStart(input, W, d, params_.seed, control));
            control.begin("iterations");
            descend(objective, X, report, control);
            if (!control.cancelled())
                labels = objective.labels(X);
        }
        report.converged = report.converged || (d == 0 && !control.cancelled());
        return finishedTracks(input, labels, report, control);
    }

    //! Projected gradient steps until the objective hardly falls.
    void descend(LowRankObjective& objective, MatrixXd& X, MatchReport& report,
                 RunControl& control) const
    {
        objective.updateZ(X);
        double now = objective.value(X);
        report.objective.push_back(-now);
        double step = 1. / std::max<double>(1., static_cast<double>(X.rows()) / X.cols());
        while (!report.converged && report.iterations < params_.maxIterations &&
               control.proceed(static_cast<double>(report.iterations) / params_.maxIterations))
        {
            const MatrixXd G = objective.gradient(X);
            MatrixXd next;
            double value = DBL_MAX;
            for (int halving = 0; value > now && halving < LAST_HALVING; ++halving, step /= 2)
            {
                next = objective.projected(X - step * G);
                value = objective.value(next);
            }
            step *= 4; // twice the step that was taken
            const double before = now;
            if (value <= now)
            {
                X = next;
                objective.updateZ(X);
                now = objective.value(X);
            }
            report.objective.push_back(-now);
            report.converged = before - now <= params_.tolerance * std::abs(before);
            ++report.iterations;
        }
    }
};

Ptr<LowRankCoordinates> LowRankCoordinates::create(const LowRankParams& params)
{
    return makePtr<LowRankCoordinatesImpl>(params);
}

}} // namespace cv::multimatch
