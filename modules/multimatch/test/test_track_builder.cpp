// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

#include "opencv2/multimatch/track_builder.hpp"

#include <cstdio>
#include <fstream>

namespace opencv_test { namespace {

using namespace cv::multimatch;

typedef std::vector<std::vector<int>> Labels;

SyntheticViews someViews(int count, unsigned seed = 1)
{
    SyntheticParams params;
    params.views = count;
    params.universe = 120;
    params.visible = 80;
    params.outliers = 20;
    params.seed = seed;
    return makeViews(params);
}

Labels idsOf(const TrackBuilder& builder)
{
    Labels ids;
    for (int v = 0; v < builder.viewCount(); ++v)
        ids.push_back(builder.ids(v));
    return ids;
}

int addViews(TrackBuilder& builder, const SyntheticViews& views, int first, int last,
             const Mat& pairs = Mat())
{
    return builder.add(
        std::vector<std::vector<KeyPoint>>(views.keypoints.begin() + first,
                                           views.keypoints.begin() + last),
        std::vector<Mat>(views.descriptors.begin() + first, views.descriptors.begin() + last),
        pairs);
}

Mat pairsOf(const std::vector<Vec2i>& pairs)
{
    return Mat(pairs, true).reshape(1);
}

//! The changes are exactly the differences of the ids before and after. moves: observations may go
//! from one track to another.
void expectChanges(const Labels& before, const Labels& after, const TrackChanges& changes,
                   bool moves = false)
{
    std::map<int, int> sizeBefore, sizeAfter;
    std::set<int> extended, lost;
    std::map<int, int> joined;
    ASSERT_EQ(changes.joined.size(), changes.into.size());
    for (size_t n = 0; n < changes.joined.size(); ++n)
    {
        EXPECT_LT(changes.into[n], changes.joined[n]) << "the older id remains";
        joined[changes.joined[n]] = changes.into[n];
    }
    for (size_t v = 0; v < after.size(); ++v)
        for (size_t p = 0; p < after[v].size(); ++p)
        {
            const int id = after[v][p];
            const int old = v < before.size() && p < before[v].size() ? before[v][p] : -1;
            if (id >= 0)
                ++sizeAfter[id];
            if (old >= 0 && id < 0)
                lost.insert(joined.count(old) ? joined[old] : old);
            else if (old >= 0 && old != id && !(joined.count(old) && joined[old] == id))
            {
                ASSERT_TRUE(moves) << old << " became " << id;
                lost.insert(joined.count(old) ? joined[old] : old);
            }
            if (id >= 0 && old != id)
                extended.insert(id);
        }
    for (size_t v = 0; v < before.size(); ++v)
        for (size_t p = 0; p < before[v].size(); ++p)
            if (before[v][p] >= 0)
            {
                ++sizeBefore[before[v][p]];
                if (after[v].empty())
                    lost.insert(before[v][p]); // the view was removed
            }
    std::vector<int> created, grown, reduced, removed;
    for (std::map<int, int>::const_iterator t = sizeAfter.begin(); t != sizeAfter.end(); ++t)
    {
        if (!sizeBefore.count(t->first))
            created.push_back(t->first);
        else if (extended.count(t->first))
            grown.push_back(t->first);
        if (lost.count(t->first))
            reduced.push_back(t->first);
    }
    for (std::map<int, int>::const_iterator t = sizeBefore.begin(); t != sizeBefore.end(); ++t)
        if (!sizeAfter.count(t->first) && !joined.count(t->first))
            removed.push_back(t->first);
    EXPECT_EQ(created, changes.created);
    EXPECT_EQ(grown, changes.extended);
    EXPECT_EQ(reduced, changes.reduced);
    EXPECT_EQ(removed, changes.removed);
}

TEST(Multimatch_TrackBuilder, first_views_are_matched_as_by_HiPPI)
{
    const SyntheticViews views = someViews(6);
    const Ptr<TrackBuilder> builder = TrackBuilder::create();
    EXPECT_EQ(0, addViews(*builder, views, 0, 6));
    EXPECT_EQ(HiPPI::create()->match(views.keypoints, views.descriptors), builder->tracks());
}

TEST(Multimatch_TrackBuilder, views_solved_again_are_as_of_HiPPI)
{
    const SyntheticViews views = someViews(9);
    const Ptr<TrackBuilder> builder = TrackBuilder::create();
    EXPECT_EQ(0.2, builder->getRefreshShare());
    builder->setRefreshShare(0.4);
    Labels before;
    // Pairs of views 1, 3, 6, 10, ...: at 3, 4, 6 and 8 views 40 % and more of them are new.
    const int solved[] = {0, 1, 1, 1, 0, 1, 0, 1, 0};
    for (int v = 0; v < views.viewCount(); ++v)
    {
        addViews(*builder, views, v, v + 1);
        const Labels after = idsOf(*builder);
        expectChanges(before, after, builder->changes(), true);
        size_t same = 0, all = 0;
        for (size_t w = 0; w < before.size(); ++w)
            for (size_t p = 0; p < before[w].size(); ++p)
                if (before[w][p] >= 0)
                {
                    ++all;
                    same += before[w][p] == after[w][p];
                }
        EXPECT_GE(same, all * 9 / 10) << "ids stay";
        before = after;
        if (!solved[v])
            continue;
        const std::vector<std::vector<KeyPoint>> keypoints(views.keypoints.begin(),
                                                           views.keypoints.begin() + v + 1);
        const std::vector<Mat> descriptors(views.descriptors.begin(),
                                           views.descriptors.begin() + v + 1);
        EXPECT_EQ(partition(HiPPI::create()->match(keypoints, descriptors)),
                  partition(builder->tracks()))
            << v + 1 << " views";
    }
    EXPECT_ERROR(builder->setRefreshShare(1.5), "share is 1.5, expected 0 to 1");
}

TEST(Multimatch_TrackBuilder, views_one_after_the_other)
{
    const SyntheticViews views = someViews(10);
    const Ptr<TrackBuilder> builder = TrackBuilder::create();
    builder->setRefreshShare(0);
    Labels before;
    for (int v = 0; v < views.viewCount(); ++v)
    {
        EXPECT_EQ(v, addViews(*builder, views, v, v + 1));
        const Labels after = idsOf(*builder);
        expectChanges(before, after, builder->changes());
        before = after;
    }
    const Tracks tracks = builder->tracks();
    expectConsistent(tracks);
    EXPECT_EQ(partition(Tracks(before, std::vector<std::vector<float>>(), 2)), partition(tracks));
    const double batch =
        scoreTracks(HiPPI::create()->match(views.keypoints, views.descriptors), views.labels)
            .fscore();
    EXPECT_GT(scoreTracks(tracks, views.labels).fscore(), batch - 0.02);
}

TEST(Multimatch_TrackBuilder, several_views_at_once)
{
    const SyntheticViews views = someViews(12);
    const Ptr<TrackBuilder> builder = TrackBuilder::create();
    builder->setRefreshShare(0);
    addViews(*builder, views, 0, 5);
    const Labels before = idsOf(*builder);
    EXPECT_EQ(5, addViews(*builder, views, 5, 12));
    expectChanges(before, idsOf(*builder), builder->changes());
    expectConsistent(builder->tracks());
    EXPECT_GT(scoreTracks(builder->tracks(), views.labels).fscore(), 0.97);
}

TEST(Multimatch_TrackBuilder, joined_tracks_keep_the_older_id)
{
    const SyntheticViews views = someViews(5);
    const Ptr<TrackBuilder> builder = TrackBuilder::create();
    builder->setRefreshShare(0);
    addViews(*builder, views, 0, 2);
    addViews(*builder, views, 2, 4, pairsOf({Vec2i(2, 3)}));
    const Labels before = idsOf(*builder);
    addViews(*builder, views, 4, 5);
    EXPECT_GT(builder->changes().joined.size(), 10u);
    expectChanges(before, idsOf(*builder), builder->changes());
    expectConsistent(builder->tracks());
}

TEST(Multimatch_TrackBuilder, removed_views_leave_their_numbers)
{
    const SyntheticViews views = someViews(6);
    const Ptr<TrackBuilder> builder = TrackBuilder::create();
    addViews(*builder, views, 0, 3);
    for (int v = 0; v < 2; ++v)
    {
        const Labels before = idsOf(*builder);
        builder->remove(v);
        expectChanges(before, idsOf(*builder), builder->changes());
    }
    EXPECT_EQ(3, builder->viewCount());
    EXPECT_TRUE(builder->ids(0).empty());
    EXPECT_TRUE(builder->keypoints(1).empty());
    EXPECT_TRUE(builder->tracks().empty()) << "tracks of one observation";
    const std::vector<int> left = builder->ids(2);
    EXPECT_GT(std::count_if(left.begin(), left.end(), [](int id) { return id >= 0; }), 40);
    EXPECT_EQ(3, addViews(*builder, views, 3, 4));
    const std::vector<int> after = builder->ids(2);
    for (size_t p = 0; p < left.size(); ++p)
        if (left[p] >= 0)
        {
            EXPECT_EQ(left[p], after[p]) << "ids stay";
        }
    EXPECT_GT(builder->changes().extended.size(), 30u);
    EXPECT_ERROR(addViews(*builder, views, 4, 5, pairsOf({Vec2i(0, 4)})), "which was removed");
    EXPECT_ERROR(builder->remove(4), "view 4 does not exist, there are 4");
}

TEST(Multimatch_TrackBuilder, window_limits_the_pairs)
{
    const SyntheticViews views = someViews(6);
    const Ptr<TrackBuilder> builder = TrackBuilder::create(), other = TrackBuilder::create();
    builder->setWindow(2);
    for (int v = 0; v < 6; ++v)
    {
        addViews(*builder, views, v, v + 1);
        addViews(*other, views, v, v + 1,
                 v == 0   ? Mat()
                 : v == 1 ? pairsOf({Vec2i(0, 1)})
                          : pairsOf({Vec2i(v - 2, v), Vec2i(v - 1, v)}));
    }
    EXPECT_EQ(other->tracks(), builder->tracks());
    EXPECT_FALSE(builder->tracks().empty());
}

TEST(Multimatch_TrackBuilder, state_is_saved_and_loaded)
{
    const SyntheticViews views = someViews(6);
    const String file = tempfile("builder.yml.gz");
    const Ptr<TrackBuilder> builder = TrackBuilder::create();
    builder->setWindow(4);
    addViews(*builder, views, 0, 4);
    builder->remove(1);
    builder->save(file);
    const Ptr<TrackBuilder> loaded = TrackBuilder::load(file);
    std::remove(file.c_str());
    EXPECT_EQ(4, loaded->getWindow());
    EXPECT_EQ(idsOf(*builder), idsOf(*loaded));
    EXPECT_EQ(builder->tracks(), loaded->tracks());
    EXPECT_EQ(0, cv::norm(builder->descriptors(2), loaded->descriptors(2), NORM_INF));
    addViews(*builder, views, 4, 6);
    addViews(*loaded, views, 4, 6);
    EXPECT_EQ(idsOf(*builder), idsOf(*loaded));
    EXPECT_EQ(builder->tracks(), loaded->tracks());
}

TEST(Multimatch_TrackBuilder, damaged_states_are_refused)
{
    SyntheticParams params;
    params.views = 2;
    params.universe = params.visible = 3;
    params.outliers = 0;
    params.width = 4;
    params.binary = true;
    const SyntheticViews views = makeViews(params);
    const String file = tempfile("builder.yml");
    const Ptr<TrackBuilder> builder = TrackBuilder::create();
    addViews(*builder, views, 0, 1);
    builder->save(file);
    std::ifstream in(file.c_str());
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const auto damaged = [&](const std::string& from, const std::string& to) {
        const size_t at = text.find(from);
        EXPECT_NE(std::string::npos, at) << from;
        std::ofstream(file.c_str()) << std::string(text).replace(at, from.size(), to);
        TrackBuilder::load(file);
    };
    damaged("next_id: 0", "next_id: 0");
    EXPECT_ERROR(damaged("format_version: 2", "format_version: 7"), "format_version is 7");
    EXPECT_ERROR(damaged("view_sizes: [ 3 ]", "view_sizes: [ 4 ]"), "values, expected");
    EXPECT_ERROR(damaged("removed: [ 0 ]", "removed: [ 0, 1 ]"), "2 entries of removed");
    EXPECT_ERROR(damaged("data: [ -1, -1, -1 ]", "data: [ 0, -1, -1 ]"), "next_id, which is 0");
    EXPECT_ERROR(damaged("solved_pairs: 0", "solved_pairs: 1"), "solved_pairs is 1");
    EXPECT_ERROR(damaged("refresh_share:", "refresh_share: 3.\n   a:"), "share is 3");
    EXPECT_ERROR(damaged("track_builder:", "something:"), "no node track_builder");
    std::remove(file.c_str());
    EXPECT_ERROR(TrackBuilder::load(file), "cannot read");
}

TEST(Multimatch_TrackBuilder, a_stopped_run_adds_nothing)
{
    const SyntheticViews views = someViews(4);
    const Ptr<TrackBuilder> builder = TrackBuilder::create();
    addViews(*builder, views, 0, 3);
    const Labels before = idsOf(*builder);
    builder->setProgressCallback([](const Progress&) { return false; });
    EXPECT_EQ(-1, addViews(*builder, views, 3, 4));
    EXPECT_EQ(before, idsOf(*builder));
    builder->setProgressCallback(ProgressCallback());
    EXPECT_EQ(3, addViews(*builder, views, 3, 4));
}

TEST(Multimatch_TrackBuilder, wrong_arguments_are_named)
{
    const SyntheticViews views = someViews(3);
    const Ptr<TrackBuilder> builder = TrackBuilder::create();
    addViews(*builder, views, 0, 2);
    EXPECT_ERROR(builder->add({}, std::vector<Mat>()), "no views");
    EXPECT_ERROR(builder->add({views.keypoints[2]}, std::vector<Mat>()), "descriptors");
    Mat narrow(static_cast<int>(views.keypoints[2].size()), 8, CV_32F, Scalar(1));
    EXPECT_ERROR(builder->add({views.keypoints[2]}, std::vector<Mat>(1, narrow)),
                 "rows of 8 CV_32FC1, expected 32 CV_32FC1");
    EXPECT_ERROR(addViews(*builder, views, 2, 3, pairsOf({Vec2i(0, 1)})), "(0, 1)");
    EXPECT_ERROR(addViews(*builder, views, 2, 3, pairsOf({Vec2i(0, 3)})), "(0, 3)");
    EXPECT_ERROR(builder->ids(2), "view 2 does not exist");
    EXPECT_ERROR(builder->setNormType(NORM_L2), "before the first view");
    EXPECT_ERROR(builder->setWindow(-1), "window");
    HiPPIParams params;
    params.mode = HIPPI_LITERAL;
    EXPECT_ERROR(TrackBuilder::create(params), "HIPPI_PARTIAL");
    EXPECT_EQ(2, builder->viewCount()) << "nothing was added";
}

}} // namespace opencv_test::
