// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "graphs.hpp"

namespace cv { namespace multimatch {

SparseConsistentParams::SparseConsistentParams()
    : candidates(5), edgeScale(0.005f), support(0.05f), maxIterations(3)
{
}

void SparseConsistentParams::write(FileStorage& fs) const
{
    fs << "candidates" << candidates << "edgeScale" << edgeScale << "support" << support
       << "maxIterations" << maxIterations;
}

void SparseConsistentParams::read(const FileNode& node)
{
    readIfThere(node, "candidates", candidates);
    readIfThere(node, "edgeScale", edgeScale);
    readIfThere(node, "support", support);
    readIfThere(node, "maxIterations", maxIterations);
}

static void checkParams(const SparseConsistentParams& params)
{
    checkRange("SparseConsistentParams::candidates", params.candidates, 1, false, INT_MAX,
               "1 or more");
    checkRange("SparseConsistentParams::edgeScale", params.edgeScale, 0, true, FLT_MAX,
               "more than 0");
    checkRange("SparseConsistentParams::support", params.support, 0, true, 1 - FLT_EPSILON,
               "a value in (0, 1)");
    checkRange("SparseConsistentParams::maxIterations", params.maxIterations, 1, false, INT_MAX,
               "1 or more");
}

namespace {

const int MAX_CANDIDATES = 4096; //!< of a view; their matrix needs 64 MB
const int MAX_POINTS = 8000;     //!< in all views; their similarities need 256 MB
const int PROGRAM_ITERATIONS = 500;
const float PROGRAM_TOLERANCE = 1e-5f; //!< of the 1-norm of a change

//! A point of a view that may be a universe point.
struct Candidate
{
    int point, universe;
    float similarity;
};

//! One quadratic program per view after the other.
class SparsePrograms
{
public:
    SparsePrograms(const ViewGraphs& graphs, const SparseConsistentParams& params)
        : graphs_(graphs), params_(params), kernel_(params.edgeScale), reference_(0)
    {
        chooseReference();
        const size_t d = static_cast<size_t>(graphs.viewSizes[reference_]);
        points_.assign(graphs.viewSizes.size(), Matching(d, -1));
        std::iota(points_[reference_].begin(), points_[reference_].end(), 0);
    }

    //! Matches all views. False where no match changes.
    bool sweep(RunControl& control)
    {
        bool changed = false;
        for (size_t n = 0; n < order_.size() && control.proceed(double(n) / order_.size()); ++n)
        {
            const Matching found = matchView(order_[n]);
            changed = changed || found != points_[order_[n]];
            points_[order_[n]] = found;
        }
        return changed;
    }

    std::vector<int> labels() const
    {
        std::vector<int> labels(static_cast<size_t>(graphs_.offsets.back()), -1);
        for (size_t v = 0; v < points_.size(); ++v)
            for (size_t u = 0; u < points_[v].size(); ++u)
                if (points_[v][u] >= 0)
                    labels[graphs_.offsets[v] + points_[v][u]] = static_cast<int>(u);
        return labels;
    }

private:
    //! The reference view, and the others from the most similar to the least.
    void chooseReference()
    {
        const int k = graphs_.viewCount();
        double highest = -1;
        for (int v = 0; v < k; ++v)
        {
            double sum = 0;
            for (int w = 0; w < k; ++w)
                sum += similarityOfViews(v, w);
            if (sum > highest)
            {
                highest = sum;
                reference_ = v;
            }
        }
        std::vector<double> similarity;
        for (int v = 0; v < k; ++v)
        {
            similarity.push_back(similarityOfViews(reference_, v));
            if (v != reference_)
                order_.push_back(v);
        }
        std::stable_sort(order_.begin(), order_.end(),
                         [&](int a, int b) { return similarity[a] > similarity[b]; });
    }

    //! Sum over the points of a view of the similarity to the most similar point of another.
    double similarityOfViews(int v, int w) const
    {
        if (v == w || graphs_.viewSizes[v] == 0 || graphs_.viewSizes[w] == 0)
            return 0;
        return graphs_.appearance
            .block(graphs_.offsets[v], graphs_.offsets[w], graphs_.viewSizes[v],
                   graphs_.viewSizes[w])
            .rowwise()
            .maxCoeff()
            .cast<double>()
            .sum();
    }

    //! Mean similarity of a point with those that the other views have for a universe point.
    float similarity(int view, int p, int universe) const
    {
        float sum = 0, count = 0;
        for (int v = 0; v < graphs_.viewCount(); ++v)
            if (v != view && points_[v][universe] >= 0)
            {
                sum += graphs_.similarity(view, p, v, points_[v][universe]);
                ++count;
            }
        return count > 0 ? sum / count : 0;
    }

    std::vector<Candidate> candidatesOf(int view) const
    {
        std::vector<Candidate> all;
        for (int p = 0; p < graphs_.viewSizes[view]; ++p)
        {
            std::vector<Candidate> own;
            for (int u = 0; u < graphs_.viewSizes[reference_]; ++u)
            {
                const Candidate candidate = {p, u, similarity(view, p, u)};
                if (candidate.similarity > 0)
                    own.push_back(candidate);
            }
            const size_t kept = std::min(own.size(), static_cast<size_t>(params_.candidates));
            std::partial_sort(own.begin(), own.begin() + kept, own.end(),
                              [](const Candidate& a, const Candidate& b) {
                                  return a.similarity > b.similarity ||
                                         (a.similarity == b.similarity && a.universe < b.universe);
                              });
            all.insert(all.end(), own.begin(), own.begin() + kept);
        }
        return all;
    }

