// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_SPEED_SEARCH_HPP
#define MULTIMATCH_BENCH_SPEED_SEARCH_HPP

#include "results.hpp"
#include "speed_views.hpp"

namespace bench {

//! Adds a result of the suite "speed" and prints it.
void report(Results& results, const std::string& set, const std::string& method,
            const std::string& metric, double value);

//! The search beside cv::BFMatcher::knnMatch in both directions over all pairs, which finds the
//! same.
void measureNeighbors(Results& results, const std::string& set, const Features& features, int norm);

//! All views with all, exactly and by an index.
void measureApproximate(Results& results, int points);

} // namespace bench

#endif
