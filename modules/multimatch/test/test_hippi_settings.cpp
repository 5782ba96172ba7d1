// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_hippi.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;

TEST(Multimatch_HiPPI, pairs_and_window_restrict_the_comparison)
{
    SyntheticParams p;
    p.views = 6;
    p.noise = 0.05;
    const SyntheticViews views = makeViews(p);
    const Ptr<HiPPI> hippi = HiPPI::create();
    const Mat pairs = (Mat_<int>(2, 2) << 0, 1, 4, 3);
    hippi->setPairs(pairs);
    const Tracks tracks = hippi->match(views.keypoints, views.descriptors);
    expectConsistent(tracks);
    EXPECT_FALSE(tracks.matches(0, 1).empty());
    EXPECT_FALSE(tracks.matches(3, 4).empty());
    EXPECT_TRUE(tracks.matches(1, 3).empty());
    EXPECT_EQ(std::vector<int>(views.keypoints[2].size(), -1), tracks.trackIds(2));
    EXPECT_EQ(0., cv::norm(pairs, hippi->getPairs(), NORM_INF));

    const Ptr<HiPPI> window = HiPPI::create();
    window->setWindow(1);
    EXPECT_EQ(1, window->getWindow());
    const Tracks chained = window->match(views.keypoints, views.descriptors);
    EXPECT_FALSE(chained.matches(0, 1).empty());
    EXPECT_GE(scoreTracks(chained, views.labels).precision(), 0.99);
}

TEST(Multimatch_HiPPI, start_labels_are_used)
{
    const SyntheticViews views = makeViews(SyntheticParams());
    HiPPIParams params;
    params.start = START_LABELS;
    params.maxIterations = 0;
    params.minConfidence = 0;
    const Ptr<HiPPI> hippi = HiPPI::create(params);
    EXPECT_ERROR(hippi->match(views.keypoints, views.descriptors), "initial labels");
    hippi->setInitialLabels(views.labels);
    const Tracks tracks = hippi->match(views.keypoints, views.descriptors);
    EXPECT_EQ(1., scoreTracks(tracks, views.labels).fscore());
    EXPECT_EQ(0, tracks.report().iterations);
}

//! Any label that is not negative is legal.
TEST(Multimatch_HiPPI, start_labels_may_be_large)
{
    const SyntheticViews views = makeViews(SyntheticParams());
    std::vector<std::vector<int>> large = views.labels;
    for (std::vector<int>& view : large)
        for (int& label : view)
            if (label >= 0)
                label = std::numeric_limits<int>::max() - label;
    for (HiPPIMode mode : {HIPPI_PARTIAL, HIPPI_COMPLETE})
    {
        HiPPIParams params;
        params.mode = mode;
        params.start = START_LABELS;
        const Ptr<HiPPI> hippi = HiPPI::create(params);
        hippi->setInitialLabels(views.labels);
        const Tracks expected = hippi->match(views.keypoints, views.descriptors);
        hippi->setInitialLabels(large);
        EXPECT_TRUE(expected == hippi->match(views.keypoints, views.descriptors));
    }
}

//! Their squared distances would be infinite, and nothing would be matched without a word.
TEST(Multimatch_HiPPI, huge_descriptors_are_refused)
{
    SyntheticViews views = makeViews(SyntheticParams());
    views.descriptors[1].at<float>(2, 3) = 1e30f;
    EXPECT_ERROR(HiPPI::create()->match(views.keypoints, views.descriptors),
                 "descriptors[1] has the value 1e+30 in row 2, column 3");
    views.descriptors[1].at<float>(2, 3) = 1e15f;
    EXPECT_NO_THROW(HiPPI::create()->match(views.keypoints, views.descriptors));
}

//! Universe points that no point can use cost nothing.
TEST(Multimatch_HiPPI, universe_may_be_larger_than_the_number_of_points)
{
    SyntheticParams p;
    p.views = 4;
    const SyntheticViews views = makeViews(p);
    HiPPIParams params = paperParams();
    size_t points = 0;
    for (const std::vector<KeyPoint>& view : views.keypoints)
        points += view.size();
    params.universeSize = static_cast<int>(points);
    const Tracks expected = HiPPI::create(params)->match(views.keypoints, views.descriptors);
    params.universeSize = 200000; // a matrix of its square would need 320 GB
    EXPECT_TRUE(expected == HiPPI::create(params)->match(views.keypoints, views.descriptors));
}

