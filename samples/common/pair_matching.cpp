// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "pair_matching.hpp"

#include "opencv2/multimatch/similarity.hpp"

#include "opencv2/calib3d.hpp"

#include <algorithm>
#include <limits>

namespace samples {

using namespace cv;
using namespace cv::multimatch;

namespace {

typedef std::vector<PairMatches> PairList;

const size_t LEAST_INLIERS = 16; // a smaller number can agree by chance
const double RANSAC_CONFIDENCE = 0.999;
const int RANSAC_ITERATIONS = 5000;

struct Nearest
{
    int point = -1; // index among all points
    float distance = std::numeric_limits<float>::infinity();
    float second = std::numeric_limits<float>::infinity();
};

// The nearest and the second nearest neighbor of p among the points [begin, end).
Nearest nearestOf(const CsrMatrix& distances, int p, int begin, int end)
{
    Nearest nearest;
    const std::vector<int>::const_iterator first =
        distances.columns.begin() + distances.offsets[size_t(p)];
    const std::vector<int>::const_iterator last =
        distances.columns.begin() + distances.offsets[size_t(p) + 1];
    for (std::vector<int>::const_iterator at = std::lower_bound(first, last, begin);
         at != last && *at < end; ++at)
    {
        const float distance = distances.values[size_t(at - distances.columns.begin())];
        if (distance < nearest.distance)
        {
            nearest.second = nearest.distance;
            nearest.distance = distance;
            nearest.point = *at;
        }
        else
            nearest.second = std::min(nearest.second, distance);
    }
    return nearest;
}

} // namespace

PairList mutualMatches(const std::vector<Mat>& descriptors, double ratio, const Mat& pairsOfViews)
{
    const NeighborGraph graph = findNeighbors(descriptors, 2, pairsOfViews);
    std::vector<int> offsets(1, 0);
    for (int size : graph.viewSizes)
        offsets.push_back(offsets.back() + size);
    const size_t views = graph.viewSizes.size();
    PairList pairs;
    for (size_t i = 0; i < views; ++i)
        for (size_t j = i + 1; j < views; ++j)
        {
            PairMatches pair(static_cast<int>(i), static_cast<int>(j));
            for (int p = offsets[i]; p < offsets[i + 1]; ++p)
            {
                const Nearest there = nearestOf(graph.distances, p, offsets[j], offsets[j + 1]);
                if (there.point < 0)
                    continue;
                const Nearest back =
                    nearestOf(graph.distances, there.point, offsets[i], offsets[i + 1]);
                if (back.point != p)
                    continue;
                if (ratio < 1 &&
                    !(there.distance < ratio * there.second && back.distance < ratio * back.second))
                    continue;
                pair.matches.push_back(
                    DMatch(p - offsets[i], there.point - offsets[j], there.distance));
            }
            pairs.push_back(pair);
        }
    return pairs;
}

PairList verifiedMatches(const PairList& matches,
                         const std::vector<std::vector<KeyPoint>>& keypoints, double maxError)
{
    PairList verified;
    for (const PairMatches& pair : matches)
    {
        PairMatches kept(pair.first, pair.second);
        std::vector<Point2f> x, y;
        for (const DMatch& match : pair.matches)
        {
            x.push_back(keypoints[size_t(pair.first)][size_t(match.queryIdx)].pt);
            y.push_back(keypoints[size_t(pair.second)][size_t(match.trainIdx)].pt);
        }
        std::vector<uchar> inlier;
        if (x.size() >= LEAST_INLIERS)
            findFundamentalMat(x, y, FM_RANSAC, maxError, RANSAC_CONFIDENCE, RANSAC_ITERATIONS,
                               inlier);
        for (size_t n = 0; n < inlier.size(); ++n)
            if (inlier[n])
                kept.matches.push_back(pair.matches[n]);
        if (kept.matches.size() < LEAST_INLIERS)
            kept.matches.clear();
        verified.push_back(kept);
    }
    return verified;
}

} // namespace samples
