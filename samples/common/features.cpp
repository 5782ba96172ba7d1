// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "features.hpp"

#include "arguments.hpp"

#include "opencv2/imgproc.hpp"
#ifdef HAVE_OPENCV_XFEATURES2D
#include "opencv2/xfeatures2d.hpp"
#include "opencv2/xfeatures2d/nonfree.hpp"
#endif

#include <algorithm>
#include <cctype>
#include <numeric>
#include <stdexcept>

namespace samples {

namespace {

const char* const CORE_NAMES[] = {"SIFT", "ORB", "AKAZE", "KAZE", "BRISK"};
const char* const EXTRA_NAMES[] = {"SURF",  "DAISY",  "FREAK", "BRIEF",    "LATCH",
                                   "LUCID", "BEBLID", "VGG",   "BoostDesc"};

// With a limit of 0 ORB returns no features; the other detectors return all.
const int ORB_UNLIMITED = 1 << 20;

std::string lower(std::string text)
{
    for (size_t i = 0; i < text.size(); ++i)
        text[i] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
    return text;
}

// The name in the spelling of featureNames().
std::string canonicalName(const std::string& name)
{
    const std::vector<std::string> names = featureNames();
    std::vector<std::string> lowerNames;
    for (size_t i = 0; i < names.size(); ++i)
    {
        lowerNames.push_back(lower(names[i]));
        if (lowerNames.back() == lower(name))
            return names[i];
    }
    const std::string nearest = nearestWord(lower(name), lowerNames);
    std::string hint = ".";
    for (size_t i = 0; i < names.size(); ++i)
        if (!nearest.empty() && lowerNames[i] == nearest)
            hint = "; did you mean " + names[i] + "?";
    throw std::invalid_argument("unknown features \"" + name + "\"" + hint + " Known are " +
                                join(names, ", ") + ".");
}

cv::Ptr<cv::Feature2D> createOrb(int maxFeatures)
{
    return cv::ORB::create(maxFeatures > 0 ? maxFeatures : ORB_UNLIMITED);
}

// The strongest points in the order of detection. SIFT and ORB limit the number themselves, but
// keep points of equal strength.
void keepStrongest(Features& features, int maxFeatures)
{
    std::vector<cv::KeyPoint>& keypoints = features.keypoints;
    if (maxFeatures <= 0 || static_cast<int>(keypoints.size()) <= maxFeatures)
        return;
    std::vector<int> order(keypoints.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return keypoints[a].response > keypoints[b].response; });
    order.resize(maxFeatures);
    std::sort(order.begin(), order.end());
    Features kept;
    for (size_t i = 0; i < order.size(); ++i)
    {
        kept.keypoints.push_back(keypoints[order[i]]);
        if (!features.descriptors.empty())
            kept.descriptors.push_back(features.descriptors.row(order[i]));
    }
    features = kept;
}

// Rounded to 8 bits with the norm 512. The rounding error is too small to change matches, and the
// search is faster on integers.
void toRootSift(cv::Mat& descriptors)
{
    cv::Mat bytes;
    for (int i = 0; i < descriptors.rows; ++i)
    {
        cv::Mat row = descriptors.row(i);
        const double sum = cv::norm(row, cv::NORM_L1);
        if (sum > 0)
            cv::sqrt(row / sum, row);
        row.convertTo(bytes, CV_8U, 512);
        bytes.convertTo(row, CV_32F);
    }
}

#ifdef HAVE_OPENCV_XFEATURES2D
// SURF is patented: OpenCV has it only if built with OPENCV_ENABLE_NONFREE.
cv::Ptr<cv::Feature2D> createSurf()
{
    const double hessianThreshold = 100;
    const int octaves = 3;
    try
    {
        return cv::xfeatures2d::SURF::create(hessianThreshold, octaves);
    }
    catch (const cv::Exception& e)
    {
        if (e.code == cv::Error::StsNotImplemented)
            throw std::invalid_argument("SURF needs an OpenCV built with OPENCV_ENABLE_NONFREE=ON; "
                                        "this one is not. SIFT is the closest free alternative.");
        throw;
    }
}

/* Descriptors without their own detector. The scale factors are those that their documentation
gives for the detector used here. */
void createExtra(const std::string& name, int maxFeatures, cv::Ptr<cv::Feature2D>& detector,
                 cv::Ptr<cv::Feature2D>& descriptor)
{
    namespace xf = cv::xfeatures2d;
    if (name == "DAISY" || name == "VGG" || name == "BoostDesc")
        detector = cv::SIFT::create(maxFeatures);
    else
        detector = createOrb(maxFeatures);

    if (name == "DAISY")
        descriptor = xf::DAISY::create();
    else if (name == "FREAK")
        descriptor = xf::FREAK::create();
    else if (name == "BRIEF")
        descriptor = xf::BriefDescriptorExtractor::create(32, true);
    else if (name == "LATCH")
        descriptor = xf::LATCH::create();
    else if (name == "LUCID")
        descriptor = xf::LUCID::create();
    else if (name == "BEBLID")
        descriptor = xf::BEBLID::create(1.0f);
    else if (name == "VGG")
        descriptor = xf::VGG::create(xf::VGG::VGG_120, 1.4f, true, true, 6.75f);
    else if (name == "BoostDesc")
        descriptor = xf::BoostDesc::create(xf::BoostDesc::BINBOOST_256, true, 6.75f);
}
#endif

// AKAZE, KAZE and BRISK are in namespace cv up to OpenCV 4 and in cv::xfeatures2d since OpenCV 5.
cv::Ptr<cv::Feature2D> createScaleSpace(const std::string& name)
{
    using namespace cv;
#if CV_VERSION_MAJOR >= 5 && defined HAVE_OPENCV_XFEATURES2D
    using namespace cv::xfeatures2d;
#endif
#if CV_VERSION_MAJOR < 5 || defined HAVE_OPENCV_XFEATURES2D
    if (name == "AKAZE")
        return AKAZE::create();
    if (name == "KAZE")
        return KAZE::create();
    if (name == "BRISK")
        return BRISK::create();
#endif
    CV_UNUSED(name);
    return Ptr<Feature2D>();
}

} // namespace

