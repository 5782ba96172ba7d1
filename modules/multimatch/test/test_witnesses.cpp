// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

#include "opencv2/multimatch/detail/log_odds.hpp"
#include "opencv2/multimatch/geometry.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;

/** Cameras that move sideways past a relief, with known correspondences. Pairs of points are of a
kind: the kind of the pair's points, where both have the same. */
class Relief
{
public:
    enum Kind
    {
        ORDINARY,
        TWIN,  //!< looks like an ordinary point but lies elsewhere
        HIDDEN //!< in a part that the last view does not show
    };
    enum
    {
        VIEWS = 4
    };

    SyntheticViews views; //!< its labels are the given tracks

    explicit Relief(const SyntheticParams& params) : params_(params), rng_(params.seed), next_(0)
    {
        views.keypoints.resize(VIEWS);
        views.descriptors.resize(VIEWS);
        views.labels.resize(VIEWS);
    }

    //! A point in the views 0 .. last, at a position of view 0; twins: also points that look like
    //! it, anywhere.
    void add(Kind kind, float left, float right, int last, double jitter, bool onTrack,
             bool twins = false)
    {
        const float x = rng_.uniform(left, right), y = rng_.uniform(0.f, 400.f);
        const float disparity =
            30.f + 10.f * std::sin(x / 90) + 10.f * std::cos(y / 70); // per view, px
        const Mat looks = randomDescriptor(params_, rng_);
        const float angle = rng_.uniform(0.f, 360.f), size = rng_.uniform(3.f, 12.f);
        const int label = next_++;
        for (int v = 0; v <= last; ++v)
        {
            const Point2f at(x - disparity * static_cast<float>(v) + gaussian(jitter),
                             y + gaussian(jitter));
            show(v, onTrack ? label : -1, label, kind, at, looks, angle + gaussian(3.),
                 size * std::exp(gaussian(0.05)));
            if (twins)
                show(v, -1, label, TWIN,
                     Point2f(rng_.uniform(left, right), rng_.uniform(0.f, 400.f)), looks,
                     rng_.uniform(0.f, 360.f), rng_.uniform(3.f, 12.f));
        }
    }

    CsrMatrix logOdds(int witnesses, const std::vector<std::vector<int>>& tracks,
                      const VerificationParams* geometry = NULL) const
    {
        HiPPIParams params;
        params.evidence.witnesses = witnesses;
        // What a witness adds is seen without limits and costs.
        params.evidence.maxLogOdds = 1000;
        params.evidence.trackCost = 0;
        params.evidence.reach = 100;
        return cv::multimatch::detail::logOddsGiven(params, views.keypoints, views.descriptors,
                                                    tracks, geometry);
    }

    //! Mean of what a witness adds to pairs of one point (same) or of different points, one of each
    //! kind.
    double meanAdded(int witness, Kind a, Kind b, bool same,
                     const VerificationParams* geometry = NULL) const
    {
        const CsrMatrix with = logOdds(witness, views.labels, geometry);
        const CsrMatrix without = logOdds(0, views.labels);
        return mean(with, &without, a, b, same);
    }

    double mean(const CsrMatrix& L, const CsrMatrix* less, Kind a, Kind b, bool same) const
    {
        double sum = 0, count = 0;
        for (int p = 0; p < L.rows; ++p)
            for (size_t e = L.offsets[p]; e < L.offsets[p + 1]; ++e)
            {
                const size_t i = static_cast<size_t>(p), j = static_cast<size_t>(L.columns[e]);
                const bool ofKind =
                    (kind(i) == a && kind(j) == b) || (kind(i) == b && kind(j) == a);
                const bool alike = truth(i) == truth(j);
                const bool one = alike && kind(i) == kind(j) && kind(i) != TWIN;
                const bool isTwin = a == TWIN || b == TWIN; // of that very point
                if (!ofKind || one != same || (isTwin && !alike) ||
                    (less && less->at(p, L.columns[e]) == 0))
                    continue;
                sum += L.values[e] - (less ? less->at(p, L.columns[e]) : 0.f);
                count += 1;
            }
        EXPECT_GT(count, 20) << "too few pairs";
        return sum / std::max(1., count);
    }

private:
    float gaussian(double sigma) { return static_cast<float>(rng_.gaussian(sigma)); }

    void show(int view, int track, int truth, Kind kind, const Point2f& at, const Mat& looks,
              float angle, float size)
    {
        const size_t v = static_cast<size_t>(view);
        views.keypoints[v].push_back(KeyPoint(at, size, std::fmod(angle + 720.f, 360.f)));
        views.descriptors[v].push_back(disturbed(looks, params_, rng_));
        views.labels[v].push_back(track);
        truth_[v].push_back(truth);
        kind_[v].push_back(kind);
    }

    //! Of a point by its number through all views.
    template<typename T>
    static T entry(const std::vector<T> (&perView)[VIEWS], size_t point)
    {
        size_t v = 0;
        for (; point >= perView[v].size(); ++v)
            point -= perView[v].size();
        return perView[v][point];
    }
    Kind kind(size_t point) const { return entry(kind_, point); }
    int truth(size_t point) const { return entry(truth_, point); }

    SyntheticParams params_;
    RNG rng_;
    int next_;
    std::vector<int> truth_[VIEWS];
    std::vector<Kind> kind_[VIEWS];
};

SyntheticParams descriptors(bool binary)
{
    SyntheticParams params;
    params.binary = binary;
    params.noise = binary ? 0.1 : 0.3;
    return params;
}

