// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

#include <tuple>

namespace opencv_test { namespace {

using namespace cv::multimatch;

//! Views of points on a grid of 8 px, shifted from view to view; each pair sees them with noise.
std::vector<CoordinateMatches> noisyMatches(int views, double noise, uint64 seed = 3)
{
    RNG rng(seed);
    std::vector<CoordinateMatches> matches;
    for (int i = 0; i < views; ++i)
        for (int j = i + 1; j < views; ++j)
        {
            CoordinateMatches pair;
            pair.first = i;
            pair.second = j;
            Mat_<float> points(0, 4), scores(0, 1);
            for (int n = 0; n < 120; ++n)
            {
                const int column = n % 12, row = n / 12;
                const double x = 8 * column + 20, y = 8 * row + 30;
                points.push_back(
                    Mat((Mat_<float>(1, 4) << x + 3.3 * i + rng.gaussian(noise),
                         y + 1.7 * i + rng.gaussian(noise), x + 3.3 * j + rng.gaussian(noise),
                         y + 1.7 * j + rng.gaussian(noise))));
                scores.push_back(rng.uniform(0.1f, 1.f));
            }
            pair.points = points;
            pair.scores = scores;
            matches.push_back(pair);
        }
    return matches;
}

struct Sample
{
    int64 column, line;
    double x, y, score, density;
    int cluster;
    int64 to(const Sample& other) const
    {
        return (column - other.column) * (column - other.column) +
               (line - other.line) * (line - other.line);
    }
};

//! The definition in the header, comparing everything with everything. Returns the means of the
//! clusters of one view.
std::vector<Point2d> referenceKeyPoints(const std::vector<CoordinateMatches>& matches, int view,
                                        double radius)
{
    std::vector<Sample> samples;
    for (const CoordinateMatches& pair : matches)
        for (int side = 0; side < 2; ++side)
            for (int r = 0; (side ? pair.second : pair.first) == view && r < pair.points.rows; ++r)
            {
                Sample s = Sample();
                s.x = static_cast<double>(pair.points.at<float>(r, 2 * side));
                s.y = static_cast<double>(pair.points.at<float>(r, 2 * side + 1));
                s.column = static_cast<int64>(std::floor(s.x * 32 / radius + 0.5));
                s.line = static_cast<int64>(std::floor(s.y * 32 / radius + 0.5));
                s.score = static_cast<double>(pair.scores.at<float>(r));
                s.cluster = -1;
                samples.push_back(s);
            }
    for (Sample& s : samples)
        for (const Sample& other : samples)
            s.density += other.score * std::max(0., 1 - static_cast<double>(s.to(other)) / 256);
    std::vector<Point2d> means;
    for (;;)
    {
        const Sample* center = nullptr;
        for (const Sample& s : samples)
            if (s.cluster < 0 &&
                (!center || s.density > center->density + 1e-9 ||
                 (s.density > center->density - 1e-9 &&
                  std::make_pair(s.line, s.column) < std::make_pair(center->line, center->column))))
                center = &s;
        if (!center)
            break;
        std::vector<Sample*> order;
        for (Sample& s : samples)
            if (s.cluster < 0)
                order.push_back(&s);
        const Sample from = *center;
        std::sort(order.begin(), order.end(), [&](const Sample* a, const Sample* b) {
            return std::make_tuple(a->to(from), a->line, a->column) <
                   std::make_tuple(b->to(from), b->line, b->column);
        });
        std::vector<const Sample*> members;
        Point2d sum;
        double weight = 0;
        for (Sample* s : order)
        {
            bool near = s->to(from) <= 935;
            for (const Sample* member : members)
                near = near && member->to(*s) <= 935;
            if (!near)
                continue;
            members.push_back(s);
            s->cluster = static_cast<int>(means.size());
            sum += s->score * Point2d(s->x, s->y);
            weight += s->score;
        }
        means.push_back(sum * (1 / weight));
    }
    std::sort(means.begin(), means.end(), [](const Point2d& a, const Point2d& b) {
        return a.x != b.x ? a.x < b.x : a.y < b.y;
    });
    return means;
}

void expectSame(const ClusteredMatches& a, const ClusteredMatches& b)
{
    EXPECT_EQ(a.radius, b.radius);
    ASSERT_EQ(a.keypoints.size(), b.keypoints.size());
    for (size_t v = 0; v < a.keypoints.size(); ++v)
    {
        ASSERT_EQ(a.keypoints[v].size(), b.keypoints[v].size());
        for (size_t p = 0; p < a.keypoints[v].size(); ++p)
        {
            EXPECT_EQ(a.keypoints[v][p].pt, b.keypoints[v][p].pt);
            EXPECT_EQ(a.keypoints[v][p].response, b.keypoints[v][p].response);
        }
    }
    ASSERT_EQ(a.matches.size(), b.matches.size());
    for (size_t n = 0; n < a.matches.size(); ++n)
    {
        EXPECT_EQ(a.matches[n].first, b.matches[n].first);
        EXPECT_EQ(a.matches[n].second, b.matches[n].second);
        ASSERT_EQ(a.matches[n].matches.size(), b.matches[n].matches.size());
        for (size_t m = 0; m < a.matches[n].matches.size(); ++m)
        {
            EXPECT_EQ(a.matches[n].matches[m].queryIdx, b.matches[n].matches[m].queryIdx);
            EXPECT_EQ(a.matches[n].matches[m].trainIdx, b.matches[n].matches[m].trainIdx);
            EXPECT_EQ(a.matches[n].matches[m].distance, b.matches[n].matches[m].distance);
        }
        EXPECT_EQ(0, cv::norm(a.places[n], b.places[n], NORM_INF));
    }
}

TEST(Multimatch_CoordinateMatches, key_points_are_those_of_the_plain_definition)
{
    for (double noise : {0.3, 1.5, 4.})
    {
        const std::vector<CoordinateMatches> matches = noisyMatches(4, noise);
        for (double radius : {1., 2.5, 6.})
        {
            const ClusteredMatches found = clusterMatches(matches, 0, radius);
            for (int v = 0; v < 4; ++v)
            {
                const std::vector<Point2d> expected = referenceKeyPoints(matches, v, radius);
                ASSERT_EQ(expected.size(), found.keypoints[v].size());
                for (size_t p = 0; p < expected.size(); ++p)
                    EXPECT_LT(cv::norm(expected[p] - Point2d(found.keypoints[v][p].pt)), 1e-3);
            }
        }
    }
}

TEST(Multimatch_CoordinateMatches, no_key_point_is_wider_than_the_radius)
{
    // A chain of points, each near the next one.
    Mat_<float> points(400, 4, 0.f);
    for (int r = 0; r < points.rows; ++r)
    {
        points(r, 0) = 0.4f * static_cast<float>(r);
        points(r, 2) = 7.f * static_cast<float>(r);
    }
    CoordinateMatches pair;
    pair.first = 0;
    pair.second = 1;
    pair.points = points;
    const double radius = 3;
    const ClusteredMatches found = clusterMatches({pair}, 2, radius);
    std::vector<float> low(found.keypoints[0].size(), FLT_MAX), high(low.size(), -FLT_MAX);
    for (int r = 0; r < points.rows; ++r)
    {
        const int p = found.pointsOfRows[0].at<int>(r, 0);
        low[p] = std::min(low[p], points(r, 0));
        high[p] = std::max(high[p], points(r, 0));
    }
    for (size_t p = 0; p < low.size(); ++p)
        EXPECT_LE(high[p] - low[p], radius);
    EXPECT_LE(found.keypoints[0].size(), 110u); // most are nearly full
    EXPECT_EQ(400u, found.keypoints[1].size());
}

TEST(Multimatch_CoordinateMatches, scores_add_up_and_each_match_keeps_its_place)
{
    CoordinateMatches a(0, 1, Mat((Mat_<float>(3, 2) << 10, 10, 10.5, 10, 50, 50)),
                        Mat((Mat_<float>(3, 2) << 20, 20, 20, 21, 60, 60)),
                        Mat((Mat_<float>(3, 1) << 0.75, 0.25, 0.5)));
    // The first match again, from the other side.
    CoordinateMatches b(1, 0, Mat((Mat_<double>(1, 2) << 20, 20)),
                        Mat((Mat_<double>(1, 2) << 10, 10)), Mat((Mat_<double>(1, 1) << 1)));
    const ClusteredMatches found = clusterMatches({a, b}, 3, 2);
    ASSERT_EQ(3u, found.keypoints.size());
    ASSERT_EQ(2u, found.keypoints[0].size());
    EXPECT_TRUE(found.keypoints[2].empty());
    EXPECT_NEAR((10 * 1.75 + 10.5 * 0.25) / 2, found.keypoints[0][0].pt.x, 1e-5);
    EXPECT_FLOAT_EQ(2.f, found.keypoints[0][0].response);
    EXPECT_FLOAT_EQ(2.f, found.keypoints[0][0].size);
    ASSERT_EQ(1u, found.matches.size());
    ASSERT_EQ(2u, found.matches[0].matches.size());
    EXPECT_FLOAT_EQ(1.f, found.matches[0].matches[0].distance); // 2 of 2
    EXPECT_FLOAT_EQ(0.25f, found.matches[0].matches[1].distance);
    EXPECT_NEAR((20 * 1.75 + 21 * 0.25) / 2, found.places[0].at<float>(0, 3), 1e-5);
    EXPECT_EQ(
        0, cv::norm(found.pointsOfRows[0], Mat((Mat_<int>(3, 2) << 0, 0, 0, 0, 1, 1)), NORM_INF));
    EXPECT_EQ(0, cv::norm(found.pointsOfRows[1], Mat((Mat_<int>(1, 2) << 0, 0)), NORM_INF));
}

TEST(Multimatch_CoordinateMatches, order_does_not_matter)
{
    std::vector<CoordinateMatches> matches = noisyMatches(4, 1.);
    const ClusteredMatches expected = clusterMatches(matches);
    RNG rng(8);
    for (CoordinateMatches& pair : matches)
    {
        Mat_<float> points(0, 4), scores(0, 1);
        std::vector<int> order(static_cast<size_t>(pair.points.rows));
        std::iota(order.begin(), order.end(), 0);
        for (size_t n = order.size(); n > 1; --n)
            std::swap(order[n - 1], order[rng.uniform(0, static_cast<int>(n))]);
        const bool swapped = rng.uniform(0, 2) > 0;
        for (int r : order)
        {
            const float* x = pair.points.ptr<float>(r);
            points.push_back(swapped ? Mat((Mat_<float>(1, 4) << x[2], x[3], x[0], x[1]))
                                     : Mat((Mat_<float>(1, 4) << x[0], x[1], x[2], x[3])));
            scores.push_back(pair.scores.at<float>(r));
        }
        pair.points = points;
        pair.scores = scores;
        if (swapped)
            std::swap(pair.first, pair.second);
    }
    std::reverse(matches.begin(), matches.end());
    expectSame(expected, clusterMatches(matches));
    const int threads = getNumThreads();
    setNumThreads(1);
    const ClusteredMatches single = clusterMatches(matches);
    setNumThreads(threads);
    expectSame(expected, single);
}

TEST(Multimatch_CoordinateMatches, radius_follows_the_spacing_of_the_data)
{
    EXPECT_NEAR(1.6, clusterRadius(noisyMatches(4, 0.05)), 0.08); // a grid of 8 px
    std::vector<CoordinateMatches> matches = noisyMatches(4, 0.05);
    for (CoordinateMatches& pair : matches)
        pair.points *= 10;
    EXPECT_NEAR(16, clusterRadius(matches), 0.8);
    EXPECT_EQ(1, clusterRadius(std::vector<CoordinateMatches>()));
}

TEST(Multimatch_CoordinateMatches, become_tracks)
{
    const ClusteredMatches clustered = clusterMatches(noisyMatches(6, 0.12));
    for (const std::vector<KeyPoint>& view : clustered.keypoints)
        EXPECT_EQ(120u, view.size());
    const Tracks tracks =
        HiPPI::create()->synchronize(clustered.keypoints, clustered.matches, WEIGHTS_FROM_SCORES);
    EXPECT_EQ(120, tracks.size());
    EXPECT_EQ(720, tracks.statistics().observations);
    const std::vector<std::vector<KeyPoint>> refined = refineKeyPoints(clustered, tracks);
    for (const Observation& seen : tracks.track(5))
        EXPECT_LT(cv::norm(refined[seen.view][seen.point].pt -
                           clustered.keypoints[seen.view][seen.point].pt),
                  0.5);
}

TEST(Multimatch_CoordinateMatches, refined_places_ignore_dropped_matches)
{
    CoordinateMatches good(0, 1, Mat((Mat_<float>(1, 2) << 10, 10)),
                           Mat((Mat_<float>(1, 2) << 5, 5)));
    CoordinateMatches bad(0, 2, Mat((Mat_<float>(1, 2) << 11, 10)),
                          Mat((Mat_<float>(1, 2) << 9, 9)));
    const ClusteredMatches clustered = clusterMatches({good, bad}, 3, 2);
    ASSERT_EQ(1u, clustered.keypoints[0].size());
    EXPECT_NEAR(10.5, clustered.keypoints[0][0].pt.x, 1e-5);
    const std::vector<std::vector<KeyPoint>> refined =
        refineKeyPoints(clustered, Tracks(std::vector<std::vector<int>>{{0}, {0}, {-1}}));
    EXPECT_NEAR(10, refined[0][0].pt.x, 1e-5);
    EXPECT_NEAR(9, refined[2][0].pt.x, 1e-5);
}

TEST(Multimatch_CoordinateMatches, empty_input_is_legal)
{
    EXPECT_TRUE(clusterMatches(std::vector<CoordinateMatches>()).keypoints.empty());
    EXPECT_EQ(5u, clusterMatches(std::vector<CoordinateMatches>(), 5).keypoints.size());
    CoordinateMatches none(1, 3, noArray(), noArray());
    const ClusteredMatches found = clusterMatches({none});
    EXPECT_EQ(4u, found.keypoints.size());
    EXPECT_TRUE(found.matches.empty());
    EXPECT_TRUE(
        HiPPI::create()->synchronize(found.keypoints, found.matches, WEIGHTS_FROM_SCORES).empty());
}

TEST(Multimatch_CoordinateMatches, complains_of_what_does_not_fit)
{
    const Mat two = Mat::ones(3, 2, CV_32F);
    const auto with = [](int first, int second, const Mat& points, const Mat& scores) {
        CoordinateMatches pair;
        pair.first = first;
        pair.second = second;
        pair.points = points;
        pair.scores = scores;
        return std::vector<CoordinateMatches>(1, pair);
    };
    const Mat good = Mat::ones(3, 4, CV_32F);
    EXPECT_THROW(CoordinateMatches(0, 1, two, Mat::ones(2, 2, CV_32F)), Exception);
    EXPECT_THROW(CoordinateMatches(0, 1, two, Mat::ones(3, 3, CV_32F)), Exception);
    EXPECT_THROW(CoordinateMatches(0, 1, two, Mat::ones(3, 2, CV_32S)), Exception);
    EXPECT_THROW(CoordinateMatches(0, 1, two, two, Mat::ones(2, 1, CV_32F)), Exception);
    EXPECT_THROW(clusterMatches(with(1, 1, good, Mat())), Exception);
    EXPECT_THROW(clusterMatches(with(-1, 1, good, Mat())), Exception);
    EXPECT_THROW(clusterMatches(with(0, 2, good, Mat()), 2), Exception);
    EXPECT_THROW(clusterMatches(with(0, 1, two, Mat())), Exception);
    EXPECT_THROW(clusterMatches(with(0, 1, good, Mat::ones(3, 1, CV_32F) * -1)), Exception);
    EXPECT_THROW(clusterMatches(with(0, 1, good, Mat()), 2, -1.), Exception);
    EXPECT_THROW(clusterMatches(with(0, 1, good * 1e12, Mat()), 2, 1.), Exception);
    Mat broken = good.clone();
    broken.at<float>(1, 2) = std::numeric_limits<float>::quiet_NaN();
    EXPECT_THROW(clusterMatches(with(0, 1, broken, Mat())), Exception);
}

}} // namespace opencv_test
