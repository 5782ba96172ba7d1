// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

#include "opencv2/opencv_modules.hpp"
#ifdef HAVE_OPENCV_CALIB3D
#include "opencv2/calib3d.hpp"
#else
#include "opencv2/geometry.hpp" // its name from OpenCV 5 on
#endif

namespace opencv_test { namespace {

using namespace cv::multimatch;

//! Cameras on an arc around random points, or turning on the spot.
struct RigidScene
{
    Mat K;
    std::vector<std::vector<KeyPoint>> keypoints;
    std::vector<Mat> descriptors;
    std::vector<std::vector<int>> labels; //!< -1: outlier

    explicit RigidScene(bool turning, int views = 5, int points = 150, int outliers = 60)
        : K((cv::Mat_<double>(3, 3) << 800, 0, 320, 0, 800, 240, 0, 0, 1)), keypoints(views),
          descriptors(views), labels(views)
    {
        RNG rng(11);
        std::vector<cv::Vec3d> scene;
        Mat appearance(points, 32, CV_32F);
        rng.fill(appearance, RNG::NORMAL, 0, 1);
        for (int t = 0; t < points; ++t)
        {
            scene.push_back(
                cv::Vec3d(rng.uniform(-2., 2.), rng.uniform(-1.5, 1.5), rng.uniform(-1., 1.)));
            // Every fifth looks like the one before.
            if (t % 5 == 4)
                appearance.row(t - 1).copyTo(appearance.row(t));
        }
        const int middle = views / 2;
        for (int v = 0; v < views; ++v)
        {
            const double angle = 0.12 * (v - middle);
            cv::Matx33d R;
            cv::Rodrigues(cv::Vec3d(0.02 * v, angle, 0.01 * v), R);
            // From behind the scene's center, looking at it; or from one place, always the same.
            const cv::Vec3d t = turning ? R * cv::Vec3d(0, 0, 6) : cv::Vec3d(0, 0, 6);
            std::vector<int> order(static_cast<size_t>(points + outliers));
            std::iota(order.begin(), order.end(), 0);
            cv::randShuffle(order, 1, &rng);
            for (size_t n = 0; n < order.size(); ++n)
            {
                Point2f place(rng.uniform(0.f, 640.f), rng.uniform(0.f, 480.f));
                Mat descriptor(1, 32, CV_32F);
                rng.fill(descriptor, RNG::NORMAL, 0, 1);
                const bool outlier = order[n] >= points;
                if (!outlier)
                {
                    const cv::Vec3d x = R * scene[order[n]] + t;
                    place =
                        Point2f(static_cast<float>(800 * x[0] / x[2] + 320 + rng.gaussian(0.3)),
                                static_cast<float>(800 * x[1] / x[2] + 240 + rng.gaussian(0.3)));
                    descriptor = appearance.row(order[n]) + 0.15 * descriptor;
                }
                keypoints[v].push_back(KeyPoint(place, 4.f, 0.f));
                descriptors[v].push_back(descriptor);
                labels[v].push_back(outlier ? -1 : order[n]);
            }
        }
    }

    //! True matches, and as many wrong ones as share says.
    std::vector<PairMatches> matches(double wrongShare) const
    {
        RNG rng(5);
        std::vector<PairMatches> pairs;
        for (int i = 0; i < static_cast<int>(labels.size()); ++i)
            for (int j = i + 1; j < static_cast<int>(labels.size()); ++j)
            {
                PairMatches pair(i, j);
                for (int p = 0; p < static_cast<int>(labels[i].size()); ++p)
                    for (int q = 0; q < static_cast<int>(labels[j].size()); ++q)
                        if (labels[i][p] >= 0 && labels[i][p] == labels[j][q])
                            pair.matches.push_back(
                                DMatch(p,
                                       rng.uniform(0., 1.) < wrongShare
                                           ? rng.uniform(0, static_cast<int>(labels[j].size()))
                                           : q,
                                       0.5f));
                pairs.push_back(pair);
            }
        return pairs;
    }

