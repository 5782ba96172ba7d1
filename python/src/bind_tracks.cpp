// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "bindings.hpp"

#include "opencv2/multimatch/pair_matches.hpp"
#include "opencv2/multimatch/tracks.hpp"

namespace multimatch_python {

using namespace cv::multimatch;

namespace {

typedef std::vector<std::vector<int>> Labels;
typedef std::vector<std::vector<float>> Confidences;

void bindReport(py::module_& module)
{
    py::class_<MatchReport>(module, "MatchReport",
                            "Report of a run: objective, iterations, seconds per stage.")
        .def(py::init<>())
        .def_property(
            "objective", [](const MatchReport& report) { return toArray(report.objective); },
            [](MatchReport& report, const std::vector<double>& values) {
                report.objective = values;
            },
            "Objective at each iterate, the start first; never falls. Empty for matchers without "
            "an objective.")
        .def_readwrite("iterations", &MatchReport::iterations,
                       "Number of projections from the chosen start.")
        .def_readwrite("universeSize", &MatchReport::universeSize,
                       "d, given or estimated from the data.")
        .def_readwrite("converged", &MatchReport::converged,
                       "False if maxIterations or the callback stopped the run.")
        .def_readwrite("exact", &MatchReport::exact,
                       "False if the adjacency or rows of products were cut.")
        .def_readwrite("cancelled", &MatchReport::cancelled,
                       "True if the progress callback stopped the run.")
        .def_property(
            "stages", [](const MatchReport& report) { return toTuple(report.stages); },
            [](MatchReport& report, const std::vector<std::string>& names) {
                report.stages = names;
            },
            "Names of the stages in the order of execution.")
        .def_property(
            "seconds", [](const MatchReport& report) { return toArray(report.seconds); },
            [](MatchReport& report, const std::vector<double>& values) { report.seconds = values; },
            "Wall-clock seconds, one per stage.")
        .def_readwrite("duplicateMatches", &MatchReport::duplicateMatches,
                       "Matches that an earlier one repeats, in the input of synchronize().")
        .def_readwrite("ambiguousMatches", &MatchReport::ambiguousMatches,
                       "Matches that share a point with another match of their pair of views.")
        .def_readwrite("outsidePoints", &MatchReport::outsidePoints,
                       "Points with a coordinate below -0.5.")
        .def_readwrite("coincidentPoints", &MatchReport::coincidentPoints,
                       "Points at the place of an earlier point of their view.")
        .def("totalSeconds", &MatchReport::totalSeconds, "Sum of the seconds of all stages.");
}

void bindStatistics(py::module_& module)
{
    py::class_<TrackStatistics>(module, "TrackStatistics", "Summary of a set of tracks.")
        .def(py::init<>())
        .def_readwrite("views", &TrackStatistics::views, "Number of views.")
        .def_readwrite("points", &TrackStatistics::points, "Key points in all views.")
        .def_readwrite("tracks", &TrackStatistics::tracks, "Number of tracks.")
        .def_readwrite("observations", &TrackStatistics::observations,
                       "Key points that belong to a track.")
        .def_readwrite("meanLength", &TrackStatistics::meanLength,
                       "Observations / tracks, 0 without tracks.")
        .def_readwrite("meanConfidence", &TrackStatistics::meanConfidence,
                       "Mean over observations, 0 without tracks.")
        .def_readwrite("twoViewShare", &TrackStatistics::twoViewShare,
                       "Share of the tracks with two observations, 0 without tracks.")
        .def_property(
            "lengthCounts",
            [](const TrackStatistics& statistics) { return toArray(statistics.lengthCounts); },
            [](TrackStatistics& statistics, const std::vector<int>& counts) {
                statistics.lengthCounts = counts;
            },
            "lengthCounts[n]: number of tracks with n observations.");
}

} // namespace

void bindTracks(py::module_& module)
{
    py::class_<Observation>(module, "Observation", "One key point of a track.")
        .def(py::init<>())
        .def_readwrite("view", &Observation::view, "Index of the view.")
        .def_readwrite("point", &Observation::point, "Index of the key point in that view.")
        .def_readwrite("confidence", &Observation::confidence,
                       "Confidence of the membership, in [0, 1].");

    py::class_<PairMatches>(module, "PairMatches", "Matches of a pair of views.")
        .def(py::init<>())
        .def_readwrite("first", &PairMatches::first, "View of queryIdx.")
        .def_readwrite("second", &PairMatches::second, "View of trainIdx.")
        .def_property(
            "matches", [](const PairMatches& pair) { return toTuple(pair.matches); },
            [](PairMatches& pair, const std::vector<cv::DMatch>& matches) {
                pair.matches = matches;
            },
            "cv2.DMatch of this pair.");

    bindReport(module);
    bindStatistics(module);

    py::class_<Tracks>(
        module, "Tracks",
        "Correspondences of the key points of many views.\n\n"
        "Every key point has a track id, or -1 if it is unmatched. Key points of one physical "
        "point have the same id; an id is unique in a view. Ids are from 0 to size() - 1.")
        .def(py::init<>(), "No views.")
        .def(py::init<const Labels&, const Confidences&, int>(), py::arg("labels"),
             py::arg("confidence") = Confidences(), py::arg("minLength") = 1,
             "Tracks from one label per point and view; negative: unmatched. Tracks shorter than "
             "minLength are removed. Raises cv2.error if a label occurs twice in a view.")
        .def("viewCount", &Tracks::viewCount, "Number of views.")
        .def("pointCount", &Tracks::pointCount, py::arg("view"), "Number of key points of a view.")
        .def("size", &Tracks::size, "Number of tracks.")
        .def("empty", &Tracks::empty, "True if there are no tracks.")
        .def(
            "trackIds",
            [](const Tracks& tracks, int view) { return toArray(tracks.trackIds(view)); },
            py::arg("view"), "Track id of each key point of a view (int32), -1: unmatched.")
        .def(
            "confidence",
            [](const Tracks& tracks, int view) { return toArray(tracks.confidence(view)); },
            py::arg("view"), "Confidence of the membership of each key point, 0 if unmatched.")
        .def(
            "track", [](const Tracks& tracks, int id) { return toTuple(tracks.track(id)); },
            py::arg("id"), "Observations of a track, ascending by view.")
        .def("length", &Tracks::length, py::arg("id"), "Number of observations of a track.")
        .def(
            "matches",
            [](const Tracks& tracks, int i, int j) { return toTuple(tracks.matches(i, j)); },
            py::arg("i"), py::arg("j"),
            "The matches between any two views as cv2.DMatch; distance is 1 - the smaller of the "
            "two confidences.")
        .def("filter", &Tracks::filter, py::arg("minLength"), py::arg("minConfidence") = 0.f,
             "Tracks with at least minLength observations, each of at least minConfidence.")
        .def("statistics", &Tracks::statistics,
             "Number of views, points and tracks, histogram of lengths.")
        .def(
            "points2d",
            [](const Tracks& tracks, const std::vector<std::vector<cv::KeyPoint>>& keypoints) {
                return toTuple(tracks.points2d(keypoints));
            },
            py::arg("keypoints"),
            "For each view a 2 x size() array of coordinates (float64), (-1, -1) if the track is "
            "not seen.")
        .def("report", &Tracks::report, "Report of the run that computed these tracks.")
        .def(
            "save", [](const Tracks& tracks, const std::string& name) { tracks.save(name); },
            py::arg("filename"),
            "Writes a .yml, .xml or .json file, or one of these with .gz appended.")
        .def_static(
            "load", [](const std::string& name) { return Tracks::load(name); }, py::arg("filename"),
            "Reads what save() wrote.");
    module.def(
        "allPairMatches", [](const Tracks& tracks) { return toTuple(allPairMatches(tracks)); },
        py::arg("tracks"), "The matches of all pairs of views that share a track, as PairMatches.");
    module.def(
        "tracksFromPoints2d",
        [](const std::vector<cv::Mat>& points2d) {
            std::vector<std::vector<cv::KeyPoint>> keypoints;
            const Tracks tracks = tracksFromPoints2d(points2d, keypoints);
            py::tuple all(keypoints.size());
            for (size_t v = 0; v < keypoints.size(); ++v)
                all[v] = toTuple(keypoints[v]);
            return py::make_tuple(tracks, all);
        },
        py::arg("points2d"), "Tracks and key points from what Tracks.points2d gives.");
}

} // namespace multimatch_python
