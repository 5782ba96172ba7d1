// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_PROGRAM_HPP
#define MULTIMATCH_SAMPLES_PROGRAM_HPP

#include "arguments.hpp"

namespace samples {

/** The main function of a program: parses, answers --help, runs, and says in one line what went wrong.

Returns what run returns, or 1 where the command line or the input is at fault (std::invalid_argument), 4 where the work
failed. */
int runProgram(const char* name, Arguments arguments, int argc, const char* const* argv,
               int (*run)(const Arguments&));

} // namespace samples

#endif
