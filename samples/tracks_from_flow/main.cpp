// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Tracks of a dense matcher without key points: optical flow between the frames of a video.

#include "files.hpp"
#include "flow_matches.hpp"
#include "image_file.hpp"
#include "pair_table.hpp"
#include "program.hpp"
#include "summary.hpp"
#include "terminal.hpp"

#include "opencv2/core/utility.hpp"
#include "opencv2/core/utils/filesystem.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "opencv2/multimatch.hpp"
#include "opencv2/multimatch/io.hpp"
#include "opencv2/videoio.hpp"

#include <climits>
#include <cstdio>

namespace {

using namespace cv::multimatch;

samples::Arguments declareOptions()
{
    samples::Arguments arguments("tracks_from_flow [--output=FILE] [options] VIDEO|IMAGES",
                                 "tracks_from_flow makes tracks of the matches of a dense matcher: "
                                 "optical flow (DIS) from each "
                                 "frame to\nlater ones, checked forward and backward. IMAGES is a "
                                 "folder, a pattern or a list of "
                                 "frames.");
    arguments.section("Input");
    arguments.option("step", "N", "1", "take every N-th frame");
    arguments.option("max-frames", "N", "60", "take at most N frames, 0: all");
    arguments.option("width", "PX", "640", "larger frames are reduced to this width");
    arguments.section("Matching");
    arguments.option("spacing", "PX", "8", "distance of neighboring points");
    arguments.option("gaps", "LIST", "1,2,4,8", "frames between the two frames of a match");
    arguments.option("max-error", "PX", "1", "largest error forward and backward");
    arguments.option("radius", "PX", "0", "largest width of a key point; 0: from the data");
    arguments.option("min-length", "N", "3", "shorter tracks are left out");
    arguments.section("Output");
    arguments.option("output", "FILE", "tracks.yml.gz",
                     "tracks: .yml, .json, .xml, each also .gz, or .csv");
    arguments.option("pair-report", "FILE", "",
                     "a table of the pairs of frames, the most suspect one first");
    arguments.option("draw", "FILE", "", "a picture of the tracks in some of the frames");
    arguments.flag("help", false, "print this text");
    arguments.epilogue("\nExit codes: 0 done, 1 the command line is wrong, 4 another error; "
                       "Ctrl-C ends the input and matches what was read; a second one stops\n");
    return arguments;
}

//! Frames of a video or of image files, one after the other.
class FrameReader
{
public:
    explicit FrameReader(const std::string& source) : next_(0)
    {
        const bool isList = source.find_first_of("*?") != std::string::npos ||
                            cv::utils::fs::isDirectory(source) ||
                            samples::hasEnding(source, ".txt") || cv::haveImageReader(source);
        if (isList)
            files_ = samples::listImages(source);
        else if (!video_.open(source))
            throw samples::ArgumentError("cannot open the video " + source);
    }

    //! False at the end.
    bool read(cv::Mat& frame)
    {
        if (files_.empty())
            return video_.read(frame);
        if (next_ == files_.size())
            return false;
        frame = cv::imread(files_[next_], cv::IMREAD_COLOR);
        if (frame.empty())
            throw std::runtime_error("cannot read the image " + files_[next_]);
        ++next_;
        return true;
    }

private:
    std::vector<std::string> files_;
    size_t next_;
    cv::VideoCapture video_;
};

std::vector<int> gapsOf(const std::string& text)
{
    std::vector<int> gaps;
    for (const std::string& part : samples::split(text, ','))
    {
        const int gap = std::atoi(part.c_str());
        if (gap < 1 || gap > 1000 || std::to_string(gap) != part ||
            (!gaps.empty() && gap <= gaps.back()))
            throw samples::ArgumentError("--gaps=" + text +
                                         ": expected ascending numbers from 1 to 1000");
        gaps.push_back(gap);
    }
    return gaps;
}

std::vector<std::string> namesOf(const std::vector<ViewInfo>& views)
{
    std::vector<std::string> names;
    names.reserve(views.size());
    for (const ViewInfo& view : views)
        names.push_back(view.name);
    return names;
}

//! Which frames of the input are taken, and how.
struct FrameOptions
{
    int step, most, width; //!< every step-th; at most so many, 0: all; reduced to this width

