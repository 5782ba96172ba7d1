// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

#include "opencv2/multimatch/io.hpp"

#include "opencv2/core/utils/filesystem.hpp"

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <locale>
#include <sstream>

namespace opencv_test { namespace {

using namespace cv::multimatch;

//! A folder that is gone after the test.
class TemporaryFolder
{
public:
    TemporaryFolder() : name_(cv::tempfile("_multimatch"))
    {
        cv::utils::fs::createDirectories(name_);
    }
    ~TemporaryFolder() { cv::utils::fs::remove_all(name_); }
    std::string operator/(const std::string& file) const { return name_ + "/" + file; }
    const std::string& name() const { return name_; }
    size_t fileCount() const
    {
        std::vector<cv::String> files;
        cv::utils::fs::glob(name_, "", files, true);
        return files.size();
    }

private:
    std::string name_;
};

std::string contentOf(const std::string& file)
{
    std::ifstream in(file.c_str(), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

void writeText(const std::string& file, const std::string& text)
{
    std::ofstream out(file.c_str(), std::ios::binary);
    out << text;
}

//! Four views of 30 points and tracks through them.
struct Scene
{
    std::vector<ViewInfo> views;
    Tracks tracks;

    Scene()
    {
        RNG rng(7);
        std::vector<std::vector<int>> labels(4);
        std::vector<std::vector<float>> confidence(4);
        for (int v = 0; v < 4; ++v)
        {
            ViewInfo view;
            view.name = cv::format("image%d.jpg", v);
            view.size = v == 2 ? Size(480, 640) : Size(640, 480);
            view.focalLength = v == 1 ? 0 : 500 + v;
            std::vector<int> order(30);
            std::iota(order.begin(), order.end(), 0);
            cv::randShuffle(order, 1, &rng);
            for (int p = 0; p < 30; ++p)
            {
                view.keypoints.push_back(KeyPoint(rng.uniform(0.f, 479.f), rng.uniform(0.f, 479.f),
                                                  rng.uniform(2.f, 20.f), rng.uniform(0.f, 359.f)));
                labels[v].push_back(order[p] % 3 == v % 3 ? -1 : order[p]);
                confidence[v].push_back(labels[v][p] < 0 ? 0.f : rng.uniform(0.1f, 1.f));
            }
            views.push_back(view);
        }
        tracks = Tracks(labels, confidence, 2);
    }

    //! Views with what a reader needs to know.
    std::vector<ViewInfo> withoutPoints() const
    {
        std::vector<ViewInfo> result = views;
        for (size_t v = 0; v < result.size(); ++v)
            result[v].keypoints.clear();
        return result;
    }
};

void expectSamePoints(const std::vector<ViewInfo>& expected, const std::vector<ViewInfo>& found)
{
    ASSERT_EQ(expected.size(), found.size());
    for (size_t v = 0; v < expected.size(); ++v)
    {
        EXPECT_EQ(expected[v].name, found[v].name);
        ASSERT_EQ(expected[v].keypoints.size(), found[v].keypoints.size());
        for (size_t p = 0; p < expected[v].keypoints.size(); ++p)
        {
            EXPECT_NEAR(expected[v].keypoints[p].pt.x, found[v].keypoints[p].pt.x, 1e-4);
            EXPECT_NEAR(expected[v].keypoints[p].pt.y, found[v].keypoints[p].pt.y, 1e-4);
            EXPECT_NEAR(expected[v].keypoints[p].size, found[v].keypoints[p].size, 1e-4);
            EXPECT_NEAR(expected[v].keypoints[p].angle, found[v].keypoints[p].angle, 1e-3);
        }
    }
}

void expectSameMatches(const std::vector<PairMatches>& expected,
                       const std::vector<PairMatches>& found)
{
    ASSERT_EQ(expected.size(), found.size());
    for (size_t n = 0; n < expected.size(); ++n)
    {
        EXPECT_EQ(expected[n].first, found[n].first);
        EXPECT_EQ(expected[n].second, found[n].second);
        ASSERT_EQ(expected[n].matches.size(), found[n].matches.size());
        for (size_t m = 0; m < expected[n].matches.size(); ++m)
        {
            EXPECT_EQ(expected[n].matches[m].queryIdx, found[n].matches[m].queryIdx);
            EXPECT_EQ(expected[n].matches[m].trainIdx, found[n].matches[m].trainIdx);
        }
    }
}

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
TEST(Multimatch_IO, numbers_that_nothing_backs_are_refused)
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
    // A new image is in it before the known one with key points ends the transaction.
    std::vector<ViewInfo> views(scene.views.rbegin(), scene.views.rend());
    views[0].name = "another.jpg";
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
