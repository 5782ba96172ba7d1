// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "bindings.hpp"
#include "interruptible.hpp"

#include "opencv2/multimatch/geometric_peers.hpp"
#include "opencv2/multimatch/peers.hpp"

namespace multimatch_python {

using namespace cv::multimatch;

namespace {

const char* const SET_PARAMS =
    "Raises cv2.error with parameter, value and range if a value is out of range.";

// create(), setParams() and getParams() of a matcher with a struct of parameters.
template<typename Matcher, typename Params, typename Base>
void bindWithParams(py::module_& module, const char* name, const char* description)
{
    py::class_<Matcher, Base, std::shared_ptr<Matcher>>(module, name, description)
        .def_static(
            "create", [](const Params& params) { return created(Matcher::create(params)); },
            py::arg("params") = Params(), "A matcher with these parameters.")
        .def("setParams", &Matcher::setParams, py::arg("params"), SET_PARAMS)
        .def("getParams", &Matcher::getParams, "A copy of the parameters.");
}

// Matchers on mutual nearest neighbors have only a ratio.
template<typename Matcher>
void bindWithRatio(py::module_& module, const char* name, const char* description)
{
    py::class_<Matcher, MultiMatcher, std::shared_ptr<Matcher>>(module, name, description)
        .def_static(
            "create", [](float ratio) { return created(Matcher::create(ratio)); },
            py::arg("ratio") = 0.8f, "ratio: threshold of the ratio test, in (0, 1]; 1: none.")
        .def("setRatio", &Matcher::setRatio, py::arg("ratio"),
             "Threshold of the ratio test, in (0, 1].")
        .def("getRatio", &Matcher::getRatio, "Threshold of the ratio test.");
}

void bindParams(py::module_& module)
{
    py::class_<PairwiseParams>(module, "PairwiseParams", "Parameters of Pairwise.")
        .def(py::init<>())
        .def_readwrite("neighbors", &PairwiseParams::neighbors,
                       "Candidates of each point and view, >= 0; 0: all.")
        .def_readwrite("maxDistance", &PairwiseParams::maxDistance,
                       "Maximum descriptor distance of a match; 0: no limit.");
    py::class_<QuickMatchParams>(module, "QuickMatchParams", "Parameters of QuickMatch.")
        .def(py::init<>())
        .def_readwrite("rhoDen", &QuickMatchParams::rhoDen,
                       "Bandwidth relative to the distance inside the view, > 0.")
        .def_readwrite("rhoEdge", &QuickMatchParams::rhoEdge,
                       "Longest edge relative to that distance, > 0.")
        .def_readwrite("weighted", &QuickMatchParams::weighted,
                       "Weight the contribution of a point by log(1 + bandwidth).")
        .def_readwrite("neighbors", &QuickMatchParams::neighbors,
                       "Nearest neighbors per point and view, >= 0; 0: all, or 10 on large data.");
    py::class_<SpectralParams>(module, "SpectralParams", "Parameters of Spectral.")
        .def(py::init<>())
        .def_readwrite(
            "universeSize", &SpectralParams::universeSize,
            "d, the number of eigenvectors, or UNIVERSE_TWICE_MEAN or UNIVERSE_FROM_SPECTRUM.")
        .def_readwrite("ratio", &SpectralParams::ratio, "Threshold of the ratio test, in (0, 1].")
        .def_readwrite("threshold", &SpectralParams::threshold,
                       "Minimum cosine of a member with the first point of its track.")
        .def_readwrite("seed", &SpectralParams::seed,
                       "Seed of the random start of the eigenvectors.");
    py::class_<MatchEigParams>(module, "MatchEigParams", "Parameters of MatchEig.")
        .def(py::init<>())
        .def_readwrite(
            "universeSize", &MatchEigParams::universeSize,
            "d, the number of eigenpairs, or UNIVERSE_TWICE_MEAN or UNIVERSE_FROM_SPECTRUM.")
        .def_readwrite("ratio", &MatchEigParams::ratio, "Threshold of the ratio test, in (0, 1].")
        .def_readwrite("threshold", &MatchEigParams::threshold, "Minimum score of a match, > 0.")
        .def_readwrite("seed", &MatchEigParams::seed,
                       "Seed of the random start of the eigenvectors.");
    py::class_<MatchALSParams>(module, "MatchALSParams", "Parameters of MatchALS.")
        .def(py::init<>())
        .def_readwrite(
            "universeSize", &MatchALSParams::universeSize,
            "d, half of the maximum rank, or UNIVERSE_TWICE_MEAN or UNIVERSE_FROM_SPECTRUM.")
        .def_readwrite("ratio", &MatchALSParams::ratio, "Threshold of the ratio test, in (0, 1].")
        .def_readwrite("alpha", &MatchALSParams::alpha, "Weight of the nuclear norm, > 0.")
        .def_readwrite("beta", &MatchALSParams::beta, "Weight of the 1-norm, >= 0.")
        .def_readwrite("mu", &MatchALSParams::mu, "Initial penalty of the splitting, > 0.")
        .def_readwrite("tolerance", &MatchALSParams::tolerance,
                       "Threshold of both residuals per point for convergence, > 0.")
        .def_readwrite("maxIterations", &MatchALSParams::maxIterations, ">= 1.")
        .def_readwrite("seed", &MatchALSParams::seed, "Seed of the first factor.");
}

void bindGeometricParams(py::module_& module)
{
    py::class_<GraphMatchingParams>(
        module, "GraphMatchingParams",
        "Parameters of RandomWalks, AlternatingMatching and GraduatedConsistency.")
        .def(py::init<>())
        .def_readwrite("appearance", &GraphMatchingParams::appearance,
                       "Weight of the similarity of points against distances, in [0, 1].")
        .def_readwrite("edgeScale", &GraphMatchingParams::edgeScale,
                       "Tolerance of squared differences of distances, > 0.")
        .def_readwrite("maxIterations", &GraphMatchingParams::maxIterations, ">= 1.")
        .def_readwrite("affinityIterations", &GraphMatchingParams::affinityIterations,
                       "GraduatedConsistency: first iterations without the consistency term.")
        .def_readwrite("consistency", &GraphMatchingParams::consistency,
                       "GraduatedConsistency: first weight of the consistency, in [0, 1].")
        .def_readwrite("consistencyStep", &GraphMatchingParams::consistencyStep,
                       "GraduatedConsistency: factor of that weight per iteration, >= 1.")
        .def_readwrite("universeSize", &GraphMatchingParams::universeSize,
                       "GraduatedConsistency: d; 0: as Spectral; or UNIVERSE_FROM_SPECTRUM.");
    py::class_<LowRankParams>(module, "LowRankParams", "Parameters of LowRankCoordinates.")
        .def(py::init<>())
        .def_readwrite("universeSize", &LowRankParams::universeSize,
                       "d, the points that every view shows; 0: as many as the smallest view has.")
        .def_readwrite("rank", &LowRankParams::rank, "Rank of the coordinates, >= 1.")
        .def_readwrite("geometry", &LowRankParams::geometry, "Weight of the coordinates, >= 0.")
        .def_readwrite("tolerance", &LowRankParams::tolerance,
                       "Stops where the objective falls by less than this share, > 0.")
        .def_readwrite("maxIterations", &LowRankParams::maxIterations, ">= 1.")
        .def_readwrite("seed", &LowRankParams::seed,
                       "Seed of the random start of the eigenvectors.");
    py::class_<SparseConsistentParams>(module, "SparseConsistentParams",
                                       "Parameters of SparseConsistent.")
        .def(py::init<>())
        .def_readwrite("candidates", &SparseConsistentParams::candidates,
                       "Most similar universe points per point, >= 1.")
        .def_readwrite("edgeScale", &SparseConsistentParams::edgeScale,
                       "Tolerance of squared differences of distances, > 0.")
        .def_readwrite("support", &SparseConsistentParams::support,
                       "Minimum weight of a match relative to the largest, in (0, 1).")
        .def_readwrite("maxIterations", &SparseConsistentParams::maxIterations,
                       "Sweeps over the views, >= 1.");
}

void bindGeometricPeers(py::module_& module)
{
    bindGeometricParams(module);
    bindWithParams<RandomWalks, GraphMatchingParams, PairwiseMatcher>(
        module, "RandomWalks",
        "Quadratic assignment of each pair of views by reweighted random walks (Cho et al., 2010). "
        "At most 50 points per view and 4000 in total.");
    bindWithParams<AlternatingMatching, GraphMatchingParams, MultiMatcher>(
        module, "AlternatingMatching",
        "Alternating optimization driven by consistency (Yan et al., 2015). At most 50 points per "
        "view and 4000 in total.");
    bindWithParams<GraduatedConsistency, GraphMatchingParams, MultiMatcher>(
        module, "GraduatedConsistency",
        "Composition with graduated consistency (Yan et al., 2016). At most 50 points per view and "
        "4000 in total.");
    bindWithParams<LowRankCoordinates, LowRankParams, MultiMatcher>(
        module, "LowRankCoordinates",
        "Consistent features whose coordinates have low rank (Wang et al., 2018). At most 4000 "
        "points in total.");
    bindWithParams<SparseConsistent, SparseConsistentParams, MultiMatcher>(
        module, "SparseConsistent",
        "Few reliable tracks by sparse quadratic programs (Cosmo et al., 2017). At most 4096 "
        "candidate matches per view and 8000 points in total.");
}

} // namespace

void bindPeers(py::module_& module)
{
    module.attr("UNIVERSE_TWICE_MEAN") = static_cast<int>(UNIVERSE_TWICE_MEAN);
    module.attr("UNIVERSE_FROM_SPECTRUM") = static_cast<int>(UNIVERSE_FROM_SPECTRUM);
    bindParams(module);
    bindWithParams<Pairwise, PairwiseParams, PairwiseMatcher>(
        module, "Pairwise",
        "One-to-one matches of each pair of views with minimum total descriptor distance.");
    bindWithRatio<UnionFind>(module, "UnionFind",
                             "Connected components of mutual nearest neighbors; a component with "
                             "two key points in one view is removed.");
    bindWithRatio<Kruskal>(module, "Kruskal",
                           "Merges mutual nearest neighbors in order of distance, except where two "
                           "points of a view would share a track.");
    bindWithParams<QuickMatch, QuickMatchParams, MultiMatcher>(
        module, "QuickMatch",
        "Density clustering of descriptors in which a cluster has no view twice (Tron et al., "
        "2017).");
    bindWithParams<Spectral, SpectralParams, MultiMatcher>(
        module, "Spectral", "Permutation synchronization by eigenvectors (Pachauri et al., 2013).");
    bindWithParams<MatchEig, MatchEigParams, PairwiseMatcher>(
        module, "MatchEig",
        "Pairwise matches denoised by their low-rank approximation (Maset et al., 2017).");
    bindWithParams<MatchALS, MatchALSParams, PairwiseMatcher>(
        module, "MatchALS",
        "Low-rank, sparse completion of pairwise matches (Zhou et al., 2015). Dense: at most "
        "MatchALS_MAX_POINTS points.");
    module.attr("MatchALS_MAX_POINTS") = static_cast<int>(MatchALS::MAX_POINTS);
    module.attr("MatchALS").attr("MAX_POINTS") = static_cast<int>(MatchALS::MAX_POINTS);
    bindGeometricPeers(module);
}

} // namespace multimatch_python
