// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "exif.hpp"

#ifdef HAVE_LIBEXIF

#include <libexif/exif-data.h>

#include <algorithm>
#include <memory>

namespace samples {

namespace {

const double FILM_WIDTH = 36; // mm

//! The value of a number in the EXIF directory; 0 if it is missing.
double valueOf(ExifData* data, ExifTag tag)
{
    const ExifEntry* entry = exif_content_get_entry(data->ifd[EXIF_IFD_EXIF], tag);
    if (!entry || entry->components < 1 ||
        entry->size < exif_format_get_size(entry->format) * entry->components)
        return 0;
    const ExifByteOrder order = exif_data_get_byte_order(data);
    if (entry->format == EXIF_FORMAT_SHORT)
        return exif_get_short(entry->data, order);
    if (entry->format == EXIF_FORMAT_LONG)
        return exif_get_long(entry->data, order);
    if (entry->format != EXIF_FORMAT_RATIONAL)
        return 0;
    const ExifRational value = exif_get_rational(entry->data, order);
    return value.denominator > 0 ? double(value.numerator) / value.denominator : 0;
}

} // namespace

bool haveExif()
{
    return true;
}

double exifFocalLength(const std::string& file, int longerSide)
{
    const std::unique_ptr<ExifData, void (*)(ExifData*)> owner(
        exif_data_new_from_file(file.c_str()), exif_data_unref);
    ExifData* const data = owner.get();
    if (!data)
        return 0;
    const double equivalent = valueOf(data, EXIF_TAG_FOCAL_LENGTH_IN_35MM_FILM);
    if (equivalent > 0)
        return equivalent / FILM_WIDTH * longerSide;
    const double unit =
        valueOf(data, EXIF_TAG_FOCAL_PLANE_RESOLUTION_UNIT) == 3 ? 10 : 25.4; // mm: cm or inch
    const double perMillimeter = valueOf(data, EXIF_TAG_FOCAL_PLANE_X_RESOLUTION) / unit;
    const double taken = std::max(valueOf(data, EXIF_TAG_PIXEL_X_DIMENSION),
                                  valueOf(data, EXIF_TAG_PIXEL_Y_DIMENSION));
    if (!(perMillimeter > 0) || !(taken > 0))
        return 0;
    return valueOf(data, EXIF_TAG_FOCAL_LENGTH) * perMillimeter * longerSide / taken;
}

} // namespace samples

#else

namespace samples {

bool haveExif()
{
    return false;
}

double exifFocalLength(const std::string&, int)
{
    return 0;
}

} // namespace samples

#endif
