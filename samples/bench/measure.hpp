// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_MEASURE_HPP
#define MULTIMATCH_BENCH_MEASURE_HPP

#include <functional>

namespace bench {

//! Wall-clock seconds of some work.
double secondsOf(const std::function<void()>& work);

/** Peak resident bytes of this process while it does some work, what it held before included; 0 where the system does not
tell. */
double peakBytesOf(const std::function<void()>& work);

} // namespace bench

#endif
