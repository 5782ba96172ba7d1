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

IterationResult iterate(const IterationProblem& problem, PowerStep& step,
                        const std::vector<int>& start, int maxIterations, double minGrowth,
                        RunControl& control)
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
        if (control.cancelled())
            break;
        ++result.iterations;
        if (next == labels)
        {
            if (step.calmDown())
                continue;
            result.converged = true;
            break;
        }
        labels.swap(next);
        const double value = step.evaluate(labels) - 4 * chargeOf(problem, labels);
        if (control.cancelled())
            break; // before all of it was summed
        result.objective.push_back(value);
        const bool grows = value > best + minGrowth * std::abs(best);
        if (value >= best)
        {
            best = value;
            result.labels = labels;
        }
        if (grows)
            continue;
        if (!step.calmDown())
        {
            result.converged = true;
            break;
        }
        if (labels != result.labels)
        {
            labels = result.labels;
            step.evaluate(labels);
        }
    }
    return result;
}

std::vector<double> standaloneCharges(const CsrMatrix& W, const Adjacency& A,
                                      const std::vector<int>& viewSizes, double charge,
                                      RunControl& control)
{
    const std::vector<int> view = viewOfPoints(viewSizes);
    const size_t channels = std::max<size_t>(1, A.phases.size());
    std::vector<double> charges(static_cast<size_t>(W.rows)), diagonal(charges.size());
    const auto chargeRow = [&](int p, std::vector<double>& own) {
        // (W A W)_pp per channel: pairs of p's neighbours that share a view
        own.assign(channels, 0.0);
        for (size_t e = W.offsets[p]; e < W.offsets[p + 1]; ++e)
        {
            const int q = W.columns[e];
            const double self =
                static_cast<double>(W.values[e]) * W.values[e] * diagonal[static_cast<size_t>(q)];
            for (size_t c = 0; c < channels; ++c)
                own[c] += self;
            for (size_t g = e + 1; g < W.offsets[p + 1] && view[W.columns[g]] == view[q]; ++g)
            {
                const int r = W.columns[g];
                const double both = 2.0 * W.values[e] * W.values[g] * A.weights.at(q, r);
                for (size_t c = 0; c < channels; ++c)
                    own[c] += A.phases.empty() ? both
                                               : both * (A.phases[c][q].re * A.phases[c][r].re +
                                                         A.phases[c][q].im * A.phases[c][r].im);
            }
        }
        for (size_t c = 0; c < channels; ++c)
            charges[static_cast<size_t>(p)] += charge * own[c] * own[c];
    };
    for (int p = 0; p < W.rows; ++p)
        diagonal[static_cast<size_t>(p)] = A.weights.at(p, p);
    control.forSlices(
        W.rows, SLICE_POINTS,
        [&](const Range& range) {
            std::vector<double> own;
            for (int p = range.start; p < range.end; ++p)
                chargeRow(p, own);
        },
        false);
    return charges;
}

}} // namespace cv::multimatch
