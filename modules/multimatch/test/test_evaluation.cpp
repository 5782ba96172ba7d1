// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_precomp.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;

typedef std::vector<std::vector<int>> Labels;
typedef std::vector<std::vector<KeyPoint>> KeyPoints;

std::vector<KeyPoint> keyPointsAt(const std::vector<Point2f>& positions)
{
    std::vector<KeyPoint> keypoints;
    KeyPoint::convert(positions, keypoints);
    return keypoints;
}

// Views of one key point each.
KeyPoints onePerView(const std::vector<Point2f>& positions)
{
    KeyPoints keypoints;
    for (const Point2f& position : positions)
        keypoints.push_back(keyPointsAt(std::vector<Point2f>(1, position)));
    return keypoints;
}

Tracks oneTrack(int views)
{
    return Tracks(Labels(size_t(views), std::vector<int>(1, 0)));
}

PairMatches pairOf(int first, int second, const std::vector<std::pair<int, int>>& matches)
{
    PairMatches pair(first, second);
    for (const std::pair<int, int>& match : matches)
        pair.matches.push_back(DMatch(match.first, match.second, 0.f));
    return pair;
}

TEST(MultiMatch_Evaluation, nothingClaimedIsPreciseAndNothingToFindIsFound)
{
    MatchScore score;
    EXPECT_EQ(1, score.precision());
    EXPECT_EQ(1, score.recall());
    EXPECT_EQ(1, score.fscore());
    score.truth = 4;
    EXPECT_EQ(0, score.recall());
    EXPECT_EQ(0, score.fscore());
    score.matches = 2;
    EXPECT_EQ(0, score.precision());
    EXPECT_EQ(0, score.fscore());
    score.correct = 1;
    EXPECT_DOUBLE_EQ(0.5, score.precision());
    EXPECT_DOUBLE_EQ(0.25, score.recall());
    EXPECT_DOUBLE_EQ(1. / 3, score.fscore());
}

TEST(MultiMatch_Evaluation, tracksAgainstLabels)
{
    const Labels labels = {{0, 1, -1}, {0, 1}, {1, -1}};
    // One right track of two views, and one of three whose last member is an outlier.
    const MatchScore score = scoreTracks(Tracks({{7, 3, -1}, {7, 3}, {-1, 3}}), labels);
    EXPECT_EQ(4, score.matches);
    EXPECT_EQ(2, score.correct);
    EXPECT_EQ(4, score.truth); // label 0 in two views, label 1 in three
}

TEST(MultiMatch_Evaluation, outliersNeverMatchEachOther)
{
    const MatchScore score = scoreTracks(Tracks(Labels{{0}, {0}, {0}}), {{-1}, {-1}, {-2}});
    EXPECT_EQ(3, score.matches);
    EXPECT_EQ(0, score.correct);
    EXPECT_EQ(0, score.truth);
}

TEST(MultiMatch_Evaluation, labelTwiceInAViewIsNoMatchWithItself)
{
    EXPECT_EQ(2, scoreTracks(Tracks({{-1, -1}, {-1}}), {{5, 5}, {5}}).truth);
}

TEST(MultiMatch_Evaluation, truthScoresOne)
{
    RNG rng(11);
    Labels labels(6);
    for (std::vector<int>& view : labels)
    {
        for (int label = 0; label < 20; ++label)
            if (rng.uniform(0, 2))
                view.push_back(label);
        view.insert(view.end(), 5, -1);
        for (size_t n = view.size(); n > 1; --n)
            std::swap(view[n - 1], view[size_t(rng.uniform(0, int(n)))]);
    }
    const Tracks tracks(labels);
    const MatchScore score = scoreTracks(tracks, labels);
    EXPECT_GT(score.truth, 0);
    EXPECT_EQ(score.truth, score.matches);
    EXPECT_EQ(score.truth, score.correct);

    std::vector<PairMatches> pairs;
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < i; ++j)
            pairs.push_back(PairMatches(i, j, tracks.matches(i, j)));
    const MatchScore byPairs = scorePairs(pairs, labels);
    EXPECT_EQ(score.matches, byPairs.matches);
    EXPECT_EQ(score.correct, byPairs.correct);
    EXPECT_EQ(score.truth, byPairs.truth);
    EXPECT_EQ(0, cycleError(pairs));
}

TEST(MultiMatch_Evaluation, tracksAndLabelsOfOtherSizesAreRefused)
{
    const Tracks tracks({{0, 1}, {0}});
    EXPECT_THROW(scoreTracks(tracks, {{0, 1}}), cv::Exception);
    EXPECT_THROW(scoreTracks(tracks, {{0, 1}, {0, 1}}), cv::Exception);
}

