// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "iteration.hpp"

#include "opencv2/multimatch/detail/assignment.hpp"

namespace cv { namespace multimatch {

namespace {

/** m x (lanes d) matrices: a real channel is one lane, a complex one two (real and imaginary part).
The product of a complex entry with the conjugate of another, real part, is the dot product of their
lanes, so beyond the phases everything is real arithmetic. */
class DenseStep : public PowerStep
{
public:
    explicit DenseStep(const IterationProblem& problem)
        : problem_(problem),
          lanes_(problem.A.phases.empty() ? 1 : 2 * static_cast<int>(problem.A.phases.size()))
    {
    }

    double evaluate(const std::vector<int>& labels) CV_OVERRIDE
    {
        const int m = problem_.pointCount(), d = problem_.d;
        labels_ = labels;
        Mat_<double> B = Mat_<double>::zeros(m, d);
        const CsrMatrix& W = problem_.W;
        for (int p = 0; p < m; ++p)
            for (size_t e = W.offsets[p]; e < W.offsets[p + 1]; ++e)
                if (labels[W.columns[e]] >= 0)
                    B(p, labels[W.columns[e]]) += W.values[e];
        const Mat_<double> C = adjacencyTimes(B);
        R_ = similarityTimes(C);
        G_ = Mat_<double>::zeros(d, lanes_ * d);
        for (int p = 0; p < m; ++p)
            if (labels[p] >= 0)
                G_.row(labels[p]) += R_.row(p);
        return G_.dot(G_);
    }

    std::vector<int> project() CV_OVERRIDE
    {
        Mat V = Mat_<double>(0, problem_.d);
        if (!R_.empty())
            gemm(R_, G_, 1, noArray(), 0, V, GEMM_2_T);
        std::vector<int> labels(labels_.size(), -1);
        const int views = static_cast<int>(problem_.viewSizes.size());
        parallel_for_(Range(0, views), [&](const Range& range) {
            for (int v = range.start; v < range.end; ++v)
            {
                const int first = problem_.offsets[v], last = problem_.offsets[v + 1];
                Mat_<double> gain = V.rowRange(first, last).clone();
                const std::vector<int> assigned = detail::assignDense(gain, false);
                double before = 0, after = 0;
                for (int p = first; p < last; ++p)
                {
                    if (labels_[p] >= 0)
                        before += gain(p - first, labels_[p]);
                    if (assigned[p - first] >= 0)
                        after += gain(p - first, assigned[p - first]);
                }
                // At equal value the present labels stay, so that ties cannot make the iteration
                // wander.
                for (int p = first; p < last; ++p)
                    labels[p] = after > before ? assigned[p - first] : labels_[p];
            }
        });
        return labels;
    }

private:
    Mat_<double> adjacencyTimes(const Mat_<double>& B) const
    {
        const CsrMatrix& A = problem_.A.weights;
        const int m = problem_.pointCount(), d = problem_.d;
        Mat_<double> C = Mat_<double>::zeros(m, lanes_ * d);
        parallel_for_(Range(0, m), [&](const Range& range) {
            for (int p = range.start; p < range.end; ++p)
                for (size_t e = A.offsets[p]; e < A.offsets[p + 1]; ++e)
                {
                    const int q = A.columns[e];
                    if (lanes_ == 1)
                        addScaled(B[q], A.values[e], d, C[p]);
                    for (size_t c = 0; c < problem_.A.phases.size(); ++c)
                    {
                        const Complexf x = problem_.A.phases[c][p], y = problem_.A.phases[c][q];
                        double* to = C[p] + static_cast<size_t>(2 * d) * c;
                        // x times the conjugate of y
                        addScaled(B[q],
                                  A.values[e] * (static_cast<double>(x.re) * y.re +
                                                 static_cast<double>(x.im) * y.im),
                                  d, to);
                        addScaled(B[q],
                                  A.values[e] * (static_cast<double>(x.im) * y.re -
                                                 static_cast<double>(x.re) * y.im),
                                  d, to + d);
                    }
                }
        });
        return C;
    }

    Mat_<double> similarityTimes(const Mat_<double>& C) const
    {
        const CsrMatrix& W = problem_.W;
        Mat_<double> R = Mat_<double>::zeros(C.rows, C.cols);
        parallel_for_(Range(0, C.rows), [&](const Range& range) {
            for (int p = range.start; p < range.end; ++p)
                for (size_t e = W.offsets[p]; e < W.offsets[p + 1]; ++e)
                    addScaled(C[W.columns[e]], W.values[e], C.cols, R[p]);
        });
        return R;
    }

    static void addScaled(const double* from, double factor, int count, double* to)
    {
        for (int c = 0; c < count; ++c)
            to[c] += factor * from[c];
    }

    const IterationProblem& problem_;
    const int lanes_;
    std::vector<int> labels_;
    Mat_<double> R_, G_;
};

} // namespace

Ptr<PowerStep> createDenseStep(const IterationProblem& problem)
{
    return makePtr<DenseStep>(problem);
}

}} // namespace cv::multimatch
