// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_CHILD_PROCESS_HPP
#define MULTIMATCH_BENCH_CHILD_PROCESS_HPP

#include <functional>
#include <string>
#include <vector>

namespace bench {

//! A number that a measurement found, under its name.
struct Figure
{
    std::string metric;
    double value;
};

/** @brief Runs a measurement in a process of its own, so that its peak memory is its own.
@return what work returned, and behind it "peak-rss-bytes" of the whole process unless work has told one. Throws cv::Exception where the process does not end
well, with its message. Call it before this process has started threads of its own. */
std::vector<Figure> measureInChild(const std::function<std::vector<Figure>()>& work);

} // namespace bench

#endif
