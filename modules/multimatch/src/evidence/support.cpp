// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "support.hpp"

#include "../base/statistics.hpp"

namespace cv { namespace multimatch { namespace evidence {

int Support::binOf(const Prediction& prediction) const
{
    const float halfOctaves = std::log2(prediction.spread2 / usual2_); // of the spread
    return std::max(0, std::min(BINS - 1, BINS / 2 + cvFloor(halfOctaves)));
}

void Support::learn(const std::vector<LabeledPair>& sample)
{
    logRatio_.assign(BINS, 0.f);
    std::vector<float> spreads2;
    for (size_t n = 0; n < sample.size(); ++n)
        if (sample[n].same && sample[n].pair.there.valid())
            spreads2.push_back(sample[n].pair.there.spread2);
    if (spreads2.empty())
        return;
    usual2_ = medianOf(spreads2);
    double same[BINS] = {}, other[BINS] = {}, allSame = 0, allOther = 0;
    for (size_t n = 0; n < sample.size(); ++n)
        for (int side = 0; side < 2; ++side)
        {
            const Prediction& prediction = side ? sample[n].pair.back : sample[n].pair.there;
            if (!prediction.valid())
                continue;
            (sample[n].same ? same : other)[binOf(prediction)] += 1;
            (sample[n].same ? allSame : allOther) += 1;
        }
    if (allOther <= 0)
        return;
    // Counts are shrunk to those of all pairs. A small spread is no evidence for a pair.
    for (int b = 0; b < BINS; ++b)
    {
        const double mean = (same[b] + other[b]) / (allSame + allOther);
        logRatio_[static_cast<size_t>(b)] = static_cast<float>(std::min(
            0., std::log((same[b] + shrinkage_ * mean + 1e-9) / (allSame + shrinkage_)) -
                    std::log((other[b] + shrinkage_ * mean + 1e-9) / (allOther + shrinkage_))));
    }
}

float Support::logRatio(const CandidatePair& pair) const
{
    if (logRatio_.empty())
        return 0;
    const auto side = [&](const Prediction& prediction) {
        return prediction.valid() ? logRatio_[static_cast<size_t>(binOf(prediction))] : 0.f;
    };
    return 0.5f * (side(pair.there) + side(pair.back));
}

}}} // namespace cv::multimatch::evidence
