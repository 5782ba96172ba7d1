// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bench {

using namespace cv;
using namespace cv::multimatch;

int Problem::pointCount() const
{
    return std::accumulate(viewSizes.begin(), viewSizes.end(), 0);
}

int Problem::largestView() const
{
    return viewSizes.empty() ? 0 : *std::max_element(viewSizes.begin(), viewSizes.end());
}

GeometryScore Geometry::score(const Tracks& tracks, const KeyPoints& keypoints) const
{
    return homographies.empty() ? scoreCameras(tracks, keypoints, projections, maxError)
                                : scoreHomographies(tracks, keypoints, homographies, maxError);
}

GeometryScore Geometry::score(const PairList& pairs, const KeyPoints& keypoints) const
{
    return homographies.empty() ? scoreCameras(pairs, keypoints, projections, maxError)
                                : scoreHomographies(pairs, keypoints, homographies, maxError);
}

std::vector<std::vector<float>> Geometry::agreement(const Tracks& tracks,
                                                    const KeyPoints& keypoints) const
{
    return homographies.empty()
               ? agreementByCameras(tracks, keypoints, projections, maxError)
               : agreementByHomographies(tracks, keypoints, homographies, maxError);
}

CsrMatrix similarityOf(const PairList& pairs, const std::vector<int>& viewSizes)
{
    std::vector<int> offsets(1, 0);
    for (int size : viewSizes)
        offsets.push_back(offsets.back() + size);
    std::vector<float> distances;
    for (const PairMatches& pair : pairs)
        for (const DMatch& match : pair.matches)
            distances.push_back(match.distance);
    double median = 1;
    if (!distances.empty())
    {
        std::vector<float> sorted = distances;
        std::nth_element(sorted.begin(), sorted.begin() + sorted.size() / 2, sorted.end());
        median = std::max(1e-6, double(sorted[sorted.size() / 2]));
    }
    std::vector<int> rows, columns;
    std::vector<float> values;
    size_t next = 0;
    for (const PairMatches& pair : pairs)
        for (const DMatch& match : pair.matches)
        {
            const double scaled = distances[next++] / median;
            const float value = static_cast<float>(std::max(1e-6, std::exp(-scaled * scaled / 2)));
            const int p = offsets[size_t(pair.first)] + match.queryIdx;
            const int q = offsets[size_t(pair.second)] + match.trainIdx;
            rows.insert(rows.end(), {p, q});
            columns.insert(columns.end(), {q, p});
            values.insert(values.end(), {value, value});
        }
    return CsrMatrix::fromTriplets(offsets.back(), offsets.back(), rows, columns, values);
}

} // namespace bench
