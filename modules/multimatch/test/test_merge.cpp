// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

#include "opencv2/multimatch/merge.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;

typedef std::vector<std::vector<int>> Labels;
typedef std::vector<std::vector<float>> Confidences;

//! Tracks of a collection, and parts of it.
struct Collection
{
    std::vector<Tracks> parts;
    std::vector<std::vector<int>> views;
    std::vector<int> counts;

    Tracks merged() const { return mergeTracks(parts, views, counts); }
    void add(const std::vector<int>& indices, const Labels& labels,
             const Confidences& confidence = Confidences())
    {
        views.push_back(indices);
        parts.push_back(Tracks(labels, confidence));
    }
};

//! Random tracks over views, each point of a track seen in about half of them; labels are numbers
//! of the tracks.
Labels randomTruth(int views, int tracks, RNG& rng)
{
    Labels truth(static_cast<size_t>(views));
    for (size_t v = 0; v < truth.size(); ++v)
    {
        for (int t = 0; t < tracks; ++t)
            if (rng.uniform(0, 2) == 0)
                truth[v].push_back(t);
        for (size_t p = truth[v].size(); p > 1; --p)
            std::swap(truth[v][p - 1], truth[v][rng.uniform(0, static_cast<int>(p))]);
    }
    return truth;
}

//! Windows of a collection, in which points get the label of another with some probability.
Collection windowsOf(const Labels& truth, int length, int step, double wrong, RNG& rng)
{
    Collection result;
    for (size_t v = 0; v < truth.size(); ++v)
        result.counts.push_back(static_cast<int>(truth[v].size()));
    for (int first = 0; first + length <= static_cast<int>(truth.size()); first += step)
    {
        std::vector<int> indices;
        Labels labels;
        Confidences confidence;
        for (int v = first; v < first + length; ++v)
        {
            indices.push_back(v);
            labels.push_back(truth[v]);
            std::vector<int>& own = labels.back();
            confidence.push_back(std::vector<float>(own.size(), 0.9f));
            for (size_t p = 0; p + 1 < own.size(); ++p)
                if (rng.uniform(0., 1.) < wrong)
                {
                    std::swap(own[p], own[p + 1]);
                    confidence.back()[p] = confidence.back()[p + 1] = rng.uniform(0.3f, 0.9f);
                }
        }
        result.add(indices, labels, confidence);
    }
    return result;
}

TEST(Multimatch_Merge, tracks_with_a_common_observation_become_one)
{
    Collection c;
    c.counts = {2, 3, 1, 1};
    c.add({0, 1}, {{0, 1}, {-1, 0, 1}}, {{.9f, .8f}, {0.f, .7f, .6f}});
    c.add({2, 1}, {{0}, {-1, 0, -1}}, {{.5f}, {0.f, .95f, 0.f}});
    const Tracks merged = c.merged();
    EXPECT_EQ(Tracks({{0, 1}, {-1, 0, 1}, {0}, {-1}}, {{.9f, .8f}, {0.f, .95f, .6f}, {.5f}, {0.f}}),
              merged);
}

TEST(Multimatch_Merge, contradictions_are_decided_by_the_confidence)
{
    // Both parts see views 0 and 1. One has (0,0)-(1,0)-(2,0), the other (0,0)-(1,1)-(3,0).
    for (int stronger = 0; stronger < 2; ++stronger)
    {
        Collection c;
        c.counts = {1, 2, 1, 1};
        const float a = stronger == 0 ? .95f : .6f, b = stronger == 1 ? .95f : .6f;
        c.add({0, 1, 2}, {{0}, {0, -1}, {0}}, {{a}, {a, 0.f}, {a}});
        c.add({0, 1, 3}, {{0}, {-1, 0}, {0}}, {{b}, {0.f, b}, {b}});
        const Tracks merged = c.merged();
        expectConsistent(merged);
        const int id = merged.ids(0)[0];
        EXPECT_EQ(id, merged.ids(1)[stronger]);
        EXPECT_EQ(id, merged.ids(stronger == 0 ? 2 : 3)[0]);
    }
}

TEST(Multimatch_Merge, what_two_parts_say_outweighs_one)
{
    Collection c;
    c.counts = {1, 2};
    c.add({0, 1}, {{0}, {0, -1}}, {{.9f}, {.9f, 0.f}});
    c.add({0, 1}, {{0}, {-1, 0}}, {{.8f}, {0.f, .8f}});
    c.add({1, 0}, {{-1, 0}, {0}}, {{0.f, .8f}, {.8f}});
    EXPECT_EQ(std::vector<int>({-1, 0}), c.merged().trackIds(1));
}

TEST(Multimatch_Merge, one_wrong_observation_does_not_divide_a_track)
{
    // The second part has another point of view 0; the rest of both tracks belongs together.
    Collection c;
    c.counts = {2, 1, 1, 1, 1};
    c.add({0, 1, 2, 3}, {{0, -1}, {0}, {0}, {0}});
    c.add({0, 2, 3, 4}, {{-1, 0}, {0}, {0}, {0}});
    const Tracks merged = c.merged();
    EXPECT_EQ(1, merged.size());
    EXPECT_EQ(5, merged.length(0));
}

TEST(Multimatch_Merge, parts_of_consistent_tracks_give_them_again)
{
    RNG rng(3);
    const Labels truth = randomTruth(12, 60, rng);
    const Tracks whole(truth, Confidences(), 2);
    const Collection c = windowsOf(truth, 6, 1, 0, rng);
    const Tracks merged = c.merged();
    expectConsistent(merged);
    // A track that is seen in no two views of a window stays in pieces.
    const MatchScore score = scoreTracks(merged, truth);
    EXPECT_EQ(1., score.precision());
    EXPECT_GT(score.recall(), 0.9);
    // A part that sees all connects them.
    std::vector<int> all(c.counts.size());
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(whole.filter(2), mergeTracks({merged, whole}, {all, all}, c.counts));
}

