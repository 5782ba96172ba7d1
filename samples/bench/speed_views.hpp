// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_SPEED_VIEWS_HPP
#define MULTIMATCH_BENCH_SPEED_VIEWS_HPP

#include "opencv2/multimatch.hpp"

#include "opencv2/opencv_modules.hpp"
#ifdef HAVE_OPENCV_FEATURES2D
#include "opencv2/features2d.hpp"
#else
#include "opencv2/features.hpp" // the name since OpenCV 5
#endif

namespace bench {

struct WarpedViews
{
    std::vector<cv::Mat> images;
    std::vector<cv::Matx33d> homographies; //!< from the photograph to the view
};

//! Views of one photograph under random homographies, with noise. longSide: of the photograph.
WarpedViews warpedViews(int views, int longSide);

struct Features
{
    std::vector<std::vector<cv::KeyPoint>> keypoints;
    std::vector<cv::Mat> descriptors;

    int pointCount() const
    {
        size_t count = 0;
        for (const std::vector<cv::KeyPoint>& view : keypoints)
            count += view.size();
        return int(count);
    }
};

//! At most so many key points of each image, with descriptors.
Features extract(const std::vector<cv::Mat>& images, const cv::Ptr<cv::Feature2D>& detector,
                 int points);

//! RootSIFT: fractions, where SIFT's are whole numbers.
Features rooted(const Features& sift);

} // namespace bench

#endif
