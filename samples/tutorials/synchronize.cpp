// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Usage: tutorial_synchronize IMAGE IMAGE...
// Computes tracks from the matches of another matcher for each pair of images.

#include "opencv2/imgcodecs.hpp"
#include "opencv2/multimatch.hpp"
#include "opencv2/opencv_modules.hpp"
#ifdef HAVE_OPENCV_FEATURES2D
#include "opencv2/features2d.hpp"
#else
#include "opencv2/features.hpp" // the name since OpenCV 5
#endif

#include <cstdio>

using namespace cv::multimatch;

int main(int argc, char** argv)
{
    if (argc < 3)
    {
        std::fprintf(stderr, "Usage: tutorial_synchronize IMAGE IMAGE...\n");
        return 1;
    }
    cv::Ptr<cv::ORB> orb = cv::ORB::create(800);
    std::vector<std::vector<cv::KeyPoint>> keypoints(argc - 1);
    std::vector<cv::Mat> descriptors(argc - 1);
    for (int i = 1; i < argc; ++i)
    {
        const cv::Mat image = cv::imread(argv[i], cv::IMREAD_GRAYSCALE);
        if (image.empty())
        {
            std::fprintf(stderr, "tutorial_synchronize: cannot read %s\n", argv[i]);
            return 1;
        }
        orb->detectAndCompute(image, cv::noArray(), keypoints[i - 1], descriptors[i - 1]);
    }

    //! [matches]
    std::vector<PairMatches> matches;
    const cv::BFMatcher matcher(cv::NORM_HAMMING, true);
    for (int i = 0; i < argc - 1; ++i)
        for (int j = i + 1; j < argc - 1; ++j)
        {
            matches.push_back(PairMatches(i, j));
            matcher.match(descriptors[i], descriptors[j], matches.back().matches);
        }
    //! [matches]

    //! [tracks]
    const Tracks tracks = HiPPI::create()->match(keypoints, matches);
    //! [tracks]

    std::vector<std::vector<float>> scores;
    for (const PairMatches& pair : matches)
    {
        scores.push_back(std::vector<float>());
        for (const cv::DMatch& match : pair.matches)
            scores.back().push_back(1.f - match.distance / 256.f);
    }
    //! [scores]
    const Tracks scored = HiPPI::create()->match(keypoints, matches, scores);
    //! [scores]
    std::printf("%d pairs of images, %d tracks by distances, %d by scores\n",
                static_cast<int>(matches.size()), tracks.size(), scored.size());
    return tracks.empty() || scored.empty() ? 1 : 0;
}
