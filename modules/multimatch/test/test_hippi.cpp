// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;

TEST(Multimatch_HiPPI, finds_the_truth_without_noise)
{
    SyntheticParams p;
    p.noise = 0.01;
    const SyntheticViews views = makeViews(p);
    const Tracks tracks = HiPPI::create()->match(views.keypoints, views.descriptors);
    expectConsistent(tracks);
    const MatchScore score = scoreTracks(tracks, views.labels);
    EXPECT_EQ(1., score.precision());
    EXPECT_GE(score.recall(), 0.99);
}

TEST(Multimatch_HiPPI, finds_the_truth_in_binary_descriptors)
{
    SyntheticParams p;
    p.binary = true;
    p.noise = 0.05;
    const SyntheticViews views = makeViews(p);
    const Tracks tracks = HiPPI::create()->match(views.keypoints, views.descriptors);
    expectConsistent(tracks);
    EXPECT_GE(scoreTracks(tracks, views.labels).fscore(), 0.97);
}

TEST(Multimatch_HiPPI, points_as_matrices_give_tracks_too)
{
    const SyntheticViews views = makeViews(SyntheticParams());
    const Tracks tracks = HiPPI::create()->matchPoints(views.points(), views.descriptors);
    expectConsistent(tracks);
    EXPECT_GE(scoreTracks(tracks, views.labels).fscore(), 0.97);
}

TEST(Multimatch_HiPPI, points_in_space_give_tracks_too)
{
    const SyntheticViews views = makeViews(SyntheticParams());
    std::vector<Mat> points = views.points();
    for (size_t v = 0; v < points.size(); ++v)
    {
        const Mat height = 0.5 * points[v].col(0) + 0.25 * points[v].col(1);
        hconcat(points[v], height, points[v]);
    }
    const Tracks tracks = HiPPI::create()->matchPoints(points, views.descriptors);
    expectConsistent(tracks);
    EXPECT_GE(scoreTracks(tracks, views.labels).fscore(), 0.97);
}

TEST(Multimatch_HiPPI, given_similarity_with_positions_does_as_well)
{
    const SyntheticViews views = makeViews(SyntheticParams());
    MatchingProblem problem;
    for (size_t v = 0; v < views.keypoints.size(); ++v)
        problem.viewSizes.push_back(static_cast<int>(views.keypoints[v].size()));
    problem.similarity = computeSimilarity(findNeighbors(views.descriptors, 2));
    problem.points = views.points();
    const Tracks tracks = HiPPI::create()->solve(problem);
    expectConsistent(tracks);
    EXPECT_GE(scoreTracks(tracks, views.labels).fscore(), 0.97);
    problem.points.pop_back();
    EXPECT_ERROR(HiPPI::create()->solve(problem), "points has 7 views but viewSizes has 8");
}

TEST(Multimatch_HiPPI, rotated_views_are_turned_back)
{
    SyntheticParams p;
    p.noise = 0.5;
    SyntheticViews views = makeViews(p);
    const Tracks upright = HiPPI::create()->match(views.keypoints, views.descriptors);
    for (size_t v = 0; v < views.keypoints.size(); ++v)
    {
        const float turn = 0.7f * static_cast<float>(v), c = std::cos(turn), s = std::sin(turn);
        for (size_t k = 0; k < views.keypoints[v].size(); ++k)
        {
            const Point2f x = views.keypoints[v][k].pt;
            views.keypoints[v][k].pt = Point2f(c * x.x - s * x.y, s * x.x + c * x.y);
        }
    }
    const Tracks turned = HiPPI::create()->match(views.keypoints, views.descriptors);
    expectConsistent(turned);
    EXPECT_GE(scoreTracks(turned, views.labels).fscore(),
              scoreTracks(upright, views.labels).fscore() - 0.02);
}

TEST(Multimatch_HiPPI, uninformative_positions_do_not_matter)
{
    SyntheticParams p;
    p.noise = 0.3;
    SyntheticViews views = makeViews(p);
    RNG rng(5);
    for (size_t v = 0; v < views.keypoints.size(); ++v)
        for (size_t k = 0; k < views.keypoints[v].size(); ++k)
            views.keypoints[v][k].pt = Point2f(rng.uniform(0.f, 600.f), rng.uniform(0.f, 400.f));
    const Tracks tracks = HiPPI::create()->match(views.keypoints, views.descriptors);
    expectConsistent(tracks);
    EXPECT_GE(scoreTracks(tracks, views.labels).fscore(), 0.97);
}

class Multimatch_HiPPI_Invariance : public testing::TestWithParam<int>
{
protected:
    HiPPIParams params() const
    {
        HiPPIParams p;
        p.mode = GetParam() % 2 ? HIPPI_COMPLETE : HIPPI_PARTIAL;
        p.exact = GetParam() / 2 != 0;
        p.startCount = 2;
        return p;
    }
};

