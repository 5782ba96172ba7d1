// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_EXIF_HPP
#define MULTIMATCH_SAMPLES_EXIF_HPP

#include <string>

namespace samples {

/** Focal length that a JPEG file tells of itself (EXIF), in pixels of an image whose longer side is given: from the equivalent of
35 mm film or, without it, from the focal length and the resolution of the sensor. 0 where the file tells nothing. */
double exifFocalLength(const std::string& file, int longerSide);

} // namespace samples

#endif
