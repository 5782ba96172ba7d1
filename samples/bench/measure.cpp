// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "measure.hpp"

#include "opencv2/core.hpp"

#include <fstream>
#include <string>

namespace bench {

double secondsOf(const std::function<void()>& work)
{
    const int64_t start = cv::getTickCount();
    work();
    return double(cv::getTickCount() - start) / cv::getTickFrequency();
}

double peakBytesOf(const std::function<void()>& work)
{
    std::ofstream("/proc/self/clear_refs") << 5; // resets the peak
    work();
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.compare(0, 6, "VmHWM:") == 0)
            return 1024. * std::stod(line.substr(6));
    return 0;
}

} // namespace bench
