// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_search.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;
using cv::multimatch::detail::kernelNames;

//! With OpenCV's optimized code switched off while it exists.
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
            EXPECT_NEAR(own, graph.ownDistance[first[i] + p], 1e-4 * (1 + own));
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
            result.back().push_back(all[n].second);
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
            ASSERT_NEAR(distances.at<float>(p, 1), graph.ownDistance[p], 1e-5) << name << " " << p;
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

}} // namespace opencv_test
