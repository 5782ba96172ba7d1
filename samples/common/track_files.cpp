// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "track_files.hpp"

#include "files.hpp"

#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace samples {

namespace {

const char* const STORAGE_ENDINGS[] = {".yml", ".yaml", ".json", ".xml"};

bool isStorageName(const std::string& name)
{
    for (size_t i = 0; i < sizeof(STORAGE_ENDINGS) / sizeof(STORAGE_ENDINGS[0]); ++i)
        if (hasEnding(name, STORAGE_ENDINGS[i]) ||
            hasEnding(name, std::string(STORAGE_ENDINGS[i]) + ".gz"))
            return true;
    return false;
}

void writeStorage(const std::string& file, const std::vector<ViewInfo>& views,
                  const cv::multimatch::Tracks& tracks)
{
    cv::FileStorage fs(file, cv::FileStorage::WRITE);
    if (!fs.isOpened())
        throw std::runtime_error("cannot write " + file);
    tracks.write(fs);
    fs << "views"
       << "[";
    for (size_t i = 0; i < views.size(); ++i)
        fs << "{"
           << "name" << views[i].name << "width" << views[i].size.width << "height"
           << views[i].size.height << "keypoints" << views[i].keypoints << "}";
    fs << "]";
    fs.release();
    // FileStorage does not tell when the disk is full.
    if (cv::multimatch::Tracks::load(file) != tracks)
        throw std::runtime_error("what was written to " + file + " cannot be read back");
}

std::string quoted(const std::string& text)
{
    if (text.find_first_of(",\"\n\r") == std::string::npos)
        return text;
    std::string result = "\"";
    for (size_t i = 0; i < text.size(); ++i)
        result += text[i] == '"' ? std::string("\"\"") : std::string(1, text[i]);
    return result + "\"";
}

void writeCsv(const std::string& file, const std::vector<ViewInfo>& views,
              const cv::multimatch::Tracks& tracks)
{
    std::ofstream out(file.c_str(), std::ios::binary);
    out << "track,view,image,point,x,y,size,angle,confidence\n";
    for (int t = 0; t < tracks.size(); ++t)
    {
        const std::vector<cv::multimatch::Observation> track = tracks.track(t);
        for (size_t o = 0; o < track.size(); ++o)
        {
            const ViewInfo& view = views[track[o].view];
            const cv::KeyPoint& keypoint = view.keypoints[track[o].point];
            // Nine digits give every float back as it was.
            out << t << ',' << track[o].view << ',' << quoted(view.name) << ',' << track[o].point
                << cv::format(",%.9g,%.9g,%.9g,%.9g,%.9g\n", keypoint.pt.x, keypoint.pt.y,
                              keypoint.size, keypoint.angle, track[o].confidence);
        }
    }
    out.close();
    if (!out)
        throw std::runtime_error("cannot write " + file + "; is the disk full?");
}

} // namespace

std::string trackFileEndings()
{
    return ".yml, .json, .xml (each also with .gz) or .csv";
}

bool isTrackFileName(const std::string& name)
{
    return isStorageName(name) || hasEnding(name, ".csv");
}

void writeTracks(const std::string& name, const std::vector<ViewInfo>& views,
                 const cv::multimatch::Tracks& tracks)
{
    if (!isTrackFileName(name))
        throw std::runtime_error("cannot write " + name + ": expected a name with " +
                                 trackFileEndings());
    NewFile file(name);
    if (isStorageName(name))
        writeStorage(file.temporaryName(), views, tracks);
    else
        writeCsv(file.temporaryName(), views, tracks);
    file.commit();
}

} // namespace samples
