// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "bind_growing.hpp"
#include "interruptible.hpp"

#include "opencv2/multimatch/merge.hpp"
#include "opencv2/multimatch/track_builder.hpp"

#include <vector>

namespace multimatch_python {

using namespace cv::multimatch;

namespace {

//! A list of ids as an attribute.
template<std::vector<int> TrackChanges::*List>
void bindList(py::class_<TrackChanges>& type, const char* name, const char* text)
{
    type.def_property(
        name, [](const TrackChanges& changes) { return toArray(changes.*List); },
        [](TrackChanges& changes, const std::vector<int>& ids) { changes.*List = ids; }, text);
}

void bindChanges(py::module_& module)
{
    py::class_<TrackChanges> type(module, "TrackChanges",
                                  "What TrackBuilder.add or remove changed, by ids.");
    type.def(py::init<>());
    bindList<&TrackChanges::created>(type, "created", "New ids.");
    bindList<&TrackChanges::extended>(type, "extended",
                                      "Ids from before that got observations, also by a join.");
    bindList<&TrackChanges::joined>(type, "joined", "Ids that became part of an older one.");
    bindList<&TrackChanges::into>(type, "into", "For each of joined that older id.");
    bindList<&TrackChanges::reduced>(type, "reduced",
                                     "Ids that lost observations and still exist.");
    bindList<&TrackChanges::removed>(type, "removed", "Ids that have no observation any more.");
}

void bindBuilder(py::module_& module)
{
    typedef std::vector<std::vector<cv::KeyPoint>> KeyPoints;
    typedef std::vector<cv::Mat> Mats;
    py::class_<TrackBuilder, std::shared_ptr<TrackBuilder>>(
        module, "TrackBuilder", "Tracks of a collection that grows; ids are stable.")
        .def_static(
            "create",
            [](const HiPPIParams& params) { return created(TrackBuilder::create(params)); },
            py::arg("params") = HiPPIParams(), "A builder without views.")
        .def(
            "add",
            [](TrackBuilder& builder, const KeyPoints& keypoints, const Mats& descriptors,
               const cv::Mat& pairs) {
                return runInterruptibly(
                    [&]() { return builder.add(keypoints, descriptors, pairs); });
            },
            py::arg("keypoints"), py::arg("descriptors"), py::arg("pairs") = py::none(),
            "Adds views, and compares them with the views before or in the given pairs. Returns "
            "the number of the first new view, -1 if the run was stopped.")
        .def("remove", &TrackBuilder::remove, py::arg("view"),
             "Removes the observations, key points and descriptors of a view.")
        .def("tracks", &TrackBuilder::tracks, "Tracks over all views, numbered anew.")
        .def(
            "ids", [](const TrackBuilder& builder, int view) { return toArray(builder.ids(view)); },
            py::arg("view"), "Stable id of each key point of a view (int32), -1: none.")
        .def("changes", &TrackBuilder::changes, "What the last add() or remove() changed.")
        .def("viewCount", &TrackBuilder::viewCount,
             "Number of views, with those that were removed.")
        .def(
            "keypoints",
            [](const TrackBuilder& builder, int view) { return toTuple(builder.keypoints(view)); },
            py::arg("view"), "As added.")
        .def("descriptors", &TrackBuilder::descriptors, py::arg("view"), "As added.")
        .def("setWindow", &TrackBuilder::setWindow, py::arg("window"),
             "Compare each new view with the window views before it; 0: with all.")
        .def("getWindow", &TrackBuilder::getWindow, "As set.")
        .def("setRefreshShare", &TrackBuilder::setRefreshShare, py::arg("share"),
             "All views are solved again when this share of the compared pairs is new; 0: never.")
        .def("getRefreshShare", &TrackBuilder::getRefreshShare, "As set.")
        .def("setNormType", &TrackBuilder::setNormType, py::arg("normType"),
             "cv2.NORM_L2 or cv2.NORM_HAMMING; 0: by the type of the descriptors.")
        .def("getNormType", &TrackBuilder::getNormType, "As set.")
        .def(
            "setProgressCallback",
            [](TrackBuilder& builder, const py::object& callback) {
                builder.setProgressCallback(makeProgressCallback(callback));
            },
            py::arg("callback").none(true),
            "Called during add() with a Progress; return False to stop.")
        .def(
            "save",
            [](const TrackBuilder& builder, const std::string& name) { builder.save(name); },
            py::arg("filename"), "Writes the whole state to a .yml, .xml or .json file.")
        .def_static(
            "load", [](const std::string& name) { return created(TrackBuilder::load(name)); },
            py::arg("filename"), "Reads what save() wrote.");
}

} // namespace

void bindGrowing(py::module_& module)
{
    module.def("mergeTracks", &mergeTracks, py::arg("parts"), py::arg("viewIndices"),
               py::arg("pointCounts"), py::call_guard<py::gil_scoped_release>(),
               "Tracks of a whole collection from tracks of overlapping parts of it. viewIndices: "
               "per part, for each of its views the number of that view in the collection.");
    bindChanges(module);
    bindBuilder(module);
}

} // namespace multimatch_python
