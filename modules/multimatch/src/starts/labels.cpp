// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "labels.hpp"

#include "../input/input.hpp"

namespace cv { namespace multimatch {

int defaultUniverse(const std::vector<int>& viewSizes)
{
    const double sum = std::accumulate(viewSizes.begin(), viewSizes.end(), 0.0);
    return std::max(*std::max_element(viewSizes.begin(), viewSizes.end()),
                    cvRound(2 * sum / static_cast<double>(viewSizes.size())));
}

bool isComplete(const std::vector<int>& viewSizes, int universeSize)
{
    return universeSize > 0 && std::count(viewSizes.begin(), viewSizes.end(), universeSize) ==
                                   static_cast<ptrdiff_t>(viewSizes.size());
}

namespace {

//! Per label how many points have it, and the labels by falling frequency.
void rankLabels(const std::vector<int>& labels, std::vector<int>& frequency,
                std::vector<int>& order)
{
    int count = 0;
    for (size_t p = 0; p < labels.size(); ++p)
        count = std::max(count, labels[p] + 1);
    frequency.assign(count, 0);
    for (size_t p = 0; p < labels.size(); ++p)
        if (labels[p] >= 0)
            ++frequency[labels[p]];
    order.resize(count);
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return frequency[a] > frequency[b]; });
}

} // namespace

std::vector<int> completedLabels(const std::vector<int>& labels, const std::vector<int>& viewSizes,
                                 int d)
{
    std::vector<int> frequency, order;
    rankLabels(labels, frequency, order);
    std::vector<int> rank(order.size());
    for (size_t r = 0; r < order.size(); ++r)
        rank[order[r]] = static_cast<int>(r);

    const std::vector<int> offsets = viewOffsets(viewSizes);
    std::vector<int> result(labels.size(), -1), used(static_cast<size_t>(d), 0),
        fewest(used.size());
    for (size_t p = 0; p < labels.size(); ++p)
        if (labels[p] >= 0 && rank[labels[p]] < d)
        {
            result[p] = rank[labels[p]];
            ++used[result[p]];
        }
    for (size_t v = 0; v < viewSizes.size(); ++v)
    {
        std::vector<uchar> taken(used.size(), 0);
        for (int p = offsets[v]; p < offsets[v + 1]; ++p)
            if (result[p] >= 0)
                taken[result[p]] = 1;
        std::iota(fewest.begin(), fewest.end(), 0);
        std::stable_sort(fewest.begin(), fewest.end(),
                         [&](int a, int b) { return used[a] < used[b]; });
        std::vector<int>::const_iterator next = fewest.begin();
        for (int p = offsets[v]; p < offsets[v + 1]; ++p)
        {
            if (result[p] >= 0)
                continue;
            while (taken[*next])
                ++next;
            result[p] = *next++;
            ++used[result[p]];
        }
    }
    return result;
}

int compactLabels(std::vector<int>& labels, int limit)
{
    std::vector<int> frequency, order;
    rankLabels(labels, frequency, order);
    std::vector<int> rank(order.size(), -1);
    int kept = 0;
    for (size_t r = 0; r < order.size(); ++r)
        if (frequency[order[r]] > 1 && (limit == 0 || kept < limit))
            rank[order[r]] = kept++;
    for (size_t p = 0; p < labels.size(); ++p)
        labels[p] = labels[p] >= 0 ? rank[labels[p]] : -1;
    return kept;
}

std::vector<int> referenceViews(const CsrMatrix& S, const std::vector<int>& viewSizes, int d,
                                int count)
{
    const std::vector<int> offsets = viewOffsets(viewSizes);
    std::vector<int> complete;
    std::vector<double> weight(viewSizes.size(), 0);
    for (size_t v = 0; v < viewSizes.size(); ++v)
    {
        for (size_t e = S.offsets[offsets[v]]; e < S.offsets[offsets[v + 1]]; ++e)
            weight[v] += S.values[e];
        if (viewSizes[v] == d)
            complete.push_back(static_cast<int>(v));
    }
    std::stable_sort(complete.begin(), complete.end(),
                     [&](int a, int b) { return weight[a] > weight[b]; });
    // Evenly spread through the ranking, so that the tries differ.
    std::vector<int> chosen;
    const size_t tries = std::min(complete.size(), static_cast<size_t>(count));
    for (size_t t = 0; t < tries; ++t)
        chosen.push_back(complete[t * complete.size() / tries]);
    return chosen;
}

}} // namespace cv::multimatch
