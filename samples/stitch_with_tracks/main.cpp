// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Makes a panorama with OpenCV's stitching pipeline from cycle-consistent matches.

#include "files.hpp"
#include "image_file.hpp"
#include "program.hpp"

#include "opencv2/core/utility.hpp"
#include "opencv2/features2d.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "opencv2/multimatch.hpp"
#include "opencv2/multimatch/stitching.hpp"
#include "opencv2/stitching/detail/blenders.hpp"
#include "opencv2/stitching/detail/camera.hpp"
#include "opencv2/stitching/detail/exposure_compensate.hpp"
#include "opencv2/stitching/detail/motion_estimators.hpp"
#include "opencv2/stitching/detail/seam_finders.hpp"
#include "opencv2/stitching/detail/warpers.hpp"
#include "opencv2/stitching/warpers.hpp"

#include <cmath>
#include <cstdio>
#include <exception>

using namespace cv::multimatch;
typedef std::vector<cv::detail::ImageFeatures> AllFeatures;
typedef std::vector<cv::detail::CameraParams> Cameras;

namespace {

const float LEAST_CONFIDENCE = 1.f; // of a pair of images in the panorama
const double SEAM_PIXELS = 1e5;     // of an image for the seam search

samples::Arguments declareOptions()
{
    samples::Arguments arguments(
        "stitch_with_tracks --images=WHAT [--output=panorama.jpg] [options]",
        "stitch_with_tracks makes a panorama of photographs taken from one position, with the "
        "pipeline\nof cv::detail and matches that are consistent in all of them.");
    arguments.section("Input");
    arguments.option("images", "WHAT", "", "folder, pattern in quotes, or list of images");
    arguments.option("max-features", "N", "2000", "the strongest N of each image");
    arguments.option("max-megapixels", "X", "2", "images are scaled down to this size");
    arguments.section("Output");
    arguments.option("output", "FILE", "panorama.jpg", "the panorama");
    arguments.flag("help", false, "print this text");
    arguments.epilogue("\nExit codes: 0 done, 1 the command line is wrong, 2 the images make no "
                       "panorama, 4 another error\n");
    return arguments;
}

std::vector<cv::Mat> readImages(const std::string& what, double megapixels)
{
    std::vector<cv::Mat> images;
    for (const std::string& file : samples::listImages(what))
    {
        cv::Mat image = cv::imread(file, cv::IMREAD_COLOR);
        if (image.empty())
        {
            std::fprintf(stderr, "%s cannot be read and is ignored\n", file.c_str());
            continue;
        }
        const double scale = std::min(1., std::sqrt(megapixels * 1e6 / image.total()));
        if (scale < 1)
            cv::resize(image, image, cv::Size(), scale, scale, cv::INTER_AREA);
        images.push_back(image);
    }
    return images;
}

AllFeatures findFeatures(const std::vector<cv::Mat>& images, int maxFeatures,
                         std::vector<cv::Mat>& descriptors)
{
    AllFeatures features(images.size());
    descriptors.resize(images.size());
    const cv::Ptr<cv::SIFT> sift = cv::SIFT::create(maxFeatures);
    for (size_t i = 0; i < images.size(); ++i)
    {
        sift->detectAndCompute(images[i], cv::noArray(), features[i].keypoints, descriptors[i]);
        features[i].img_idx = static_cast<int>(i);
        features[i].img_size = images[i].size();
        descriptors[i].copyTo(features[i].descriptors);
    }
    return features;
}

//! Estimates rotations and focal lengths of the cameras. Returns false if that fails.
bool findCameras(const AllFeatures& features, const std::vector<cv::detail::MatchesInfo>& pairwise,
                 Cameras& cameras)
{
    cv::detail::HomographyBasedEstimator estimator;
    if (!estimator(features, pairwise, cameras))
        return false;
    for (cv::detail::CameraParams& camera : cameras)
        camera.R.convertTo(camera.R, CV_32F);
    cv::detail::BundleAdjusterRay adjuster;
    adjuster.setConfThresh(LEAST_CONFIDENCE);
    if (!adjuster(features, pairwise, cameras))
        return false;
    std::vector<cv::Mat> rotations;
    for (const cv::detail::CameraParams& camera : cameras)
        rotations.push_back(camera.R.clone());
    cv::detail::waveCorrect(rotations, cv::detail::WAVE_CORRECT_HORIZ);
    for (size_t i = 0; i < cameras.size(); ++i)
        cameras[i].R = rotations[i];
    return true;
}

//! Images warped to the sphere.
struct Warped
{
    std::vector<cv::UMat> images, masks;
    std::vector<cv::Point> corners;
    std::vector<cv::Size> sizes;
};

Warped warp(const std::vector<cv::Mat>& images, const Cameras& cameras, float radius, double scale)
{
    Warped result;
    const cv::Ptr<cv::detail::RotationWarper> warper =
        cv::SphericalWarper().create(static_cast<float>(radius * scale));
    for (size_t i = 0; i < images.size(); ++i)
    {
        cv::Mat small, K;
        cv::resize(images[i], small, cv::Size(), scale, scale, cv::INTER_AREA);
        cameras[i].K().convertTo(K, CV_32F);
        K.rowRange(0, 2) *= scale;
        cv::UMat image, mask;
        result.corners.push_back(
            warper->warp(small, K, cameras[i].R, cv::INTER_LINEAR, cv::BORDER_REFLECT, image));
        warper->warp(cv::Mat(small.size(), CV_8U, cv::Scalar(255)), K, cameras[i].R,
                     cv::INTER_NEAREST, cv::BORDER_CONSTANT, mask);
        result.sizes.push_back(image.size());
        result.images.push_back(image);
        result.masks.push_back(mask);
    }
    return result;
}

cv::Mat compose(const std::vector<cv::Mat>& images, const Cameras& cameras)
{
    std::vector<double> focals;
    for (const cv::detail::CameraParams& camera : cameras)
        focals.push_back(camera.focal);
    std::nth_element(focals.begin(), focals.begin() + focals.size() / 2, focals.end());
    const float radius = static_cast<float>(focals[focals.size() / 2]);

    // Exposure compensation and seam search work on small images.
    const Warped small =
        warp(images, cameras, radius, std::min(1., std::sqrt(SEAM_PIXELS / images[0].total())));
    const cv::Ptr<cv::detail::ExposureCompensator> exposure =
        cv::makePtr<cv::detail::BlocksGainCompensator>();
    exposure->feed(small.corners, small.images, small.masks);
    std::vector<cv::UMat> seams = small.masks, floats(small.images.size());
    for (size_t i = 0; i < floats.size(); ++i)
        small.images[i].convertTo(floats[i], CV_32F);
    cv::detail::GraphCutSeamFinder(cv::detail::GraphCutSeamFinderBase::COST_COLOR)
        .find(floats, small.corners, seams);

    Warped full = warp(images, cameras, radius, 1);
    const cv::Ptr<cv::detail::Blender> blender = cv::makePtr<cv::detail::MultiBandBlender>();
    blender->prepare(full.corners, full.sizes);
    for (size_t i = 0; i < images.size(); ++i)
    {
        exposure->apply(static_cast<int>(i), full.corners[i], full.images[i], full.masks[i]);
        cv::UMat seam, signedImage;
        cv::dilate(seams[i], seam, cv::noArray());
        cv::resize(seam, seam, full.masks[i].size(), 0, 0, cv::INTER_LINEAR_EXACT);
        cv::bitwise_and(seam, full.masks[i], seam);
        full.images[i].convertTo(signedImage, CV_16S);
        blender->feed(signedImage, seam, full.corners[i]);
    }
    cv::Mat panorama, mask;
    blender->blend(panorama, mask);
    panorama.convertTo(panorama, CV_8U);
    return panorama;
}

int run(const samples::Arguments& arguments)
{
    if (!arguments.given("images"))
        throw samples::ArgumentError("give --images=WHAT");
    std::vector<cv::Mat> images =
        readImages(arguments.get("images"), arguments.getDouble("max-megapixels", 0.01, 1000));
    if (images.size() < 2)
    {
        std::fprintf(stderr, "stitch_with_tracks: %d readable images, expected at least 2\n",
                     static_cast<int>(images.size()));
        return 2;
    }
    std::vector<cv::Mat> descriptors;
    AllFeatures features =
        findFeatures(images, arguments.getInt("max-features", 50, 1000000), descriptors);
    std::vector<std::vector<cv::KeyPoint>> keypoints;
    for (const cv::detail::ImageFeatures& image : features)
        keypoints.push_back(image.keypoints);
    GuidedParams params;
    params.verification.model = MODEL_HOMOGRAPHY;
    params.verification.maxError = 3;
    const Tracks tracks = GuidedHiPPI::create(params)->match(keypoints, descriptors);

    std::vector<cv::detail::MatchesInfo> pairwise = matchesInfoFrom(features, tracks);
    const size_t given = images.size();
    const std::vector<int> kept =
        cv::detail::leaveBiggestComponent(features, pairwise, LEAST_CONFIDENCE);
    std::vector<cv::Mat> used;
    used.reserve(kept.size());
    for (int i : kept)
        used.push_back(images[i]);
    Cameras cameras;
    if (used.size() < 2 || !findCameras(features, pairwise, cameras))
    {
        std::fprintf(stderr, "stitch_with_tracks: the images make no panorama: %d of %d overlap\n",
                     static_cast<int>(used.size()), static_cast<int>(given));
        return 2;
    }
    const cv::Mat panorama = compose(used, cameras);
    samples::writeImage(arguments.get("output"), panorama);
    std::printf("  images in panorama   %8d of %d\n  tracks               %8d\n"
                "  size                 %d x %d\n\nwrote %s\n",
                static_cast<int>(used.size()), static_cast<int>(given), tracks.size(),
                panorama.cols, panorama.rows, arguments.get("output").c_str());
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    return samples::runProgram("stitch_with_tracks", declareOptions(), argc, argv, run);
}
