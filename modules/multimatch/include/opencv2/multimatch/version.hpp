// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_VERSION_HPP
#define OPENCV_MULTIMATCH_VERSION_HPP

#include "opencv2/core/version.hpp"

//! @addtogroup multimatch
//! @{

/* The only definition of the version, which CMake, the packages and the programs read. Semantic
versioning: the interface may change with the minor number while the major one is 0, and with the
major one only from 1 on. */
#define CV_MULTIMATCH_VERSION_MAJOR 0 //!< first number of the version
#define CV_MULTIMATCH_VERSION_MINOR 1 //!< second number of the version
#define CV_MULTIMATCH_VERSION_PATCH 0 //!< third number of the version

//! Version of the module as text, e.g. "1.2.3".
#define CV_MULTIMATCH_VERSION                                                                      \
    CVAUX_STR(CV_MULTIMATCH_VERSION_MAJOR)                                                         \
    "." CVAUX_STR(CV_MULTIMATCH_VERSION_MINOR) "." CVAUX_STR(CV_MULTIMATCH_VERSION_PATCH)

//! @}

#endif
