// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "bindings.hpp"

#include "opencv2/multimatch/draw.hpp"

namespace multimatch_python {

using namespace cv::multimatch;

void bindDrawing(py::module_& module)
{
    py::class_<DrawTracksParams>(module, "DrawTracksParams", "How drawTracks paints.")
        .def(py::init<>())
        .def_readwrite("maxTracks", &DrawTracksParams::maxTracks,
                       "The longest so many that do not hide each other; 0: all.")
        .def_property(
            "tracks", [](const DrawTracksParams& params) { return toTuple(params.tracks); },
            [](DrawTracksParams& params, const std::vector<int>& tracks) {
                params.tracks = tracks;
            },
            "Ids of the tracks to draw; empty: the longest.")
        .def_readwrite("columns", &DrawTracksParams::columns,
                       "Views in a row of the mosaic; 0: chosen for a pleasant shape.")
        .def_readwrite("tileWidth", &DrawTracksParams::tileWidth, "Width of a view in pixels, > 0.")
        .def_readwrite("lines", &DrawTracksParams::lines,
                       "Connect a track's points from tile to tile.")
        .def_readwrite("unmatchedPoints", &DrawTracksParams::unmatchedPoints,
                       "Small gray dots where key points are unmatched.");
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
        "A mosaic of the views with each track in a color of its own, confidence as opacity. out "
        "is there for the sake of cv2's order of arguments.");
}

} // namespace multimatch_python
