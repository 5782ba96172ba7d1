// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_CUT_SHAPES_HPP
#define MULTIMATCH_BENCH_CUT_SHAPES_HPP

#include "opencv2/multimatch_shapes.hpp"

#include <vector>

namespace bench {

//! A mesh of which a part is missing.
struct CutMesh
{
    cv::multimatch::shapes::Mesh mesh;
    std::vector<int> originalVertex; //!< per vertex its index in the whole mesh
};

/** Removes the given share of the faces around a random vertex, and what is then no longer
connected to the largest part. Throws cv::Exception where no vertex leaves a valid mesh. */
CutMesh cutMesh(const cv::multimatch::shapes::Mesh& whole, double share, cv::RNG& rng);

} // namespace bench

#endif
