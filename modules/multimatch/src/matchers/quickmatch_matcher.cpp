// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "peer_base.hpp"

#include "../search/neighbors.hpp"
#include "../starts/starts.hpp"

namespace cv { namespace multimatch {

namespace {

//! Pairs of points up to which everything is compared with everything by default.
const double FULL_COMPARISON_LIMIT = 1e7;
const int DEFAULT_NEIGHBORS = 10;

} // namespace

QuickMatchParams::QuickMatchParams() : rhoDen(0.25f), rhoEdge(0.67f), weighted(false), neighbors(0)
{
}

void QuickMatchParams::write(FileStorage& fs) const
{
    fs << "rhoDen" << rhoDen << "rhoEdge" << rhoEdge << "weighted" << weighted << "neighbors"
       << neighbors;
}

void QuickMatchParams::read(const FileNode& node)
{
    readIfThere(node, "rhoDen", rhoDen);
    readIfThere(node, "rhoEdge", rhoEdge);
    readIfThere(node, "weighted", weighted);
    readIfThere(node, "neighbors", neighbors);
}

static void checkParams(const QuickMatchParams& params)
{
    checkRange("QuickMatchParams::rhoDen", params.rhoDen, 0, true, FLT_MAX, "more than 0");
    checkRange("QuickMatchParams::rhoEdge", params.rhoEdge, 0, true, FLT_MAX, "more than 0");
    checkRange("QuickMatchParams::neighbors", params.neighbors, 0, false, INT_MAX, "0 or more");
}

class QuickMatchImpl CV_FINAL : public WithParams<MatcherBase<QuickMatch>, QuickMatchParams>
{
public:
    explicit QuickMatchImpl(const QuickMatchParams& params) { setParams(params); }

    String getDefaultName() const CV_OVERRIDE { return "multimatch.QuickMatch"; }

protected:
    Tracks run(const Input& input) CV_OVERRIDE
    {
        RunControl control(callback_);
        control.begin("neighbors");
        const NeighborGraph graph = neighborGraph(input, neighbors(input), control);
        control.begin("clusters");
        const std::vector<int> labels =
            quickMatchLabels(graph, params_.rhoDen, params_.rhoEdge, params_.weighted);
        MatchReport report;
        report.converged = !control.cancelled();
        return finishedTracks(input, labels, report, control);
    }

private:
    int neighbors(const Input& input) const
    {
        if (params_.neighbors > 0)
            return params_.neighbors;
        const double m = input.pointCount();
        if (m * m > FULL_COMPARISON_LIMIT)
            return DEFAULT_NEIGHBORS;
        return std::max(1, *std::max_element(input.viewSizes.begin(), input.viewSizes.end()));
    }
};

Ptr<QuickMatch> QuickMatch::create(const QuickMatchParams& params)
{
    return makePtr<QuickMatchImpl>(params);
}

}} // namespace cv::multimatch
