// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "storage_file.hpp"

#include <cctype>
#include <cstring>
#include <fstream>

namespace cv { namespace multimatch {

namespace {

bool startsWith(const std::string& text, const char* start)
{
    return text.compare(0, std::strlen(start), start) == 0;
}

std::string withoutSpaceBehind(const std::string& text)
{
    const size_t last = text.find_last_not_of(" \t\r\n");
    return last == std::string::npos ? std::string() : text.substr(0, last + 1);
}

//! What is wrong with a line of YAML, number from 1; NULL: nothing.
const char* faultOfYaml(const std::string& line, int number)
{
    if (number == 2 && withoutSpaceBehind(line) != "---")
        return "expected ---";
    if (number > 2 && (startsWith(line, "...") || startsWith(line, "---")))
        return "expected one document";
    if (number == 3 && !line.empty() && !std::isalnum(static_cast<unsigned char>(line[0])) &&
        line[0] != '_' && line[0] != '"')
        return "expected a name";
    if (line.find("!!binary") != std::string::npos)
        return "expected no binary data";
    return NULL;
}

//! Throws where the file has what the parsers cannot read and FileStorage does not write.
void checkStorage(const String& filename)
{
    std::ifstream in(filename.c_str(), std::ios::binary);
    std::string line, last;
    bool yaml = false, xml = false;
    for (int number = 1; std::getline(in, line); ++number)
    {
        if (number == 1)
        {
            const std::string begin = startsWith(line, "\xef\xbb\xbf") ? line.substr(3) : line;
            yaml = startsWith(begin, "%YAML");
            xml = startsWith(begin, "<?xml");
            if (!yaml && !xml)
                return;
        }
        const char* fault = line.find('\0') != std::string::npos ? "expected text, found a byte 0"
                            : yaml                               ? faultOfYaml(line, number)
                                                                 : NULL;
        if (fault)
            CV_Error_(Error::StsParseError,
                      ("cannot read tracks from %s, line %d: %s", filename.c_str(), number, fault));
        if (!withoutSpaceBehind(line).empty())
            last.swap(line);
    }
    const std::string end = "</opencv_storage>";
    last = withoutSpaceBehind(last);
    if (xml && (last.size() < end.size() || last.substr(last.size() - end.size()) != end))
        CV_Error_(Error::StsParseError, ("cannot read tracks from %s: it does not end with %s",
                                         filename.c_str(), end.c_str()));
}

} // namespace

FileStorage openStorage(const String& filename)
{
    checkStorage(filename);
    FileStorage fs;
    try
    {
        fs.open(filename, FileStorage::READ);
    }
    catch (const std::logic_error& e)
    {
        // OpenCV's parser throws std::length_error where a key is empty.
        CV_Error_(Error::StsParseError,
                  ("cannot read tracks from %s: %s", filename.c_str(), e.what()));
    }
    if (!fs.isOpened())
        CV_Error_(Error::StsError, ("cannot read tracks from %s", filename.c_str()));
    return fs;
}

}} // namespace cv::multimatch
