// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_SPEED_HPP
#define MULTIMATCH_BENCH_SPEED_HPP

namespace bench {

//! Runs "multimatch_bench speed": seconds per stage and peak memory with default parameters,
//! compared with cv::BFMatcher.
int runSpeed(int argc, const char* const* argv);

} // namespace bench

#endif
