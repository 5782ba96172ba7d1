// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "place.hpp"

#include "../base/statistics.hpp"

namespace cv { namespace multimatch { namespace evidence {

namespace {

const float PI = static_cast<float>(CV_PI);
const size_t FEW = 20;           //!< fewer pairs than this tell nothing
const float LEAST_FACTOR = 0.1f; //!< of residuals of right pairs over those of the fits

/* Student's t with four degrees of freedom: the median of the squared residual in units of the
squared scale, the density at the center and its fall. */
const float MEDIAN_2D = 1.6568542f, MEDIAN_3D = 2.8229f;

float tDensity(int dimension, float residual2, float scale2)
{
    const float off = 1 + residual2 / (4 * scale2);
    if (dimension == 3)
        return 0.0746f / (scale2 * std::sqrt(scale2) * off * off * off * std::sqrt(off));
    return 1 / (2 * PI * scale2 * off * off * off);
}

float tDensityAlong(float residual2, float scale2)
{
    const float off = 1 + residual2 / (4 * scale2);
    return 0.375f / (std::sqrt(scale2) * off * off * std::sqrt(off));
}

} // namespace

void Place::learn(const std::vector<LabeledPair>& sample)
{
    std::vector<float> relative;
    for (size_t n = 0; n < sample.size(); ++n)
    {
        const CandidatePair& pair = sample[n].pair;
        if (sample[n].same && pair.there.valid())
            relative.push_back(positions_.distance2(pair.q, pair.there.place) / pair.there.spread2);
    }
    spreadFactor_ = relative.size() < FEW ? 1.f : std::max(LEAST_FACTOR, medianOf(relative));
}

float Place::ratio(int p, int q, const Prediction& prediction) const
{
    const int w = views_.of(q);
    const bool known = lines_ && lines_->known(views_.of(p), w);
    const bool useMap = prediction.valid() && (params_.witnesses & WITNESS_PLACE);
    const float whole = positions_.extent(w);
    if (!useMap)
        return known && whole > 0 ? lines_->ratioAlone(p, q, whole) : 1.f;
    const int D = positions_.dimension();
    const float radius = params_.wrongRadius * std::sqrt(prediction.radius2);
    // Where a wrong point may be: the neighborhood, but nowhere outside of the image.
    float around = D == 3 ? 4 * PI / 3 * radius * radius * radius : PI * radius * radius;
    if (whole > 0)
        around = std::min(around, whole);
    const float scale2 = spreadFactor_ * prediction.spread2 / (D == 3 ? MEDIAN_3D : MEDIAN_2D);
    const float byMap = tDensity(D, positions_.distance2(q, prediction.place), scale2) * around;
    if (!known)
        return byMap;
    float across, along;
    const PairLine& line = lines_->residuals(p, q, prediction.place, across, along);
    const float alongDensity =
        line.homography ? 1.f
                        : (1 - params_.alongStray) * tDensityAlong(along * along, scale2) +
                              params_.alongStray / std::sqrt(around);
    return (1 - line.stray) * line.density(across) * alongDensity * around + line.stray * byMap;
}

float Place::logRatio(const CandidatePair& pair) const
{
    const float least = 1e-9f; // of right pairs some have moved
    const float there = std::max(least, ratio(pair.p, pair.q, pair.there)),
                back = std::max(least, ratio(pair.q, pair.p, pair.back));
    return 0.5f * std::log(there * back);
}

}}} // namespace cv::multimatch::evidence
