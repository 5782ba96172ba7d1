// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

#include <cstdio>
#include <fstream>

#ifndef _WIN32
#include <csignal>
#include <sys/resource.h>
#endif

namespace opencv_test { namespace {

using namespace cv::multimatch;

// Three views; label 7 in all of them, 3 in two, 9 in one.
std::vector<std::vector<int>> someLabels()
{
    std::vector<std::vector<int>> labels(3);
    labels[0] = {3, -1, 7};
    labels[1] = {7, 9};
    labels[2] = {-1, 3, -5, 7};
    return labels;
}

std::vector<std::vector<float>> someConfidence()
{
    std::vector<std::vector<float>> confidence(3);
    confidence[0] = {0.9f, 0.f, 0.25f};
    confidence[1] = {0.5f, 1.f};
    confidence[2] = {0.f, 0.75f, 0.f, 1.f};
    return confidence;
}

TEST(Multimatch_Tracks, ids_follow_the_first_observation)
{
    const Tracks tracks(someLabels(), someConfidence());
    expectConsistent(tracks);
    EXPECT_EQ(3, tracks.viewCount());
    EXPECT_EQ(3, tracks.size());
    EXPECT_EQ(std::vector<int>({0, -1, 1}), tracks.trackIds(0));
    EXPECT_EQ(std::vector<int>({1, 2}), tracks.trackIds(1));
    EXPECT_EQ(4, tracks.pointCount(2));
    EXPECT_EQ(tracks.trackIds(2), tracks.ids(2));
    EXPECT_EQ(tracks.ids(2).data(), Tracks(tracks).ids(2).data()) << "copies share the ids";
    EXPECT_EQ(tracks.confidence(2), tracks.confidences(2));
    EXPECT_ERROR(tracks.pointCount(3), "view 3");
    EXPECT_EQ(std::vector<int>({-1, 0, -1, 1}), tracks.trackIds(2));
    EXPECT_EQ(3, tracks.length(1));
    const std::vector<Observation> track = tracks.track(1);
    ASSERT_EQ(3u, track.size());
    EXPECT_EQ(2, track[2].view);
    EXPECT_EQ(3, track[2].point);
    EXPECT_EQ(1.f, track[2].confidence);
}

TEST(Multimatch_Tracks, matches_of_any_pair)
{
    const Tracks tracks(someLabels(), someConfidence());
    const std::vector<DMatch> matches = tracks.matches(0, 2);
    ASSERT_EQ(2u, matches.size());
    EXPECT_EQ(0, matches[0].queryIdx);
    EXPECT_EQ(1, matches[0].trainIdx);
    EXPECT_EQ(2, matches[0].imgIdx);
    EXPECT_FLOAT_EQ(0.25f, matches[0].distance);
    EXPECT_EQ(2, matches[1].queryIdx);
    EXPECT_EQ(3, matches[1].trainIdx);
    EXPECT_FLOAT_EQ(0.75f, matches[1].distance);
    EXPECT_EQ(1u, tracks.matches(1, 0).size());
}

TEST(Multimatch_Tracks, filter_by_length_and_confidence)
{
    const Tracks tracks(someLabels(), someConfidence());
    EXPECT_EQ(2, tracks.filter(2).size());
    EXPECT_EQ(1, tracks.filter(3).size());
    // 0.25 leaves, the rest of that track stays
    const Tracks likely = tracks.filter(2, 0.5f);
    expectConsistent(likely);
    EXPECT_EQ(2, likely.size());
    EXPECT_EQ(std::vector<int>({0, -1, -1}), likely.trackIds(0));
    EXPECT_EQ(2, likely.length(1));
    EXPECT_EQ(0, tracks.filter(2, 0.95f).size());
}

TEST(Multimatch_Tracks, statistics_count)
{
    const TrackStatistics s = Tracks(someLabels(), someConfidence()).statistics();
    EXPECT_EQ(3, s.views);
    EXPECT_EQ(9, s.points);
    EXPECT_EQ(3, s.tracks);
    EXPECT_EQ(6, s.observations);
    EXPECT_DOUBLE_EQ(2., s.meanLength);
    EXPECT_NEAR((0.9 + 0.25 + 0.5 + 1 + 0.75 + 1) / 6, s.meanConfidence, 1e-6);
    EXPECT_EQ(std::vector<int>({0, 1, 1, 1}), s.lengthCounts);
}

TEST(Multimatch_Tracks, points2d_as_sfm_takes_them)
{
    std::vector<std::vector<KeyPoint>> keypoints(3);
    const std::vector<std::vector<int>> labels = someLabels();
    for (size_t v = 0; v < 3; ++v)
        for (size_t p = 0; p < labels[v].size(); ++p)
            keypoints[v].push_back(
                KeyPoint(10.f * static_cast<float>(v) + 1.f, static_cast<float>(p) + 2.f, 1.f));
    const std::vector<Mat> points = Tracks(labels).points2d(keypoints);
    ASSERT_EQ(3u, points.size());
    EXPECT_EQ(Size(3, 2), points[1].size());
    EXPECT_EQ(-1., points[1].at<double>(0, 0));
    EXPECT_EQ(11., points[1].at<double>(0, 1));
    EXPECT_EQ(2., points[1].at<double>(1, 1));
    keypoints[1].pop_back();
    EXPECT_ERROR(Tracks(labels).points2d(keypoints), "keypoints[1] has 1 points");
}

TEST(Multimatch_Tracks, round_trip_through_files)
{
    std::vector<std::vector<int>> labels = someLabels();
    std::vector<std::vector<float>> confidence = someConfidence();
    labels.insert(labels.begin() + 1, std::vector<int>()); // an empty view
    confidence.insert(confidence.begin() + 1, std::vector<float>());
    Tracks tracks(labels, confidence);
    MatchReport report;
    report.objective = {1.5, 2.25};
    report.iterations = 2;
    report.universeSize = 17;
    report.converged = true;
    report.exact = false;
    report.stages = {"neighbors", "iterations"};
    report.seconds = {0.5, 0.125};
    tracks.setReport(report);
    const char* endings[] = {".yml", ".xml", ".json", ".yml.gz"};
    for (size_t e = 0; e < 4; ++e)
    {
        const std::string file = cv::tempfile(endings[e]);
        tracks.save(file);
        const Tracks back = Tracks::load(file);
        std::remove(file.c_str());
        EXPECT_TRUE(back == tracks) << endings[e];
        EXPECT_EQ(report.objective, back.report().objective);
        EXPECT_EQ(report.stages, back.report().stages);
        EXPECT_EQ(report.seconds, back.report().seconds);
        EXPECT_EQ(17, back.report().universeSize);
        EXPECT_TRUE(back.report().converged);
        EXPECT_FALSE(back.report().exact);
    }
    EXPECT_TRUE(Tracks() == Tracks(std::vector<std::vector<int>>()));
}

TEST(Multimatch_Tracks, bad_files_are_refused)
{
    EXPECT_ERROR(Tracks::load("/nowhere/tracks.yml"),
                 "cannot read tracks from /nowhere/tracks.yml");
    const std::string file = cv::tempfile(".yml");
    {
        FileStorage fs(file, FileStorage::WRITE);
        fs << "something" << 1;
    }
    EXPECT_ERROR(Tracks::load(file), "holds no tracks");
    EXPECT_ERROR(Tracks(someLabels()).save(file + "/tracks.yml"), "cannot make the folder");
    std::remove(file.c_str());
}

//! The parsers of OpenCV 4.6 do not finish on the YAML files and end the process on the XML files.
TEST(Multimatch_Tracks, files_that_opencv_cannot_parse_are_refused)
{
    const struct
    {
        std::string ending, text, error;
    } cases[] = {
        {".yml", "%YAML:1.0\n---\na: 1\nc:\n   - 1\n...   - { x:1 }\nd: 1\n",
         "line 6: expected one document"},
        {".yml", "%YAML:1.0\n---\n[b: [ 1, 2, 3 ]\nc:\n   - 1\n", "line 3: expected a name"},
        {".yml", "%YAML:1.0\n---\na: 1\nviews:\n  !!binary |\n - { name:\"a.jpg\" }\n",
         "line 5: expected no binary data"},
        {".yml", std::string("%YAML:1.0\n---\na: \0 1\n", 21), "line 3: expected text"},
        {".yml", "%YAML:1.0\n---a: 1\n", "line 2: expected ---"},
        {".xml", "<?xml version=", "does not end with </opencv_storage>"},
        {".xml", "<?xml version=\"1.0\"?>\n<opencv_storage>\n<a type_id=",
         "does not end with </opencv_storage>"}};
    for (const auto& c : cases)
    {
        const std::string file = cv::tempfile(c.ending.c_str());
        std::ofstream(file.c_str(), std::ios::binary) << c.text;
        EXPECT_ERROR(Tracks::load(file), "cannot read tracks from " + file);
        EXPECT_ERROR(Tracks::load(file), c.error);
        std::remove(file.c_str());
    }
}

//! Two processes that save to one file must not share a temporary one.
TEST(Multimatch_Tracks, temporary_file_of_another_process_is_left_alone)
{
    const std::string file = cv::tempfile(".yml");
    const size_t start = file.find_last_of("/\\") + 1;
    const std::string theirs = file.substr(0, start) + ".partial-" + file.substr(start);
    std::ofstream(theirs.c_str()) << "theirs";
    Tracks(someLabels()).save(file);
    std::string content;
    std::ifstream(theirs.c_str()) >> content;
    std::remove(theirs.c_str());
    EXPECT_EQ("theirs", content);
    EXPECT_TRUE(Tracks::load(file) == Tracks(someLabels()));
    std::remove(file.c_str());
}

#ifndef _WIN32
//! As on a full disk: what exceeds the largest size of a file is not written.
TEST(Multimatch_Tracks, save_that_fails_leaves_the_old_file)
{
    for (const char* ending : {".yml", ".yml.gz", ".json", ".xml"})
    {
        const std::string file = cv::tempfile(ending);
        const Tracks old(someLabels());
        old.save(file);
        std::vector<std::vector<int>> labels(2, std::vector<int>(20000));
        for (std::vector<int>& view : labels)
            std::iota(view.begin(), view.end(), 0);
        const Tracks large(labels);
        rlimit before;
        ASSERT_EQ(0, getrlimit(RLIMIT_FSIZE, &before));
        rlimit small = before;
        small.rlim_cur = 4096;
        const auto handler = std::signal(SIGXFSZ, SIG_IGN);
        ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &small));
        const std::string error = errorOf([&]() { large.save(file); });
        ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &before));
        std::signal(SIGXFSZ, handler);
        EXPECT_NE(std::string::npos, error.find("cannot write")) << ending << ": " << error;
        EXPECT_TRUE(Tracks::load(file) == old) << ending;
        std::remove(file.c_str());
    }
}
#endif

