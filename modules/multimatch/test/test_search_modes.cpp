// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_search.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;
using cv::multimatch::detail::kernelNames;

TEST(Multimatch_Similarity, approximate_search_finds_what_is_alike)
{
    SyntheticParams p;
    p.views = 10;
    p.universe = 400;
    p.visible = 300;
    p.noise = 0.2;
    SyntheticParams binary = p;
    binary.binary = true;
    binary.noise = 0.05;
    for (const SyntheticViews& views : {makeViews(p), makeViews(binary)})
    {
        const NeighborGraph exact = findNeighbors(views.descriptors, 1);
        const NeighborGraph graph =
            findNeighbors(views.descriptors, 1, noArray(), 0, SEARCH_APPROXIMATE);
        graph.distances.validate("distances");
        EXPECT_TRUE(graph.distances.isSymmetric());
        EXPECT_EQ(exact.ownDistance, graph.ownDistance);
        std::vector<int> labels, view;
        for (size_t v = 0; v < views.labels.size(); ++v)
        {
            labels.insert(labels.end(), views.labels[v].begin(), views.labels[v].end());
            view.resize(labels.size(), static_cast<int>(v));
        }
        double matches = 0, found = 0;
        for (int a = 0; a < graph.distances.rows; ++a)
        {
            for (size_t e = graph.distances.offsets[a]; e < graph.distances.offsets[a + 1]; ++e)
            {
                const int b = graph.distances.columns[e];
                ASSERT_NE(view[a], view[b]);
                const Mat x = views.descriptors[view[a]].row(a % 306),
                          y = views.descriptors[view[b]].row(b % 306);
                EXPECT_NEAR(cv::norm(x, y, defaultNorm(views.descriptors)),
                            graph.distances.values[e], 1e-4);
            }
            for (size_t e = exact.distances.offsets[a]; e < exact.distances.offsets[a + 1]; ++e)
            {
                const int b = exact.distances.columns[e];
                const bool match = labels[a] >= 0 && labels[a] == labels[b];
                matches += match;
                found += match && graph.distances.at(a, b) > 0;
            }
        }
        EXPECT_GT(found, 0.9 * matches) << "of " << matches;
    }
}

TEST(Multimatch_Similarity, approximate_search_is_deterministic_and_keeps_to_the_pairs)
{
    SyntheticParams p;
    p.views = 6;
    p.universe = 300;
    p.visible = 200;
    const std::vector<Mat> descriptors = makeViews(p).descriptors;
    const Mat pairs = (Mat_<int>(3, 2) << 0, 1, 1, 2, 5, 0);
    const NeighborGraph graph = findNeighbors(descriptors, 2, pairs, 0, SEARCH_APPROXIMATE);
    const int threads = getNumThreads();
    for (int t = 1; t <= 3; ++t)
    {
        setNumThreads(t);
        expectEqual(graph, findNeighbors(descriptors, 2, pairs, 0, SEARCH_APPROXIMATE));
    }
    setNumThreads(threads);
    std::set<std::pair<int, int>> compared;
    const int size = p.visible + p.outliers;
    for (int a = 0; a < graph.distances.rows; ++a)
        for (size_t e = graph.distances.offsets[a]; e < graph.distances.offsets[a + 1]; ++e)
            compared.insert(std::minmax(a / size, graph.distances.columns[e] / size));
    const std::set<std::pair<int, int>> expected = {{0, 1}, {1, 2}, {0, 5}};
    EXPECT_EQ(expected, compared);
    EXPECT_EQ(
        0, findNeighbors(std::vector<Mat>(3), 1, noArray(), 0, SEARCH_APPROXIMATE).distances.rows);
    EXPECT_ERROR(findNeighbors(descriptors, 2, pairs, 0, 3), "searchMode is 3, expected");
}

//! Two large views of the same points in different order, with noise, and a small one.
struct LargeViews
{
    std::vector<Mat> descriptors;
    std::vector<int> partner; //!< in the second view of each point of the first

    explicit LargeViews(int points, int type)
    {
        RNG rng(21);
        Mat first(points, 32, CV_8U), noise(points, 32, CV_8U);
        rng.fill(first, RNG::UNIFORM, 0, 200);
        rng.fill(noise, RNG::UNIFORM, 0, 20);
        for (int p = 0; p < points; ++p)
            partner.push_back(p);
        for (int p = points - 1; p > 0; --p)
            std::swap(partner[p], partner[rng.uniform(0, p + 1)]);
        Mat second(points, 32, CV_8U);
        for (int p = 0; p < points; ++p)
            second.row(partner[p]) = first.row(p) + noise.row(p);
        const double scale = type == CV_32F ? 1 / 300. : 1; // fractions
        for (const Mat& view : {first, second, Mat(first.rowRange(0, 50))})
        {
            descriptors.push_back(Mat());
            view.convertTo(descriptors.back(), type, scale);
        }
    }
};

