// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// What the end-to-end tests need beyond running programs:
//   check FILE...             all files hold the same tracks, and tracks at all
//   make-video FOLDER FILE    a video of the pictures of a folder

#include "files.hpp"

#include "opencv2/imgcodecs.hpp"
#include "opencv2/multimatch.hpp"
#include "opencv2/videoio.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

namespace {

using cv::multimatch::Tracks;

// A row of the table that every kind of file must be able to give.
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
            throw std::runtime_error(name + " has a row of another length: " + line);
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
        throw std::runtime_error(name + " describes another number of views than it has");
    std::vector<std::vector<cv::KeyPoint>> keypoints(views.size());
    std::vector<std::string> names(views.size());
    for (int i = 0; i < tracks.viewCount(); ++i)
    {
        cv::FileNode view = views[i];
        view["keypoints"] >> keypoints[i];
        view["name"] >> names[i];
        if (keypoints[i].size() != tracks.trackIds(i).size() || names[i].empty())
            throw std::runtime_error(name + " has views whose key points do not fit their tracks");
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
            throw std::runtime_error(files[f] + " holds no tracks");
        if (f == 0)
            first = rows;
        else if (!(rows == first))
            throw std::runtime_error(files[f] + " and " + files[0] + " hold different tracks");
    }
    std::map<int, std::map<int, int>> seen;
    for (size_t r = 0; r < first.size(); ++r)
        if (++seen[first[r].track][first[r].view] > 1)
            throw std::runtime_error("a track sees a view twice");
    for (std::map<int, std::map<int, int>>::const_iterator t = seen.begin(); t != seen.end(); ++t)
        if (t->second.size() < 2)
            throw std::runtime_error("a track sees one view only");
}

void makeVideo(const std::string& folder, const std::string& file)
{
    const std::vector<std::string> pictures = samples::listImages(folder);
    cv::VideoWriter writer;
    for (size_t i = 0; i < pictures.size(); ++i)
    {
        const cv::Mat picture = cv::imread(pictures[i]);
        // Motion JPEG in AVI is what every build of OpenCV writes without any codec.
        if (i == 0 && !writer.open(file, cv::CAP_OPENCV_MJPEG,
                                   cv::VideoWriter::fourcc('M', 'J', 'P', 'G'), 10, picture.size()))
            throw std::runtime_error("cannot write the video " + file);
        writer.write(picture);
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
        else
            throw std::runtime_error("usage: check FILE... | make-video FOLDER FILE");
        return 0;
    }
    catch (const std::exception& e)
    {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
