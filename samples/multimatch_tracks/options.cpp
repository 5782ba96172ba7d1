// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "options.hpp"

#include "arguments.hpp"
#include "exif.hpp"
#include "files.hpp"
#include "hloc_files.hpp"
#include "method.hpp"
#include "outputs.hpp"
#include "parts.hpp"

#include "opencv2/core/utils/filesystem.hpp"
#include "opencv2/imgcodecs.hpp"

#include <algorithm>
#include <climits>
#include <map>
#include <numeric>

namespace {

const char* const EXAMPLES = R"(
Examples
  A folder of photographs; writes tracks and a picture of them:
    multimatch_tracks --images=photos --output=tracks.yml.gz,tracks.csv --draw=tracks.png
  Large photographs at half their size, more points, neighbors in the sequence only:
    multimatch_tracks --images='photos/*.jpg' --scale=0.5 --max-features=8000 --pairs=sequential:4 \
                      --output=tracks.yml.gz
  Every fifth frame of a video, binary features:
    multimatch_tracks --video=clip.mp4 --step=5 --max-frames=100 --features=ORB --output=tracks.json
  From photographs to a reconstruction by COLMAP, and a page that shows the tracks:
    multimatch_tracks --images=photos --preset=sfm --colmap=out.db --report=out.html
    colmap mapper --database_path out.db --image_path photos --output_path model
  A collection that grows, and the reconstruction with it:
    multimatch_tracks --add-to=tracks.yml.gz --images=photos --colmap=out.db
    multimatch_tracks --add-to=tracks.yml.gz --images=new --colmap=out.db --colmap-fill
  Consistent tracks from matches that COLMAP made:
    multimatch_tracks --matches-from=colmap.db --colmap=consistent.db
  Tracks from the files of hloc (SuperPoint, LightGlue and others):
    multimatch_tracks --matches-from=matches.h5 --features-from=features.h5 --pairs=pairs.txt \
                      --colmap=out.db
  The usual baseline, for comparison:
    multimatch_tracks --images=list.txt --method=unionfind --output=baseline.csv

Coordinates are in pixels of the image that cv::imread returns (EXIF orientation applied), also with --scale.
The file of --output=*.yml.gz is read by cv::multimatch::Tracks::load.

Exit codes
  0  done
  1  the command line is wrong; nothing was done
  2  fewer than two images could be read; nothing was written
  3  done, but some images could not be read; they are listed at the end
  4  a result could not be written, or something else failed
  130  stopped by Ctrl-C; nothing was written
)";

const char* const TRACK_FILE_ENDINGS = ".yml, .json, .xml (each also with .gz) or .csv";

