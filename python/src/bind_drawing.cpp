// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "bindings.hpp"

#include "opencv2/multimatch/draw.hpp"

namespace multimatch_python {

using namespace cv::multimatch;

void bindDrawing(py::module_& module)
{
    py::class_<DrawTracksParams>(module, "DrawTracksParams", "Parameters of drawTracks.")
        .def(py::init<>())
        .def_readwrite("maxTracks", &DrawTracksParams::maxTracks,
                       "Maximum number of tracks, the longest that do not hide each other; 0: all.")
        .def_property(
            "tracks", [](const DrawTracksParams& params) { return toTuple(params.tracks); },
            [](DrawTracksParams& params, const std::vector<int>& tracks) {
                params.tracks = tracks;
            },
            "Ids of the tracks to draw; empty: the longest.")
        .def_readwrite("columns", &DrawTracksParams::columns,
                       "Views per row of the mosaic; 0: automatic.")
        .def_readwrite("tileWidth", &DrawTracksParams::tileWidth, "Width of a view in pixels, > 0.")
        .def_readwrite("lines", &DrawTracksParams::lines,
                       "Connect the points of a track between tiles.")
        .def_readwrite("unmatchedPoints", &DrawTracksParams::unmatchedPoints,
                       "Draw unmatched key points as small gray dots.");
    module.def(
        "drawTracks",
        [](const std::vector<cv::Mat>& images,
           const std::vector<std::vector<cv::KeyPoint>>& keypoints, const Tracks& tracks,
           const py::object&, const DrawTracksParams& params) {
            cv::Mat out;
            drawTracks(images, keypoints, tracks, out, params);
            return out;
        },
        py::arg("images"), py::arg("keypoints"), py::arg("tracks"), py::arg("out") = py::none(),
        py::arg("params") = DrawTracksParams(),
        "Draws a mosaic of the views with one color per track and the confidence as opacity. out "
        "is not used; it keeps the argument order of cv2.");
}

} // namespace multimatch_python