//! Ordinary points with a twin each.
Relief withTwins()
{
    Relief scene(descriptors(false));
    for (int n = 0; n < 150; ++n)
        scene.add(Relief::ORDINARY, 100, 700, Relief::VIEWS - 1, 0.5, true, true);
    return scene;
}

std::vector<std::vector<int>> noTracks(const SyntheticViews& views)
{
    std::vector<std::vector<int>> none = views.labels;
    for (size_t v = 0; v < none.size(); ++v)
        std::fill(none[v].begin(), none[v].end(), -1);
    return none;
}

typedef testing::TestWithParam<bool> Multimatch_Witness_Descriptors;

TEST_P(Multimatch_Witness_Descriptors, tell_right_pairs_from_others)
{
    Relief scene(descriptors(GetParam()));
    for (int n = 0; n < 150; ++n)
        scene.add(Relief::ORDINARY, 100, 700, Relief::VIEWS - 1, 0.5, true);
    const CsrMatrix L = scene.logOdds(0, scene.views.labels);
    EXPECT_GT(scene.mean(L, NULL, Relief::ORDINARY, Relief::ORDINARY, true), 2);
    EXPECT_LT(scene.mean(L, NULL, Relief::ORDINARY, Relief::ORDINARY, false), -2);
}

INSTANTIATE_TEST_CASE_P(/**/, Multimatch_Witness_Descriptors, testing::Bool());

TEST(Multimatch_Witness, descriptors_do_not_tell_twins_apart)
{
    const Relief scene = withTwins();
    const CsrMatrix L = scene.logOdds(0, scene.views.labels);
    const double right = scene.mean(L, NULL, Relief::ORDINARY, Relief::ORDINARY, true);
    EXPECT_NEAR(right, scene.mean(L, NULL, Relief::ORDINARY, Relief::TWIN, false), 1.5);
}

TEST(Multimatch_Witness, place_tells_twins_apart)
{
    const Relief scene = withTwins();
    EXPECT_GT(scene.meanAdded(WITNESS_PLACE, Relief::ORDINARY, Relief::ORDINARY, true), 2);
    EXPECT_LT(scene.meanAdded(WITNESS_PLACE, Relief::ORDINARY, Relief::TWIN, false), -2);
}

TEST(Multimatch_Witness, place_tells_twins_apart_where_few_points_around_are_on_tracks)
{
    // Of the 48 nearest points about four are on tracks, which are too few for a map; of four times
    // as many 17 are.
    Relief scene(descriptors(false));
    for (int n = 0; n < 60; ++n)
        scene.add(Relief::ORDINARY, 100, 700, Relief::VIEWS - 1, 0.5, true, true);
    for (int n = 0; n < 560; ++n)
        scene.add(Relief::HIDDEN, 100, 700, Relief::VIEWS - 1, 0.5, false);
    const VerificationParams geometry; // given, but not among the witnesses
    EXPECT_GT(scene.meanAdded(WITNESS_PLACE, Relief::ORDINARY, Relief::ORDINARY, true, &geometry),
              6);
    EXPECT_LT(scene.meanAdded(WITNESS_PLACE, Relief::ORDINARY, Relief::TWIN, false, &geometry),
              -11);
}

TEST(Multimatch_Witness, angle_and_size_tell_twins_apart)
{
    const Relief scene = withTwins();
    EXPECT_GT(scene.meanAdded(WITNESS_FRAME, Relief::ORDINARY, Relief::ORDINARY, true), 1);
    EXPECT_LT(scene.meanAdded(WITNESS_FRAME, Relief::ORDINARY, Relief::TWIN, false), -2);
}

TEST(Multimatch_Witness, epipolar_lines_tell_twins_apart)
{
    const Relief scene = withTwins();
    const VerificationParams geometry;
    EXPECT_GT(
        scene.meanAdded(WITNESS_GEOMETRY, Relief::ORDINARY, Relief::ORDINARY, true, &geometry), 2);
    EXPECT_LT(scene.meanAdded(WITNESS_GEOMETRY, Relief::ORDINARY, Relief::TWIN, false, &geometry),
              -2);
}

TEST(Multimatch_Witness, overlap_is_evidence_against_pairs_in_parts_that_are_not_shared)
{
    Relief scene(descriptors(false));
    for (int n = 0; n < 120; ++n)
    {
        scene.add(Relief::ORDINARY, 100, 400, Relief::VIEWS - 1, 0.5, true);
        scene.add(Relief::HIDDEN, 400, 700, Relief::VIEWS - 2, 0.5, true);
    }
    // Wrong pairs of a hidden point lead anywhere, also to the last view.
    EXPECT_GT(scene.meanAdded(WITNESS_OVERLAP, Relief::ORDINARY, Relief::ORDINARY, true), 0);
    EXPECT_LT(scene.meanAdded(WITNESS_OVERLAP, Relief::ORDINARY, Relief::HIDDEN, false), -0.1);
}

TEST(Multimatch_Witness, without_tracks_positions_add_next_to_nothing)
{
    const Relief scene = withTwins();
    const std::vector<std::vector<int>> none = noTracks(scene.views);
    const CsrMatrix without = scene.logOdds(0, none);
    for (int witness : {WITNESS_PLACE, WITNESS_FRAME, WITNESS_OVERLAP, WITNESS_GEOMETRY})
    {
        const VerificationParams geometry;
        const CsrMatrix with = scene.logOdds(witness, none, &geometry);
        ASSERT_EQ(without.columns, with.columns) << "witness " << witness;
        for (size_t e = 0; e < with.values.size(); ++e)
            ASSERT_NEAR(without.values[e], with.values[e], 0.01) << "witness " << witness;
    }
}

}} // namespace opencv_test
