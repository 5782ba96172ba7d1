// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_FLOW_HPP
#define MULTIMATCH_BENCH_FLOW_HPP

namespace bench {

//! Tracks from optical flow, without key points; see --help.
int runFlow(int argc, const char* const* argv);

} // namespace bench

#endif
