// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

#include "opencv2/multimatch/detail/log_odds.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;

const double NOISE = 0.3; //!< of each coordinate of an ordinary descriptor

//! Views of a plane, put together point by point. Every view turns, scales and bends the plane and
//! what is seen on it.
class Scene
{
public:
    RNG rng;
    SyntheticViews views;
    double jitter; //!< of places, in pixels

    Scene(int viewCount, unsigned seed) : rng(seed), jitter(0.5), points_(0)
    {
        const size_t count = static_cast<size_t>(viewCount);
        views.keypoints.resize(count);
        views.descriptors.resize(count);
        views.labels.resize(count);
        for (size_t v = 0; v < count; ++v)
        {
            turn_.push_back(rng.uniform(-0.2f, 0.2f));
            scale_.push_back(rng.uniform(0.8f, 1.25f));
            bend_.push_back(rng.uniform(-8.f, 8.f));
        }
    }

    int newPoint() { return points_++; } //!< its label
    Point2f place(float left = 0, float right = 600)
    {
        const float x = rng.uniform(left, right);
        return Point2f(x, rng.uniform(0.f, 400.f));
    }
    Mat descriptor() { return randomDescriptor(SyntheticParams(), rng); }
    float angle() { return rng.uniform(0.f, 360.f); }
    float size() { return rng.uniform(3.f, 12.f); }

    //! Adds a point to a view; noise: of each descriptor coordinate, angle: degrees.
    void show(int view, int label, const Point2f& at, const Mat& descriptor, double noise,
              float angle, float size)
    {
        const size_t v = static_cast<size_t>(view);
        const float c = scale_[v] * std::cos(turn_[v]), s = scale_[v] * std::sin(turn_[v]);
        const Point2f bent(at.x, at.y + bend_[v] * std::sin(at.x / 150));
        const Point2f x(c * bent.x - s * bent.y + static_cast<float>(rng.gaussian(jitter)),
                        s * bent.x + c * bent.y + static_cast<float>(rng.gaussian(jitter)));
        const double turned = angle + turn_[v] * 180 / CV_PI + rng.gaussian(3);
        const double scaled = size * scale_[v] * std::exp(rng.gaussian(0.05));
        views.keypoints[v].push_back(KeyPoint(x, static_cast<float>(scaled),
                                              static_cast<float>(std::fmod(turned + 360, 360))));
        SyntheticParams disturbance;
        disturbance.noise = noise;
        views.descriptors[v].push_back(disturbed(descriptor, disturbance, rng));
        views.labels[v].push_back(label);
    }

    //! Points somewhere between left and right that the views from first to last show.
    void showOrdinary(int count, int first, int last, float left = 0, float right = 600)
    {
        for (int n = 0; n < count; ++n)
        {
            const int label = newPoint();
            const Point2f at = place(left, right);
            const Mat looks = descriptor();
            const float direction = angle(), extent = size();
            for (int v = first; v <= last; ++v)
                show(v, label, at, looks, NOISE, direction, extent);
        }
    }

private:
    int points_;
    std::vector<float> turn_, scale_, bend_;
};

//! The labels from first on; all others become -1.
std::vector<std::vector<int>> labelsFrom(int first, std::vector<std::vector<int>> labels)
{
    for (size_t v = 0; v < labels.size(); ++v)
        for (size_t p = 0; p < labels[v].size(); ++p)
            if (labels[v][p] < first)
                labels[v][p] = -1;
    return labels;
}

double wrongMatches(const Tracks& tracks, const std::vector<std::vector<int>>& labels)
{
    const MatchScore score = scoreTracks(tracks, labels);
    return score.matches - score.correct;
}

TEST(Multimatch_Evidence, unlikely_memberships_leave_the_likely_ones_alone)
{
    SyntheticParams p;
    p.noise = 0.8;
    const SyntheticViews views = makeViews(p);
    HiPPIParams params;
    const Tracks likely = HiPPI::create(params)->match(views.keypoints, views.descriptors);
    params.minConfidence = 0;
    const Tracks all = HiPPI::create(params)->match(views.keypoints, views.descriptors);
    EXPECT_GT(scoreTracks(all, views.labels).matches, scoreTracks(likely, views.labels).matches);
    for (int t = 0; t < likely.size(); ++t)
    {
        const std::vector<Observation> seen = likely.track(t);
        for (size_t n = 1; n < seen.size(); ++n)
            EXPECT_EQ(all.ids(seen[0].view)[size_t(seen[0].point)],
                      all.ids(seen[n].view)[size_t(seen[n].point)]);
    }
}

