// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "../base/parameters.hpp"

namespace cv { namespace multimatch {

HiPPIParams::HiPPIParams()
    : mode(HIPPI_PARTIAL), universeSize(0), neighbors(2), rhoDen(0.f), weighted(false),
      normalization(NORMALIZE_SYMMETRIC), beta(0.2f), mu(10.f), tolerance(0.01f), directional(1.f),
      start(START_AUTO), startCount(10), startRhoDen(0.25f), startRhoEdge(1.f), maxIterations(50),
      exact(false), minConfidence(0.5f), minLength(2), seed(0)
{
}

HiPPIParams paperParams()
{
    HiPPIParams params;
    params.mode = HIPPI_LITERAL;
    params.neighbors = 1000000; // whole views
    params.weighted = true;
    params.normalization = NORMALIZE_NONE;
    params.directional = 0;
    params.mu = 1;
    params.tolerance = 1e-6f;
    params.startRhoDen = 0.7f;
    // The paper states rho_den for the start alone. With 0.7 a point is similar to most points of
    // all views, and these sums exceed those of the right points many times: the bandwidth of W is
    // estimated from the data.
    params.rhoDen = 0;
    params.start = START_QUICKMATCH;
    params.exact = true;
    params.maxIterations = 1000;
    return params;
}

void HiPPIParams::write(FileStorage& fs) const
{
    fs << "mode" << mode << "universeSize" << universeSize << "neighbors" << neighbors << "rhoDen"
       << rhoDen << "weighted" << weighted << "normalization" << normalization << "beta" << beta
       << "mu" << mu << "tolerance" << tolerance << "directional" << directional << "start" << start
       << "startCount" << startCount << "startRhoDen" << startRhoDen << "startRhoEdge"
       << startRhoEdge << "maxIterations" << maxIterations << "exact" << exact << "minConfidence"
       << minConfidence << "minLength" << minLength << "seed" << seed << "evidence"
       << "{";
    evidence.write(fs);
    fs << "}";
}

namespace {

const double LARGE = 1e9;
const double TINY = 1e-12;

void checkRange(const char* name, double value, double low, double high, const char* expected)
{
    const std::string limit = high == LARGE ? ", at most 1e9" : "";
    multimatch::checkRange((std::string("HiPPIParams::") + name).c_str(), value, low, false, high,
                           (expected + limit).c_str());
}

} // namespace

void HiPPIParams::read(const FileNode& node)
{
    readIfThere(node, "mode", mode);
    readIfThere(node, "universeSize", universeSize);
    readIfThere(node, "neighbors", neighbors);
    readIfThere(node, "rhoDen", rhoDen);
    readIfThere(node, "weighted", weighted);
    readIfThere(node, "normalization", normalization);
    readIfThere(node, "beta", beta);
    readIfThere(node, "mu", mu);
    readIfThere(node, "tolerance", tolerance);
    readIfThere(node, "directional", directional);
    readIfThere(node, "start", start);
    readIfThere(node, "startCount", startCount);
    readIfThere(node, "startRhoDen", startRhoDen);
    readIfThere(node, "startRhoEdge", startRhoEdge);
    readIfThere(node, "maxIterations", maxIterations);
    readIfThere(node, "exact", exact);
    readIfThere(node, "minConfidence", minConfidence);
    readIfThere(node, "minLength", minLength);
    readIfThere(node, "seed", seed);
    evidence.read(node["evidence"]);
}

void HiPPIParams::validate() const
{
    checkRange("mode", mode, HIPPI_PARTIAL, HIPPI_COMPLETE, "a HiPPIMode");
    checkRange("universeSize", universeSize, 0, LARGE, "0 or more");
    checkRange("neighbors", neighbors, 1, LARGE, "1 or more");
    checkRange("rhoDen", rhoDen, 0, LARGE, "0 or more");
    checkRange("normalization", normalization, NORMALIZE_SYMMETRIC, NORMALIZE_NONE,
               "a HiPPINormalization");
    checkRange("beta", beta, TINY, LARGE, "more than 0");
    checkRange("mu", mu, TINY, LARGE, "more than 0");
    checkRange("tolerance", tolerance, TINY, 1 - TINY, "a value in (0, 1)");
    checkRange("directional", directional, 0, LARGE, "0 or more");
    checkRange("start", start, START_AUTO, START_LABELS, "a HiPPIStart");
    checkRange("startCount", startCount, 1, LARGE, "1 or more");
    checkRange("startRhoDen", startRhoDen, TINY, LARGE, "more than 0");
    checkRange("startRhoEdge", startRhoEdge, TINY, LARGE, "more than 0");
    checkRange("maxIterations", maxIterations, 0, LARGE, "0 or more");
    checkRange("minConfidence", minConfidence, 0, 1, "a value in [0, 1]");
    checkRange("minLength", minLength, 1, LARGE, "1 or more");
    evidence.validate();
}

}} // namespace cv::multimatch
