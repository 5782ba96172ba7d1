// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_PAGE_TEXT_HPP
#define MULTIMATCH_SAMPLES_PAGE_TEXT_HPP

#include <cstring>
#include <string>
#include <vector>

namespace samples {

//! Parts of the data in an HTML page.

std::string base64(const unsigned char* bytes, size_t count);

//! The bytes of the values as they are in memory.
template<typename T>
std::string base64Of(const std::vector<T>& values)
{
    std::vector<unsigned char> bytes(values.size() * sizeof(T));
    if (!values.empty())
        std::memcpy(bytes.data(), values.data(), bytes.size());
    return base64(bytes.data(), bytes.size());
}

/** A JSON string. "<" is escaped too: "</script>" or "<!--" in a file name would change where the
 * data end. */
std::string quoted(const std::string& text);

/** Writes a page with the data at its mark @DATA@. The file appears under its name only when it is
complete. Throws std::runtime_error where the disk is full. */
void writePage(const std::string& name, const std::string& page, const std::string& data);

} // namespace samples

#endif
