// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_PAPER_SIZE_HPP
#define MULTIMATCH_BENCH_PAPER_SIZE_HPP

#include "child_process.hpp"

namespace bench {

/* The largest problem of the paper: 100 views of 207 points each, d = 414. All measurements have the same W and A and begin at the
same labels; the objective is computed afterwards, in double precision and outside of the time. */

//! HiPPI::solve in literal mode, with its defaults otherwise but without directions.
std::vector<Figure> solveSparse();

/** The same iteration as a textbook has it: W, U and V as dense matrices, products by cv::gemm, an exact assignment a view, until
the objective stops growing.
@param maxIterations at most so many */
std::vector<Figure> solveDense(int maxIterations);

//! A whole pipeline from descriptors to tracks (MatchEig: to matches): hippi, quickmatch or matcheig.
std::vector<Figure> runPipeline(const std::string& method);

} // namespace bench

#endif
