// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_SHAPES_HPP
#define MULTIMATCH_BENCH_SHAPES_HPP

namespace bench {

//! multimatch_bench shapes
int runShapes(int argc, const char* const* argv);

} // namespace bench

#endif
