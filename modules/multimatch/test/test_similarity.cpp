// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

#include "opencv2/multimatch/detail/kernels.hpp"
#include "opencv2/multimatch/detail/offsets.hpp"

#include <cstdlib>

namespace opencv_test { namespace {

using namespace cv::multimatch;
using cv::multimatch::detail::kernelNames;

int defaultNorm(const std::vector<Mat>& descriptors)
{
    return descriptors[0].type() == CV_8U ? NORM_HAMMING : NORM_L2;
}

//! Searches with the named kernels for as long as it lives.
struct WithKernels
{
    explicit WithKernels(const String& name) { set(name.c_str()); }
    ~WithKernels() { set(""); }

    static void set(const char* name)
    {
#ifdef _WIN32
        _putenv_s("OPENCV_MULTIMATCH_KERNELS", name);
#else
        setenv("OPENCV_MULTIMATCH_KERNELS", name, 1);
#endif
    }
};

//! With OpenCV's optimized code switched off for as long as it lives.
struct PlainCode
{
    PlainCode() { setUseOptimized(false); }
    ~PlainCode() { setUseOptimized(true); }
};

//! k nearest per view and direction by comparing everything with everything.
void expectExactNeighbors(const std::vector<Mat>& descriptors, int k, int normType)
{
    const NeighborGraph graph = findNeighbors(descriptors, k, noArray(), normType);
    graph.distances.validate("distances");
    EXPECT_TRUE(graph.distances.isSymmetric());
    std::vector<int> first(1, 0);
    for (size_t v = 0; v < descriptors.size(); ++v)
        first.push_back(first.back() + descriptors[v].rows);
    std::set<std::pair<int, int>> expected;
    for (size_t i = 0; i < descriptors.size(); ++i)
        for (int p = 0; p < descriptors[i].rows; ++p)
        {
            double own = std::numeric_limits<double>::infinity();
            for (size_t j = 0; j < descriptors.size(); ++j)
            {
                std::vector<std::pair<double, int>> all;
                for (int q = 0; q < descriptors[j].rows; ++q)
                {
                    const double distance =
                        cv::norm(descriptors[i].row(p), descriptors[j].row(q), normType);
                    if (i == j && q != p)
                        own = std::min(own, distance);
                    if (i != j)
                        all.push_back(std::make_pair(distance, q));
                }
                std::sort(all.begin(), all.end());
                for (size_t n = 0; n < std::min(all.size(), static_cast<size_t>(k)); ++n)
                {
                    const int a = first[i] + p, b = first[j] + all[n].second;
                    expected.insert(std::make_pair(a, b));
                    expected.insert(std::make_pair(b, a));
                    EXPECT_NEAR(all[n].first, graph.distances.at(a, b), 1e-4 * (1 + all[n].first));
                }
            }
            EXPECT_NEAR(own, graph.ownDistance[static_cast<size_t>(first[i] + p)],
                        1e-4 * (1 + own));
        }
    EXPECT_EQ(expected.size(), graph.distances.nonZeros());
}

//! With all kernels that the processor can run.
void expectExactNeighbors(const std::vector<Mat>& descriptors, int k)
{
    for (const String& name : kernelNames())
    {
        SCOPED_TRACE(name);
        const WithKernels kernels(name);
        expectExactNeighbors(descriptors, k, defaultNorm(descriptors));
    }
}

void expectEqual(const NeighborGraph& a, const NeighborGraph& b)
{
    EXPECT_EQ(a.ownDistance, b.ownDistance);
    EXPECT_EQ(a.distances.offsets, b.distances.offsets);
    EXPECT_EQ(a.distances.columns, b.distances.columns);
    EXPECT_EQ(a.distances.values, b.distances.values);
}

//! Descriptors of whole numbers from 0 to 255, like SIFT's.
std::vector<Mat> wholeNumbers(const SyntheticParams& params)
{
    std::vector<Mat> descriptors = makeViews(params).descriptors;
    for (size_t v = 0; v < descriptors.size(); ++v)
    {
        Mat bytes;
        descriptors[v].convertTo(bytes, CV_8U, 60, 100);
        bytes.convertTo(descriptors[v], CV_32F);
    }
    return descriptors;
}

std::vector<Mat> asBytes(const std::vector<Mat>& descriptors)
{
    std::vector<Mat> bytes(descriptors.size());
    for (size_t v = 0; v < descriptors.size(); ++v)
        descriptors[v].convertTo(bytes[v], CV_8U);
    return bytes;
}

TEST(Multimatch_Similarity, neighbors_of_float_descriptors_are_exact)
{
    SyntheticParams p;
    p.views = 3;
    p.noise = 0.6;
    p.width = 17;
    expectExactNeighbors(makeViews(p).descriptors, 1);
    expectExactNeighbors(makeViews(p).descriptors, 3);
}

TEST(Multimatch_Similarity, neighbors_across_blocks_are_exact)
{
    SyntheticParams p;
    p.views = 2;
    p.universe = 700;
    p.visible = 600;
    p.noise = 0.6;
    expectExactNeighbors(makeViews(p).descriptors, 2);
}

TEST(Multimatch_Similarity, neighbors_far_from_the_origin_are_exact)
{
    // |a|^2 + |b|^2 - 2 a.b cancels badly here; the distances of the found must not.
    SyntheticParams p;
    p.views = 2;
    p.noise = 0.6;
    std::vector<Mat> descriptors = makeViews(p).descriptors;
    for (size_t v = 0; v < descriptors.size(); ++v)
        descriptors[v] += Scalar(20);
    expectExactNeighbors(descriptors, 1);
}

TEST(Multimatch_Similarity, neighbors_of_nearly_equal_descriptors_are_exact)
{
    // Closer to each other than products can resolve.
    RNG rng(5);
    std::vector<Mat> descriptors(2);
    for (size_t v = 0; v < 2; ++v)
    {
        descriptors[v] = Mat(300, 32, CV_32F, Scalar(3));
        Mat noise(300, 32, CV_32F);
        rng.fill(noise, RNG::NORMAL, 0, 1e-3);
        descriptors[v] += noise;
    }
    expectExactNeighbors(descriptors, 2);
}

TEST(Multimatch_Similarity, neighbors_of_whole_numbers_are_exact)
{
    SyntheticParams p;
    p.views = 3;
    p.noise = 0.6;
    for (int width : {1, 16, 17})
    {
        p.width = width;
        // Ties are frequent in one dimension; with k as large as the view they cannot matter.
        const int k = width == 1 ? 36 : 2;
        const std::vector<Mat> descriptors = wholeNumbers(p), bytes = asBytes(descriptors);
        expectExactNeighbors(descriptors, k);
        expectExactNeighbors(bytes, k, NORM_L2);
        expectEqual(findNeighbors(descriptors, k), findNeighbors(bytes, k, noArray(), NORM_L2));
    }
    // Also beyond what a byte holds: negative ones.
    std::vector<Mat> descriptors = wholeNumbers(p);
    descriptors[0] -= Scalar(255);
    expectExactNeighbors(descriptors, 2);
}

TEST(Multimatch_Similarity, neighbors_of_views_in_several_chunks_are_exact)
{
    RNG rng(3);
    std::vector<Mat> descriptors;
    for (int rows : {2300, 40, 4100})
    {
        descriptors.push_back(Mat(rows, 8, CV_32F));
        rng.fill(descriptors.back(), RNG::UNIFORM, 0, 1);
    }
    // Where everything is compared with everything this would take long: only the largest pair,
    // against BFMatcher's way.
    const Mat pair = Mat_<int>(Matx<int, 1, 2>(0, 2));
    const NeighborGraph graph = findNeighbors(descriptors, 1, pair);
    for (int direction = 0; direction < 2; ++direction)
    {
        const Mat& query = descriptors[direction ? 2 : 0];
        const Mat& train = descriptors[direction ? 0 : 2];
        Mat distances, nearest;
        batchDistance(query, train, distances, CV_32F, nearest, NORM_L2, 1);
        for (int p = 0; p < query.rows; ++p)
        {
            const int a = direction ? 2340 + p : p;
            const int b = direction ? nearest.at<int>(p) : 2340 + nearest.at<int>(p);
            ASSERT_NEAR(distances.at<float>(p), graph.distances.at(a, b), 1e-5);
        }
    }
}

TEST(Multimatch_Similarity, kernels_are_chosen_by_name)
{
    const std::vector<String> names = kernelNames();
    ASSERT_FALSE(names.empty());
    {
        const PlainCode plain;
        EXPECT_EQ(std::vector<String>(1, names.back()), kernelNames());
    }
    const WithKernels unknown("abacus");
    try
    {
        findNeighbors(std::vector<Mat>(2, Mat::eye(3, 3, CV_32F)), 1);
        ADD_FAILURE() << "expected an exception";
    }
    catch (const cv::Exception& e)
    {
        EXPECT_NE(std::string::npos, std::string(e.what()).find("abacus"));
        EXPECT_NE(std::string::npos, std::string(e.what()).find(names.back()));
    }
}

//! The k nearest of each row of query, by distance and then by index.
std::vector<std::vector<int>> referenceNeighbors(const Mat& query, const Mat& train, int k,
                                                 int normType)
{
    std::vector<std::vector<int>> result;
    for (int p = 0; p < query.rows; ++p)
    {
        std::vector<std::pair<double, int>> all;
        for (int q = 0; q < train.rows; ++q)
            all.push_back(std::make_pair(cv::norm(query.row(p), train.row(q), normType), q));
        std::partial_sort(all.begin(), all.begin() + k, all.end());
        result.push_back(std::vector<int>());
        for (int n = 0; n < k; ++n)
            result.back().push_back(all[static_cast<size_t>(n)].second);
    }
    return result;
}

TEST(Multimatch_Similarity, all_kernels_decide_ties_and_extremes_alike)
{
    // Few different distances, and the largest ones there are. 130 and 75 points end in the middle
    // of any tile.
    RNG rng(11);
    const int k = 3;
    for (int width : {1, 3, 4, 33, 128, 160})
        for (int normType : {NORM_L2, NORM_HAMMING})
            for (int top : {2, 256})
            {
                std::vector<Mat> descriptors;
                for (int rows : {130, 75})
                {
                    descriptors.push_back(Mat(rows, width, CV_8U));
                    rng.fill(descriptors.back(), RNG::UNIFORM, 0, top);
                    descriptors.back().row(1).setTo(Scalar(255));
                    descriptors.back().row(2).setTo(Scalar(0));
                    descriptors.back().row(3).setTo(Scalar(255));
                }
                std::set<std::pair<int, int>> expected;
                for (int own = 0; own < 2; ++own)
                {
                    const std::vector<std::vector<int>> found =
                        referenceNeighbors(descriptors[own], descriptors[1 - own], k, normType);
                    for (size_t p = 0; p < found.size(); ++p)
                        for (int q : found[p])
                            expected.insert(own ? std::make_pair(q, static_cast<int>(p))
                                                : std::make_pair(static_cast<int>(p), q));
                }
                for (const String& name : kernelNames())
                {
                    SCOPED_TRACE(cv::format("%s, %d columns, norm %d, below %d", name.c_str(),
                                            width, normType, top));
                    const WithKernels kernels(name);
                    const CsrMatrix found =
                        findNeighbors(descriptors, k, noArray(), normType).distances;
                    std::set<std::pair<int, int>> pairs;
                    for (int p = 0; p < 130; ++p)
                        for (size_t e = found.offsets[p]; e < found.offsets[p + 1]; ++e)
                            pairs.insert(std::make_pair(p, found.columns[e] - 130));
                    ASSERT_EQ(expected, pairs);
                }
            }
}

TEST(Multimatch_Similarity, own_distances_of_several_chunks_are_exact)
{
    RNG rng(4);
    std::vector<Mat> descriptors(2, Mat(4200, 8, CV_32F));
    rng.fill(descriptors[0], RNG::UNIFORM, 0, 1);
    descriptors[1] = descriptors[0].rowRange(0, 1);
    for (const String& name : kernelNames())
    {
        const WithKernels kernels(name);
        const NeighborGraph graph = findNeighbors(descriptors, 1);
        Mat distances, nearest;
        batchDistance(descriptors[0], descriptors[0], distances, CV_32F, nearest, NORM_L2, 2);
        for (int p = 0; p < 4200; ++p)
            ASSERT_NEAR(distances.at<float>(p, 1), graph.ownDistance[static_cast<size_t>(p)], 1e-5)
                << name << " " << p;
    }
}

TEST(Multimatch_Similarity, neighbors_do_not_depend_on_processor_and_threads)
{
    SyntheticParams p;
    p.views = 4;
    p.universe = 300;
    p.visible = 250;
    p.noise = 0.6;
    SyntheticParams binary = p;
    binary.binary = true;
    binary.noise = 0.2;
    const std::vector<Mat> cases[] = {makeViews(p).descriptors, wholeNumbers(p),
                                      makeViews(binary).descriptors};
    const int threads = getNumThreads();
    for (const std::vector<Mat>& descriptors : cases)
    {
        const NeighborGraph graph = findNeighbors(descriptors, 2);
        {
            const PlainCode plain;
            expectEqual(graph, findNeighbors(descriptors, 2));
        }
        for (int t = 1; t <= 3; ++t)
        {
            setNumThreads(t);
            expectEqual(graph, findNeighbors(descriptors, 2));
        }
        setNumThreads(threads);
    }
}

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
            std::swap(partner[static_cast<size_t>(p)],
                      partner[static_cast<size_t>(rng.uniform(0, p + 1))]);
        Mat second(points, 32, CV_8U);
        for (int p = 0; p < points; ++p)
            second.row(partner[static_cast<size_t>(p)]) = first.row(p) + noise.row(p);
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
            found += graph.distances.at(p, points + views.partner[static_cast<size_t>(p)]) > 0;
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

TEST(Multimatch_Similarity, budget_is_kept_or_refused_at_the_start)
{
    SyntheticParams p;
    const SyntheticViews views = makeViews(p);
    for (int mode : {SEARCH_EXACT, SEARCH_APPROXIMATE, SEARCH_AUTO})
    {
        Ptr<UnionFind> matcher = UnionFind::create();
        matcher->setSearchMode(mode);
        matcher->setMemoryBudget(1000);
        bool begun = false;
        matcher->setProgressCallback([&](const Progress& progress) {
            begun = begun || progress.fraction > 0;
            return true;
        });
        EXPECT_ERROR(matcher->match(views.keypoints, views.descriptors), "but the budget is 1000");
        EXPECT_FALSE(begun);
        matcher->setMemoryBudget(1e9);
        EXPECT_GT(matcher->match(views.keypoints, views.descriptors).size(), 0);
        EXPECT_ERROR(matcher->setMemoryBudget(-1), "memory budget is -1");
    }
}

//! The least budget that a matcher accepts, as its error says.
double neededBytes(MultiMatcher& matcher, const SyntheticViews& views)
{
    matcher.setMemoryBudget(1);
    const std::string error = errorOf([&] { matcher.match(views.keypoints, views.descriptors); });
    const std::string before = "may need ";
    const size_t at = error.find(before);
    return at == std::string::npos ? 0 : std::atof(error.c_str() + at + before.size());
}

TEST(Multimatch_Similarity, budget_of_hippi_covers_what_follows_the_search)
{
    SyntheticParams p;
    p.universe = 500;
    p.visible = 400;
    const SyntheticViews views = makeViews(p);
    Ptr<UnionFind> search = UnionFind::create();
    const double enoughForSearch = neededBytes(*search, views);
    ASSERT_GT(enoughForSearch, 0);
    search->setMemoryBudget(enoughForSearch);
    EXPECT_GT(search->match(views.keypoints, views.descriptors).size(), 0);
    Ptr<HiPPI> matcher = HiPPI::create();
    matcher->setMemoryBudget(enoughForSearch);
    EXPECT_ERROR(matcher->match(views.keypoints, views.descriptors), "but the budget is");
    matcher->setMemoryBudget(neededBytes(*matcher, views));
    EXPECT_GT(matcher->match(views.keypoints, views.descriptors).size(), 0);
}

TEST(Multimatch_Similarity, offsets_exceed_32_bits)
{
    std::vector<size_t> offsets = {0, std::numeric_limits<size_t>::max(), 1};
    EXPECT_THROW(multimatch::detail::countsToOffsets(offsets), cv::Exception);

    const size_t many = static_cast<size_t>(1) << 31;
    if (many > std::numeric_limits<size_t>::max() / 4)
        return; // addresses of 32 bits
    offsets = {0, many, 0, many, 5};
    multimatch::detail::countsToOffsets(offsets);
    EXPECT_EQ(std::vector<size_t>({0, many, many, 2 * many, 2 * many + 5}), offsets);
    // A part behind rows that are complete.
    offsets = {0, many - 1, many, many};
    multimatch::detail::countsToOffsets(offsets, 1, 3);
    EXPECT_EQ(std::vector<size_t>({0, many - 1, 2 * many - 1, 3 * many - 1}), offsets);
}

TEST(Multimatch_Similarity, budget_counts_neighbors_beyond_32_bits)
{
    // 50,000^2 is more than 2^31, and so is the number of bytes of far fewer neighbors.
    const int points = 50000;
    SyntheticViews views;
    views.keypoints.assign(2, std::vector<KeyPoint>(static_cast<size_t>(points), KeyPoint()));
    views.descriptors.assign(2, Mat(points, 1, CV_8U, Scalar::all(0)));
    HiPPIParams params;
    params.neighbors = points;
    const Ptr<HiPPI> matcher = HiPPI::create(params);
    const double edge = sizeof(int) + sizeof(float), edges = static_cast<double>(points) * points;
    EXPECT_GT(neededBytes(*matcher, views), 2 * edge * edges);
}

TEST(Multimatch_Similarity, search_tells_its_progress_and_stops_when_asked)
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

TEST(Multimatch_Similarity, norm_must_fit_the_descriptors)
{
    SyntheticParams p;
    p.views = 2;
    const std::vector<Mat> descriptors = makeViews(p).descriptors;
    EXPECT_ERROR(findNeighbors(descriptors, 1, noArray(), NORM_HAMMING),
                 "normType is NORM_HAMMING but descriptors have the type CV_32FC1");
    EXPECT_ERROR(findNeighbors(descriptors, 1, noArray(), NORM_L1), "normType is 2, expected");
    EXPECT_ERROR(HiPPI::create()->setNormType(NORM_INF), "normType is 1, expected");
}

TEST(Multimatch_Similarity, matchers_take_bytes_as_numbers)
{
    SyntheticParams p;
    p.noise = 0.2;
    const SyntheticViews views = makeViews(p);
    const std::vector<Mat> descriptors = wholeNumbers(p);
    const Tracks expected = HiPPI::create()->match(views.keypoints, descriptors);
    Ptr<HiPPI> matcher = HiPPI::create();
    matcher->setNormType(NORM_L2);
    // Rows of equal content are sorted alike in both types only by chance, so that ids may differ.
    EXPECT_EQ(partition(expected),
              partition(matcher->match(views.keypoints, asBytes(descriptors))));
}

TEST(Multimatch_Similarity, neighbors_of_binary_descriptors_are_exact)
{
    SyntheticParams p;
    p.views = 3;
    p.binary = true;
    p.noise = 0.1;
    p.width = 13;
    // Ties are frequent among few bits; with k as large as the view they cannot matter.
    expectExactNeighbors(makeViews(p).descriptors, 36);
    p.width = 61;
    expectExactNeighbors(makeViews(p).descriptors, 36);
}

TEST(Multimatch_Similarity, pairs_restrict_the_search)
{
    SyntheticParams p;
    p.views = 3;
    const NeighborGraph graph =
        findNeighbors(makeViews(p).descriptors, 1, Mat_<int>(Matx<int, 1, 2>(2, 0)));
    const CsrMatrix& d = graph.distances;
    EXPECT_EQ(d.offsets[36], d.offsets[72]) << "view 1 was compared";
    EXPECT_GT(d.offsets[36], 0u);
}

TEST(Multimatch_Similarity, sparse_matrix_from_three_arrays)
{
    const Mat dense = (Mat_<float>(3, 4) << 0, 2, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0);
    const Mat data = (Mat_<double>(1, 3) << 2, 3, 5);
    const Mat indices = (Mat_<int>(3, 1) << 1, 3, 0), indptr = (Mat_<int>(1, 4) << 0, 2, 2, 3);
    const CsrMatrix matrix = CsrMatrix::fromArrays(4, data, indices, indptr);
    EXPECT_EQ(0, cv::norm(matrix.toDense(), dense, NORM_INF));
    EXPECT_EQ(0u, CsrMatrix::fromArrays(2, Mat(), Mat(), Mat_<int>::zeros(1, 3)).nonZeros());
    EXPECT_ERROR(CsrMatrix::fromArrays(3, data, indices, indptr), "column 3 in row 0");
    EXPECT_ERROR(CsrMatrix::fromArrays(4, data, data, indptr), "indices is 1 x 3");
    EXPECT_ERROR(CsrMatrix::fromArrays(4, data, indices, Mat()), "indptr is empty");
    const Mat falling = (Mat_<int>(1, 4) << 0, 9, 2, 3);
    EXPECT_ERROR(CsrMatrix::fromArrays(4, data, indices, falling), "offsets fall after row 1");
}

TEST(Multimatch_Similarity, kernel_is_as_stated)
{
    NeighborGraph graph;
    graph.viewSizes = {2, 1};
    graph.distances =
        CsrMatrix::fromTriplets(3, 3, {0, 2, 1, 2}, {2, 0, 2, 1}, {1.f, 1.f, 2.f, 2.f});
    graph.ownDistance = {4.f, 4.f, std::numeric_limits<float>::infinity()};
    SimilarityParams params;
    params.rhoDen = 0.5f;
    params.cutoff = 0;
    // The lone point of view 1 takes the median of all: every bandwidth is 2.
    const CsrMatrix S = computeSimilarity(graph, params);
    EXPECT_NEAR(std::exp(-1. / 8), S.at(0, 2), 1e-6);
    EXPECT_NEAR(std::exp(-4. / 8), S.at(2, 1), 1e-6);
    EXPECT_TRUE(S.isSymmetric());
    params.weighted = true;
    EXPECT_NEAR(std::log(3.) * std::exp(-1. / 8), computeSimilarity(graph, params).at(0, 2), 1e-6);
    params.weighted = false;
    params.cutoff = 0.7f;
    EXPECT_EQ(2u, computeSimilarity(graph, params).nonZeros());
    params.cutoff = 1;
    EXPECT_ERROR(computeSimilarity(graph, params), "cutoff is 1");
    params = SimilarityParams();
    params.rhoDen = -1;
    EXPECT_ERROR(computeSimilarity(graph, params), "rhoDen is -1");
}

TEST(Multimatch_Similarity, equal_descriptors_in_a_view_do_not_cut_points_off)
{
    Mat a = (Mat_<float>(3, 2) << 0, 0, 0, 0, 10, 0), b = (Mat_<float>(2, 2) << 0.1f, 0, 10, 0.1f);
    const CsrMatrix S = computeSimilarity(findNeighbors(std::vector<Mat>{a, b}, 3));
    for (size_t e = 0; e < S.nonZeros(); ++e)
        EXPECT_TRUE(std::isfinite(S.values[e]));
    EXPECT_GT(S.at(0, 3), 0.f);
    EXPECT_GT(S.at(2, 4), 0.9f);
}

}} // namespace opencv_test
