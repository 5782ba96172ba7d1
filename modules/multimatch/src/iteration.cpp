// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "iteration.hpp"

#include "input.hpp"

namespace cv { namespace multimatch {

namespace {

double chargeOf(const IterationProblem& problem, const std::vector<int>& labels)
{
    double sum = 0;
    for (size_t p = 0; p < problem.charges.size(); ++p)
        if (labels[p] >= 0)
            sum += problem.charges[p];
    return sum;
}

} // namespace

IterationResult iterate(const IterationProblem& problem, PowerStep& step, const std::vector<int>& start,
                        int maxIterations, double minGrowth, RunControl& control)
{
    IterationResult result;
    result.labels = start;
    std::vector<int> labels = start;
    double best = step.evaluate(labels) - 4 * chargeOf(problem, labels);
    result.objective.push_back(best);
    while (result.iterations < maxIterations &&
           control.proceed(static_cast<double>(result.iterations) / maxIterations))
    {
        std::vector<int> next = step.project();
        ++result.iterations;
        if (next == labels)
        {
            result.converged = true;
            break;
        }
        labels.swap(next);
        const double value = step.evaluate(labels) - 4 * chargeOf(problem, labels);
        result.objective.push_back(value);
        const bool grows = value > best + minGrowth * std::abs(best);
        if (value >= best)
        {
            best = value;
            result.labels = labels;
        }
        if (!grows)
        {
            result.converged = true;
            break;
        }
    }
    return result;
}

std::vector<double> standaloneCharges(const CsrMatrix& W, const Adjacency& A,
                                      const std::vector<int>& viewSizes, double charge)
{
    const std::vector<int> view = viewOfPoints(viewSizes);
    std::vector<double> charges(static_cast<size_t>(W.rows));
    for (int p = 0; p < W.rows; ++p)
    {
        double own = 0; // (W A W)_pp: pairs of p's neighbours that share a view
        for (size_t e = W.offsets[p]; e < W.offsets[p + 1]; ++e)
        {
            const int q = W.columns[e];
            own += static_cast<double>(W.values[e]) * W.values[e] * A.weights.at(q, q);
            for (size_t g = e + 1; g < W.offsets[p + 1] && view[W.columns[g]] == view[q]; ++g)
            {
                const int r = W.columns[g];
                double phase = A.phases.empty() ? 1.0 : 0.0;
                for (size_t c = 0; c < A.phases.size(); ++c)
                    phase += A.phases[c][q].re * A.phases[c][r].re + A.phases[c][q].im * A.phases[c][r].im;
                phase /= A.phases.empty() ? 1.0 : static_cast<double>(A.phases.size());
                own += 2.0 * W.values[e] * W.values[g] * A.weights.at(q, r) * phase;
            }
        }
        const double channels = A.phases.empty() ? 1.0 : static_cast<double>(A.phases.size());
        charges[static_cast<size_t>(p)] = charge * channels * own * own;
    }
    return charges;
}

}} // namespace cv::multimatch
