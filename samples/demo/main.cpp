// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Matches views of one photograph with known correspondences by HiPPI and by ratio test +
// union-find.

#include "files.hpp"
#include "image_file.hpp"
#include "photo_sequence.hpp"
#include "program.hpp"
#include "summary.hpp"
#include "terminal.hpp"

#include "opencv2/core/utility.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/multimatch.hpp"
#include "opencv2/multimatch/io.hpp"
#include "opencv2/multimatch/peers.hpp"

#include <climits>
#include <cstdio>

namespace {

using cv::multimatch::MatchScore;
using cv::multimatch::MultiMatcher;
using cv::multimatch::Tracks;

// Tracks of one matcher and their scores.
struct Result
{
    std::string name;
    Tracks tracks;
    MatchScore score;
    double seconds;
};

struct Options
{
    std::string photo, output, picture, viewFolder;
    samples::PhotoSequenceParams sequence;
};

samples::Arguments declareOptions()
{
    const samples::PhotoSequenceParams sequence;
    samples::Arguments arguments(
        "multimatch_demo [options]",
        "multimatch_demo renders views of a photograph under known homographies, with illumination "
        "changes,\nnoise, an occluding rectangle and as many outliers as true points, matches "
        "them, "
        "and prints\nprecision and recall.");
    arguments.section("Options");
    arguments.option("photo", "FILE", "",
                     "photograph (default: one of Debian's package opencv-doc, or a rendered "
                     "picture without it)");
    arguments.option("views", "N", std::to_string(sequence.views), "number of views");
    arguments.option("points", "N", std::to_string(sequence.points), "key points of each view");
    arguments.option("seed", "N", std::to_string(sequence.seed), "seed of the random generator");
    arguments.option("output", "FOLDER", "out", "folder for tracks.yml.gz and the picture");
    arguments.option("picture", "NAME", "tracks.png",
                     "name of the picture; its ending selects the format");
    arguments.option("write-views", "FOLDER", "", "write the views too, as PNG files");
    arguments.flag("help", false, "print this text");
    return arguments;
}

std::string choosePhoto(const std::string& wanted)
{
    if (!wanted.empty())
        return wanted;
    const std::vector<std::string> photos = samples::examplePhotographs();
    for (size_t i = 0; i < photos.size(); ++i)
        if (samples::baseName(photos[i]) == "home.jpg")
            return photos[i];
    return photos.empty() ? "" : photos[0];
}

cv::Mat readPhoto(const std::string& file, uint64_t seed)
{
    if (file.empty())
        return samples::renderedPhotograph(seed);
    cv::Mat photo = cv::imread(file, cv::IMREAD_COLOR);
    if (photo.empty())
        throw std::runtime_error("cannot read the photograph " + file);
    return photo;
}

Result match(const std::string& name, MultiMatcher& matcher, const samples::PhotoSequence& sequence,
             samples::ProgressBar& bar)
{
    matcher.setProgressCallback([&](const cv::multimatch::Progress& progress) {
        bar.show(progress.stage, progress.fraction, progress.secondsLeft);
        return true;
    });
    Result result;
    result.name = name;
    result.tracks = matcher.match(sequence.keypoints, sequence.descriptors);
    bar.clear();
    result.score = cv::multimatch::scoreTracks(result.tracks, sequence.labels);
    result.seconds = result.tracks.report().totalSeconds();
    return result;
}

void printComparison(const std::vector<Result>& results)
{
    std::vector<std::string> names;
    std::vector<cv::multimatch::TrackStatistics> statistics;
    for (size_t i = 0; i < results.size(); ++i)
    {
        names.push_back(results[i].name);
        statistics.push_back(results[i].tracks.statistics());
    }
    std::printf("  %-18s %10d\n", "views", statistics[0].views);
    std::printf("  %-18s %10d\n\n", "key points", statistics[0].points);

    std::printf("  %-10s %8s %10s %8s %10s %8s %8s %8s\n", "", "tracks", "in tracks", "length",
                "precision", "recall", "fscore", "seconds");
    for (size_t i = 0; i < results.size(); ++i)
        std::printf("  %-10s %8d %10d %8.2f %10.3f %8.3f %8.3f %8.2f\n", names[i].c_str(),
                    statistics[i].tracks, statistics[i].observations, statistics[i].meanLength,
                    results[i].score.precision(), results[i].score.recall(),
                    results[i].score.fscore(), results[i].seconds);
    samples::printLengths(names, statistics);
}

std::vector<cv::multimatch::ViewInfo> viewInfos(const samples::PhotoSequence& sequence)
{
    std::vector<cv::multimatch::ViewInfo> infos(sequence.images.size());
    for (size_t i = 0; i < infos.size(); ++i)
    {
        infos[i].name = cv::format("view_%02d.png", static_cast<int>(i));
        infos[i].size = sequence.images[i].size();
        infos[i].keypoints = sequence.keypoints[i];
    }
    return infos;
}

void writeImage(const std::string& name, const cv::Mat& image)
{
    // Used for JPEG only; half the size of the default without a visible difference.
    samples::writeImage(name, image, {cv::IMWRITE_JPEG_QUALITY, 85});
}

int run(const Options& options)
{
    samples::ProgressBar bar(samples::standardErrorIsTerminal());
    samples::StageTimes times;
    cv::TickMeter watch;

    const std::string photo = choosePhoto(options.photo);
    std::printf("%d views of %s, half of the key points are outliers\n\n", options.sequence.views,
                photo.empty() ? "a rendered picture" : samples::baseName(photo).c_str());
    std::fflush(stdout);
    bar.show("views", 0);
    watch.start();
    const samples::PhotoSequence sequence =
        samples::makePhotoSequence(readPhoto(photo, options.sequence.seed), options.sequence);
    watch.stop();
    bar.clear();
    times.push_back(std::make_pair("views", watch.getTimeSec()));

    std::vector<Result> results;
    results.push_back(match("HiPPI", *cv::multimatch::HiPPI::create(), sequence, bar));
    samples::appendStages(times, results[0].tracks.report());
    results.push_back(match("union-find", *cv::multimatch::UnionFind::create(), sequence, bar));
    times.push_back(std::make_pair("union-find", results[1].seconds));

    watch.reset();
    watch.start();
    const std::vector<cv::multimatch::ViewInfo> infos = viewInfos(sequence);
    cv::multimatch::writeTracks(options.output + "/tracks.yml.gz", infos, results[0].tracks);
    watch.stop();
    times.push_back(std::make_pair("write", watch.getTimeSec()));
    watch.reset();
    watch.start();
    cv::Mat mosaic;
    cv::multimatch::drawTracks(sequence.images, sequence.keypoints, results[0].tracks, mosaic);
    writeImage(options.output + "/" + options.picture, mosaic);
    if (!options.viewFolder.empty())
        for (size_t i = 0; i < infos.size(); ++i)
            writeImage(options.viewFolder + "/" + infos[i].name, sequence.images[i]);
    watch.stop();
    times.push_back(std::make_pair("draw", watch.getTimeSec()));

    printComparison(results);
    samples::printTimes(times);
    std::printf("\nwrote %s/tracks.yml.gz\nwrote %s/%s\n", options.output.c_str(),
                options.output.c_str(), options.picture.c_str());
    return 0;
}

int runWith(const samples::Arguments& arguments)
{
    if (!arguments.positional().empty())
        throw samples::ArgumentError("unexpected argument " + arguments.positional()[0]);
    Options options;
    options.photo = arguments.get("photo");
    options.output = arguments.get("output");
    options.picture = arguments.get("picture");
    if (!cv::haveImageWriter(options.picture))
        throw samples::ArgumentError("--picture=" + options.picture +
                                     ": OpenCV writes no images with this ending");
    options.viewFolder = arguments.get("write-views");
    options.sequence.views = arguments.getInt("views", 2, 1000);
    options.sequence.points = arguments.getInt("points", 10, 100000);
    options.sequence.seed = static_cast<uint64_t>(arguments.getInt("seed", 0, INT_MAX));
    return run(options);
}

} // namespace

int main(int argc, char** argv)
{
    return samples::runProgram("multimatch_demo", declareOptions(), argc, argv, runWith);
}
