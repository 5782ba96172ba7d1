// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_WALK_HPP
#define MULTIMATCH_BENCH_WALK_HPP

#include "problem.hpp"

#include <cstdint>

namespace bench {

//! A camera that moves along a scene and points sideways.
struct WalkParams
{
    int views = 10;
    int viewPoints = 1000; //!< key points per view
    double outliers = 0.3; //!< fraction of the key points of a view
    int descriptorType = CV_32F;
    uint64_t seed = 1;
};

/** @brief Generates the features of a walk, with labels as ground truth.

The scene is a smooth surface whose depth varies by a factor of 2.5: near points are visible in six
views, far points in fifteen. One of eight observations is missing. A scene point has 5 to 15
observations, fewer only at both ends of the walk. Positions have a noise of 0.5 px; size and angle
follow the distance and the roll of the camera. All other key points are outliers with a random
position, size, angle and descriptor.

Descriptors are like those of SIFT: 128 values from 0 to 255 with norm 512. The descriptor of a
scene point is near one of 256 words, changes along one direction while the camera passes, and has
noise in each view; see the constants in the source. */
Problem makeWalk(const WalkParams& params);

} // namespace bench

#endif
