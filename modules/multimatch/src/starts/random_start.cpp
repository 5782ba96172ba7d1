// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "starts.hpp"

namespace cv { namespace multimatch {

std::vector<int> randomLabels(const std::vector<int>& viewSizes, int d, int seed)
{
    for (size_t v = 0; v < viewSizes.size(); ++v)
        if (viewSizes[v] > d)
            CV_Error_(Error::StsOutOfRange,
                      ("the universe has %d points but view %zu has %d, expected at most as many",
                       d, v, viewSizes[v]));

    // A multiplicative hash keeps neighboring seeds from giving neighboring states.
    RNG rng((static_cast<uint64>(static_cast<unsigned>(seed)) + 1) * 0x9E3779B97F4A7C15ULL);
    std::vector<int> labels, universe(static_cast<size_t>(d));
    std::iota(universe.begin(), universe.end(), 0);
    for (size_t v = 0; v < viewSizes.size(); ++v)
        for (int p = 0; p < viewSizes[v]; ++p)
        {
            // Fisher-Yates, only as far as the view has points.
            std::swap(universe[p], universe[rng.uniform(p, d)]);
            labels.push_back(universe[p]);
        }
    return labels;
}

}} // namespace cv::multimatch
