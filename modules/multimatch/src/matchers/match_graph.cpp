// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "match_graph.hpp"

#include "../base/union_find.hpp"
#include "../search/mutual_nearest.hpp"
#include "../search/neighbors.hpp"
#include "../starts/labels.hpp"

namespace cv { namespace multimatch {

CsrMatrix matchMatrix(const MultiMatcher::Input& input, const Mat& pairs,
                      const std::vector<std::vector<LocalMatch>>& matches)
{
    std::vector<int> rows, columns;
    std::vector<float> distances;
    for (size_t r = 0; r < matches.size(); ++r)
        for (const LocalMatch& match : matches[r])
        {
            const int at = static_cast<int>(r);
            const int p = input.offsets[pairs.at<int>(at, 0)] + match.first;
            const int q = input.offsets[pairs.at<int>(at, 1)] + match.second;
            rows.insert(rows.end(), {p, q});
            columns.insert(columns.end(), {q, p});
            distances.insert(distances.end(), 2, match.distance);
        }
    const int m = input.pointCount();
    return CsrMatrix::fromTriplets(m, m, rows, columns, distances);
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

std::vector<int> consistentComponents(const CsrMatrix& matches, const std::vector<int>& viewSizes)
{
    DisjointSets sets(matches.rows);
    for (int p = 0; p < matches.rows; ++p)
        for (size_t e = matches.offsets[p]; e < matches.offsets[p + 1]; ++e)
            sets.unite(p, matches.columns[e]);

    std::vector<int> labels = sets.labels();
    const std::vector<int> view = viewOfPoints(viewSizes);
    // Points are ordered by view: where a label occurs twice in a view, that view is its last one.
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

int universeSizeOrDefault(int given, const MultiMatcher::Input& input, const CsrMatrix& similarity)
{
    if (given == UNIVERSE_FROM_SPECTRUM)
        return std::min(input.pointCount(), estimateUniverseSize(input.viewSizes, similarity));
    return std::min(input.pointCount(), given > 0 ? given : defaultUniverse(input.viewSizes));
}

void checkUniverseSize(const char* name, int universeSize)
{
    checkRange(name, universeSize, UNIVERSE_FROM_SPECTRUM, false, INT_MAX, "-1, 0 or more");
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
    return runPairs(Input::fromKeyPoints(keypoints, descriptors, *this));
}

std::vector<PairMatches> PairwiseMatcher::matchPointPairs(InputArrayOfArrays points,
                                                          InputArrayOfArrays descriptors)
{
    return runPairs(Input::fromPoints(points, descriptors, *this));
}

}} // namespace cv::multimatch
