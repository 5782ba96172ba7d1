// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_BASE_PARAMETERS_HPP
#define OPENCV_MULTIMATCH_SRC_BASE_PARAMETERS_HPP

#include "../precomp.hpp"

namespace cv { namespace multimatch {

//! Throws unless low <= value <= high (open: low < value); expected says the range in words.
void checkRange(const char* name, double value, double low, bool open, double high,
                const char* expected);

//! Throws unless ratio is in (0, 1].
void checkRatio(const char* name, float ratio);

template<typename T>
void readIfThere(const FileNode& node, const char* name, T& value)
{
    if (!node[name].empty())
        node[name] >> value;
}

}} // namespace cv::multimatch

#endif
