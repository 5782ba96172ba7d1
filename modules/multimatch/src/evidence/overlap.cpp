// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "overlap.hpp"

namespace cv { namespace multimatch { namespace evidence {

namespace {

const float MOST = 0.9f; //!< some points of a view are never seen again

} // namespace

Overlap::Overlap(const Views& views, const EvidenceParams& params)
    : views_(views), params_(params), logShare_(static_cast<size_t>(views.count()))
{
    for (int v = 0; v < views_.count(); ++v)
        logShare_[static_cast<size_t>(v)].assign(views_.comparedWith(v).size(),
                                                 std::log(params.firstShare));
}

float* Overlap::slot(int v, int w)
{
    const std::vector<int>& others = views_.comparedWith(v);
    const std::vector<int>::const_iterator at = std::lower_bound(others.begin(), others.end(), w);
    return at != others.end() && *at == w
               ? &logShare_[static_cast<size_t>(v)][static_cast<size_t>(at - others.begin())]
               : NULL;
}

double Overlap::count(const std::vector<int>& labels)
{
    const TrackTable tracks(labels);
    double pairs = 0, points = 0;
    for (size_t v = 0; v < logShare_.size(); ++v)
        std::fill(logShare_[v].begin(), logShare_[v].end(), 0.f);
    for (int t = 0; t < tracks.trackCount(); ++t)
        for (const int* p = tracks.begin(t); p != tracks.end(t); ++p)
            for (const int* q = tracks.begin(t); q != tracks.end(t); ++q)
                if (float* number = slot(views_.of(*p), views_.of(*q)))
                {
                    *number += 1;
                    pairs += 1;
                }
    const auto smaller = [&](int v, size_t s) {
        return static_cast<float>(std::min(views_.size(v), views_.size(views_.comparedWith(v)[s])));
    };
    for (int v = 0; v < views_.count(); ++v)
        for (size_t s = 0; s < logShare_[static_cast<size_t>(v)].size(); ++s)
            points += smaller(v, s);
    const float mean = static_cast<float>((pairs + 1) / (points + 1));
    for (int v = 0; v < views_.count(); ++v)
        for (size_t s = 0; s < logShare_[static_cast<size_t>(v)].size(); ++s)
        {
            float& share = logShare_[static_cast<size_t>(v)][s];
            share = std::log(std::min(MOST, (share + params_.shrinkage * mean) /
                                                (smaller(v, s) + params_.shrinkage)));
        }
    return pairs / 2; // each was counted from both sides
}

float Overlap::logShare(int v, int w) const
{
    if (views_.allCompared())
        return logShare_[static_cast<size_t>(v)][static_cast<size_t>(w - (w > v))];
    const std::vector<int>& others = views_.comparedWith(v);
    return logShare_[static_cast<size_t>(v)][static_cast<size_t>(
        std::lower_bound(others.begin(), others.end(), w) - others.begin())];
}

float Overlap::logRatio(const CandidatePair& pair) const
{
    if (!(pair.there.around > 0) && !(pair.back.around > 0))
        return 0;
    const float share = std::exp(logShare(views_.of(pair.p), views_.of(pair.q)));
    const float prior = static_cast<float>(params_.context);
    const auto relative = [&](const Prediction& side) {
        return side.around > 0 ? (side.seen / share + prior) / (side.around + prior) : 1.f;
    };
    return 0.5f * std::log(relative(pair.there) * relative(pair.back));
}

}}} // namespace cv::multimatch::evidence
