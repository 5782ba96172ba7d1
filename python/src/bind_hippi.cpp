// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "bindings.hpp"
#include "interruptible.hpp"

#include "opencv2/multimatch/hippi.hpp"

namespace multimatch_python {

using namespace cv::multimatch;

namespace {

void bindConstants(py::module_& module)
{
    module.attr("HIPPI_PARTIAL") = static_cast<int>(HIPPI_PARTIAL);
    module.attr("HIPPI_LITERAL") = static_cast<int>(HIPPI_LITERAL);
    module.attr("HIPPI_COMPLETE") = static_cast<int>(HIPPI_COMPLETE);
    module.attr("WITNESS_PLACE") = static_cast<int>(WITNESS_PLACE);
    module.attr("WITNESS_FRAME") = static_cast<int>(WITNESS_FRAME);
    module.attr("WITNESS_OVERLAP") = static_cast<int>(WITNESS_OVERLAP);
    module.attr("WITNESS_GEOMETRY") = static_cast<int>(WITNESS_GEOMETRY);
    module.attr("WITNESS_ALL") = static_cast<int>(WITNESS_ALL);
    module.attr("NORMALIZE_SYMMETRIC") = static_cast<int>(NORMALIZE_SYMMETRIC);
    module.attr("NORMALIZE_NONE") = static_cast<int>(NORMALIZE_NONE);
    module.attr("START_AUTO") = static_cast<int>(START_AUTO);
    module.attr("START_QUICKMATCH") = static_cast<int>(START_QUICKMATCH);
    module.attr("START_SPECTRAL") = static_cast<int>(START_SPECTRAL);
    module.attr("START_RANDOM") = static_cast<int>(START_RANDOM);
    module.attr("START_GREEDY") = static_cast<int>(START_GREEDY);
    module.attr("START_LABELS") = static_cast<int>(START_LABELS);
}

void bindEvidence(py::module_& module)
{
    py::class_<EvidenceParams>(module, "EvidenceParams",
                               "The constants of the evidence on partial data.")
        .def(py::init<>())
        .def_readwrite("witnesses", &EvidenceParams::witnesses, "WITNESS_ flags.")
        .def_readwrite("maxLogOdds", &EvidenceParams::maxLogOdds, "Limit of a pair, > 0.")
        .def_readwrite("trackCost", &EvidenceParams::trackCost, "Cost of a new track.")
        .def_readwrite("startSimilarity", &EvidenceParams::startSimilarity, "Least of the start.")
        .def_readwrite("clearRatio", &EvidenceParams::clearRatio, "Ratio test, in (0, 1].")
        .def_readwrite("firstShare", &EvidenceParams::firstShare, "First prior, in (0, 1).")
        .def_readwrite("reach", &EvidenceParams::reach, "Of candidates by descriptors, > 0.")
        .def_readwrite("ownShare", &EvidenceParams::ownShare, "In the distance ratio, >= 0.")
        .def_readwrite("around", &EvidenceParams::around, "Points around, in [6, 250].")
        .def_readwrite("context", &EvidenceParams::context, "Tracks around, in [6, 16].")
        .def_readwrite("ridge", &EvidenceParams::ridge, "Of the local maps, > 0.")
        .def_readwrite("spreadFloor", &EvidenceParams::spreadFloor, "Of predictions, > 0.")
        .def_readwrite("wrongRadius", &EvidenceParams::wrongRadius, "Of wrong points, > 0.")
        .def_readwrite("placeWeight", &EvidenceParams::placeWeight,
                       "Weight of the place in the confidence, in [0, 1].")
        .def_readwrite("likelySpreads", &EvidenceParams::likelySpreads, "Search radius, > 0.")
        .def_readwrite("likelyCount", &EvidenceParams::likelyCount, "Points found there, >= 0.")
        .def_readwrite("alongStray", &EvidenceParams::alongStray, "Along the line, in [0, 1].")
        .def_readwrite("lineStray", &EvidenceParams::lineStray, "Off the line, in (0, 1).")
        .def_readwrite("lineDecay", &EvidenceParams::lineDecay, "Of strays by inliers, > 0.")
        .def_readwrite("roundsBeforeGeometry", &EvidenceParams::roundsBeforeGeometry,
                       "Rounds of GuidedHiPPI without geometry, >= 0.")
        .def_readwrite("minGrowth", &EvidenceParams::minGrowth, "Of the objective, in [0, 1].");
}

void bindParams(py::module_& module)
{
    py::class_<HiPPIParams>(module, "HiPPIParams",
                            "Parameters of HiPPI. The defaults are suitable for all data.")
        .def(py::init<>())
        .def_readwrite("mode", &HiPPIParams::mode,
                       "HIPPI_PARTIAL, HIPPI_LITERAL or HIPPI_COMPLETE.")
        .def_readwrite("universeSize", &HiPPIParams::universeSize,
                       "d, the number of universe points; 0: from the data.")
        .def_readwrite("neighbors", &HiPPIParams::neighbors,
                       "Nearest neighbors per point and view, >= 1.")
        .def_readwrite("rhoDen", &HiPPIParams::rhoDen,
                       "Bandwidth of the similarity; 0: from the data.")
        .def_readwrite("weighted", &HiPPIParams::weighted, "QuickMatch's weight on the similarity.")
        .def_readwrite("normalization", &HiPPIParams::normalization,
                       "NORMALIZE_SYMMETRIC or NORMALIZE_NONE.")
        .def_readwrite("beta", &HiPPIParams::beta,
                       "Weight of other views relative to the point itself, > 0.")
        .def_readwrite("mu", &HiPPIParams::mu, "Scale of the adjacency, > 0.")
        .def_readwrite("tolerance", &HiPPIParams::tolerance, "Cut-off of the adjacency, in (0, 1).")
        .def_readwrite("directional", &HiPPIParams::directional,
                       "Frequency of the phase channels, >= 0; 0: isotropic.")
        .def_readwrite("start", &HiPPIParams::start, "START_AUTO or another START_ constant.")
        .def_readwrite("startCount", &HiPPIParams::startCount,
                       "Number of starts if the start is random, >= 1.")
        .def_readwrite("startRhoDen", &HiPPIParams::startRhoDen, "rho_den of a QuickMatch start.")
        .def_readwrite("startRhoEdge", &HiPPIParams::startRhoEdge,
                       "rho_edge of a QuickMatch start.")
        .def_readwrite("maxIterations", &HiPPIParams::maxIterations,
                       "Projections, >= 0; 0 returns the start.")
        .def_readwrite("exact", &HiPPIParams::exact,
                       "Exact products and an objective that never decreases.")
        .def_readwrite("minConfidence", &HiPPIParams::minConfidence,
                       "Memberships below this are dissolved, in [0, 1].")
        .def_readwrite("minLength", &HiPPIParams::minLength, "Shorter tracks are dissolved, >= 1.")
        .def_readwrite("seed", &HiPPIParams::seed, "Seed of the random generator.")
        .def_readwrite("evidence", &HiPPIParams::evidence,
                       "The constants of the evidence on partial data.");
}

void bindProblem(py::module_& module)
{
    typedef std::vector<std::vector<cv::KeyPoint>> KeyPoints;
    py::class_<MatchingProblem>(
        module, "MatchingProblem",
        "A problem whose similarity, and perhaps adjacency, the caller made; see HiPPI.solve.")
        .def(py::init<>())
        .def_property(
            "viewSizes", [](const MatchingProblem& problem) { return toArray(problem.viewSizes); },
            [](MatchingProblem& problem, const std::vector<int>& sizes) {
                problem.viewSizes = sizes;
            },
            "Points per view, m in all.")
        .def_property(
            "points", [](const MatchingProblem& problem) { return toTuple(problem.points); },
            [](MatchingProblem& problem, const std::vector<cv::Mat>& points) {
                problem.points = points;
            },
            "Per view an n x 2 or n x 3 array; empty: positions play no part.")
        .def_property(
            "keypoints",
            [](const MatchingProblem& problem) {
                py::tuple all(problem.keypoints.size());
                for (size_t v = 0; v < problem.keypoints.size(); ++v)
                    all[v] = toTuple(problem.keypoints[v]);
                return all;
            },
            [](MatchingProblem& problem, const KeyPoints& keypoints) {
                problem.keypoints = keypoints;
            },
            "Per view its key points, in place of points: their sizes and angles then count too.")
        .def(
            "setSimilarity",
            [](MatchingProblem& problem, const cv::Mat& data, const cv::Mat& indices,
               const cv::Mat& indptr) { problem.setSimilarity(data, indices, indptr); },
            py::arg("data"), py::arg("indices"), py::arg("indptr"),
            "S from the arrays of a scipy.sparse.csr_matrix, indices and indptr as int32: "
            "symmetric m x m, not negative, without entries inside a view.")
        .def(
            "setAdjacency",
            [](MatchingProblem& problem, const cv::Mat& data, const cv::Mat& indices,
               const cv::Mat& indptr) { problem.setAdjacency(data, indices, indptr); },
            py::arg("data"), py::arg("indices"), py::arg("indptr"),
            "A in the same way: symmetric m x m, without entries between views.");
}

} // namespace

void bindHiPPI(py::module_& module)
{
    bindConstants(module);
    bindEvidence(module);
    bindParams(module);
    bindProblem(module);
    module.def("paperParams", &paperParams,
               "Parameters of the algorithm of the paper in its image experiment.");
    py::class_<HiPPI, MultiMatcher, std::shared_ptr<HiPPI>>(
        module, "HiPPI",
        "Higher-order projected power iterations (Bernard et al., ICCV 2019): the matcher of this "
        "module.")
        .def_static(
            "create", [](const HiPPIParams& params) { return created(HiPPI::create(params)); },
            py::arg("params") = HiPPIParams(), "A matcher with these parameters.")
        .def("setParams", &HiPPI::setParams, py::arg("params"),
             "Raises cv2.error with parameter, value and range if a value is out of range.")
        .def("getParams", &HiPPI::getParams, "A copy of the parameters.")
        .def("setInitialLabels", &HiPPI::setInitialLabels, py::arg("labels"),
             "Start of START_LABELS: per view a label for each point, negative: unmatched.")
        .def(
            "solve",
            [](HiPPI& matcher, const MatchingProblem& problem) {
                return runInterruptibly([&]() { return matcher.solve(problem); });
            },
            py::arg("problem"),
            "The iteration on a similarity and an adjacency that the caller made. Views and points "
            "are taken in the given order.");
}

} // namespace multimatch_python
