// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_BASE_EIGENPAIRS_HPP
#define OPENCV_MULTIMATCH_SRC_BASE_EIGENPAIRS_HPP

#include "../precomp.hpp"

namespace cv { namespace multimatch {

class RunControl;

//! Which end of the spectrum comes first.
enum EigenOrder
{
    LARGEST_ALGEBRAIC,
    LARGEST_MAGNITUDE
};

struct Eigenpairs
{
    Mat vectors; //!< m x count CV_64F, orthonormal columns, each with its largest entry positive
    std::vector<double> values; //!< count, in the chosen order
};

/** The first count eigenpairs of the symmetric matrix I + S.

Small problems are solved densely; others by block Lanczos with thick restarts from a seeded random
block, to a residual of 1e-4 of the largest eigenvalue or three restarts. The same on any number of
threads. control, where given, reports the progress of its present stage; a cancelled run returns
nothing, as vectors that are not accurate yet would match at random. Cost a restart: about count
products of S with a vector and 8 m count^2 operations; memory m x 2 count. */
Eigenpairs leadingEigenpairs(const CsrMatrix& similarity, int count, EigenOrder order, int seed,
                             RunControl* control = 0);

}} // namespace cv::multimatch

#endif
