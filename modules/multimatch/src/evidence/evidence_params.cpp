// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "../base/parameters.hpp"

#include "opencv2/multimatch/evidence.hpp"

namespace cv { namespace multimatch {

namespace {

const double LARGE = 1e9, TINY = 1e-12;

void checkRange(const char* name, double value, double low, double high, const char* expected)
{
    multimatch::checkRange((std::string("EvidenceParams::") + name).c_str(), value, low, false,
                           high, expected);
}

} // namespace

EvidenceParams::EvidenceParams()
    : witnesses(WITNESS_ALL), maxLogOdds(8.f), trackCost(4.f), startSimilarity(0.3f),
      clearRatio(0.8f), firstShare(0.4f), reach(10.f), ownShare(0.25f), around(48), context(16),
      ridge(0.001f), spreadFloor(0.03f), wrongRadius(5.f), placeWeight(0.5f), likelySpreads(3.f),
      likelyCount(3), alongStray(0.1f), lineStray(1e-5f), lineDecay(4.f), roundsBeforeGeometry(3),
      minGrowth(0.01f)
{
}

void EvidenceParams::write(FileStorage& fs) const
{
    fs << "witnesses" << witnesses << "maxLogOdds" << maxLogOdds << "trackCost" << trackCost
       << "startSimilarity" << startSimilarity << "clearRatio" << clearRatio << "firstShare"
       << firstShare << "reach" << reach << "ownShare" << ownShare << "around" << around
       << "context" << context << "ridge" << ridge << "spreadFloor" << spreadFloor << "wrongRadius"
       << wrongRadius << "placeWeight" << placeWeight << "likelySpreads" << likelySpreads
       << "likelyCount" << likelyCount << "alongStray" << alongStray << "lineStray" << lineStray
       << "lineDecay" << lineDecay << "roundsBeforeGeometry" << roundsBeforeGeometry << "minGrowth"
       << minGrowth;
}

void EvidenceParams::read(const FileNode& node)
{
    readIfThere(node, "witnesses", witnesses);
    readIfThere(node, "maxLogOdds", maxLogOdds);
    readIfThere(node, "trackCost", trackCost);
    readIfThere(node, "startSimilarity", startSimilarity);
    readIfThere(node, "clearRatio", clearRatio);
    readIfThere(node, "firstShare", firstShare);
    readIfThere(node, "reach", reach);
    readIfThere(node, "ownShare", ownShare);
    readIfThere(node, "around", around);
    readIfThere(node, "context", context);
    readIfThere(node, "ridge", ridge);
    readIfThere(node, "spreadFloor", spreadFloor);
    readIfThere(node, "wrongRadius", wrongRadius);
    readIfThere(node, "placeWeight", placeWeight);
    readIfThere(node, "likelySpreads", likelySpreads);
    readIfThere(node, "likelyCount", likelyCount);
    readIfThere(node, "alongStray", alongStray);
    readIfThere(node, "lineStray", lineStray);
    readIfThere(node, "lineDecay", lineDecay);
    readIfThere(node, "roundsBeforeGeometry", roundsBeforeGeometry);
    readIfThere(node, "minGrowth", minGrowth);
}

void EvidenceParams::validate() const
{
    checkRange("witnesses", witnesses, 0, WITNESS_ALL, "Witness flags");
    checkRange("maxLogOdds", maxLogOdds, TINY, LARGE, "more than 0");
    checkRange("trackCost", trackCost, 0, LARGE, "0 or more");
    checkRange("startSimilarity", startSimilarity, 0, 1, "a value in [0, 1]");
    checkRange("clearRatio", clearRatio, TINY, 1, "a value in (0, 1]");
    checkRange("firstShare", firstShare, TINY, 1 - TINY, "a value in (0, 1)");
    checkRange("reach", reach, TINY, LARGE, "more than 0");
    checkRange("ownShare", ownShare, 0, LARGE, "0 or more");
    checkRange("around", around, 6, 250, "a value in [6, 250]");
    checkRange("context", context, 6, 16, "a value in [6, 16]");
    checkRange("ridge", ridge, TINY, LARGE, "more than 0");
    checkRange("spreadFloor", spreadFloor, TINY, LARGE, "more than 0");
    checkRange("wrongRadius", wrongRadius, TINY, LARGE, "more than 0");
    checkRange("placeWeight", placeWeight, 0, 1, "a value in [0, 1]");
    checkRange("likelySpreads", likelySpreads, TINY, LARGE, "more than 0");
    checkRange("likelyCount", likelyCount, 0, 1000, "a value in [0, 1000]");
    checkRange("alongStray", alongStray, 0, 1, "a value in [0, 1]");
    checkRange("lineStray", lineStray, TINY, 1 - TINY, "a value in (0, 1)");
    checkRange("lineDecay", lineDecay, TINY, LARGE, "more than 0");
    checkRange("roundsBeforeGeometry", roundsBeforeGeometry, 0, 1000, "a value in [0, 1000]");
    checkRange("minGrowth", minGrowth, 0, 1, "a value in [0, 1]");
    if (!(trackCost < maxLogOdds))
        CV_Error_(Error::StsOutOfRange,
                  ("EvidenceParams::trackCost is %f, expected less than maxLogOdds (%f): no track "
                   "could begin",
                   static_cast<double>(trackCost), static_cast<double>(maxLogOdds)));
}

}} // namespace cv::multimatch
