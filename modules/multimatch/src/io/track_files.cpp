// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "text_file.hpp"
#include "track_text.hpp"

#include "../base/storage_file.hpp"

#include <cctype>

namespace cv { namespace multimatch {

ViewInfo::ViewInfo() : focalLength(0) {}

namespace {

const char* const STORAGE_ENDINGS[] = {".yml", ".yaml", ".json", ".xml"};

bool hasEnding(const String& name, const String& ending)
{
    if (name.size() < ending.size())
        return false;
    for (size_t i = 0, offset = name.size() - ending.size(); i < ending.size(); ++i)
        if (std::tolower(static_cast<unsigned char>(name[offset + i])) != ending[i])
            return false;
    return true;
}

bool isStorageName(const String& name)
{
    for (size_t i = 0; i < sizeof(STORAGE_ENDINGS) / sizeof(STORAGE_ENDINGS[0]); ++i)
        if (hasEnding(name, STORAGE_ENDINGS[i]) ||
            hasEnding(name, STORAGE_ENDINGS[i] + String(".gz")))
            return true;
    return false;
}

void checkName(const String& name)
{
    if (!isTrackFileName(name))
        CV_Error_(Error::StsBadArg,
                  ("%s: expected a name with .yml, .yaml, .json, .xml (each also with .gz) or .csv",
                   name.c_str()));
}

//! Throws unless the file has been written as a whole: FileStorage does not report a full disk.
void checkWritten(const String& temporary, const String& filename,
                  const std::vector<ViewInfo>& views, const Tracks& tracks)
{
    std::vector<ViewInfo> found;
    bool whole = false;
    try
    {
        whole = readTracks(temporary, found) == tracks && found.size() == views.size();
    }
    catch (const cv::Exception&)
    {
    }
    if (!whole)
        CV_Error_(Error::StsError, ("cannot write %s; is the disk full?", filename.c_str()));
}

} // namespace

bool isTrackFileName(const String& filename)
{
    return isStorageName(filename) || hasEnding(filename, ".csv");
}

void writeTracks(const String& filename, const std::vector<ViewInfo>& views, const Tracks& tracks)
{
    checkName(filename);
    checkSizes(tracks, keypointCounts(views), "views");
    if (hasEnding(filename, ".csv"))
    {
        writeTracksCsv(filename, views, tracks);
        return;
    }
    detail::NewFile file(filename);
    FileStorage fs(file.temporaryName(), FileStorage::WRITE);
    if (!fs.isOpened())
        CV_Error_(Error::StsError, ("cannot write %s", filename.c_str()));
    tracks.write(fs);
    fs << "views"
       << "[";
    for (size_t v = 0; v < views.size(); ++v)
        fs << "{"
           << "name" << views[v].name << "width" << views[v].size.width << "height"
           << views[v].size.height << "focal" << views[v].focalLength << "keypoints"
           << views[v].keypoints << "}";
    fs << "]";
    fs.release();
    checkWritten(file.temporaryName(), filename, views, tracks);
    file.commit();
}

Tracks readTracks(const String& filename, std::vector<ViewInfo>& views)
{
    checkName(filename);
    if (hasEnding(filename, ".csv"))
        return readTracksCsv(filename, views);
    Tracks tracks = Tracks::load(filename);
    const FileStorage fs = openStorage(filename);
    const FileNode nodes = fs["views"];
    if (!nodes.isSeq())
        CV_Error_(Error::StsParseError, ("%s describes no views", filename.c_str()));
    views.assign(nodes.size(), ViewInfo());
    size_t v = 0;
    for (FileNodeIterator node = nodes.begin(); node != nodes.end(); ++node, ++v)
    {
        views[v].name = static_cast<std::string>((*node)["name"]);
        views[v].size =
            Size(static_cast<int>((*node)["width"]), static_cast<int>((*node)["height"]));
        views[v].focalLength = static_cast<double>((*node)["focal"]);
        (*node)["keypoints"] >> views[v].keypoints;
    }
    checkSizes(tracks, keypointCounts(views), "views");
    return tracks;
}

}} // namespace cv::multimatch
