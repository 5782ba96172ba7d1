// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_OBJECTS_HPP
#define MULTIMATCH_BENCH_OBJECTS_HPP

namespace bench {

//! Command "objects": seconds of all methods for 5 to 50 objects of 20 points each, the scaling
//! figure of the HiPPI paper.
int runObjects(int argc, const char* const* argv);

} // namespace bench

#endif