TEST(Multimatch_Tracks, contradictions_are_refused)
{
    std::vector<std::vector<int>> labels = someLabels();
    labels[2][0] = 3;
    EXPECT_ERROR(Tracks tracks(labels), "label 3 stands at the points 0 and 1 of view 2");
    std::vector<std::vector<float>> confidence = someConfidence();
    confidence[1][0] = 1.5f;
    EXPECT_ERROR(Tracks tracks(someLabels(), confidence), "confidence[1][0] is 1.5");
    confidence.pop_back();
    EXPECT_ERROR(Tracks tracks(someLabels(), confidence),
                 "confidence has 2 views but labels has 3");
    EXPECT_ERROR(Tracks(someLabels()).trackIds(3), "view 3 does not exist, there are 3");
    EXPECT_ERROR(Tracks(someLabels()).track(-1), "track -1 does not exist");
}

//! A short file that contains large numbers is refused before memory is allocated.
TEST(Multimatch_Tracks, sizes_that_nothing_backs_are_refused)
{
    for (const char* ending : {".yml", ".json", ".xml"})
    {
        FileStorage out(ending, FileStorage::WRITE | FileStorage::MEMORY);
        out << "format_version" << 1 << "view_sizes" << std::vector<int>(1, 1999999999)
            << "track_count" << 0;
        for (const char* name : {"ids_0", "confidence_0"})
            out << name << "{"
                << "rows" << 1999999999 << "cols" << 1999999999 << "dt"
                << (name[0] == 'i' ? "i" : "f") << "data" << std::vector<int>(3, 0) << "}";
        const FileStorage in(out.releaseAndGetString(), FileStorage::READ | FileStorage::MEMORY);
        Tracks tracks;
        EXPECT_ERROR(tracks.read(in.root()), "ids_0 has 3 values, expected 1999999999");
    }
    const FileStorage in("%YAML:1.0\n---\nformat_version: 1\nview_sizes: [ -3 ]\n",
                         FileStorage::READ | FileStorage::MEMORY);
    Tracks tracks;
    EXPECT_ERROR(tracks.read(in.root()), "ids_0 has 0 values, expected -3");
}

TEST(Multimatch_Tracks, views_of_one_point_come_back_from_every_format)
{
    const Tracks tracks(std::vector<std::vector<int>>(2, std::vector<int>(1, 0)));
    for (const char* ending : {".yml", ".json", ".xml"})
    {
        FileStorage out(ending, FileStorage::WRITE | FileStorage::MEMORY);
        tracks.write(out);
        const FileStorage in(out.releaseAndGetString(), FileStorage::READ | FileStorage::MEMORY);
        Tracks copy;
        copy.read(in.root());
        EXPECT_TRUE(copy == tracks) << ending;
    }
}

TEST(Multimatch_Tracks, empty_key_is_a_parse_error)
{
    const std::string file = cv::tempfile(".yml");
    std::ofstream(file.c_str())
        << "%YAML:1.0\n---\nformat_version: 1\nids_0:\n   rows: 1\n   :x [ 0 ]\n";
    EXPECT_ERROR(Tracks::load(file), "cannot read tracks from " + file);
    std::remove(file.c_str());
}

}} // namespace opencv_test
