// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "bindings.hpp"

#include "opencv2/multimatch/io.hpp"

namespace multimatch_python {

using namespace cv::multimatch;

namespace {

typedef std::vector<ViewInfo> Views;
typedef std::vector<PairMatches> Matches;

void bindViews(py::module_& module)
{
    py::class_<ViewInfo>(module, "ViewInfo", "Information about a view in files of other programs.")
        .def(py::init<>())
        .def_property(
            "name", [](const ViewInfo& view) { return std::string(view.name); },
            [](ViewInfo& view, const std::string& name) { view.name = name; },
            "Name of the image in the other program.")
        .def_property(
            "size",
            [](const ViewInfo& view) { return py::make_tuple(view.size.width, view.size.height); },
            [](ViewInfo& view, const std::pair<int, int>& size) {
                view.size = cv::Size(size.first, size.second);
            },
            "Width and height in pixels.")
        .def_property(
            "keypoints", [](const ViewInfo& view) { return toTuple(view.keypoints); },
            [](ViewInfo& view, const std::vector<cv::KeyPoint>& keypoints) {
                view.keypoints = keypoints;
            },
            "A sequence of cv2.KeyPoint.")
        .def_readwrite("focalLength", &ViewInfo::focalLength, "In pixels; 0: unknown.");
}

void bindColmap(py::module_& module)
{
    module.attr("COLMAP_REFUSE") = static_cast<int>(COLMAP_REFUSE);
    module.attr("COLMAP_FILL") = static_cast<int>(COLMAP_FILL);
    module.attr("COLMAP_REPLACE") = static_cast<int>(COLMAP_REPLACE);
    py::class_<ColmapParams>(module, "ColmapParams", "Parameters of writeColmapDatabase.")
        .def(py::init<>())
        .def_readwrite("existing", &ColmapParams::existing,
                       "COLMAP_REFUSE, COLMAP_FILL or COLMAP_REPLACE.")
        .def_readwrite("verified", &ColmapParams::verified,
                       "Write matches to two_view_geometries too, which the mapper reads.")
        .def_readwrite("sharedCamera", &ColmapParams::sharedCamera,
                       "One camera for all views of equal size and focal length.");
    module.def("haveColmapDatabase", &haveColmapDatabase, "True if this build has SQLite.");
    module.def(
        "writeColmapDatabase",
        [](const std::string& filename, const Views& views, const Matches& matches,
           const ColmapParams& params) { writeColmapDatabase(filename, views, matches, params); },
        py::arg("filename"), py::arg("views"), py::arg("matches"),
        py::arg("params") = ColmapParams(),
        "Writes cameras, images, key points and matches to a COLMAP database.");
    module.def(
        "readColmapDatabase",
        [](const std::string& filename, bool verified) {
            Views views;
            Matches matches;
            readColmapDatabase(filename, views, matches, verified);
            return py::make_tuple(toTuple(views), toTuple(matches));
        },
        py::arg("filename"), py::arg("verified") = true,
        "Reads views and verified or raw matches of a COLMAP database.");
}

//! A writer and a reader of text with key points and matches.
template<typename Write, typename Read>
void bindPairText(py::module_& module, const char* writeName, Write write, const char* readName,
                  Read read, const char* what)
{
    module.def(
        writeName,
        [write](const std::string& folder, const Views& views, const Matches& matches) {
            write(folder, views, matches);
        },
        py::arg("folder"), py::arg("views"), py::arg("matches"),
        ("Writes " + std::string(what) + " to a folder.").c_str());
    module.def(
        readName,
        [read](const std::string& folder, Views views) {
            Matches matches;
            read(folder, views, matches);
            return py::make_tuple(toTuple(views), toTuple(matches));
        },
        py::arg("folder"), py::arg("views"),
        ("Reads " + std::string(what) + "; the names of the views are given.").c_str());
}

//! A writer and a reader of a table of observations.
template<typename Write, typename Read>
void bindTrackText(py::module_& module, const char* writeName, Write write, const char* readName,
                   Read read, const char* what)
{
    module.def(
        writeName,
        [write](const std::string& filename, const Views& views, const Tracks& tracks) {
            write(filename, views, tracks);
        },
        py::arg("filename"), py::arg("views"), py::arg("tracks"),
        ("Writes " + std::string(what) + ".").c_str());
    module.def(
        readName,
        [read](const std::string& filename, Views views) {
            const Tracks tracks = read(filename, views);
            return py::make_tuple(tracks, toTuple(views));
        },
        py::arg("filename"), py::arg("views"),
        ("Reads " + std::string(what) + "; names and sizes of the views are given.").c_str());
}

} // namespace

void bindFiles(py::module_& module)
{
    bindViews(module);
    bindColmap(module);
    bindPairText(module, "writeColmapText", &writeColmapText, "readColmapText", &readColmapText,
                 "text for COLMAP's importers");
    bindPairText(module, "writeOpenMVG", &writeOpenMVG, "readOpenMVG", &readOpenMVG,
                 "OpenMVG's .feat files and matches.f.txt");
    bindTrackText(module, "writeOpenSfM", &writeOpenSfM, "readOpenSfM", &readOpenSfM,
                  "OpenSfM's tracks.csv");
    bindTrackText(module, "writeBAL", &writeBAL, "readBAL", &readBAL,
                  "observations in the format of Bundle Adjustment in the Large");
    module.def(
        "isTrackFileName", [](const std::string& filename) { return isTrackFileName(filename); },
        py::arg("filename"), "True if writeTracks supports the extension of the name.");
    module.def(
        "writeTracks",
        [](const std::string& filename, const Views& views, const Tracks& tracks) {
            writeTracks(filename, views, tracks);
        },
        py::arg("filename"), py::arg("views"), py::arg("tracks"),
        "Writes tracks and views as .yml, .json, .xml (each also with .gz) or .csv.");
    module.def(
        "readTracks",
        [](const std::string& filename) {
            Views views;
            const Tracks tracks = readTracks(filename, views);
            return py::make_tuple(tracks, toTuple(views));
        },
        py::arg("filename"), "Reads tracks and views of a file written by writeTracks.");
}

} // namespace multimatch_python