TEST(MultiMatch_Evaluation, pairsAgainstLabels)
{
    const Labels labels = {{0, 1, -1}, {1, 0}, {1}};
    const std::vector<PairMatches> matches = {
        pairOf(0, 1, {{0, 1}, {1, 1}, {2, 0}}), // right, wrong, outlier
        pairOf(2, 1, {{0, 0}})};                // right, and the pair (0, 2) is missed
    const MatchScore score = scorePairs(matches, labels);
    EXPECT_EQ(4, score.matches);
    EXPECT_EQ(2, score.correct);
    EXPECT_EQ(4, score.truth);
}

TEST(MultiMatch_Evaluation, badPairsAreRefused)
{
    const Labels labels = {{0}, {0}};
    EXPECT_THROW(scorePairs({pairOf(0, 1, {}), pairOf(1, 0, {})}, labels), cv::Exception);
    EXPECT_THROW(scorePairs({pairOf(0, 0, {})}, labels), cv::Exception);
    EXPECT_THROW(scorePairs({pairOf(0, 2, {})}, labels), cv::Exception);
    EXPECT_THROW(scorePairs({pairOf(0, 1, {{0, 1}})}, labels), cv::Exception);
    EXPECT_THROW(scorePairs({pairOf(0, 1, {{-1, 0}})}, labels), cv::Exception);
    EXPECT_THROW(cycleError({pairOf(0, 1, {}), pairOf(1, 0, {})}), cv::Exception);
    EXPECT_THROW(cycleError({pairOf(-1, 1, {})}), cv::Exception);
    EXPECT_THROW(cycleError({pairOf(0, 1, {{0, -1}})}), cv::Exception);
}

TEST(MultiMatch_Evaluation, cycleErrorCountsChainsThatDoNotClose)
{
    // Points 0 are consistent (3 chains). Point 1 of view 0 goes to 1 in view 1 and on to 1 in view
    // 2, but directly to 2: the chains through view 1 and through view 0 both end elsewhere.
    const std::vector<PairMatches> matches = {pairOf(0, 1, {{0, 0}, {1, 1}}),
                                              pairOf(2, 1, {{0, 0}, {1, 1}}),
                                              pairOf(0, 2, {{0, 0}, {1, 2}})};
    EXPECT_DOUBLE_EQ(2. / 5, cycleError(matches));
}

TEST(MultiMatch_Evaluation, cycleErrorOfAMissingMatch)
{
    EXPECT_EQ(1, cycleError({pairOf(0, 1, {{0, 0}}), pairOf(1, 2, {{0, 0}}), pairOf(0, 2, {})}));
    // Views 0 and 2 were never compared: no cycle.
    EXPECT_EQ(0, cycleError({pairOf(0, 1, {{0, 0}}), pairOf(1, 2, {{0, 0}})}));
    EXPECT_EQ(0, cycleError({}));
}

TEST(MultiMatch_Evaluation, homographiesMeasureInTheLaterView)
{
    // View 1 is view 0 moved by 10, view 2 is view 0 enlarged by 4.
    const std::vector<Mat> homographies = {Mat::eye(3, 3, CV_64F),
                                           Mat(Matx33f(1, 0, 10, 0, 1, 0, 0, 0, 1)),
                                           Mat(Matx33d(4, 0, 0, 0, 4, 0, 0, 0, 1))};
    // 2 px off between 0 and 1, exact between 0 and 2, so 8 px off between 1 and 2.
    const KeyPoints keypoints = onePerView({Point2f(5, 5), Point2f(17, 5), Point2f(20, 20)});
    GeometryScore score = scoreHomographies(oneTrack(3), keypoints, homographies, 3);
    EXPECT_EQ(3, score.matches);
    EXPECT_EQ(2, score.correct);
    EXPECT_EQ(1, score.tracks);
    EXPECT_EQ(0, score.correctTracks);
    EXPECT_DOUBLE_EQ(2. / 3, score.precision());
    score = scoreHomographies(oneTrack(3), keypoints, homographies, 8.01);
    EXPECT_EQ(3, score.correct);
    EXPECT_EQ(1, score.correctTracks);

    const std::vector<PairMatches> reversed = {pairOf(1, 0, {{0, 0}}), pairOf(2, 0, {{0, 0}}),
                                               pairOf(2, 1, {{0, 0}})};
    score = scoreHomographies(reversed, keypoints, homographies, 3);
    EXPECT_EQ(3, score.matches);
    EXPECT_EQ(2, score.correct);
    EXPECT_EQ(0, score.tracks);
}

