// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_PROGRAM_HPP
#define MULTIMATCH_SAMPLES_PROGRAM_HPP

#include "arguments.hpp"

#include <functional>

namespace samples {

/** @brief Runs a program and prints one line on an error. Files that become too large
(RLIMIT_FSIZE) are an error, not a signal.

@return the result of run; 1 if the command line or the input is invalid (ArgumentError,
std::invalid_argument); 4 on any other error */
int runGuarded(const char* name, const std::function<int()>& run);

/** @brief Main function of a program: parses the command line, prints --help, runs, and prints one
line on an error.

@return as runGuarded() */
int runProgram(const char* name, Arguments arguments, int argc, const char* const* argv,
               int (*run)(const Arguments&));

} // namespace samples

#endif
