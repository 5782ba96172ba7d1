// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_BASE_PARAMETERS_HPP
#define OPENCV_MULTIMATCH_SRC_BASE_PARAMETERS_HPP

#include "../precomp.hpp"

namespace cv { namespace multimatch {

//! Throws unless low <= value <= high (open: low < value); expected: the range in words.
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

/** Pairs of views from a sequence of view numbers, as an N x 2 CV_32S matrix; empty from an empty
sequence. Throws where the count is odd. */
Mat readPairs(const FileNode& node);

}} // namespace cv::multimatch

#endif