TEST(MultiMatch_Evaluation, agreementIsTheShareOfTheOtherMembers)
{
    // The third view is off by 5 px; the fourth has a single point.
    const KeyPoints keypoints = onePerView({{10, 10}, {11, 10}, {15, 10}, {10, 10}});
    const Tracks tracks(Labels{{0}, {0}, {0}, {-1}});
    const std::vector<Mat> same(4, Mat::eye(3, 3, CV_64F));
    const std::vector<std::vector<float>> expected = {{0.5f}, {0.5f}, {0.f}, {-1.f}};
    EXPECT_EQ(expected, agreementByHomographies(tracks, keypoints, same, 2));
    EXPECT_THROW(agreementByHomographies(tracks, keypoints, same, 0), cv::Exception);
}

TEST(MultiMatch_Evaluation, agreementByCamerasIsThatOfTheEpipolarLines)
{
    // Cameras that move along x: epipolar lines are horizontal.
    std::vector<Mat> cameras;
    for (int v = 0; v < 3; ++v)
        cameras.push_back((Mat_<double>(3, 4) << 1, 0, 0, -v, 0, 1, 0, 0, 0, 0, 1, 0));
    const KeyPoints keypoints = onePerView({{3, 1}, {2, 1.5f}, {1, 9}});
    const std::vector<std::vector<float>> expected = {{0.5f}, {0.5f}, {0.f}};
    EXPECT_EQ(expected, agreementByCameras(oneTrack(3), keypoints, cameras, 1));
}

TEST(MultiMatch_Evaluation, badGeometryIsRefused)
{
    const KeyPoints keypoints = onePerView({Point2f(0, 0), Point2f(0, 0)});
    const std::vector<Mat> identity(2, Mat::eye(3, 3, CV_64F));
    EXPECT_THROW(scoreHomographies(oneTrack(3), keypoints, identity, 1), cv::Exception);
    EXPECT_THROW(scoreHomographies(Tracks({{0, 1}, {0}}), keypoints, identity, 1), cv::Exception);
    EXPECT_THROW(scoreHomographies(oneTrack(2), keypoints, identity, 0), cv::Exception);
    EXPECT_THROW(scoreHomographies(oneTrack(2), keypoints, std::vector<Mat>(1, identity[0]), 1),
                 cv::Exception);
    EXPECT_THROW(scoreHomographies(oneTrack(2), keypoints,
                                   std::vector<Mat>({identity[0], Mat::zeros(3, 3, CV_64F)}), 1),
                 cv::Exception);
    EXPECT_THROW(scoreCameras(oneTrack(2), keypoints, identity, 1), cv::Exception);
    const std::vector<Mat> sameCenter(2, Mat::eye(3, 4, CV_64F));
    EXPECT_THROW(scoreCameras(oneTrack(2), keypoints, sameCenter, 1), cv::Exception);
    EXPECT_THROW(scoreHomographies({pairOf(0, 1, {{0, 1}})}, keypoints, identity, 1),
                 cv::Exception);
}

// Focal length 100, looking along z, center c.
Mat cameraAt(const Vec3d& c)
{
    return Mat(Matx34d(100, 0, 0, -100 * c[0], 0, 100, 0, -100 * c[1], 0, 0, 1, -c[2]));
}

TEST(MultiMatch_Evaluation, camerasJudgeByTheFartherEpipolarLine)
{
    // The second camera stands 10 nearer: its epipolar lines run through (0, 0), and so do those of
    // the first. (20, 0) and (40, 0) agree; (40, 3) is 3 px off in the second and less in the
    // first.
    const std::vector<Mat> cameras = {cameraAt(Vec3d(0, 0, 0)), cameraAt(Vec3d(0, 0, 10))};
    KeyPoints keypoints = onePerView({Point2f(20, 0), Point2f(40, 3)});
    EXPECT_EQ(0, scoreCameras(oneTrack(2), keypoints, cameras, 2.9).correct);
    EXPECT_EQ(1, scoreCameras(oneTrack(2), keypoints, cameras, 3.1).correct);
    EXPECT_EQ(0, scoreCameras(oneTrack(2), keypoints, cameras, 3.1).tracks);
    EXPECT_EQ(0, scoreCameras({pairOf(1, 0, {{0, 0}})}, keypoints, cameras, 2.9).correct);
    EXPECT_EQ(1, scoreCameras({pairOf(1, 0, {{0, 0}})}, keypoints, cameras, 3.1).correct);
}

