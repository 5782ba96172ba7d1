// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_CONFIDENCE_ROWS_HPP
#define MULTIMATCH_BENCH_CONFIDENCE_ROWS_HPP

#include "confidence_curves.hpp"
#include "results.hpp"

namespace bench {

// Rows of the CSV file from which scripts/plot_benchmark.py draws how well the confidence of HiPPI
// works.

/** @brief Adds the metrics curve-correct-pairs-T and curve-precision-T for each threshold T.

Thresholds that leave no match are omitted.
@param set name of a set, or of a family for the sum over its sets */
void addCurve(Results& results, const std::string& family, const std::string& set,
              const Curve& curve);

/** @brief Adds the metrics reliability-count-B, reliability-confidence-B and reliability-correct-B.

B is the lower end of a bin of confidence. The metrics are the number of memberships in the bin,
their mean confidence and the share of correct ones. The set is the family. Empty bins are omitted.
*/
void addReliability(Results& results, const Reliability& reliability);

} // namespace bench

#endif
