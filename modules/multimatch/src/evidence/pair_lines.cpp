// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "pair_lines.hpp"

#include "../base/statistics.hpp"
#include "../geometry/pair_geometry.hpp"

namespace cv { namespace multimatch { namespace evidence {

PairLines::PairLines(const Positions& positions, const Views& views, const EvidenceParams& params)
    : positions_(positions), views_(views), params_(params)
{
}

void PairLines::set(const std::vector<PairGeometry>& geometries,
                    const std::vector<std::vector<std::pair<int, int>>>& pairs, double maxError)
{
    lines_.clear();
    index_.assign(static_cast<size_t>(views_.count()) * static_cast<size_t>(views_.count()), -1);
    std::vector<float> all, medians(geometries.size(), 0.f), residuals;
    for (size_t n = 0; n < geometries.size(); ++n)
    {
        if (geometries[n].matrix.empty())
            continue;
        const ResidualMeter meter(geometries[n]);
        residuals.clear();
        for (size_t m = 0; m < pairs[n].size(); ++m)
        {
            const double r =
                meter(positions_.point(pairs[n][m].first), positions_.point(pairs[n][m].second));
            if (r <= maxError)
                residuals.push_back(static_cast<float>(r));
        }
        if (residuals.empty())
            continue;
        all.insert(all.end(), residuals.begin(), residuals.end());
        medians[n] = medianOf(residuals);
    }
    if (all.empty())
        return;
    const float common = medianOf(all);
    for (size_t n = 0; n < geometries.size(); ++n)
    {
        const PairGeometry& g = geometries[n];
        if (g.matrix.empty())
            continue;
        const float inliers = static_cast<float>(g.inliers);
        PairLine line;
        line.homography = g.model == MODEL_HOMOGRAPHY;
        // Shrunk to the residual of all pairs of views.
        const float prior = static_cast<float>(params_.context);
        const float shrunk = (inliers * medians[n] + prior * common) / (inliers + prior);
        line.scale = std::max(1e-3f, std::max(shrunk, 0.5f * common) / LN2);
        line.stray = std::min(
            0.5f, std::max(params_.lineStray, std::exp(-(inliers - 8) / params_.lineDecay)));
        const Matx33d forward = Matx33d(g.matrix.ptr<double>());
        const Matx33d backward = line.homography ? forward.inv() : forward.t();
        for (int side = 0; side < 2; ++side)
        {
            const int v = side ? g.second : g.first, w = side ? g.first : g.second;
            line.matrix = Matx33f(side ? backward : forward);
            index_[static_cast<size_t>(v) * static_cast<size_t>(views_.count()) +
                   static_cast<size_t>(w)] = static_cast<int>(lines_.size());
            lines_.push_back(line);
        }
    }
}

const PairLine& PairLines::residuals(int p, int q, const float* place, float& across,
                                     float& along) const
{
    const PairLine& line = lines_[index(views_.of(p), views_.of(q))];
    const float *x = positions_.at(p), *y = positions_.at(q);
    const Vec3f image = line.matrix * Vec3f(x[0], x[1], 1);
    if (line.homography)
    {
        const float dx = image[0] / image[2] - y[0], dy = image[1] / image[2] - y[1];
        across = std::sqrt(dx * dx + dy * dy);
        along = 0;
        return line;
    }
    const float length = std::max(1e-20f, std::sqrt(image[0] * image[0] + image[1] * image[1]));
    across = std::abs(image[0] * y[0] + image[1] * y[1] + image[2]) / length;
    along = place ? ((y[0] - place[0]) * image[1] - (y[1] - place[1]) * image[0]) / length : 0.f;
    return line;
}

float PairLines::ratioAlone(int p, int q, float extent) const
{
    float across, along;
    const PairLine& line = residuals(p, q, NULL, across, along);
    const float length = line.homography ? 1.f : std::sqrt(extent);
    return (1 - line.stray) * line.density(across) * extent / length + line.stray;
}

}}} // namespace cv::multimatch::evidence