    //! How well two candidates fit together: their similarities and the mean agreement of
    //! distances.
    float payoff(int view, const Candidate& a, const Candidate& b) const
    {
        if (a.point == b.point || a.universe == b.universe)
            return 0;
        const float own = graphs_.distances[view](a.point, b.point);
        float sum = 0, count = 0;
        for (int v = 0; v < graphs_.viewCount(); ++v)
        {
            const int p = points_[v][a.universe], q = points_[v][b.universe];
            if (v == view || p < 0 || q < 0)
                continue;
            sum += kernel_(own - graphs_.distances[v](p, q));
            ++count;
        }
        return count > 0 ? sum / count * std::sqrt(a.similarity * b.similarity) : 0;
    }

    Matching matchView(int view) const
    {
        Matching result(points_[view].size(), -1);
        const std::vector<Candidate> candidates = candidatesOf(view);
        const int n = static_cast<int>(candidates.size());
        if (n == 0)
            return result;
        Eigen::MatrixXf A(n, n);
        parallel_for_(Range(0, n), [&](const Range& range) {
            for (int a = range.start; a < range.end; ++a)
                for (int b = 0; b < n; ++b)
                    A(b, a) = payoff(view, candidates[b], candidates[a]);
        });
        const Eigen::VectorXf x = maximized(A);
        std::vector<int> order(static_cast<size_t>(n));
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return x(a) > x(b); });
        std::vector<uchar> taken(static_cast<size_t>(graphs_.viewSizes[view]), 0);
        for (int c : order)
        {
            if (x(c) < params_.support * x(order[0]))
                break;
            if (taken[candidates[c].point] || result[candidates[c].universe] >= 0)
                continue;
            taken[candidates[c].point] = 1;
            result[candidates[c].universe] = candidates[c].point;
        }
        return result;
    }

    /** Replicator dynamics: x' A x rises while x stays on the simplex. */
    static Eigen::VectorXf maximized(const Eigen::MatrixXf& A)
    {
        Eigen::VectorXf x = Eigen::VectorXf::Constant(A.rows(), 1.f / static_cast<float>(A.rows()));
        for (int iteration = 0; iteration < PROGRAM_ITERATIONS; ++iteration)
        {
            const Eigen::VectorXf payoffs = A * x;
            const float value = x.dot(payoffs);
            if (value <= 0)
                break;
            Eigen::VectorXf next = x.cwiseProduct(payoffs) / value;
            next /= next.sum();
            const float change = (next - x).cwiseAbs().sum();
            x = next;
            if (change < PROGRAM_TOLERANCE)
                break;
        }
        return x;
    }

    const ViewGraphs& graphs_;
    const SparseConsistentParams params_;
    const EdgeKernel kernel_;
    int reference_;
    std::vector<int> order_;
    std::vector<Matching> points_; //!< per view and universe point its point; -1: none
};

} // namespace

class SparseConsistentImpl CV_FINAL
    : public GraphMatcherBase<SparseConsistent, SparseConsistentParams>
{
public:
    explicit SparseConsistentImpl(const SparseConsistentParams& params) { setParams(params); }

    String getDefaultName() const CV_OVERRIDE { return "multimatch.SparseConsistent"; }

protected:
    void checkSizes(const std::vector<int>& viewSizes) const CV_OVERRIDE
    {
        const int m = std::accumulate(viewSizes.begin(), viewSizes.end(), 0);
        if (m > MAX_POINTS)
            CV_Error_(Error::StsOutOfRange,
                      ("SparseConsistent takes at most %d points in all views together, but there "
                       "are %d",
                       MAX_POINTS, m));
        const int largest = *std::max_element(viewSizes.begin(), viewSizes.end());
        const int candidates = std::min(largest, params_.candidates);
        if (static_cast<double>(largest) * candidates > MAX_CANDIDATES)
            CV_Error_(Error::StsOutOfRange,
                      ("SparseConsistent takes at most %d candidate matches a view, but %d points "
                       "with %d candidates each are more",
                       MAX_CANDIDATES, largest, candidates));
    }

    Tracks matchGraphs(const Input& input, const ViewGraphs& graphs,
                       RunControl& control) const CV_OVERRIDE
    {
        MatchReport report;
        control.begin("programs");
        SparsePrograms programs(graphs, params_);
        report.universeSize = *std::max_element(input.viewSizes.begin(), input.viewSizes.end());
        while (!report.converged && report.iterations < params_.maxIterations &&
               !control.cancelled())
        {
            report.converged = !programs.sweep(control) && !control.cancelled();
            ++report.iterations;
        }
        return finishedTracks(input, programs.labels(), report, control);
    }
};

Ptr<SparseConsistent> SparseConsistent::create(const SparseConsistentParams& params)
{
    return makePtr<SparseConsistentImpl>(params);
}

}} // namespace cv::multimatch