TEST(MultiMatch_Evaluation, epipolarAgreementAloneIsNoTrack)
{
    // Cameras in a row: all epipolar lines are horizontal, only the third view can decide.
    const std::vector<Mat> cameras = {cameraAt(Vec3d(0, 0, 0)), cameraAt(Vec3d(1, 0, 0)),
                                      cameraAt(Vec3d(2, 0, 0))};
    GeometryScore score = scoreCameras(
        oneTrack(3), onePerView({Point2f(0, 5), Point2f(-10, 5), Point2f(-20, 5)}), cameras, 0.01);
    EXPECT_EQ(3, score.correct);
    EXPECT_EQ(1, score.tracks);
    EXPECT_EQ(1, score.correctTracks); // (0, 0.5, 10)

    score = scoreCameras(oneTrack(3), onePerView({Point2f(0, 5), Point2f(-10, 5), Point2f(-40, 5)}),
                         cameras, 2);
    EXPECT_EQ(3, score.correct);
    EXPECT_EQ(0, score.correctTracks);

    // Same rays, met behind the cameras.
    score = scoreCameras(oneTrack(3), onePerView({Point2f(0, 5), Point2f(10, 5), Point2f(20, 5)}),
                         cameras, 2);
    EXPECT_EQ(3, score.correct);
    EXPECT_EQ(0, score.correctTracks);

    // Parallel rays meet nowhere.
    score = scoreCameras(oneTrack(3), onePerView({Point2f(0, 5), Point2f(0, 5), Point2f(0, 5)}),
                         cameras, 2);
    EXPECT_EQ(0, score.correctTracks);
}

TEST(MultiMatch_Evaluation, reprojectionErrorIsTheLeastSquaresOne)
{
    // With cameras in a row the problem is linear: x = (a, a - b, a - 2 b). For (1, -10, -19) the
    // line of least squares has b = 10, a = 2 / 3 and leaves 1 / 3, -2 / 3, 1 / 3.
    const std::vector<Mat> cameras = {cameraAt(Vec3d(0, 0, 0)), cameraAt(Vec3d(1, 0, 0)),
                                      cameraAt(Vec3d(2, 0, 0))};
    const KeyPoints keypoints = onePerView({Point2f(1, 5), Point2f(-10, 5), Point2f(-19, 5)});
    EXPECT_EQ(0, scoreCameras(oneTrack(3), keypoints, cameras, 2. / 3 - 1e-3).correctTracks);
    EXPECT_EQ(1, scoreCameras(oneTrack(3), keypoints, cameras, 2. / 3 + 1e-3).correctTracks);
}

TEST(MultiMatch_Evaluation, pckMeasuresFromTheCounterpart)
{
    const Labels labels = {{0, 1, -1}, {1, 0, 2}};
    const std::vector<Mat> points = {(Mat_<float>(3, 2) << 0, 0, 3, 4, 9, 9),
                                     (Mat_<float>(3, 2) << 0, 0, 0, 2, 0, 8)};
    // Label 0 of view 0 goes to label 1 of view 1: 2 away there, and 5 away on the way back. The
    // outlier goes to label 2, which view 0 has not: wrong both ways.
    const Tracks tracks({{0, -1, 1}, {0, -1, 1}});
    const std::vector<double> shares = computePCK(tracks, labels, points, {0, 2, 4.9, 5});
    ASSERT_EQ(4u, shares.size());
    EXPECT_DOUBLE_EQ(0, shares[0]);
    EXPECT_DOUBLE_EQ(0.25, shares[1]);
    EXPECT_DOUBLE_EQ(0.25, shares[2]);
    EXPECT_DOUBLE_EQ(0.5, shares[3]);

    std::vector<Mat> distances;
    for (const Mat& view : points)
    {
        Mat_<double> d(3, 3);
        for (int p = 0; p < 3; ++p)
            for (int q = 0; q < 3; ++q)
                d(p, q) = cv::norm(view.row(p), view.row(q));
        distances.push_back(d);
    }
    EXPECT_EQ(shares, computePCKFromDistances(tracks, labels, distances, {0, 2, 4.9, 5}));
    EXPECT_EQ(std::vector<double>(1, 1.),
              computePCK(Tracks({{0, 1, -1}, {1, 0, -1}}), labels, points, {0}));
}

TEST(MultiMatch_Evaluation, badPckInputIsRefused)
{
    const Tracks tracks({{0, 1}, {0}});
    const Labels labels = {{0, 1}, {0}};
    const std::vector<Mat> points = {Mat::zeros(2, 2, CV_32F), Mat::zeros(1, 2, CV_32F)};
    EXPECT_THROW(computePCK(tracks, {{0, 0}, {0}}, points, {1}), cv::Exception);
    EXPECT_THROW(computePCK(tracks, labels, points, {-1}), cv::Exception);
    EXPECT_THROW(computePCK(tracks, labels, std::vector<Mat>(1, points[0]), {1}), cv::Exception);
    EXPECT_THROW(computePCK(tracks, labels, std::vector<Mat>(2, points[0]), {1}), cv::Exception);
    EXPECT_THROW(computePCKFromDistances(tracks, labels, points, {1}), cv::Exception);
}

}} // namespace opencv_test
