// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_peers.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;

//! Views of points without geometry; each inner vector holds one-dimensional descriptors.
struct Line
{
    std::vector<std::vector<KeyPoint>> keypoints;
    std::vector<Mat> descriptors;

    void add(const std::vector<float>& values)
    {
        std::vector<KeyPoint> points;
        for (size_t p = 0; p < values.size(); ++p)
            points.push_back(KeyPoint(Point2f(static_cast<float>(p), 0.f), 1.f));
        keypoints.push_back(points);
        descriptors.push_back(Mat(values, true));
    }
};

//! Matches given as triplets: a symmetric similarity of the points of all views.
class GivenMatches
{
public:
    explicit GivenMatches(const std::vector<int>& viewSizes_) : viewSizes(viewSizes_) {}

    void add(int p, int q, float weight = 1.f)
    {
        rows_.push_back(p);
        columns_.push_back(q);
        rows_.push_back(q);
        columns_.push_back(p);
        weights_.insert(weights_.end(), 2, weight);
    }

    CsrMatrix similarity() const
    {
        const int m = std::accumulate(viewSizes.begin(), viewSizes.end(), 0);
        return CsrMatrix::fromTriplets(m, m, rows_, columns_, weights_);
    }

    const std::vector<int> viewSizes;

private:
    std::vector<int> rows_, columns_;
    std::vector<float> weights_;
};

//! Tracks as strings of track ids, view by view: "0 -1|0|0".
std::string idsOf(const Tracks& tracks)
{
    std::string text;
    for (int v = 0; v < tracks.viewCount(); ++v)
    {
        const std::vector<int> ids = tracks.trackIds(v);
        text += v > 0 ? "|" : "";
        for (size_t p = 0; p < ids.size(); ++p)
            text += (p > 0 ? " " : "") + std::to_string(ids[p]);
    }
    return text;
}

/** k views that see all n points, each in an order of its own, with all matches known. The matches
of every fifth pair of views are random. */
struct Synchronization
{
    std::vector<std::vector<int>> labels;
    GivenMatches matches;

    Synchronization(int k, int n, unsigned seed)
        : matches(std::vector<int>(static_cast<size_t>(k), n))
    {
        RNG rng(seed);
        for (int v = 0; v < k; ++v)
            labels.push_back(permutation(n, rng));
        int pair = 0;
        for (int i = 0; i < k; ++i)
            for (int j = i + 1; j < k; ++j)
            {
                const std::vector<int> random = permutation(n, rng);
                const bool wrong = pair++ % 5 == 0;
                for (int p = 0; p < n; ++p)
                    for (int q = 0; q < n; ++q)
                        if (wrong ? random[p] == q : labels[i][p] == labels[j][q])
                            matches.add(i * n + p, j * n + q);
            }
    }

    static std::vector<int> permutation(int n, RNG& rng)
    {
        std::vector<int> order(static_cast<size_t>(n));
        std::iota(order.begin(), order.end(), 0);
        for (int p = n - 1; p > 0; --p)
            std::swap(order[p], order[rng.uniform(0, p + 1)]);
        return order;
    }
};

TEST(Multimatch_Pairwise, minimizes_the_total_distance)
{
    // The closest pair (1, 0.9) would leave 0 with 2.1: 2.2 in all against 0.9 + 1.1.
    Line line;
    line.add({0.f, 1.f});
    line.add({0.9f, 2.1f});
    const std::vector<PairMatches> pairs =
        Pairwise::create()->matchPairs(line.keypoints, line.descriptors);
    ASSERT_EQ(1u, pairs.size());
    ASSERT_EQ(2u, pairs[0].matches.size());
    EXPECT_EQ(0, pairs[0].matches[0].trainIdx);
    EXPECT_EQ(1, pairs[0].matches[1].trainIdx);
    EXPECT_EQ(1, pairs[0].matches[0].imgIdx);
    EXPECT_NEAR(0.9, pairs[0].matches[0].distance, 1e-6);
    EXPECT_NEAR(1.1, pairs[0].matches[1].distance, 1e-6);

    // Worth 1 - distance, only the closest pair pays.
    PairwiseParams params;
    params.maxDistance = 1.f;
    const std::vector<PairMatches> close =
        Pairwise::create(params)->matchPairs(line.keypoints, line.descriptors);
    ASSERT_EQ(1u, close[0].matches.size());
    EXPECT_EQ(1, close[0].matches[0].queryIdx);
    EXPECT_EQ(0, close[0].matches[0].trainIdx);
}

