// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "graphs.hpp"

namespace cv { namespace multimatch {

namespace {

const int MAX_VIEW_POINTS = 50; //!< the matrix of assignments needs 25 MB per thread
const int MAX_POINTS = 4000;    //!< in all views together

} // namespace

void checkGraphSizes(const char* name, const std::vector<int>& viewSizes)
{
    for (size_t v = 0; v < viewSizes.size(); ++v)
        if (viewSizes[v] > MAX_VIEW_POINTS)
            CV_Error_(Error::StsOutOfRange,
                      ("%s compares all pairs of points with all pairs of points and takes at most "
                       "%d points a view, but view %zu has %d",
                       name, MAX_VIEW_POINTS, v, viewSizes[v]));
    const int m = std::accumulate(viewSizes.begin(), viewSizes.end(), 0);
    if (m > MAX_POINTS)
        CV_Error_(Error::StsOutOfRange,
                  ("%s takes at most %d points in all views together, but there are %d", name,
                   MAX_POINTS, m));
}

GraphMatchingParams::GraphMatchingParams()
    : appearance(0.5f), edgeScale(0.15f), maxIterations(20), affinityIterations(2),
      consistency(0.3f), consistencyStep(1.1f), universeSize(0)
{
}

void GraphMatchingParams::write(FileStorage& fs) const
{
    fs << "appearance" << appearance << "edgeScale" << edgeScale << "maxIterations" << maxIterations
       << "affinityIterations" << affinityIterations << "consistency" << consistency
       << "consistencyStep" << consistencyStep << "universeSize" << universeSize;
}

void GraphMatchingParams::read(const FileNode& node)
{
    readIfThere(node, "appearance", appearance);
    readIfThere(node, "edgeScale", edgeScale);
    readIfThere(node, "maxIterations", maxIterations);
    readIfThere(node, "affinityIterations", affinityIterations);
    readIfThere(node, "consistency", consistency);
    readIfThere(node, "consistencyStep", consistencyStep);
    readIfThere(node, "universeSize", universeSize);
}

void checkParams(const GraphMatchingParams& params)
{
    checkRange("GraphMatchingParams::appearance", params.appearance, 0, false, 1,
               "a value in [0, 1]");
    checkRange("GraphMatchingParams::edgeScale", params.edgeScale, 0, true, FLT_MAX, "more than 0");
    checkRange("GraphMatchingParams::maxIterations", params.maxIterations, 1, false, INT_MAX,
               "1 or more");
    checkRange("GraphMatchingParams::affinityIterations", params.affinityIterations, 0, false,
               INT_MAX, "0 or more");
    checkRange("GraphMatchingParams::consistency", params.consistency, 0, false, 1,
               "a value in [0, 1]");
    checkRange("GraphMatchingParams::consistencyStep", params.consistencyStep, 1, false, FLT_MAX,
               "1 or more");
    checkUniverseSize("GraphMatchingParams::universeSize", params.universeSize);
}

class RandomWalksImpl CV_FINAL : public WithParams<PairwiseBase<RandomWalks>, GraphMatchingParams>
{
public:
    explicit RandomWalksImpl(const GraphMatchingParams& params) { setParams(params); }

    String getDefaultName() const CV_OVERRIDE { return "multimatch.RandomWalks"; }

protected:
    Found find(const Input& input, RunControl& control) const CV_OVERRIDE
    {
        checkGraphSizes("RandomWalks", input.viewSizes);
        control.begin("similarity");
        const ViewGraphs graphs = graphsOfInput(input, control);
        const MatchTable table = matchedPairs(graphs, params_, input.pairs, control);
        std::vector<std::vector<LocalMatch>> matches(static_cast<size_t>(input.pairs.rows));
        const EdgeKernel kernel(params_.edgeScale);
        for (int r = 0; r < input.pairs.rows; ++r)
        {
            const int i = input.pairs.at<int>(r, 0), j = input.pairs.at<int>(r, 1);
            const Matching& matching = table.at(i, j);
            for (size_t p = 0; p < matching.size(); ++p)
                if (matching[p] >= 0)
                    matches[r].push_back(
                        LocalMatch(static_cast<int>(p), matching[p],
                                   distance(graphs, kernel, i, j, matching, static_cast<int>(p))));
        }
        Found found;
        found.matches = matchMatrix(input, input.pairs, matches);
        found.pairs = input.pairs;
        found.report.converged = !control.cancelled();
        return found;
    }

private:
    //! 1 - affinity of the point p with its match and the other matches.
    float distance(const ViewGraphs& graphs, const EdgeKernel& kernel, int i, int j,
                   const Matching& matching, int p) const
    {
        float edges = 0, others = 0;
        for (int q = 0; q < static_cast<int>(matching.size()); ++q)
            if (q != p && matching[q] >= 0)
            {
                edges += kernel(graphs.distances[i](p, q) -
                                graphs.distances[j](matching[p], matching[q]));
                ++others;
            }
        const float affinity = params_.appearance * graphs.similarity(i, p, j, matching[p]) +
                               (1 - params_.appearance) * (others > 0 ? edges / others : 0);
        return std::max(0.f, 1 - affinity);
    }
};

Ptr<RandomWalks> RandomWalks::create(const GraphMatchingParams& params)
{
    return makePtr<RandomWalksImpl>(params);
}

}} // namespace cv::multimatch
