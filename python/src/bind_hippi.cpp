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
    module.attr("NORMALIZE_SYMMETRIC") = static_cast<int>(NORMALIZE_SYMMETRIC);
    module.attr("NORMALIZE_NONE") = static_cast<int>(NORMALIZE_NONE);
    module.attr("START_AUTO") = static_cast<int>(START_AUTO);
    module.attr("START_QUICKMATCH") = static_cast<int>(START_QUICKMATCH);
    module.attr("START_SPECTRAL") = static_cast<int>(START_SPECTRAL);
    module.attr("START_RANDOM") = static_cast<int>(START_RANDOM);
    module.attr("START_GREEDY") = static_cast<int>(START_GREEDY);
    module.attr("START_LABELS") = static_cast<int>(START_LABELS);
}

void bindParams(py::module_& module)
{
    py::class_<HiPPIParams>(
        module, "HiPPIParams",
        "Parameters of HiPPI. The defaults are meant for all data: nothing here has to be set.")
        .def(py::init<>())
        .def_readwrite("mode", &HiPPIParams::mode, "HIPPI_PARTIAL or HIPPI_LITERAL.")
        .def_readwrite("universeSize", &HiPPIParams::universeSize,
                       "d, the number of universe points; 0: from the data.")
        .def_readwrite("neighbours", &HiPPIParams::neighbours,
                       "Nearest neighbours per point and view, >= 1.")
        .def_readwrite("rhoDen", &HiPPIParams::rhoDen,
                       "Bandwidth of the similarity; 0: from the data.")
        .def_readwrite("weighted", &HiPPIParams::weighted, "QuickMatch's weight on the similarity.")
        .def_readwrite("normalization", &HiPPIParams::normalization,
                       "NORMALIZE_SYMMETRIC or NORMALIZE_NONE.")
        .def_readwrite("beta", &HiPPIParams::beta,
                       "Weight of other views against the point itself, > 0.")
        .def_readwrite("mu", &HiPPIParams::mu, "Scale of the adjacency, > 0.")
        .def_readwrite("tolerance", &HiPPIParams::tolerance, "Cut-off of the adjacency, in (0, 1).")
        .def_readwrite("directional", &HiPPIParams::directional,
                       "Frequency of the phase channels, >= 0; 0: isotropic.")
        .def_readwrite("start", &HiPPIParams::start, "START_AUTO or another START_ constant.")
        .def_readwrite("startCount", &HiPPIParams::startCount,
                       "Starts tried where there is a choice, >= 1.")
        .def_readwrite("startRhoDen", &HiPPIParams::startRhoDen, "rho_den of a QuickMatch start.")
        .def_readwrite("startRhoEdge", &HiPPIParams::startRhoEdge,
                       "rho_edge of a QuickMatch start.")
        .def_readwrite("charge", &HiPPIParams::charge, "What being matched costs, >= 0.")
        .def_readwrite("maxIterations", &HiPPIParams::maxIterations,
                       "Projections, >= 0; 0 returns the start.")
        .def_readwrite("exact", &HiPPIParams::exact,
                       "Exact products and an objective that never decreases.")
        .def_readwrite("refine", &HiPPIParams::refine,
                       "Weigh every point again after the iteration.")
        .def_readwrite("minConfidence", &HiPPIParams::minConfidence,
                       "Memberships below this are dissolved, in [0, 1].")
        .def_readwrite("minLength", &HiPPIParams::minLength, "Shorter tracks are dissolved, >= 1.")
        .def_readwrite("seed", &HiPPIParams::seed, "Of everything random.");
}

} // namespace

void bindHiPPI(py::module_& module)
{
    bindConstants(module);
    bindParams(module);
    py::class_<HiPPI, MultiMatcher, std::shared_ptr<HiPPI>>(
        module, "HiPPI",
        "Higher-order projected power iterations (Bernard et al., ICCV 2019): the matcher of this "
        "module.")
        .def_static(
            "create", [](const HiPPIParams& params) { return created(HiPPI::create(params)); },
            py::arg("params") = HiPPIParams(), "A matcher with these parameters.")
        .def("setParams", &HiPPI::setParams, py::arg("params"),
             "Raises cv2.error, naming parameter, value and range, where one is out of range.")
        .def("getParams", &HiPPI::getParams, "A copy of the parameters.")
        .def("setInitialLabels", &HiPPI::setInitialLabels, py::arg("labels"),
             "Start of START_LABELS: per view a label for each point, negative: unmatched.");
}

} // namespace multimatch_python
