// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "text_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <locale>
#include <set>
#include <sstream>

namespace cv { namespace multimatch {

namespace {

const size_t SHOWN = 150; //!< characters at each end of the text of an error

//! Bytes of the UTF-8 character at the beginning of a text, 0: it is none, or a control character.
size_t characterBytes(const std::string& text, size_t at)
{
    const unsigned char first = static_cast<unsigned char>(text[at]);
    if (first < 0x80)
        return first >= 0x20 && first != 0x7f;
    const size_t bytes = first >= 0xf5   ? 0
                         : first >= 0xf0 ? 4
                         : first >= 0xe0 ? 3
                         : first >= 0xc2 ? 2
                                         : 0;
    if (bytes == 0 || at + bytes > text.size())
        return 0;
    for (size_t n = 1; n < bytes; ++n)
        if ((static_cast<unsigned char>(text[at + n]) & 0xc0) != 0x80)
            return 0;
    const unsigned char second = static_cast<unsigned char>(text[at + 1]);
    // Overlong forms, surrogates, and code points beyond the last one.
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
        (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
        return 0;
    return bytes;
}

//! A text that may hold anything, as UTF-8; other bytes as \xNN. The middle of a long one is left
//! out.
std::string printable(const std::string& text)
{
    std::vector<std::string> characters;
    for (size_t at = 0; at < text.size();)
    {
        const size_t bytes = characterBytes(text, at);
        characters.push_back(bytes > 0 ? text.substr(at, bytes)
                                       : format("\\x%02x", static_cast<unsigned char>(text[at])));
        at += std::max<size_t>(1, bytes);
    }
    std::string result;
    for (size_t n = 0; n < characters.size(); ++n)
    {
        if (n == SHOWN && characters.size() > 2 * SHOWN)
        {
            result += " ... ";
            n = characters.size() - SHOWN;
        }
        result += characters[n];
    }
    return result;
}

} // namespace

TextReader::TextReader(const String& filename)
    : filename_(filename), in_(filename.c_str(), std::ios::binary), lineNumber_(0), bytes_(0)
{
    if (!in_)
        CV_Error_(Error::StsError, ("cannot read %s", filename.c_str()));
    in_.seekg(0, std::ios::end);
    bytes_ = std::max(0., static_cast<double>(in_.tellg()));
    in_.clear();
    in_.seekg(0);
    in_.clear();
}

int TextReader::plausible(int minimum) const
{
    return static_cast<int>(std::min<double>(INT_MAX - 1, minimum + bytes_));
}

bool TextReader::line(std::string& text)
{
    if (!std::getline(in_, text))
        return false;
    ++lineNumber_;
    if (!text.empty() && text[text.size() - 1] == '\r')
        text.erase(text.size() - 1);
    return true;
}

bool TextReader::fields(std::vector<std::string>& parts)
{
    std::string text;
    if (!line(text))
        return false;
    parts.clear();
    const char* const space = " \t";
    for (size_t begin = text.find_first_not_of(space); begin != std::string::npos;)
    {
        const size_t end = std::min(text.find_first_of(space, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = text.find_first_not_of(space, end);
    }
    return true;
}

bool TextReader::fields(std::vector<std::string>& parts, char separator)
{
    std::string text;
    if (!line(text))
        return false;
    parts.assign(1, std::string());
    bool quoted = false;
    for (size_t i = 0; i < text.size(); ++i)
    {
        if (text[i] == '"')
        {
            // Two quotes inside a quoted field are one.
            if (quoted && i + 1 < text.size() && text[i + 1] == '"')
                parts.back() += text[i++];
            else
                quoted = !quoted;
        }
        else if (text[i] == separator && !quoted)
            parts.push_back(std::string());
        else
            parts.back() += text[i];
    }
    return true;
}

int TextReader::integer(const std::string& field, int low, int high) const
{
    char* end = NULL;
    errno = 0;
    const long value = std::strtol(field.c_str(), &end, 10);
    if (field.empty() || *end || errno || value < low || value > high)
        fail(format("found \"%s\", expected a whole number from %d to %d", field.c_str(), low,
                    high));
    return static_cast<int>(value);
}

double TextReader::number(const std::string& field) const
{
    std::istringstream in(field);
    in.imbue(std::locale::classic()); // whatever the program has set
    double value = 0;
    if (!(in >> value) || in.peek() != std::istringstream::traits_type::eof() ||
        !std::isfinite(value))
        fail(format("found \"%s\", expected a number", field.c_str()));
    return value;
}

void TextReader::expectFields(const std::vector<std::string>& parts, size_t count) const
{
    if (parts.size() != count)
        fail(format("found %d fields, expected %d", static_cast<int>(parts.size()),
                    static_cast<int>(count)));
}

void TextReader::fail(const std::string& reason) const
{
    CV_Error_(Error::StsParseError,
              ("%s, line %d: %s", filename_.c_str(), lineNumber_, printable(reason).c_str()));
}

TextWriter::TextWriter(const String& filename, bool tidy)
    : filename_(filename), file_(filename, tidy),
      out_(file_.temporaryName().c_str(), std::ios::binary)
{
    out_.imbue(std::locale::classic());
}

void TextWriter::commit()
{
    out_.close();
    if (!out_)
        CV_Error_(Error::StsError, ("cannot write %s; is the disk full?", filename_.c_str()));
    file_.commit();
}

std::string joined(std::initializer_list<double> numbers, int digits, char separator)
{
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out.precision(digits);
    for (std::initializer_list<double>::const_iterator n = numbers.begin(); n != numbers.end(); ++n)
    {
        if (n != numbers.begin())
            out << separator;
        out << *n;
    }
    return out.str();
}

std::map<String, int> viewsByName(const std::vector<ViewInfo>& views)
{
    std::map<String, int> numbers;
    for (size_t v = 0; v < views.size(); ++v)
        if (!numbers.insert(std::make_pair(views[v].name, static_cast<int>(v))).second)
            CV_Error_(Error::StsBadArg, ("two views have the name \"%s\"", views[v].name.c_str()));
    return numbers;
}

std::vector<int> keypointCounts(const std::vector<ViewInfo>& views)
{
    std::vector<int> counts;
    for (size_t v = 0; v < views.size(); ++v)
        counts.push_back(static_cast<int>(views[v].keypoints.size()));
    return counts;
}

void checkSize(const ViewInfo& view, const char* formatName)
{
    if (view.size.width <= 0 || view.size.height <= 0)
        CV_Error_(Error::StsBadArg,
                  ("view \"%s\" is %d x %d pixels, but %s needs its size", view.name.c_str(),
                   view.size.width, view.size.height, formatName));
}

String baseName(const String& path)
{
    const size_t slash = path.find_last_of("/\\");
    return slash == String::npos ? path : path.substr(slash + 1);
}

float radiansOf(const KeyPoint& keypoint)
{
    return keypoint.angle < 0 ? 0.f : static_cast<float>(keypoint.angle * CV_PI / 180);
}

float degreesOf(double radians)
{
    double degrees = std::fmod(radians * 180 / CV_PI, 360);
    if (degrees < 0)
        degrees += 360;
    return static_cast<float>(degrees);
}

}} // namespace cv::multimatch
