// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_TEST_MULTIMATCH_IO_HPP
#define OPENCV_TEST_MULTIMATCH_IO_HPP

#include "test_problems.hpp"

#include "opencv2/multimatch/io.hpp"

#include "opencv2/core/utils/filesystem.hpp"

#include <fstream>
#include <sstream>

namespace opencv_test {

using namespace cv::multimatch;

//! A folder that is removed after the test.
class TemporaryFolder
{
public:
    TemporaryFolder() : name_(cv::tempfile("_multimatch"))
    {
        cv::utils::fs::createDirectories(name_);
    }
    ~TemporaryFolder() { cv::utils::fs::remove_all(name_); }
    std::string operator/(const std::string& file) const { return name_ + "/" + file; }
    const std::string& name() const { return name_; }
    size_t fileCount() const
    {
        std::vector<cv::String> files;
        cv::utils::fs::glob(name_, "", files, true);
        return files.size();
    }

private:
    std::string name_;
};

inline std::string contentOf(const std::string& file)
{
    std::ifstream in(file.c_str(), std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

inline void writeText(const std::string& file, const std::string& text)
{
    std::ofstream out(file.c_str(), std::ios::binary);
    out << text;
}

//! Four views of 30 points and tracks through them.
struct Scene
{
    std::vector<ViewInfo> views;
    Tracks tracks;

    Scene()
    {
        RNG rng(7);
        std::vector<std::vector<int>> labels(4);
        std::vector<std::vector<float>> confidence(4);
        for (int v = 0; v < 4; ++v)
        {
            ViewInfo view;
            view.name = cv::format("image%d.jpg", v);
            view.size = v == 2 ? Size(480, 640) : Size(640, 480);
            view.focalLength = v == 1 ? 0 : 500 + v;
            std::vector<int> order(30);
            std::iota(order.begin(), order.end(), 0);
            cv::randShuffle(order, 1, &rng);
            for (int p = 0; p < 30; ++p)
            {
                view.keypoints.push_back(KeyPoint(rng.uniform(0.f, 479.f), rng.uniform(0.f, 479.f),
                                                  rng.uniform(2.f, 20.f), rng.uniform(0.f, 359.f)));
                labels[v].push_back(order[p] % 3 == v % 3 ? -1 : order[p]);
                confidence[v].push_back(labels[v][p] < 0 ? 0.f : rng.uniform(0.1f, 1.f));
            }
            views.push_back(view);
        }
        tracks = Tracks(labels, confidence, 2);
    }

    //! Views with what a reader needs to know.
    std::vector<ViewInfo> withoutPoints() const
    {
        std::vector<ViewInfo> result = views;
        for (size_t v = 0; v < result.size(); ++v)
            result[v].keypoints.clear();
        return result;
    }
};

inline void expectSamePoints(const std::vector<ViewInfo>& expected,
                             const std::vector<ViewInfo>& found)
{
    ASSERT_EQ(expected.size(), found.size());
    for (size_t v = 0; v < expected.size(); ++v)
    {
        EXPECT_EQ(expected[v].name, found[v].name);
        ASSERT_EQ(expected[v].keypoints.size(), found[v].keypoints.size());
        for (size_t p = 0; p < expected[v].keypoints.size(); ++p)
        {
            EXPECT_NEAR(expected[v].keypoints[p].pt.x, found[v].keypoints[p].pt.x, 1e-4);
            EXPECT_NEAR(expected[v].keypoints[p].pt.y, found[v].keypoints[p].pt.y, 1e-4);
            EXPECT_NEAR(expected[v].keypoints[p].size, found[v].keypoints[p].size, 1e-4);
            EXPECT_NEAR(expected[v].keypoints[p].angle, found[v].keypoints[p].angle, 1e-3);
        }
    }
}

inline void expectSameMatches(const std::vector<PairMatches>& expected,
                              const std::vector<PairMatches>& found)
{
    ASSERT_EQ(expected.size(), found.size());
    for (size_t n = 0; n < expected.size(); ++n)
    {
        EXPECT_EQ(expected[n].first, found[n].first);
        EXPECT_EQ(expected[n].second, found[n].second);
        ASSERT_EQ(expected[n].matches.size(), found[n].matches.size());
        for (size_t m = 0; m < expected[n].matches.size(); ++m)
        {
            EXPECT_EQ(expected[n].matches[m].queryIdx, found[n].matches[m].queryIdx);
            EXPECT_EQ(expected[n].matches[m].trainIdx, found[n].matches[m].trainIdx);
        }
    }
}

} // namespace opencv_test

#endif
