// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "input.hpp"

#include "../base/checks.hpp"

#include <cstring>
#include <map>
#include <set>

namespace cv { namespace multimatch {

namespace {

//! Features as the caller gave them, in one shape for key points and for plain points.
struct RawViews
{
    std::vector<Mat> points; //!< n x D CV_32F
    std::vector<Mat> frames; //!< n x 2 CV_32F: size and angle; no rows where there are none
    std::vector<Mat> descriptors;

    int rows(size_t v) const { return points[v].rows; }
};

//! Lexicographic comparison of the content of two points: coordinates, frame, descriptor.
int comparePoints(const RawViews& a, size_t va, int pa, const RawViews& b, size_t vb, int pb)
{
    const Mat* left[3] = {&a.points[va], &a.frames[va], &a.descriptors[va]};
    const Mat* right[3] = {&b.points[vb], &b.frames[vb], &b.descriptors[vb]};
    for (int part = 0; part < 3; ++part)
    {
        if (left[part]->empty())
            continue;
        const int order =
            std::memcmp(left[part]->ptr(pa), right[part]->ptr(pb),
                        static_cast<size_t>(left[part]->cols) * left[part]->elemSize());
        if (order != 0)
            return order;
    }
    return 0;
}

std::vector<int> canonicalPointOrder(const RawViews& raw, size_t v)
{
    std::vector<int> order(static_cast<size_t>(raw.rows(v)));
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return comparePoints(raw, v, a, raw, v, b) < 0; });
    return order;
}

std::vector<size_t> canonicalViewOrder(const RawViews& raw,
                                       const std::vector<std::vector<int>>& pointOrder)
{
    std::vector<size_t> order(raw.points.size());
    std::iota(order.begin(), order.end(), size_t(0));
    // Views are ordered by their content; equal views keep the caller's order.
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        if (raw.rows(a) != raw.rows(b))
            return raw.rows(a) < raw.rows(b);
        for (size_t p = 0; p < pointOrder[a].size(); ++p)
        {
            const int c = comparePoints(raw, a, pointOrder[a][p], raw, b, pointOrder[b][p]);
            if (c != 0)
                return c < 0;
        }
        return false;
    });
    return order;
}

Mat gatherRows(const Mat& from, const std::vector<int>& order)
{
    Mat to(static_cast<int>(order.size()), from.cols, from.type());
    const size_t bytes = static_cast<size_t>(from.cols) * from.elemSize();
    for (size_t p = 0; p < order.size(); ++p)
        std::memcpy(to.ptr(static_cast<int>(p)), from.ptr(order[p]), bytes);
    return to;
}

MultiMatcher::Input canonicalInput(const RawViews& raw, const MultiMatcher& options)
{
    const size_t views = raw.points.size();
    std::vector<std::vector<int>> pointOrder(views);
    parallel_for_(Range(0, static_cast<int>(views)), [&](const Range& range) {
        for (int v = range.start; v < range.end; ++v)
            pointOrder[v] = canonicalPointOrder(raw, static_cast<size_t>(v));
    });
    const std::vector<size_t> viewOrder = canonicalViewOrder(raw, pointOrder);

    MultiMatcher::Input input;
    input.originalSizes = sizesOf(raw.points);
    const std::vector<int> originalOffsets = viewOffsets(input.originalSizes);
    for (size_t c = 0; c < views; ++c)
    {
        const size_t v = viewOrder[c];
        const std::vector<int>& order = pointOrder[v];
        input.viewSizes.push_back(raw.rows(v));
        input.points.push_back(gatherRows(raw.points[v], order));
        input.descriptors.push_back(gatherRows(raw.descriptors[v], order));
        for (size_t p = 0; p < order.size(); ++p)
        {
            input.originalIndex.push_back(originalOffsets[v] + order[p]);
            if (raw.frames[v].empty())
                continue;
            input.sizes.push_back(raw.frames[v].at<float>(order[p], 0));
            input.angles.push_back(raw.frames[v].at<float>(order[p], 1));
        }
    }
    input.offsets = viewOffsets(input.viewSizes);
    std::vector<int> canonicalView(views);
    for (size_t c = 0; c < views; ++c)
        canonicalView[viewOrder[c]] = static_cast<int>(c);
    input.pairs = orderedPairs(options.getPairs(), options.getWindow(), canonicalView);
    input.normType = chosenNorm(raw.descriptors, options.getNormType());
    input.searchMode = options.getSearchMode();
    input.memoryBudget = options.getMemoryBudget();
    return input;
}

} // namespace

