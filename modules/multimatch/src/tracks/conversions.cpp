// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "../precomp.hpp"

namespace cv { namespace multimatch {

std::vector<PairMatches> allPairMatches(const Tracks& tracks)
{
    const int k = tracks.viewCount();
    std::vector<PairMatches> pairs(static_cast<size_t>(k) * (k - (k > 0)) / 2);
    size_t next = 0;
    for (int i = 0; i < k; ++i)
        for (int j = i + 1; j < k; ++j, ++next)
        {
            pairs[next].first = i;
            pairs[next].second = j;
        }
    parallel_for_(Range(0, static_cast<int>(pairs.size())), [&](const Range& range) {
        for (int n = range.start; n < range.end; ++n)
            pairs[n].matches = tracks.matches(pairs[n].first, pairs[n].second);
    });
    pairs.erase(std::remove_if(pairs.begin(), pairs.end(),
                               [](const PairMatches& pair) { return pair.matches.empty(); }),
                pairs.end());
    return pairs;
}

Tracks tracksFromPoints2d(InputArrayOfArrays given, std::vector<std::vector<KeyPoint>>& keypoints)
{
    std::vector<Mat> points2d;
    given.getMatVector(points2d);
    keypoints.assign(points2d.size(), std::vector<KeyPoint>());
    std::vector<std::vector<int>> labels(points2d.size());
    for (size_t v = 0; v < points2d.size(); ++v)
    {
        const Mat& points = points2d[v];
        if (points.rows != 2 || points.type() != CV_64FC1 || points.cols != points2d[0].cols)
            CV_Error_(Error::StsBadArg,
                      ("points2d[%d] is %d x %d of type %s, expected 2 x %d of CV_64FC1",
                       static_cast<int>(v), points.rows, points.cols,
                       typeToString(points.type()).c_str(), points2d[0].cols));
        for (int t = 0; t < points.cols; ++t)
        {
            const double x = points.at<double>(0, t), y = points.at<double>(1, t);
            if (x == -1 && y == -1)
                continue;
            keypoints[v].push_back(KeyPoint(static_cast<float>(x), static_cast<float>(y), 1.f));
            labels[v].push_back(t);
        }
    }
    return Tracks(labels);
}

}} // namespace cv::multimatch
