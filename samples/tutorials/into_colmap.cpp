// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Usage: tutorial_into_colmap DATABASE_TO_WRITE IMAGE IMAGE...
// Writes tracks of photographs to a database for COLMAP's mapper.

#include "opencv2/imgcodecs.hpp"
#include "opencv2/multimatch.hpp"
#include "opencv2/multimatch/io.hpp"
#include "opencv2/opencv_modules.hpp"
#ifdef HAVE_OPENCV_FEATURES2D
#include "opencv2/features2d.hpp"
#else
#include "opencv2/features.hpp" // the name since OpenCV 5
#endif

#include <cstdio>
#include <string>

using namespace cv::multimatch;

int main(int argc, char** argv)
{
    if (argc < 4)
    {
        std::fprintf(stderr, "Usage: tutorial_into_colmap DATABASE_TO_WRITE IMAGE IMAGE...\n");
        return 1;
    }
    if (!haveColmapDatabase())
    {
        std::fprintf(stderr, "tutorial_into_colmap: this build has no SQLite\n");
        return 1;
    }

    //! [views]
    cv::Ptr<cv::SIFT> sift = cv::SIFT::create(4000);
    std::vector<ViewInfo> views;
    std::vector<std::vector<cv::KeyPoint>> keypoints;
    std::vector<cv::Mat> descriptors;
    for (int i = 2; i < argc; ++i)
    {
        const cv::Mat image = cv::imread(argv[i], cv::IMREAD_GRAYSCALE);
        const std::string path = argv[i];
        ViewInfo view;
        view.name = path.substr(path.find_last_of('/') + 1); // relative to COLMAP's --image_path
        view.size = image.size();
        cv::Mat described;
        sift->detectAndCompute(image, cv::noArray(), view.keypoints, described);
        views.push_back(view);
        keypoints.push_back(view.keypoints);
        descriptors.push_back(described);
    }
    //! [views]

    //! [match]
    const Tracks tracks = GuidedHiPPI::create()->match(keypoints, descriptors);
    //! [match]

    //! [write]
    ColmapParams params;
    params.existing = COLMAP_REPLACE;
    params.sharedCamera = true; // one camera for all photographs
    writeColmapDatabase(argv[1], views, allPairMatches(tracks), params);
    //! [write]

    std::printf("%d tracks of %d images written to %s\n", tracks.size(), tracks.viewCount(),
                argv[1]);
    return 0;
}
