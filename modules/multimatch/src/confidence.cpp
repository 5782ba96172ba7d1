// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "confidence.hpp"

namespace cv { namespace multimatch {

std::vector<float> membershipConfidence(const CsrMatrix& S, const std::vector<int>& labels)
{
    int d = 0;
    for (size_t p = 0; p < labels.size(); ++p)
        d = std::max(d, labels[p] + 1);
    std::vector<int> length(static_cast<size_t>(d), 0);
    for (size_t p = 0; p < labels.size(); ++p)
        if (labels[p] >= 0)
            ++length[static_cast<size_t>(labels[p])];
    std::vector<float> confidence(labels.size(), 0.f);
    for (int p = 0; p < S.rows; ++p)
    {
        if (labels[p] < 0 || length[static_cast<size_t>(labels[p])] < 2)
            continue;
        double support = 0;
        for (size_t e = S.offsets[p]; e < S.offsets[p + 1]; ++e)
            if (labels[S.columns[e]] == labels[p])
                support += std::min(1.f, S.values[e]);
        confidence[static_cast<size_t>(p)] =
            static_cast<float>(std::min(1.0, support / (length[static_cast<size_t>(labels[p])] - 1)));
    }
    return confidence;
}

}} // namespace cv::multimatch
