// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_MODEL_HPP
#define MULTIMATCH_BENCH_MODEL_HPP

namespace bench {

//! "multimatch_bench model": compares a COLMAP reconstruction with given cameras.
int runModel(int argc, const char* const* argv);

} // namespace bench

#endif
