// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "options.hpp"

#include "arguments.hpp"
#include "files.hpp"
#include "method.hpp"
#include "track_files.hpp"

#include "opencv2/imgcodecs.hpp"

#include <climits>
#include <numeric>

namespace {

const char* const EXAMPLES = R"(
Examples
  A folder of photographs, tracks for other programs and a picture for people:
    multimatch_tracks --images=photos --output=tracks.yml.gz,tracks.csv --draw=tracks.png
  Large photographs at half their size, more points, neighbours in the sequence only:
    multimatch_tracks --images='photos/*.jpg' --scale=0.5 --max-features=8000 --pairs=sequential:4 \
                      --output=tracks.yml.gz
  Every fifth frame of a video, binary features:
    multimatch_tracks --video=clip.mp4 --step=5 --max-frames=100 --features=ORB --output=tracks.json
  The usual baseline, for comparison:
    multimatch_tracks --images=list.txt --method=unionfind --output=baseline.csv

Coordinates are those of the image as cv::imread returns it, EXIF orientation applied, whatever --scale.
The file of --output=*.yml.gz is read by cv::multimatch::Tracks::load.

Exit codes
  0  done
  1  the command line is wrong; nothing was done
  2  fewer than two images could be read; nothing was written
  3  done, but some images could not be read; they are listed at the end
  4  a result could not be written, or something else failed
  130  stopped by Ctrl-C; nothing was written
)";

samples::Arguments declareOptions()
{
    samples::Arguments arguments(
        "multimatch_tracks --images=WHAT|--video=FILE [--output=FILE] [options] [IMAGE ...]",
        "multimatch_tracks matches the key points of many images at once and writes tracks: one id "
        "per\nphysical point, the same in every image that shows it, never twice in one image.");
    arguments.section("Input");
    arguments.option("images", "WHAT", "",
                     "folder, pattern in quotes, image, or text file with one path a line; may be "
                     "given several times");
    arguments.option("video", "FILE", "", "frames of a video instead of images");
    arguments.option("step", "N", "1", "with --video: take every N-th frame");
    arguments.option("max-frames", "N", "0", "with --video: take at most N frames, 0: all");

    arguments.section("Features");
    arguments.option("features", "NAME", "SIFT",
                     "one of " + samples::join(samples::featureNames(), ", ") +
                         "; from SURF on they need OpenCV's xfeatures2d module");
    arguments.flag("rootsift", true, "square root of L1-normalised SIFT");
    arguments.option("max-features", "N", "3000", "the strongest N of each image, 0: all");
    arguments.option("scale", "FACTOR", "1", "resize images by this before detection");

    arguments.section("Matching");
    arguments.option(
        "pairs", "WHICH", "",
        "images to compare: all, sequential:N (each with the next N), retrieval:N (each with "
        "the N that look most like it), or a file with two names or numbers from 0 a line "
        "(default: all; with --video sequential:5)");
    declareMethodOptions(arguments);
    arguments.option("min-length", "N", "2", "tracks of fewer images are left out");
    arguments.option("threads", "N", "", "at most N threads (default: all)");

    arguments.section("Output");
    arguments.option("output", "FILE", "",
                     "where to write the tracks: " + samples::trackFileEndings() +
                         "; several by commas");
    arguments.option("draw", "FILE", "", "write a picture of the longest tracks, e.g. tracks.png");
    arguments.flag("quiet", false, "print nothing but errors");
    arguments.flag("help", false, "print this text");
    arguments.flag("version", false, "print the versions of this program and of OpenCV");
    arguments.epilogue(EXAMPLES);
    return arguments;
}

void readInputOptions(const samples::Arguments& arguments, Options& options)
{
    std::vector<std::string> wanted = arguments.getAll("images");
    wanted.insert(wanted.end(), arguments.positional().begin(), arguments.positional().end());
    options.video = arguments.get("video");
    if (wanted.empty() && options.video.empty())
        throw samples::ArgumentError("give --images=WHAT or --video=FILE");
    if (!wanted.empty() && !options.video.empty())
        throw samples::ArgumentError("--images and --video exclude each other");
    if (options.video.empty() && (arguments.given("step") || arguments.given("max-frames")))
        throw samples::ArgumentError("--step and --max-frames belong to --video");
    for (size_t i = 0; i < wanted.size(); ++i)
    {
        const std::vector<std::string> files = samples::listImages(wanted[i]);
        options.images.insert(options.images.end(), files.begin(), files.end());
    }
    options.step = arguments.getInt("step", 1, INT_MAX);
    options.maxFrames = arguments.getInt("max-frames", 0, INT_MAX);
}

void readOutputOptions(const samples::Arguments& arguments, Options& options)
{
    options.outputs = arguments.getList("output");
    for (size_t i = 0; i < options.outputs.size(); ++i)
        if (!samples::isTrackFileName(options.outputs[i]))
            throw samples::ArgumentError("--output=" + options.outputs[i] +
                                         ": expected a name with " + samples::trackFileEndings());
    options.draw = arguments.get("draw");
    if (!options.draw.empty() && !cv::haveImageWriter(options.draw))
        throw samples::ArgumentError("--draw=" + options.draw +
                                     ": OpenCV writes no images with this ending");
    // Better now than after an hour of matching.
    std::vector<std::string> files = options.outputs;
    if (!options.draw.empty())
        files.push_back(options.draw);
    for (size_t i = 0; i < files.size(); ++i)
    {
        try
        {
            samples::NewFile probe(files[i]);
        }
        catch (const std::runtime_error& e)
        {
            throw samples::ArgumentError(e.what());
        }
    }
}

} // namespace

Options parseOptions(int argc, const char* const* argv)
{
    samples::Arguments arguments = declareOptions();
    arguments.parse(argc, argv);
    Options options;
    options.helpText = arguments.help();
    options.help = arguments.getFlag("help");
    options.version = arguments.getFlag("version");
    if (options.help || options.version)
        return options;

    options.quiet = arguments.getFlag("quiet");
    options.features.name = arguments.get("features");
    options.features.rootSift = arguments.getFlag("rootsift");
    options.features.maxFeatures = arguments.getInt("max-features", 0, INT_MAX);
    options.features.scale = arguments.getDouble("scale", 1e-3, 16);
    samples::FeatureExtractor probe(options.features);
    if (arguments.given("threads"))
        options.threads = arguments.getInt("threads", 1, 4096);
    options.minLength = arguments.getInt("min-length", 1, INT_MAX);
    if (arguments.given("min-confidence"))
        options.minConfidence = static_cast<float>(arguments.getDouble("min-confidence", 0, 1));
    options.matcher = createMatcher(arguments);

    readInputOptions(arguments, options);
    if (arguments.given("pairs"))
        options.pairs = parsePairChoice(arguments.get("pairs"));
    else if (!options.video.empty())
        options.pairs.window = 5;
    if (!options.pairs.file.empty() && options.video.empty())
    {
        // Read again when it is known which images are readable; errors are better known now.
        std::vector<int> every(options.images.size());
        std::iota(every.begin(), every.end(), 0);
        readPairs(options.pairs.file, options.images, every);
    }
    readOutputOptions(arguments, options);
    return options;
}