TEST(Multimatch_Pairwise, tracks_are_the_closure_without_conflicts)
{
    // Around 0 all three views agree; the chain 5.1 - 5.4 - 5.65 - 5.75 ends on another point of
    // view 0.
    Line line;
    line.add({0.f, 5.1f, 5.75f});
    line.add({0.01f, 5.4f});
    line.add({0.02f, 5.65f});
    PairwiseParams params;
    params.maxDistance = 0.5f;
    const Ptr<Pairwise> matcher = Pairwise::create(params);
    EXPECT_EQ(6u, matchSet(matcher->matchPairs(line.keypoints, line.descriptors)).size());
    EXPECT_EQ("0 -1 -1|0 -1|0 -1", idsOf(matcher->match(line.keypoints, line.descriptors)));
    EXPECT_GT(cycleError(matcher->matchPairs(line.keypoints, line.descriptors)), 0);
}

TEST(Multimatch_Pairwise, compares_only_the_pairs_it_is_given)
{
    Line line;
    for (int v = 0; v < 4; ++v)
        line.add({0.f, 1.f});
    const Ptr<Pairwise> matcher = Pairwise::create();
    matcher->setWindow(1);
    EXPECT_EQ(3u, matcher->matchPairs(line.keypoints, line.descriptors).size());
    const Mat chosen = (Mat_<int>(2, 2) << 3, 0, 1, 2);
    matcher->setPairs(chosen);
    const std::vector<PairMatches> pairs = matcher->matchPairs(line.keypoints, line.descriptors);
    ASSERT_EQ(2u, pairs.size());
    EXPECT_EQ(0, pairs[0].first);
    EXPECT_EQ(3, pairs[0].second);
    EXPECT_EQ(1, pairs[1].first);
    EXPECT_EQ(2, pairs[1].second);
}

TEST(Multimatch_UnionFind, drops_components_with_two_points_in_a_view)
{
    // a0 - b0 - c0 - a1, and a2 - b1.
    GivenMatches matches({3, 2, 1});
    matches.add(0, 3);
    matches.add(3, 5);
    matches.add(5, 1);
    matches.add(2, 4);
    EXPECT_EQ("-1 -1 0|-1 0|-1",
              idsOf(UnionFind::create()->solve(matches.viewSizes, matches.similarity())));
}

TEST(Multimatch_UnionFind, an_entry_of_zero_is_no_match)
{
    GivenMatches matches({1, 1});
    matches.add(0, 1, 0.f);
    EXPECT_TRUE(UnionFind::create()->solve(matches.viewSizes, matches.similarity()).empty());
}

TEST(Multimatch_UnionFind, ratio_test_counts_from_both_sides)
{
    // From view 0 the second nearest of 0 is far; from view 1 the nearest of 1 is 0 and 1.9 is
    // hardly farther.
    Line line;
    line.add({0.f, 1.9f});
    line.add({1.f, 9.f});
    EXPECT_TRUE(UnionFind::create(0.8f)->match(line.keypoints, line.descriptors).empty());
    EXPECT_EQ("-1 0|0 -1",
              idsOf(UnionFind::create(0.95f)->match(line.keypoints, line.descriptors)));
    // Without it, mutual nearest is enough; 9 and 0 are not nearest to anything.
    EXPECT_EQ("-1 0|0 -1", idsOf(UnionFind::create(1.f)->match(line.keypoints, line.descriptors)));
}

