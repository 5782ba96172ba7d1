// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "bindings.hpp"

#include "opencv2/multimatch/evaluation.hpp"

namespace multimatch_python {

using namespace cv::multimatch;

namespace {

typedef std::vector<std::vector<int>> Labels;
typedef std::vector<std::vector<cv::KeyPoint>> KeyPoints;
typedef std::vector<cv::Mat> Mats;

template<typename Matches>
void bindGeometry(py::module_& module)
{
    module.def(
        "scoreHomographies",
        [](const Matches& matches, const KeyPoints& keypoints, const Mats& homographies,
           double maxError) {
            return scoreHomographies(matches, keypoints, homographies, maxError);
        },
        py::arg("tracks"), py::arg("keypoints"), py::arg("homographies"), py::arg("maxError"),
        "Scores tracks, or a sequence of PairMatches, on a plane: per view a 3 x 3 homography from "
        "one common plane.");
    module.def(
        "scoreCameras",
        [](const Matches& matches, const KeyPoints& keypoints, const Mats& projections,
           double maxError) { return scoreCameras(matches, keypoints, projections, maxError); },
        py::arg("tracks"), py::arg("keypoints"), py::arg("projections"), py::arg("maxError"),
        "Scores tracks, or a sequence of PairMatches, under known cameras: per view its 3 x 4 "
        "projection.");
}

void bindScores(py::module_& module)
{
    py::class_<MatchScore>(module, "MatchScore",
                           "Matches counted over all unordered pairs of views.")
        .def(py::init<>())
        .def_readwrite("matches", &MatchScore::matches, "Matches claimed.")
        .def_readwrite("correct", &MatchScore::correct, "Of these, right.")
        .def_readwrite("truth", &MatchScore::truth, "Matches there are.")
        .def("precision", &MatchScore::precision, "correct / matches; 1 where nothing is claimed.")
        .def("recall", &MatchScore::recall, "correct / truth; 1 where there is nothing to find.")
        .def("fscore", &MatchScore::fscore, "Harmonic mean of both, 0 where both are 0.");
    py::class_<GeometryScore>(module, "GeometryScore",
                              "Matches and tracks counted against known geometry.")
        .def(py::init<>())
        .def_readwrite("matches", &GeometryScore::matches,
                       "Matches claimed, closed over each track.")
        .def_readwrite("correct", &GeometryScore::correct, "Of these, within the bound.")
        .def_readwrite("tracks", &GeometryScore::tracks, "Tracks of three views or more.")
        .def_readwrite("correctTracks", &GeometryScore::correctTracks,
                       "Of these, right as a whole.")
        .def("precision", &GeometryScore::precision,
             "correct / matches; 1 where nothing is claimed.");
}

} // namespace

void bindEvaluation(py::module_& module)
{
    bindScores(module);
    module.def("scoreTracks", &scoreTracks, py::arg("tracks"), py::arg("labels"),
               "Scores tracks against the true labels: per view one per point, negative: an "
               "outlier.");
    module.def("scorePairs", &scorePairs, py::arg("matches"), py::arg("labels"),
               "Scores pairwise matches against the true labels.");
    module.def("cycleError", &cycleError, py::arg("matches"),
               "Share of contradictions in the three-cycles of pairwise matches, in [0, 1].");
    bindGeometry<Tracks>(module);
    bindGeometry<std::vector<PairMatches>>(module);
    module.def(
        "computePCK",
        [](const Tracks& tracks, const Labels& labels, const Mats& points,
           const std::vector<double>& thresholds) {
            return toArray(computePCK(tracks, labels, points, thresholds));
        },
        py::arg("tracks"), py::arg("labels"), py::arg("points"), py::arg("thresholds"),
        "Per threshold the share of matches that end within it of the true point.");
    module.def(
        "computePCKFromDistances",
        [](const Tracks& tracks, const Labels& labels, const Mats& distances,
           const std::vector<double>& thresholds) {
            return toArray(computePCKFromDistances(tracks, labels, distances, thresholds));
        },
        py::arg("tracks"), py::arg("labels"), py::arg("distances"), py::arg("thresholds"),
        "Same with distances given by the caller: per view an n x n array.");
}

} // namespace multimatch_python
