// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "exif.hpp"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <vector>

namespace samples {

namespace {

const double FILM_WIDTH = 36; // mm
const size_t LONGEST_HEADER =
    1u << 20; // EXIF lies in the first 64 kB, behind perhaps other segments

enum Tag
{
    EXIF_FOLDER = 0x8769,
    FOCAL_LENGTH = 0x920A,
    PIXEL_WIDTH = 0xA002,
    PIXEL_HEIGHT = 0xA003,
    PLANE_RESOLUTION = 0xA20E,
    PLANE_UNIT = 0xA210,
    FOCAL_LENGTH_35MM = 0xA405
};

//! The TIFF structure that EXIF is.
class TiffReader
{
public:
    TiffReader(const unsigned char* data, size_t size) : data_(data), size_(size), little_(true)
    {
        little_ = size >= 2 && data[0] == 'I';
        readFolder(number(4, 4), true);
    }

    //! 0 where it is not there.
    double value(int tag) const
    {
        const std::map<int, double>::const_iterator found = values_.find(tag);
        return found == values_.end() ? 0 : found->second;
    }

private:
    size_t number(size_t at, size_t bytes) const
    {
        size_t result = 0;
        for (size_t i = 0; i < bytes; ++i)
            if (at + i < size_)
                result |= static_cast<size_t>(data_[at + i]) << 8 * (little_ ? i : bytes - 1 - i);
        return result;
    }

    void readFolder(size_t at, bool first)
    {
        const size_t count = at + 2 <= size_ ? number(at, 2) : 0;
        for (size_t i = 0; i < count && at + 2 + 12 * (i + 1) <= size_; ++i)
        {
            const size_t entry = at + 2 + 12 * i;
            const int tag = static_cast<int>(number(entry, 2));
            const size_t type = number(entry + 2, 2);
            if (tag == EXIF_FOLDER && first)
                readFolder(number(entry + 8, 4), false);
            else if (type == 3)
                values_[tag] = static_cast<double>(number(entry + 8, 2));
            else if (type == 4)
                values_[tag] = static_cast<double>(number(entry + 8, 4));
            else if (type == 5)
            {
                const size_t place = number(entry + 8, 4);
                const size_t below = number(place + 4, 4);
                if (below > 0)
                    values_[tag] =
                        static_cast<double>(number(place, 4)) / static_cast<double>(below);
            }
        }
    }

    const unsigned char* data_;
    size_t size_;
    bool little_;
    std::map<int, double> values_;
};

//! Where the EXIF segment of a JPEG file begins and how long it is; 0 where there is none.
size_t findExif(const std::vector<unsigned char>& bytes, size_t& length)
{
    size_t at = 2;
    if (bytes.size() < 4 || bytes[0] != 0xFF || bytes[1] != 0xD8)
        return 0;
    while (at + 4 <= bytes.size() && bytes[at] == 0xFF && bytes[at + 1] != 0xDA)
    {
        const size_t size = static_cast<size_t>(bytes[at + 2]) << 8 | bytes[at + 3];
        if (bytes[at + 1] == 0xE1 && at + 10 <= bytes.size() &&
            std::memcmp(&bytes[at + 4], "Exif\0\0", 6) == 0 && size > 8 &&
            at + 2 + size <= bytes.size())
        {
            length = size - 8;
            return at + 10;
        }
        at += 2 + size;
    }
    return 0;
}

} // namespace

double exifFocalLength(const std::string& file, int longerSide)
{
    std::ifstream in(file.c_str(), std::ios::binary);
    std::vector<unsigned char> bytes(LONGEST_HEADER);
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<size_t>(in.gcount()));
    size_t length = 0;
    const size_t begin = findExif(bytes, length);
    if (begin == 0)
        return 0;
    const TiffReader exif(&bytes[begin], length);
    if (exif.value(FOCAL_LENGTH_35MM) > 0)
        return exif.value(FOCAL_LENGTH_35MM) / FILM_WIDTH * longerSide;
    const double unit = exif.value(PLANE_UNIT) == 3 ? 10 : 25.4; // mm in a cm or an inch
    const double perMillimeter = exif.value(PLANE_RESOLUTION) / unit;
    const double taken = std::max(exif.value(PIXEL_WIDTH), exif.value(PIXEL_HEIGHT));
    if (!(perMillimeter > 0) || !(taken > 0))
        return 0;
    return exif.value(FOCAL_LENGTH) * perMillimeter * longerSide / taken;
}

} // namespace samples