TEST(Multimatch_Kruskal, refuses_the_weaker_match)
{
    // a0 - b0 - c0 - a1: the weakest match of the chain gives way.
    for (int weakest = 0; weakest < 3; ++weakest)
    {
        GivenMatches matches({2, 1, 1});
        const int ends[][2] = {{0, 2}, {2, 3}, {3, 1}};
        for (int e = 0; e < 3; ++e)
            matches.add(ends[e][0], ends[e][1], e == weakest ? 0.1f : 0.5f + 0.1f * e);
        const Tracks tracks = Kruskal::create()->solve(matches.viewSizes, matches.similarity());
        const char* const expected[] = {"-1 0|0|0", "0 1|0|1", "0 -1|0|0"};
        EXPECT_EQ(expected[weakest], idsOf(tracks));
    }
}

TEST(Multimatch_Kruskal, joins_nearest_descriptors_first)
{
    // 5.1 - 5.4 - 5.65 - 5.75: the shortest links are made first, 5.1 then finds its track
    // occupied.
    Line line;
    line.add({0.f, 5.1f, 5.75f});
    line.add({0.01f, 5.4f});
    line.add({0.02f, 5.65f});
    EXPECT_EQ("0 -1 1|0 1|0 1",
              idsOf(Kruskal::create(1.f)->match(line.keypoints, line.descriptors)));
}

TEST(Multimatch_QuickMatch, links_to_higher_density_within_reach)
{
    Line line;
    line.add({0.f, 10.f});
    line.add({0.1f, 10.1f});
    line.add({0.2f, 9.9f});
    EXPECT_EQ("0 1|0 1|0 1", idsOf(QuickMatch::create()->match(line.keypoints, line.descriptors)));

    // The edge from 4 is 4 long, the points inside each view are 10 apart.
    Line far;
    far.add({0.f, 10.f});
    far.add({4.f, 14.f});
    QuickMatchParams params;
    params.rhoEdge = 0.41f;
    EXPECT_EQ("0 1|0 1", idsOf(QuickMatch::create(params)->match(far.keypoints, far.descriptors)));
    params.rhoEdge = 0.39f;
    EXPECT_TRUE(QuickMatch::create(params)->match(far.keypoints, far.descriptors).empty());
}

TEST(Multimatch_QuickMatch, few_neighbors_suffice)
{
    SyntheticParams synthetic;
    synthetic.noise = 0.3;
    const SyntheticViews views = makeViews(synthetic);
    QuickMatchParams params;
    const Tracks all = QuickMatch::create(params)->match(views.keypoints, views.descriptors);
    params.neighbors = 5;
    const Tracks few = QuickMatch::create(params)->match(views.keypoints, views.descriptors);
    EXPECT_EQ(partition(all), partition(few));
}

TEST(Multimatch_Spectral, complete_views_outvote_wrong_pairs)
{
    const Synchronization problem(8, 6, 1);
    SpectralParams params;
    params.universeSize = 6;
    const Tracks tracks =
        Spectral::create(params)->solve(problem.matches.viewSizes, problem.matches.similarity());
    EXPECT_TRUE(partition(Tracks(problem.labels)) == partition(tracks));
    EXPECT_EQ(6, tracks.report().universeSize);
}

//! More points than the dense eigensolver takes.
TEST(Multimatch_Spectral, large_problems_are_solved_as_well)
{
    const Synchronization problem(40, 45, 2);
    SpectralParams params;
    params.universeSize = 45;
    const Ptr<Spectral> spectral = Spectral::create(params);
    const CsrMatrix similarity = problem.matches.similarity();
    const Tracks tracks = spectral->solve(problem.matches.viewSizes, similarity);
    EXPECT_TRUE(partition(Tracks(problem.labels)) == partition(tracks));

    // The same eigenvectors serve the partial rule when a view is short of a point.
    std::vector<int> viewSizes = problem.matches.viewSizes;
    viewSizes.back() -= 1;
    viewSizes.push_back(1);
    const Tracks partial = spectral->solve(viewSizes, similarity);
    EXPECT_EQ(45, partial.size());
}

