// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

#include "opencv2/imgproc.hpp"
#include "opencv2/opencv_modules.hpp"
#ifdef HAVE_OPENCV_FEATURES2D
#include "opencv2/features2d.hpp"
#endif

namespace opencv_test { namespace {

using namespace cv::multimatch;

//! Two scenes of five views each, which have a facade in common; wrong matches of the facade
//! between the scenes.
struct TwoScenes
{
    std::vector<std::vector<KeyPoint>> keypoints;
    std::vector<PairMatches> matches;
    std::vector<std::vector<int>> labels;

    static int sceneOf(int view) { return view / 5; }

    explicit TwoScenes(uint64 seed)
    {
        RNG rng(seed);
        const int own = 120, facade = 60;
        std::vector<Point2d> places[2];
        for (int n = 0; n < facade; ++n)
        {
            // Of the same shape, at different places.
            places[0].push_back(Point2d(rng.uniform(0., 150.), rng.uniform(0., 200.)));
            places[1].push_back(places[0].back() + Point2d(160, 30));
        }
        for (int scene = 0; scene < 2; ++scene)
            for (int n = 0; n < own; ++n)
                places[scene].push_back(Point2d(rng.uniform(0., 400.), rng.uniform(0., 300.)));
        for (int v = 0; v < 10; ++v)
        {
            keypoints.push_back(std::vector<KeyPoint>());
            labels.push_back(std::vector<int>());
            for (int n = 0; n < own + facade; ++n)
            {
                const int scene = sceneOf(v);
                const Point2d at = places[scene][n] * (1 + 0.02 * v) +
                                   Point2d(5. * v + rng.gaussian(0.3), rng.gaussian(0.3));
                keypoints[v].push_back(KeyPoint(Point2f(at), 5));
                labels[v].push_back(n < facade ? n : facade + scene * own + n);
            }
        }
        for (int i = 0; i < 10; ++i)
            for (int j = i + 1; j < 10; ++j)
            {
                PairMatches pair(i, j);
                const int count = sceneOf(i) == sceneOf(j) ? own + facade : facade;
                for (int n = 0; n < count; ++n)
                    if (rng.uniform(0., 1.) < 0.8)
                        pair.matches.push_back(DMatch(n, n, rng.uniform(0.1f, 0.5f)));
                matches.push_back(pair);
            }
    }
};

TEST(Multimatch_PairReport, pairs_of_scenes_with_a_common_facade_rank_last)
{
    for (uint64 seed : {1, 2, 3})
    {
        const TwoScenes scenes(seed);
        const Tracks tracks = HiPPI::create()->synchronize(scenes.keypoints, scenes.matches);
        const std::vector<PairReport> reports = reportPairs(scenes.matches, tracks);
        ASSERT_EQ(45u, reports.size());
        double worstTrue = 1, bestFalse = 0;
        for (const PairReport& report : reports)
        {
            EXPECT_GE(report.score, 0);
            EXPECT_LE(report.score, 1);
            EXPECT_LE(report.kept + report.contradicted, report.given);
            if (TwoScenes::sceneOf(report.first) == TwoScenes::sceneOf(report.second))
                worstTrue = std::min(worstTrue, report.score);
            else
                bestFalse = std::max(bestFalse, report.score);
        }
        EXPECT_GT(worstTrue, bestFalse + 0.1);
    }
}

TEST(Multimatch_PairReport, counts_of_a_small_case)
{
    // Three views; the track 0 is in all, the track 1 in two of them.
    const Tracks tracks({{0, 1, -1}, {0, 1}, {0, 2, 3}, {2, 3}});
    const std::vector<PairMatches> matches = {
        PairMatches(1, 0, {DMatch(0, 0, 0), DMatch(1, 1, 0), DMatch(1, 2, 0)}),
        PairMatches(0, 1, {DMatch(0, 0, 0)}), PairMatches(0, 2, {DMatch(1, 1, 0)}),
        PairMatches(2, 3, {DMatch(1, 0, 0), DMatch(2, 1, 0)})};
    const std::vector<PairReport> reports = reportPairs(matches, tracks);
    ASSERT_EQ(3u, reports.size());
    EXPECT_EQ(0, reports[0].first);
    EXPECT_EQ(1, reports[0].second);
    EXPECT_EQ(3, reports[0].given);
    EXPECT_EQ(2, reports[0].kept);
    EXPECT_EQ(0, reports[0].contradicted);
    // One track through the third view, which shares one with each: (2 * 1.5 / 2 + .5) / 3.
    EXPECT_NEAR((2 * 1.5 / 2 + 0.5) / 3, reports[0].score, 1e-9);
    EXPECT_EQ(1, reports[1].contradicted);
    EXPECT_NEAR(0.25, reports[1].score, 1e-9);
    // Without a third view little is known.
    EXPECT_NEAR((2 * 0.5 + 0.5) / 3, reports[2].score, 1e-9);
    EXPECT_THROW(reportPairs({PairMatches(0, 4)}, tracks), Exception);
}

TEST(Multimatch_PairReport, input_is_counted)
{
    std::vector<std::vector<KeyPoint>> keypoints(2);
    for (int n = 0; n < 4; ++n)
    {
        keypoints[0].push_back(KeyPoint(Point2f(static_cast<float>(n), 0), 1));
        keypoints[1].push_back(KeyPoint(Point2f(static_cast<float>(n), 5), 1));
    }
    keypoints[0].push_back(KeyPoint(Point2f(2, 0), 3));  // coincident
    keypoints[1].push_back(KeyPoint(Point2f(-1, 5), 1)); // outside
    const std::vector<PairMatches> matches = {
        PairMatches(0, 1, {DMatch(0, 0, 0.1f), DMatch(1, 1, 0.1f), DMatch(1, 2, 0.3f)}),
        PairMatches(1, 0, {DMatch(0, 0, 0.2f)})};
    const InputReport report = inspectMatches(keypoints, matches);
    EXPECT_EQ(1, report.duplicateMatches);
    EXPECT_EQ(2, report.ambiguousMatches);
    EXPECT_EQ(1, report.outsidePoints);
    EXPECT_EQ(1, report.coincidentPoints);
    EXPECT_EQ(4, inspectMatches(keypoints, matches, {Size(3, 9), Size(2, 9)}).outsidePoints);
    const MatchReport run = HiPPI::create()->synchronize(keypoints, matches).report();
    EXPECT_EQ(1, run.duplicateMatches);
    EXPECT_EQ(2, run.ambiguousMatches);
    EXPECT_EQ(1, run.outsidePoints);
    EXPECT_EQ(1, run.coincidentPoints);
}

TEST(Multimatch_PairReport, split_rate_and_share_of_two_views)
{
    const std::vector<std::vector<int>> labels = {{0, 1, 2, -1}, {0, 1, 2, 3}, {0, 1, -1, 3}};
    EXPECT_EQ(0, splitRate(Tracks({{0, 1, 2, -1}, {0, 1, 2, 3}, {0, 1, -1, 3}}), labels));
    // The points 0, 1, 2 and 3 have two observations in tracks or more; 0 is in two tracks.
    const Tracks tracks({{0, 1, 2, -1}, {0, 1, 2, 3}, {5, 1, -1, 3}});
    EXPECT_NEAR(0.25, splitRate(tracks, labels), 1e-9);
    EXPECT_NEAR(3. / 5, tracks.statistics().twoViewShare, 1e-9);
    EXPECT_EQ(0, Tracks().statistics().twoViewShare);
}

TEST(Multimatch_PairMatcher, runs_on_every_chosen_pair)
{
    std::vector<std::pair<int, int>> called;
    const PairMatcher matcher = [&](int i, int j) {
        called.push_back(std::make_pair(i, j));
        return std::vector<DMatch>(1, DMatch(i, j, 0.5f));
    };
    EXPECT_EQ(6u, matchPairs(4, noArray(), matcher).size());
    EXPECT_EQ(6u, called.size());
    called.clear();
    const std::vector<PairMatches> some =
        matchPairs(4, Mat((Mat_<int>(2, 2) << 3, 1, 0, 2)), matcher);
    ASSERT_EQ(2u, some.size());
    EXPECT_EQ(3, some[0].first);
    EXPECT_EQ(1, some[0].matches[0].trainIdx);
    EXPECT_THROW(matchPairs(3, Mat((Mat_<int>(1, 2) << 0, 3)), matcher), Exception);
    EXPECT_THROW(matchPairs(-1, noArray(), matcher), Exception);
    // Stopped at once: nothing is matched.
    EXPECT_TRUE(matchPairs(4, noArray(), matcher, [](const Progress& progress) {
                    EXPECT_STREQ("pairs", progress.stage);
                    return false;
                }).empty());
}

#ifdef HAVE_OPENCV_FEATURES2D

std::vector<Mat> pictures()
{
    Mat large(360, 480, CV_8U), noise(90, 120, CV_8U);
    RNG rng(5);
    rng.fill(noise, RNG::UNIFORM, 0, 256);
    cv::resize(noise, large, large.size(), 0, 0, INTER_CUBIC);
    std::vector<Mat> images;
    for (int v = 0; v < 3; ++v)
        images.push_back(large(Rect(10 * v, 6 * v, 400, 320)).clone());
    return images;
}

TEST(Multimatch_PairMatcher, descriptor_matchers_and_their_hook)
{
    const Ptr<ORB> orb = ORB::create(300);
    std::vector<std::vector<KeyPoint>> keypoints(4);
    std::vector<Mat> descriptors(4);
    const std::vector<Mat> images = pictures();
    for (size_t v = 0; v < 3; ++v)
        orb->detectAndCompute(images[v], noArray(), keypoints[v], descriptors[v]);
    std::vector<std::pair<int, int>> announced;
    const std::vector<PairMatches> matches =
        matchPairs(descriptors, noArray(), BFMatcher::create(NORM_HAMMING, true),
                   [&](int i, int j) { announced.push_back(std::make_pair(i, j)); });
    EXPECT_EQ(6u, matches.size()); // those of the empty view are empty
    EXPECT_EQ(3u, announced.size());
    EXPECT_GT(HiPPI::create()->synchronize(keypoints, matches).size(), 100);
    EXPECT_THROW(matchPairs(descriptors, noArray(), Ptr<DescriptorMatcher>()), Exception);
}

TEST(Multimatch_MatchImages, is_detection_and_match)
{
    const std::vector<Mat> images = pictures();
    for (const Ptr<Feature2D>& features :
         std::vector<Ptr<Feature2D>>{ORB::create(300), SIFT::create(300)})
    {
        std::vector<std::vector<KeyPoint>> keypoints, expectedPoints(3);
        std::vector<Mat> descriptors(3);
        for (size_t v = 0; v < 3; ++v)
            features->detectAndCompute(images[v], noArray(), expectedPoints[v], descriptors[v]);
        const Ptr<HiPPI> matcher = HiPPI::create();
        const Tracks expected = matcher->match(expectedPoints, descriptors);
        EXPECT_GT(expected.size(), 50);
        const Tracks tracks = matcher->matchImages(images, features, keypoints);
        EXPECT_EQ(expected, tracks);
        EXPECT_EQ(expectedPoints[1].size(), keypoints[1].size());
        EXPECT_EQ("features", tracks.report().stages[0]);
        EXPECT_EQ(0, matcher->getNormType());
        EXPECT_EQ(expected, matcher->match(images, features));
    }
}

TEST(Multimatch_MatchImages, masks_stop_and_errors)
{
    const std::vector<Mat> images = pictures();
    std::vector<Mat> masks(3);
    masks[1] = Mat::zeros(images[1].size(), CV_8U);
    std::vector<std::vector<KeyPoint>> keypoints;
    const Ptr<HiPPI> matcher = HiPPI::create();
    matcher->matchImages(images, ORB::create(300), keypoints, masks);
    EXPECT_FALSE(keypoints[0].empty());
    EXPECT_TRUE(keypoints[1].empty());
    masks.pop_back();
    EXPECT_THROW(matcher->match(images, ORB::create(), masks), Exception);
    EXPECT_THROW(matcher->match(images, Ptr<Feature2D>()), Exception);
    matcher->setProgressCallback([](const Progress&) { return false; });
    const Tracks stopped = matcher->match(images, ORB::create(300));
    EXPECT_TRUE(stopped.report().cancelled);
    EXPECT_TRUE(stopped.empty());
}

#endif

}} // namespace opencv_test
