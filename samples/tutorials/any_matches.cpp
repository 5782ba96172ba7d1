// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Usage: tutorial_any_matches [PHOTOGRAPH]
// Tracks from the matches of a dense matcher, of pairwise matchers, and of pictures alone.

#include "photo_sequence.hpp"

#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "opencv2/multimatch.hpp"
#include "opencv2/opencv_modules.hpp"
#ifdef HAVE_OPENCV_FEATURES2D
#include "opencv2/features2d.hpp"
#else
#include "opencv2/features.hpp" // the name since OpenCV 5
#endif
#ifdef HAVE_OPENCV_VIDEO
#include "opencv2/video/tracking.hpp"
#endif

#include <cstdio>

using namespace cv::multimatch;

namespace {

#ifdef HAVE_OPENCV_VIDEO

// Stands for LoFTR, RoMa or another dense matcher: optical flow at every eighth pixel, checked in
// both directions.
void denseMatcher(const cv::Mat& first, const cv::Mat& second, cv::Mat& mkpts0, cv::Mat& mkpts1,
                  cv::Mat& mconf)
{
    cv::Mat a, b, forward, backward;
    cv::cvtColor(first, a, cv::COLOR_BGR2GRAY);
    cv::cvtColor(second, b, cv::COLOR_BGR2GRAY);
    const cv::Ptr<cv::DISOpticalFlow> dis = cv::DISOpticalFlow::create();
    dis->calc(a, b, forward);
    dis->calc(b, a, backward);
    for (int y = 4; y < a.rows; y += 8)
        for (int x = 4; x < a.cols; x += 8)
        {
            const cv::Point2f from(static_cast<float>(x), static_cast<float>(y));
            const cv::Point2f to = from + forward.at<cv::Point2f>(y, x);
            const cv::Point nearest(cvRound(to.x), cvRound(to.y));
            if (!cv::Rect(cv::Point(), a.size()).contains(nearest))
                continue;
            const double error = cv::norm(to + backward.at<cv::Point2f>(nearest) - from);
            if (error > 1)
                continue;
            mkpts0.push_back(cv::Mat((cv::Mat_<float>(1, 2) << from.x, from.y)));
            mkpts1.push_back(cv::Mat((cv::Mat_<float>(1, 2) << to.x, to.y)));
            mconf.push_back(static_cast<float>(1 - error / 2));
        }
}

void denseTracks(const std::vector<cv::Mat>& images)
{
    const int count = static_cast<int>(images.size());
    //! [coordinates]
    std::vector<CoordinateMatches> dense;
    for (int i = 0; i < count; ++i)
        for (int j = i + 1; j < count; ++j)
        {
            cv::Mat mkpts0, mkpts1, mconf; // N x 2, N x 2 and N
            denseMatcher(images[i], images[j], mkpts0, mkpts1, mconf);
            dense.push_back(CoordinateMatches(i, j, mkpts0, mkpts1, mconf));
        }
    //! [coordinates]

    //! [tracks]
    const ClusteredMatches clustered = clusterMatches(dense);
    const Tracks tracks =
        HiPPI::create()->synchronize(clustered.keypoints, clustered.matches, WEIGHTS_FROM_SCORES);
    const std::vector<std::vector<cv::KeyPoint>> places = refineKeyPoints(clustered, tracks);
    //! [tracks]

    std::printf("dense: %d tracks of %.1f views, key points up to %.1f px wide\n", tracks.size(),
                tracks.statistics().meanLength, clustered.radius);

    //! [suspects]
    for (const PairReport& pair : reportPairs(clustered.matches, tracks))
        if (pair.score < 0.3)
            std::printf("views %d and %d: %d of %d matches kept, %d contradicted\n", pair.first,
                        pair.second, pair.kept, pair.given, pair.contradicted);
    //! [suspects]
}

#else

void denseTracks(const std::vector<cv::Mat>&)
{
    std::printf("dense: 0 tracks, this OpenCV has no optical flow\n");
}

#endif

} // namespace

int main(int argc, char** argv)
{
    const cv::Mat photo = argc > 1 ? cv::imread(argv[1]) : samples::renderedPhotograph(1);
    if (photo.empty())
    {
        std::fprintf(stderr, "tutorial_any_matches: cannot read %s\n", argv[1]);
        return 1;
    }
    samples::CameraFlightParams params;
    params.frames = 6;
    params.cornerShift = 0.02;
    const std::vector<cv::Mat> images = samples::makeCameraFlight(photo, params).images;
    denseTracks(images);

    //! [images]
    std::vector<std::vector<cv::KeyPoint>> keypoints;
    const Tracks fromImages =
        HiPPI::create()->matchImages(images, cv::SIFT::create(800), keypoints);
    //! [images]
    std::printf("images: %d tracks\n", fromImages.size());

    const cv::Ptr<cv::ORB> orb = cv::ORB::create(800);
    std::vector<cv::Mat> descriptors(images.size());
    for (size_t i = 0; i < images.size(); ++i)
        orb->detectAndCompute(images[i], cv::noArray(), keypoints[i], descriptors[i]);
    //! [pairs]
    const std::vector<PairMatches> matches =
        matchPairs(descriptors, cv::noArray(), cv::BFMatcher::create(cv::NORM_HAMMING, true),
                   [&](int first, int second) { // for matchers that need the pair
                       std::printf("%d-%d ", first, second);
                   });
    const Tracks fromPairs = HiPPI::create()->synchronize(keypoints, matches);
    //! [pairs]
    std::printf("\npairs: %d tracks\n", fromPairs.size());

    //! [inspect]
    const MatchReport report = fromPairs.report();
    std::printf("%d duplicate and %d ambiguous matches, %d points outside, %d coincident\n",
                report.duplicateMatches, report.ambiguousMatches, report.outsidePoints,
                report.coincidentPoints);
    //! [inspect]
    return fromImages.empty() || fromPairs.empty() ? 1 : 0;
}
