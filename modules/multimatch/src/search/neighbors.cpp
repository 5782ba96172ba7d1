// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "neighbors.hpp"

#include "../base/parameters.hpp"
#include "cell_search.hpp"
#include "pair_cells.hpp"
#include "pair_edges.hpp"

namespace cv { namespace multimatch {

namespace {

//! Which of the pairs are compared point by point, and which by cells.
struct DividedPairs
{
    Mat all, byCells;                         //!< N x 2
    std::vector<int> allNumbers, cellNumbers; //!< rows of the pairs that they were

    DividedPairs(const MultiMatcher::Input& input, const Mat& pairs)
    {
        for (int r = 0; r < pairs.rows; ++r)
        {
            const int a = input.viewSizes[pairs.at<int>(r, 0)];
            const int b = input.viewSizes[pairs.at<int>(r, 1)];
            const bool large = input.searchMode == SEARCH_AUTO && tooLargeForAll(a, b);
            (large ? byCells : all).push_back(pairs.row(r));
            (large ? cellNumbers : allNumbers).push_back(r);
        }
    }
};

//! Searches pairs of views, also of a view with itself, in the search mode of the input.
class PairSearch
{
public:
    PairSearch(const MultiMatcher::Input& input, RunControl& control)
        : input_(input), control_(control), share_(0)
    {
    }

    //! finish: as of compareViews(), with the scores that were used.
    void run(const Mat& pairs, int k, double shareAfter,
             const std::function<void(int, const ViewComparison&, const DescriptorScores&)>& finish)
    {
        const std::vector<Mat>& views = input_.descriptors;
        const DividedPairs divided(input_, pairs);
        const double work = comparisonWork(views, divided.all);
        const double share = share_ + (shareAfter - share_) * work /
                                          std::max(1., work + cellWork(views, divided.byCells));
        if (!divided.all.empty() && !exact_)
            exact_ = DescriptorScores::create(views, input_.normType);
        if (!divided.all.empty())
            compareViews(views, *exact_, divided.all, k, share_, share, control_,
                         [&](int r, const ViewComparison& found) {
                             finish(divided.allNumbers[r], found, *exact_);
                         });
        if (!divided.byCells.empty() && !cells_)
            cells_ = Ptr<CellComparison>(
                new CellComparison(largeViews(), input_.normType, share, control_));
        if (!divided.byCells.empty())
            cells_->run(divided.byCells, k, share, shareAfter, control_,
                        [&](int r, const ViewComparison& found) {
                            finish(divided.cellNumbers[r], found, cells_->scores());
                        });
        share_ = shareAfter;
    }

private:
    //! Views in a pair that is compared by cells, or to be compared with themselves that way; the
    //! others empty.
    std::vector<Mat> largeViews() const
    {
        std::vector<Mat> views(input_.descriptors.size());
        const Mat own = selfPairs(input_.viewCount());
        for (const Mat& pairs : {own, input_.pairs})
        {
            const Mat byCells = DividedPairs(input_, pairs).byCells;
            for (int r = 0; r < byCells.rows; ++r)
                for (int side = 0; side < 2; ++side)
                    views[byCells.at<int>(r, side)] = input_.descriptors[byCells.at<int>(r, side)];
        }
        return views;
    }

    const MultiMatcher::Input& input_;
    RunControl& control_;
    double share_;
    Ptr<DescriptorScores> exact_;
    Ptr<CellComparison> cells_;
};

//! Per point the distance to the closest other descriptor of its view.
std::vector<float> ownDistances(const MultiMatcher::Input& input, PairSearch& search,
                                double shareAfter)
{
    std::vector<float> result(static_cast<size_t>(input.pointCount()),
                              std::numeric_limits<float>::infinity());
    search.run(
        selfPairs(input.viewCount()), 1, shareAfter,
        [&](int, const ViewComparison& view, const DescriptorScores& scores) {
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
    const double found = input.searchMode == SEARCH_APPROXIMATE
                             ? cellSearchBytes(input.pointCount(), input.descriptors)
                             : pairEdgesBytes(input.viewSizes, input.pairs, k,
                                              comparisonBytes(input.descriptors, input.pairs, k));
    return found + inputBytes(input);
}

void checkBudget(const MultiMatcher::Input& input, double bytes)
{
    if (input.memoryBudget > 0 && bytes > input.memoryBudget)
        CV_Error_(Error::StsNoMem,
                  ("matching may need %.0f bytes, but the budget is %.0f: compare fewer pairs of "
                   "views, or take fewer neighbors",
                   bytes, input.memoryBudget));
    // Only where addresses have 32 bits. What follows multiplies sizes without further checks.
    const double limit = static_cast<double>(std::numeric_limits<size_t>::max());
    if (bytes > limit)
        CV_Error_(Error::StsNoMem, ("matching may need %.0f bytes, but a process has addresses for "
                                    "%.0f: compare fewer pairs of views, or take fewer neighbors",
                                    bytes, limit));
}

NeighborGraph neighborGraph(const MultiMatcher::Input& input, int k, RunControl& control)
{
    checkBudget(input, searchBytes(input, k));
    const double ownWork = comparisonWork(input.descriptors, selfPairs(input.viewCount()));
    const double pairWork = comparisonWork(input.descriptors, input.pairs);
    const double ownShare = ownWork / std::max(1., ownWork + pairWork);
    PairSearch search(input, control);
    NeighborGraph graph;
    graph.viewSizes = input.viewSizes;
    graph.ownDistance = ownDistances(input, search, ownShare);
    if (input.searchMode == SEARCH_APPROXIMATE)
    {
        graph.distances = neighborsByCells(input, k, ownShare, control);
        return graph;
    }
    std::vector<CsrMatrix> edges(static_cast<size_t>(input.pairs.rows));
    search.run(input.pairs, k, 1,
               [&](int pair, const ViewComparison& comparison, const DescriptorScores& scores) {
                   edges[pair] = edgesOf(comparison, scores, k);
               });
    graph.distances = symmetricFromPairs(input.viewSizes, input.pairs, edges, control);
    return graph;
}

NeighborGraph findNeighbors(InputArrayOfArrays descriptors, int k, InputArray pairs, int normType,
                            int searchMode)
{
    checkRange("k", k, 1, false, INT_MAX, "at least 1");
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
