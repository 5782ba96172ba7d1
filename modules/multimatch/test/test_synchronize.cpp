// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

#include "opencv2/opencv_modules.hpp"
#ifdef HAVE_OPENCV_STITCHING
#include "opencv2/multimatch/stitching.hpp"
#endif

namespace opencv_test { namespace {

using namespace cv::multimatch;

SyntheticViews cleanViews()
{
    SyntheticParams params;
    params.noise = 0.05;
    return makeViews(params);
}

//! True matches of all pairs with distance 0.3, and for every third a wrong one with distance 0.9.
std::vector<PairMatches> someMatches(const SyntheticViews& views)
{
    std::vector<PairMatches> pairs;
    for (int i = 0; i < views.viewCount(); ++i)
        for (int j = i + 1; j < views.viewCount(); ++j)
        {
            PairMatches pair(i, j);
            for (int p = 0; p < static_cast<int>(views.labels[i].size()); ++p)
                for (int q = 0; q < static_cast<int>(views.labels[j].size()); ++q)
                    if (views.labels[i][p] >= 0 && views.labels[i][p] == views.labels[j][q])
                    {
                        pair.matches.push_back(DMatch(p, q, 0.3f));
                        if ((p + q) % 3 == 0)
                            pair.matches.push_back(DMatch(
                                p, (q + 5) % static_cast<int>(views.labels[j].size()), 0.9f));
                    }
            pairs.push_back(pair);
        }
    return pairs;
}

std::vector<PairMatches> transformed(std::vector<PairMatches> pairs, float scale, float offset)
{
    for (size_t n = 0; n < pairs.size(); ++n)
        for (size_t m = 0; m < pairs[n].matches.size(); ++m)
            pairs[n].matches[m].distance = scale * pairs[n].matches[m].distance + offset;
    return pairs;
}

TEST(Multimatch_Synchronize, weights_rank_as_distances_ratios_and_scores_do)
{
    std::vector<PairMatches> pairs(2);
    pairs[0] = PairMatches(0, 1, {DMatch(0, 0, 0.2f), DMatch(1, 1, 0.4f)});
    pairs[1] = PairMatches(
        1, 0, {DMatch(0, 0, 0.5f)}); // the first match again, worse, from the other side
    const std::vector<int> sizes(2, 2);
    const CsrMatrix byDistance = similarityFromMatches(sizes, pairs, WEIGHTS_FROM_DISTANCES);
    EXPECT_TRUE(byDistance.isSymmetric());
    EXPECT_EQ(4u, byDistance.nonZeros());
    // The median of .2, .4, .5 is .4.
    EXPECT_NEAR(std::exp(-0.125), byDistance.at(0, 2), 1e-5);
    EXPECT_NEAR(std::exp(-0.5), byDistance.at(1, 3), 1e-5);
    const CsrMatrix byRatio = similarityFromMatches(sizes, pairs, WEIGHTS_FROM_RATIOS);
    EXPECT_NEAR(std::exp(-0.04 / 1.28), byRatio.at(0, 2), 1e-5);
    const CsrMatrix byScore = similarityFromMatches(sizes, pairs, WEIGHTS_FROM_SCORES);
    EXPECT_FLOAT_EQ(0.5f, byScore.at(0, 2));
    EXPECT_FLOAT_EQ(0.4f, byScore.at(3, 1));
    const CsrMatrix scored = similarityFromMatches(
        sizes, matchesWithScores(pairs, {{0.1f, 0.7f}, {0.3f}}), WEIGHTS_FROM_SCORES);
    EXPECT_FLOAT_EQ(0.3f, scored.at(0, 2));
    EXPECT_FLOAT_EQ(0.7f, scored.at(1, 3));
}

TEST(Multimatch_Synchronize, removes_what_contradicts)
{
    const SyntheticViews views = cleanViews();
    const std::vector<PairMatches> matches = someMatches(views);
    const MatchScore before = scorePairs(matches, views.labels);
    ASSERT_LT(before.precision(), 0.85);
    const std::vector<Ptr<MultiMatcher>> matchers = {HiPPI::create(), Kruskal::create(),
                                                     Spectral::create()};
    for (size_t m = 0; m < matchers.size(); ++m)
    {
        const Tracks tracks = matchers[m]->match(views.keypoints, matches);
        expectConsistent(tracks);
        const MatchScore score = scoreTracks(tracks, views.labels);
        EXPECT_GE(score.precision(), 0.99) << matchers[m]->getDefaultName();
        EXPECT_GE(score.recall(), 0.95) << matchers[m]->getDefaultName();
    }
}

TEST(Multimatch_Synchronize, scores_and_distances_say_the_same)
{
    const SyntheticViews views = cleanViews();
    const std::vector<PairMatches> matches = someMatches(views);
    const std::vector<PairMatches> scored = transformed(matches, -1.f, 1.f);
    std::vector<std::vector<float>> scores;
    for (size_t n = 0; n < scored.size(); ++n)
    {
        scores.push_back(std::vector<float>());
        for (size_t m = 0; m < scored[n].matches.size(); ++m)
            scores[n].push_back(scored[n].matches[m].distance);
    }
    const Ptr<Kruskal> kruskal = Kruskal::create();
    const Tracks byDistance = kruskal->match(views.keypoints, matches);
    EXPECT_EQ(byDistance, kruskal->match(views.keypoints, scored, WEIGHTS_FROM_SCORES));
    EXPECT_EQ(byDistance, kruskal->match(views.keypoints, matches, scores));
    EXPECT_EQ(byDistance, kruskal->match(views.keypoints, matches, WEIGHTS_FROM_RATIOS));
    // The unit of distances does not matter.
    EXPECT_EQ(HiPPI::create()->match(views.keypoints, matches),
              HiPPI::create()->match(views.keypoints, transformed(matches, 256.f, 0.f)));
}

TEST(Multimatch_Synchronize, complains_of_what_does_not_fit)
{
    const SyntheticViews views = cleanViews();
    const Ptr<Kruskal> kruskal = Kruskal::create();
    std::vector<PairMatches> matches(1, PairMatches(0, 8));
    EXPECT_NE(std::string::npos,
              errorOf([&]() { kruskal->match(views.keypoints, matches); }).find("view 8"));
    matches[0] = PairMatches(0, 1, {DMatch(0, 1000, 0.f)});
    EXPECT_NE(std::string::npos,
              errorOf([&]() { kruskal->match(views.keypoints, matches); }).find("point 1000"));
    matches[0] = PairMatches(0, 1, {DMatch(0, 0, 1.5f)});
    EXPECT_NE(std::string::npos, errorOf([&]() {
                                     kruskal->match(views.keypoints, matches, WEIGHTS_FROM_SCORES);
                                 }).find("1.5"));
    EXPECT_THROW(matchesWithScores(matches, {}), cv::Exception);
    EXPECT_NE(std::string::npos, errorOf([&]() {
                                     QuickMatch::create()->match(views.keypoints, matches);
                                 }).find("descriptors"));
}

#ifdef HAVE_OPENCV_STITCHING
TEST(Multimatch_Synchronize, stitching_masks_are_honored)
{
    std::vector<cv::detail::MatchesInfo> pairwise(9);
    cv::detail::MatchesInfo& info = pairwise[1];
    info.src_img_idx = 0;
    info.dst_img_idx = 1;
    info.matches = {DMatch(0, 1, 0.1f), DMatch(2, 2, 0.2f), DMatch(3, 0, 0.3f)};
    info.inliers_mask = {1, 0, 1};
    info.num_inliers = 2;
    info.confidence = 0; // as OpenCV says of images that are nearly equal
    cv::detail::MatchesInfo& back = pairwise[3];
    back = info;
    std::swap(back.src_img_idx, back.dst_img_idx);
    cv::detail::MatchesInfo& bad = pairwise[2];
    bad.src_img_idx = 0;
    bad.dst_img_idx = 2;
    bad.matches = {DMatch(1, 1, 0.1f)};
    bad.inliers_mask = {0};

    const std::vector<PairMatches> pairs = pairMatchesFrom(pairwise);
    ASSERT_EQ(1u, pairs.size());
    EXPECT_EQ(1, pairs[0].second);
    ASSERT_EQ(2u, pairs[0].matches.size());
    EXPECT_EQ(3, pairs[0].matches[1].queryIdx);
    const std::vector<PairMatches> all = pairMatchesFrom(pairwise, false);
    ASSERT_EQ(2u, all.size());
    EXPECT_EQ(3u, all[0].matches.size());
}

TEST(Multimatch_Synchronize, tracks_go_back_to_stitching)
{
    // Three shifted pictures of one plane; every tenth point is off.
    RNG rng(3);
    std::vector<cv::detail::ImageFeatures> features(3);
    std::vector<std::vector<int>> labels(3);
    for (int v = 0; v < 3; ++v)
    {
        features[v].img_size = cv::Size(640, 480);
        features[v].img_idx = v;
    }
    for (int p = 0; p < 60; ++p)
    {
        const Point2f point(rng.uniform(0.f, 600.f), rng.uniform(0.f, 440.f));
        for (int v = 0; v < 3; ++v)
        {
            const float wrong = p % 10 == 0 ? rng.uniform(30.f, 60.f) : 0.f;
            features[v].keypoints.push_back(
                KeyPoint(point.x + 20 * v + wrong, point.y - 5 * v, 3.f));
            labels[v].push_back(p);
        }
    }
    const std::vector<cv::detail::MatchesInfo> pairwise = matchesInfoFrom(features, Tracks(labels));
    ASSERT_EQ(9u, pairwise.size());
    const cv::detail::MatchesInfo& info = pairwise[2];
    EXPECT_EQ(0, info.src_img_idx);
    EXPECT_EQ(2, info.dst_img_idx);
    EXPECT_EQ(60u, info.matches.size());
    EXPECT_NEAR(54, info.num_inliers, 3);
    EXPECT_GT(info.confidence, 1);
    EXPECT_NEAR(40, info.H.at<double>(0, 2), 0.5);
    EXPECT_NEAR(-40, pairwise[6].H.at<double>(0, 2), 0.5);
    const std::vector<PairMatches> again = pairMatchesFrom(pairwise);
    ASSERT_EQ(3u, again.size());
    EXPECT_EQ(static_cast<size_t>(info.num_inliers), again[1].matches.size());
}
#endif

}} // namespace opencv_test
