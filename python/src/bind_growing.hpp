// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_PYTHON_BIND_GROWING_HPP
#define MULTIMATCH_PYTHON_BIND_GROWING_HPP

#include "conversion.hpp"

namespace multimatch_python {

//! mergeTracks and TrackBuilder.
void bindGrowing(py::module_& module);

} // namespace multimatch_python

#endif
