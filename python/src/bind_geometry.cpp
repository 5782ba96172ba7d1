// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "bindings.hpp"
#include "interruptible.hpp"

#include "opencv2/multimatch/geometry.hpp"

#include <vector>

namespace multimatch_python {

using namespace cv::multimatch;

namespace {

typedef std::vector<std::vector<cv::KeyPoint>> KeyPoints;
typedef std::vector<PairMatches> Matches;
typedef std::vector<PairGeometry> Geometries;
typedef std::vector<cv::Mat> Mats;

void bindTypes(py::module_& module)
{
    module.attr("MODEL_FUNDAMENTAL") = static_cast<int>(MODEL_FUNDAMENTAL);
    module.attr("MODEL_ESSENTIAL") = static_cast<int>(MODEL_ESSENTIAL);
    module.attr("MODEL_HOMOGRAPHY") = static_cast<int>(MODEL_HOMOGRAPHY);
    py::class_<VerificationParams>(module, "VerificationParams",
                                   "Parameters of the geometric verification of pairs of views.")
        .def(py::init<>())
        .def_readwrite("model", &VerificationParams::model, "A MODEL_ constant.")
        .def_readwrite("maxError", &VerificationParams::maxError,
                       "Maximum error of an inlier in pixels, > 0.")
        .def_readwrite("minInliers", &VerificationParams::minInliers,
                       "Minimum number of inliers of a pair of views, >= 8.")
        .def_readwrite("confidence", &VerificationParams::confidence,
                       "Confidence of RANSAC, in (0, 1).")
        .def_readwrite("maxIterations", &VerificationParams::maxIterations,
                       "Iterations of RANSAC, >= 1.")
        .def_readwrite("seed", &VerificationParams::seed, "Seed of RANSAC.");
    py::class_<PairGeometry>(module, "PairGeometry", "Geometry of a pair of views.")
        .def(py::init<>())
        .def_readwrite("first", &PairGeometry::first, "First view.")
        .def_readwrite("second", &PairGeometry::second, "Second view.")
        .def_readwrite("model", &PairGeometry::model, "A MODEL_ constant.")
        .def_readwrite("matrix", &PairGeometry::matrix, "F or H, 3 x 3; empty: no geometry.")
        .def_readwrite("inliers", &PairGeometry::inliers,
                       "Number of matches that agree with the matrix.");
    py::class_<GuidedParams>(module, "GuidedParams", "Parameters of GuidedHiPPI.")
        .def(py::init<>())
        .def_readwrite("hippi", &GuidedParams::hippi, "Parameters of the iteration.")
        .def_readwrite("verification", &GuidedParams::verification,
                       "Parameters of the verification.")
        .def_readwrite("candidates", &GuidedParams::candidates,
                       "Nearest points along the geometry, per point and view, >= 1.");
}

} // namespace

void bindGeometry(py::module_& module)
{
    bindTypes(module);
    module.def(
        "pairResidual",
        [](const PairGeometry& geometry, const std::vector<float>& inFirst,
           const std::vector<float>& inSecond) {
            if (inFirst.size() != 2 || inSecond.size() != 2)
                throw py::type_error("expected two points of two coordinates");
            return pairResidual(geometry, cv::Point2f(inFirst[0], inFirst[1]),
                                cv::Point2f(inSecond[0], inSecond[1]));
        },
        py::arg("geometry"), py::arg("inFirst"), py::arg("inSecond"),
        "How far two points contradict the geometry of their views, in pixels.");
    module.def(
        "estimateGeometry",
        [](const KeyPoints& keypoints, const Matches& matches, const VerificationParams& params,
           const Mats& cameraMatrices) {
            return toTuple(estimateGeometry(keypoints, matches, params, cameraMatrices));
        },
        py::arg("keypoints"), py::arg("matches"), py::arg("params") = VerificationParams(),
        py::arg("cameraMatrices") = Mats(), "The geometry of each pair of views, as PairGeometry.");
    module.def(
        "verifyMatches",
        [](const KeyPoints& keypoints, const Matches& matches, const Geometries& geometries,
           double maxError) {
            return toTuple(verifyMatches(keypoints, matches, geometries, maxError));
        },
        py::arg("keypoints"), py::arg("matches"), py::arg("geometries"), py::arg("maxError"),
        "The matches that agree with their geometry.");
    module.def("cleanTracks", &cleanTracks, py::arg("keypoints"), py::arg("tracks"),
               py::arg("geometries"), py::arg("maxError"), py::arg("minLength") = 2,
               "Tracks in which no two observations contradict the geometry of their views.");
    py::class_<GuidedHiPPI, MultiMatcher, std::shared_ptr<GuidedHiPPI>>(
        module, "GuidedHiPPI",
        "HiPPI for photographs of a rigid scene: the geometry of pairs of views is evidence too.")
        .def_static(
            "create",
            [](const GuidedParams& params) { return created(GuidedHiPPI::create(params)); },
            py::arg("params") = GuidedParams(), "A matcher with these parameters.")
        .def("setParams", &GuidedHiPPI::setParams, py::arg("params"),
             "Raises cv2.error with parameter, value and range if a value is out of range.")
        .def("getParams", &GuidedHiPPI::getParams, "A copy of the parameters.")
        .def(
            "setCameraMatrices",
            [](GuidedHiPPI& matcher, const Mats& cameraMatrices) {
                matcher.setCameraMatrices(cameraMatrices);
            },
            py::arg("cameraMatrices"),
            "3 x 3 camera matrix of each view; required for MODEL_ESSENTIAL.")
        .def(
            "getGeometries",
            [](const GuidedHiPPI& matcher) { return toTuple(matcher.getGeometries()); },
            "Geometries found by the last match().");
}

} // namespace multimatch_python
