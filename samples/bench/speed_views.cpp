// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "speed_views.hpp"

#include "photo_sequence.hpp"

#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#ifdef HAVE_OPENCV_GEOMETRY
#include "opencv2/geometry.hpp" // has getPerspectiveTransform from OpenCV 5 on
#endif

#include <algorithm>

namespace bench {

using namespace cv;

WarpedViews warpedViews(int views, int longSide)
{
    const std::vector<std::string> photographs = ::samples::examplePhotographs();
    Mat photo = photographs.empty() ? ::samples::renderedPhotograph(1) : imread(photographs[0]);
    cvtColor(photo, photo, COLOR_BGR2GRAY);
    const double scale = double(longSide) / std::max(photo.cols, photo.rows);
    resize(photo, photo, Size(), scale, scale, INTER_CUBIC);
    const float w = float(photo.cols), h = float(photo.rows);
    const Point2f corners[4] = {{0, 0}, {w, 0}, {w, h}, {0, h}};
    RNG rng(1);
    WarpedViews result;
    for (int v = 0; v < views; ++v)
    {
        Point2f moved[4];
        for (int c = 0; c < 4; ++c)
            moved[c] =
                corners[c] + Point2f(rng.uniform(-0.1f, 0.1f) * w, rng.uniform(-0.1f, 0.1f) * h);
        Mat view, noise(photo.size(), CV_16S);
        const Mat homography = getPerspectiveTransform(corners, moved);
        warpPerspective(photo, view, homography, photo.size());
        rng.fill(noise, RNG::NORMAL, 0, 4);
        add(view, noise, view, noArray(), CV_8U);
        result.images.push_back(view);
        result.homographies.push_back(homography);
    }
    return result;
}

Features extract(const std::vector<Mat>& images, const Ptr<Feature2D>& detector, int points)
{
    Features features;
    for (const Mat& image : images)
    {
        std::vector<KeyPoint> keypoints;
        Mat descriptors;
        detector->detectAndCompute(image, noArray(), keypoints, descriptors);
        // A detector may return a few more than asked for.
        keypoints.resize(std::min(keypoints.size(), size_t(points)));
        features.keypoints.push_back(keypoints);
        features.descriptors.push_back(descriptors.rowRange(0, int(keypoints.size())));
    }
    return features;
}

Features rooted(const Features& sift)
{
    Features result = sift;
    for (Mat& view : result.descriptors)
    {
        Mat rows = view.clone();
        for (int p = 0; p < rows.rows; ++p)
            normalize(rows.row(p), rows.row(p), 1, 0, NORM_L1);
        sqrt(rows, view);
    }
    return result;
}

} // namespace bench
