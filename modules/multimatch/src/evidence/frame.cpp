// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "frame.hpp"

#include "../base/statistics.hpp"

namespace cv { namespace multimatch { namespace evidence {

namespace {

const size_t FEW = 20; //!< fewer pairs than this tell nothing
const float LEAST_SCALE = 1e-3f;
//! Log-ratios are not smaller: an orientation may be detected wrongly.
const float LEAST_RATIO = -20.f;

//! Scale of the Laplace density with the median of these absolute residuals, 0: too few.
float laplaceScale(std::vector<float>& residuals)
{
    if (residuals.size() < FEW)
        return 0;
    return std::max(LEAST_SCALE, medianOf(residuals) / LN2);
}

float logLaplace(float residual, float scale)
{
    return -residual / scale - std::log(2 * scale);
}

} // namespace

Frame::Frame(const Positions& positions)
    : positions_(positions), turnScale_(0), stretchScale_(0), wrongStretchScale_(0)
{
}

bool Frame::residuals(const CandidatePair& pair, float& turn, float& stretch) const
{
    if (!pair.there.valid() && !pair.back.valid())
        return false;
    const float turned = positions_.angle(pair.q) - positions_.angle(pair.p);
    const float stretched = positions_.logSize(pair.q) - positions_.logSize(pair.p);
    const float whole = static_cast<float>(2 * CV_PI);
    turn = stretch = 0;
    for (int side = 0; side < 2; ++side)
    {
        const Prediction& expected = side ? pair.back : pair.there;
        if (!expected.valid())
            continue;
        const float off = std::abs((side ? -turned : turned) - expected.turn);
        const float rest = off - whole * static_cast<float>(static_cast<int>(off / whole));
        turn += std::min(rest, whole - rest);
        stretch += std::abs((side ? -stretched : stretched) - expected.stretch);
    }
    if (pair.there.valid() && pair.back.valid())
    {
        turn *= 0.5f;
        stretch *= 0.5f;
    }
    return true;
}

void Frame::learn(const std::vector<LabeledPair>& sample)
{
    std::vector<float> turns, stretches, wrongStretches;
    for (size_t n = 0; n < sample.size(); ++n)
    {
        float turn, stretch;
        if (!residuals(sample[n].pair, turn, stretch))
            continue;
        if (sample[n].same)
        {
            turns.push_back(turn);
            stretches.push_back(stretch);
        }
        // The sizes of a pair that has nothing to do with this one.
        const CandidatePair& other = sample[(n + sample.size() / 2) % sample.size()].pair;
        wrongStretches.push_back(
            std::abs(positions_.logSize(other.q) - positions_.logSize(sample[n].pair.p)));
    }
    turnScale_ = laplaceScale(turns);
    stretchScale_ = laplaceScale(stretches);
    wrongStretchScale_ = laplaceScale(wrongStretches);
}

float Frame::logRatio(const CandidatePair& pair) const
{
    float turn, stretch;
    if (!(turnScale_ > 0) || !residuals(pair, turn, stretch))
        return 0;
    // Angles of wrong pairs are spread evenly.
    const float byTurn = std::log(static_cast<float>(2 * CV_PI)) + logLaplace(turn, turnScale_);
    const float byStretch = wrongStretchScale_ > 0 ? logLaplace(stretch, stretchScale_) -
                                                         logLaplace(stretch, wrongStretchScale_)
                                                   : 0.f;
    return std::max(LEAST_RATIO, byTurn) + std::max(LEAST_RATIO, byStretch);
}

}}} // namespace cv::multimatch::evidence
