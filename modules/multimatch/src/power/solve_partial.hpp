// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_POWER_SOLVE_PARTIAL_HPP
#define OPENCV_MULTIMATCH_SRC_POWER_SOLVE_PARTIAL_HPP

#include "evidence_step.hpp"

namespace cv { namespace multimatch {

struct PartialResult
{
    IterationResult iteration;            //!< its labels are those of the tracks kept
    std::vector<float> confidence;        //!< per point
    std::vector<PairGeometry> geometries; //!< per compared pair of views, where they are estimated
};

/** The power iteration with the evidence of a partial problem, from a start. Of params
 * maxIterations, minConfidence and universeSize count. */
PartialResult solvePartial(const EvidenceProblem& problem, const std::vector<int>& start,
                           const HiPPIParams& params, RunControl& control);

//! Bytes that it holds at most beside the input and the neighbors, k per point and view; along:
//! candidates per point and view along the geometry.
double partialBytes(const MultiMatcher::Input& input, int k, int along = 0);

}} // namespace cv::multimatch

#endif
