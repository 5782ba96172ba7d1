// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Uses a library that was built with MULTIMATCH_IO=OFF: matching, and our own files. Ends with 0
// where all is well.

#include "opencv2/multimatch.hpp"

#ifdef OPENCV_MULTIMATCH_IO_HPP
#error "opencv2/multimatch.hpp must not include io.hpp"
#endif

#include <cstdio>

int main(int argc, char** argv)
{
    // Three views of ten points with descriptors of their own.
    const int views = 3, points = 10;
    std::vector<cv::Mat> places, descriptors;
    cv::RNG rng(1);
    cv::Mat place(points, 2, CV_32F), descriptor(points, 16, CV_32F);
    rng.fill(place, cv::RNG::UNIFORM, 0, 100);
    rng.fill(descriptor, cv::RNG::UNIFORM, 0, 1);
    for (int v = 0; v < views; ++v)
    {
        places.push_back(place + cv::Scalar(v));
        descriptors.push_back(descriptor + cv::Scalar(0.001 * v));
    }
    const cv::multimatch::Tracks tracks =
        cv::multimatch::HiPPI::create()->matchPoints(places, descriptors);
    std::printf("%d tracks\n", tracks.size());
    if (argc < 2 || tracks.size() != points || tracks.length(0) != views)
        return 1;
    tracks.save(argv[1]);
    return cv::multimatch::Tracks::load(argv[1]) == tracks ? 0 : 1;
}
