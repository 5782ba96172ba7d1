// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_TEST_MULTIMATCH_PROBLEMS_HPP
#define OPENCV_TEST_MULTIMATCH_PROBLEMS_HPP

#include "test_precomp.hpp"

#include <map>
#include <set>

namespace opencv_test {

//! Views of a plane scene with known correspondences.
struct SyntheticViews
{
    std::vector<std::vector<KeyPoint>> keypoints;
    std::vector<Mat> descriptors;
    std::vector<std::vector<int>> labels; //!< true point, -1: outlier

    int viewCount() const { return static_cast<int>(keypoints.size()); }

    std::vector<Mat> points() const
    {
        std::vector<Mat> result;
        for (size_t v = 0; v < keypoints.size(); ++v)
        {
            Mat_<float> x(static_cast<int>(keypoints[v].size()), 2);
            for (int p = 0; p < x.rows; ++p)
            {
                x(p, 0) = keypoints[v][p].pt.x;
                x(p, 1) = keypoints[v][p].pt.y;
            }
            result.push_back(x);
        }
        return result;
    }
};

struct SyntheticParams
{
    int views, universe, visible, outliers, width;
    double noise; //!< of each descriptor coordinate, true descriptors being unit Gaussian
    bool binary;  //!< CV_8U descriptors; noise is then the share of flipped bits
    unsigned seed;