TEST(Multimatch_Merge, order_of_parts_and_of_their_views_does_not_matter)
{
    RNG rng(4);
    const Labels truth = randomTruth(10, 80, rng);
    Collection c = windowsOf(truth, 5, 1, 0.1, rng);
    const Tracks merged = c.merged();
    expectConsistent(merged);
    for (int n = 0; n < 4; ++n)
    {
        for (size_t part = c.parts.size(); part > 1; --part)
        {
            const size_t other = static_cast<size_t>(rng.uniform(0, static_cast<int>(part)));
            std::swap(c.parts[part - 1], c.parts[other]);
            std::swap(c.views[part - 1], c.views[other]);
        }
        Labels labels;
        Confidences confidence;
        for (int v = c.parts[0].viewCount() - 1; v >= 0; --v)
        {
            labels.push_back(c.parts[0].trackIds(v));
            confidence.push_back(c.parts[0].confidence(v));
        }
        c.parts[0] = Tracks(labels, confidence);
        std::reverse(c.views[0].begin(), c.views[0].end());
        EXPECT_EQ(merged, c.merged());
    }
}

TEST(Multimatch_Merge, nothing_is_dropped_that_could_stay)
{
    for (unsigned seed = 1; seed < 6; ++seed)
    {
        RNG rng(seed);
        const Labels truth = randomTruth(10, 60, rng);
        const Collection c = windowsOf(truth, 5, 1, 0.05, rng);
        const Tracks merged = c.merged();
        expectConsistent(merged);
        for (size_t n = 0; n < c.parts.size(); ++n)
            for (int t = 0; t < c.parts[n].size(); ++t)
            {
                const std::vector<Observation> track = c.parts[n].track(t);
                for (size_t a = 0; a < track.size(); ++a)
                    for (size_t b = 0; b < track.size(); ++b)
                    {
                        const int v = c.views[n][track[a].view];
                        const int w = c.views[n][track[b].view];
                        const int own = merged.ids(v)[track[a].point];
                        const int other = merged.ids(w)[track[b].point];
                        if (a == b || own >= 0)
                            continue;
                        // A single point has no single partner, and partners have another point of
                        // its view.
                        ASSERT_GE(other, 0);
                        const std::vector<int>& ids = merged.ids(v);
                        EXPECT_NE(ids.end(), std::find(ids.begin(), ids.end(), other));
                    }
            }
        // It is better than the parts are.
        double precision = 0;
        for (size_t n = 0; n < c.parts.size(); ++n)
        {
            Labels own;
            for (size_t i = 0; i < c.views[n].size(); ++i)
                own.push_back(truth[c.views[n][i]]);
            precision += scoreTracks(c.parts[n], own).precision();
        }
        EXPECT_GT(scoreTracks(merged, truth).precision(),
                  precision / static_cast<double>(c.parts.size()));
    }
}

TEST(Multimatch_Merge, results_can_be_merged_again)
{
    RNG rng(7);
    const Labels truth = randomTruth(16, 60, rng);
    const Collection c = windowsOf(truth, 6, 2, 0.02, rng);
    const size_t half = c.parts.size() / 2;
    const Tracks left = mergeTracks(
        std::vector<Tracks>(c.parts.begin(), c.parts.begin() + static_cast<ptrdiff_t>(half)),
        Labels(c.views.begin(), c.views.begin() + static_cast<ptrdiff_t>(half)), c.counts);
    const Tracks right = mergeTracks(
        std::vector<Tracks>(c.parts.begin() + static_cast<ptrdiff_t>(half), c.parts.end()),
        Labels(c.views.begin() + static_cast<ptrdiff_t>(half), c.views.end()), c.counts);
    std::vector<int> all(c.counts.size());
    std::iota(all.begin(), all.end(), 0);
    const Tracks merged = mergeTracks({left, right}, {all, all}, c.counts);
    expectConsistent(merged);
    const double once = scoreTracks(c.merged(), truth).fscore();
    EXPECT_NEAR(once, scoreTracks(merged, truth).fscore(), 0.03);
}

TEST(Multimatch_Merge, no_parts_and_parts_without_overlap)
{
    const Tracks none = mergeTracks({}, {}, {2, 0, 1});
    EXPECT_EQ(3, none.viewCount());
    EXPECT_EQ(std::vector<int>({-1, -1}), none.trackIds(0));
    Collection c;
    c.counts = {1, 1, 1, 1};
    c.add({0, 2}, {{4}, {4}});
    c.add({3, 1}, {{4}, {4}});
    EXPECT_EQ(Tracks({{0}, {1}, {0}, {1}}), c.merged());
}

TEST(Multimatch_Merge, wrong_arguments_are_named)
{
    const Tracks part({{0}, {0, -1}});
    EXPECT_ERROR(mergeTracks({part}, {}, {1, 2}), "1 parts but viewIndices has 0");
    EXPECT_ERROR(mergeTracks({part}, {{0}}, {1, 2}), "viewIndices[0] has 1");
    EXPECT_ERROR(mergeTracks({part}, {{0, 2}}, {1, 2}), "viewIndices[0][1] is 2");
    EXPECT_ERROR(mergeTracks({part}, {{1, 1}}, {1, 1}), "twice");
    EXPECT_ERROR(mergeTracks({part}, {{1, 0}}, {1, 2}), "has 1 points but pointCounts[1] is 2");
    EXPECT_ERROR(mergeTracks({part}, {{0, 1}}, {1, 2, -1}), "pointCounts[2] is -1");
}

}} // namespace opencv_test::
