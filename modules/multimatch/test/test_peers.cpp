// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_peers.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;

const char* const ALL_MATCHERS[] = {"Pairwise",
                                    "PairwiseNeighbors",
                                    "UnionFind",
                                    "Kruskal",
                                    "QuickMatch",
                                    "Spectral",
                                    "MatchEig",
                                    "MatchALS",
                                    "RandomWalks",
                                    "AlternatingMatching",
                                    "GraduatedConsistency",
                                    "LowRankCoordinates",
                                    "SparseConsistent"};
//! Those that leave points unmatched which other views do not show.
const char* const PARTIAL_MATCHERS[] = {"Pairwise",   "PairwiseNeighbors", "UnionFind", "Kruskal",
                                        "QuickMatch", "Spectral",          "MatchEig",  "MatchALS"};

//! Every matcher in the setting that suits makeViews().
Ptr<MultiMatcher> createMatcher(const std::string& name, int universe)
{
    const float ratio = 0.8f;
    if (name == "UnionFind")
        return UnionFind::create(ratio);
    if (name == "Kruskal")
        return Kruskal::create(ratio);
    if (name == "QuickMatch")
        return QuickMatch::create();
    if (name == "Spectral")
    {
        SpectralParams params;
        params.ratio = ratio;
        params.universeSize = universe;
        return Spectral::create(params);
    }
    if (name == "MatchEig")
    {
        MatchEigParams params;
        params.ratio = ratio;
        return MatchEig::create(params);
    }
    if (name == "MatchALS")
    {
        MatchALSParams params;
        params.ratio = ratio;
        params.maxIterations = 300;
        return MatchALS::create(params);
    }
    if (name == "RandomWalks")
        return RandomWalks::create();
    if (name == "AlternatingMatching")
        return AlternatingMatching::create();
    if (name == "GraduatedConsistency")
        return GraduatedConsistency::create();
    if (name == "LowRankCoordinates")
    {
        LowRankParams params;
        params.maxIterations = 1000 + universe; // universeSize is limited by the smallest view
        return LowRankCoordinates::create(params);
    }
    if (name == "SparseConsistent")
        return SparseConsistent::create();
    PairwiseParams params;
    params.maxDistance = 3.f;
    params.neighbors = name == "PairwiseNeighbors" ? 3 : 0;
    return Pairwise::create(params);
}

//! Small, for the sake of the slowest matcher.
SyntheticParams smallProblem(double noise)
{
    SyntheticParams params;
    params.views = 6;
    params.universe = 20;
    params.visible = 15;
    params.outliers = 3;
    params.noise = noise;
    return params;
}

class Multimatch_Peers : public testing::TestWithParam<const char*>
{
protected:
    void SetUp() CV_OVERRIDE { threads_ = getNumThreads(); }
    void TearDown() CV_OVERRIDE { setNumThreads(threads_); }

private:
    int threads_;
};

//! What holds only for matchers that leave points unmatched.
class Multimatch_PartialPeers : public Multimatch_Peers
{
};

TEST_P(Multimatch_PartialPeers, is_perfect_without_noise)
{
    const SyntheticParams params = smallProblem(0.01);
    const SyntheticViews views = makeViews(params);
    const Ptr<MultiMatcher> matcher = createMatcher(GetParam(), params.universe);
    const Tracks tracks = matcher->match(views.keypoints, views.descriptors);
    expectConsistent(tracks);
    EXPECT_TRUE(matchSet(Tracks(views.labels)) == matchSet(tracks));
    EXPECT_TRUE(matchSet(Tracks(views.labels)) == matchSet(*matcher, views));
}

TEST_P(Multimatch_Peers, is_perfect_where_all_views_are_complete)
{
    SyntheticParams params = smallProblem(0.1);
    params.visible = params.universe;
    params.outliers = 0;
    const SyntheticViews views = makeViews(params);
    const Ptr<MultiMatcher> matcher = createMatcher(GetParam(), params.universe);
    const std::set<std::vector<int>> truth = matchSet(Tracks(views.labels));
    const std::set<std::vector<int>> found = matchSet(*matcher, views);
    // SparseConsistent leaves out what agrees less well than the rest.
    if (std::string(GetParam()) != "SparseConsistent")
    {
        EXPECT_TRUE(truth == found);
    }
    EXPECT_TRUE(std::includes(truth.begin(), truth.end(), found.begin(), found.end()));
    EXPECT_FALSE(found.empty());
}

TEST_P(Multimatch_Peers, same_result_on_any_number_of_threads)
{
    const SyntheticParams params = smallProblem(0.5);
    const SyntheticViews views = makeViews(params);
    const Ptr<MultiMatcher> matcher = createMatcher(GetParam(), params.universe);
    setNumThreads(1);
    const Tracks one = matcher->match(views.keypoints, views.descriptors);
    const std::set<std::vector<int>> pairsOfOne = matchSet(*matcher, views);
    setNumThreads(4);
    EXPECT_TRUE(one == matcher->match(views.keypoints, views.descriptors));
    EXPECT_EQ(pairsOfOne, matchSet(*matcher, views));
}

