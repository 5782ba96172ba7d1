// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_STITCHING_HPP
#define OPENCV_MULTIMATCH_STITCHING_HPP

/* Between this module and cv::detail's stitching pipeline. Not part of opencv2/multimatch.hpp, so
that the module needs no opencv_stitching: a program that includes this must link it, and
opencv_calib3d. */

#include "opencv2/calib3d.hpp"
#include "opencv2/multimatch/pair_matches.hpp"
#include "opencv2/multimatch/tracks.hpp"
#include "opencv2/stitching/detail/matchers.hpp"

namespace cv { namespace multimatch {

//! @addtogroup multimatch
//! @{

/** @brief The matches of a stitching matcher, ready for MultiMatcher::synchronize.
@param pairwise N x N entries, as cv::detail::FeaturesMatcher fills them
@param inliersOnly only those of the inlier mask; pairs without inliers are left out
Each pair of images is taken once, from the entry with the first image before the second.
MatchesInfo::confidence is not used: it is 0 for images that are nearly equal. */
inline std::vector<PairMatches>
pairMatchesFrom(const std::vector<cv::detail::MatchesInfo>& pairwise, bool inliersOnly = true)
{
    std::vector<PairMatches> result;
    for (size_t n = 0; n < pairwise.size(); ++n)
    {
        const cv::detail::MatchesInfo& info = pairwise[n];
        if (info.src_img_idx < 0 || info.src_img_idx >= info.dst_img_idx)
            continue;
        if (inliersOnly && info.num_inliers == 0)
            continue;
        if (inliersOnly && info.inliers_mask.size() != info.matches.size())
            CV_Error_(Error::StsUnmatchedSizes,
                      ("pairwise[%d] has %d matches but a mask of %d", static_cast<int>(n),
                       static_cast<int>(info.matches.size()),
                       static_cast<int>(info.inliers_mask.size())));
        PairMatches pair(info.src_img_idx, info.dst_img_idx);
        for (size_t m = 0; m < info.matches.size(); ++m)
            if (!inliersOnly || info.inliers_mask[m])
                pair.matches.push_back(info.matches[m]);
        result.push_back(pair);
    }
    return result;
}

/** @brief Tracks as the stitching pipeline takes matches: N x N entries with homographies, masks
and confidences.
@param features of the images, as matched
@param tracks whose matches are wanted
@param maxError of the homographies' inliers, in pixels
@param minInliers pairs with fewer get no homography and the confidence 0
The confidence is that of Brown and Lowe's panoramas, inliers / (8 + 0.3 matches). The homographies
are those of centered pixels, as cv::detail expects them. */
inline std::vector<cv::detail::MatchesInfo>
matchesInfoFrom(const std::vector<cv::detail::ImageFeatures>& features, const Tracks& tracks,
                double maxError = 3, int minInliers = 6)
{
    const int n = static_cast<int>(features.size());
    if (tracks.viewCount() != n)
        CV_Error_(Error::StsUnmatchedSizes,
                  ("there are features of %d images but tracks of %d", n, tracks.viewCount()));
    std::vector<cv::detail::MatchesInfo> pairwise(static_cast<size_t>(n) * n);
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j)
        {
            cv::detail::MatchesInfo& info = pairwise[static_cast<size_t>(i) * n + j];
            info.src_img_idx = i;
            info.dst_img_idx = j;
            info.matches = tracks.matches(i, j);
            std::vector<Point2f> source, target;
            const Point2f halfI(features[i].img_size.width * 0.5f,
                                features[i].img_size.height * 0.5f);
            const Point2f halfJ(features[j].img_size.width * 0.5f,
                                features[j].img_size.height * 0.5f);
            for (size_t m = 0; m < info.matches.size(); ++m)
            {
                source.push_back(features[i].keypoints[info.matches[m].queryIdx].pt - halfI);
                target.push_back(features[j].keypoints[info.matches[m].trainIdx].pt - halfJ);
            }
            info.inliers_mask.assign(info.matches.size(), 0);
            if (static_cast<int>(info.matches.size()) >= minInliers)
                info.H = findHomography(source, target, info.inliers_mask, RANSAC, maxError);
            if (info.inliers_mask.size() != info.matches.size())
                info.inliers_mask.assign(info.matches.size(), 0);
            info.num_inliers = info.H.empty() ? 0 : countNonZero(info.inliers_mask);
            if (info.num_inliers < minInliers)
            {
                info.H.release();
                info.num_inliers = 0;
            }
            info.confidence = info.num_inliers / (8 + 0.3 * info.matches.size());

            cv::detail::MatchesInfo& back = pairwise[static_cast<size_t>(j) * n + i];
            back = info;
            std::swap(back.src_img_idx, back.dst_img_idx);
            if (!info.H.empty())
                back.H = info.H.inv();
            for (size_t m = 0; m < back.matches.size(); ++m)
                std::swap(back.matches[m].queryIdx, back.matches[m].trainIdx);
        }
    return pairwise;
}

//! @}

}} // namespace cv::multimatch

#endif
