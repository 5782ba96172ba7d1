// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_CONFIDENCE_CURVES_HPP
#define MULTIMATCH_BENCH_CONFIDENCE_CURVES_HPP

#include "problem.hpp"

#include <iosfwd>
#include <map>

namespace bench {

//! Tracks filtered at a confidence threshold, judged.
struct CurvePoint
{
    double threshold, matches, correct, correctTracks;

    double precision() const { return matches > 0 ? correct / matches : 1; }
};

//! Precision against correct pairs as the threshold moves from 0 to 1.
typedef std::vector<CurvePoint> Curve;

Curve sweepGeometry(const cv::multimatch::Tracks& tracks, const KeyPoints& keypoints,
                    const Geometry& geometry);
Curve sweepLabels(const cv::multimatch::Tracks& tracks, const Labels& labels);

//! First point of at least this precision; 0 where there is none but that of nothing claimed.
const CurvePoint* atPrecision(const Curve& curve, double precision);

/** @brief Is the confidence a probability? Memberships and how many of them are right, by confidence.

A membership is right if its point has a label, and it is the most frequent one of the track, at least two members having it. */
class Reliability
{
public:
    static const int BINS = 10;

    void add(const std::string& family, const cv::multimatch::Tracks& tracks, const Labels& labels);
    void print(std::ostream& out) const;

    struct Bin
    {
        double count = 0, right = 0, confidence = 0;
    };
    const std::map<std::string, std::vector<Bin>>& bins() const { return bins_; }

private:
    std::map<std::string, std::vector<Bin>> bins_;
};

} // namespace bench

#endif
