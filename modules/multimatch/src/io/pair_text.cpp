// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Text with key points per view and matches per pair: COLMAP's importers, OpenMVG.

#include "text_file.hpp"

#include <climits>

namespace cv { namespace multimatch {

namespace {

const int SIFT_WIDTH = 128;     // of the descriptors that COLMAP's text must have
const float COLMAP_SHIFT = .5f; // of its pixel centers

//! COLMAP and OpenMVG store the scale of a point, KeyPoint its diameter.
KeyPoint fromScale(double x, double y, double scale, double radians)
{
    return KeyPoint(static_cast<float>(x), static_cast<float>(y), static_cast<float>(2 * scale),
                    degreesOf(radians));
}

std::string frameOf(const KeyPoint& keypoint, float shift)
{
    return joined(
        {keypoint.pt.x + shift, keypoint.pt.y + shift, keypoint.size / 2, radiansOf(keypoint)}, 9,
        ' ');
}

void writeRows(std::ofstream& out, const PairMatches& pair)
{
    for (size_t m = 0; m < pair.matches.size(); ++m)
        out << pair.matches[m].queryIdx << ' ' << pair.matches[m].trainIdx << '\n';
}

DMatch readRow(const TextReader& in, const std::vector<std::string>& parts, const ViewInfo& first,
               const ViewInfo& second)
{
    in.expectFields(parts, 2);
    return DMatch(in.integer(parts[0], 0, static_cast<int>(first.keypoints.size()) - 1),
                  in.integer(parts[1], 0, static_cast<int>(second.keypoints.size()) - 1), 0.f);
}

String inFolder(const String& folder, const String& name)
{
    return folder + "/" + name;
}

//! "b/" of "b/a.jpg".
String folderOf(const String& path)
{
    return path.substr(0, path.size() - baseName(path).size());
}

//! Throws where a file of this name would lie outside of its folder, or take the place of
//! matches.txt.
void checkInside(const String& name, size_t view)
{
    const bool absolute = name[0] == '/' || name[0] == '\\' || name.find(':') == 1;
    bool upwards = false;
    for (size_t begin = 0, end = 0; end < name.size(); begin = end + 1)
    {
        end = std::min(name.find_first_of("/\\", begin), name.size());
        upwards = upwards || name.substr(begin, end - begin) == "..";
    }
    if (absolute || upwards)
        CV_Error_(Error::StsBadArg,
                  ("views[%d] has the name \"%s\", whose file would be outside of the folder",
                   static_cast<int>(view), name.c_str()));
    if (name == "matches")
        CV_Error_(Error::StsBadArg, ("views[%d] has the name \"matches\", whose file would be that "
                                     "of the matches",
                                     static_cast<int>(view)));
}

String withoutEnding(const String& name)
{
    const size_t dot = name.find_last_of('.');
    return dot == String::npos || dot == 0 ? name : name.substr(0, dot);
}

String featName(const ViewInfo& view)
{
    return withoutEnding(baseName(view.name)) + ".feat";
}

} // namespace

void writeColmapText(const String& folder, const std::vector<ViewInfo>& views,
                     const std::vector<PairMatches>& matches)
{
    checkMatches(matches, keypointCounts(views), true);
    viewsByName(views);
    std::string zeros;
    for (int d = 0; d < SIFT_WIDTH; ++d)
        zeros += " 0";
    for (size_t v = 0; v < views.size(); ++v)
    {
        if (views[v].name.empty() || views[v].name.find_first_of(" \t\r\n") != String::npos)
            CV_Error_(
                Error::StsBadArg,
                ("views[%d] has the name \"%s\", but COLMAP's text takes none that is empty or "
                 "has white space",
                 static_cast<int>(v), views[v].name.c_str()));
        checkInside(views[v].name, v);
    }
    for (size_t v = 0; v < views.size(); ++v)
    {
        const String name = inFolder(folder, views[v].name + ".txt");
        const bool newFolder = v == 0 || folderOf(views[v].name) != folderOf(views[v - 1].name);
        TextWriter file(name, newFolder);
        file.stream() << views[v].keypoints.size() << ' ' << SIFT_WIDTH << '\n';
        for (size_t p = 0; p < views[v].keypoints.size(); ++p)
            file.stream() << frameOf(views[v].keypoints[p], COLMAP_SHIFT) << zeros << '\n';
        file.commit();
    }
    TextWriter file(inFolder(folder, "matches.txt"));
    for (size_t n = 0; n < matches.size(); ++n)
    {
        file.stream() << views[matches[n].first].name << ' ' << views[matches[n].second].name
                      << '\n';
        writeRows(file.stream(), matches[n]);
        file.stream() << '\n';
    }
    file.commit();
}

void readColmapText(const String& folder, std::vector<ViewInfo>& views,
                    std::vector<PairMatches>& matches)
{
    const std::map<String, int> number = viewsByName(views);
    std::vector<std::string> parts;
    for (size_t v = 0; v < views.size(); ++v)
    {
        TextReader in(inFolder(folder, views[v].name + ".txt"));
        if (!in.fields(parts))
            in.fail("nothing there, expected the number of points");
        in.expectFields(parts, 2);
        const int count = in.integer(parts[0], 0, INT_MAX),
                  width = in.integer(parts[1], 0, INT_MAX);
        views[v].keypoints.clear();
        for (int p = 0; p < count; ++p)
        {
            if (!in.fields(parts))
                in.fail(format("ends after %d of %d points", p, count));
            in.expectFields(parts, 4 + static_cast<size_t>(width));
            views[v].keypoints.push_back(fromScale(in.number(parts[0]) - COLMAP_SHIFT,
                                                   in.number(parts[1]) - COLMAP_SHIFT,
                                                   in.number(parts[2]), in.number(parts[3])));
        }
    }
    matches.clear();
    TextReader in(inFolder(folder, "matches.txt"));
    bool inBlock = false;
    while (in.fields(parts))
    {
        if (parts.empty())
        {
            inBlock = false;
            continue;
        }
        if (inBlock)
        {
            PairMatches& pair = matches.back();
            pair.matches.push_back(readRow(in, parts, views[pair.first], views[pair.second]));
            continue;
        }
        in.expectFields(parts, 2);
        for (int side = 0; side < 2; ++side)
            if (!number.count(parts[side]))
                in.fail("there is no view \"" + parts[side] + "\"");
        matches.push_back(
            PairMatches(number.find(parts[0])->second, number.find(parts[1])->second));
        inBlock = true;
    }
}

void writeOpenMVG(const String& folder, const std::vector<ViewInfo>& views,
                  const std::vector<PairMatches>& matches)
{
    checkMatches(matches, keypointCounts(views), true);
    std::map<String, size_t> seen;
    for (size_t v = 0; v < views.size(); ++v)
        if (!seen.insert(std::make_pair(featName(views[v]), v)).second)
            CV_Error_(Error::StsBadArg,
                      ("two views would share the file %s", featName(views[v]).c_str()));
    for (size_t v = 0; v < views.size(); ++v)
    {
        TextWriter file(inFolder(folder, featName(views[v])), v == 0);
        for (size_t p = 0; p < views[v].keypoints.size(); ++p)
            file.stream() << frameOf(views[v].keypoints[p], 0.f) << '\n';
        file.commit();
    }
    TextWriter file(inFolder(folder, "matches.f.txt"), false);
    for (size_t n = 0; n < matches.size(); ++n)
    {
        file.stream() << matches[n].first << ' ' << matches[n].second << '\n'
                      << matches[n].matches.size() << '\n';
        writeRows(file.stream(), matches[n]);
    }
    file.commit();
}

void readOpenMVG(const String& folder, std::vector<ViewInfo>& views,
                 std::vector<PairMatches>& matches)
{
    std::vector<std::string> parts;
    for (size_t v = 0; v < views.size(); ++v)
    {
        TextReader in(inFolder(folder, featName(views[v])));
        views[v].keypoints.clear();
        while (in.fields(parts))
        {
            if (parts.empty())
                continue;
            in.expectFields(parts, 4);
            views[v].keypoints.push_back(fromScale(in.number(parts[0]), in.number(parts[1]),
                                                   in.number(parts[2]), in.number(parts[3])));
        }
    }
    matches.clear();
    const int last = static_cast<int>(views.size()) - 1;
    TextReader in(inFolder(folder, "matches.f.txt"));
    while (in.fields(parts))
    {
        if (parts.empty())
            continue;
        in.expectFields(parts, 2);
        PairMatches pair(in.integer(parts[0], 0, last), in.integer(parts[1], 0, last));
        if (!in.fields(parts))
            in.fail("ends before the number of matches");
        in.expectFields(parts, 1);
        const int count = in.integer(parts[0], 0, INT_MAX);
        for (int m = 0; m < count; ++m)
        {
            if (!in.fields(parts))
                in.fail(format("ends after %d of %d matches", m, count));
            pair.matches.push_back(readRow(in, parts, views[pair.first], views[pair.second]));
        }
        matches.push_back(pair);
    }
}

}} // namespace cv::multimatch
