// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "synthetic.hpp"

#include <algorithm>
#include <numeric>

namespace bench {

using namespace cv;

namespace {

const double PLANE_SIDE = 1000;
const double POSITION_JITTER = 0.02; // fraction of the side

template<typename T>
void shuffle(std::vector<T>& values, RNG& rng)
{
    for (size_t n = values.size(); n > 1; --n)
        std::swap(values[n - 1], values[size_t(rng.uniform(0, static_cast<int>(n)))]);
}

Mat randomUnitVectors(int count, int dimensions, RNG& rng)
{
    Mat vectors(count, dimensions, CV_32F);
    rng.fill(vectors, RNG::NORMAL, 0, 1);
    for (int r = 0; r < count; ++r)
        normalize(vectors.row(r), vectors.row(r));
    return vectors;
}

Mat randomPositions(int count, RNG& rng)
{
    Mat positions(count, 2, CV_32F);
    rng.fill(positions, RNG::UNIFORM, 0, PLANE_SIDE);
    return positions;
}

} // namespace

Problem makeSynthetic(const SyntheticParams& params)
{
    RNG rng(params.seed * 0x9E3779B97F4A7C15ULL + 1);
    const Mat universe = randomUnitVectors(params.universe, params.dimensions, rng);
    const Mat places = randomPositions(params.universe, rng);
    Problem problem;
    for (int v = 0; v < params.views; ++v)
    {
        std::vector<int> shown(static_cast<size_t>(params.universe));
        std::iota(shown.begin(), shown.end(), 0);
        shuffle(shown, rng);
        std::vector<int> labels(shown.begin(), shown.begin() + params.seen);
        labels.insert(labels.end(), size_t(params.outliers), -1);
        shuffle(labels, rng);
        const int count = static_cast<int>(labels.size());
        // Points that no true point overwrites are outliers.
        Mat descriptors = randomUnitVectors(count, params.dimensions, rng);
        Mat positions = randomPositions(count, rng);
        for (int p = 0; p < count; ++p)
        {
            const int label = labels[size_t(p)];
            if (label < 0)
                continue;
            universe.row(label).copyTo(descriptors.row(p));
            if (params.positions)
            {
                Mat jitter(1, 2, CV_32F);
                rng.fill(jitter, RNG::NORMAL, 0, POSITION_JITTER * PLANE_SIDE);
                Mat(places.row(label) + jitter).copyTo(positions.row(p));
            }
        }
        Mat noise(descriptors.size(), CV_32F);
        rng.fill(noise, RNG::NORMAL, 0, params.noise);
        descriptors += noise;
        problem.descriptors.push_back(descriptors);
        problem.points.push_back(positions);
        problem.labels.push_back(labels);
        problem.viewSizes.push_back(count);
    }
    return problem;
}

} // namespace bench
