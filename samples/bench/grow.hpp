// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_GROW_HPP
#define MULTIMATCH_BENCH_GROW_HPP

namespace bench {

//! Runs "multimatch_bench grow"; argv[0] is the name of the command. Returns the exit code.
int runGrow(int argc, const char* const* argv);

} // namespace bench

#endif
