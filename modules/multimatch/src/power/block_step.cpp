// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "iteration.hpp"

#include "../similarity/weights.hpp"

#include "opencv2/multimatch/detail/assignment.hpp"

namespace cv { namespace multimatch {

namespace {

//! Entries a row of W keeps in the projection; f is computed from all of them.
const int STRONGEST = 8;

/** Relaxation: the gain of a point's own label is reduced by this share. f is convex, so the linear
gains V underestimate a change: one that loses a little in V may still increase f. f itself is
computed exactly. */
const float RELAXATION = 0.01f;

//! Columns for each row up to which assignments go on from the prices of the last.
const double MOSTLY_TAKEN = 1.4;

//! Multiplications between two calls of the progress callback.
const double PANEL_WORK = 2e9;

/** W stays sparse; B, C and G are dense, in single precision, and have columns for the labels in
use alone. As the objective gathers the points of all views on fewer labels, these become narrower.
A complex channel of C takes two blocks of columns, see the dense step. f is exact; the projection
of V = W (C G') takes the strongest entries of W. */
class BlockStep : public PowerStep
{
public:
    BlockStep(const IterationProblem& problem, RunControl& control)
        : problem_(problem), control_(control),
          lanes_(problem.A.phases.empty() ? 1 : 2 * static_cast<int>(problem.A.phases.size())),
          strongest_(strongestEntries(problem.W, STRONGEST, control)), relaxation_(RELAXATION),
          prices_(problem.viewSizes.size())
    {
    }

    double evaluate(const std::vector<int>& labels) CV_OVERRIDE
    {
        compact(labels);
        makeB();
        makeC();
        const int used = static_cast<int>(labelOf_.size());
        G_ = Mat_<float>::zeros(used, lanes_ * used);
        const int rows = panelRows(static_cast<double>(used) * G_.cols);
        for (int first = 0; first < B_.rows && control_.wanted(); first += rows)
        {
            const Range panel(first, std::min(B_.rows, first + rows));
            gemm(B_.rowRange(panel), C_.rowRange(panel), 1, G_, 1, G_, GEMM_1_T);
        }
        return G_.dot(G_);
    }

    std::vector<int> project() CV_OVERRIDE
    {
        Mat_<float> H(C_.rows, G_.rows);
        const int rows = panelRows(static_cast<double>(G_.rows) * G_.cols);
        for (int first = 0; first < C_.rows && control_.wanted(); first += rows)
        {
            const Range panel(first, std::min(C_.rows, first + rows));
            Mat to = H.rowRange(panel);
            gemm(C_.rowRange(panel), G_, 1, noArray(), 0, to, GEMM_2_T);
        }
        std::vector<int> labels(column_.size(), -1);
        const int views = static_cast<int>(problem_.viewSizes.size());
        const auto projectViews = [&](const Range& range) {
            std::vector<float> V(static_cast<size_t>(H.cols));
            for (int v = range.start; v < range.end; ++v)
                projectView(v, H, V, labels);
        };
        if (!control_.forSlices(views, viewsInSlice(problem_.offsets), projectViews, false))
            for (size_t p = 0; p < labels.size(); ++p)
                labels[p] = labelOf_[column_[p]];
        return labels;
    }

    bool endRelaxation() CV_OVERRIDE
    {
        const bool relaxed = relaxation_ > 0;
        relaxation_ = 0;
        return relaxed;
    }

private:
    static int panelRows(double workOfRow)
    {
        return std::max(1, static_cast<int>(PANEL_WORK / std::max(1., workOfRow)));
    }

    //! Columns for the labels that occur, in their order.
    void compact(const std::vector<int>& labels)
    {
        std::vector<int> columnOf(static_cast<size_t>(problem_.d), -1);
        for (size_t p = 0; p < labels.size(); ++p)
            columnOf[labels[p]] = 0;
        labelOf_.clear();
        for (int l = 0; l < problem_.d; ++l)
            if (columnOf[l] == 0)
            {
                columnOf[l] = static_cast<int>(labelOf_.size());
                labelOf_.push_back(l);
            }
        column_.resize(labels.size());
        for (size_t p = 0; p < labels.size(); ++p)
            column_[p] = columnOf[labels[p]];
    }

    //! B = W U
    void makeB()
    {
        const CsrMatrix& W = problem_.W;
        B_.create(problem_.pointCount(), static_cast<int>(labelOf_.size()));
        control_.forSlices(
            B_.rows, SLICE_POINTS,
            [&](const Range& range) {
                for (int p = range.start; p < range.end; ++p)
                {
                    float* row = B_[p];
                    std::fill(row, row + B_.cols, 0.f);
                    for (size_t e = W.offsets[p]; e < W.offsets[p + 1]; ++e)
                        row[column_[W.columns[e]]] += W.values[e];
                }
            },
            false);
    }

