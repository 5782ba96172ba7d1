// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_TEST_MULTIMATCH_PEERS_HPP
#define OPENCV_TEST_MULTIMATCH_PEERS_HPP

#include "test_problems.hpp"

namespace opencv_test {

using namespace cv::multimatch;

//! (view, point, view, point) of all matches.
inline std::set<std::vector<int>> matchSet(const std::vector<PairMatches>& pairs)
{
    std::set<std::vector<int>> result;
    for (size_t i = 0; i < pairs.size(); ++i)
        for (size_t t = 0; t < pairs[i].matches.size(); ++t)
        {
            const DMatch& match = pairs[i].matches[t];
            const int entry[] = {pairs[i].first, match.queryIdx, pairs[i].second, match.trainIdx};
            EXPECT_TRUE(result.insert(std::vector<int>(entry, entry + 4)).second);
        }
    return result;
}

inline std::set<std::vector<int>> matchSet(const Tracks& tracks)
{
    std::vector<PairMatches> pairs;
    for (int i = 0; i < tracks.viewCount(); ++i)
        for (int j = i + 1; j < tracks.viewCount(); ++j)
            pairs.push_back(PairMatches(i, j, tracks.matches(i, j)));
    return matchSet(pairs);
}

inline std::set<std::vector<int>> matchSet(MultiMatcher& matcher, const SyntheticViews& views)
{
    PairwiseMatcher* pairwise = dynamic_cast<PairwiseMatcher*>(&matcher);
    return pairwise ? matchSet(pairwise->matchPairs(views.keypoints, views.descriptors))
                    : matchSet(matcher.match(views.keypoints, views.descriptors));
}

} // namespace opencv_test

#endif
