// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "parameters.hpp"

namespace cv { namespace multimatch {

void checkRange(const char* name, double value, double low, bool open, double high,
                const char* expected)
{
    if ((value >= low && value <= high) && !(open && value == low))
        return;
    const bool whole = value == std::rint(value) && std::abs(value) < 1e15;
    CV_Error_(Error::StsOutOfRange, ("%s is %s, expected %s", name,
                                     format(whole ? "%.0f" : "%g", value).c_str(), expected));
}

void checkRatio(const char* name, float ratio)
{
    checkRange(name, ratio, 0, true, 1, "a value in (0, 1]");
}

Mat readPairs(const FileNode& node)
{
    std::vector<int> views;
    node >> views;
    if (views.size() % 2 != 0)
        CV_Error_(Error::StsParseError,
                  ("pairs has %zu view numbers, expected two for each pair", views.size()));
    return views.empty() ? Mat() : Mat(views, true).reshape(1, static_cast<int>(views.size() / 2));
}

}} // namespace cv::multimatch
