// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "method.hpp"

#include "opencv2/multimatch/peers.hpp"

#include <algorithm>
#include <climits>
#include <sstream>

using namespace cv::multimatch;
using samples::Arguments;

namespace {

const char* const METHODS[] = {"hippi",      "guided",   "hippi-literal", "unionfind", "kruskal",
                               "quickmatch", "spectral", "matcheig",      "matchals",  "pairwise"};
const char* const MODELS[] = {"fundamental", "essential", "homography"}; // as in PairModel

// A parameter and the methods that use it.
struct Parameter
{
    const char* option;
    const char* methods; //!< separated by spaces
};

const Parameter PARAMETERS[] = {
    {"universe", "hippi hippi-literal spectral matcheig matchals"},
    {"neighbors", "hippi hippi-literal quickmatch pairwise"},
    {"mu", "hippi guided hippi-literal"},
    {"beta", "hippi guided hippi-literal"},
    {"exact", "hippi guided hippi-literal"},
    {"ratio", "unionfind kruskal spectral matcheig matchals"},
    {"rho-den", "quickmatch"},
    {"rho-edge", "quickmatch"},
    {"seed", "hippi guided hippi-literal spectral matcheig matchals"},
};

const double TINY = 1e-6, LARGE = 1e6;

std::vector<std::string> methodNames()
{
    return std::vector<std::string>(std::begin(METHODS), std::end(METHODS));
}

std::string text(double value)
{
    std::ostringstream out;
    out << value;
    return out.str();
}

// An option without effect is an error.
void rejectForeignParameters(const Arguments& arguments, const std::string& method)
{
    for (size_t i = 0; i < sizeof(PARAMETERS) / sizeof(PARAMETERS[0]); ++i)
    {
        if (!arguments.given(PARAMETERS[i].option))
            continue;
        const std::vector<std::string> owners = samples::split(PARAMETERS[i].methods, ' ');
        if (std::find(owners.begin(), owners.end(), method) == owners.end())
            throw samples::ArgumentError(std::string("--") + PARAMETERS[i].option +
                                         " has no effect with --method=" + method +
                                         "; it belongs to " + samples::join(owners, ", "));
    }
}

// Parameters that are not given keep the default of the method.
void take(const Arguments& arguments, const char* name, int low, int& value)
{
    if (arguments.given(name))
        value = arguments.getInt(name, low, INT_MAX);
}

void take(const Arguments& arguments, const char* name, double low, double high, float& value)
{
    if (arguments.given(name))
        value = static_cast<float>(arguments.getDouble(name, low, high));
}

void takeHiPPI(const Arguments& arguments, HiPPIParams& params)
{
    take(arguments, "mu", TINY, LARGE, params.mu);
    take(arguments, "beta", TINY, LARGE, params.beta);
    take(arguments, "seed", 0, params.seed);
    take(arguments, "min-length", 1, params.minLength);
    take(arguments, "min-confidence", 0, 1, params.minConfidence);
    params.exact = arguments.getFlag("exact");
}

cv::Ptr<MultiMatcher> createGuided(const Arguments& arguments)
{
    GuidedParams params;
    takeHiPPI(arguments, params.hippi);
    params.verification = verificationParams(arguments);
    return GuidedHiPPI::create(params);
}

cv::Ptr<MultiMatcher> createHiPPI(const Arguments& arguments, bool literal)
{
    HiPPIParams params;
    if (literal)
        params = cv::multimatch::paperParams();
    take(arguments, "universe", 0, params.universeSize);
    take(arguments, "neighbors", 1, params.neighbors);
    takeHiPPI(arguments, params);
    return HiPPI::create(params);
}

cv::Ptr<MultiMatcher> createQuickMatch(const Arguments& arguments)
{
    QuickMatchParams params;
    take(arguments, "neighbors", 0, params.neighbors);
    take(arguments, "rho-den", TINY, LARGE, params.rhoDen);
    take(arguments, "rho-edge", TINY, LARGE, params.rhoEdge);
    return QuickMatch::create(params);
}

// Spectral, MatchEig and MatchALS have these members in common.
template<typename Params>
Params synchronizationParams(const Arguments& arguments)
{
    Params params;
    take(arguments, "universe", 0, params.universeSize);
    take(arguments, "ratio", TINY, 1, params.ratio);
    take(arguments, "seed", 0, params.seed);
    return params;
}

cv::Ptr<MultiMatcher> createPeer(const Arguments& arguments, const std::string& method)
{
    float ratio = 0.8f;
    take(arguments, "ratio", TINY, 1, ratio);
    if (method == "unionfind")
        return UnionFind::create(ratio);
    if (method == "kruskal")
        return Kruskal::create(ratio);
    if (method == "quickmatch")
        return createQuickMatch(arguments);
    if (method == "spectral")
        return Spectral::create(synchronizationParams<SpectralParams>(arguments));
    if (method == "matcheig")
        return MatchEig::create(synchronizationParams<MatchEigParams>(arguments));
    if (method == "matchals")
        return MatchALS::create(synchronizationParams<MatchALSParams>(arguments));
    PairwiseParams params;
    take(arguments, "neighbors", 0, params.neighbors);
    return Pairwise::create(params);
}

} // namespace

