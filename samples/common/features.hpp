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
#include "opencv2/features.hpp" // the name since OpenCV 5
#endif

#include <string>
#include <vector>

namespace samples {

//! Type and number of the key points and descriptors of an image.
struct FeatureParams
{
    std::string name = "SIFT"; //!< one of featureNames(), case-insensitive
    /** SIFT only: L1-normalized, then the square root of each entry. The L2 distance of such
    descriptors corresponds to the Hellinger kernel. */
    bool rootSift = true;
    int maxFeatures = 3000; //!< number of the strongest points to keep; 0: all
    double scale =
        1.0; //!< of the image for detection; key points are in pixels of the original image
};

struct Features
{
    std::vector<cv::KeyPoint> keypoints;
    cv::Mat descriptors; //!< a row per key point; CV_32F or CV_8U; may be empty
};

//! All supported names, including those that this build of OpenCV lacks.
std::vector<std::string> featureNames();

/** Detector and descriptor by name. Results are deterministic. Instances share no state and are
cheap to create, so images can be processed in parallel with one instance each. */
class FeatureExtractor
{
public:
    /** Throws std::invalid_argument with a message for the user if the name is unknown or OpenCV
    was built without a required module. */
    explicit FeatureExtractor(const FeatureParams& params);

    //! image: CV_8U with 1, 3 or 4 channels.
    Features extract(const cv::Mat& image) const;

private:
    FeatureParams params_;
    cv::Ptr<cv::Feature2D> detector_;
    cv::Ptr<cv::Feature2D> descriptor_; //!< empty: the detector computes the descriptors
};

} // namespace samples

#endif
