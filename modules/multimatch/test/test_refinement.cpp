// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;

TEST(Multimatch_Refinement, unlikely_memberships_leave_the_likely_ones_alone)
{
    SyntheticParams p;
    p.noise = 0.5;
    const SyntheticViews views = makeViews(p);
    HiPPIParams params;
    const Tracks likely = HiPPI::create(params)->match(views.keypoints, views.descriptors);
    const float wanted = params.minConfidence;
    params.minConfidence = 0;
    const Tracks all = HiPPI::create(params)->match(views.keypoints, views.descriptors);
    EXPECT_GT(all.size(), likely.size());
    EXPECT_EQ(partition(likely), partition(all.filter(params.minLength, wanted)));
}

TEST(Multimatch_Refinement, betters_what_the_iteration_found)
{
    SyntheticParams p;
    p.noise = 0.5;
    const SyntheticViews views = makeViews(p);
    HiPPIParams params;
    const MatchScore refined =
        scoreTracks(HiPPI::create(params)->match(views.keypoints, views.descriptors), views.labels);
    params.refine = false;
    const MatchScore plain =
        scoreTracks(HiPPI::create(params)->match(views.keypoints, views.descriptors), views.labels);
    EXPECT_GT(refined.fscore(), plain.fscore());
    EXPECT_GE(refined.fscore(), 0.95);
}

TEST(Multimatch_Refinement, key_points_of_a_problem_are_checked)
{
    MatchingProblem problem;
    problem.viewSizes.assign(2, 1);
    problem.similarity = CsrMatrix::fromTriplets(
        2, 2, std::vector<int>{0, 1}, std::vector<int>{1, 0}, std::vector<float>(2, 1.f));
    problem.keypoints.assign(2, std::vector<KeyPoint>(1, KeyPoint(1.f, 2.f, 3.f, 40.f)));
    EXPECT_EQ(2, HiPPI::create()->solve(problem).viewCount());
    problem.keypoints[1].push_back(problem.keypoints[1][0]);
    EXPECT_ERROR(HiPPI::create()->solve(problem), "keypoints[1] has 2 rows");
    problem.keypoints[1].pop_back();
    problem.points.assign(2, Mat::zeros(1, 2, CV_32F));
    EXPECT_ERROR(HiPPI::create()->solve(problem), "both given");
}

}} // namespace
