// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "given_matches.hpp"

namespace cv { namespace multimatch { namespace evidence {

namespace {

const int BINS = 16;
const size_t SAMPLE = 100000;

} // namespace

GivenMatches::GivenMatches(const CsrMatrix& scores, float maxLogOdds)
    : scores_(scores), maxLogOdds_(maxLogOdds), missing_(-1)
{
    std::vector<float> sample;
    const size_t step = 1 + scores.values.size() / SAMPLE;
    for (size_t e = 0; e < scores.values.size(); e += step)
        sample.push_back(scores.values[e]);
    std::sort(sample.begin(), sample.end());
    for (int b = 1; b < BINS && !sample.empty(); ++b)
        edges_.push_back(sample[sample.size() * static_cast<size_t>(b) / BINS]);
    edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
    logOdds_.assign(edges_.size() + 1, 0.f);
}

int GivenMatches::binOf(float score) const
{
    return static_cast<int>(std::upper_bound(edges_.begin(), edges_.end(), score) - edges_.begin());
}

void GivenMatches::count(const std::vector<int>& labels, double pairsOnTracks)
{
    std::vector<double> same(logOdds_.size(), 0.), other(logOdds_.size(), 0.);
    double matched = 0;
    for (int p = 0; p < scores_.rows; ++p)
        for (size_t e = scores_.offsets[p]; e < scores_.offsets[p + 1]; ++e)
        {
            const int q = scores_.columns[e];
            if (q < p || !(scores_.values[e] > 0))
                continue;
            const bool on = labels[p] >= 0 && labels[p] == labels[q];
            (on ? same : other)[binOf(scores_.values[e])] += 1;
            matched += on;
        }
    for (size_t b = 0; b < logOdds_.size(); ++b)
        logOdds_[b] = static_cast<float>(std::log((same[b] + 1) / (other[b] + 1)));
    const double missed = std::max(0., pairsOnTracks - matched);
    missing_ = static_cast<float>(
        std::max(-static_cast<double>(maxLogOdds_), std::log((missed + 1) / (pairsOnTracks + 2))));
}

float GivenMatches::logRatio(const CandidatePair& pair) const
{
    return pair.value > 0 ? logOdds_[binOf(pair.value)] : missing_;
}

}}} // namespace cv::multimatch::evidence
