// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;

const char* const EVERY_MATCHER[] = {"HiPPI",
                                     "GuidedHiPPI",
                                     "Pairwise",
                                     "UnionFind",
                                     "Kruskal",
                                     "QuickMatch",
                                     "Spectral",
                                     "MatchEig",
                                     "MatchALS",
                                     "RandomWalks",
                                     "AlternatingMatching",
                                     "GraduatedConsistency",
                                     "LowRankCoordinates",
                                     "SparseConsistent"};

Ptr<MultiMatcher> createByName(const std::string& name)
{
    if (name == "HiPPI")
        return HiPPI::create();
    if (name == "GuidedHiPPI")
        return GuidedHiPPI::create();
    if (name == "Pairwise")
        return Pairwise::create();
    if (name == "UnionFind")
        return UnionFind::create();
    if (name == "Kruskal")
        return Kruskal::create();
    if (name == "QuickMatch")
        return QuickMatch::create();
    if (name == "Spectral")
        return Spectral::create();
    if (name == "MatchEig")
        return MatchEig::create();
    if (name == "RandomWalks")
        return RandomWalks::create();
    if (name == "AlternatingMatching")
        return AlternatingMatching::create();
    if (name == "GraduatedConsistency")
        return GraduatedConsistency::create();
    if (name == "LowRankCoordinates")
        return LowRankCoordinates::create();
    if (name == "SparseConsistent")
        return SparseConsistent::create();
    return MatchALS::create();
}

//! The text of a file with the matcher in it; ending: the format.
std::string written(const MultiMatcher& matcher, const std::string& ending)
{
    FileStorage out(ending, FileStorage::WRITE | FileStorage::MEMORY);
    out << "matcher"
        << "{";
    matcher.write(out);
    out << "}";
    return out.releaseAndGetString();
}

void readFrom(MultiMatcher& matcher, const std::string& text)
{
    const FileStorage in(text, FileStorage::READ | FileStorage::MEMORY);
    matcher.read(in["matcher"]);
}

class Multimatch_Settings : public testing::TestWithParam<const char*>
{
};

TEST_P(Multimatch_Settings, survive_a_file)
{
    for (const char* ending : {".yml", ".json", ".xml"})
    {
        const Ptr<MultiMatcher> matcher = createByName(GetParam());
        const Mat pairs = (Mat_<int>(3, 2) << 0, 1, 4, 2, 1, 3);
        matcher->setPairs(pairs);
        matcher->setWindow(7);
        matcher->setNormType(cv::NORM_HAMMING);
        matcher->setSearchMode(SEARCH_APPROXIMATE);
        matcher->setMemoryBudget(3e9);
        const std::string text = written(*matcher, ending);

        const Ptr<MultiMatcher> copy = createByName(GetParam());
        readFrom(*copy, text);
        ASSERT_EQ(pairs.size(), copy->getPairs().size()) << ending;
        EXPECT_EQ(0, cv::norm(pairs, copy->getPairs(), cv::NORM_INF)) << ending;
        EXPECT_EQ(7, copy->getWindow()) << ending;
        EXPECT_EQ(cv::NORM_HAMMING, copy->getNormType()) << ending;
        EXPECT_EQ(SEARCH_APPROXIMATE, copy->getSearchMode()) << ending;
        EXPECT_EQ(3e9, copy->getMemoryBudget()) << ending;
        EXPECT_EQ(text, written(*copy, ending));

        // The defaults replace what was set before.
        readFrom(*copy, written(*createByName(GetParam()), ending));
        EXPECT_TRUE(copy->getPairs().empty()) << ending;
        EXPECT_EQ(0, copy->getWindow()) << ending;
        EXPECT_EQ(0, copy->getNormType()) << ending;
    }
}

TEST_P(Multimatch_Settings, that_a_file_does_not_have_stay)
{
    const Ptr<MultiMatcher> matcher = createByName(GetParam());
    matcher->setWindow(3);
    readFrom(*matcher, "%YAML:1.0\n---\nmatcher:\n   normType: 4\n");
    EXPECT_EQ(3, matcher->getWindow());
    EXPECT_EQ(4, matcher->getNormType());
}

TEST_P(Multimatch_Settings, out_of_range_are_named)
{
    const Ptr<MultiMatcher> matcher = createByName(GetParam());
    const std::string head = "%YAML:1.0\n---\nmatcher:\n   ";
    EXPECT_ERROR(readFrom(*matcher, head + "window: -1\n"), "window is -1");
    EXPECT_ERROR(readFrom(*matcher, head + "normType: 99\n"), "normType is 99");
    EXPECT_ERROR(readFrom(*matcher, head + "pairs: [ 0, 1, 2 ]\n"), "pairs has 3 view numbers");
    EXPECT_ERROR(readFrom(*matcher, head + "pairs: [ 1, 1 ]\n"), "pairs row 0 is (1, 1)");
}

INSTANTIATE_TEST_CASE_P(All, Multimatch_Settings, testing::ValuesIn(EVERY_MATCHER));

TEST(Multimatch_Settings, guided_params_survive_a_file)
{
    GuidedParams params;
    params.candidates = 5;
    params.hippi.beta = 0.17f;
    params.hippi.evidence.trackCost = 3.5f;
    params.verification.maxError = 3.5;
    FileStorage out(".yml", FileStorage::WRITE | FileStorage::MEMORY);
    params.write(out);
    const FileStorage in(out.releaseAndGetString(), FileStorage::READ | FileStorage::MEMORY);
    GuidedParams copy;
    copy.read(in.root());
    EXPECT_EQ(5, copy.candidates);
    EXPECT_EQ(0.17f, copy.hippi.beta);
    EXPECT_EQ(3.5f, copy.hippi.evidence.trackCost);
    EXPECT_EQ(3.5, copy.verification.maxError);
}

}} // namespace opencv_test
