// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "image_file.hpp"

#include "files.hpp"

#include "opencv2/imgcodecs.hpp"

#include <fstream>
#include <stdexcept>

namespace samples {

void writeImage(const std::string& name, const cv::Mat& image, const std::vector<int>& settings)
{
    const size_t dot = baseName(name).find_last_of('.');
    std::vector<uchar> bytes;
    if (dot == std::string::npos ||
        !cv::imencode(baseName(name).substr(dot), image, bytes, settings))
        throw std::runtime_error("cannot write " + name + " as an image");
    NewFile file(name);
    std::ofstream out(file.temporaryName().c_str(), std::ios::binary);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out)
        throw std::runtime_error("cannot write " + name + "; is the disk full?");
    file.commit();
}

} // namespace samples
