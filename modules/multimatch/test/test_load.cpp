// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_problems.hpp"

#include "opencv2/multimatch/peers.hpp"

#include <fstream>
#include <thread>

// GCC defines macros, Clang has features.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

namespace opencv_test { namespace {

using namespace cv::multimatch;

Ptr<MultiMatcher> hippi(int mode)
{
    HiPPIParams params;
    params.mode = mode;
    return HiPPI::create(params);
}

//! One matcher for each of eight threads.
std::vector<Ptr<MultiMatcher>> eightMatchers()
{
    return {hippi(HIPPI_PARTIAL),  hippi(HIPPI_COMPLETE), hippi(HIPPI_LITERAL),
            GuidedHiPPI::create(), UnionFind::create(),   Kruskal::create(),
            QuickMatch::create(),  MatchEig::create()};
}

SyntheticViews someViews()
{
    SyntheticParams p;
    p.views = 5;
    return makeViews(p);
}

TEST(Multimatch_Load, eight_matchers_at_once)
{
    const SyntheticViews views = someViews();
    std::vector<Ptr<MultiMatcher>> matchers = eightMatchers();
    std::vector<Tracks> expected;
    for (const Ptr<MultiMatcher>& matcher : matchers)
        expected.push_back(matcher->match(views.keypoints, views.descriptors));
    matchers = eightMatchers();
    std::vector<Tracks> found(matchers.size());
    std::vector<std::string> errors(matchers.size());
    std::vector<std::thread> threads;
    for (size_t n = 0; n < matchers.size(); ++n)
        threads.push_back(std::thread([&, n]() {
            try
            {
                for (int repeat = 0; repeat < 2; ++repeat)
                    found[n] = matchers[n]->match(views.keypoints, views.descriptors);
            }
            catch (const std::exception& e)
            {
                errors[n] = e.what();
            }
        }));
    for (std::thread& thread : threads)
        thread.join();
    for (size_t n = 0; n < matchers.size(); ++n)
    {
        EXPECT_EQ("", errors[n]);
        EXPECT_GT(found[n].size(), 0) << matchers[n]->getDefaultName();
        EXPECT_TRUE(found[n] == expected[n]) << matchers[n]->getDefaultName();
    }
}

TEST(Multimatch_Load, tracks_are_read_by_many_threads)
{
    const SyntheticViews views = someViews();
    const Tracks tracks = HiPPI::create()->match(views.keypoints, views.descriptors);
    const TrackStatistics expected = tracks.statistics();
    std::vector<int> observations(8, 0);
    std::vector<std::thread> threads;
    for (size_t n = 0; n < observations.size(); ++n)
        threads.push_back(std::thread([&, n]() {
            const Tracks copy = tracks;
            for (int t = 0; t < copy.size(); ++t)
                observations[n] += static_cast<int>(tracks.track(t).size());
            for (int v = 1; v < copy.viewCount(); ++v)
                if (!copy.matches(0, v).empty() && tracks.filter(3).size() > tracks.size())
                    observations[n] = -1;
        }));
    for (std::thread& thread : threads)
        thread.join();
    for (int count : observations)
        EXPECT_EQ(expected.observations, count);
}

//! Bytes of this process in memory; 0 where the system does not say.
double residentBytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.compare(0, 6, "VmRSS:") == 0)
            return 1024 * std::atof(line.c_str() + 6);
    return 0;
}

TEST(Multimatch_Load, a_thousand_runs_take_no_more_memory)
{
#ifdef SANITIZED
    SKIP_TEST("a sanitizer keeps freed memory; it looks for leaks itself");
#endif
    if (residentBytes() == 0)
        SKIP_TEST("the system does not say how much memory a process has");
    const int RUNS = 1000, MOST_GROWTH = 4 << 20;
    SyntheticParams p;
    p.views = 4;
    p.universe = 15;
    p.visible = 10;
    p.outliers = 2;
    const SyntheticViews views = makeViews(p);
    const std::vector<Ptr<MultiMatcher>> matchers = eightMatchers();
    const auto match = [&](int run) {
        // The matchers stay, as in a program that matches again and again, or are made anew.
        const size_t n = static_cast<size_t>(run) % matchers.size();
        const Ptr<MultiMatcher> matcher = run % 16 < 8 ? matchers[n] : eightMatchers()[n];
        return matcher->match(views.keypoints, views.descriptors).size();
    };
    // Threads get their memory, and the allocator its pages.
    for (int run = 0; run < RUNS / 5; ++run)
        match(run);
    const double before = residentBytes();
    for (int run = 0; run < RUNS; ++run)
        match(run);
    EXPECT_LT(residentBytes() - before, MOST_GROWTH);
}

}} // namespace opencv_test