    std::vector<Mat> cameras() const { return std::vector<Mat>(keypoints.size(), K); }
};

VerificationParams paramsOf(int model)
{
    VerificationParams params;
    params.model = model;
    return params;
}

typedef testing::TestWithParam<int> Multimatch_PairGeometry;

TEST_P(Multimatch_PairGeometry, is_found_among_wrong_matches)
{
    const int model = GetParam();
    const RigidScene scene(model == MODEL_HOMOGRAPHY);
    const std::vector<PairMatches> matches = scene.matches(0.4);
    const std::vector<PairGeometry> geometries =
        estimateGeometry(scene.keypoints, matches, paramsOf(model), scene.cameras());
    ASSERT_EQ(10u, geometries.size());
    const std::vector<PairMatches> truth = scene.matches(0);
    for (size_t n = 0; n < geometries.size(); ++n)
    {
        ASSERT_FALSE(geometries[n].matrix.empty());
        EXPECT_GE(geometries[n].inliers, 85);
        std::vector<double> residuals;
        for (size_t m = 0; m < truth[n].matches.size(); ++m)
            residuals.push_back(pairResidual(
                geometries[n], scene.keypoints[truth[n].first][truth[n].matches[m].queryIdx].pt,
                scene.keypoints[truth[n].second][truth[n].matches[m].trainIdx].pt));
        std::sort(residuals.begin(), residuals.end());
        EXPECT_LT(residuals[residuals.size() / 2], 0.8);
        EXPECT_LT(residuals[residuals.size() * 95 / 100], 2);
    }
    const MatchScore before = scorePairs(matches, scene.labels);
    const MatchScore after =
        scorePairs(verifyMatches(scene.keypoints, matches, geometries, 2), scene.labels);
    EXPECT_LT(before.precision(), 0.65);
    EXPECT_GT(after.precision(), 0.95);
    EXPECT_GT(after.correct, 0.95 * before.correct);
}

TEST_P(Multimatch_PairGeometry, does_not_depend_on_threads)
{
    const RigidScene scene(GetParam() == MODEL_HOMOGRAPHY);
    const std::vector<PairMatches> matches = scene.matches(0.3);
    const int threads = cv::getNumThreads();
    cv::setNumThreads(1);
    const std::vector<PairGeometry> one =
        estimateGeometry(scene.keypoints, matches, paramsOf(GetParam()), scene.cameras());
    cv::setNumThreads(4);
    const std::vector<PairGeometry> four =
        estimateGeometry(scene.keypoints, matches, paramsOf(GetParam()), scene.cameras());
    cv::setNumThreads(threads);
    for (size_t n = 0; n < one.size(); ++n)
        EXPECT_EQ(0, cv::norm(one[n].matrix, four[n].matrix, cv::NORM_INF));
}

INSTANTIATE_TEST_CASE_P(Models, Multimatch_PairGeometry,
                        testing::Values<int>(MODEL_FUNDAMENTAL, MODEL_ESSENTIAL, MODEL_HOMOGRAPHY));

TEST(Multimatch_Geometry, pairs_that_share_nothing_have_none)
{
    const RigidScene scene(false, 2, 10, 100);
    const std::vector<PairGeometry> geometries =
        estimateGeometry(scene.keypoints, scene.matches(0));
    ASSERT_EQ(1u, geometries.size());
    EXPECT_TRUE(geometries[0].matrix.empty());
    EXPECT_TRUE(verifyMatches(scene.keypoints, scene.matches(0), geometries, 2)[0].matches.empty());
}

TEST(Multimatch_Geometry, wrong_members_leave_their_track)
{
    const RigidScene scene(false);
    const std::vector<PairGeometry> geometries =
        estimateGeometry(scene.keypoints, scene.matches(0));
    // In view 2 tracks change places in threes.
    std::vector<std::vector<int>> labels = scene.labels;
    std::vector<int> moved(scene.labels[2].size(), 0);
    for (size_t p = 0; p < labels[2].size(); ++p)
        if (labels[2][p] >= 0 && labels[2][p] < 30)
        {
            labels[2][p] = (labels[2][p] + 10) % 30;
            moved[p] = 1;
        }
    const Tracks wrong(labels);
    const Tracks clean = cleanTracks(scene.keypoints, wrong, geometries, 2);
    EXPECT_LT(scoreTracks(wrong, scene.labels).precision(), 0.93);
    EXPECT_GT(scoreTracks(clean, scene.labels).precision(), 0.99);
    // Only what was moved may leave, apart from a few points of large noise.
    int left = 0, others = 0;
    for (int v = 0; v < 5; ++v)
        for (size_t p = 0; p < labels[v].size(); ++p)
            if (wrong.trackIds(v)[p] >= 0 && clean.trackIds(v)[p] < 0)
                ++(v == 2 && moved[p] ? left : others);
    EXPECT_GE(left, 25);
    EXPECT_LE(others, 15);
}

TEST(Multimatch_Geometry, what_leaves_together_stays_together)
{
    const RigidScene scene(false);
    const std::vector<PairGeometry> geometries =
        estimateGeometry(scene.keypoints, scene.matches(0));
    // The first three views of one point and the last two of another, in one track.
    std::vector<std::vector<int>> labels(5);
    std::vector<std::pair<int, int>> first, second;
    for (int v = 0; v < 5; ++v)
    {
        labels[v].assign(scene.labels[v].size(), -1);
        for (size_t p = 0; p < labels[v].size(); ++p)
            if (scene.labels[v][p] == (v < 3 ? 1 : 7))
            {
                labels[v][p] = 0;
                (v < 3 ? first : second).push_back(std::make_pair(v, static_cast<int>(p)));
            }
    }
    const Tracks clean = cleanTracks(scene.keypoints, Tracks(labels), geometries, 2);
    EXPECT_EQ((std::set<std::vector<std::pair<int, int>>>{first, second}), partition(clean));
}

TEST(Multimatch_Geometry, complains_of_what_does_not_fit)
{
    const RigidScene scene(false);
    const std::vector<PairMatches> matches = scene.matches(0);
    VerificationParams params;
    params.minInliers = 3;
    EXPECT_NE(std::string::npos, errorOf([&]() {
                                     estimateGeometry(scene.keypoints, matches, params);
                                 }).find("minInliers is 3"));
    EXPECT_NE(std::string::npos, errorOf([&]() {
                                     estimateGeometry(scene.keypoints, matches,
                                                      paramsOf(MODEL_ESSENTIAL));
                                 }).find("camera matrix"));
    const std::vector<PairMatches> wrong(1, PairMatches(0, 7));
    EXPECT_THROW(estimateGeometry(scene.keypoints, wrong), cv::Exception);
    EXPECT_THROW(verifyMatches(scene.keypoints, matches, {}, 2), cv::Exception);
    EXPECT_THROW(pairResidual(PairGeometry(), Point2f(), Point2f()), cv::Exception);
    EXPECT_THROW(cleanTracks(scene.keypoints, Tracks(), {}, 2), cv::Exception);
}

TEST(Multimatch_Guided, finds_more_and_better_than_hippi_alone)
{
    const RigidScene scene(false);
    const Ptr<GuidedHiPPI> guided = GuidedHiPPI::create();
    const Tracks tracks = guided->match(scene.keypoints, scene.descriptors);
    expectConsistent(tracks);
    const MatchScore score = scoreTracks(tracks, scene.labels);
    const MatchScore kruskal =
        scoreTracks(Kruskal::create()->match(scene.keypoints, scene.descriptors), scene.labels);
    EXPECT_GT(score.precision(), 0.97);
    EXPECT_GT(score.recall(), 0.9);
    // Every fifth point has a double that no ratio test lets pass.
    EXPECT_GT(score.correct, 1.2 * kruskal.correct);
    const std::vector<PairGeometry> geometries = guided->getGeometries();
    ASSERT_EQ(10u, geometries.size());
    for (size_t n = 0; n < geometries.size(); ++n)
        EXPECT_GT(geometries[n].inliers, 100);
    EXPECT_FALSE(tracks.report().stages.empty());
}

TEST(Multimatch_Guided, uses_camera_matrices_and_homographies)
{
    GuidedParams params;
    params.verification.model = MODEL_ESSENTIAL;
    const RigidScene arc(false), turning(true);
    const Ptr<GuidedHiPPI> guided = GuidedHiPPI::create(params);
    EXPECT_NE(std::string::npos, errorOf([&]() {
                                     guided->match(arc.keypoints, arc.descriptors);
                                 }).find("camera matrix"));
    guided->setCameraMatrices(arc.cameras());
    EXPECT_GT(scoreTracks(guided->match(arc.keypoints, arc.descriptors), arc.labels).fscore(),
              0.93);
    params.verification.model = MODEL_HOMOGRAPHY;
    const Tracks plane = GuidedHiPPI::create(params)->match(turning.keypoints, turning.descriptors);
    EXPECT_GT(scoreTracks(plane, turning.labels).fscore(), 0.97);
}

TEST(Multimatch_Guided, camera_matrices_may_be_floats_and_are_checked)
{
    GuidedParams params;
    params.verification.model = MODEL_ESSENTIAL;
    const RigidScene scene(false, 4, 80, 30);
    const Ptr<GuidedHiPPI> guided = GuidedHiPPI::create(params);
    guided->setCameraMatrices(scene.cameras());
    const Tracks doubles = guided->match(scene.keypoints, scene.descriptors);
    std::vector<Mat> floats;
    for (const Mat& camera : scene.cameras())
    {
        floats.push_back(Mat());
        camera.convertTo(floats.back(), CV_32F);
    }
    guided->setCameraMatrices(floats);
    EXPECT_EQ(doubles, guided->match(scene.keypoints, scene.descriptors));

    floats[1] = Mat::zeros(3, 3, CV_32F);
    guided->setCameraMatrices(floats);
    EXPECT_NE(std::string::npos, errorOf([&]() {
                                     guided->match(scene.keypoints, scene.descriptors);
                                 }).find("cameraMatrices[1]"));
}

TEST(Multimatch_Guided, does_not_depend_on_threads_or_order)
{
    const RigidScene scene(false, 4, 80, 30);
    const int threads = cv::getNumThreads();
    cv::setNumThreads(1);
    const Tracks one = GuidedHiPPI::create()->match(scene.keypoints, scene.descriptors);
    cv::setNumThreads(4);
    const Tracks four = GuidedHiPPI::create()->match(scene.keypoints, scene.descriptors);
    cv::setNumThreads(threads);
    EXPECT_EQ(one, four);

    std::vector<std::vector<KeyPoint>> keypoints(scene.keypoints.rbegin(), scene.keypoints.rend());
    std::vector<Mat> descriptors(scene.descriptors.rbegin(), scene.descriptors.rend());
    const Tracks reversed = GuidedHiPPI::create()->match(keypoints, descriptors);
    ASSERT_EQ(one.size(), reversed.size());
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
            if (i != j)
            {
                EXPECT_EQ(one.matches(i, j).size(), reversed.matches(3 - i, 3 - j).size());
            }
}

TEST(Multimatch_Guided, reads_what_it_writes)
{
    GuidedParams params;
    params.candidates = 5;
    params.hippi.evidence.trackCost = 3.5f;
    params.hippi.beta = 0.17f;
    params.verification.maxError = 3.5;
    cv::FileStorage out("p.yml", cv::FileStorage::WRITE | cv::FileStorage::MEMORY);
    GuidedHiPPI::create(params)->write(out);
    cv::FileStorage in(out.releaseAndGetString(), cv::FileStorage::READ | cv::FileStorage::MEMORY);
    const Ptr<GuidedHiPPI> other = GuidedHiPPI::create();
    other->read(in.root());
    EXPECT_EQ(5, other->getParams().candidates);
    EXPECT_EQ(3.5f, other->getParams().hippi.evidence.trackCost);
    EXPECT_EQ(0.17f, other->getParams().hippi.beta);
    EXPECT_EQ(3.5, other->getParams().verification.maxError);
    params.candidates = 0;
    EXPECT_NE(std::string::npos,
              errorOf([&]() { other->setParams(params); }).find("candidates is 0"));
}

TEST(Multimatch_Guided, stops_when_asked)
{
    const RigidScene scene(false, 3, 60, 10);
    const Ptr<GuidedHiPPI> guided = GuidedHiPPI::create();
    guided->setProgressCallback([](const Progress&) { return false; });
    const Tracks tracks = guided->match(scene.keypoints, scene.descriptors);
    EXPECT_TRUE(tracks.report().cancelled);
    EXPECT_EQ(3, tracks.viewCount());
}

}} // namespace opencv_test
