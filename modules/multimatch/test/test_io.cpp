// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_io.hpp"

#include <clocale>
#include <locale>

namespace opencv_test { namespace {

using namespace cv::multimatch;

//! Same points together, whatever the numbers and confidences.
void expectSamePartition(const Tracks& expected, const Tracks& found)
{
    expectSameMatches(allPairMatches(expected), allPairMatches(found));
}

TEST(Multimatch_IO, all_pair_matches_are_those_of_the_tracks)
{
    const Scene scene;
    const std::vector<PairMatches> pairs = allPairMatches(scene.tracks);
    ASSERT_EQ(6u, pairs.size());
    EXPECT_EQ(1, pairs[4].first);
    EXPECT_EQ(3, pairs[4].second);
    EXPECT_EQ(scene.tracks.matches(1, 3).size(), pairs[4].matches.size());
    EXPECT_TRUE(allPairMatches(Tracks()).empty());
}

TEST(Multimatch_IO, colmap_text_comes_back)
{
    const TemporaryFolder folder;
    const Scene scene;
    const std::vector<PairMatches> pairs = allPairMatches(scene.tracks);
    writeColmapText(folder.name(), scene.views, pairs);
    EXPECT_EQ(5u, folder.fileCount());
    std::vector<ViewInfo> views = scene.withoutPoints();
    std::vector<PairMatches> found;
    readColmapText(folder.name(), views, found);
    expectSamePoints(scene.views, views);
    expectSameMatches(pairs, found);
}

TEST(Multimatch_IO, colmap_text_has_the_pixel_origin_of_colmap)
{
    const TemporaryFolder folder;
    std::vector<ViewInfo> views(1);
    views[0].name = "a.png";
    views[0].keypoints.push_back(KeyPoint(0.f, 2.f, 8.f, 90.f));
    writeColmapText(folder.name(), views, std::vector<PairMatches>());
    const std::string text = contentOf(folder / "a.png.txt");
    EXPECT_EQ("1 128\n0.5 2.5 4 1.57079", text.substr(0, 23));
    EXPECT_EQ("", contentOf(folder / "matches.txt"));
}

TEST(Multimatch_IO, colmap_text_stays_in_its_folder)
{
    const TemporaryFolder folder;
    const char* const names[] = {"../x.jpg", "a/../../x.jpg", "..", "/x.jpg", "\\x.jpg", "c:x.jpg"};
    for (const char* name : names)
    {
        Scene scene;
        scene.views[1].name = name;
        EXPECT_ERROR(writeColmapText(folder / "text", scene.views, allPairMatches(scene.tracks)),
                     "would be outside of the folder");
        EXPECT_EQ(0u, folder.fileCount()) << name;
    }
    Scene scene;
    scene.views[1].name = "matches";
    EXPECT_ERROR(writeColmapText(folder / "text", scene.views, allPairMatches(scene.tracks)),
                 "would be that of the matches");
    scene.views[1].name = "a..b/..x.jpg";
    EXPECT_NO_THROW(writeColmapText(folder / "text", scene.views, allPairMatches(scene.tracks)));
}

TEST(Multimatch_IO, openmvg_comes_back)
{
    const TemporaryFolder folder;
    const Scene scene;
    const std::vector<PairMatches> pairs = allPairMatches(scene.tracks);
    writeOpenMVG(folder.name(), scene.views, pairs);
    std::vector<ViewInfo> views = scene.withoutPoints();
    std::vector<PairMatches> found;
    readOpenMVG(folder.name(), views, found);
    expectSamePoints(scene.views, views);
    expectSameMatches(pairs, found);
}

TEST(Multimatch_IO, opensfm_comes_back)
{
    const TemporaryFolder folder;
    const Scene scene;
    writeOpenSfM(folder / "tracks.csv", scene.views, scene.tracks);
    std::vector<ViewInfo> views = scene.withoutPoints();
    const Tracks found = readOpenSfM(folder / "tracks.csv", views);
    for (int v = 0; v < 4; ++v)
    {
        // Points in no track are not in the file: behind the last one that is, the view ends.
        std::vector<int> ids = found.trackIds(v);
        ids.resize(30, -1);
        EXPECT_EQ(scene.tracks.trackIds(v), ids);
        for (size_t p = 0; p < views[v].keypoints.size(); ++p)
            if (ids[p] >= 0)
            {
                EXPECT_NEAR(scene.views[v].keypoints[p].pt.x, views[v].keypoints[p].pt.x, 1e-3);
                EXPECT_NEAR(scene.views[v].keypoints[p].pt.y, views[v].keypoints[p].pt.y, 1e-3);
            }
            else
            {
                EXPECT_EQ(Point2f(-1, -1), views[v].keypoints[p].pt);
            }
    }
    views.pop_back();
    EXPECT_THROW(readOpenSfM(folder / "tracks.csv", views), cv::Exception);
}

TEST(Multimatch_IO, bal_observations_come_back)
{
    const TemporaryFolder folder;
    const Scene scene;
    writeBAL(folder / "problem.txt", scene.views, scene.tracks);
    std::vector<ViewInfo> views = scene.withoutPoints();
    const Tracks found = readBAL(folder / "problem.txt", views);
    ASSERT_EQ(scene.tracks.size(), found.size());
    EXPECT_EQ(scene.tracks.statistics().observations, found.statistics().points);
    const std::vector<cv::Mat> expected =
        scene.tracks.points2d({scene.views[0].keypoints, scene.views[1].keypoints,
                               scene.views[2].keypoints, scene.views[3].keypoints});
    std::vector<std::vector<KeyPoint>> keypoints;
    for (size_t v = 0; v < views.size(); ++v)
        keypoints.push_back(views[v].keypoints);
    const std::vector<cv::Mat> points = found.points2d(keypoints);
    // Both number tracks by their first observation, but in different orders of points.
    for (size_t v = 0; v < 4; ++v)
    {
        cv::Mat a, b;
        cv::sort(expected[v].row(0), a, cv::SORT_EVERY_ROW);
        cv::sort(points[v].row(0), b, cv::SORT_EVERY_ROW);
        EXPECT_LE(cv::norm(a, b, cv::NORM_INF), 1e-3);
    }
    // v points up from the center.
    std::istringstream lines(contentOf(folder / "problem.txt"));
    double camera, point, u, w;
    std::string header;
    std::getline(lines, header);
    lines >> camera >> point >> u >> w;
    const Observation first = scene.tracks.track(0)[0];
    EXPECT_EQ(first.view, camera);
    EXPECT_NEAR(scene.views[first.view].keypoints[first.point].pt.y, 239.5 - w, 1e-3);
}

TEST(Multimatch_IO, points2d_come_back)
{
    const Scene scene;
    std::vector<std::vector<KeyPoint>> keypoints, seen;
    for (size_t v = 0; v < scene.views.size(); ++v)
        keypoints.push_back(scene.views[v].keypoints);
    const std::vector<cv::Mat> points = scene.tracks.points2d(keypoints);
    const Tracks found = tracksFromPoints2d(points, seen);
    const std::vector<cv::Mat> again = found.points2d(seen);
    ASSERT_EQ(points.size(), again.size());
    for (size_t v = 0; v < points.size(); ++v)
        EXPECT_EQ(0, cv::norm(points[v], again[v], cv::NORM_INF));
}

TEST(Multimatch_IO, own_files_come_back)
{
    const TemporaryFolder folder;
    const Scene scene;
    const char* const names[] = {"t.yml", "t.json.gz", "t.xml"};
    for (size_t n = 0; n < 3; ++n)
    {
        writeTracks(folder / names[n], scene.views, scene.tracks);
        std::vector<ViewInfo> views;
        EXPECT_EQ(scene.tracks, readTracks(folder / names[n], views));
        expectSamePoints(scene.views, views);
        EXPECT_EQ(scene.views[2].size, views[2].size);
        EXPECT_EQ(scene.views[2].focalLength, views[2].focalLength);
    }
    std::vector<ViewInfo> views = scene.views, found;
    views[1].name = "a, \"quoted\" name.jpg";
    writeTracks(folder / "t.csv", views, scene.tracks);
    const Tracks tracks = readTracks(folder / "t.csv", found);
    EXPECT_EQ(views[1].name, found[1].name);
    for (int v = 0; v < 4; ++v)
    {
        std::vector<int> ids = tracks.trackIds(v);
        std::vector<float> confidence = tracks.confidence(v);
        ids.resize(30, -1);
        confidence.resize(30, 0.f);
        EXPECT_EQ(scene.tracks.trackIds(v), ids);
        EXPECT_EQ(scene.tracks.confidence(v), confidence);
    }
    EXPECT_EQ(4u, folder.fileCount());
    EXPECT_THROW(writeTracks(folder / "t.txt", views, scene.tracks), cv::Exception);
}

//! A short file that contains large numbers is refused before memory is allocated.
TEST(Multimatch_IO, numbers_too_large_for_the_file_are_refused)
{
    const TemporaryFolder folder;
    const Scene scene;
    writeTracks(folder / "t.csv", scene.views, scene.tracks);
    const std::string header =
        contentOf(folder / "t.csv").substr(0, contentOf(folder / "t.csv").find('\n') + 1);
    std::vector<ViewInfo> views;
    writeText(folder / "t.csv", header + "0,99999999,a.jpg,0,1,1,1,1,1\n");
    EXPECT_ERROR(readTracks(folder / "t.csv", views), "line 2: found \"99999999\"");
    writeText(folder / "t.csv", header + "0,0,a.jpg,99999999,1,1,1,1,1\n");
    EXPECT_ERROR(readTracks(folder / "t.csv", views), "line 2: found \"99999999\"");
    writeText(folder / "t.csv", header + "0,0,a.jpg,20000,1,1,1,1,1\n");
    EXPECT_EQ(20001u, readTracks(folder / "t.csv", views).trackIds(0).size());
    views = scene.withoutPoints();
    const std::string start = "OPENSFM_TRACKS_VERSION_v2\n" + views[0].name + "\t0\t";
    writeText(folder / "o.csv", start + "99999999\t0\t0\t0\t0\t0\t0\t0\t0\n");
    EXPECT_ERROR(readOpenSfM(folder / "o.csv", views), "line 2: found \"99999999\"");
}

TEST(Multimatch_IO, errors_are_text_whatever_the_file_holds)
{
    const TemporaryFolder folder;
    std::vector<ViewInfo> views;
    writeText(folder / "t.csv", std::string("\xff\xc3\xbc\xc3\0 x", 7) + std::string(5000, 'y'));
    const std::string error = errorOf([&]() { readTracks(folder / "t.csv", views); });
    EXPECT_NE(std::string::npos, error.find("found \"\\xff\xc3\xbc\\xc3\\x00 xyyy")) << error;
    EXPECT_NE(std::string::npos, error.find("expected track,view")) << error;
    EXPECT_LT(error.size(), 2000u);
}

//! Decimal commas and dots between thousands, as in German.
class GermanNumbers : public std::numpunct<char>
{
protected:
    char do_decimal_point() const CV_OVERRIDE { return ','; }
    char do_thousands_sep() const CV_OVERRIDE { return '.'; }
    std::string do_grouping() const CV_OVERRIDE { return "\3"; }
};

//! All files of a scene, one behind the other.
std::string filesOf(const Scene& scene, const TemporaryFolder& folder)
{
    std::string all;
    writeTracks(folder / "t.csv", scene.views, scene.tracks);
    writeOpenSfM(folder / "o.csv", scene.views, scene.tracks);
    writeBAL(folder / "b.txt", scene.views, scene.tracks);
    for (const char* name : {"t.csv", "o.csv", "b.txt"})
        all += contentOf(folder / name);
    return all;
}

TEST(Multimatch_IO, numbers_do_not_depend_on_the_locale)
{
    const TemporaryFolder folder;
    const Scene scene;
    const std::string expected = filesOf(scene, folder);
    const std::locale before = std::locale::global(std::locale(std::locale(), new GermanNumbers));
    const std::string numeric = std::setlocale(LC_NUMERIC, NULL);
    // The locale of C too, where it can be made.
    const std::string german = (folder / "de_DE.UTF-8");
    const std::string make = "localedef -i de_DE -f UTF-8 '" + german + "' >/dev/null 2>&1";
    const bool made = std::system(make.c_str()) == 0 &&
                      setenv("LOCPATH", folder.name().c_str(), 1) == 0 &&
                      std::setlocale(LC_NUMERIC, "de_DE.UTF-8") != NULL;
    const std::string found = filesOf(scene, folder);
    std::vector<ViewInfo> views;
    Tracks back;
    EXPECT_NO_THROW(back = readTracks(folder / "t.csv", views));
    std::setlocale(LC_NUMERIC, numeric.c_str());
    std::locale::global(before);
    unsetenv("LOCPATH");
    EXPECT_EQ(expected, found);
    EXPECT_EQ(scene.tracks.size(), back.size());
    if (!made)
        SKIP_TEST("localedef cannot make de_DE here (package locales)");
}

TEST(Multimatch_IO, errors_name_the_line_and_leave_no_file)
{
    const TemporaryFolder folder;
    const Scene scene;
    writeText(folder / "tracks.csv",
              "OPENSFM_TRACKS_VERSION_v2\nimage0.jpg\t0\tx\t0\t0\t0\t0\t0\t0\t0\t0\n");
    std::vector<ViewInfo> views = scene.withoutPoints();
    try
    {
        readOpenSfM(folder / "tracks.csv", views);
        ADD_FAILURE() << "nothing was thrown";
    }
    catch (const cv::Exception& e)
    {
        EXPECT_NE(std::string::npos, e.err.find("line 2")) << e.err;
        EXPECT_NE(std::string::npos, e.err.find("\"x\"")) << e.err;
    }
    views = scene.views;
    views[3].name = "with space.jpg";
    EXPECT_THROW(writeColmapText(folder / "text", views, std::vector<PairMatches>()),
                 cv::Exception);
    views[3].size = Size();
    EXPECT_THROW(writeBAL(folder / "bal.txt", views, scene.tracks), cv::Exception);
    std::vector<PairMatches> pairs(1, PairMatches(0, 1));
    pairs[0].matches.push_back(cv::DMatch(0, 30, 0.f));
    EXPECT_THROW(writeOpenMVG(folder / "mvg", scene.views, pairs), cv::Exception);
    EXPECT_EQ(1u, folder.fileCount());
}

TEST(Multimatch_IO, tracks_survive_a_chain_of_formats)
{
    const TemporaryFolder folder;
    const Scene scene;
    writeOpenMVG(folder.name(), scene.views, allPairMatches(scene.tracks));
    std::vector<ViewInfo> views = scene.withoutPoints();
    std::vector<PairMatches> pairs;
    readOpenMVG(folder.name(), views, pairs);
    std::vector<std::vector<KeyPoint>> keypoints;
    for (size_t v = 0; v < views.size(); ++v)
        keypoints.push_back(views[v].keypoints);
    expectSamePartition(scene.tracks, UnionFind::create()->synchronize(keypoints, pairs));
}

}} // namespace opencv_test
