// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Usage: tutorial_video PICTURE_TO_WRITE VIDEO [STEP [FRAMES]]
// Computes tracks through a video and draws them as trails on its last frame.

#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "opencv2/multimatch.hpp"
#include "opencv2/opencv_modules.hpp"
#include "opencv2/videoio.hpp"
#ifdef HAVE_OPENCV_FEATURES2D
#include "opencv2/features2d.hpp"
#else
#include "opencv2/features.hpp" // the name since OpenCV 5
#endif

#include <cstdio>
#include <cstdlib>

using namespace cv::multimatch;

int main(int argc, char** argv)
{
    if (argc < 3)
    {
        std::fprintf(stderr, "Usage: tutorial_video PICTURE_TO_WRITE VIDEO [STEP [FRAMES]]\n");
        return 1;
    }
    const int step = argc > 3 ? std::max(1, std::atoi(argv[3])) : 5;
    const size_t maxFrames = argc > 4 ? std::atoi(argv[4]) : 30;

    //! [frames]
    cv::VideoCapture video(argv[2]);
    cv::Ptr<cv::ORB> orb = cv::ORB::create(500);
    std::vector<std::vector<cv::KeyPoint>> keypoints;
    std::vector<cv::Mat> descriptors;
    cv::Mat frame, last;
    for (int number = 0; keypoints.size() < maxFrames && video.read(frame); ++number)
    {
        if (number % step != 0)
            continue;
        keypoints.resize(keypoints.size() + 1);
        descriptors.resize(keypoints.size());
        orb->detectAndCompute(frame, cv::noArray(), keypoints.back(), descriptors.back());
        frame.copyTo(last);
    }
    //! [frames]
    if (keypoints.size() < 2)
    {
        std::fprintf(stderr, "tutorial_video: %s has fewer than two frames to match\n", argv[2]);
        return 1;
    }

    //! [match]
    cv::Ptr<HiPPI> matcher = HiPPI::create();
    matcher->setWindow(4); // compares each frame with the next four
    const Tracks tracks = matcher->match(keypoints, descriptors).filter(3);
    //! [match]

    //! [trails]
    for (int id = 0; id < tracks.size(); ++id)
    {
        std::vector<cv::Point> trail;
        for (const Observation& o : tracks.track(id))
            if (o.view >= tracks.viewCount() - 6) // the latest frames only
                trail.push_back(keypoints[o.view][o.point].pt);
        if (trail.empty())
            continue;
        cv::polylines(last, trail, false, cv::Scalar(0, 160, 255), 1, cv::LINE_AA);
        cv::circle(last, trail.back(), 2, cv::Scalar(60, 220, 60), -1, cv::LINE_AA);
    }
    cv::imwrite(argv[1], last);
    //! [trails]

    const TrackStatistics statistics = tracks.statistics();
    std::printf("%d frames, %d tracks of three frames or more, %.1f frames long on average\n",
                statistics.views, statistics.tracks, statistics.meanLength);
    return 0;
}
