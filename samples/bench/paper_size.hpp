// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_PAPER_SIZE_HPP
#define MULTIMATCH_BENCH_PAPER_SIZE_HPP

#include "child_process.hpp"

namespace bench {

/* The largest problem of the paper: 100 views of 207 points each, d = 414. All measurements use the
same W, A and start. The objective is computed afterwards in double precision and is not part of the
time. */

//! HiPPI::solve in literal mode without directions, otherwise with default parameters.
std::vector<Figure> solveSparse();

/** @brief The same iteration with dense matrices W, U and V, products by cv::gemm and an exact
assignment per view, until the objective does not increase.
@param maxIterations maximum number of iterations */
std::vector<Figure> solveDense(int maxIterations);

//! Complete pipeline from descriptors to tracks (MatchEig: to matches); method is hippi, quickmatch
//! or matcheig.
std::vector<Figure> runPipeline(const std::string& method);

} // namespace bench

#endif
