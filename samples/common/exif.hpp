// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_EXIF_HPP
#define MULTIMATCH_SAMPLES_EXIF_HPP

#include <string>

namespace samples {

//! True if the programs were built with libexif.
bool haveExif();

/** @brief Focal length in pixels that the EXIF data of a JPEG file give.

It is computed from the equivalent focal length on 35 mm film or, without it, from the focal length
and the resolution of the sensor.
@param file name of the image file
@param longerSide of the image, in pixels
@return 0 if the file does not give it, or without libexif */
double exifFocalLength(const std::string& file, int longerSide);

} // namespace samples

#endif
