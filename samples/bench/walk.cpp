// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "walk.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bench {

using namespace cv;

namespace {

const int WIDTH = 1600, HEIGHT = 1200;
const double FOCAL = 1600;

// Depths in camera steps between views. As WIDTH = FOCAL, this is also the number of views in which
// a point is visible.
const double MEAN_DEPTH = 10.75, DEPTH_SWING = 4.25;
const double MISSED = 0.125;
const int MIN_SIGHTINGS = 5, MAX_SIGHTINGS = 15;

const double POSITION_NOISE = 0.5; // px
const double ANGLE_NOISE = 4;      // degrees
const double SIZE_NOISE = 0.05;    // relative

const int DIMENSIONS = 128;
const int WORDS = 256;
const float DESCRIPTOR_NORM = 512;
// Standard deviations per coordinate, relative to that of the words, which is 1.
const double INDIVIDUALITY = 0.6, DRIFT = 0.25, DESCRIPTOR_NOISE = 0.22;

//! A separate random generator for each object, so that objects do not depend on the number of
//! others.
RNG rngOf(uint64_t seed, uint64_t kind, uint64_t number)
{
    RNG rng((seed * 0x9E3779B97F4A7C15ULL + kind) * 0xD1B54A32D192ED03ULL + number + 1);
    rng.next();
    rng.next();
    return rng;
}

enum Kind
{
    WORD,
    SCENE_POINT,
    VIEW,
    OUTLIERS
};

Mat_<float> gaussian(double deviation, RNG& rng)
{
    Mat_<float> values(1, DIMENSIONS);
    rng.fill(values, RNG::NORMAL, 0, deviation);
    return values;
}

struct Camera
{
    double x, y, z; //!< position; the optical axis is +z
    double roll;    //!< radians
    Point2d project(double X, double Y, double Z) const
    {
        const double u = FOCAL * (X - x) / (Z - z), v = FOCAL * (Y - y) / (Z - z);
        return Point2d(WIDTH / 2. + std::cos(roll) * u - std::sin(roll) * v,
                       HEIGHT / 2. + std::sin(roll) * u + std::cos(roll) * v);
    }
};

//! One step to the right per view, with the jitter of a hand-held camera.
Camera cameraOf(int view)
{
    Camera camera;
    camera.x = view + 0.1 * std::sin(1.7 * view);
    camera.y = 0.1 * std::sin(0.9 * view);
    camera.z = 0.3 * std::sin(0.4 * view);
    camera.roll = 0.08 * std::sin(0.6 * view);
    return camera;
}

//! Depth of the surface at a position along the walk (in steps) and a height in the image (in
//! [-0.5, 0.5]).
double depthAt(double X, double up)
{
    return MEAN_DEPTH +
           DEPTH_SWING * (0.6 * std::sin(0.35 * X + 3 * up) + 0.4 * std::sin(0.11 * X - 5 * up));
}

class Walk
{
public:
    explicit Walk(const WalkParams& params) : params_(params), problem_(), free_()
    {
        for (int w = 0; w < WORDS; ++w)
        {
            RNG rng = rngOf(params.seed, WORD, uint64_t(w));
            words_.push_back(gaussian(1, rng));
        }
        const size_t n = size_t(params.viewPoints);
        for (int v = 0; v < params.views; ++v)
        {
            problem_.keypoints.push_back(std::vector<KeyPoint>(n));
            problem_.descriptors.push_back(
                Mat(params.viewPoints, DIMENSIONS, params.descriptorType));
            problem_.labels.push_back(std::vector<int>(n, -1));
            problem_.viewSizes.push_back(params.viewPoints);
            free_.push_back(std::vector<int>(n));
            std::iota(free_.back().begin(), free_.back().end(), 0);
            RNG rng = rngOf(params.seed, VIEW, uint64_t(v));
            for (size_t i = n; i > 1; --i)
                std::swap(free_.back()[i - 1], free_.back()[size_t(rng.uniform(0, int(i)))]);
        }
    }

