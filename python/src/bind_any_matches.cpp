// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "bindings.hpp"
#include "interruptible.hpp"

#include "opencv2/multimatch/coordinate_matches.hpp"
#include "opencv2/multimatch/pair_matcher.hpp"
#include "opencv2/multimatch/pair_report.hpp"

namespace pybind11 { namespace detail {

// (width, height)
template<>
struct type_caster<cv::Size>
{
    PYBIND11_TYPE_CASTER(cv::Size, const_name("Size"));

    bool load(handle source, bool convert)
    {
        make_caster<std::pair<int, int>> both;
        if (!both.load(source, convert))
            return false;
        const std::pair<int, int> size = cast_op<std::pair<int, int>>(both);
        value = cv::Size(size.first, size.second);
        return true;
    }
    static handle cast(const cv::Size& size, return_value_policy, handle)
    {
        return make_tuple(size.width, size.height).release();
    }
};

}} // namespace pybind11::detail

namespace multimatch_python {

using namespace cv::multimatch;

namespace {

typedef std::vector<std::vector<cv::KeyPoint>> KeyPoints;

py::tuple toTuples(const KeyPoints& keypoints)
{
    py::tuple all(keypoints.size());
    for (size_t v = 0; v < keypoints.size(); ++v)
        all[v] = toTuple(keypoints[v]);
    return all;
}

void bindCoordinateMatches(py::module_& module)
{
    py::class_<CoordinateMatches>(
        module, "CoordinateMatches",
        "Matches of two views by their coordinates: of LoFTR, RoMa, DKM, MASt3R, optical flow.")
        .def(py::init<>())
        .def(py::init([](int first, int second, const cv::Mat& points0, const cv::Mat& points1,
                         const cv::Mat& scores) {
                 return CoordinateMatches(first, second, points0, points1, scores);
             }),
             py::arg("firstView"), py::arg("secondView"), py::arg("points0"), py::arg("points1"),
             py::arg("scores") = py::none(),
             "From the arrays of kornia and hloc: mkpts0 and mkpts1 (N x 2), mconf (N).")
        .def_readwrite("first", &CoordinateMatches::first, "View of x1, y1.")
        .def_readwrite("second", &CoordinateMatches::second, "View of x2, y2.")
        .def_readwrite("points", &CoordinateMatches::points,
                       "N x 4 array, a row x1, y1, x2, y2 for each match, in pixels.")
        .def_readwrite("scores", &CoordinateMatches::scores,
                       "A score >= 0 for each match; empty: 1 for all.");

    py::class_<ClusteredMatches>(module, "ClusteredMatches",
                                 "Key points made of matches without key points.")
        .def(py::init<>())
        .def_property(
            "keypoints",
            [](const ClusteredMatches& clustered) { return toTuples(clustered.keypoints); },
            [](ClusteredMatches& clustered, const KeyPoints& keypoints) {
                clustered.keypoints = keypoints;
            },
            "A tuple of cv2.KeyPoint for each view.")
        .def_property(
            "matches", [](const ClusteredMatches& clustered) { return toTuple(clustered.matches); },
            [](ClusteredMatches& clustered, const std::vector<PairMatches>& matches) {
                clustered.matches = matches;
            },
            "PairMatches; distance is the sum of scores, for WEIGHTS_FROM_SCORES.")
        .def_property(
            "places", [](const ClusteredMatches& clustered) { return toTuple(clustered.places); },
            [](ClusteredMatches& clustered, const std::vector<cv::Mat>& places) {
                clustered.places = places;
            },
            "For each entry of matches an M x 4 array: the own places of its matches.")
        .def_property(
            "pointsOfRows",
            [](const ClusteredMatches& clustered) { return toTuple(clustered.pointsOfRows); },
            [](ClusteredMatches& clustered, const std::vector<cv::Mat>& points) {
                clustered.pointsOfRows = points;
            },
            "For each given CoordinateMatches an N x 2 array: the key points of its matches.")
        .def_readwrite("radius", &ClusteredMatches::radius, "In pixels.");

    module.def(
        "clusterRadius", &clusterRadius, py::arg("matches"),
        "Default radius of clusterMatches: 1/5 of the typical distance of neighboring matches.");
    module.def(
        "clusterMatches",
        [](const std::vector<CoordinateMatches>& matches, int viewCount, double radius) {
            py::gil_scoped_release released;
            return clusterMatches(matches, viewCount, radius);
        },
        py::arg("matches"), py::arg("viewCount") = 0, py::arg("radius") = 0.,
        "Key points and pairwise matches from matches without key points. viewCount 0: up to the "
        "last view with a match. radius: largest width of a key point in pixels, 0: from the "
        "data.");
    module.def(
        "refineKeyPoints",
        [](const ClusteredMatches& clustered, const Tracks& tracks) {
            return toTuples(refineKeyPoints(clustered, tracks));
        },
        py::arg("clustered"), py::arg("tracks"),
        "Key points at the places of those matches that the tracks agree with.");
}

void bindReports(py::module_& module)
{
    py::class_<PairReport>(module, "PairReport",
                           "How the matches of two views agree with the tracks of all views.")
        .def(py::init<>())
        .def_readwrite("first", &PairReport::first, "Index of one view.")
        .def_readwrite("second", &PairReport::second, "Index of the other view.")
        .def_readwrite("given", &PairReport::given, "Different matches.")
        .def_readwrite("kept", &PairReport::kept, "Matches with both points in one track.")
        .def_readwrite("contradicted", &PairReport::contradicted,
                       "Matches with their points in two different tracks.")
        .def_readwrite("score", &PairReport::score,
                       "Agreement with the cycles through both views, in [0, 1].");
    module.def(
        "reportPairs",
        [](const std::vector<PairMatches>& matches, const Tracks& tracks) {
            return toTuple(reportPairs(matches, tracks));
        },
        py::arg("matches"), py::arg("tracks"),
        "A PairReport for each pair of views in matches, which the tracks were made of.");

    py::class_<InputReport>(module, "InputReport", "Counts of inspectMatches.")
        .def(py::init<>())
        .def_readwrite("duplicateMatches", &InputReport::duplicateMatches,
                       "Matches that an earlier one repeats.")
        .def_readwrite("ambiguousMatches", &InputReport::ambiguousMatches,
                       "Matches that share a point with another match of their pair of views.")
        .def_readwrite("outsidePoints", &InputReport::outsidePoints,
                       "Points outside of their picture.")
        .def_readwrite("coincidentPoints", &InputReport::coincidentPoints,
                       "Points at the place of an earlier point of their view.");
    module.def(
        "inspectMatches",
        [](const KeyPoints& keypoints, const std::vector<PairMatches>& matches,
           const std::vector<cv::Size>& imageSizes) {
            return inspectMatches(keypoints, matches, imageSizes);
        },
        py::arg("keypoints"), py::arg("matches"), py::arg("imageSizes") = std::vector<cv::Size>(),
        "Counts what is unusual in matches of other programs. imageSizes: (width, height) of each "
        "view, or none.");
}

//! What a matcher of two views returned: a sequence of cv2.DMatch, or an N x 2 array of indices.
std::vector<cv::DMatch> matchesOf(const py::object& found)
{
    if (!py::isinstance<py::array>(found))
        return found.cast<std::vector<cv::DMatch>>();
    const auto indices = py::array_t<int, py::array::c_style | py::array::forcecast>::ensure(found);
    if (!indices || indices.ndim() != 2 || indices.shape(1) != 2)
        throw py::type_error("a matcher of two views must return a sequence of cv2.DMatch or an N "
                             "x 2 array of indices");
    std::vector<cv::DMatch> matches;
    for (py::ssize_t n = 0; n < indices.shape(0); ++n)
        matches.push_back(cv::DMatch(indices.at(n, 0), indices.at(n, 1), 0.f));
    return matches;
}

} // namespace

void bindAnyMatches(py::module_& module)
{
    bindCoordinateMatches(module);
    bindReports(module);
    module.def(
        "matchPairs",
        [](int viewCount, const cv::Mat& pairs, const py::function& matcher,
           const py::object& callback) {
            const PairMatcher call = [&](int first, int second) {
                py::gil_scoped_acquire acquired;
                return matchesOf(matcher(first, second));
            };
            const ProgressCallback progress = makeProgressCallback(callback);
            return toTuple(
                runInterruptibly([&]() { return matchPairs(viewCount, pairs, call, progress); }));
        },
        py::arg("viewCount"), py::arg("pairs"), py::arg("matcher"),
        py::arg("callback") = py::none(),
        "Runs matcher(first, second) on pairs of views, N x 2 or None for all. It returns a "
        "sequence of cv2.DMatch or an N x 2 array of indices. callback(Progress) is called between "
        "pairs; where it returns False, the matches of the pairs before are returned.");
}

} // namespace multimatch_python
