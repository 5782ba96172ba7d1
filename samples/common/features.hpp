// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_FEATURES_HPP
#define MULTIMATCH_SAMPLES_FEATURES_HPP

#include "opencv2/core.hpp"
#include "opencv2/opencv_modules.hpp"
#ifdef HAVE_OPENCV_FEATURES2D
#include "opencv2/features2d.hpp"
#else
#include "opencv2/features.hpp" // its name from OpenCV 5 on
#endif

#include <string>
#include <vector>

namespace samples {

//! Which key points and descriptors to take from an image.
struct FeatureParams
{
    std::string name = "SIFT"; //!< one of featureNames(), in any case
    /** SIFT only: L1-normalized, then the square root of each entry. The L2 distance of such
    descriptors compares histograms fairly (Hellinger kernel). */
    bool rootSift = true;
    int maxFeatures = 3000; //!< the strongest so many; 0: all
    double scale =
        1.0; //!< of the image before detection; key points are in pixels of the unscaled one
};

struct Features
{
    std::vector<cv::KeyPoint> keypoints;
    cv::Mat descriptors; //!< a row per key point; CV_32F or CV_8U; may be empty
};

//! All names known, also those that this build of OpenCV lacks.
std::vector<std::string> featureNames();

/** Detector and descriptor by name. Deterministic, and cheap enough to make one for each image: instances share no state, so that
images can be worked on in parallel. */
class FeatureExtractor
{
public:
    /** Throws std::invalid_argument with a sentence for the user where the name is unknown or OpenCV
    was built without what it needs. */
    explicit FeatureExtractor(const FeatureParams& params);

    //! image: CV_8U with 1, 3 or 4 channels.
    Features extract(const cv::Mat& image) const;

private:
    FeatureParams params_;
    cv::Ptr<cv::Feature2D> detector_;
    cv::Ptr<cv::Feature2D> descriptor_; //!< empty: the detector describes too
};

} // namespace samples

#endif
