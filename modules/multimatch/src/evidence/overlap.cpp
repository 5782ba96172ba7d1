// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "overlap.hpp"

namespace cv { namespace multimatch { namespace evidence {

namespace {

const float MOST = 0.9f; //!< some points of a view are never seen again

} // namespace

Overlap::Overlap(const Views& views, const EvidenceParams& params)
    : views_(views), params_(params), logShare_(static_cast<size_t>(views.count())),
      share_(logShare_.size())
{
    for (size_t v = 0; v < logShare_.size(); ++v)
    {
        const size_t others = views_.comparedWith(static_cast<int>(v)).size();
        logShare_[v].assign(others, std::log(params.firstShare));
        share_[v].assign(others, params.firstShare);
    }
}

double Overlap::count(const std::vector<int>& labels, const TrackTable& tracks)
{
    parallel_for_(Range(0, views_.count()), [&](const Range& range) {
        for (int v = range.start; v < range.end; ++v)
        {
            std::vector<float>& number = share_[v];
            std::fill(number.begin(), number.end(), 0.f);
            for (int p = views_.first(v); p < views_.end(v); ++p)
            {
                const int t = labels[p];
                for (const int *q = t < 0 ? NULL : tracks.begin(t),
                               *end = t < 0 ? NULL : tracks.end(t);
                     q != end; ++q)
                    if (views_.compared(v, views_.of(*q)))
                        number[views_.slot(v, views_.of(*q))] += 1;
            }
        }
    });
    const auto smaller = [&](int v, size_t s) {
        return static_cast<float>(std::min(views_.size(v), views_.size(views_.comparedWith(v)[s])));
    };
    double pairs = 0, points = 0;
    for (int v = 0; v < views_.count(); ++v)
        for (size_t s = 0; s < share_[v].size(); ++s)
        {
            pairs += share_[v][s];
            points += smaller(v, s);
        }
    const float mean = static_cast<float>((pairs + 1) / (points + 1));
    for (int v = 0; v < views_.count(); ++v)
        for (size_t s = 0; s < share_[v].size(); ++s)
        {
            float& share = share_[v][s];
            const float prior = static_cast<float>(params_.context);
            share = std::min(MOST, (share + prior * mean) / (smaller(v, s) + prior));
            logShare_[v][s] = std::log(share);
        }
    return pairs / 2; // each was counted from both sides
}

float Overlap::logShare(int v, int w) const
{
    return logShare_[v][views_.slot(v, w)];
}

float Overlap::logRatio(const CandidatePair& pair) const
{
    if (!(pair.there.around > 0) && !(pair.back.around > 0))
        return 0;
    const int v = views_.of(pair.p);
    const float share = share_[v][views_.slot(v, views_.of(pair.q))];
    // What is counted around the point is shrunk to the share of the whole view, which counts as
    // much as a context, and as one track or more.
    const float prior = std::max(1.f, share * static_cast<float>(params_.context));
    const auto relative = [&](const Prediction& side) {
        return side.around > 0 ? (side.seen + prior) / (share * side.around + prior) : 1.f;
    };
    return 0.5f * std::log(relative(pair.there) * relative(pair.back));
}

}}} // namespace cv::multimatch::evidence
