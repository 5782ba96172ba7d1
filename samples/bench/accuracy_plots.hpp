// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_ACCURACY_PLOTS_HPP
#define MULTIMATCH_BENCH_ACCURACY_PLOTS_HPP

#include "confidence_curves.hpp"
#include "results.hpp"

namespace bench {

/** @brief Writes all plots of a run as PNG.
@param folder is made where it is missing
@param results for fscores by method and set, and where the peers stand
@param setCurves precision against correct pairs, of sets judged by geometry
@param familyCurves the same, summed over the sets of a family judged by labels
@param reliability share right by confidence
Throws cv::Exception where a file cannot be written. */
void writeAccuracyPlots(const std::string& folder, const Results& results,
                        const std::map<std::string, Curve>& setCurves,
                        const std::map<std::string, Curve>& familyCurves,
                        const Reliability& reliability);

} // namespace bench

#endif