std::vector<std::string> featureNames()
{
    std::vector<std::string> names(std::begin(CORE_NAMES), std::end(CORE_NAMES));
    names.insert(names.end(), std::begin(EXTRA_NAMES), std::end(EXTRA_NAMES));
    return names;
}

FeatureExtractor::FeatureExtractor(const FeatureParams& params) : params_(params)
{
    params_.name = canonicalName(params.name);
    const std::string& name = params_.name;
    if (name == "SIFT")
        detector_ = cv::SIFT::create(params_.maxFeatures);
    else if (name == "ORB")
        detector_ = createOrb(params_.maxFeatures);
    else
        detector_ = createScaleSpace(name);
#ifdef HAVE_OPENCV_XFEATURES2D
    if (name == "SURF")
        detector_ = createSurf();
    else if (!detector_)
        createExtra(name, params_.maxFeatures, detector_, descriptor_);
#endif
    if (!detector_)
        throw std::invalid_argument(
            name + " is part of OpenCV's xfeatures2d module, and this program was built against an "
                   "OpenCV without it. Every build has SIFT and ORB; OpenCV 4 also has AKAZE, "
                   "KAZE and BRISK.");
}

Features FeatureExtractor::extract(const cv::Mat& image) const
{
    cv::Mat input = image;
    if (image.channels() == 4)
        cv::cvtColor(image, input, cv::COLOR_BGRA2BGR);
    // LUCID uses color; all other descriptors use intensities.
    if (params_.name == "LUCID" && input.channels() == 1)
        cv::cvtColor(input, input, cv::COLOR_GRAY2BGR);
    else if (params_.name != "LUCID" && input.channels() == 3)
        cv::cvtColor(input, input, cv::COLOR_BGR2GRAY);
    if (params_.scale != 1.0)
    {
        const cv::Size size(std::max(1, cvRound(image.cols * params_.scale)),
                            std::max(1, cvRound(image.rows * params_.scale)));
        cv::Mat scaled;
        cv::resize(input, scaled, size, 0, 0,
                   params_.scale < 1.0 ? cv::INTER_AREA : cv::INTER_CUBIC);
        input = scaled;
    }

    Features features;
    if (descriptor_)
    {
        detector_->detect(input, features.keypoints);
        keepStrongest(features, params_.maxFeatures);
        // compute() removes points too close to the border; the remaining ones are returned.
        descriptor_->compute(input, features.keypoints, features.descriptors);
    }
    else
    {
        detector_->detectAndCompute(input, cv::noArray(), features.keypoints, features.descriptors);
        keepStrongest(features, params_.maxFeatures);
    }
    if (params_.name == "SIFT" && params_.rootSift)
        toRootSift(features.descriptors);

    // Image sizes are rounded, so the two axes have different scales. Pixel centers have integer
    // coordinates.
    const float scaleX = static_cast<float>(input.cols) / image.cols;
    const float scaleY = static_cast<float>(input.rows) / image.rows;
    if (input.size() != image.size())
        for (size_t p = 0; p < features.keypoints.size(); ++p)
        {
            cv::KeyPoint& keypoint = features.keypoints[p];
            keypoint.pt.x = (keypoint.pt.x + 0.5f) / scaleX - 0.5f;
            keypoint.pt.y = (keypoint.pt.y + 0.5f) / scaleY - 0.5f;
            keypoint.size /= 0.5f * (scaleX + scaleY);
        }
    return features;
}

} // namespace samples