TEST(Multimatch_Evidence, iteration_improves_on_its_start)
{
    SyntheticParams p;
    p.noise = 0.8;
    const SyntheticViews views = makeViews(p);
    HiPPIParams params;
    const MatchScore iterated =
        scoreTracks(HiPPI::create(params)->match(views.keypoints, views.descriptors), views.labels);
    params.maxIterations = 0;
    params.minConfidence = 0;
    const MatchScore start =
        scoreTracks(HiPPI::create(params)->match(views.keypoints, views.descriptors), views.labels);
    EXPECT_GT(iterated.fscore(), start.fscore());
    EXPECT_GE(iterated.fscore(), 0.95);
}

//! Local maps whose tracks have not changed are kept. Fitting them again must give the same, to the
//! last bit.
TEST(Multimatch_Evidence, what_is_kept_equals_what_is_computed_anew)
{
    const int views = 8;
    for (unsigned seed = 1; seed <= 3; ++seed)
    {
        Scene scene(views, seed);
        scene.jitter = 2;
        for (int v = 0; v + 3 < views; ++v)
            scene.showOrdinary(60, v, v + 3);
        for (int n = 0; n < 60; ++n) // look-alikes: tracks change for several iterations
        {
            const Mat looks = scene.descriptor();
            for (int v = 0; v < views; ++v)
                scene.show(v, -1, scene.place(), looks, 2 * NOISE, scene.angle(), scene.size());
        }
        HiPPIParams params;
        params.evidence.minGrowth = 0;
        std::vector<int> kept, anew;
        const std::vector<float> confidenceKept = cv::multimatch::detail::iteratePartial(
            params, scene.views.keypoints, scene.views.descriptors, true, kept);
        const std::vector<float> confidenceAnew = cv::multimatch::detail::iteratePartial(
            params, scene.views.keypoints, scene.views.descriptors, false, anew);
        EXPECT_EQ(anew, kept) << "seed " << seed;
        EXPECT_EQ(confidenceAnew, confidenceKept) << "seed " << seed;
    }
}

TEST(Multimatch_Evidence, key_points_of_a_problem_are_checked)
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

TEST(Multimatch_Evidence, finds_points_where_the_tracks_around_expect_them)
{
    const int views = 6;
    Scene scene(views, 4);
    scene.showOrdinary(150, 0, views - 1);
    const int first = scene.newPoint();
    for (int n = 0; n < 10; ++n)
    {
        const int label = n == 0 ? first : scene.newPoint();
        const Point2f at = scene.place();
        const Mat looks = scene.descriptor();
        const float angle = scene.angle(), size = scene.size();
        for (int v = 0; v < views; ++v)
        {
            scene.show(v, label, at, looks, NOISE, angle, size);
            // Elsewhere in the view, and more like the point in the other views than the point
            // itself.
            for (int lookAlike = 0; lookAlike < 4; ++lookAlike)
                scene.show(v, -1, scene.place(), looks, 0.1 * NOISE, scene.angle(), scene.size());
        }
    }
    const std::vector<std::vector<int>> hidden = labelsFrom(first, scene.views.labels);

    HiPPIParams params;
    const CsrMatrix nearest = findNeighbors(scene.views.descriptors, params.neighbors).distances;
    std::vector<int> label;
    for (size_t v = 0; v < hidden.size(); ++v)
        label.insert(label.end(), hidden[v].begin(), hidden[v].end());
    int visible = 0;
    for (int p = 0; p < nearest.rows; ++p)
        for (size_t e = nearest.offsets[p]; e < nearest.offsets[p + 1]; ++e)
            visible += label[p] >= 0 && label[p] == label[nearest.columns[e]];
    ASSERT_EQ(0, visible) << "nearest neighbors show what was meant to be hidden from them";

    const Tracks refined =
        HiPPI::create(params)->match(scene.views.keypoints, scene.views.descriptors);
    params.evidence.likelyCount = 0;
    const Tracks plain =
        HiPPI::create(params)->match(scene.views.keypoints, scene.views.descriptors);
    EXPECT_LE(scoreTracks(plain, hidden).recall(), scoreTracks(refined, hidden).recall());
    EXPECT_GE(scoreTracks(refined, hidden).recall(), 0.9);
    EXPECT_GE(scoreTracks(refined, scene.views.labels).precision(), 0.99);
}

