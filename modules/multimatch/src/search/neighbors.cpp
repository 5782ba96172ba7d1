// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "neighbors.hpp"

#include "cell_search.hpp"
#include "pair_edges.hpp"

namespace cv { namespace multimatch {

namespace {

//! Every view with itself.
Mat selfPairs(int views)
{
    Mat_<int> pairs(views, 2);
    for (int v = 0; v < views; ++v)
        pairs(v, 0) = pairs(v, 1) = v;
    return std::move(pairs);
}

//! Per point the distance to the closest other descriptor of its view.
std::vector<float> ownDistances(const MultiMatcher::Input& input, const DescriptorScores& scores,
                                double shareAfter, RunControl& control)
{
    std::vector<float> result(static_cast<size_t>(input.pointCount()),
                              std::numeric_limits<float>::infinity());
    compareViews(
        input.descriptors, scores, selfPairs(input.viewCount()), 1, 0, shareAfter, control,
        [&](int, const ViewComparison& view) {
            const NearestLists& lists = view.ofOwn;
            AutoBuffer<Neighbor> nearest(static_cast<size_t>(std::max(1, lists.capacity())));
            for (int p = 0; p < lists.size(); ++p)
                if (scores.nearest(view.own, p, view.own, lists.begin(p), lists.count(p), 1,
                                   nearest.data()) > 0)
                    result[static_cast<size_t>(input.offsets[view.own]) + static_cast<size_t>(p)] =
                        nearest[0].distance;
        });
    return result;
}

} // namespace

double inputBytes(const MultiMatcher::Input& input)
{
    const double A_THREAD = 1.5e6, A_POINT = 150;
    double bytes = A_THREAD * getNumThreads() + A_POINT * input.pointCount();
    for (size_t v = 0; v < input.descriptors.size(); ++v)
    {
        const Mat& descriptors = input.descriptors[v];
        bytes += static_cast<double>(descriptors.total()) *
                 static_cast<double>(descriptors.elemSize() + sizeof(float));
    }
    return bytes;
}

double searchBytes(const MultiMatcher::Input& input, int k)
{
    const double found = input.searchMode == SEARCH_EXACT
                             ? pairEdgesBytes(input.viewSizes, input.pairs, k)
                             : cellSearchBytes(input.pointCount(), input.descriptors);
    return found + inputBytes(input);
}

void checkBudget(const MultiMatcher::Input& input, double bytes)
{
    if (input.memoryBudget > 0 && bytes > input.memoryBudget)
        CV_Error_(Error::StsNoMem,
                  ("matching may need %.0f bytes, but the budget is %.0f: compare fewer pairs of "
                   "views, or take fewer neighbors",
                   bytes, input.memoryBudget));
}

NeighborGraph neighborGraph(const MultiMatcher::Input& input, int k, RunControl& control)
{
    checkBudget(input, searchBytes(input, k));
    const Ptr<DescriptorScores> scores =
        DescriptorScores::create(input.descriptors, input.normType);
    const double ownWork = comparisonWork(input.descriptors, selfPairs(input.viewCount()));
    const double pairWork = comparisonWork(input.descriptors, input.pairs);
    const double ownShare = ownWork / std::max(1., ownWork + pairWork);
    NeighborGraph graph;
    graph.viewSizes = input.viewSizes;
    graph.ownDistance = ownDistances(input, *scores, ownShare, control);
    if (input.searchMode == SEARCH_APPROXIMATE)
    {
        graph.distances = neighborsByCells(input, k, ownShare, control);
        return graph;
    }
    std::vector<PairEdges> edges(static_cast<size_t>(input.pairs.rows));
    compareViews(input.descriptors, *scores, input.pairs, k, ownShare, 1, control,
                 [&](int pair, const ViewComparison& comparison) {
                     edges[pair] = edgesOf(comparison, *scores, k);
                 });
    graph.distances = symmetricFromPairs(input.viewSizes, input.pairs, edges, control);
    return graph;
}

NeighborGraph findNeighbors(InputArrayOfArrays descriptors, int k, InputArray pairs, int normType,
                            int searchMode)
{
    if (k < 1)
        CV_Error_(Error::StsOutOfRange, ("k is %d, expected at least 1", k));
    checkPairs(pairs.getMat());
    checkNormType(normType);
    checkSearchMode(searchMode);
    MultiMatcher::Input input =
        MultiMatcher::Input::fromDescriptors(descriptors, pairs.getMat(), normType);
    input.searchMode = searchMode;
    RunControl control((ProgressCallback()));
    return neighborGraph(input, k, control);
}

}} // namespace cv::multimatch
