// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "pair_geometry.hpp"

#include "../base/checks.hpp"
#include "../base/parameters.hpp"

#include <map>

namespace cv { namespace multimatch {

VerificationParams::VerificationParams()
    : model(MODEL_FUNDAMENTAL), maxError(2), minInliers(16), confidence(0.9999),
      maxIterations(5000), seed(0)
{
}

void VerificationParams::validate() const
{
    checkRange("model", model, MODEL_FUNDAMENTAL, false, MODEL_HOMOGRAPHY, "a PairModel");
    checkRange("maxError", maxError, 0, true, DBL_MAX, "more than 0");
    checkRange("minInliers", minInliers, 8, false, INT_MAX, "8 or more");
    checkRange("confidence", confidence, 0, true, 1 - DBL_EPSILON, "a value in (0, 1)");
    checkRange("maxIterations", maxIterations, 1, false, INT_MAX, "1 or more");
}

void VerificationParams::write(FileStorage& fs) const
{
    fs << "model" << model << "maxError" << maxError << "minInliers" << minInliers << "confidence"
       << confidence << "maxIterations" << maxIterations << "seed" << seed;
}

void VerificationParams::read(const FileNode& node)
{
    readIfThere(node, "model", model);
    readIfThere(node, "maxError", maxError);
    readIfThere(node, "minInliers", minInliers);
    readIfThere(node, "confidence", confidence);
    readIfThere(node, "maxIterations", maxIterations);
    readIfThere(node, "seed", seed);
}

PairGeometry::PairGeometry() : first(-1), second(-1), model(MODEL_FUNDAMENTAL), inliers(0) {}

std::vector<Mat> checkedCameras(InputArrayOfArrays given, size_t views)
{
    std::vector<Mat> cameraMatrices;
    given.getMatVector(cameraMatrices);
    if (cameraMatrices.size() != views)
        CV_Error_(Error::StsUnmatchedSizes,
                  ("an essential matrix needs the camera matrix of every view: there are %d for %d "
                   "views",
                   static_cast<int>(cameraMatrices.size()), static_cast<int>(views)));
    std::vector<Mat> checked(views);
    for (size_t v = 0; v < views; ++v)
    {
        const Mat& K = cameraMatrices[v];
        if (K.rows != 3 || K.cols != 3 || (K.type() != CV_32FC1 && K.type() != CV_64FC1) ||
            std::abs(determinant(K)) < 1e-9)
            CV_Error_(Error::StsBadArg,
                      ("cameraMatrices[%d] is %d x %d of type %s, expected an invertible 3 x 3 "
                       "matrix of CV_32FC1 or CV_64FC1",
                       static_cast<int>(v), K.rows, K.cols, typeToString(K.type()).c_str()));
        K.convertTo(checked[v], CV_64F);
    }
    return checked;
}

namespace {

void checkGeometry(const PairGeometry& geometry)
{
    if (!geometry.matrix.empty() &&
        (geometry.matrix.rows != 3 || geometry.matrix.cols != 3 ||
         geometry.matrix.type() != CV_64FC1 || !geometry.matrix.isContinuous()))
        CV_Error_(
            Error::StsBadArg,
            ("the geometry of views %d and %d is %d x %d of type %s, expected 3 x 3 of CV_64FC1",
             geometry.first, geometry.second, geometry.matrix.rows, geometry.matrix.cols,
             typeToString(geometry.matrix.type()).c_str()));
}

//! Removes members of one track until no two contradict each other.
class TrackCleaner
{
public:
    TrackCleaner(const std::vector<std::vector<KeyPoint>>& keypoints,
                 const std::vector<PairGeometry>& geometries, double maxError)
        : keypoints_(keypoints), maxError_(maxError)
    {
        for (size_t n = 0; n < geometries.size(); ++n)
        {
            checkGeometry(geometries[n]);
            if (!geometries[n].matrix.empty())
                meters_.insert(
                    std::make_pair(std::make_pair(geometries[n].first, geometries[n].second),
                                   ResidualMeter(geometries[n])));
        }
    }

    //! Splits a track into tracks without contradictions; the first has the members that are not
    //! removed.
    std::vector<std::vector<Observation>> split(std::vector<Observation> track) const
    {
        std::vector<std::vector<Observation>> parts;
        while (!track.empty())
        {
            std::vector<Observation> removed;
            parts.push_back(clean(track, removed));
            track.swap(removed);
        }
        return parts;
    }

private:
    std::vector<Observation> clean(const std::vector<Observation>& track,
                                   std::vector<Observation>& removed) const
    {
        const size_t n = track.size();
        std::vector<double> excess(n * n, 0);
        for (size_t a = 0; a < n; ++a)
            for (size_t b = a + 1; b < n; ++b)
            {
                const double residual = residualOf(track[a], track[b]);
                if (residual > maxError_)
                    excess[a * n + b] = excess[b * n + a] =
                        1 + std::min(residual, 1e3 * maxError_) * 1e-6 / maxError_;
            }
        std::vector<char> in(n, 1);
        for (;;)
        {
            // The member with the most contradictions is removed; of equal ones that with the
            // larger residuals, then that of lower confidence.
            size_t worst = n;
            double most = 0;
            for (size_t a = 0; a < n; ++a)
            {
                double sum = 0;
                for (size_t b = 0; b < n; ++b)
                    sum += in[a] && in[b] ? excess[a * n + b] : 0;
                if (sum > most ||
                    (sum > 0 && sum == most && track[a].confidence < track[worst].confidence))
                {
                    most = sum;
                    worst = a;
                }
            }
            if (worst == n)
                break;
            in[worst] = 0;
        }
        std::vector<Observation> kept;
        for (size_t a = 0; a < n; ++a)
            (in[a] ? kept : removed).push_back(track[a]);
        return kept;
    }

