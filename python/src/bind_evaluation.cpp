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
        "Scores tracks, or a sequence of PairMatches, with homographies: a 3 x 3 matrix for each "
        "view from a common plane.");
    module.def(
        "scoreCameras",
        [](const Matches& matches, const KeyPoints& keypoints, const Mats& projections,
           double maxError) { return scoreCameras(matches, keypoints, projections, maxError); },
        py::arg("tracks"), py::arg("keypoints"), py::arg("projections"), py::arg("maxError"),
        "Scores tracks, or a sequence of PairMatches, with known cameras: for each view a 3 x 4 "
        "projection.");
}

void bindScores(py::module_& module)
{
    py::class_<MatchScore>(module, "MatchScore",
                           "Matches counted over all unordered pairs of views.")
        .def(py::init<>())
        .def_readwrite("matches", &MatchScore::matches, "Number of matches.")
        .def_readwrite("correct", &MatchScore::correct, "Number of correct matches.")
        .def_readwrite("truth", &MatchScore::truth, "Number of true matches.")
        .def("precision", &MatchScore::precision, "correct / matches; 1 without matches.")
        .def("recall", &MatchScore::recall, "correct / truth; 1 without true matches.")
        .def("fscore", &MatchScore::fscore,
             "Harmonic mean of precision and recall; 0 if both are 0.");
    py::class_<GeometryScore>(module, "GeometryScore",
                              "Numbers of matches and tracks that agree with known geometry.")
        .def(py::init<>())
        .def_readwrite("matches", &GeometryScore::matches,
                       "Number of matches, including all pairs of each track.")
        .def_readwrite("correct", &GeometryScore::correct,
                       "Number of matches within the maximum error.")
        .def_readwrite("tracks", &GeometryScore::tracks, "Number of tracks of three views or more.")
        .def_readwrite("correctTracks", &GeometryScore::correctTracks,
                       "Number of these tracks whose matches are all correct.")
        .def("precision", &GeometryScore::precision, "correct / matches; 1 without matches.");
}

} // namespace

void bindEvaluation(py::module_& module)
{
    bindScores(module);
    module.def(
        "scoreTracks", &scoreTracks, py::arg("tracks"), py::arg("labels"),
        "Scores tracks with true labels: for each view one label per point, negative: outlier.");
    module.def("scorePairs", &scorePairs, py::arg("matches"), py::arg("labels"),
               "Scores pairwise matches with true labels.");
    module.def("splitRate", &splitRate, py::arg("tracks"), py::arg("labels"),
               "Share of the true points with two observations in tracks that are in more than one "
               "track.");
    module.def("cycleError", &cycleError, py::arg("matches"),
               "Fraction of contradictions in the three-cycles of pairwise matches, in [0, 1].");
    bindGeometry<Tracks>(module);
    bindGeometry<std::vector<PairMatches>>(module);
    module.def(
        "computePCK",
        [](const Tracks& tracks, const Labels& labels, const Mats& points,
           const std::vector<double>& thresholds) {
            return toArray(computePCK(tracks, labels, points, thresholds));
        },
        py::arg("tracks"), py::arg("labels"), py::arg("points"), py::arg("thresholds"),
        "Fraction of matches within each threshold of the true point.");
    module.def(
        "computePCKFromDistances",
        [](const Tracks& tracks, const Labels& labels, const Mats& distances,
           const std::vector<double>& thresholds) {
            return toArray(computePCKFromDistances(tracks, labels, distances, thresholds));
        },
        py::arg("tracks"), py::arg("labels"), py::arg("distances"), py::arg("thresholds"),
        "Same with given distances: an n x n array for each view.");
}

} // namespace multimatch_python