    explicit FrameOptions(const samples::Arguments& arguments)
        : step(arguments.getInt("step", 1, INT_MAX)),
          most(arguments.getInt("max-frames", 0, INT_MAX)),
          width(arguments.getInt("width", 32, INT_MAX))
    {
    }
};

struct Frames
{
    std::vector<cv::Mat> pictures;
    std::vector<ViewInfo> views;
};

//! Reads the frames and gives them to the matcher.
Frames matchFrames(FrameReader& reader, const FrameOptions& options, samples::FlowMatcher& matcher,
                   samples::ProgressBar& bar)
{
    Frames frames;
    cv::Mat frame;
    for (int number = 0; !samples::interrupted() && reader.read(frame); ++number)
    {
        if (number % options.step != 0)
            continue;
        bar.show("flow", options.most ? static_cast<double>(matcher.frames()) / options.most : 0);
        if (frame.cols > options.width)
        {
            const double height = static_cast<double>(frame.rows) * options.width / frame.cols;
            cv::resize(frame, frame, cv::Size(options.width, cvRound(height)), 0, 0,
                       cv::INTER_AREA);
        }
        frames.pictures.push_back(frame.clone());
        matcher.add(frame);
        ViewInfo view;
        view.name = cv::format("frame_%05d", number);
        view.size = frame.size();
        frames.views.push_back(view);
        if (matcher.frames() == options.most)
            break;
    }
    bar.clear();
    if (frames.pictures.size() < 2)
        throw std::runtime_error("the input has fewer than two frames");
    return frames;
}

void printMatches(const samples::FlowMatcher& matcher, double radius)
{
    size_t matches = 0;
    for (const CoordinateMatches& pair : matcher.matches())
        matches += static_cast<size_t>(pair.points.rows);
    std::printf("  %-18s %10d\n  %-18s %10zu\n  %-18s %10.2f\n", "frames", matcher.frames(),
                "matches", matches, "radius in px", radius);
}

int run(const samples::Arguments& arguments)
{
    if (arguments.positional().size() != 1)
        throw samples::ArgumentError("give one video file, folder or pattern of images");
    const std::string output = arguments.get("output");
    if (!isTrackFileName(output))
        throw samples::ArgumentError("--output=" + output + ": not a format of tracks");
    samples::FlowParams params;
    params.spacing = arguments.getInt("spacing", 1, 1000);
    params.gaps = gapsOf(arguments.get("gaps"));
    params.maxError = arguments.getDouble("max-error", 1e-3, 1000);
    const FrameOptions options(arguments);
    FrameReader reader(arguments.positional()[0]);
    samples::FlowMatcher matcher(params);

    samples::catchInterrupts();
    samples::ProgressBar bar(samples::standardErrorIsTerminal());
    samples::StageTimes times;
    cv::TickMeter watch;
    watch.start();
    Frames frames = matchFrames(reader, options, matcher, bar);
    watch.stop();
    times.push_back(std::make_pair("flow", watch.getTimeSec()));

    //! [tracks]
    const ClusteredMatches clustered =
        clusterMatches(matcher.matches(), matcher.frames(), arguments.getDouble("radius", 0, 1000));
    const cv::Ptr<HiPPI> hippi = HiPPI::create();
    hippi->setProgressCallback([&](const Progress& progress) {
        bar.show(progress.stage, progress.fraction, progress.secondsLeft);
        return true;
    });
    Tracks tracks = hippi->synchronize(clustered.keypoints, clustered.matches, WEIGHTS_FROM_SCORES);
    const std::vector<std::vector<cv::KeyPoint>> keypoints = refineKeyPoints(clustered, tracks);
    //! [tracks]
    bar.clear();
    const std::vector<PairReport> reports = reportPairs(clustered.matches, tracks);
    tracks = tracks.filter(arguments.getInt("min-length", 1, INT_MAX));
    samples::appendStages(times, tracks.report());
    for (size_t v = 0; v < frames.views.size(); ++v)
        frames.views[v].keypoints = keypoints[v];
    writeTracks(output, frames.views, tracks);
    if (arguments.given("pair-report"))
        samples::writePairTable(arguments.get("pair-report"), namesOf(frames.views), reports);
    if (arguments.given("draw"))
    {
        cv::Mat picture;
        drawTracks(frames.pictures, keypoints, tracks, picture);
        samples::writeImage(arguments.get("draw"), picture, {cv::IMWRITE_JPEG_QUALITY, 85});
    }
    printMatches(matcher, clustered.radius);
    samples::printCounts(tracks.statistics());
    samples::printTimes(times);
    std::printf("\nwrote %s\n", output.c_str());
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    return samples::runProgram("tracks_from_flow", declareOptions(), argc, argv, run);
}