    SyntheticParams()
        : views(8), universe(40), visible(30), outliers(6), width(32), noise(0.2), binary(false),
          seed(1)
    {
    }
};

inline Mat randomDescriptor(const SyntheticParams& params, RNG& rng)
{
    Mat d(1, params.width, params.binary ? CV_8U : CV_32F);
    if (params.binary)
        rng.fill(d, RNG::UNIFORM, 0, 256);
    else
        rng.fill(d, RNG::NORMAL, 0, 1);
    return d;
}

inline Mat disturbed(const Mat& descriptor, const SyntheticParams& params, RNG& rng)
{
    Mat d = descriptor.clone();
    if (params.binary)
    {
        for (int c = 0; c < d.cols; ++c)
            for (int bit = 0; bit < 8; ++bit)
                if (rng.uniform(0., 1.) < params.noise)
                    d.at<uchar>(c) = static_cast<uchar>(d.at<uchar>(c) ^ (1 << bit));
    }
    else
    {
        Mat noise(d.size(), CV_32F);
        rng.fill(noise, RNG::NORMAL, 0, params.noise);
        d += noise;
    }
    return d;
}

inline SyntheticViews makeViews(const SyntheticParams& params)
{
    RNG rng(params.seed);
    std::vector<Point2f> place;
    Mat descriptors;
    for (int u = 0; u < params.universe; ++u)
    {
        place.push_back(Point2f(rng.uniform(0.f, 600.f), rng.uniform(0.f, 400.f)));
        descriptors.push_back(randomDescriptor(params, rng));
    }
    SyntheticViews views;
    for (int v = 0; v < params.views; ++v)
    {
        std::vector<int> seen(static_cast<size_t>(params.universe));
        std::iota(seen.begin(), seen.end(), 0);
        for (int u = params.universe - 1; u > 0; --u)
            std::swap(seen[u], seen[rng.uniform(0, u + 1)]);
        seen.resize(params.visible);
        for (int o = 0; o < params.outliers; ++o)
            seen.insert(seen.begin() + rng.uniform(0, static_cast<int>(seen.size()) + 1), -1);
        const float angle = rng.uniform(-0.1f, 0.1f), scale = rng.uniform(0.9f, 1.1f);
        const Point2f shift(rng.uniform(-50.f, 50.f), rng.uniform(-50.f, 50.f));
        std::vector<KeyPoint> keypoints;
        Mat rows;
        for (size_t s = 0; s < seen.size(); ++s)
        {
            Point2f x(rng.uniform(0.f, 600.f), rng.uniform(0.f, 400.f));
            Mat d = seen[s] < 0 ? randomDescriptor(params, rng)
                                : disturbed(descriptors.row(seen[s]), params, rng);
            if (seen[s] >= 0)
            {
                const Point2f y = place[seen[s]];
                x = Point2f(scale * (std::cos(angle) * y.x - std::sin(angle) * y.y),
                            scale * (std::sin(angle) * y.x + std::cos(angle) * y.y)) +
                    shift;
                x += Point2f(static_cast<float>(rng.gaussian(1)),
                             static_cast<float>(rng.gaussian(1)));
            }
            keypoints.push_back(KeyPoint(x, 5.f, 20.f));
            rows.push_back(d);
        }
        views.keypoints.push_back(keypoints);
        views.descriptors.push_back(rows);
        views.labels.push_back(seen);
    }
    return views;
}

//! Same views in another order, points shuffled inside each; to[v] receives the view's new place.
inline SyntheticViews shuffledViews(const SyntheticViews& views, unsigned seed,
                                    std::vector<int>& viewTo,
                                    std::vector<std::vector<int>>& pointTo)
{
    RNG rng(seed);
    const int k = views.viewCount();
    viewTo.resize(k);
    std::iota(viewTo.begin(), viewTo.end(), 0);
    for (int v = k - 1; v > 0; --v)
        std::swap(viewTo[v], viewTo[rng.uniform(0, v + 1)]);
    SyntheticViews result;
    result.keypoints.resize(k);
    result.descriptors.resize(k);
    result.labels.resize(k);
    pointTo.resize(k);
    for (int v = 0; v < k; ++v)
    {
        const int n = static_cast<int>(views.keypoints[v].size());
        std::vector<int>& to = pointTo[v];
        to.resize(n);
        std::iota(to.begin(), to.end(), 0);
        for (int p = n - 1; p > 0; --p)
            std::swap(to[p], to[rng.uniform(0, p + 1)]);
        const size_t w = static_cast<size_t>(viewTo[v]);
        const Mat& from = views.descriptors[v];
        result.keypoints[w].resize(n);
        result.labels[w].resize(n);
        result.descriptors[w] = Mat(from.size(), from.type());
        for (int p = 0; p < n; ++p)
        {
            const int q = to[p];
            result.keypoints[w][q] = views.keypoints[v][p];
            result.labels[w][q] = views.labels[v][p];
            from.row(p).copyTo(result.descriptors[w].row(q));
        }
    }
    return result;
}

//! Tracks as sets of (view, point): what counts when ids are only names.
inline std::set<std::vector<std::pair<int, int>>> partition(const multimatch::Tracks& tracks)
{
    std::set<std::vector<std::pair<int, int>>> result;
    for (int t = 0; t < tracks.size(); ++t)
    {
        std::vector<std::pair<int, int>> members;
        const std::vector<multimatch::Observation> observations = tracks.track(t);
        for (size_t o = 0; o < observations.size(); ++o)
            members.push_back(std::make_pair(observations[o].view, observations[o].point));
        result.insert(members);
    }
    return result;
}

//! The same partition with views and points renumbered.
inline std::set<std::vector<std::pair<int, int>>>
renumbered(const std::set<std::vector<std::pair<int, int>>>& tracks, const std::vector<int>& viewTo,
           const std::vector<std::vector<int>>& pointTo)
{
    std::set<std::vector<std::pair<int, int>>> result;
    std::set<std::vector<std::pair<int, int>>>::const_iterator track;
    for (track = tracks.begin(); track != tracks.end(); ++track)
    {
        std::vector<std::pair<int, int>> members;
        for (size_t o = 0; o < track->size(); ++o)
        {
            const size_t v = static_cast<size_t>((*track)[o].first),
                         p = static_cast<size_t>((*track)[o].second);
            members.push_back(std::make_pair(viewTo[v], pointTo[v][p]));
        }
        std::sort(members.begin(), members.end());
        result.insert(members);
    }
    return result;
}

//! No id twice in a view; ids 0 .. size() - 1 all used and ordered by their first observation.
inline void expectConsistent(const multimatch::Tracks& tracks)
{
    int next = 0;
    for (int v = 0; v < tracks.viewCount(); ++v)
    {
        const std::vector<int> ids = tracks.trackIds(v);
        std::set<int> seen;
        for (size_t p = 0; p < ids.size(); ++p)
        {
            ASSERT_LT(ids[p], tracks.size());
            if (ids[p] < 0)
                continue;
            EXPECT_TRUE(seen.insert(ids[p]).second) << "id " << ids[p] << " twice in view " << v;
            EXPECT_LE(ids[p], next) << "ids are not numbered by first observation";
            next = std::max(next, ids[p] + 1);
        }
    }
    EXPECT_EQ(next, tracks.size());
}

//! Objective per iteration never falls, up to rounding.
inline void expectMonotone(const std::vector<double>& objective)
{
    ASSERT_FALSE(objective.empty());
    for (size_t i = 1; i < objective.size(); ++i)
        EXPECT_GE(objective[i], objective[i - 1] - 1e-9 * std::abs(objective[i - 1]))
            << "iteration " << i;
}

//! Message of the cv::Exception that a call throws; empty where it throws none.
template<typename Call>
std::string errorOf(const Call& call)
{
    try
    {
        call();
    }
    catch (const cv::Exception& e)
    {
        return e.what();
    }
    return std::string();
}

//! Folder of the real data sets, or "" where MULTIMATCH_TEST_DATA is unset (tests then say that
//! they did not run).
inline std::string testData()
{
    const char* folder = std::getenv("MULTIMATCH_TEST_DATA");
    if (!folder)
        std::cout << "[  SKIPPED ] MULTIMATCH_TEST_DATA is not set, so this test did not run"
                  << std::endl;
    return folder ? folder : "";
}

} // namespace opencv_test

#define EXPECT_ERROR(statement, part)                                                              \
    do                                                                                             \
    {                                                                                              \
        const std::string message = opencv_test::errorOf([&]() { statement; });                    \
        EXPECT_NE(message.find(part), std::string::npos)                                           \
            << "expected \"" << (part) << "\" in: " << message;                                    \
    } while (false)

#endif
