// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SHAPES_HPP
#define OPENCV_MULTIMATCH_SHAPES_HPP

#include "opencv2/multimatch_shapes/alignment.hpp"
#include "opencv2/multimatch_shapes/example_shapes.hpp"
#include "opencv2/multimatch_shapes/geodesics.hpp"
#include "opencv2/multimatch_shapes/match_shapes.hpp"
#include "opencv2/multimatch_shapes/mesh.hpp"
#include "opencv2/multimatch_shapes/spectrum.hpp"

#endif
