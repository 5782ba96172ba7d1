// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "iteration.hpp"
#include "sparse_rows.hpp"

#include "opencv2/multimatch/detail/assignment.hpp"

namespace cv { namespace multimatch {

namespace {

/** Only what changed is computed again: a row of B if a label next to it in W changed, one of C if
one of those is next to it in A, one of G if a point that has its label in B is among those; and a
view is projected again if one of these concerns one of its points. What is not connected with a
changed label costs only a copy. */
template<typename Real, int LANES>
class SparseStep : public PowerStep
{
public:
    SparseStep(const IterationProblem& problem, const RowLimits& limits, RunControl& control)
        : problem_(problem), limits_(limits), control_(control)
    {
    }

    double evaluate(const std::vector<int>& labels) CV_OVERRIDE
    {
        markRows(labels);
        labels_ = labels;
        SparseRows<Real, 1> oldB;
        std::swap(B_, oldB);
        makeB(oldB);
        markLabels(oldB);
        makeC();
        const double f = makeG();
        markViews();
        return f;
    }

    std::vector<int> project() CV_OVERRIDE
    {
        std::vector<int> labels(labels_.size(), -1);
        const int views = static_cast<int>(problem_.viewSizes.size());
        const auto projectViews = [&](const Range& range) {
            RowAccumulator<Real, LANES> R(problem_.d);
            RowAccumulator<Real, 1> near(problem_.d);
            std::vector<int> localColumn(static_cast<size_t>(problem_.d), -1), columnLabel;
            for (int v = range.start; v < range.end; ++v)
                if (staleViews_[v])
                    projectView(v, R, near, localColumn, columnLabel, labels);
                else // would choose what it chose the last time
                    std::copy(labels_.begin() + problem_.offsets[v],
                              labels_.begin() + problem_.offsets[v + 1],
                              labels.begin() + problem_.offsets[v]);
        };
        if (!control_.forSlices(views, viewsInSlice(problem_.offsets), projectViews, false))
            return labels_;
        std::fill(staleViews_.begin(), staleViews_.end(), static_cast<uchar>(0));
        return labels;
    }

private:
    //! Rows of B and C that these labels change.
    void markRows(const std::vector<int>& labels)
    {
        const CsrMatrix &W = problem_.W, &A = problem_.A.weights;
        const bool all = labels_.size() != labels.size();
        staleB_.assign(labels.size(), all);
        staleC_.assign(labels.size(), all);
        staleLabels_.assign(problem_.d, all);
        staleViews_.resize(problem_.viewSizes.size(), 1);
        for (size_t p = 0; p < labels.size() && !all; ++p)
            for (size_t e = W.offsets[p]; labels[p] != labels_[p] && e < W.offsets[p + 1]; ++e)
                staleB_[W.columns[e]] = 1;
        for (size_t p = 0; p < labels.size() && !all; ++p)
            for (size_t e = A.offsets[p]; staleB_[p] && e < A.offsets[p + 1]; ++e)
                staleC_[A.columns[e]] = 1;
    }

    //! Rows of G that changed rows of B and C bear on.
    void markLabels(const SparseRows<Real, 1>& oldB)
    {
        const SparseRows<Real, 1>* const both[] = {&B_, &oldB};
        for (const SparseRows<Real, 1>* rows : both)
            for (size_t p = 0; p + 1 < rows->offsets.size(); ++p)
                for (size_t e = rows->offsets[p]; staleC_[p] && e < rows->offsets[p + 1]; ++e)
                    staleLabels_[rows->labels[e]] = 1;
    }

    //! Views with a point whose gains or choices may have changed since the last projection.
    void markViews()
    {
        const CsrMatrix& W = problem_.W;
        parallel_for_(Range(0, static_cast<int>(staleViews_.size())), [&](const Range& range) {
            for (int v = range.start; v < range.end; ++v)
            {
                bool stale = staleViews_[v] != 0;
                for (int p = problem_.offsets[v]; !stale && p < problem_.offsets[v + 1]; ++p)
                    for (size_t e = W.offsets[p]; !stale && e < W.offsets[p + 1]; ++e)
                    {
                        const size_t q = static_cast<size_t>(W.columns[e]);
                        stale = staleC_[q] || (labels_[q] >= 0 && staleLabels_[labels_[q]]);
                    }
                staleViews_[v] = stale;
            }
        });
    }

