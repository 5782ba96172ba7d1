// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_PYTHON_BINDINGS_HPP
#define MULTIMATCH_PYTHON_BINDINGS_HPP

#include "conversion.hpp"

namespace multimatch_python {

void bindTracks(py::module_& module);
void bindMatchers(py::module_& module);
void bindHiPPI(py::module_& module);
void bindPeers(py::module_& module);
void bindEvaluation(py::module_& module);
void bindDrawing(py::module_& module);
void bindFiles(py::module_& module);
void bindGeometry(py::module_& module);
void bindAnyMatches(py::module_& module);
void bindShapes(py::module_& parent); //!< the submodule shapes

} // namespace multimatch_python

#endif
