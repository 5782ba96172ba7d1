// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Files of tracks: the first byte chooses the format, the others are the file.

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    fuzz::Bytes bytes(data, size);
    const char* const names[] = {"t.yml", "t.json", "t.xml", "t.csv", "t.yml.gz"};
    const std::string file = names[bytes.byte() % 5];
    const std::string path = fuzz::write(file, bytes.rest());
    try
    {
        std::vector<cv::multimatch::ViewInfo> views;
        fuzz::requireConsistent(cv::multimatch::readTracks(path, views));
    }
    catch (const cv::Exception&)
    {
    }
    return 0;
}
