// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Usage: tutorial_ten_lines PICTURE_TO_WRITE IMAGE IMAGE...
// Computes tracks of all images and the matches of the first and the last image, and draws the
// tracks.

#include <opencv2/imgcodecs.hpp>
#include <opencv2/opencv_modules.hpp>
#ifdef HAVE_OPENCV_FEATURES2D
//! [includes]
#include <opencv2/features2d.hpp> // opencv2/features.hpp in OpenCV 5
#include <opencv2/multimatch.hpp>
//! [includes]
#else
#include <opencv2/features.hpp>
#include <opencv2/multimatch.hpp>
#endif

#include <cstdio>

int main(int argc, char** argv)
{
    if (argc < 4)
    {
        std::fprintf(stderr, "Usage: tutorial_ten_lines PICTURE_TO_WRITE IMAGE IMAGE...\n");
        return 1;
    }
    std::vector<cv::Mat> images;
    for (int i = 2; i < argc; ++i)
    {
        images.push_back(cv::imread(argv[i]));
        if (images.back().empty())
        {
            std::fprintf(stderr, "tutorial_ten_lines: cannot read %s\n", argv[i]);
            return 1;
        }
    }

    const int last = static_cast<int>(images.size()) - 1;
    //! [match]
    cv::Ptr<cv::SIFT> sift = cv::SIFT::create(3000);
    std::vector<std::vector<cv::KeyPoint>> keypoints(images.size());
    std::vector<cv::Mat> descriptors(images.size());
    for (size_t i = 0; i < images.size(); ++i)
        sift->detectAndCompute(images[i], cv::noArray(), keypoints[i], descriptors[i]);

    cv::multimatch::Tracks tracks = cv::multimatch::HiPPI::create()->match(keypoints, descriptors);
    //! [match]
    //! [pair]
    std::vector<cv::DMatch> matches = tracks.matches(0, last);
    //! [pair]
    std::printf("%d tracks; %d matches of the first and the last view\n", tracks.size(),
                static_cast<int>(matches.size()));

    //! [many]
    cv::Ptr<cv::multimatch::HiPPI> matcher = cv::multimatch::HiPPI::create();
    matcher->setPairs(cv::multimatch::retrievePairs(descriptors, 20));
    //! [many]
    if (images.size() > 100)
        tracks = matcher->match(keypoints, descriptors);

    //! [observations]
    for (int id = 0; id < std::min(3, tracks.size()); ++id)
    {
        std::printf("track %d in views", id);
        for (const cv::multimatch::Observation& o : tracks.track(id))
            std::printf("  %d (%.0f, %.0f)", o.view, keypoints[o.view][o.point].pt.x,
                        keypoints[o.view][o.point].pt.y);
        std::printf("\n");
    }
    //! [observations]

    //! [draw]
    cv::multimatch::DrawTracksParams params;
    params.maxTracks = 40;
    params.unmatchedPoints = false;
    cv::Mat picture;
    cv::multimatch::drawTracks(images, keypoints, tracks, picture, params);
    cv::imwrite(argv[1], picture);
    //! [draw]
    return 0;
}
