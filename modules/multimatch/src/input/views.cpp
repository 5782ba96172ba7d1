// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "input.hpp"

namespace cv { namespace multimatch {

std::vector<int> viewOffsets(const std::vector<int>& viewSizes)
{
    std::vector<int> offsets(viewSizes.size() + 1, 0);
    std::partial_sum(viewSizes.begin(), viewSizes.end(), offsets.begin() + 1);
    return offsets;
}

std::vector<int> viewOfPoints(const std::vector<int>& viewSizes)
{
    std::vector<int> view;
    for (size_t v = 0; v < viewSizes.size(); ++v)
        view.insert(view.end(), static_cast<size_t>(viewSizes[v]), static_cast<int>(v));
    return view;
}

Mat pairMatrix(std::vector<std::pair<int, int>> pairs)
{
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    Mat_<int> result(static_cast<int>(pairs.size()), 2);
    for (size_t r = 0; r < pairs.size(); ++r)
    {
        result(static_cast<int>(r), 0) = pairs[r].first;
        result(static_cast<int>(r), 1) = pairs[r].second;
    }
    return std::move(result);
}

Mat orderedPairs(const Mat& given, int window, const std::vector<int>& newView)
{
    const int k = static_cast<int>(newView.size());
    std::vector<std::pair<int, int>> pairs;
    for (int r = 0; r < given.rows; ++r)
    {
        const int i = given.at<int>(r, 0), j = given.at<int>(r, 1);
        if (i >= k || j >= k)
            CV_Error_(Error::StsOutOfRange,
                      ("pairs row %d is (%d, %d), expected view numbers below %d", r, i, j, k));
        pairs.push_back(std::minmax(newView[i], newView[j]));
    }
    if (given.empty())
    {
        const int reach = window > 0 ? window : k;
        for (int i = 0; i < k; ++i)
            for (int j = i + 1; j < k && j - i <= reach; ++j)
                pairs.push_back(std::minmax(newView[i], newView[j]));
    }
    return pairMatrix(pairs);
}

Mat allPairs(int k)
{
    std::vector<int> order(static_cast<size_t>(k));
    std::iota(order.begin(), order.end(), 0);
    return orderedPairs(Mat(), 0, order);
}

Mat selfPairs(int k)
{
    Mat_<int> pairs(k, 2);
    for (int v = 0; v < k; ++v)
        pairs(v, 0) = pairs(v, 1) = v;
    return std::move(pairs);
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
        // Empty views have no point to identify them; they keep the caller's order.
        while (input.originalSizes[empty] > 0)
            ++empty;
        caller.push_back(static_cast<int>(empty++));
    }
    return caller;
}

}} // namespace cv::multimatch