    Problem make()
    {
        const double reach = MEAN_DEPTH + DEPTH_SWING;
        const double length = params_.views + reach;
        const double density =
            params_.viewPoints * (1 - params_.outliers) / (MEAN_DEPTH * (1 - MISSED));
        const int count = cvRound(length * density);
        for (int p = 0; p < count; ++p)
        {
            RNG rng = rngOf(params_.seed, SCENE_POINT, uint64_t(p));
            addScenePoint(p, length * (p + 0.5) / count - reach / 2, rng);
        }
        for (int v = 0; v < params_.views; ++v)
            addOutliers(v);
        return std::move(problem_);
    }

private:
    Mat_<float> newDescriptor(RNG& rng) const
    {
        const int word = rng.uniform(0, WORDS);
        return words_[size_t(word)] + gaussian(INDIVIDUALITY, rng);
    }

    void addScenePoint(int label, double X, RNG& rng)
    {
        const double up = rng.uniform(-0.5, 0.5);
        const double Z = depthAt(X, up), Y = up * HEIGHT / FOCAL * Z;
        std::vector<int> sightings, all;
        const int first = std::max(0, int(X - Z)), last = std::min(params_.views, int(X + Z) + 1);
        for (int v = first; v < last; ++v)
        {
            const Point2d at = cameraOf(v).project(X, Y, Z);
            if (at.x < 0 || at.y < 0 || at.x >= WIDTH || at.y >= HEIGHT)
                continue;
            all.push_back(v);
            if (rng.uniform(0., 1.) >= MISSED)
                sightings.push_back(v);
        }
        if (int(sightings.size()) < MIN_SIGHTINGS)
            sightings = all;
        if (int(sightings.size()) > MAX_SIGHTINGS)
            sightings.resize(size_t(MAX_SIGHTINGS));

        const Mat_<float> look = newDescriptor(rng), drift = gaussian(DRIFT, rng);
        const float size = 4 * std::exp(rng.uniform(0.f, 2.f));
        const double angle = rng.uniform(0., 360.);
        for (int v : sightings)
        {
            const Camera camera = cameraOf(v);
            const Point2d at = camera.project(X, Y, Z);
            KeyPoint key(Point2f(at), size);
            key.pt.x += float(rng.gaussian(POSITION_NOISE));
            key.pt.y += float(rng.gaussian(POSITION_NOISE));
            key.size *= float((MEAN_DEPTH / (Z - camera.z)) * (1 + rng.gaussian(SIZE_NOISE)));
            key.angle = float(std::fmod(
                720 + angle + camera.roll * 180 / CV_PI + rng.gaussian(ANGLE_NOISE), 360.));
            const float turn = 2 * float(at.x) / WIDTH - 1;
            add(v, key, Mat_<float>(look + turn * drift), label, rng);
        }
    }

    void addOutliers(int v)
    {
        RNG rng = rngOf(params_.seed, OUTLIERS, uint64_t(v));
        while (!free_[size_t(v)].empty())
        {
            const Point2f at(rng.uniform(0.f, float(WIDTH)), rng.uniform(0.f, float(HEIGHT)));
            const KeyPoint key(at, 4 * std::exp(rng.uniform(0.f, 2.f)), rng.uniform(0.f, 360.f));
            add(v, key, newDescriptor(rng), -1, rng);
        }
    }

    void add(int v, const KeyPoint& key, const Mat_<float>& look, int label, RNG& rng)
    {
        std::vector<int>& slots = free_[size_t(v)];
        if (slots.empty())
            return;
        const int slot = slots.back();
        slots.pop_back();
        problem_.keypoints[size_t(v)][size_t(slot)] = key;
        problem_.labels[size_t(v)][size_t(slot)] = label;
        Mat_<float> seen = look + gaussian(DESCRIPTOR_NOISE, rng);
        seen = cv::max(seen, 0.f);
        seen *= DESCRIPTOR_NORM / norm(seen);
        for (int c = 0; c < DIMENSIONS; ++c)
            seen(c) = float(saturate_cast<uchar>(seen(c)));
        seen.convertTo(problem_.descriptors[size_t(v)].row(slot), params_.descriptorType);
    }

    const WalkParams params_;
    Problem problem_;
    std::vector<Mat_<float>> words_;
    std::vector<std::vector<int>> free_; //!< unused rows of each view
};

} // namespace

Problem makeWalk(const WalkParams& params)
{
    return Walk(params).make();
}

} // namespace bench