TEST(Multimatch_HiPPI, spectral_start_takes_views_of_any_size)
{
    HiPPIParams params;
    params.start = START_SPECTRAL;
    // No points at all.
    const Ptr<HiPPI> matcher = HiPPI::create(params);
    const Tracks none = matcher->match(std::vector<std::vector<KeyPoint>>(2),
                                       std::vector<Mat>(2, Mat(0, 8, CV_32F)));
    EXPECT_EQ(0, none.size());
    // One view has as many points as there are universe points, others have more.
    SyntheticParams p;
    p.views = 3;
    SyntheticViews views = makeViews(p);
    params.universeSize = 5;
    views.keypoints[0].resize(5);
    views.descriptors[0] = views.descriptors[0].rowRange(0, 5);
    matcher->setParams(params);
    expectConsistent(matcher->match(views.keypoints, views.descriptors));
}

TEST(Multimatch_HiPPI, random_starts_of_the_last_seed)
{
    const SyntheticViews views = makeViews(SyntheticParams());
    HiPPIParams params;
    params.mode = HIPPI_COMPLETE;
    params.start = START_RANDOM;
    params.startCount = 3;
    params.seed = std::numeric_limits<int>::max();
    expectConsistent(HiPPI::create(params)->match(views.keypoints, views.descriptors));
}

TEST(Multimatch_HiPPI, callback_sees_progress_and_can_stop)
{
    SyntheticParams p;
    p.universe = 100;
    p.visible = 80;
    const SyntheticViews views = makeViews(p);
    const Ptr<HiPPI> hippi = HiPPI::create();
    std::vector<std::string> stages;
    hippi->setProgressCallback([&](const Progress& progress) {
        EXPECT_GE(progress.fraction, 0.);
        EXPECT_LE(progress.fraction, 1.);
        if (stages.empty() || stages.back() != progress.stage)
            stages.push_back(progress.stage);
        return true;
    });
    const Tracks whole = hippi->match(views.keypoints, views.descriptors);
    EXPECT_FALSE(whole.report().cancelled);
    EXPECT_EQ(whole.report().stages, stages);
    EXPECT_EQ(whole.report().stages.size(), whole.report().seconds.size());

    hippi->setProgressCallback(
        [&](const Progress& progress) { return std::string(progress.stage) != "iterations"; });
    const Tracks stopped = hippi->match(views.keypoints, views.descriptors);
    EXPECT_TRUE(stopped.report().cancelled);
    EXPECT_EQ(0, stopped.report().iterations);
    expectConsistent(stopped);

    // Wherever it is stopped, the callback is not called again, and the labels so far are a result.
    for (size_t s = 0; s < stages.size(); ++s)
    {
        int callsAfter = -1;
        hippi->setProgressCallback([&](const Progress& progress) {
            callsAfter += callsAfter >= 0 || stages[s] == progress.stage;
            return callsAfter < 0;
        });
        const Tracks early = hippi->match(views.keypoints, views.descriptors);
        EXPECT_TRUE(early.report().cancelled) << stages[s];
        EXPECT_EQ(0, callsAfter) << stages[s];
        expectConsistent(early);
        EXPECT_EQ(whole.viewCount(), early.viewCount());
    }
}

