// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "files.hpp"

#include "opencv2/core.hpp"
#include "opencv2/core/utils/filesystem.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <stdexcept>

namespace samples {

namespace {

const char* const IMAGE_ENDINGS[] = {".jpg", ".jpeg", ".jpe", ".png", ".bmp", ".dib",
                                     ".tif", ".tiff", ".jp2", ".pgm", ".ppm", ".pbm",
                                     ".pnm", ".webp", ".exr", ".hdr", ".ras", ".sr"};

const char* const MESH_ENDINGS[] = {".off", ".ply", ".obj"};

template<size_t N>
bool hasOneOf(const std::string& name, const char* const (&endings)[N])
{
    for (size_t i = 0; i < N; ++i)
        if (hasEnding(name, endings[i]))
            return true;
    return false;
}

bool isImageName(const std::string& name)
{
    return hasOneOf(name, IMAGE_ENDINGS);
}

bool isMeshName(const std::string& name)
{
    return hasOneOf(name, MESH_ENDINGS);
}

std::vector<std::string> listFolder(const std::string& folder, const std::string& pattern,
                                    bool (*isWanted)(const std::string&))
{
    std::vector<cv::String> found;
    if (cv::utils::fs::isDirectory(folder))
        cv::utils::fs::glob(folder, pattern, found);
    std::vector<std::string> files;
    for (size_t i = 0; i < found.size(); ++i)
        if (isWanted(found[i]) && baseName(found[i])[0] != '.')
            files.push_back(found[i]);
    std::sort(files.begin(), files.end(), naturalLess);
    return files;
}

std::vector<std::string> listTextFile(const std::string& file)
{
    std::ifstream in(file.c_str());
    std::vector<std::string> images;
    std::string line;
    while (std::getline(in, line))
    {
        line = line.substr(0, line.find('#'));
        const size_t begin = line.find_first_not_of(" \t\r");
        if (begin == std::string::npos)
            continue;
        line = line.substr(begin, line.find_last_not_of(" \t\r") - begin + 1);
        const bool absolute = line[0] == '/' || line[0] == '\\' || line.find(':') == 1;
        images.push_back(absolute ? line : cv::utils::fs::join(folderOf(file), line));
    }
    return images;
}

} // namespace

bool hasEnding(const std::string& name, const std::string& ending)
{
    if (name.size() < ending.size())
        return false;
    const size_t offset = name.size() - ending.size();
    for (size_t i = 0; i < ending.size(); ++i)
        if (std::tolower(static_cast<unsigned char>(name[offset + i])) !=
            std::tolower(static_cast<unsigned char>(ending[i])))
            return false;
    return true;
}

std::string baseName(const std::string& path)
{
    const size_t slash = path.find_last_of("/\\");
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string folderOf(const std::string& path)
{
    const size_t slash = path.find_last_of("/\\");
    if (slash == std::string::npos)
        return ".";
    return slash == 0 ? path.substr(0, 1) : path.substr(0, slash);
}

bool naturalLess(const std::string& a, const std::string& b)
{
    size_t i = 0, j = 0;
    while (i < a.size() && j < b.size())
    {
        const bool bothDigits = std::isdigit(static_cast<unsigned char>(a[i])) &&
                                std::isdigit(static_cast<unsigned char>(b[j]));
        if (!bothDigits)
        {
            if (a[i] != b[j])
                return a[i] < b[j];
            ++i;
            ++j;
            continue;
        }
        while (i < a.size() && a[i] == '0')
            ++i;
        while (j < b.size() && b[j] == '0')
            ++j;
        size_t endA = i, endB = j;
        while (endA < a.size() && std::isdigit(static_cast<unsigned char>(a[endA])))
            ++endA;
        while (endB < b.size() && std::isdigit(static_cast<unsigned char>(b[endB])))
            ++endB;
        if (endA - i != endB - j)
            return endA - i < endB - j;
        const int order = a.compare(i, endA - i, b, j, endB - j);
        if (order != 0)
            return order < 0;
        i = endA;
        j = endB;
    }
    if (a.size() - i != b.size() - j)
        return a.size() - i < b.size() - j;
    return a < b;
}

std::vector<std::string> listImages(const std::string& what)
{
    std::vector<std::string> images;
    if (cv::utils::fs::isDirectory(what))
    {
        images = listFolder(what, "", isImageName);
        if (images.empty())
            throw std::invalid_argument("the folder " + what + " contains no images");
    }
    else if (what.find_first_of("*?") != std::string::npos)
    {
        images = listFolder(folderOf(what), baseName(what), isImageName);
        if (images.empty())
            throw std::invalid_argument("no image matches " + what);
    }
    else if (isImageName(what))
        images.push_back(what);
    else if (cv::utils::fs::exists(what))
    {
        images = listTextFile(what);
        if (images.empty())
            throw std::invalid_argument("the list " + what + " contains no images");
    }
    else
        throw std::invalid_argument("there is no folder, image or list file " + what);
    return images;
}

std::vector<std::string> listMeshes(const std::string& what)
{
    if (isMeshName(what) && !cv::utils::fs::isDirectory(what) &&
        what.find_first_of("*?") == std::string::npos)
        return std::vector<std::string>(1, what);
    const bool folder = cv::utils::fs::isDirectory(what);
    if (!folder && what.find_first_of("*?") == std::string::npos)
        throw std::invalid_argument("there is no folder or mesh " + what);
    std::vector<std::string> meshes = folder
                                          ? listFolder(what, "", isMeshName)
                                          : listFolder(folderOf(what), baseName(what), isMeshName);
    if (meshes.empty())
        throw std::invalid_argument(folder ? "the folder " + what +
                                                 " contains no meshes (.off, .ply, .obj)"
                                           : "no mesh matches " + what);
    return meshes;
}

} // namespace samples