TEST_P(Multimatch_Peers, same_result_in_any_order_of_views_and_points)
{
    const SyntheticParams params = smallProblem(0.5);
    const SyntheticViews views = makeViews(params);
    std::vector<int> viewTo;
    std::vector<std::vector<int>> pointTo;
    const SyntheticViews shuffled = shuffledViews(views, 7, viewTo, pointTo);
    const Ptr<MultiMatcher> matcher = createMatcher(GetParam(), params.universe);
    const Tracks tracks = matcher->match(views.keypoints, views.descriptors);
    expectConsistent(tracks);
    EXPECT_EQ(renumbered(partition(tracks), viewTo, pointTo),
              partition(matcher->match(shuffled.keypoints, shuffled.descriptors)));

    const std::set<std::vector<int>> pairs = matchSet(*matcher, views);
    std::set<std::vector<int>> expected;
    std::set<std::vector<int>>::const_iterator m;
    for (m = pairs.begin(); m != pairs.end(); ++m)
    {
        int a[] = {viewTo[(*m)[0]], pointTo[(*m)[0]][(*m)[1]]};
        int b[] = {viewTo[(*m)[2]], pointTo[(*m)[2]][(*m)[3]]};
        if (a[0] > b[0])
        {
            std::swap(a[0], b[0]);
            std::swap(a[1], b[1]);
        }
        const int entry[] = {a[0], a[1], b[0], b[1]};
        expected.insert(std::vector<int>(entry, entry + 4));
    }
    EXPECT_EQ(expected, matchSet(*matcher, shuffled));
}

TEST_P(Multimatch_PartialPeers, takes_empty_views_and_binary_descriptors)
{
    SyntheticParams params = smallProblem(0.02);
    params.binary = true;
    SyntheticViews views = makeViews(params);
    views.keypoints.insert(views.keypoints.begin() + 2, std::vector<KeyPoint>());
    views.descriptors.insert(views.descriptors.begin() + 2, Mat());
    views.labels.insert(views.labels.begin() + 2, std::vector<int>());
    const Ptr<MultiMatcher> matcher = createMatcher(GetParam(), params.universe);
    if (Pairwise* pairwise = dynamic_cast<Pairwise*>(matcher.get()))
    {
        PairwiseParams limit = pairwise->getParams();
        limit.maxDistance = 40;
        pairwise->setParams(limit);
    }
    const Tracks tracks = matcher->match(views.keypoints, views.descriptors);
    EXPECT_EQ(7, tracks.viewCount());
    EXPECT_GT(scoreTracks(tracks, views.labels).fscore(), 0.99);

    if (PairwiseMatcher* pairwise = dynamic_cast<PairwiseMatcher*>(matcher.get()))
    {
        // All pairs are listed, those of the empty view without matches.
        const std::vector<PairMatches> pairs =
            pairwise->matchPairs(views.keypoints, views.descriptors);
        ASSERT_EQ(21u, pairs.size());
        size_t at = 0;
        for (int i = 0; i < 7; ++i)
            for (int j = i + 1; j < 7; ++j, ++at)
            {
                EXPECT_EQ(i, pairs[at].first);
                EXPECT_EQ(j, pairs[at].second);
                EXPECT_EQ(i == 2 || j == 2, pairs[at].matches.empty());
            }
    }
}

TEST_P(Multimatch_Peers, takes_views_without_any_point)
{
    const std::vector<std::vector<KeyPoint>> keypoints(3);
    const std::vector<Mat> descriptors(3);
    const Tracks tracks = createMatcher(GetParam(), 4)->match(keypoints, descriptors);
    EXPECT_EQ(3, tracks.viewCount());
    EXPECT_TRUE(tracks.empty());
}

TEST_P(Multimatch_Peers, reports_stages_and_can_be_stopped)
{
    const SyntheticParams params = smallProblem(0.1);
    const SyntheticViews views = makeViews(params);
    const Ptr<MultiMatcher> matcher = createMatcher(GetParam(), params.universe);
    MatchReport report = matcher->match(views.keypoints, views.descriptors).report();
    EXPECT_FALSE(report.stages.empty());
    EXPECT_EQ(report.stages.size(), report.seconds.size());
    EXPECT_FALSE(report.cancelled);
    EXPECT_TRUE(report.converged);

    matcher->setProgressCallback([](const Progress&) { return false; });
    const Tracks stopped = matcher->match(views.keypoints, views.descriptors);
    expectConsistent(stopped);
    EXPECT_TRUE(stopped.report().cancelled);
    EXPECT_FALSE(stopped.report().converged);
}

TEST_P(Multimatch_Peers, parameters_survive_a_file)
{
    const Ptr<MultiMatcher> matcher = createMatcher(GetParam(), 17);
    FileStorage out(".yml", FileStorage::WRITE | FileStorage::MEMORY);
    out << "matcher"
        << "{";
    matcher->write(out);
    out << "}";
    const std::string text = out.releaseAndGetString();

    const FileStorage in(text, FileStorage::READ | FileStorage::MEMORY);
    // A copy with other parameters reads the file, and then writes the same.
    const Ptr<MultiMatcher> copy = createMatcher(GetParam(), 3);
    copy->read(in["matcher"]);
    FileStorage again(".yml", FileStorage::WRITE | FileStorage::MEMORY);
    again << "matcher"
          << "{";
    copy->write(again);
    again << "}";
    EXPECT_EQ(text, again.releaseAndGetString());
    EXPECT_EQ(0u, matcher->getDefaultName().find("multimatch."));
}

INSTANTIATE_TEST_CASE_P(All, Multimatch_Peers, testing::ValuesIn(ALL_MATCHERS));
INSTANTIATE_TEST_CASE_P(All, Multimatch_PartialPeers, testing::ValuesIn(PARTIAL_MATCHERS));

}} // namespace opencv_test
