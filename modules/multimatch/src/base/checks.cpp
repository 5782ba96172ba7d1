// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "checks.hpp"

#include <set>

namespace cv { namespace multimatch {

void checkMatches(const std::vector<PairMatches>& matches, const std::vector<int>& viewSizes,
                  bool eachPairOnce)
{
    const int views = static_cast<int>(viewSizes.size());
    std::set<std::pair<int, int>> seen;
    for (size_t n = 0; n < matches.size(); ++n)
    {
        const int i = matches[n].first, j = matches[n].second;
        if (i < 0 || j < 0 || i >= views || j >= views || i == j)
            CV_Error_(
                Error::StsOutOfRange,
                ("matches[%zu] is of view %d and view %d, expected two different ones below %d", n,
                 i, j, views));
        if (eachPairOnce && !seen.insert(std::minmax(i, j)).second)
            CV_Error_(Error::StsBadArg,
                      ("matches[%zu] is of views %d and %d, expected every pair of views only once",
                       n, i, j));
        for (size_t m = 0; m < matches[n].matches.size(); ++m)
        {
            const DMatch& match = matches[n].matches[m];
            if (match.queryIdx < 0 || match.queryIdx >= viewSizes[i] || match.trainIdx < 0 ||
                match.trainIdx >= viewSizes[j])
                CV_Error_(Error::StsOutOfRange,
                          ("matches[%zu].matches[%zu] is of point %d and point %d, but the views "
                           "have %d and %d points",
                           n, m, match.queryIdx, match.trainIdx, viewSizes[i], viewSizes[j]));
        }
    }
}

void checkSizes(const Tracks& tracks, const std::vector<int>& sizes, const char* name)
{
    if (static_cast<int>(sizes.size()) != tracks.viewCount())
        CV_Error_(Error::StsUnmatchedSizes, ("%s has %zu views but the tracks have %d", name,
                                             sizes.size(), tracks.viewCount()));
    for (int v = 0; v < tracks.viewCount(); ++v)
        if (sizes[v] != tracks.pointCount(v))
            CV_Error_(Error::StsUnmatchedSizes,
                      ("%s[%d] has %d points but view %d of the tracks has %d points", name, v,
                       sizes[v], v, tracks.pointCount(v)));
}

}} // namespace cv::multimatch