samples::Arguments declareOptions()
{
    samples::Arguments arguments(
        "multimatch_tracks --images=WHAT|--video=FILE|--matches-from=FILE [--output=FILE] "
        "[options] "
        "[IMAGE ...]",
        "multimatch_tracks matches the key points of many images at once and writes tracks: one id "
        "per\nphysical point, the same in every image that shows it, never twice in one image.");
    arguments.option("preset", "NAME", "",
                     "defaults for a purpose: sfm (--method=guided --max-error=0.8 "
                     "--min-confidence=0.8 --max-features=8000), video (--pairs=sequential:10 "
                     "--max-features=1500), "
                     "panorama (--method=guided "
                     "--model=homography --max-error=3 --max-features=4000), exact (--exact); "
                     "other options take precedence");
    arguments.section("Input");
    arguments.option(
        "images", "WHAT", "",
        "folder, pattern in quotes, image, or text file with one path per line; may be "
        "given several times");
    arguments.option("video", "FILE", "", "frames of a video instead of images");
    arguments.option("step", "N", "1", "with --video: take every N-th frame");
    arguments.option("max-frames", "N", "0", "with --video: take at most N frames, 0: all");
    arguments.option(
        "matches-from", "FILE", "",
        std::string("key points and matches of a COLMAP database instead of images, or matches of "
                    "hloc in HDF5") +
            (haveHdf5() ? "" : " (not in this build)") + "; the matches are made consistent");
    arguments.option("features-from", "FILE", "",
                     "with --matches-from=matches.h5: key points of hloc (default: features.h5 "
                     "in the same folder)");
    arguments.flag("verified", true,
                   "with --matches-from: use the verified matches, not the raw ones");
    arguments.option("add-to", "FILE", "",
                     "add the images to a collection, e.g. tracks.yml.gz, that an earlier run with "
                     "this option wrote (with its state, tracks.state.yml.gz); without such a file "
                     "a collection is begun. Images that it has already are skipped");
    arguments.option("focal", "PX", "",
                     std::string("focal length of all images in pixels (default: ") +
                         (samples::haveExif() ? "from the EXIF data of each image)"
                                              : "unknown, as built without libexif)"));

    arguments.section("Features");
    arguments.option("features", "NAME", "SIFT",
                     "one of " + samples::join(samples::featureNames(), ", ") +
                         "; SURF and all after it need the module xfeatures2d of OpenCV");
    arguments.flag("rootsift", true, "square root of L1-normalized SIFT");
    arguments.option("max-features", "N", "3000", "the strongest N of each image, 0: all");
    arguments.option("scale", "FACTOR", "1", "scale of the images for detection");

    arguments.section("Matching");
    arguments.option(
        "pairs", "WHICH", "",
        "images to compare: all, sequential:N (each with the next N), retrieval:N (each with "
        "the N most similar ones), or a file with two names or indices from 0 per line "
        "(default: all; with --video sequential:5)");
    declareMethodOptions(arguments);
    arguments.flag("verify", false,
                   "verify ratio-tested or given matches by the geometry of each pair before "
                   "matching, and remove members of tracks that contradict it");
    arguments.option("min-length", "N", "2", "minimum number of images of a track");
    arguments.option("memory", "SIZE", "",
                     "match in parts that need at most so much memory each beside the features, "
                     "e.g. 4G, and merge their tracks (default: all at once)");
    arguments.option("threads", "N", "", "at most N threads (default: all)");

    arguments.section("Output");
    arguments.option("output", "FILE", "",
                     "where to write the tracks: " + std::string(TRACK_FILE_ENDINGS) +
                         "; several names are separated by commas");
    arguments.option("draw", "FILE", "", "write a picture of the longest tracks, e.g. tracks.png");
    arguments.option("colmap", "FILE", "",
                     "write a database for COLMAP; an existing one is not overwritten without "
                     "--force");
    arguments.flag("colmap-fill", false,
                   "add to the existing database of --colmap; images are identified by name");
    arguments.flag("shared-camera", false, "with --colmap: one camera for images of one size");
    arguments.option("colmap-text", "DIR", "", "write text for COLMAP's importers");
    arguments.option("openmvg", "DIR", "", "write .feat files and matches.f.txt for OpenMVG");
    arguments.option("opensfm", "FILE", "", "write tracks.csv for OpenSfM");
    arguments.option("bal", "FILE", "",
                     "write observations in the format of Bundle Adjustment in the Large");
    arguments.flag("raw", false,
                   "no tracks: write the ratio-tested pairwise matches, not verified, "
                   "to --colmap, --colmap-text or --openmvg");
    arguments.option("report", "FILE", "",
                     "write an HTML page that shows the tracks, e.g. tracks.html");
    arguments.option(
        "pair-report", "FILE", "",
        "write a table of the pairs of images, the most suspect first: matches, those that the "
        "tracks keep and contradict, agreement with cycles, e.g. pairs.csv");
    arguments.flag("force", false, "replace an existing database of --colmap");
    arguments.flag("quiet", false, "print errors only");
    arguments.flag("help", false, "print this text");
    arguments.flag("version", false, "print the versions of this program and of OpenCV");
    arguments.epilogue(EXAMPLES);
    return arguments;
}

