// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Reconstructs cameras and 3D points from photographs or tracks.

#include "model_files.hpp"

#include "exif.hpp"
#include "features.hpp"
#include "files.hpp"
#include "image_file.hpp"
#include "program.hpp"

#include "opencv2/core/utility.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/multimatch.hpp"

#include <cstdio>
#include <exception>

using namespace cv::multimatch;

namespace {

samples::Arguments declareOptions()
{
    samples::Arguments arguments(
        "sfm_from_tracks --images=WHAT|--tracks=FILE [--focal=PX] [options]",
        "sfm_from_tracks reconstructs cameras and 3D points from the tracks of photographs:\ntwo "
        "views first, the others one by one, with bundle adjustment in between.");
    arguments.section("Input");
    arguments.option("images", "WHAT", "",
                     "photographs: folder, pattern in quotes, or text file with one path per line");
    arguments.option(
        "tracks", "FILE", "",
        "tracks instead of photographs, written by multimatch_tracks --output=tracks.yml.gz");
    arguments.option("focal", "PX", "",
                     std::string("focal length in pixels (default: ") +
                         (samples::haveExif()
                              ? "from the EXIF data of each image, or 1.2 times its longer side)"
                              : "1.2 times the longer side, as built without libexif)"));
    arguments.option("max-features", "N", "4000", "with --images: the strongest N of each image");
    arguments.option("max-error", "PX", "3", "maximum error of an observation, in pixels");
    arguments.section("Output");
    arguments.option("output", "FILE", "model.ply", "points and cameras");
    arguments.option("picture", "FILE", "model.png", "the scene from the front and from above");
    arguments.flag("help", false, "print this text");
    arguments.epilogue("\nExit codes: 0 done, 1 the command line is wrong, 2 no reconstruction, 4 "
                       "something failed\n");
    return arguments;
}

Tracks matchImages(const samples::Arguments& arguments, std::vector<ViewInfo>& views)
{
    samples::FeatureParams params;
    params.maxFeatures = arguments.getInt("max-features", 0, 1000000);
    std::vector<cv::Mat> descriptors;
    std::vector<std::vector<cv::KeyPoint>> keypoints;
    for (const std::string& file : samples::listImages(arguments.get("images")))
    {
        const cv::Mat image = cv::imread(file, cv::IMREAD_COLOR);
        if (image.empty())
        {
            std::fprintf(stderr, "%s cannot be read and is ignored\n", file.c_str());
            continue;
        }
        const samples::Features features = samples::FeatureExtractor(params).extract(image);
        ViewInfo view;
        view.name = file;
        view.size = image.size();
        view.keypoints = features.keypoints;
        view.focalLength = samples::exifFocalLength(file, std::max(image.cols, image.rows));
        views.push_back(view);
        keypoints.push_back(features.keypoints);
        descriptors.push_back(features.descriptors);
    }
    return GuidedHiPPI::create()->match(keypoints, descriptors);
}

int run(const samples::Arguments& arguments)
{
    if (arguments.given("images") == arguments.given("tracks"))
        throw samples::ArgumentError("give either --images=WHAT or --tracks=FILE");
    const double maxError = arguments.getDouble("max-error", 0.01, 1000);
    std::vector<ViewInfo> views;
    cv::TickMeter matching, mapping;
    matching.start();
    const Tracks tracks = arguments.given("tracks") ? readTracks(arguments.get("tracks"), views)
                                                    : matchImages(arguments, views);
    matching.stop();
    if (arguments.given("focal"))
        for (ViewInfo& view : views)
            view.focalLength = arguments.getDouble("focal", 1, 1e9);
    mapping.start();
    Reconstruction scene;
    try
    {
        scene = reconstruct(views, tracks, maxError);
    }
    catch (const std::runtime_error& e)
    {
        std::fprintf(stderr, "sfm_from_tracks: %s\n", e.what());
        return 2;
    }
    mapping.stop();
    const std::vector<cv::Vec3b> colors = pointColors(scene);
    writePly(arguments.get("output"), scene, colors);
    samples::writeImage(arguments.get("picture"), drawScene(scene, colors));
    std::printf(
        "  registered images    %8d of %d\n  tracks               %8d\n"
        "  points               %8d\n  error (rms, px)      %8.2f\n"
        "  bundle adjustment    %8s\n  tracks, seconds      %8.2f\n"
        "  scene, seconds       %8.2f\n\nwrote %s\nwrote %s\n",
        scene.registeredViews(), static_cast<int>(views.size()), tracks.size(), scene.knownPoints(),
        scene.meanError(), haveBundleAdjustment() ? "Ceres" : "alternating", matching.getTimeSec(),
        mapping.getTimeSec(), arguments.get("output").c_str(), arguments.get("picture").c_str());
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    return samples::runProgram("sfm_from_tracks", declareOptions(), argc, argv, run);
}
