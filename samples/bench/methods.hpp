// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_METHODS_HPP
#define MULTIMATCH_BENCH_METHODS_HPP

#include "problem.hpp"

namespace bench {

//! Result of a method on a problem.
struct Outcome
{
    bool ran = false;
    std::string reason;            //!< reason if it did not run
    bool consistent = true;        //!< true: the result is tracks; false: pairs
    cv::multimatch::Tracks tracks; //!< if not consistent, the pairs are not closed transitively
    PairList pairs;                //!< if the method is not cycle-consistent
    double seconds = 0;
};

//! The method that the others are compared with.
const char* const OURS = "hippi";

//! Names of all methods, HiPPI first.
const std::vector<std::string>& methodNames();

//! True if the method uses the positions of the points.
bool usesPositions(const std::string& name);

/** @brief Runs a method with its default parameters.

A known universe size is passed to all methods that use it. Methods that do not support the problem,
or need too much time or memory for it, do not run and give a reason.
@param minConfidence parameter of HiPPI; negative: default */
Outcome runMethod(const std::string& name, const Problem& problem, float minConfidence = -1);

} // namespace bench

#endif
