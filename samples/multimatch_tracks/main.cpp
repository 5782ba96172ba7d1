// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "arguments.hpp"
#include "files.hpp"
#include "options.hpp"
#include "summary.hpp"
#include "terminal.hpp"
#include "track_files.hpp"
#include "view_reader.hpp"

#include "opencv2/core/utility.hpp"
#include "opencv2/core/utils/logger.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/multimatch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>

namespace {

enum ExitCode
{
    DONE = 0,
    BAD_ARGUMENTS = 1,
    TOO_FEW_IMAGES = 2,
    SOME_UNREADABLE = 3,
    FAILED = 4,
    STOPPED = 130 // as shells report it
};

class Stopwatch
{
public:
    Stopwatch() { timer_.start(); }
    //! Seconds since the last call.
    double lap()
    {
        timer_.stop();
        const double seconds = timer_.getTimeSec();
        timer_.reset();
        timer_.start();
        return seconds;
    }

private:
    cv::TickMeter timer_;
};

// Tiles that make a picture of a few megapixels, whatever the number of views.
int tileWidth(size_t viewCount)
{
    const double pixels = 5e6;
    const double width = std::sqrt(pixels * 1.4 / std::max<size_t>(1, viewCount));
    return std::min(480, std::max(96, static_cast<int>(width)));
}

Views readViews(const Options& options, samples::ProgressBar& bar)
{
    const ReadProgress progress = [&](double fraction) {
        bar.show("features", fraction);
        return !samples::interrupted();
    };
    const int thumbnailWidth = options.draw.empty()    ? 0
                               : options.video.empty() ? tileWidth(options.images.size())
                                                       : 320;
    if (options.video.empty())
        return readPhotographs(options.images, options.features, thumbnailWidth, progress);
    return readVideo(options.video, options.step, options.maxFrames, options.features,
                     thumbnailWidth, progress);
}

cv::multimatch::Tracks matchViews(const Options& options, const Views& views,
                                  samples::ProgressBar& bar)
{
    cv::multimatch::MultiMatcher& matcher = *options.matcher;
    if (!options.pairs.file.empty())
        matcher.setPairs(readPairs(options.pairs.file, views.sources, views.sourceIndex));
    else if (options.pairs.similar > 0)
        matcher.setPairs(cv::multimatch::retrievePairs(views.descriptors, options.pairs.similar));
    else
        matcher.setWindow(options.pairs.window);
    matcher.setProgressCallback([&](const cv::multimatch::Progress& progress) {
        bar.show(progress.stage, progress.fraction, progress.secondsLeft);
        return !samples::interrupted();
    });
    cv::multimatch::Tracks tracks = matcher.match(views.keypoints(), views.descriptors);
    const cv::multimatch::MatchReport report = tracks.report();
    // Not every method knows these limits itself.
    tracks = tracks.filter(options.minLength, options.minConfidence);
    tracks.setReport(report);
    return tracks;
}

void drawViews(const std::string& name, const Views& views, const cv::multimatch::Tracks& tracks)
{
    // Only thumbnails were kept, so the points move into their pixels.
    std::vector<std::vector<cv::KeyPoint>> keypoints = views.keypoints();
    for (size_t i = 0; i < keypoints.size(); ++i)
    {
        const cv::Mat& picture = views.thumbnails[i];
        const float scaleX = static_cast<float>(picture.cols) / views.infos[i].size.width;
        const float scaleY = static_cast<float>(picture.rows) / views.infos[i].size.height;
        for (size_t p = 0; p < keypoints[i].size(); ++p)
        {
            keypoints[i][p].pt.x = (keypoints[i][p].pt.x + 0.5f) * scaleX - 0.5f;
            keypoints[i][p].pt.y = (keypoints[i][p].pt.y + 0.5f) * scaleY - 0.5f;
        }
    }
    cv::multimatch::DrawTracksParams params;
    params.tileWidth = tileWidth(keypoints.size());
    // Thousands of grey dots would hide the pictures.
    size_t points = 0;
    for (size_t i = 0; i < keypoints.size(); ++i)
        points += keypoints[i].size();
    params.unmatchedPoints = points <= 800 * keypoints.size();
    cv::Mat mosaic;
    cv::multimatch::drawTracks(views.thumbnails, keypoints, tracks, mosaic, params);
    samples::NewFile file(name);
    if (!cv::imwrite(file.temporaryName(), mosaic))
        throw std::runtime_error("cannot write " + name);
    file.commit();
}

void listUnreadable(const Views& views)
{
    if (views.unreadable.empty())
        return;
    std::fprintf(stderr, "%d of %d images could not be read:\n",
                 static_cast<int>(views.unreadable.size()), static_cast<int>(views.sources.size()));
    for (size_t i = 0; i < views.unreadable.size(); ++i)
        std::fprintf(stderr, "  %s\n", views.unreadable[i].c_str());
}

int stopped()
{
    std::fprintf(stderr, "stopped; nothing was written\n");
    return STOPPED;
}

int run(const Options& options)
{
    if (options.threads > 0)
        cv::setNumThreads(options.threads);
    samples::catchInterrupts();
    samples::ProgressBar bar(!options.quiet && samples::standardErrorIsTerminal());
    samples::StageTimes times;
    Stopwatch watch;

    const Views views = readViews(options, bar);
    bar.clear();
    if (views.stopped || samples::interrupted())
        return stopped();
    times.push_back(std::make_pair("features", watch.lap()));
    if (views.infos.size() < 2)
    {
        listUnreadable(views);
        std::fprintf(stderr,
                     "multimatch_tracks: %d readable image%s, expected at least 2; nothing was "
                     "written\n",
                     static_cast<int>(views.infos.size()), views.infos.size() == 1 ? "" : "s");
        return TOO_FEW_IMAGES;
    }

    const cv::multimatch::Tracks tracks = matchViews(options, views, bar);
    bar.clear();
    if (tracks.report().cancelled || samples::interrupted())
        return stopped();
    samples::appendStages(times, tracks.report());
    watch.lap();

    for (size_t i = 0; i < options.outputs.size(); ++i)
        samples::writeTracks(options.outputs[i], views.infos, tracks);
    if (!options.outputs.empty())
        times.push_back(std::make_pair("write", watch.lap()));
    if (!options.draw.empty())
    {
        drawViews(options.draw, views, tracks);
        times.push_back(std::make_pair("draw", watch.lap()));
    }

    if (!options.quiet)
    {
        const cv::multimatch::TrackStatistics statistics = tracks.statistics();
        samples::printCounts(statistics);
        samples::printLengths({"tracks"}, {statistics});
        samples::printTimes(times);
        for (size_t i = 0; i < options.outputs.size(); ++i)
            std::printf("%swrote %s\n", i ? "" : "\n", options.outputs[i].c_str());
        if (!options.draw.empty())
            std::printf("%swrote %s\n", options.outputs.empty() ? "\n" : "", options.draw.c_str());
        std::fflush(stdout);
    }
    listUnreadable(views);
    return views.unreadable.empty() ? DONE : SOME_UNREADABLE;
}

} // namespace

int main(int argc, char** argv)
{
    // Unreadable images are listed at the end; imread need not warn of each.
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_ERROR);
    try
    {
        const Options options = parseOptions(argc, argv);
        if (options.help)
        {
            std::printf("%s", options.helpText.c_str());
            return DONE;
        }
        if (options.version)
        {
            std::printf("multimatch_tracks %s, OpenCV %s\n", MULTIMATCH_VERSION, CV_VERSION);
            return DONE;
        }
        return run(options);
    }
    catch (const samples::ArgumentError& e)
    {
        std::fprintf(stderr, "multimatch_tracks: %s\nTry multimatch_tracks --help.\n", e.what());
        return BAD_ARGUMENTS;
    }
    catch (const std::invalid_argument& e)
    {
        std::fprintf(stderr, "multimatch_tracks: %s\n", e.what());
        return BAD_ARGUMENTS;
    }
    catch (const cv::Exception& e)
    {
        std::fprintf(stderr, "multimatch_tracks: %s\n", e.err.c_str());
        return FAILED;
    }
    catch (const std::exception& e)
    {
        std::fprintf(stderr, "multimatch_tracks: %s\n", e.what());
        return FAILED;
    }
}
