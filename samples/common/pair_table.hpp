// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_PAIR_TABLE_HPP
#define MULTIMATCH_SAMPLES_PAIR_TABLE_HPP

#include "opencv2/multimatch/pair_report.hpp"

#include <string>
#include <vector>

namespace samples {

/** Writes a table first,second,first_name,second_name,given,kept,contradicted,score, the most
suspect pair of views first. Throws where the file cannot be written. */
void writePairTable(const std::string& file, const std::vector<std::string>& names,
                    std::vector<cv::multimatch::PairReport> reports);

} // namespace samples

#endif