TEST(Multimatch_MatchEig, removes_wrong_pairs)
{
    const int sizes[][2] = {{8, 6}, {40, 45}};
    for (int s = 0; s < 2; ++s)
    {
        const Synchronization problem(sizes[s][0], sizes[s][1], 3);
        MatchEigParams params;
        params.universeSize = sizes[s][1];
        params.threshold = 0.25f;
        const Ptr<MatchEig> matcher = MatchEig::create(params);
        const CsrMatrix similarity = problem.matches.similarity();
        EXPECT_TRUE(matchSet(Tracks(problem.labels)) ==
                    matchSet(matcher->solvePairs(problem.matches.viewSizes, similarity)));
        EXPECT_EQ(sizes[s][1], matcher->getPairsReport().universeSize);
        EXPECT_TRUE(partition(Tracks(problem.labels)) ==
                    partition(matcher->solve(problem.matches.viewSizes, similarity)));
    }
}

TEST(Multimatch_MatchEig, keeps_matches_one_to_one)
{
    // b0 matches both points of view 0; only one can stay.
    GivenMatches matches({2, 1});
    matches.add(0, 2, 1.f);
    matches.add(1, 2, 0.8f);
    MatchEigParams params;
    params.threshold = 0.25f;
    const std::vector<PairMatches> pairs =
        MatchEig::create(params)->solvePairs(matches.viewSizes, matches.similarity());
    ASSERT_EQ(1u, pairs.size());
    ASSERT_EQ(1u, pairs[0].matches.size());
    EXPECT_EQ(0, pairs[0].matches[0].queryIdx);
}

TEST(Multimatch_MatchALS, removes_wrong_pairs)
{
    const Synchronization problem(8, 6, 4);
    MatchALSParams params;
    params.universeSize = 6;
    const Ptr<MatchALS> matcher = MatchALS::create(params);
    const CsrMatrix similarity = problem.matches.similarity();
    EXPECT_TRUE(matchSet(Tracks(problem.labels)) ==
                matchSet(matcher->solvePairs(problem.matches.viewSizes, similarity)));
    EXPECT_TRUE(matcher->getPairsReport().converged);
    EXPECT_TRUE(partition(Tracks(problem.labels)) ==
                partition(matcher->solve(problem.matches.viewSizes, similarity)));
}

TEST(Multimatch_MatchALS, refuses_what_does_not_fit)
{
    const int m = MatchALS::MAX_POINTS + 1;
    EXPECT_ERROR(MatchALS::create()->solve({m - 1, 1}, CsrMatrix(m, m)), "at most 4000 points");
}

TEST(Multimatch_PeerParams, errors_name_parameter_and_value)
{
    EXPECT_ERROR(UnionFind::create(0.f), "ratio is 0, expected a value in (0, 1]");
    EXPECT_ERROR(Kruskal::create(1.5f), "ratio is 1.5");
    PairwiseParams pairwise;
    pairwise.neighbors = -1;
    EXPECT_ERROR(Pairwise::create(pairwise), "PairwiseParams::neighbors is -1");
    QuickMatchParams quick;
    quick.rhoEdge = -2;
    EXPECT_ERROR(QuickMatch::create(quick), "QuickMatchParams::rhoEdge is -2");
    SpectralParams spectral;
    spectral.threshold = 1;
    EXPECT_ERROR(Spectral::create(spectral), "SpectralParams::threshold is 1");
    MatchEigParams eig;
    eig.threshold = std::numeric_limits<float>::quiet_NaN();
    EXPECT_ERROR(MatchEig::create(eig), "MatchEigParams::threshold");
    MatchALSParams als;
    als.maxIterations = 0;
    EXPECT_ERROR(MatchALS::create(als), "MatchALSParams::maxIterations is 0");
    EXPECT_ERROR(UnionFind::create()->solve({1, 2}, CsrMatrix(2, 2)), "have 3 points");
}

}} // namespace opencv_test
