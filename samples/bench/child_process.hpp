// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_CHILD_PROCESS_HPP
#define MULTIMATCH_BENCH_CHILD_PROCESS_HPP

#include <functional>
#include <string>
#include <vector>

namespace bench {

//! A measured value and its name.
struct Figure
{
    std::string metric;
    double value;
};

/** @brief Runs a measurement in a separate process, to measure its peak memory.
@return the result of work, followed by "peak-rss-bytes" of the process unless work returned it

Throws cv::Exception with the message of the process if it fails. Must be called before this process
starts threads. */
std::vector<Figure> measureInChild(const std::function<std::vector<Figure>()>& work);

} // namespace bench

#endif
