// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "fuzz.hpp"

#include "exif.hpp"

#include <cmath>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::string path = fuzz::write("image.jpg", fuzz::Bytes(data, size).rest());
    const double focal = samples::exifFocalLength(path, 4000);
    fuzz::require(std::isfinite(focal) && focal >= 0, "a finite focal length, not negative");
    return 0;
}
