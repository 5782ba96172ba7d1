// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

#include "opencv2/multimatch/signatures.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;

//! Views of three scenes in turn: view v shows scene v % 3.
SyntheticViews threeScenes(bool binary)
{
    SyntheticViews scenes[3], mixed;
    for (unsigned s = 0; s < 3; ++s)
    {
        SyntheticParams p;
        p.seed = 10 + s;
        p.views = 5;
        p.binary = binary;
        p.noise = binary ? 0.1 : 0.2;
        scenes[s] = makeViews(p);
    }
    for (size_t v = 0; v < 15; ++v)
    {
        mixed.keypoints.push_back(scenes[v % 3].keypoints[v / 3]);
        mixed.descriptors.push_back(scenes[v % 3].descriptors[v / 3]);
        mixed.labels.push_back(scenes[v % 3].labels[v / 3]);
    }
    return mixed;
}

std::set<std::pair<int, int>> asSet(const Mat& pairs)
{
    std::set<std::pair<int, int>> result;
    for (int r = 0; r < pairs.rows; ++r)
        result.insert(std::make_pair(pairs.at<int>(r, 0), pairs.at<int>(r, 1)));
    return result;
}

class Multimatch_Retrieval : public testing::TestWithParam<bool>
{
};

TEST_P(Multimatch_Retrieval, views_of_one_scene_find_each_other)
{
    const Mat pairs = retrievePairs(threeScenes(GetParam()).descriptors, 4);
    EXPECT_EQ(30, pairs.rows) << "each view has four others of its scene";
    for (int r = 0; r < pairs.rows; ++r)
    {
        EXPECT_LT(pairs.at<int>(r, 0), pairs.at<int>(r, 1));
        EXPECT_EQ(pairs.at<int>(r, 0) % 3, pairs.at<int>(r, 1) % 3);
    }
}

TEST_P(Multimatch_Retrieval, order_and_threads_do_not_matter)
{
    const SyntheticViews views = threeScenes(GetParam());
    std::vector<int> viewTo;
    std::vector<std::vector<int>> pointTo;
    const SyntheticViews shuffled = shuffledViews(views, 3, viewTo, pointTo);
    std::set<std::pair<int, int>> expected;
    for (const std::pair<int, int>& pair : asSet(retrievePairs(views.descriptors, 2)))
        expected.insert(std::minmax(viewTo[pair.first], viewTo[pair.second]));
    const int threads = getNumThreads();
    setNumThreads(1);
    EXPECT_EQ(expected, asSet(retrievePairs(shuffled.descriptors, 2)));
    setNumThreads(threads);
    EXPECT_EQ(expected, asSet(retrievePairs(shuffled.descriptors, 2)));
}

TEST_P(Multimatch_Retrieval, signatures_have_unit_length)
{
    std::vector<Mat> descriptors = threeScenes(GetParam()).descriptors;
    descriptors[4] = Mat();
    const Mat signatures = computeSignatures(descriptors);
    ASSERT_EQ(15, signatures.rows);
    for (int v = 0; v < 15; ++v)
        EXPECT_NEAR(v == 4 ? 0 : 1, cv::norm(signatures.row(v)), 1e-5);
    const std::set<std::pair<int, int>> pairs = asSet(retrievePairs(descriptors, 100));
    EXPECT_EQ(14u * 13 / 2, pairs.size()) << "all pairs but those of the empty view";
    for (const std::pair<int, int>& pair : pairs)
        EXPECT_TRUE(pair.first != 4 && pair.second != 4);
}

INSTANTIATE_TEST_CASE_P(Types, Multimatch_Retrieval, testing::Bool());

TEST(Multimatch_Retrieval_Input, few_or_equal_descriptors_are_no_trouble)
{
    std::vector<Mat> descriptors(3, Mat(5, 8, CV_32F, Scalar(1)));
    EXPECT_EQ(0, retrievePairs(std::vector<Mat>(4), 2).rows);
    EXPECT_LE(retrievePairs(descriptors, 1).rows, 3);
    EXPECT_TRUE(checkRange(computeSignatures(descriptors)));
}

TEST(Multimatch_Retrieval_Input, signatures_of_parts_are_those_of_the_whole)
{
    std::vector<Mat> descriptors;
    RNG rng(5);
    for (int v = 0; v < 6; ++v)
    {
        descriptors.push_back(Mat(v == 2 ? 0 : 90, 16, CV_8U));
        if (!descriptors.back().empty())
            rng.fill(descriptors.back(), RNG::UNIFORM, 0, 256);
    }
    for (int norm : {int(NORM_L2), int(NORM_HAMMING)})
    {
        const Mat words = learnSignatureWords(descriptors, norm);
        EXPECT_EQ(64, words.rows);
        const Mat whole = computeSignatures(descriptors, norm);
        Mat parts;
        for (const Mat& view : descriptors)
            parts.push_back(view.empty()
                                ? Mat(Mat::zeros(1, whole.cols, CV_32F))
                                : signaturesFromWords(std::vector<Mat>(1, view), words, norm));
        EXPECT_EQ(0, cv::norm(whole, parts, NORM_INF));
    }
}

TEST(Multimatch_Retrieval_Input, bad_input_is_named)
{
    const std::vector<Mat> descriptors(3, Mat(5, 8, CV_32F, Scalar(1)));
    EXPECT_ERROR(retrievePairs(descriptors, 0), "count is 0, expected at least 1");
    EXPECT_ERROR(retrievePairs(descriptors, 1, NORM_HAMMING), "normType is NORM_HAMMING");
    EXPECT_ERROR(retrievePairs(std::vector<Mat>(2, Mat(5, 8, CV_64F)), 1), "type CV_64FC1");
    EXPECT_ERROR(signaturesFromWords(descriptors, Mat(64, 9, CV_32F)), "expected 8 columns");
}

}} // namespace opencv_test
