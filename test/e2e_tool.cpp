// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Commands of the end-to-end tests:
//   check FILE...             all files have the same tracks, at least one
//   make-video FOLDER FILE    a video of the pictures of a folder
//   make-exif-photo film|sensor PICTURE FILE      a photograph with a focal length in its EXIF data
//   check-focal DATABASE      all cameras have the focal length of such photographs
//   make-scene FOLDER         six views of textured walls, and their cameras
//   make-hidden-video PICTURE FILE    a moving picture, half of it covered in some frames
//   check-ids CSV             ids of that video belong to the same points, also after the cover
//   make-panorama PICTURE FOLDER      views of a picture by a rotating camera
//   check-panorama PICTURE PANORAMA   the panorama shows the picture
//   check-exports FOLDER CSV  files for other programs have the tracks of the table

#include "e2e_pictures.hpp"
#include "files.hpp"

#include "opencv2/multimatch.hpp"
#include "opencv2/multimatch/io.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

namespace {

using cv::multimatch::Tracks;

// An observation, in all file formats.
struct Row
{
    int track, view, point;
    float x, y, confidence;
    std::string image;

    bool operator==(const Row& other) const
    {
        return track == other.track && view == other.view && point == other.point && x == other.x &&
               y == other.y && confidence == other.confidence && image == other.image;
    }
};

std::vector<Row> readCsv(const std::string& name)
{
    std::ifstream in(name.c_str());
    std::string line;
    if (!std::getline(in, line) || line != "track,view,image,point,x,y,size,angle,confidence")
        throw std::runtime_error(name + " begins with: " + line);
    std::vector<Row> rows;
    while (std::getline(in, line))
    {
        std::vector<std::string> cells;
        std::istringstream parts(line);
        std::string cell;
        while (std::getline(parts, cell, ','))
            cells.push_back(cell);
        if (cells.size() != 9)
            throw std::runtime_error(name + " has a row with the wrong number of columns: " + line);
        Row row;
        row.track = std::atoi(cells[0].c_str());
        row.view = std::atoi(cells[1].c_str());
        row.image = cells[2];
        row.point = std::atoi(cells[3].c_str());
        row.x = std::strtof(cells[4].c_str(), 0);
        row.y = std::strtof(cells[5].c_str(), 0);
        row.confidence = std::strtof(cells[8].c_str(), 0);
        rows.push_back(row);
    }
    return rows;
}

std::vector<Row> readStorage(const std::string& name)
{
    const Tracks tracks = Tracks::load(name);
    cv::FileStorage fs(name, cv::FileStorage::READ);
    const cv::FileNode views = fs["views"];
    if (static_cast<int>(views.size()) != tracks.viewCount())
        throw std::runtime_error(name + " has a wrong number of views");
    std::vector<std::vector<cv::KeyPoint>> keypoints(views.size());
    std::vector<std::string> names(views.size());
    for (int i = 0; i < tracks.viewCount(); ++i)
    {
        cv::FileNode view = views[i];
        view["keypoints"] >> keypoints[i];
        view["name"] >> names[i];
        if (keypoints[i].size() != tracks.trackIds(i).size() || names[i].empty())
            throw std::runtime_error(name + " has views with a wrong number of key points");
        if (static_cast<int>(view["width"]) <= 0 || static_cast<int>(view["height"]) <= 0)
            throw std::runtime_error(name + " has views without size");
    }
    std::vector<Row> rows;
    for (int t = 0; t < tracks.size(); ++t)
    {
        const std::vector<cv::multimatch::Observation> track = tracks.track(t);
        for (size_t o = 0; o < track.size(); ++o)
        {
            const cv::KeyPoint& keypoint = keypoints[track[o].view][track[o].point];
            Row row;
            row.track = t;
            row.view = track[o].view;
            row.image = names[track[o].view];
            row.point = track[o].point;
            row.x = keypoint.pt.x;
            row.y = keypoint.pt.y;
            row.confidence = track[o].confidence;
            rows.push_back(row);
        }
    }
    return rows;
}

void check(const std::vector<std::string>& files)
{
    std::vector<Row> first;
    for (size_t f = 0; f < files.size(); ++f)
    {
        const std::vector<Row> rows =
            samples::hasEnding(files[f], ".csv") ? readCsv(files[f]) : readStorage(files[f]);
        if (rows.empty())
            throw std::runtime_error(files[f] + " has no tracks");
        if (f == 0)
            first = rows;
        else if (!(rows == first))
            throw std::runtime_error(files[f] + " and " + files[0] + " have different tracks");
    }
    std::map<int, std::map<int, int>> seen;
    for (size_t r = 0; r < first.size(); ++r)
        if (++seen[first[r].track][first[r].view] > 1)
            throw std::runtime_error("a track has two points in a view");
    for (std::map<int, std::map<int, int>>::const_iterator t = seen.begin(); t != seen.end(); ++t)
        if (t->second.size() < 2)
            throw std::runtime_error("a track has only one view");
}

//! Matches as text with image names, which all formats have.
typedef std::set<std::string> Pairs;

std::string pairText(const std::string& imageA, int a, const std::string& imageB, int b)
{
    return imageA < imageB ? cv::format("%s:%d %s:%d", imageA.c_str(), a, imageB.c_str(), b)
                           : cv::format("%s:%d %s:%d", imageB.c_str(), b, imageA.c_str(), a);
}

Pairs pairsOf(const std::vector<cv::multimatch::ViewInfo>& views,
              const std::vector<cv::multimatch::PairMatches>& matches)
{
    Pairs pairs;
    for (const cv::multimatch::PairMatches& pair : matches)
        for (const cv::DMatch& match : pair.matches)
            pairs.insert(pairText(samples::baseName(views[pair.first].name), match.queryIdx,
                                  samples::baseName(views[pair.second].name), match.trainIdx));
    return pairs;
}

void expectSame(const Pairs& expected, const Pairs& found, const std::string& what)
{
    if (expected != found)
        throw std::runtime_error(cv::format("%s has %d matches, expected %d", what.c_str(),
                                            int(found.size()), int(expected.size())) +
                                 (expected.size() == found.size() ? ", but different ones" : ""));
}

void checkExports(const std::string& folder, const std::string& table)
{
    using namespace cv::multimatch;
    const std::vector<Row> rows = readCsv(table);
    Pairs expected;
    for (size_t a = 0; a < rows.size(); ++a)
        for (size_t b = a + 1; b < rows.size() && rows[b].track == rows[a].track; ++b)
            expected.insert(pairText(samples::baseName(rows[a].image), rows[a].point,
                                     samples::baseName(rows[b].image), rows[b].point));
    if (expected.empty())
        throw std::runtime_error(table + " has no tracks");
    std::vector<ViewInfo> views, named;
    std::vector<PairMatches> matches;
    readColmapDatabase(folder + "/a.db", views, matches);
    expectSame(expected, pairsOf(views, matches), "a.db");
    for (const ViewInfo& view : views)
        if (view.focalLength != 500)
            throw std::runtime_error("a.db has a wrong focal length");
    named = views;
    readColmapText(folder + "/text", named, matches);
    expectSame(expected, pairsOf(named, matches), "text");
    readOpenMVG(folder + "/mvg", named, matches);
    expectSame(expected, pairsOf(named, matches), "mvg");
    named = views;
    expectSame(expected, pairsOf(named, allPairMatches(readOpenSfM(folder + "/tracks.csv", named))),
               "tracks.csv");
    // The format has no indices of key points.
    const Pairs bal = pairsOf(named, allPairMatches(readBAL(folder + "/bal.txt", named)));
    if (bal.size() != expected.size())
        throw std::runtime_error("bal.txt has a wrong number of matches");
}

void checkFocal(const std::string& database)
{
    std::vector<cv::multimatch::ViewInfo> views;
    std::vector<cv::multimatch::PairMatches> matches;
    cv::multimatch::readColmapDatabase(database, views, matches);
    for (const cv::multimatch::ViewInfo& view : views)
    {
        // Film is 36 mm wide.
        const double expected = 50. / 36 * std::max(view.size.width, view.size.height);
        if (std::abs(view.focalLength - expected) > 1e-6 * expected)
            throw std::runtime_error(cv::format("%s has the focal length %f, expected %f",
                                                view.name.c_str(), view.focalLength, expected));
    }
}

} // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> words(argv + 1, argv + argc);
    try
    {
        if (words.size() >= 2 && words[0] == "check")
            check(std::vector<std::string>(words.begin() + 1, words.end()));
        else if (words.size() == 3 && words[0] == "make-video")
            makeVideo(words[1], words[2]);
        else if (words.size() == 4 && words[0] == "make-exif-photo")
            makeExifPhoto(words[1], words[2], words[3]);
        else if (words.size() == 2 && words[0] == "check-focal")
            checkFocal(words[1]);
        else if (words.size() == 2 && words[0] == "make-scene")
            makeScene(words[1]);
        else if (words.size() == 3 && words[0] == "make-hidden-video")
            makeHiddenVideo(words[1], words[2]);
        else if (words.size() == 2 && words[0] == "check-ids")
            checkIds(words[1]);
        else if (words.size() == 3 && words[0] == "make-panorama")
            makePanorama(words[1], words[2]);
        else if (words.size() == 3 && words[0] == "check-panorama")
            checkPanorama(words[1], words[2]);
        else if (words.size() == 3 && words[0] == "check-exports")
            checkExports(words[1], words[2]);
        else
            throw std::runtime_error("usage: see the beginning of e2e_tool.cpp");
        return 0;
    }
    catch (const std::exception& e)
    {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
