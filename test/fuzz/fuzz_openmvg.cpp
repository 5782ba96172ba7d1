// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// A folder of text files; the byte 0xff ends a file.

#include "fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    fuzz::Bytes bytes(data, size);
    for (const char* name : {"a.feat", "b.feat", "c.feat", "matches.f.txt"})
        fuzz::write(name, bytes.text());
    std::vector<cv::multimatch::ViewInfo> views = fuzz::someViews();
    std::vector<cv::multimatch::PairMatches> matches;
    try
    {
        cv::multimatch::readOpenMVG(fuzz::folder(), views, matches);
        fuzz::requireConsistent(views, matches);
    }
    catch (const cv::Exception&)
    {
    }
    return 0;
}
