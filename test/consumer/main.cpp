// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Usage: consumer IMAGE IMAGE... prints view, key point and track id of all matched key points.

#include <opencv2/imgcodecs.hpp>
#include <opencv2/opencv_modules.hpp>
#ifdef HAVE_OPENCV_FEATURES2D
#include <opencv2/features2d.hpp>
#else
#include <opencv2/features.hpp>
#endif
#include <opencv2/multimatch.hpp>

#include <cstdio>

int main(int argc, char** argv)
{
    std::vector<cv::Mat> images;
    for (int i = 1; i < argc; ++i)
        images.push_back(cv::imread(argv[i], cv::IMREAD_GRAYSCALE));

    cv::Ptr<cv::SIFT> sift = cv::SIFT::create(1000);
    std::vector<std::vector<cv::KeyPoint>> keypoints(images.size());
    std::vector<cv::Mat> descriptors(images.size());
    for (size_t i = 0; i < images.size(); ++i)
        sift->detectAndCompute(images[i], cv::noArray(), keypoints[i], descriptors[i]);
    const cv::multimatch::Tracks tracks =
        cv::multimatch::HiPPI::create()->match(keypoints, descriptors);

    for (int view = 0; view < tracks.viewCount(); ++view)
    {
        const std::vector<int> ids = tracks.trackIds(view);
        for (size_t point = 0; point < ids.size(); ++point)
            if (ids[point] >= 0)
                std::printf("%d %d %d\n", view, static_cast<int>(point), ids[point]);
    }
    return tracks.empty() ? 1 : 0;
}