//! What is wrong with an impostor: its angle by so many degrees, its size by a factor.
struct Impostor
{
    float turn, stretch;
};

class Multimatch_Evidence_Frames : public testing::TestWithParam<Impostor>
{
};

TEST_P(Multimatch_Evidence_Frames, tell_points_at_one_place_apart)
{
    const int views = 6, count = 48;
    Scene scene(views, 2);
    scene.showOrdinary(100, 0, views - 1);
    const int first = scene.newPoint();
    for (int n = 0; n < count; ++n)
    {
        const int label = n == 0 ? first : scene.newPoint();
        const Point2f at = scene.place();
        const Mat looks = scene.descriptor();
        const float angle = scene.angle(), size = scene.size();
        for (int v = 0; v < views; ++v)
            scene.show(v, label, at, looks, NOISE, angle, size);
        scene.show(n % views, -1, at, looks, NOISE, angle + GetParam().turn,
                   size * GetParam().stretch);
    }
    const auto impostorsIn = [&](const Tracks& found) {
        int matched = 0;
        for (int v = 0; v < views; ++v)
        {
            const std::vector<int>& labels = scene.views.labels[v];
            const std::vector<int> ids = found.trackIds(v);
            for (size_t p = 0; p < ids.size(); ++p)
                matched += labels[p] < 0 && ids[p] >= 0;
        }
        return matched;
    };

    std::vector<std::vector<KeyPoint>> keypoints = scene.views.keypoints;
    const Tracks tracks = HiPPI::create()->match(keypoints, scene.views.descriptors);
    EXPECT_GE(scoreTracks(tracks, labelsFrom(first, scene.views.labels)).recall(), 0.95);
    EXPECT_LE(impostorsIn(tracks), count / 20);

    // Sizes alone are not used either.
    for (size_t v = 0; v < keypoints.size(); ++v)
        for (size_t p = 0; p < keypoints[v].size(); ++p)
            keypoints[v][p].angle = -1;
    EXPECT_GE(impostorsIn(HiPPI::create()->match(keypoints, scene.views.descriptors)), count / 4)
        << "something else tells them apart";
}

INSTANTIATE_TEST_CASE_P(/**/, Multimatch_Evidence_Frames, testing::Values(Impostor{90.f, 1.f}));

TEST(Multimatch_Evidence, points_without_a_chain_of_compared_views_are_not_on_one_track)
{
    const int views = 12;
    Scene scene(views, 5);
    scene.showOrdinary(100, 0, views - 1);
    std::vector<std::vector<int>> start = scene.views.labels;
    const int joined = scene.newPoint(), other = scene.newPoint();
    const Point2f at[2] = {scene.place(0, 300), scene.place(0, 300)};
    const Mat looks[2] = {scene.descriptor(), scene.descriptor()};
    const float angle = scene.angle(), size = scene.size();
    for (int v = 0; v < views; ++v)
        if (v < 4 || v >= 8) // no view of the first four is compared with one of the last four
        {
            scene.show(v, v < 4 ? joined : other, at[v >= 8], looks[v >= 8], NOISE, angle, size);
            start[v].push_back(joined);
        }
    HiPPIParams params;
    params.start = START_LABELS;
    const Ptr<HiPPI> hippi = HiPPI::create(params);
    hippi->setWindow(3);
    hippi->setInitialLabels(start);
    const Tracks tracks = hippi->match(scene.views.keypoints, scene.views.descriptors);
    EXPECT_EQ(0, wrongMatches(tracks, scene.views.labels));
    EXPECT_GE(scoreTracks(tracks, labelsFrom(joined, scene.views.labels)).recall(), 0.95);
}

