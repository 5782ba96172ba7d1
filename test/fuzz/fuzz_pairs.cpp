// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "fuzz.hpp"

#include "arguments.hpp"
#include "pairs.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    const std::string path = fuzz::write("pairs.txt", fuzz::Bytes(data, size).rest());
    const std::vector<std::string> sources = {"x/a.jpg", "x/b.jpg", "y/a.jpg", "d.jpg", "7"};
    const std::vector<int> readable = {0, 2, 3};
    try
    {
        const cv::Mat pairs = readPairs(path, sources, readable);
        fuzz::require(pairs.type() == CV_32SC1 && pairs.cols == 2, "N x 2 whole numbers");
        for (int n = 0; n < pairs.rows; ++n)
            for (int side = 0; side < 2; ++side)
                fuzz::require(pairs.at<int>(n, side) >= 0 && pairs.at<int>(n, side) < 3,
                              "views that exist");
    }
    catch (const samples::ArgumentError&)
    {
    }
    return 0;
}