    //! 0 where the pair of views has no geometry.
    double residualOf(const Observation& a, const Observation& b) const
    {
        std::map<std::pair<int, int>, ResidualMeter>::const_iterator meter =
            meters_.find(std::make_pair(a.view, b.view));
        const bool swapped = meter == meters_.end();
        if (swapped)
            meter = meters_.find(std::make_pair(b.view, a.view));
        if (meter == meters_.end())
            return 0;
        const Point2f& x = keypoints_[a.view][a.point].pt;
        const Point2f& y = keypoints_[b.view][b.point].pt;
        return swapped ? meter->second(y, x) : meter->second(x, y);
    }

    const std::vector<std::vector<KeyPoint>>& keypoints_;
    double maxError_;
    std::map<std::pair<int, int>, ResidualMeter> meters_;
};

void checkError(double maxError)
{
    checkRange("maxError", maxError, 0, true, DBL_MAX, "more than 0");
}

} // namespace

double pairResidual(const PairGeometry& geometry, const Point2f& inFirst, const Point2f& inSecond)
{
    checkGeometry(geometry);
    if (geometry.matrix.empty())
        CV_Error_(Error::StsBadArg,
                  ("views %d and %d have no geometry", geometry.first, geometry.second));
    return ResidualMeter(geometry)(inFirst, inSecond);
}

std::vector<PairGeometry> estimateGeometry(const std::vector<std::vector<KeyPoint>>& keypoints,
                                           const std::vector<PairMatches>& matches,
                                           const VerificationParams& params,
                                           InputArrayOfArrays cameraMatrices)
{
    params.validate();
    checkMatches(matches, sizesOf(keypoints), false);
    const std::vector<Mat> K = params.model == MODEL_ESSENTIAL
                                   ? checkedCameras(cameraMatrices, keypoints.size())
                                   : std::vector<Mat>(keypoints.size());
    std::vector<PairGeometry> geometries(matches.size());
    parallel_for_(
        Range(0, static_cast<int>(matches.size())),
        [&](const Range& range) {
            for (int n = range.start; n < range.end; ++n)
            {
                const PairMatches& pair = matches[n];
                std::vector<Point2f> x, y;
                for (size_t m = 0; m < pair.matches.size(); ++m)
                {
                    x.push_back(keypoints[pair.first][pair.matches[m].queryIdx].pt);
                    y.push_back(keypoints[pair.second][pair.matches[m].trainIdx].pt);
                }
                geometries[n] = geometryOf(x, y, params, K[pair.first], K[pair.second]);
                geometries[n].first = pair.first;
                geometries[n].second = pair.second;
            }
        },
        static_cast<double>(matches.size()));
    return geometries;
}

std::vector<PairMatches> verifyMatches(const std::vector<std::vector<KeyPoint>>& keypoints,
                                       const std::vector<PairMatches>& matches,
                                       const std::vector<PairGeometry>& geometries, double maxError)
{
    checkError(maxError);
    checkMatches(matches, sizesOf(keypoints), false);
    if (geometries.size() != matches.size())
        CV_Error_(Error::StsUnmatchedSizes,
                  ("there are %d geometries for %d pairs of views",
                   static_cast<int>(geometries.size()), static_cast<int>(matches.size())));
    std::vector<PairMatches> verified;
    for (size_t n = 0; n < matches.size(); ++n)
    {
        const PairMatches& pair = matches[n];
        checkGeometry(geometries[n]);
        if (geometries[n].first != pair.first || geometries[n].second != pair.second)
            CV_Error_(Error::StsBadArg,
                      ("geometries[%d] is of views %d and %d, but matches[%d] of %d and %d",
                       static_cast<int>(n), geometries[n].first, geometries[n].second,
                       static_cast<int>(n), pair.first, pair.second));
        PairMatches kept(pair.first, pair.second);
        if (!geometries[n].matrix.empty())
        {
            const ResidualMeter residual(geometries[n]);
            for (size_t m = 0; m < pair.matches.size(); ++m)
                if (residual(keypoints[pair.first][pair.matches[m].queryIdx].pt,
                             keypoints[pair.second][pair.matches[m].trainIdx].pt) <= maxError)
                    kept.matches.push_back(pair.matches[m]);
        }
        verified.push_back(kept);
    }
    return verified;
}

Tracks cleanTracks(const std::vector<std::vector<KeyPoint>>& keypoints, const Tracks& tracks,
                   const std::vector<PairGeometry>& geometries, double maxError, int minLength)
{
    checkError(maxError);
    checkSizes(tracks, sizesOf(keypoints), "keypoints");
    std::vector<std::vector<int>> labels(keypoints.size());
    std::vector<std::vector<float>> confidence(keypoints.size());
    for (size_t v = 0; v < keypoints.size(); ++v)
    {
        labels[v].assign(keypoints[v].size(), -1);
        confidence[v].assign(keypoints[v].size(), 0.f);
    }
    const TrackCleaner cleaner(keypoints, geometries, maxError);
    int label = 0;
    for (int t = 0; t < tracks.size(); ++t)
    {
        const std::vector<std::vector<Observation>> parts = cleaner.split(tracks.track(t));
        for (size_t part = 0; part < parts.size(); ++part, ++label)
            for (size_t o = 0; o < parts[part].size(); ++o)
            {
                const Observation& kept = parts[part][o];
                labels[kept.view][kept.point] = label;
                confidence[kept.view][kept.point] = kept.confidence;
            }
    }
    Tracks result(labels, confidence, minLength);
    result.setReport(tracks.report());
    return result;
}

}} // namespace cv::multimatch