TEST_P(Multimatch_HiPPI_Invariance, views_and_points_in_any_order)
{
    SyntheticParams p;
    p.noise = 0.4;
    for (unsigned seed = 1; seed <= 4; ++seed)
    {
        p.seed = seed;
        const SyntheticViews views = makeViews(p);
        std::vector<int> viewTo;
        std::vector<std::vector<int>> pointTo;
        const SyntheticViews shuffled = shuffledViews(views, seed + 77, viewTo, pointTo);
        const Tracks tracks = HiPPI::create(params())->match(views.keypoints, views.descriptors);
        const Tracks again =
            HiPPI::create(params())->match(shuffled.keypoints, shuffled.descriptors);
        EXPECT_FALSE(tracks.empty());
        EXPECT_TRUE(renumbered(partition(tracks), viewTo, pointTo) == partition(again))
            << "seed " << seed;
    }
}

TEST_P(Multimatch_HiPPI_Invariance, number_of_threads)
{
    SyntheticParams p;
    p.noise = 0.4;
    const SyntheticViews views = makeViews(p);
    const int threads = getNumThreads();
    setNumThreads(1);
    const Tracks one = HiPPI::create(params())->match(views.keypoints, views.descriptors);
    setNumThreads(4);
    const Tracks four = HiPPI::create(params())->match(views.keypoints, views.descriptors);
    setNumThreads(threads);
    EXPECT_TRUE(one == four);
    EXPECT_EQ(one.report().objective, four.report().objective);
}

INSTANTIATE_TEST_CASE_P(Modes, Multimatch_HiPPI_Invariance, testing::Range(0, 4));

TEST(Multimatch_HiPPI, scale_of_points_does_not_matter)
{
    SyntheticParams p;
    p.noise = 0.3;
    const SyntheticViews views = makeViews(p);
    std::vector<Mat> points = views.points(), larger;
    for (size_t v = 0; v < points.size(); ++v)
        larger.push_back(points[v] * 8.0); // a power of two: no rounding
    EXPECT_TRUE(HiPPI::create()->matchPoints(points, views.descriptors) ==
                HiPPI::create()->matchPoints(larger, views.descriptors));
}

TEST(Multimatch_HiPPI, empty_views_are_legal)
{
    SyntheticViews views = makeViews(SyntheticParams());
    views.keypoints[3].clear();
    views.descriptors[3] = Mat();
    views.labels[3].clear();
    for (int mode = HIPPI_PARTIAL; mode <= HIPPI_COMPLETE; ++mode)
    {
        HiPPIParams params;
        params.mode = mode;
        const Tracks tracks = HiPPI::create(params)->match(views.keypoints, views.descriptors);
        expectConsistent(tracks);
        EXPECT_TRUE(tracks.trackIds(3).empty());
    }
    for (size_t v = 0; v < views.keypoints.size(); ++v)
    {
        views.keypoints[v].clear();
        views.descriptors[v] = Mat();
    }
    EXPECT_TRUE(HiPPI::create()->match(views.keypoints, views.descriptors).empty());
}

TEST(Multimatch_HiPPI, literal_mode_labels_every_point)
{
    SyntheticParams p;
    p.noise = 0.4;
    const SyntheticViews views = makeViews(p);
    HiPPIParams params;
    params.mode = HIPPI_COMPLETE;
    const Tracks tracks = HiPPI::create(params)->match(views.keypoints, views.descriptors);
    expectConsistent(tracks);
    EXPECT_EQ(2 * 36, tracks.report().universeSize);
    EXPECT_LE(tracks.size(), tracks.report().universeSize);
    EXPECT_EQ(tracks.statistics().points, tracks.statistics().observations);
}

TEST(Multimatch_HiPPI, given_universe_size_is_used)
{
    const SyntheticViews views = makeViews(SyntheticParams());
    HiPPIParams params;
    params.universeSize = 12;
    const Tracks tracks = HiPPI::create(params)->match(views.keypoints, views.descriptors);
    expectConsistent(tracks);
    EXPECT_LE(tracks.size(), 12);
    EXPECT_GE(tracks.size(), 10);
}

//! A data set with d given and every view of d points.
double bijectiveScore(const std::string& file)
{
    FileStorage fs(file, FileStorage::READ);
    const int views = static_cast<int>(fs["view_count"]);
    std::vector<Mat> points, descriptors;
    std::vector<std::vector<int>> labels;
    for (int v = 0; v < views; ++v)
    {
        Mat x, f, l;
        fs[cv::format("points_%03d", v)] >> x;
        fs[cv::format("descriptors_%03d", v)] >> f;
        fs[cv::format("labels_%03d", v)] >> l;
        points.push_back(x);
        descriptors.push_back(f);
        labels.push_back(std::vector<int>(l.begin<int>(), l.end<int>()));
    }
    HiPPIParams params;
    params.universeSize = points[0].rows;
    const Tracks tracks = HiPPI::create(params)->matchPoints(points, descriptors);
    expectConsistent(tracks);
    expectMonotone(tracks.report().objective);
    return scoreTracks(tracks, labels).fscore();
}

TEST(Multimatch_HiPPI, bijective_data_sets)
{
    const std::string data = testData();
    if (data.empty())
        return;
    EXPECT_GE(bijectiveScore(data + "/cmu/hotel.yml.gz"), 0.99);
    EXPECT_GE(bijectiveScore(data + "/willow/face.yml.gz"), 0.99);
}

}} // namespace opencv_test
