// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "iteration.hpp"

namespace cv { namespace multimatch {

MatchReport IterationResult::report() const
{
    MatchReport result;
    result.objective = objective;
    result.iterations = iterations;
    result.converged = converged;
    result.universeSize = universe;
    result.exact = exact;
    return result;
}

IterationResult iterate(PowerStep& step, const std::vector<int>& start, int maxIterations,
                        double minGrowth, RunControl& control)
{
    IterationResult result;
    result.labels = start;
    std::vector<int> labels = start;
    double best = step.evaluate(labels);
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
            if (step.endRelaxation())
                continue;
            result.converged = true;
            break;
        }
        labels.swap(next);
        const double value = step.evaluate(labels);
        if (control.cancelled())
            break; // before all of it was summed
        const bool grows = value > best + minGrowth * std::abs(best);
        // The objective is convex, and cannot fall, for a positive semidefinite A alone; one that
        // is cut is so only nearly.
        if (!(value < best))
        {
            best = value;
            result.labels = labels;
            result.objective.push_back(value);
        }
        if (grows)
            continue;
        if (!step.endRelaxation())
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

}} // namespace cv::multimatch