TEST(Multimatch_HiPPI, bad_input_is_named)
{
    SyntheticViews views = makeViews(SyntheticParams());
    const Ptr<HiPPI> hippi = HiPPI::create();
    {
        SyntheticViews bad = views;
        bad.keypoints.pop_back();
        EXPECT_ERROR(hippi->match(bad.keypoints, bad.descriptors),
                     "descriptors has 8 views but keypoints has 7");
    }
    {
        SyntheticViews bad = views;
        bad.descriptors[3] = bad.descriptors[3].rowRange(0, 35);
        EXPECT_ERROR(hippi->match(bad.keypoints, bad.descriptors),
                     "descriptors[3] has 35 rows but keypoints[3] has 36");
    }
    {
        SyntheticViews bad = views;
        bad.descriptors[2].convertTo(bad.descriptors[2], CV_8U);
        EXPECT_ERROR(hippi->match(bad.keypoints, bad.descriptors),
                     "descriptors[2] has the type CV_8UC1 but descriptors[0] has CV_32FC1");
    }
    {
        SyntheticViews bad = views;
        bad.descriptors[2].convertTo(bad.descriptors[2], CV_64F);
        EXPECT_ERROR(hippi->match(bad.keypoints, bad.descriptors),
                     "descriptors[2] has the type CV_64FC1");
    }
    {
        SyntheticViews bad = views;
        bad.descriptors[5] = bad.descriptors[5].colRange(0, 31);
        EXPECT_ERROR(hippi->match(bad.keypoints, bad.descriptors),
                     "descriptors[5] has 31 columns but descriptors[0] has 32");
    }
    {
        SyntheticViews bad = views;
        bad.descriptors[1] = bad.descriptors[1].clone();
        bad.descriptors[1].at<float>(4, 7) = std::numeric_limits<float>::quiet_NaN();
        EXPECT_ERROR(hippi->match(bad.keypoints, bad.descriptors), "in row 4, column 7");
        bad.descriptors[1].at<float>(4, 7) = std::numeric_limits<float>::infinity();
        EXPECT_ERROR(hippi->match(bad.keypoints, bad.descriptors), "descriptors[1]");
    }
    {
        SyntheticViews bad = views;
        bad.keypoints[6][2].pt.y = std::numeric_limits<float>::infinity();
        EXPECT_ERROR(hippi->match(bad.keypoints, bad.descriptors), "keypoints[6]");
    }
    EXPECT_ERROR(hippi->match(std::vector<std::vector<KeyPoint>>(1, views.keypoints[0]),
                              std::vector<Mat>(1, views.descriptors[0])),
                 "keypoints has 1 views, expected at least 2");
    {
        std::vector<Mat> points = views.points();
        points[4] = Mat::zeros(36, 4, CV_32F);
        EXPECT_ERROR(hippi->matchPoints(points, views.descriptors), "points[4] is 36 x 4");
    }
    {
        HiPPIParams params;
        params.mode = HIPPI_COMPLETE;
        params.universeSize = 35;
        EXPECT_ERROR(HiPPI::create(params)->match(views.keypoints, views.descriptors),
                     "universeSize is 35 but view 0 has 36 points");
    }
    EXPECT_ERROR(hippi->setPairs(Mat_<int>(Matx<int, 1, 2>(3, 3))), "(3, 3)");
    EXPECT_ERROR(hippi->setPairs(Mat_<float>(Matx<float, 1, 2>(3, 4))), "CV_32FC1");
    hippi->setPairs(Mat_<int>(Matx<int, 1, 2>(3, 8)));
    EXPECT_ERROR(hippi->match(views.keypoints, views.descriptors), "expected view numbers below 8");
    EXPECT_ERROR(hippi->setWindow(-1), "window is -1");
}

TEST(Multimatch_HiPPI, bad_parameters_are_named)
{
    HiPPIParams params;
    params.mu = 0;
    EXPECT_ERROR(HiPPI::create(params), "HiPPIParams::mu is 0, expected more than 0");
    params = HiPPIParams();
    params.minConfidence = 1.5f;
    EXPECT_ERROR(HiPPI::create(params), "HiPPIParams::minConfidence is 1.5");
    params = HiPPIParams();
    params.neighbors = 0;
    EXPECT_ERROR(HiPPI::create(params), "HiPPIParams::neighbors is 0");
    params.neighbors = INT_MAX;
    EXPECT_ERROR(HiPPI::create(params),
                 "HiPPIParams::neighbors is 2147483647, expected 1 or more, at most 1e9");
}

TEST(Multimatch_HiPPI, bad_problems_are_named)
{
    const MatchingProblem good = randomProblem(2, false);
    const Ptr<HiPPI> hippi = HiPPI::create();
    MatchingProblem bad = good;
    bad.viewSizes.push_back(1);
    EXPECT_ERROR(hippi->solve(bad), "similarity is");
    bad = good;
    bad.similarity.values[0] += 1.f;
    EXPECT_ERROR(hippi->solve(bad), "similarity is not symmetric");
    bad = good;
    bad.similarity.values[0] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_ERROR(hippi->solve(bad), "not finite");
    bad = good;
    bad.adjacency.weights = good.similarity;
    EXPECT_ERROR(hippi->solve(bad), "adjacency has an entry at");
}

TEST(Multimatch_HiPPI, parameters_survive_file_storage)
{
    HiPPIParams params;
    params.mode = HIPPI_COMPLETE;
    params.universeSize = 77;
    params.beta = 0.375f;
    params.exact = true;
    params.seed = 11;
    FileStorage out(".yml", FileStorage::WRITE | FileStorage::MEMORY);
    HiPPI::create(params)->write(out);
    FileStorage in(out.releaseAndGetString(), FileStorage::READ | FileStorage::MEMORY);
    const Ptr<HiPPI> hippi = HiPPI::create();
    hippi->read(in.root());
    const HiPPIParams back = hippi->getParams();
    EXPECT_EQ(HIPPI_COMPLETE, back.mode);
    EXPECT_EQ(77, back.universeSize);
    EXPECT_EQ(0.375f, back.beta);
    EXPECT_TRUE(back.exact);
    EXPECT_EQ(11, back.seed);
    EXPECT_EQ("multimatch.HiPPI", hippi->getDefaultName());
}

}} // namespace opencv_test