MultiMatcher::Input
MultiMatcher::Input::fromKeyPoints(const std::vector<std::vector<KeyPoint>>& keypoints,
                                   InputArrayOfArrays descriptors, const MultiMatcher& options)
{
    checkViewCount(keypoints.size(), "keypoints");
    RawViews raw;
    for (size_t v = 0; v < keypoints.size(); ++v)
    {
        const int n = static_cast<int>(keypoints[v].size());
        Mat_<float> points(n, 2), frames(n, 2);
        for (int p = 0; p < n; ++p)
        {
            const KeyPoint& key = keypoints[v][p];
            // Adding zero turns -0 into 0, which would sort differently.
            points(p, 0) = key.pt.x + 0.f;
            points(p, 1) = key.pt.y + 0.f;
            frames(p, 0) = key.size + 0.f;
            frames(p, 1) = key.angle + 0.f;
        }
        checkFinite(points, "keypoints", v);
        checkFinite(frames, "size and angle of keypoints", v);
        raw.points.push_back(points);
        raw.frames.push_back(frames);
    }
    raw.descriptors = checkedDescriptors(descriptors, sizesOf(keypoints), "keypoints");
    return canonicalInput(raw, options);
}

MultiMatcher::Input MultiMatcher::Input::fromPoints(InputArrayOfArrays given,
                                                    InputArrayOfArrays descriptors,
                                                    const MultiMatcher& options)
{
    RawViews raw;
    raw.points = checkedPoints(given);
    checkViewCount(raw.points.size(), "points");
    raw.frames.resize(raw.points.size());
    raw.descriptors = checkedDescriptors(descriptors, sizesOf(raw.points), "points");
    return canonicalInput(raw, options);
}

MultiMatcher::Input MultiMatcher::Input::fromDescriptors(InputArrayOfArrays given, const Mat& pairs,
                                                         int normType)
{
    Input input;
    input.descriptors = checkedDescriptors(given);
    input.viewSizes = sizesOf(input.descriptors);
    input.normType = chosenNorm(input.descriptors, normType);
    input.offsets = viewOffsets(input.viewSizes);
    std::vector<int> sameOrder(input.descriptors.size());
    std::iota(sameOrder.begin(), sameOrder.end(), 0);
    input.pairs = orderedPairs(pairs, 0, sameOrder);
    return input;
}

Tracks MultiMatcher::Input::restore(const std::vector<int>& labels,
                                    const std::vector<float>& confidence, int minLength) const
{
    const std::vector<int> view = viewOfPoints(originalSizes), first = viewOffsets(originalSizes);
    std::vector<std::vector<int>> ids(originalSizes.size());
    std::vector<std::vector<float>> confidences(confidence.empty() ? 0 : originalSizes.size());
    for (size_t v = 0; v < originalSizes.size(); ++v)
    {
        ids[v].resize(originalSizes[v]);
        if (!confidences.empty())
            confidences[v].resize(originalSizes[v]);
    }
    for (size_t p = 0; p < labels.size(); ++p)
    {
        const int original = originalIndex[p], v = view[original];
        ids[v][original - first[v]] = labels[p];
        if (!confidences.empty())
            confidences[v][original - first[v]] = confidence[p];
    }
    return Tracks(ids, confidences, minLength);
}

std::vector<int>
MultiMatcher::Input::canonicalLabels(const std::vector<std::vector<int>>& labels) const
{
    if (labels.size() != originalSizes.size())
        CV_Error_(Error::StsUnmatchedSizes, ("initial labels have %zu views, expected %zu",
                                             labels.size(), originalSizes.size()));
    std::vector<int> flat;
    for (size_t v = 0; v < labels.size(); ++v)
    {
        if (static_cast<int>(labels[v].size()) != originalSizes[v])
            CV_Error_(Error::StsUnmatchedSizes,
                      ("initial labels of view %zu have %zu points, expected %d", v,
                       labels[v].size(), originalSizes[v]));
        std::set<int> seen;
        for (size_t p = 0; p < labels[v].size(); ++p)
            if (labels[v][p] >= 0 && !seen.insert(labels[v][p]).second)
                CV_Error_(
                    Error::StsBadArg,
                    ("initial labels of view %zu hold %d twice, expected each label once in a view",
                     v, labels[v][p]));
        flat.insert(flat.end(), labels[v].begin(), labels[v].end());
    }
    std::vector<int> result(flat.size());
    std::map<int, int> number; // any label is valid, so they are renumbered
    for (size_t p = 0; p < flat.size(); ++p)
    {
        const int label = flat[originalIndex[p]];
        result[p] = label < 0
                        ? -1
                        : number.insert(std::make_pair(label, static_cast<int>(number.size())))
                              .first->second;
    }
    return result;
}

}} // namespace cv::multimatch