//! Files of hloc, which are recognized by their content.
void readHlocOptions(const samples::Arguments& arguments, Options& options)
{
    const bool isHloc = !options.database.empty() && isHdf5(options.database);
    if (!isHloc && arguments.given("features-from"))
        throw samples::ArgumentError("--features-from belongs to --matches-from with matches of "
                                     "hloc in HDF5");
    if (!isHloc)
        return;
    if (!haveHdf5())
        throw samples::ArgumentError(
            "--matches-from=" + options.database +
            " is a file of HDF5, which this build cannot read (it needs libhdf5-dev); python3 -m "
            "cv2_multimatch.hloc can");
    options.hlocFeatures = arguments.get("features-from");
    if (options.hlocFeatures.empty())
        options.hlocFeatures = samples::folderOf(options.database) + "/features.h5";
    if (!isHdf5(options.hlocFeatures))
        throw samples::ArgumentError(options.hlocFeatures +
                                     " is missing or no file of HDF5; give the key points of hloc "
                                     "with --features-from=FILE");
}

void readInputOptions(const samples::Arguments& arguments, Options& options)
{
    std::vector<std::string> wanted = arguments.getAll("images");
    wanted.insert(wanted.end(), arguments.positional().begin(), arguments.positional().end());
    options.video = arguments.get("video");
    options.database = arguments.get("matches-from");
    if (wanted.empty() && options.video.empty() && options.database.empty())
        throw samples::ArgumentError("give --images=WHAT, --video=FILE or --matches-from=FILE");
    if (!wanted.empty() + !options.video.empty() + !options.database.empty() > 1)
        throw samples::ArgumentError("--images, --video and --matches-from exclude each other");
    if (!options.database.empty() && !cv::utils::fs::exists(options.database))
        throw samples::ArgumentError("there is no file " + options.database);
    readHlocOptions(arguments, options);
    options.verifiedInput = arguments.getFlag("verified");
    if (arguments.given("focal"))
        options.focalLength = arguments.getDouble("focal", 1, 1e9);
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

//! Throws if the database cannot be written.
void checkColmap(const Options& options)
{
    if (options.colmap.empty())
    {
        if (options.colmapFill || options.sharedCamera)
            throw samples::ArgumentError("--colmap-fill and --shared-camera belong to --colmap");
        return;
    }
    if (!cv::multimatch::haveColmapDatabase())
        throw samples::ArgumentError("--colmap: this build has no SQLite");
    const bool exists = cv::utils::fs::exists(options.colmap);
    if (exists && !options.force && !options.colmapFill)
        throw samples::ArgumentError(options.colmap +
                                     " exists; --force replaces it, --colmap-fill adds to it");
    if (!exists && options.colmapFill)
        throw samples::ArgumentError("there is no database " + options.colmap + " to add to");
}

//! Sets the options of a preset that are not given.
void applyPreset(samples::Arguments& arguments)
{
    if (!arguments.given("preset"))
        return;
    const std::string name = arguments.get("preset");
    typedef std::vector<std::pair<const char*, const char*>> Values;
    const std::map<std::string, Values> presets = {
        {"sfm",
         {{"method", "guided"},
          {"max-error", "0.8"},
          {"min-confidence", "0.8"},
          {"max-features", "8000"}}},
        {"video", {{"pairs", "sequential:10"}, {"max-features", "1500"}}},
        {"panorama",
         {{"method", "guided"},
          {"model", "homography"},
          {"max-error", "3"},
          {"max-features", "4000"}}},
        {"exact", {{"exact", "on"}}}};
    const std::map<std::string, Values>::const_iterator found = presets.find(name);
    if (found == presets.end())
        throw samples::ArgumentError("--preset=" + name +
                                     ": expected sfm, video, panorama or exact");
    for (const std::pair<const char*, const char*>& value : found->second)
        arguments.preset(value.first, value.second);
}

void readOutputOptions(const samples::Arguments& arguments, Options& options)
{
    options.outputs = arguments.getList("output");
    for (size_t i = 0; i < options.outputs.size(); ++i)
        if (!cv::multimatch::isTrackFileName(options.outputs[i]))
            throw samples::ArgumentError("--output=" + options.outputs[i] +
                                         ": expected a name with " +
                                         std::string(TRACK_FILE_ENDINGS));
    options.draw = arguments.get("draw");
    if (!options.draw.empty() && !cv::haveImageWriter(options.draw))
        throw samples::ArgumentError("--draw=" + options.draw +
                                     ": OpenCV cannot write images with this ending");
    options.colmap = arguments.get("colmap");
    options.colmapText = arguments.get("colmap-text");
    options.openmvg = arguments.get("openmvg");
    options.opensfm = arguments.get("opensfm");
    options.bal = arguments.get("bal");
    options.report = arguments.get("report");
    options.pairReport = arguments.get("pair-report");
    options.force = arguments.getFlag("force");
    options.colmapFill = arguments.getFlag("colmap-fill");
    options.sharedCamera = arguments.getFlag("shared-camera");
    checkColmap(options);
    if (options.raw &&
        (!options.outputs.empty() || !options.opensfm.empty() || !options.bal.empty() ||
         !options.draw.empty() || !options.report.empty() || !options.pairReport.empty()))
        throw samples::ArgumentError("--raw makes no tracks; it can be used with --colmap, "
                                     "--colmap-text and --openmvg only");
    // Errors are reported before the matching, which may take long.
    std::vector<std::string> files = outputNames(options);
    for (const std::string& folder : {options.openmvg, options.colmapText})
    {
        files.erase(std::remove(files.begin(), files.end(), folder), files.end());
        if (!folder.empty())
            files.push_back(folder + "/matches.txt");
    }
    for (size_t i = 0; i < files.size(); ++i)
    {
        try
        {
            samples::NewFile probe(files[i]);
        }
        catch (const cv::Exception& e)
        {
            throw samples::ArgumentError(e.err);
        }
    }
}

//! Collections that grow, and those that are matched in parts. After all other options.
void readGrowthOptions(const samples::Arguments& arguments, Options& options)
{
    options.addTo = arguments.get("add-to");
    if (arguments.given("memory"))
        options.memory = parseBytes("memory", arguments.get("memory"));
    if (options.addTo.empty() && options.memory <= 0)
        return;
    if (!options.database.empty() || options.raw || options.verify)
        throw samples::ArgumentError("--add-to and --memory match descriptors; they exclude "
                                     "--matches-from, --raw and --verify");
    if (options.memory > 0 && options.verification.model == cv::multimatch::MODEL_ESSENTIAL)
        throw samples::ArgumentError("--memory excludes --model=essential");
    if (options.addTo.empty())
        return;
    if (options.memory > 0)
        throw samples::ArgumentError("--add-to and --memory exclude each other");
    if (arguments.given("method") && arguments.get("method") != "hippi")
        throw samples::ArgumentError("--add-to: only --method=hippi can add images");
    if (!options.pairs.file.empty() || !options.video.empty())
        throw samples::ArgumentError("--add-to takes --images, and --pairs=all, sequential:N or "
                                     "retrieval:N");
    if (!cv::multimatch::isTrackFileName(options.addTo) ||
        options.addTo.rfind(".csv") == options.addTo.size() - 4)
        throw samples::ArgumentError("--add-to=" + options.addTo +
                                     ": expected a name with .yml, .json or .xml (each also with "
                                     ".gz)");
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

    applyPreset(arguments);
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
    options.verification = verificationParams(arguments);
    options.verify = arguments.getFlag("verify");
    options.raw = arguments.getFlag("raw");
    if (arguments.given("ratio"))
        options.ratio = arguments.getDouble("ratio", 1e-6, 1);
    if (options.verify && arguments.get("method") == "guided")
        throw samples::ArgumentError("--method=guided includes the verification of --verify");

    readInputOptions(arguments, options);
    if (arguments.given("pairs"))
        options.pairs = parsePairChoice(arguments.get("pairs"));
    else if (!options.video.empty())
        options.pairs.window = 5;
    if (!options.database.empty() && options.pairs.similar > 0)
        throw samples::ArgumentError("--pairs=retrieval needs images; --matches-from has none");
    if (!options.pairs.file.empty() && !options.images.empty())
    {
        // The file is read again when the readable images are known; this reports errors early.
        std::vector<int> every(options.images.size());
        std::iota(every.begin(), every.end(), 0);
        readPairs(options.pairs.file, options.images, every);
    }
    readOutputOptions(arguments, options);
    readGrowthOptions(arguments, options);
    return options;
}
