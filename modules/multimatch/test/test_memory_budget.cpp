// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

#include "opencv2/multimatch/detail/offsets.hpp"

#include <cstdlib>

namespace opencv_test { namespace {

using namespace cv::multimatch;

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

}} // namespace opencv_test
