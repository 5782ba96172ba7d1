// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "confidence_curves.hpp"

#include "opencv2/core.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>

namespace bench {

using namespace cv;
using namespace cv::multimatch;

namespace {

const int THRESHOLDS = 60;
const int EVEN = 50; // the first ones, from 0 to 0.98
const int MIN_LENGTH = 2;

double thresholdOf(int step)
{
    // Most memberships are nearly certain: from 0.99 on each step halves the distance to 1.
    return step < EVEN ? step / double(EVEN) : 1 - std::pow(0.5, step - EVEN) / 100;
}

} // namespace

Curve sweepGeometry(const Tracks& tracks, const KeyPoints& keypoints, const Geometry& geometry)
{
    Curve curve;
    for (int step = 0; step < THRESHOLDS; ++step)
    {
        const double threshold = thresholdOf(step);
        const GeometryScore score =
            geometry.score(tracks.filter(MIN_LENGTH, static_cast<float>(threshold)), keypoints);
        const CurvePoint point = {threshold, score.matches, score.correct, score.correctTracks};
        curve.push_back(point);
    }
    return curve;
}

Curve sweepLabels(const Tracks& tracks, const Labels& labels)
{
    Curve curve;
    for (int step = 0; step < THRESHOLDS; ++step)
    {
        const double threshold = thresholdOf(step);
        const MatchScore score =
            scoreTracks(tracks.filter(MIN_LENGTH, static_cast<float>(threshold)), labels);
        const CurvePoint point = {threshold, score.matches, score.correct, 0};
        curve.push_back(point);
    }
    return curve;
}

const CurvePoint* atPrecision(const Curve& curve, double precision)
{
    for (const CurvePoint& point : curve)
        if (point.matches > 0 && point.precision() >= precision)
            return &point;
    return nullptr;
}

void Reliability::add(const std::string& family, const Tracks& tracks, const Labels& labels)
{
    for (int t = 0; t < tracks.size(); ++t)
    {
        std::map<int, int> frequency;
        const std::vector<Observation> seen = tracks.track(t);
        if (seen.size() < 2)
            continue;
        for (const Observation& observation : seen)
            ++frequency[labels[size_t(observation.view)][size_t(observation.point)]];
        int most = -1, count = 1;
        for (const auto& entry : frequency)
            if (entry.first >= 0 && entry.second > count)
            {
                most = entry.first;
                count = entry.second;
            }
        for (const Observation& observation : seen)
            add(family, observation.confidence,
                most >= 0 && labels[size_t(observation.view)][size_t(observation.point)] == most);
    }
}

void Reliability::add(const std::string& family, const Tracks& tracks, const KeyPoints& keypoints,
                      const Geometry& geometry)
{
    const std::vector<std::vector<float>> agreement = geometry.agreement(tracks, keypoints);
    for (int t = 0; t < tracks.size(); ++t)
        for (const Observation& observation : tracks.track(t))
        {
            const float share = agreement[size_t(observation.view)][size_t(observation.point)];
            if (share >= 0)
                add(family, observation.confidence, share >= 0.5f);
        }
}

void Reliability::add(const std::string& family, float confidence, bool isRight)
{
    std::vector<Bin>& bins = bins_[family];
    bins.resize(BINS);
    Bin& bin = bins[size_t(std::min(BINS - 1, cvFloor(confidence * BINS)))];
    bin.count += 1;
    bin.confidence += double(confidence);
    bin.right += isRight;
}

void Reliability::print(std::ostream& out) const
{
    if (bins_.empty())
        return;
    out << "\nreliability of the confidence of hippi: share of right memberships (number) by "
           "confidence\n";
    out << format("%-22s", "");
    for (int b = 0; b < BINS; ++b)
        out << format("  %4.1f - %3.1f   ", double(b) / BINS, double(b + 1) / BINS);
    out << "   |share - confidence|\n";
    for (const auto& family : bins_)
    {
        out << format("%-22s", family.first.c_str());
        double total = 0, gap = 0;
        for (const Bin& bin : family.second)
        {
            if (bin.count > 0)
                out << format("  %.3f (%5.0f)", bin.right / bin.count, bin.count);
            else
                out << "         -     ";
            total += bin.count;
            gap += std::abs(bin.right - bin.confidence);
        }
        out << format("   %.3f\n", total > 0 ? gap / total : 0.);
    }
    out << std::flush;
}

} // namespace bench