TEST(Multimatch_Evidence, members_beside_their_predicted_place_are_less_probable)
{
    const int views = 8;
    Scene scene(views, 6);
    scene.showOrdinary(150, 0, views - 1);
    const int first = scene.newPoint();
    for (int n = 0; n < 10; ++n)
    {
        const int label = n == 0 ? first : scene.newPoint();
        const Point2f at = scene.place(100, 500), beside(at.x + 10, at.y);
        const Mat looks = scene.descriptor();
        const float angle = scene.angle(), size = scene.size();
        for (int v = 0; v < views; ++v)
            scene.show(v, label, v == 0 ? beside : at, looks, NOISE, angle, size);
    }
    HiPPIParams params;
    params.minConfidence = 0; // every member stays
    const Tracks tracks =
        HiPPI::create(params)->match(scene.views.keypoints, scene.views.descriptors);
    double besidePlace = 0, inPlace = 0;
    for (size_t p = 150; p < 160; ++p) // of every view
    {
        besidePlace += static_cast<double>(tracks.confidences(0)[p]) / 10;
        for (int v = 1; v < views; ++v)
            inPlace += static_cast<double>(tracks.confidences(v)[p]) / (10 * (views - 1));
    }
    EXPECT_GT(inPlace, 0.99);
    EXPECT_LT(besidePlace, 0.97);
}

//! Memberships, those of about the same confidence together.
struct Reliability
{
    double count, expected, right;

    Reliability() : count(0), expected(0), right(0) {}
    double gap() const { return std::abs(expected - right); }
};

//! Adds tracks to ten bins of confidence; right are the members that have the label of most of
//! their track.
void addTo(std::vector<Reliability>& bins, const Tracks& tracks,
           const std::vector<std::vector<int>>& labels)
{
    for (int t = 0; t < tracks.size(); ++t)
    {
        const std::vector<Observation> members = tracks.track(t);
        std::map<int, int> frequency;
        int most = -1;
        for (size_t m = 0; m < members.size(); ++m)
        {
            const int label = labels[members[m].view][members[m].point];
            if (label >= 0 && ++frequency[label] > std::max(1, frequency[most]))
                most = label;
        }
        for (size_t m = 0; m < members.size(); ++m)
        {
            Reliability& bin = bins[std::min(9, cvFloor(10 * members[m].confidence))];
            bin.count += 1;
            bin.expected += members[m].confidence;
            bin.right += most >= 0 && labels[members[m].view][members[m].point] == most;
        }
    }
}

TEST(Multimatch_Evidence, confidence_is_the_share_that_is_right)
{
    const int views = 8;
    std::vector<Reliability> bins(10);
    for (unsigned seed = 1; seed <= 5; ++seed)
    {
        Scene scene(views, seed);
        scene.jitter = 3;
        for (int n = 0; n < 200; ++n)
        {
            const int label = scene.newPoint();
            const Point2f at = scene.place();
            const Mat looks = scene.descriptor();
            const float angle = scene.angle(), size = scene.size();
            for (int v = 0; v < views; ++v)
                if (scene.rng.uniform(0, 2) == 0)
                    scene.show(v, label, at, looks, NOISE, angle, size);
                else
                    scene.show(v, -1, scene.place(), scene.descriptor(), 0.5, scene.angle(),
                               scene.size());
        }
        HiPPIParams params;
        params.minConfidence = 0;
        addTo(bins, HiPPI::create(params)->match(scene.views.keypoints, scene.views.descriptors),
              scene.views.labels);
    }
    double count = 0, gap = 0;
    for (size_t b = 0; b < bins.size(); ++b)
    {
        count += bins[b].count;
        gap += bins[b].gap();
    }
    EXPECT_LE(gap / count, 0.01);
}

TEST(Multimatch_Evidence, few_of_the_possible_matches_make_a_track_where_none_compete)
{
    // Each point sees a third of its own in the other views, and nothing wrong.
    const int views = 12, points = 20;
    RNG rng(1);
    std::vector<int> rows, columns;
    std::vector<std::vector<int>> labels(views);
    for (int p = 0; p < views * points; ++p)
    {
        labels[p / points].push_back(p % points);
        for (int v = p / points + 1; v < views; ++v)
            if (rng.uniform(0, 3) == 0)
            {
                const int q = v * points + p % points;
                rows.push_back(p);
                columns.push_back(q);
                rows.push_back(q);
                columns.push_back(p);
            }
    }
    MatchingProblem problem;
    problem.viewSizes.assign(views, points);
    problem.similarity = CsrMatrix::fromTriplets(views * points, views * points, rows, columns,
                                                 std::vector<float>(rows.size(), 1.f));
    const MatchScore score = scoreTracks(HiPPI::create()->solve(problem), labels);
    EXPECT_EQ(1, score.precision());
    EXPECT_GE(score.recall(), 0.95);
}

}} // namespace
