// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::string path = fuzz::write("table.txt", fuzz::Bytes(data, size).rest());
    std::vector<cv::multimatch::ViewInfo> views = fuzz::someViews();
    try
    {
        fuzz::requireConsistent(cv::multimatch::readBAL(path, views));
    }
    catch (const cv::Exception&)
    {
    }
    return 0;
}
