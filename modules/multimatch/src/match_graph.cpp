// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "match_graph.hpp"

#include "neighbors.hpp"
#include "view_exclusive_union_find.hpp"

namespace cv { namespace multimatch {

namespace {

//! Per point and other view the nearest point, where that is closer than ratio times the second
//! nearest.
CsrMatrix distinctNearest(const NeighborGraph& graph, float ratio)
{
    const CsrMatrix& distances = graph.distances;
    const std::vector<int> view = viewOfPoints(graph.viewSizes);
    CsrMatrix chosen(distances.rows, distances.cols);
    for (int p = 0; p < distances.rows; ++p)
    {
        // Columns ascend, so the points of one view follow each other.
        for (size_t e = distances.offsets[p]; e < distances.offsets[p + 1];)
        {
            const int v = view[distances.columns[e]];
            size_t nearest = e++;
            float second = std::numeric_limits<float>::infinity();
            for (; e < distances.offsets[p + 1] && view[distances.columns[e]] == v; ++e)
            {
                if (distances.values[e] < distances.values[nearest])
                {
                    second = distances.values[nearest];
                    nearest = e;
                }
                else
                    second = std::min(second, distances.values[e]);
            }
            if (ratio >= 1 || distances.values[nearest] < ratio * second)
            {
                chosen.columns.push_back(distances.columns[nearest]);
                chosen.values.push_back(distances.values[nearest]);
            }
        }
        chosen.offsets[p + 1] = chosen.columns.size();
    }
    return chosen;
}

bool hasEntry(const CsrMatrix& matrix, int row, int col)
{
    return std::binary_search(matrix.columns.begin() + matrix.offsets[row],
                              matrix.columns.begin() + matrix.offsets[row + 1], col);
}

} // namespace

CsrMatrix mutualNearest(const NeighborGraph& graph, float ratio)
{
    const CsrMatrix chosen = distinctNearest(graph, ratio);
    CsrMatrix mutual(chosen.rows, chosen.cols);
    for (int p = 0; p < chosen.rows; ++p)
    {
        for (size_t e = chosen.offsets[p]; e < chosen.offsets[p + 1]; ++e)
            if (hasEntry(chosen, chosen.columns[e], p))
            {
                mutual.columns.push_back(chosen.columns[e]);
                mutual.values.push_back(chosen.values[e]);
            }
        mutual.offsets[p + 1] = mutual.columns.size();
    }
    return mutual;
}

CsrMatrix startingMatches(const MultiMatcher::Input& input, int universeSize, float ratio,
                          RunControl& control)
{
    CsrMatrix matches;
    if (isComplete(input.viewSizes, universeSize))
        matches = assignedPairs(input, PairwiseParams(), control);
    else
    {
        control.begin("neighbors");
        const NeighborGraph graph = neighborGraph(input, 2, control);
        control.begin("matches");
        matches = mutualNearest(graph, ratio);
    }
    std::fill(matches.values.begin(), matches.values.end(), 1.f);
    return matches;
}

bool isComplete(const std::vector<int>& viewSizes, int universeSize)
{
    return universeSize > 0 && std::count(viewSizes.begin(), viewSizes.end(), universeSize) ==
                                   static_cast<ptrdiff_t>(viewSizes.size());
}

std::vector<int> consistentComponents(const CsrMatrix& matches, const std::vector<int>& viewSizes)
{
    DisjointSets sets(matches.rows);
    for (int p = 0; p < matches.rows; ++p)
        for (size_t e = matches.offsets[p]; e < matches.offsets[p + 1]; ++e)
            sets.unite(p, matches.columns[e]);

    std::vector<int> labels = sets.labels();
    const std::vector<int> view = viewOfPoints(viewSizes);
    // Points come view by view: a label that comes back in the same view has that view as its last.
    std::vector<int> lastView(labels.size(), -1);
    std::vector<char> conflict(labels.size(), 0);
    for (size_t p = 0; p < labels.size(); ++p)
    {
        if (lastView[labels[p]] == view[p])
            conflict[labels[p]] = 1;
        lastView[labels[p]] = view[p];
    }
    for (size_t p = 0; p < labels.size(); ++p)
        if (conflict[labels[p]])
            labels[p] = -1;
    return labels;
}

MultiMatcher::Input inputOfSimilarity(const std::vector<int>& viewSizes,
                                      const CsrMatrix& similarity)
{
    MatchingProblem problem;
    problem.viewSizes = viewSizes;
    problem.similarity = similarity;
    checkProblem(problem);

    MultiMatcher::Input input;
    input.viewSizes = input.originalSizes = viewSizes;
    input.offsets = viewOffsets(viewSizes);
    input.pairs = allPairs(input.viewCount());
    input.originalIndex.resize(static_cast<size_t>(input.pointCount()));
    std::iota(input.originalIndex.begin(), input.originalIndex.end(), 0);
    return input;
}

CsrMatrix positiveEntries(const CsrMatrix& similarity)
{
    CsrMatrix positive(similarity.rows, similarity.cols);
    for (int p = 0; p < similarity.rows; ++p)
    {
        for (size_t e = similarity.offsets[p]; e < similarity.offsets[p + 1]; ++e)
            if (similarity.values[e] > 0)
            {
                positive.columns.push_back(similarity.columns[e]);
                positive.values.push_back(similarity.values[e]);
            }
        positive.offsets[p + 1] = positive.columns.size();
    }
    return positive;
}

int universeSizeOrDefault(int given, const MultiMatcher::Input& input)
{
    const int m = input.pointCount();
    return std::min(m, given > 0 ? given : cvRound(2. * m / input.viewCount()));
}

Mat allPairs(int k)
{
    std::vector<int> order(static_cast<size_t>(k));
    std::iota(order.begin(), order.end(), 0);
    return orderedPairs(Mat(), 0, order);
}

std::vector<int> callerViews(const MultiMatcher::Input& input)
{
    const std::vector<int> originalView = viewOfPoints(input.originalSizes);
    std::vector<int> caller;
    size_t empty = 0;
    for (int v = 0; v < input.viewCount(); ++v)
    {
        if (input.viewSizes[v] > 0)
        {
            caller.push_back(originalView[input.originalIndex[input.offsets[v]]]);
            continue;
        }
        // Empty views have no point to be known by; equal views keep the caller's order.
        while (input.originalSizes[empty] > 0)
            ++empty;
        caller.push_back(static_cast<int>(empty++));
    }
    return caller;
}

namespace {

bool earlier(const DMatch& a, const DMatch& b)
{
    return a.queryIdx < b.queryIdx || (a.queryIdx == b.queryIdx && a.trainIdx < b.trainIdx);
}

} // namespace

std::vector<PairMatches> toPairMatches(const CsrMatrix& matches, const MultiMatcher::Input& input,
                                       const Mat& pairs)
{
    const std::vector<int> caller = callerViews(input), first = viewOffsets(input.originalSizes);
    std::vector<PairMatches> result;
    for (int r = 0; r < pairs.rows; ++r)
    {
        int i = pairs.at<int>(r, 0), j = pairs.at<int>(r, 1);
        if (caller[i] > caller[j])
            std::swap(i, j);
        PairMatches pair(caller[i], caller[j]);
        for (int p = input.offsets[i]; p < input.offsets[i + 1]; ++p)
        {
            const std::vector<int>::const_iterator begin = matches.columns.begin();
            const std::vector<int>::const_iterator end = begin + matches.offsets[p + 1];
            std::vector<int>::const_iterator c =
                std::lower_bound(begin + matches.offsets[p], end, input.offsets[j]);
            for (; c != end && *c < input.offsets[j + 1]; ++c)
                pair.matches.push_back(DMatch(input.originalIndex[p] - first[pair.first],
                                              input.originalIndex[*c] - first[pair.second],
                                              pair.second, matches.values[c - begin]));
        }
        std::sort(pair.matches.begin(), pair.matches.end(), earlier);
        result.push_back(pair);
    }
    std::sort(result.begin(), result.end(), [](const PairMatches& a, const PairMatches& b) {
        return a.first < b.first || (a.first == b.first && a.second < b.second);
    });
    return result;
}

std::vector<PairMatches>
PairwiseMatcher::matchPairs(const std::vector<std::vector<KeyPoint>>& keypoints,
                            InputArrayOfArrays descriptors)
{
    Input input =
        Input::fromKeyPoints(keypoints, descriptors, getPairs(), getWindow(), getNormType());
    input.searchMode = getSearchMode();
    input.memoryBudget = getMemoryBudget();
    return runPairs(input);
}

std::vector<PairMatches> PairwiseMatcher::matchPointPairs(InputArrayOfArrays points,
                                                          InputArrayOfArrays descriptors)
{
    Input input = Input::fromPoints(points, descriptors, getPairs(), getWindow(), getNormType());
    input.searchMode = getSearchMode();
    input.memoryBudget = getMemoryBudget();
    return runPairs(input);
}

}} // namespace cv::multimatch
