// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_CONFIDENCE_CURVES_HPP
#define MULTIMATCH_BENCH_CONFIDENCE_CURVES_HPP

#include "problem.hpp"

#include <iosfwd>
#include <map>

namespace bench {

//! Scores of tracks filtered at a confidence threshold.
struct CurvePoint
{
    double threshold, matches, correct, correctTracks;

    double precision() const { return matches > 0 ? correct / matches : 1; }
};

//! Precision and number of correct pairs at thresholds from 0 to 1.
typedef std::vector<CurvePoint> Curve;

Curve sweepGeometry(const cv::multimatch::Tracks& tracks, const KeyPoints& keypoints,
                    const Geometry& geometry);
Curve sweepLabels(const cv::multimatch::Tracks& tracks, const Labels& labels);

//! First point with matches and at least this precision; null if there is none.
const CurvePoint* atPrecision(const Curve& curve, double precision);

/** @brief Number of memberships and of correct ones in bins of the confidence: a test of the
confidence as a probability.

With labels a membership is correct if the label of its point is the most frequent label of the
track and occurs at least twice there; with geometry if at least half of the other members agree
with it. */
class Reliability
{
public:
    static const int BINS = 10;

    void add(const std::string& family, const cv::multimatch::Tracks& tracks, const Labels& labels);
    void add(const std::string& family, const cv::multimatch::Tracks& tracks,
             const KeyPoints& keypoints, const Geometry& geometry);
    void print(std::ostream& out) const;

    struct Bin
    {
        double count = 0, right = 0, confidence = 0;
    };
    const std::map<std::string, std::vector<Bin>>& bins() const { return bins_; }

private:
    void add(const std::string& family, float confidence, bool isRight);

    std::map<std::string, std::vector<Bin>> bins_;
};

} // namespace bench

#endif
