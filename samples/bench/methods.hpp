// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_METHODS_HPP
#define MULTIMATCH_BENCH_METHODS_HPP

#include "problem.hpp"

namespace bench {

//! What a method made of a problem.
struct Outcome
{
    bool ran = false;
    std::string reason;            //!< why it did not run
    bool consistent = true;        //!< tracks are the result, else pairs
    cv::multimatch::Tracks tracks; //!< also where only pairs count: their closure is not taken
    PairList pairs;                //!< where the method is not cycle-consistent
    double seconds = 0;
};

//! The method that the others are compared with.
const char* const OURS = "hippi";

//! All methods, ours first.
const std::vector<std::string>& methodNames();

//! Does it matter to the method where the points are?
bool usesPositions(const std::string& name);

/** @brief Runs a method with its defaults.

Where the universe size is known, all methods that can use it are told. Methods that cannot take the
problem, or would need far too much time or memory for it, do not run and say why.
@param minConfidence of HiPPI; negative: its default */
Outcome runMethod(const std::string& name, const Problem& problem, float minConfidence = -1);

} // namespace bench

#endif
