// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "bindings.hpp"
#include "interruptible.hpp"

#include "opencv2/multimatch/matcher.hpp"
#include "opencv2/multimatch/peers.hpp"
#include "opencv2/multimatch/retrieval.hpp"
#include "opencv2/multimatch/signatures.hpp"

namespace multimatch_python {

using namespace cv::multimatch;

namespace {

typedef std::vector<std::vector<cv::KeyPoint>> KeyPoints;
typedef std::vector<cv::Mat> Mats;

//! Features of cv2 cannot be passed to C++, so their methods are called.
py::tuple matchImages(MultiMatcher& matcher, const Mats& images, const py::object& features,
                      const py::object& masks)
{
    const std::vector<py::object> given =
        masks.is_none() ? std::vector<py::object>() : masks.cast<std::vector<py::object>>();
    if (!given.empty() && given.size() != images.size())
        CV_Error_(cv::Error::StsUnmatchedSizes,
                  ("masks has %zu entries but images has %zu", given.size(), images.size()));
    KeyPoints keypoints(images.size());
    Mats descriptors(images.size());
    py::tuple found(images.size());
    for (size_t v = 0; v < images.size(); ++v)
    {
        found[v] = py::tuple();
        if (images[v].empty())
            continue;
        if (PyErr_CheckSignals() != 0)
            throw py::error_already_set();
        const py::tuple both = features.attr("detectAndCompute")(
            images[v], given.empty() ? py::object(py::none()) : given[v]);
        found[v] = both[0];
        keypoints[v] = both[0].cast<std::vector<cv::KeyPoint>>();
        descriptors[v] = both[1].cast<cv::Mat>();
    }
    const int normType = matcher.getNormType();
    if (normType == 0 && py::hasattr(features, "defaultNorm"))
        matcher.setNormType(features.attr("defaultNorm")().cast<int>());
    const auto restore = [&]() { matcher.setNormType(normType); };
    try
    {
        const Tracks tracks =
            runInterruptibly([&]() { return matcher.match(keypoints, descriptors); });
        restore();
        return py::make_tuple(tracks, found);
    }
    catch (...)
    {
        restore();
        throw;
    }
}

typedef py::class_<MultiMatcher, std::shared_ptr<MultiMatcher>> MatcherClass;

void bindConstants(py::module_& module)
{
    module.attr("SEARCH_EXACT") = static_cast<int>(SEARCH_EXACT);
    module.attr("SEARCH_APPROXIMATE") = static_cast<int>(SEARCH_APPROXIMATE);
    module.attr("SEARCH_AUTO") = static_cast<int>(SEARCH_AUTO);

    module.attr("WEIGHTS_FROM_DISTANCES") = static_cast<int>(WEIGHTS_FROM_DISTANCES);
    module.attr("WEIGHTS_FROM_RATIOS") = static_cast<int>(WEIGHTS_FROM_RATIOS);
    module.attr("WEIGHTS_FROM_SCORES") = static_cast<int>(WEIGHTS_FROM_SCORES);
    module.def(
        "matchesWithScores",
        [](const std::vector<PairMatches>& matches, const std::vector<std::vector<float>>& scores) {
            return toTuple(matchesWithScores(matches, scores));
        },
        py::arg("matches"), py::arg("scores"),
        "Returns the matches with scores in [0, 1] as distances, for WEIGHTS_FROM_SCORES.");
}

void bindProgress(py::module_& module)
{
    py::class_<Progress>(module, "Progress",
                         "State of a run, the argument of the progress callback.")
        .def_property_readonly(
            "stage", [](const Progress& progress) { return std::string(progress.stage); },
            "Name of the stage, as in MatchReport.stages.")
        .def_readonly("fraction", &Progress::fraction, "Fraction of this stage, in [0, 1].")
        .def_readonly("secondsLeft", &Progress::secondsLeft,
                      "Estimated time left in this stage; negative: unknown.");
}

//! The class with its methods that match.
MatcherClass bindMatching(py::module_& module)
{
    MatcherClass type(
        module, "MultiMatcher",
        "Base class of all matchers: computes Tracks of many views. The result does not depend on "
        "the number of threads and the order of views and points.");
    type.def(
            "match",
            [](MultiMatcher& matcher, const KeyPoints& keypoints, const Mats& descriptors) {
                return runInterruptibly([&]() { return matcher.match(keypoints, descriptors); });
            },
            py::arg("keypoints"), py::arg("descriptors"),
            "Matches the key points of all views at once.\n\n"
            "keypoints: a sequence of cv2.KeyPoint for each view. descriptors: an array for each "
            "view with a row per key point, all float32 or all uint8 (see setNormType); None for a "
            "view without points. The GIL is released; Ctrl-C stops the run.")
        .def(
            "matchPoints",
            [](MultiMatcher& matcher, const Mats& points, const Mats& descriptors) {
                return runInterruptibly([&]() { return matcher.matchPoints(points, descriptors); });
            },
            py::arg("points"), py::arg("descriptors"),
            "Same for points without size and angle: an n x 2 or n x 3 array for each view.")
        .def(
            "matchImages",
            [](MultiMatcher& matcher, const Mats& images, const py::object& features,
               const py::object& masks) { return matchImages(matcher, images, features, masks); },
            py::arg("images"), py::arg("features"), py::arg("masks") = py::none(),
            "Same for pictures: returns the tracks and the key points of each view. features: an "
            "object with detectAndCompute(image, mask) such as cv2.SIFT_create(). masks: where to "
            "detect, an array or None for each view.")
        .def(
            "synchronize",
            [](MultiMatcher& matcher, const KeyPoints& keypoints,
               const std::vector<PairMatches>& matches, int weights) {
                return runInterruptibly(
                    [&]() { return matcher.synchronize(keypoints, matches, weights); });
            },
            py::arg("keypoints"), py::arg("matches"),
            py::arg("weights") = static_cast<int>(WEIGHTS_FROM_DISTANCES),
            "Synchronizes matches of another matcher, a sequence of PairMatches. weights: meaning "
            "of DMatch.distance, a WEIGHTS_ constant.");
    return type;
}

void bindSettings(MatcherClass& type)
{
    type.def(
            "setPairs",
            [](MultiMatcher& matcher, const cv::Mat& pairs) { matcher.setPairs(pairs); },
            py::arg("pairs"),
            "Pairs of views to compare, N x 2 integers; an empty array leaves the choice to the "
            "window.")
        .def("getPairs", &MultiMatcher::getPairs, "Pairs set by setPairs(), N x 2.")
        .def("setWindow", &MultiMatcher::setWindow, py::arg("window"),
             "Compare each view with the next window views only; 0: with all.")
        .def("getWindow", &MultiMatcher::getWindow, "Window set by setWindow().")
        .def("setNormType", &MultiMatcher::setNormType, py::arg("normType"),
             "Norm of descriptor distances: cv2.NORM_L2 or cv2.NORM_HAMMING; 0: L2 for float32, "
             "Hamming for uint8.")
        .def("setMemoryBudget", &MultiMatcher::setMemoryBudget, py::arg("bytes"),
             "Maximum memory of the neighbor search in bytes, in addition to the input; 0: no "
             "limit. match() raises an error at once if it could need more.")
        .def("getMemoryBudget", &MultiMatcher::getMemoryBudget, "Budget set by setMemoryBudget().")
        .def("setSearchMode", &MultiMatcher::setSearchMode, py::arg("searchMode"),
             "SEARCH_AUTO: exact up to views of about 9,000 points; SEARCH_EXACT; or "
             "SEARCH_APPROXIMATE for large collections.")
        .def("getSearchMode", &MultiMatcher::getSearchMode, "Mode set by setSearchMode().")
        .def("getNormType", &MultiMatcher::getNormType, "Norm set by setNormType().")
        .def(
            "setProgressCallback",
            [](MultiMatcher& matcher, const py::object& callback) {
                matcher.setProgressCallback(makeProgressCallback(callback));
            },
            py::arg("callback"),
            "callback(Progress) is called at most 20 times a second. If it returns False, match() "
            "stops and returns the best tracks so far; report().cancelled is then true. An "
            "exception also stops the run and is raised by match(). None: no callback.")
        .def("getDefaultName", &MultiMatcher::getDefaultName, "Name of the algorithm.")
        .def(
            "save",
            [](const MultiMatcher& matcher, const std::string& name) { matcher.save(name); },
            py::arg("filename"), "Writes the parameters to a .yml, .xml or .json file.");
}

void bindSignatures(py::module_& module)
{
    module.def(
        "computeSignatures",
        [](const Mats& descriptors, int normType) {
            return computeSignatures(descriptors, normType);
        },
        py::arg("descriptors"), py::arg("normType") = 0,
        "Global descriptor of each view, one vector: overlapping views have similar vectors.");
    module.def(
        "learnSignatureWords",
        [](const Mats& descriptors, int normType) {
            return learnSignatureWords(descriptors, normType);
        },
        py::arg("descriptors"), py::arg("normType") = 0,
        "The words of computeSignatures, learned from some views for signaturesFromWords.");
    module.def(
        "signaturesFromWords",
        [](const Mats& descriptors, const cv::Mat& words, int normType) {
            return signaturesFromWords(descriptors, words, normType);
        },
        py::arg("descriptors"), py::arg("words"), py::arg("normType") = 0,
        "computeSignatures with given words: signatures that are computed apart can be compared.");
    module.def(
        "retrievePairs",
        [](const Mats& descriptors, int count, int normType) {
            return retrievePairs(descriptors, count, normType);
        },
        py::arg("descriptors"), py::arg("count"), py::arg("normType") = 0,
        "Pairs of similar views for setPairs: each view with the count views whose signatures are "
        "most similar.");
}

void bindPairwise(py::module_& module)
{
    py::class_<PairwiseMatcher, MultiMatcher, std::shared_ptr<PairwiseMatcher>>(
        module, "PairwiseMatcher",
        "A matcher whose pairwise matches may be inconsistent in cycles of views; match() returns "
        "their closure.")
        .def(
            "matchPairs",
            [](PairwiseMatcher& matcher, const KeyPoints& keypoints, const Mats& descriptors) {
                return toTuple(
                    runInterruptibly([&]() { return matcher.matchPairs(keypoints, descriptors); }));
            },
            py::arg("keypoints"), py::arg("descriptors"),
            "Matches of every pair of compared views, as PairMatches.")
        .def(
            "matchPointPairs",
            [](PairwiseMatcher& matcher, const Mats& points, const Mats& descriptors) {
                return toTuple(runInterruptibly(
                    [&]() { return matcher.matchPointPairs(points, descriptors); }));
            },
            py::arg("points"), py::arg("descriptors"),
            "Same for points without size and angle, see matchPoints().")
        .def("getPairsReport", &PairwiseMatcher::getPairsReport,
             "Report of the last matchPairs() or matchPointPairs().");
}

} // namespace

void bindMatchers(py::module_& module)
{
    bindConstants(module);
    bindProgress(module);
    MatcherClass type = bindMatching(module);
    bindSettings(type);
    bindSignatures(module);
    bindPairwise(module);
}

} // namespace multimatch_python
