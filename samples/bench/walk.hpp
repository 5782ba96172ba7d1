// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_WALK_HPP
#define MULTIMATCH_BENCH_WALK_HPP

#include "problem.hpp"

#include <cstdint>

namespace bench {

//! A camera that walks along a scene and looks sideways.
struct WalkParams
{
    int views = 10;
    int viewPoints = 1000; //!< key points a view
    double outliers = 0.3; //!< share of the key points of a view
    int descriptorType = CV_32F;
    uint64_t seed = 1;
};

/** @brief Features of a walk, with the truth in labels.

The scene is a smooth surface whose depth varies by a factor of two and a half, so that the points at the front pass through the
picture in six views and those at the back in fifteen; one in eight sightings is missed. A scene point is seen 5 to 15 times, less
often only at both ends of the walk. Positions have a noise of 0.5 px; size and angle follow the distance and the roll of the
camera. What is not a scene point is an outlier: a place, a size, an angle and a descriptor of its own.

Descriptors are like SIFT's: 128 values of 0 to 255 with norm 512. A scene point's is near one of 256 words, drifts along one direction of its own
while the camera passes, and has noise in each view; see the constants in the source. */
Problem makeWalk(const WalkParams& params);

} // namespace bench

#endif
