// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Tracks points through a video and writes the video with the tracks.

#include "video_tracker.hpp"

#include "files.hpp"
#include "program.hpp"
#include "terminal.hpp"

#include "opencv2/core/utility.hpp"
#include "opencv2/imgproc.hpp"
#include "opencv2/videoio.hpp"

#include <cctype>
#include <climits>
#include <cstdio>
#include <exception>
#include <fstream>

namespace {

const size_t TRAIL = 12; // length of the drawn trail in frames

samples::Arguments declareOptions()
{
    samples::Arguments arguments(
        "track_video [--output=FILE] [options] VIDEO|CAMERA",
        "track_video tracks points through a video, which is a file or the number of a camera. Ids "
        "are\nstable, and points that were hidden get their id again.");
    arguments.section("Input");
    arguments.option("step", "N", "1", "take every N-th frame");
    arguments.option("max-frames", "N", "0", "take at most N frames, 0: all");
    arguments.option("features", "NAME", "SIFT",
                     "one of " + samples::join(samples::featureNames(), ", "));
    arguments.option("max-features", "N", "400", "the strongest N of each frame");
    arguments.section("Tracking");
    arguments.option("window", "N", "6", "frames before it that each frame is compared with");
    arguments.option("delay", "N", "4",
                     "a frame is written when so many later ones are known, whose points may join "
                     "its tracks");
    arguments.option("memory", "N", "150", "number of frames for which a lost point is kept");
    arguments.section("Output");
    arguments.option("output", "FILE", "tracked.avi", "the video with ids as colors and trails");
    arguments.option("ids", "FILE", "", "a table frame,id,x,y, e.g. ids.csv");
    arguments.flag("help", false, "print this text");
    arguments.epilogue("\nExit codes: 0 done, 1 the command line is wrong, 4 another error; "
                       "Ctrl-C ends the video and writes the results\n");
    return arguments;
}

cv::Scalar colorOf(int id)
{
    // Hues with steps of the golden ratio.
    const double turns = id * 0.6180339887498949;
    cv::Mat color(1, 1, CV_8UC3, cv::Scalar(180 * (turns - std::floor(turns)), 200, 255));
    cv::cvtColor(color, color, cv::COLOR_HSV2BGR);
    return cv::Scalar(color.at<cv::Vec3b>(0));
}

//! Draws frames and writes them.
class Annotator
{
public:
    Annotator(const std::string& video, const std::string& table, double rate)
        : video_(video), file_(video), rate_(rate), seen_(0), points_(0)
    {
        if (!table.empty())
        {
            tableFile_ = cv::makePtr<samples::NewFile>(table);
            table_.open(tableFile_->temporaryName().c_str());
            table_ << "frame,id,x,y\n";
        }
    }

    void write(const Frame& frame)
    {
        // Every build of OpenCV can write Motion JPEG in AVI.
        if (!writer_.isOpened() &&
            !writer_.open(file_.temporaryName(), cv::CAP_OPENCV_MJPEG,
                          cv::VideoWriter::fourcc('M', 'J', 'P', 'G'), rate_, frame.image.size()))
            throw std::runtime_error("cannot write the video " + video_ +
                                     "; its name must end in .avi");
        cv::Mat picture = frame.image.clone();
        ++seen_;
        for (size_t p = 0; p < frame.ids.size(); ++p)
        {
            if (frame.ids[p] < 0)
                continue;
            ++points_;
            const cv::Point2f& place = frame.features.keypoints[p].pt;
            std::deque<std::pair<int, cv::Point2f>>& trail = trails_[frame.ids[p]];
            // No line between the positions before and after a point was hidden.
            if (!trail.empty() && trail.back().first + 1 < seen_)
                trail.clear();
            trail.push_back(std::make_pair(seen_, place));
            if (trail.size() > TRAIL)
                trail.pop_front();
            const cv::Scalar color = colorOf(frame.ids[p]);
            for (size_t n = 1; n < trail.size(); ++n)
                cv::line(picture, trail[n - 1].second, trail[n].second, color, 1, cv::LINE_AA);
            cv::circle(picture, place, 3, color, cv::FILLED, cv::LINE_AA);
            if (table_.is_open())
                table_ << frame.number << ',' << frame.ids[p] << ',' << place.x << ',' << place.y
                       << '\n';
        }
        writer_.write(picture);
    }

    void finish()
    {
        writer_.release();
        file_.commit();
        if (table_.is_open())
        {
            table_.close();
            if (!table_)
                throw std::runtime_error("cannot write the table of ids; is the disk full?");
            tableFile_->commit();
        }
    }

    int frames() const { return seen_; }
    double points() const { return points_; }

private:
    std::string video_;
    samples::NewFile file_;
    cv::Ptr<samples::NewFile> tableFile_;
    std::ofstream table_;
    cv::VideoWriter writer_;
    double rate_;
    int seen_;
    double points_;
    std::map<int, std::deque<std::pair<int, cv::Point2f>>> trails_;
};

void open(cv::VideoCapture& capture, const std::string& source)
{
    const bool camera = source.size() < 3 && std::all_of(source.begin(), source.end(), [](char c) {
                            return std::isdigit(static_cast<unsigned char>(c));
                        });
    if (camera ? !capture.open(std::stoi(source)) : !capture.open(source))
        throw samples::ArgumentError("cannot open the video or camera " + source);
}

int run(const samples::Arguments& arguments)
{
    if (arguments.positional().size() != 1)
        throw samples::ArgumentError("give one video file or number of a camera");
    VideoTracker tracker(arguments.getInt("window", 1, 1000), arguments.getInt("delay", 0, 1000),
                         arguments.getInt("memory", 0, INT_MAX));
    const int step = arguments.getInt("step", 1, INT_MAX);
    const int maxFrames = arguments.getInt("max-frames", 0, INT_MAX);
    samples::FeatureParams params;
    params.name = arguments.get("features");
    params.maxFeatures = arguments.getInt("max-features", 1, INT_MAX);
    const samples::FeatureExtractor extractor(params);
    cv::VideoCapture capture;
    open(capture, arguments.positional()[0]);
    const double rate = capture.get(cv::CAP_PROP_FPS);
    Annotator annotator(arguments.get("output"), arguments.get("ids"),
                        (rate > 0 && rate <= 240 ? rate : 25) / step);

    samples::catchInterrupts();
    cv::TickMeter timer;
    timer.start();
    Frame frame;
    for (int number = 0, taken = 0; !samples::interrupted() && capture.grab(); ++number)
    {
        if (number % step != 0)
            continue;
        cv::Mat picture;
        if (!capture.retrieve(picture))
            continue;
        frame.number = number;
        frame.image = picture.clone();
        frame.features = extractor.extract(frame.image);
        for (const Frame& done : tracker.add(frame))
            annotator.write(done);
        if (++taken == maxFrames)
            break;
    }
    for (const Frame& done : tracker.finish())
        annotator.write(done);
    timer.stop();
    if (annotator.frames() == 0)
        throw std::runtime_error("the video has no frames");
    annotator.finish();
    std::printf("  frames               %8d\n  ids                  %8d\n"
                "  points per frame     %8.1f\n  frames per id        %8.1f\n"
                "  ids found again      %8d\n  frames per second    %8.1f\n\nwrote %s\n",
                annotator.frames(), tracker.idCount(), annotator.points() / annotator.frames(),
                annotator.points() / std::max(1, tracker.idCount()), tracker.reidentified(),
                annotator.frames() / timer.getTimeSec(), arguments.get("output").c_str());
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    return samples::runProgram("track_video", declareOptions(), argc, argv, run);
}
