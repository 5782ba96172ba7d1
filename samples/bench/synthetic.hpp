// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_SYNTHETIC_HPP
#define MULTIMATCH_BENCH_SYNTHETIC_HPP

#include "problem.hpp"

#include <cstdint>

namespace bench {

//! The synthetic partial problem of published comparisons.
struct SyntheticParams
{
    int views = 20;
    int universe = 40; //!< true points
    int seen = 28;     //!< true points in each view
    int outliers = 7;  //!< outliers in each view
    int dimensions = 64;
    double noise = 0.1; //!< standard deviation of each coordinate of each descriptor
    /** True: true points keep their position up to 2 % of the width. False: all positions are
    random. */
    bool positions = false;
    uint64_t seed = 1;
};

/** Descriptors are random unit vectors plus noise, also those of outliers. */
Problem makeSynthetic(const SyntheticParams& params);

} // namespace bench

#endif
