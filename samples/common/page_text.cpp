// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "page_text.hpp"

#include "files.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace samples {

namespace {

const std::string DATA_MARK = "@DATA@"; // marks the place of the data in the page

} // namespace

std::string base64(const unsigned char* bytes, size_t count)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (size_t i = 0; i < count; i += 3)
    {
        const size_t left = std::min<size_t>(3, count - i);
        unsigned value = static_cast<unsigned>(bytes[i]) << 16;
        value |= left > 1 ? static_cast<unsigned>(bytes[i + 1]) << 8 : 0;
        value |= left > 2 ? static_cast<unsigned>(bytes[i + 2]) : 0;
        for (size_t k = 0; k < 4; ++k)
            text += k <= left ? letters[value >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

std::string quoted(const std::string& text)
{
    std::string result = "\"";
    for (size_t i = 0; i < text.size(); ++i)
    {
        const unsigned char c = static_cast<unsigned char>(text[i]);
        if (c < 0x20 || c == '<' || c == '"' || c == '\\')
            result += cv::format("\\u%04x", c);
        else
            result += text[i];
    }
    return result + "\"";
}

void writePage(const std::string& name, const std::string& page, const std::string& data)
{
    const size_t mark = page.find(DATA_MARK);
    CV_Assert(mark != std::string::npos);
    NewFile file(name);
    std::ofstream out(file.temporaryName().c_str(), std::ios::binary);
    out << page.substr(0, mark) << data << page.substr(mark + DATA_MARK.size());
    out.close();
    if (!out)
        throw std::runtime_error("cannot write " + name + "; is the disk full?");
    file.commit();
}

} // namespace samples