void declareMethodOptions(Arguments& arguments)
{
    const HiPPIParams hippi;
    const QuickMatchParams quickMatch;
    arguments.option("method", "NAME", "hippi",
                     "one of " + samples::join(methodNames(), ", ") +
                         "; hippi can leave points unmatched, guided is hippi with the geometry of "
                         "a rigid scene, hippi-literal assigns every point");
    arguments.option("universe", "N", "",
                     "maximum number of tracks, 0: estimated; for hippi, spectral, matcheig, "
                     "matchals (default: 0)");
    arguments.option(
        "neighbors", "N", "",
        "number of nearest neighbors of a point in each other image; for hippi (default: " +
            text(hippi.neighbors) + "), quickmatch and pairwise (default: 0, which is all)");
    arguments.option("mu", "X", text(hippi.mu), "scale of the neighborhoods of hippi, > 0");
    arguments.option("beta", "X", text(hippi.beta),
                     "weight of other images relative to the point itself in hippi, > 0");
    arguments.flag("exact", hippi.exact,
                   "exact products in hippi: slower, but the objective never decreases");
    arguments.option(
        "ratio", "X", "",
        "threshold of the ratio test, 1: none; for unionfind, kruskal, spectral, matcheig, "
        "matchals (default: 0.8)");
    arguments.option("model", "NAME", "fundamental",
                     "geometry of pairs of images in guided and --verify: fundamental, essential "
                     "(needs focal lengths) or homography");
    arguments.option("max-error", "PX", text(VerificationParams().maxError),
                     "maximum error of a match with respect to the model, in pixels");
    arguments.option("rho-den", "X", text(quickMatch.rhoDen), "bandwidth of quickmatch, > 0");
    arguments.option("rho-edge", "X", text(quickMatch.rhoEdge), "longest edge of quickmatch, > 0");
    arguments.option("seed", "N", text(hippi.seed), "seed of the random generator");
    arguments.option("min-confidence", "X", "",
                     "minimum confidence of a point in its track, 0 to 1 (default: " +
                         text(hippi.minConfidence) + " with hippi, " +
                         text(GuidedParams().hippi.minConfidence) + " with guided, 0 otherwise)");
}

VerificationParams verificationParams(const Arguments& arguments)
{
    const std::string name = arguments.get("model");
    const char* const* found = std::find(std::begin(MODELS), std::end(MODELS), name);
    if (found == std::end(MODELS))
        throw samples::ArgumentError("--model=" + name +
                                     ": expected fundamental, essential or homography");
    VerificationParams params;
    params.model = static_cast<int>(found - std::begin(MODELS));
    params.maxError = arguments.getDouble("max-error", TINY, LARGE);
    return params;
}

cv::Ptr<MultiMatcher> createMatcher(const Arguments& arguments)
{
    const std::string method = arguments.get("method");
    const std::vector<std::string> names = methodNames();
    if (std::find(names.begin(), names.end(), method) == names.end())
    {
        const std::string nearest = samples::nearestWord(method, names);
        throw samples::ArgumentError("unknown method " + method +
                                     (nearest.empty() ? "." : "; did you mean " + nearest + "?") +
                                     " Known are " + samples::join(names, ", ") + ".");
    }
    rejectForeignParameters(arguments, method);
    if (method == "guided")
        return createGuided(arguments);
    if (method == "hippi" || method == "hippi-literal")
        return createHiPPI(arguments, method == "hippi-literal");
    return createPeer(arguments, method);
}
