// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

namespace opencv_test { namespace {

using namespace cv::multimatch;

/** Runs once for each stage. The callback returns false once, when the stage begins, and true if it
is called again: one false has to suffice. */
void expectNoCallAfterFalse(MultiMatcher& matcher, const SyntheticViews& views)
{
    std::vector<std::string> stages;
    matcher.setProgressCallback([&](const Progress& progress) {
        if (stages.empty() || stages.back() != progress.stage)
            stages.push_back(progress.stage);
        return true;
    });
    const Tracks whole = matcher.match(views.keypoints, views.descriptors);
    EXPECT_FALSE(whole.report().cancelled);
    ASSERT_GE(stages.size(), 3u);
    for (size_t s = 0; s < stages.size(); ++s)
    {
        int callsAfter = -1;
        matcher.setProgressCallback([&](const Progress& progress) {
            if (callsAfter >= 0)
                ++callsAfter;
            else if (stages[s] == progress.stage)
            {
                callsAfter = 0;
                return false;
            }
            return true;
        });
        const Tracks stopped = matcher.match(views.keypoints, views.descriptors);
        EXPECT_TRUE(stopped.report().cancelled) << stages[s];
        EXPECT_EQ(0, callsAfter) << stages[s];
        EXPECT_EQ(views.viewCount(), stopped.viewCount()) << stages[s];
    }
}

TEST(Multimatch_RunControl, hippi_does_not_call_after_false)
{
    const SyntheticViews views = makeViews(SyntheticParams());
    for (int mode : {HIPPI_PARTIAL, HIPPI_LITERAL, HIPPI_COMPLETE})
    {
        HiPPIParams params;
        params.mode = mode;
        expectNoCallAfterFalse(*HiPPI::create(params), views);
    }
}

TEST(Multimatch_RunControl, guided_hippi_does_not_call_after_false)
{
    expectNoCallAfterFalse(*GuidedHiPPI::create(), makeViews(SyntheticParams()));
}

}} // namespace opencv_test