TEST(Multimatch_Similarity, large_views_are_compared_by_cells)
{
    const int points = 9500;
    for (int type : {CV_8U, CV_32F})
    {
        const LargeViews views(points, type);
        const NeighborGraph graph = findNeighbors(views.descriptors, 1, noArray(), NORM_L2);
        graph.distances.validate("distances");
        EXPECT_TRUE(graph.distances.isSymmetric());
        int found = 0;
        for (int p = 0; p < points; ++p)
            found += graph.distances.at(p, points + views.partner[p]) > 0;
        EXPECT_GE(found, 0.99 * points);
        // Whatever was found has its exact distance.
        for (int p = 0; p < points; p += 100)
            for (size_t e = graph.distances.offsets[p]; e < graph.distances.offsets[p + 1]; ++e)
            {
                const int q = graph.distances.columns[e] - points;
                if (q >= points)
                    continue;
                ASSERT_NEAR(cv::norm(views.descriptors[0].row(p), views.descriptors[1].row(q)),
                            graph.distances.values[e], 1e-4 * graph.distances.values[e]);
            }
        // The small view is still compared with all points.
        const NeighborGraph exact =
            findNeighbors(views.descriptors, 1, noArray(), NORM_L2, SEARCH_EXACT);
        int own = 0;
        for (int p = 0; p < points; ++p)
        {
            const size_t i = static_cast<size_t>(p);
            EXPECT_GE(graph.ownDistance[i], exact.ownDistance[i]);
            own += graph.ownDistance[i] == exact.ownDistance[i];
        }
        EXPECT_GT(own, points / 2);
        for (int p = 2 * points; p < 2 * points + 50; ++p)
        {
            const size_t i = static_cast<size_t>(p);
            EXPECT_EQ(exact.ownDistance[i], graph.ownDistance[i]);
            for (size_t e = exact.distances.offsets[i]; e < exact.distances.offsets[i + 1]; ++e)
                EXPECT_EQ(exact.distances.values[e],
                          graph.distances.at(p, exact.distances.columns[e]));
        }
        EXPECT_LT(own, points) << "nothing was left out";
    }
}

TEST(Multimatch_Similarity, search_by_cells_depends_on_neither_threads_nor_processor_nor_order)
{
    for (int type : {CV_8U, CV_32F})
    {
        const LargeViews views(9100, type);
        const NeighborGraph graph = findNeighbors(views.descriptors, 2, noArray(), NORM_L2);
        const int threads = getNumThreads();
        setNumThreads(1);
        for (const String& name : kernelNames())
        {
            const WithKernels kernels(name);
            expectEqual(graph, findNeighbors(views.descriptors, 2, noArray(), NORM_L2));
        }
        setNumThreads(threads);
        // Points of the first view from the last to the first.
        std::vector<Mat> mirrored = views.descriptors;
        flip(views.descriptors[0], mirrored[0], 0);
        const NeighborGraph again = findNeighbors(mirrored, 2, noArray(), NORM_L2);
        for (int p = 0; p < 9100; ++p)
        {
            const int q = 9099 - p;
            ASSERT_EQ(
                std::vector<int>(graph.distances.columns.begin() + graph.distances.offsets[p],
                                 graph.distances.columns.begin() + graph.distances.offsets[p + 1]),
                std::vector<int>(again.distances.columns.begin() + again.distances.offsets[q],
                                 again.distances.columns.begin() + again.distances.offsets[q + 1]))
                << p;
        }
    }
}

TEST(Multimatch_Similarity, small_views_are_compared_exactly_unless_asked_otherwise)
{
    SyntheticParams p;
    p.views = 3;
    const std::vector<Mat> descriptors = makeViews(p).descriptors;
    EXPECT_EQ(SEARCH_AUTO, HiPPI::create()->getSearchMode());
    expectEqual(findNeighbors(descriptors, 2, noArray(), 0, SEARCH_EXACT),
                findNeighbors(descriptors, 2));
}

TEST(Multimatch_Similarity, matchers_search_approximately)
{
    SyntheticParams p;
    p.views = 10;
    p.universe = 200;
    p.visible = 150;
    const SyntheticViews views = makeViews(p);
    Ptr<HiPPI> matcher = HiPPI::create();
    matcher->setSearchMode(SEARCH_APPROXIMATE);
    const Tracks tracks = matcher->match(views.keypoints, views.descriptors);
    expectConsistent(tracks);
    EXPECT_GT(scoreTracks(tracks, views.labels).fscore(), 0.9);
}

TEST(Multimatch_Similarity, search_reports_its_progress_and_can_be_stopped)
{
    SyntheticParams p;
    p.views = 6;
    p.universe = 2000;
    p.visible = 1500;
    const SyntheticViews views = makeViews(p);
    for (int mode : {SEARCH_EXACT, SEARCH_APPROXIMATE, SEARCH_AUTO})
    {
        Ptr<UnionFind> matcher = UnionFind::create();
        matcher->setSearchMode(mode);
        double last = 0;
        matcher->setProgressCallback([&](const Progress& progress) {
            if (progress.stage != std::string("neighbors"))
                return true;
            EXPECT_GE(progress.fraction, last);
            EXPECT_LE(progress.fraction, 1);
            last = progress.fraction;
            return true;
        });
        const Tracks whole = matcher->match(views.keypoints, views.descriptors);
        EXPECT_FALSE(whole.report().cancelled);
        matcher->setProgressCallback([&](const Progress&) { return false; });
        const Tracks stopped = matcher->match(views.keypoints, views.descriptors);
        EXPECT_TRUE(stopped.report().cancelled);
        EXPECT_EQ(0, stopped.size()) << "no pair was compared";
    }
}

}} // namespace opencv_test
