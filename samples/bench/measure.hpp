// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_MEASURE_HPP
#define MULTIMATCH_BENCH_MEASURE_HPP

#include <functional>

namespace bench {

//! Wall-clock seconds of a function.
double secondsOf(const std::function<void()>& work);

/** Peak resident memory of this process in bytes during a function, including memory allocated
before; 0 if the system does not provide it. */
double peakBytesOf(const std::function<void()>& work);

} // namespace bench

#endif