    //! Puts a row as it was into the accumulator.
    template<int L>
    static void copyRow(const SparseRows<Real, L>& rows, int r, RowAccumulator<Real, L>& to)
    {
        for (size_t e = rows.offsets[r]; e < rows.offsets[r + 1]; ++e)
            std::copy(rows.values.begin() + e * L,
                      rows.values.begin() + static_cast<ptrdiff_t>((e + 1) * L),
                      to.at(rows.labels[e]));
    }

    //! B = W U
    void makeB(const SparseRows<Real, 1>& old)
    {
        const CsrMatrix& W = problem_.W;
        makeRows<Real, 1>(problem_.pointCount(), problem_.d, B_, control_,
                          [&](int p, RowAccumulator<Real, 1>& row) {
                              if (!staleB_[p])
                                  return copyRow<1>(old, p, row);
                              for (size_t e = W.offsets[p]; e < W.offsets[p + 1]; ++e)
                                  if (labels_[W.columns[e]] >= 0)
                                      *row.at(labels_[W.columns[e]]) += W.values[e];
                              row.truncate(limits_.B, labels_[p]);
                          });
    }

    //! C = A B, one complex matrix per channel
    void makeC()
    {
        const CsrMatrix& A = problem_.A.weights;
        const std::vector<std::vector<Complexf>>& phases = problem_.A.phases;
        SparseRows<Real, LANES> old;
        std::swap(C_, old);
        makeRows<Real, LANES>(problem_.pointCount(), problem_.d, C_, control_,
                              [&](int p, RowAccumulator<Real, LANES>& row) {
                                  if (!staleC_[p])
                                      return copyRow<LANES>(old, p, row);
                                  for (size_t e = A.offsets[p]; e < A.offsets[p + 1]; ++e)
                                  {
                                      const int q = A.columns[e];
                                      Real weight[LANES];
                                      weight[0] = A.values[e];
                                      for (int c = 0; c < LANES / 2; ++c)
                                      {
                                          const Complexf x = phases[c][p], y = phases[c][q];
                                          // x times the conjugate of y
                                          weight[2 * c] =
                                              A.values[e] * (Real(x.re) * y.re + Real(x.im) * y.im);
                                          weight[2 * c + 1] =
                                              A.values[e] * (Real(x.im) * y.re - Real(x.re) * y.im);
                                      }
                                      for (size_t b = B_.offsets[q]; b < B_.offsets[q + 1]; ++b)
                                      {
                                          Real* to = row.at(B_.labels[b]);
                                          for (int l = 0; l < LANES; ++l)
                                              to[l] += weight[l] * B_.values[b];
                                      }
                                  }
                                  row.truncate(limits_.C, labels_[p]);
                              });
    }

    //! G = U' W C = B' C, row by row: the points in whose row of B a label stands. Returns ||G||^2.
    double makeG()
    {
        std::vector<size_t> offsets(static_cast<size_t>(problem_.d) + 1, 0);
        for (size_t e = 0; e < B_.labels.size(); ++e)
            ++offsets[B_.labels[e] + 1];
        std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
        std::vector<int> points(B_.labels.size());
        std::vector<Real> weights(B_.labels.size());
        std::vector<size_t> next(offsets.begin(), offsets.end() - 1);
        for (int p = 0; p < problem_.pointCount(); ++p)
            for (size_t e = B_.offsets[p]; e < B_.offsets[p + 1]; ++e)
            {
                const size_t to = next[B_.labels[e]]++;
                points[to] = p;
                weights[to] = B_.values[e];
            }
        SparseRows<Real, LANES> old;
        std::swap(G_, old);
        squared_.resize(problem_.d);
        makeRows<Real, LANES>(
            problem_.d, problem_.d, G_, control_, [&](int label, RowAccumulator<Real, LANES>& row) {
                if (!staleLabels_[label])
                    return copyRow<LANES>(old, label, row);
                for (size_t e = offsets[label]; e < offsets[label + 1]; ++e)
                    addRow(C_, points[e], weights[e], row);
                double& squared = squared_[label];
                squared = 0;
                for (size_t t = 0; t < row.touched().size(); ++t)
                    squared += static_cast<double>(row.squaredNorm(row.touched()[t]));
                row.truncate(limits_.G, label);
            });
        return std::accumulate(squared_.begin(), squared_.end(), 0.0);
    }

    static void addRow(const SparseRows<Real, LANES>& rows, int r, Real factor,
                       RowAccumulator<Real, LANES>& to)
    {
        for (size_t e = rows.offsets[r]; e < rows.offsets[r + 1]; ++e)
        {
            Real* sum = to.at(rows.labels[e]);
            for (int l = 0; l < LANES; ++l)
                sum[l] += factor * rows.values[e * LANES + l];
        }
    }

