// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

#include "opencv2/multimatch/detail/search_along.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;

typedef std::pair<int, int> Points;

Mat randomPoints(int count, RNG& rng)
{
    Mat points(count, 2, CV_32F);
    for (int p = 0; p < count; ++p)
    {
        points.at<float>(p, 0) = rng.uniform(0.f, 640.f);
        points.at<float>(p, 1) = rng.uniform(0.f, 480.f);
    }
    return points;
}

Point2f at(const Mat& points, int p)
{
    return Point2f(points.at<float>(p, 0), points.at<float>(p, 1));
}

//! Epipolar lines of a camera that moves by t and turns by about the angles.
PairGeometry epipolar(const cv::Vec3d& t, const cv::Vec3d& turn)
{
    const cv::Matx33d K(600, 0, 320, 0, 600, 240, 0, 0, 1);
    const cv::Matx33d cross(0, -t[2], t[1], t[2], 0, -t[0], -t[1], t[0], 0);
    const cv::Matx33d R(1, -turn[2], turn[1], turn[2], 1, -turn[0], -turn[1], turn[0], 1);
    PairGeometry geometry;
    geometry.model = MODEL_FUNDAMENTAL;
    geometry.matrix = Mat(K.inv().t() * cross * R * K.inv(), true);
    return geometry;
}

//! All pairs against all, by the words of the documentation.
std::set<Points> expectedPairs(const PairGeometry& geometry, const Mat& first, const Mat& second,
                               const cv::multimatch::detail::SearchAlongParams& params)
{
    typedef std::pair<float, Points> Pair; // distance, points
    std::vector<Pair> pairs;
    for (int p = 0; p < first.rows; ++p)
        for (int q = 0; q < second.rows; ++q)
            if (pairResidual(geometry, at(first, p), at(second, q)) <= params.maxResidual &&
                params.distance(p, q) < std::numeric_limits<float>::infinity())
                pairs.push_back(Pair(params.distance(p, q), Points(p, q)));
    std::sort(pairs.begin(), pairs.end());
    std::map<int, int> before[2], nearest[2];
    std::vector<Pair> kept;
    for (size_t n = 0; n < pairs.size(); ++n)
    {
        const int p = pairs[n].second.first, q = pairs[n].second.second;
        nearest[0].insert(std::make_pair(p, q));
        nearest[1].insert(std::make_pair(q, p));
        const int rank = std::min(before[0][p]++, before[1][q]++);
        if (rank < params.count)
            kept.push_back(pairs[n]);
    }
    std::set<Points> result;
    for (size_t n = 0; n < kept.size(); ++n)
    {
        const Points& pair = kept[n].second;
        if (cv::norm(at(second, pair.second) - at(second, nearest[0][pair.first])) <=
                params.maxResidual &&
            cv::norm(at(first, pair.first) - at(first, nearest[1][pair.second])) <=
                params.maxResidual)
            result.insert(pair);
    }
    return result;
}

void expectSamePairs(const PairGeometry& geometry, int seed)
{
    RNG rng(seed);
    const Mat first = randomPoints(400, rng), second = randomPoints(500, rng);
    Mat distances(first.rows, second.rows, CV_32F);
    rng.fill(distances, RNG::UNIFORM, 0, 1);
    cv::multimatch::detail::SearchAlongParams params;
    params.count = 2;
    params.maxResidual = 3;
    params.distance = [&](int p, int q) {
        const float distance = distances.at<float>(p, q);
        return distance < 0.7f ? distance : std::numeric_limits<float>::infinity();
    };
    const std::set<Points> expected = expectedPairs(geometry, first, second, params);
    const std::vector<cv::multimatch::detail::AlongPair> found =
        cv::multimatch::detail::searchAlong(geometry, first, second, params);
    std::set<Points> pairs;
    for (size_t n = 0; n < found.size(); ++n)
    {
        const Points pair(found[n].first, found[n].second);
        EXPECT_TRUE(pairs.empty() || *pairs.rbegin() < pair) << "not ascending";
        pairs.insert(pair);
        EXPECT_EQ(distances.at<float>(pair.first, pair.second), found[n].distance);
        EXPECT_LE(found[n].residual, params.maxResidual);
    }
    EXPECT_EQ(expected, pairs);
    EXPECT_GT(expected.size(), 20u);
}

