// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_TEST_MULTIMATCH_HIPPI_HPP
#define OPENCV_TEST_MULTIMATCH_HIPPI_HPP

#include "test_problems.hpp"

namespace opencv_test {

using namespace cv::multimatch;

//! A random problem: similarities between points of different views, Gaussian adjacency with or
//! without phases.
inline MatchingProblem randomProblem(unsigned seed, bool directional)
{
    RNG rng(seed);
    MatchingProblem problem;
    const int views = rng.uniform(2, 6);
    std::vector<Mat> points;
    for (int v = 0; v < views; ++v)
    {
        problem.viewSizes.push_back(v == 1 && seed % 5 == 0 ? 0 : rng.uniform(1, 8));
        Mat x(problem.viewSizes.back(), 2, CV_32F);
        if (!x.empty())
            rng.fill(x, RNG::UNIFORM, 0, 10);
        points.push_back(x);
    }
    const int m = std::accumulate(problem.viewSizes.begin(), problem.viewSizes.end(), 0);
    std::vector<int> view, rows, columns;
    std::vector<float> values;
    for (int v = 0; v < views; ++v)
        view.insert(view.end(), static_cast<size_t>(problem.viewSizes[v]), v);
    for (int p = 0; p < m; ++p)
        for (int q = p + 1; q < m; ++q)
            if (view[p] != view[q] && rng.uniform(0, 3) == 0)
            {
                const float s = rng.uniform(0.01f, 1.f);
                const int both[2] = {p, q};
                for (int side = 0; side < 2; ++side)
                {
                    rows.push_back(both[side]);
                    columns.push_back(both[1 - side]);
                    values.push_back(s);
                }
            }
    problem.similarity = CsrMatrix::fromTriplets(m, m, rows, columns, values);
    AdjacencyParams params;
    params.mu = 5;
    params.directional = directional ? 1.f : 0.f;
    problem.adjacency = computeAdjacency(points, params);
    return problem;
}

} // namespace opencv_test

#endif
