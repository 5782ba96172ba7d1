// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "bind_growing.hpp"

#include "opencv2/multimatch/merge.hpp"

#include <vector>

namespace multimatch_python {

using namespace cv::multimatch;

void bindGrowing(py::module_& module)
{
    module.def("mergeTracks", &mergeTracks, py::arg("parts"), py::arg("viewIndices"),
               py::arg("pointCounts"), py::call_guard<py::gil_scoped_release>(),
               "Tracks of a whole collection from tracks of overlapping parts of it. viewIndices: "
               "per part, for each of its views the number of that view in the collection.");
}

} // namespace multimatch_python