    //! Re <R_p, G_label>: the gain V of giving point p this label.
    double gain(const RowAccumulator<Real, LANES>& R, int label) const
    {
        double sum = 0;
        for (size_t e = G_.offsets[label]; e < G_.offsets[label + 1]; ++e)
        {
            const Real* r = R.peek(G_.labels[e]);
            Real dot = 0;
            for (int l = 0; l < LANES; ++l)
                dot += r[l] * G_.values[e * LANES + l];
            sum += static_cast<double>(dot);
        }
        return sum;
    }

    void projectView(int v, RowAccumulator<Real, LANES>& R, RowAccumulator<Real, 1>& near,
                     std::vector<int>& localColumn, std::vector<int>& columnLabel,
                     std::vector<int>& labels) const
    {
        const CsrMatrix& W = problem_.W;
        const int first = problem_.offsets[v], last = problem_.offsets[v + 1];
        detail::AssignmentCandidates candidates;
        candidates.offsets.push_back(0);
        columnLabel.clear();
        double before = 0;
        for (int p = first; p < last; ++p)
        {
            if (labels_[p] >= 0)
                *near.at(labels_[p]) += 1;
            for (size_t e = W.offsets[p]; e < W.offsets[p + 1]; ++e)
            {
                const int q = W.columns[e];
                addRow(C_, q, W.values[e], R);
                if (labels_[q] >= 0)
                    *near.at(labels_[q]) += W.values[e];
            }
            near.truncate(limits_.candidates, labels_[p]);
            for (size_t t = 0; t < near.touched().size(); ++t)
            {
                const int label = near.touched()[t];
                if (localColumn[label] < 0)
                {
                    localColumn[label] = static_cast<int>(columnLabel.size());
                    columnLabel.push_back(label);
                }
                const double value = gain(R, label);
                if (label == labels_[p])
                    before += value;
                candidates.columns.push_back(localColumn[label]);
                candidates.values.push_back(value);
            }
            candidates.offsets.push_back(static_cast<int>(candidates.columns.size()));
            R.clear();
            near.clear();
        }
        candidates.cols = static_cast<int>(columnLabel.size());
        const std::vector<int> chosen = detail::assignSparse(candidates, false);
        double after = 0;
        for (size_t r = 0; r < chosen.size(); ++r)
            if (chosen[r] >= 0)
                after += candidates.values[chosen[r]];
        // At equal value the present labels stay, so that ties cannot make the iteration wander.
        for (int p = first; p < last; ++p)
        {
            const int position = chosen[p - first];
            labels[p] = !(after > before) ? labels_[p]
                        : position >= 0   ? columnLabel[candidates.columns[position]]
                                          : -1;
        }
        for (size_t c = 0; c < columnLabel.size(); ++c)
            localColumn[columnLabel[c]] = -1;
    }

    const IterationProblem& problem_;
    const RowLimits limits_;
    RunControl& control_;
    std::vector<int> labels_;
    SparseRows<Real, 1> B_;
    SparseRows<Real, LANES> C_, G_;
    std::vector<double> squared_; //!< of each row of G before it was truncated
    //! What the last labels changed: rows of B and C, rows of G; and the views to be projected
    //! again.
    std::vector<uchar> staleB_, staleC_, staleLabels_, staleViews_;
};

template<typename Real>
Ptr<PowerStep> createForLanes(const IterationProblem& problem, const RowLimits& limits,
                              RunControl& control)
{
    switch (problem.A.phases.size())
    {
    case 0:
        return Ptr<PowerStep>(new SparseStep<Real, 1>(problem, limits, control));
    case 1:
        return Ptr<PowerStep>(new SparseStep<Real, 2>(problem, limits, control));
    case 2:
        return Ptr<PowerStep>(new SparseStep<Real, 4>(problem, limits, control));
    case 3:
        return Ptr<PowerStep>(new SparseStep<Real, 6>(problem, limits, control));
    default:
        CV_Error_(Error::StsOutOfRange, ("the adjacency has %zu phase channels, expected at most 3",
                                         problem.A.phases.size()));
    }
}

} // namespace

Ptr<PowerStep> createSparseStep(const IterationProblem& problem, const RowLimits& limits,
                                RunControl& control)
{
    // Exact products deserve exact sums; where rows are truncated, single precision loses nothing.
    return limits.exact() ? createForLanes<double>(problem, limits, control)
                          : createForLanes<float>(problem, limits, control);
}

}} // namespace cv::multimatch
