// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_io.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;

TEST(Multimatch_ColmapDatabase, comes_back)
{
    if (!haveColmapDatabase())
    {
        EXPECT_THROW(
            writeColmapDatabase("a.db", std::vector<ViewInfo>(), std::vector<PairMatches>()),
            cv::Exception);
        SKIP_TEST("built without SQLite");
    }
    const TemporaryFolder folder;
    const Scene scene;
    const std::vector<PairMatches> pairs = allPairMatches(scene.tracks);
    writeColmapDatabase(folder / "a.db", scene.views, pairs);
    EXPECT_EQ(1u, folder.fileCount());
    std::vector<ViewInfo> views;
    std::vector<PairMatches> found;
    readColmapDatabase(folder / "a.db", views, found);
    expectSamePoints(scene.views, views);
    expectSameMatches(pairs, found);
    for (size_t v = 0; v < 4; ++v)
    {
        EXPECT_EQ(scene.views[v].size, views[v].size);
        EXPECT_EQ(scene.views[v].focalLength, views[v].focalLength);
    }
    readColmapDatabase(folder / "a.db", views, found, false);
    expectSameMatches(pairs, found);

    ColmapParams params;
    params.verified = false;
    writeColmapDatabase(folder / "raw.db", scene.views, pairs, params);
    readColmapDatabase(folder / "raw.db", views, found, true);
    EXPECT_TRUE(found.empty());
    readColmapDatabase(folder / "raw.db", views, found, false);
    expectSameMatches(pairs, found);
}

TEST(Multimatch_ColmapDatabase, is_never_lost)
{
    if (!haveColmapDatabase())
        SKIP_TEST("built without SQLite");
    const TemporaryFolder folder;
    const Scene scene;
    const std::vector<PairMatches> pairs = allPairMatches(scene.tracks);
    writeColmapDatabase(folder / "a.db", scene.views, pairs);
    const std::string before = contentOf(folder / "a.db");

    ColmapParams params;
    EXPECT_THROW(writeColmapDatabase(folder / "a.db", scene.views, pairs, params), cv::Exception);
    params.existing = COLMAP_FILL;
    // A new image is in it before the known one with other key points ends the transaction.
    std::vector<ViewInfo> views(scene.views.rbegin(), scene.views.rend());
    views[0].name = "another.jpg";
    views.back().keypoints[0].pt.x += 1;
    EXPECT_THROW(writeColmapDatabase(folder / "a.db", views, std::vector<PairMatches>(), params),
                 cv::Exception);
    writeText(folder / "no.db", "this is no database, but some text that is longer than a header");
    EXPECT_THROW(writeColmapDatabase(folder / "no.db", scene.views, pairs, params), cv::Exception);
    EXPECT_EQ(before, contentOf(folder / "a.db"));
    EXPECT_EQ(2u, folder.fileCount());

    params.existing = COLMAP_REPLACE;
    writeColmapDatabase(folder / "a.db", scene.views, std::vector<PairMatches>(), params);
    EXPECT_NE(before, contentOf(folder / "a.db"));
}

TEST(Multimatch_ColmapDatabase, is_filled)
{
    if (!haveColmapDatabase())
        SKIP_TEST("built without SQLite");
    const TemporaryFolder folder;
    const Scene scene;
    // As COLMAP's own feature extractor leaves it, had it found nothing; ids in another order.
    std::vector<ViewInfo> empty = scene.withoutPoints();
    std::reverse(empty.begin(), empty.end());
    empty[0].focalLength = 777;
    writeColmapDatabase(folder / "a.db", empty, std::vector<PairMatches>());
    ColmapParams params;
    params.existing = COLMAP_FILL;
    const std::vector<PairMatches> pairs = allPairMatches(scene.tracks);
    writeColmapDatabase(folder / "a.db", scene.views, pairs, params);
    std::vector<ViewInfo> views;
    std::vector<PairMatches> found;
    readColmapDatabase(folder / "a.db", views, found);
    ASSERT_EQ(4u, views.size());
    EXPECT_EQ(777, views[0].focalLength);
    std::reverse(views.begin(), views.end());
    expectSamePoints(scene.views, views);
    // The pair of images 2 and 3 is the one of views 1 and 0 here, columns swapped.
    size_t matches = 0;
    for (size_t n = 0; n < found.size(); ++n)
        matches += found[n].matches.size();
    size_t expected = 0;
    for (size_t n = 0; n < pairs.size(); ++n)
        expected += pairs[n].matches.size();
    EXPECT_EQ(expected, matches);
    for (size_t n = 0; n < found.size(); ++n)
        for (size_t m = 0; m < found[n].matches.size(); ++m)
            EXPECT_EQ(scene.tracks.trackIds(3 - found[n].first)[found[n].matches[m].queryIdx],
                      scene.tracks.trackIds(3 - found[n].second)[found[n].matches[m].trainIdx]);
}

}} // namespace opencv_test