TEST(Multimatch_SearchAlong, finds_the_pairs_along_lines_whatever_the_motion)
{
    RNG rng(5);
    for (int seed = 0; seed < 20; ++seed)
    {
        const cv::Vec3d turn(rng.uniform(-.2, .2), rng.uniform(-.2, .2), rng.uniform(-1., 1.));
        const cv::Vec3d t(rng.uniform(-1., 1.), rng.uniform(-1., 1.), rng.uniform(-1., 1.));
        expectSamePairs(epipolar(t, turn), seed);
    }
}

TEST(Multimatch_SearchAlong, finds_the_pairs_along_parallel_lines)
{
    for (int seed = 0; seed < 8; ++seed)
    {
        const double angle = seed * CV_PI / 4;
        const cv::Vec3d aside(std::cos(angle), std::sin(angle), 0);
        expectSamePairs(epipolar(aside, cv::Vec3d()), seed);
        // Epipoles that are far away, but not at infinity.
        expectSamePairs(epipolar(aside + cv::Vec3d(0, 0, 1e-9), cv::Vec3d()), seed);
        expectSamePairs(epipolar(aside - cv::Vec3d(0, 0, 1e-4), cv::Vec3d()), seed);
        expectSamePairs(epipolar(aside + cv::Vec3d(0, 0, .1), cv::Vec3d()), seed);
    }
}

TEST(Multimatch_SearchAlong, finds_the_pairs_around_an_epipole_in_the_view)
{
    expectSamePairs(epipolar(cv::Vec3d(0, 0, 1), cv::Vec3d()), 1);
    expectSamePairs(epipolar(cv::Vec3d(.2, -.1, 1), cv::Vec3d(0, 0, .5)), 2);
    expectSamePairs(epipolar(cv::Vec3d(-.5, .4, -1), cv::Vec3d()), 3);
}

TEST(Multimatch_SearchAlong, finds_the_pairs_at_the_places_of_a_homography)
{
    PairGeometry geometry;
    geometry.model = MODEL_HOMOGRAPHY;
    geometry.matrix = (cv::Mat_<double>(3, 3) << 1.1, .1, -20, -.1, .9, 15, 1e-4, -1e-4, 1);
    RNG rng(1);
    const Mat first = randomPoints(300, rng);
    Mat second;
    cv::perspectiveTransform(first.reshape(2), second, geometry.matrix);
    second = second.reshape(1);
    cv::multimatch::detail::SearchAlongParams params;
    params.count = 2;
    params.maxResidual = 3;
    params.distance = [](int p, int q) { return static_cast<float>(p + q); };
    const std::set<Points> expected = expectedPairs(geometry, first, second, params);
    const std::vector<cv::multimatch::detail::AlongPair> found =
        cv::multimatch::detail::searchAlong(geometry, first, second, params);
    std::set<Points> pairs;
    for (size_t n = 0; n < found.size(); ++n)
        pairs.insert(Points(found[n].first, found[n].second));
    EXPECT_EQ(expected, pairs);
    EXPECT_GT(pairs.size(), 200u);
}

TEST(Multimatch_SearchAlong, no_points)
{
    cv::multimatch::detail::SearchAlongParams params;
    params.count = 2;
    params.maxResidual = 3;
    params.distance = [](int, int) { return 0.f; };
    RNG rng(1);
    const Mat none(0, 2, CV_32F), some = randomPoints(3, rng);
    const PairGeometry geometry = epipolar(cv::Vec3d(1, 0, 0), cv::Vec3d());
    EXPECT_TRUE(cv::multimatch::detail::searchAlong(geometry, none, some, params).empty());
    EXPECT_TRUE(cv::multimatch::detail::searchAlong(geometry, some, none, params).empty());
}

}} // namespace opencv_test