    //! C = A B, view by view
    void makeC()
    {
        const CsrMatrix& A = problem_.A.weights;
        C_.create(B_.rows, lanes_ * B_.cols);
        Mat_<float> block;
        for (size_t v = 0; v < problem_.viewSizes.size() && control_.wanted(); ++v)
        {
            const Range rows(problem_.offsets[v], problem_.offsets[v + 1]);
            for (int lane = 0; lane < lanes_ && rows.size() > 0; ++lane)
            {
                block.create(rows.size(), rows.size());
                block.setTo(0);
                for (int p = rows.start; p < rows.end; ++p)
                    for (size_t e = A.offsets[p]; e < A.offsets[p + 1]; ++e)
                        block(p - rows.start, A.columns[e] - rows.start) =
                            A.values[e] * turned(p, A.columns[e], lane);
                Mat to = C_(rows, Range(lane * B_.cols, (lane + 1) * B_.cols));
                gemm(block, B_.rowRange(rows), 1, noArray(), 0, to);
            }
        }
    }

    //! The phase of p times the conjugate of that of q: real part in even lanes, imaginary in odd
    //! ones.
    float turned(int p, int q, int lane) const
    {
        if (problem_.A.phases.empty())
            return 1.f;
        const std::vector<Complexf>& phases = problem_.A.phases[lane / 2];
        const Complexf x = phases[p], y = phases[q];
        return lane % 2 == 0 ? x.re * y.re + x.im * y.im : x.im * y.re - x.re * y.im;
    }

    //! Gains of point p for all columns.
    void gains(int p, const Mat_<float>& H, std::vector<float>& V) const
    {
        std::fill(V.begin(), V.end(), 0.f);
        const int cols = H.cols;
        float* to = V.data();
        size_t e = strongest_.offsets[p];
        const size_t end = strongest_.offsets[p + 1];
        const int* q = strongest_.columns.data();
        const float* w = strongest_.values.data();
        for (; e + 4 <= end; e += 4)
        {
            const float *a = H[q[e]], *b = H[q[e + 1]], *c = H[q[e + 2]], *d = H[q[e + 3]];
            for (int l = 0; l < cols; ++l)
                to[l] += w[e] * a[l] + w[e + 1] * b[l] + w[e + 2] * c[l] + w[e + 3] * d[l];
        }
        for (; e < end; ++e)
        {
            const float* a = H[q[e]];
            for (int l = 0; l < cols; ++l)
                to[l] += w[e] * a[l];
        }
    }

    void projectView(int v, const Mat_<float>& H, std::vector<float>& V, std::vector<int>& labels)
    {
        const int first = problem_.offsets[v], last = problem_.offsets[v + 1];
        Mat_<double> values(last - first, H.cols);
        double before = 0, after = 0;
        for (int p = first; p < last; ++p)
        {
            gains(p, H, V);
            const int own = column_[p];
            V[own] *= 1 - relaxation_;
            before += static_cast<double>(V[own]);
            std::copy(V.begin(), V.end(), values[p - first]);
        }
        const std::vector<int> chosen = assigned(v, values);
        for (int r = 0; r < values.rows; ++r)
            after += values(r, chosen[r]);
        // At equal value the present labels stay, so that ties cannot make the iteration wander.
        for (int p = first; p < last; ++p)
        {
            const int column = after > before ? chosen[p - first] : column_[p];
            labels[p] = labelOf_[column];
        }
    }

    //! Begins with the prices of the last time where nearly all columns are taken.
    std::vector<int> assigned(int v, const Mat_<double>& values)
    {
        if (values.cols > MOSTLY_TAKEN * values.rows)
            return detail::assignDense(values, false);
        std::vector<double> prices;
        std::vector<double>& known = prices_[v];
        for (size_t c = 0; c < labelOf_.size() && !known.empty(); ++c)
            prices.push_back(known[labelOf_[c]]);
        std::vector<int> result = detail::assignDense(values, prices);
        known.assign(problem_.d, 0);
        for (size_t c = 0; c < labelOf_.size(); ++c)
            known[labelOf_[c]] = prices[c];
        return result;
    }

    const IterationProblem& problem_;
    RunControl& control_;
    const int lanes_;
    const CsrMatrix strongest_;
    float relaxation_;
    std::vector<int> column_;  //!< per point
    std::vector<int> labelOf_; //!< per column
    Mat_<float> B_, C_, G_;
    std::vector<std::vector<double>> prices_; //!< per view and label those of its last assignment
};

} // namespace

Ptr<PowerStep> createBlockStep(const IterationProblem& problem, RunControl& control)
{
    return Ptr<PowerStep>(new BlockStep(problem, control));
}

}} // namespace cv::multimatch
