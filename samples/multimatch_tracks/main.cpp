// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "matching.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "program.hpp"
#include "summary.hpp"
#include "terminal.hpp"

#include "opencv2/core/utility.hpp"
#include "opencv2/core/utils/logger.hpp"
#include "opencv2/multimatch.hpp"

#include <algorithm>
#include <cstdio>

namespace {

//! Besides those of samples::runGuarded.
enum ExitCode
{
    DONE = 0,
    TOO_FEW_IMAGES = 2,
    SOME_UNREADABLE = 3,
    STOPPED = 130 // as shells report Ctrl-C
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

Views readViews(const Options& options, samples::ProgressBar& bar)
{
    const ReadProgress progress = [&](double fraction) {
        bar.show("features", fraction);
        return !samples::interrupted();
    };
    if (options.video.empty())
        return readPhotographs(options.images, options.features, thumbnailWidth(options),
                               options.focalLength, progress);
    return readVideo(options.video, options.step, options.maxFrames, options.features,
                     thumbnailWidth(options), options.focalLength, progress);
}

//! Of all views; none where one is not known.
std::vector<cv::Size> sizesOf(const Views& views)
{
    std::vector<cv::Size> sizes;
    for (const cv::multimatch::ViewInfo& view : views.infos)
    {
        if (view.size.area() <= 0)
            return std::vector<cv::Size>();
        sizes.push_back(view.size);
    }
    return sizes;
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

void printPairs(const std::vector<cv::multimatch::PairMatches>& pairs)
{
    size_t matches = 0;
    for (size_t n = 0; n < pairs.size(); ++n)
        matches += pairs[n].matches.size();
    std::printf("  pairs of images      %8d\n  matches              %8d\n",
                static_cast<int>(pairs.size()), static_cast<int>(matches));
}

//! What is unusual in matches that another program made; nothing where there is nothing.
void printInput(const cv::multimatch::InputReport& report)
{
    const std::pair<const char*, int> counts[] = {{"duplicate matches", report.duplicateMatches},
                                                  {"ambiguous matches", report.ambiguousMatches},
                                                  {"points outside", report.outsidePoints},
                                                  {"coincident points", report.coincidentPoints}};
    for (const std::pair<const char*, int>& count : counts)
        if (count.second > 0)
            std::printf("  %-18s %10d\n", count.first, count.second);
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

    std::vector<cv::multimatch::PairMatches> given;
    const Views views =
        options.database.empty() ? readViews(options, bar) : readDatabase(options, given);
    bar.clear();
    if (views.stopped || samples::interrupted())
        return stopped();
    times.push_back(std::make_pair(options.database.empty() ? "features" : "read", watch.lap()));
    if (views.infos.size() < 2)
    {
        listUnreadable(views);
        std::fprintf(stderr,
                     "multimatch_tracks: %d readable image%s, expected at least 2; nothing was "
                     "written\n",
                     static_cast<int>(views.infos.size()), views.infos.size() == 1 ? "" : "s");
        return TOO_FEW_IMAGES;
    }

    const Matched matched =
        matchViews(options, views, given, [&](const cv::multimatch::Progress& progress) {
            bar.show(progress.stage, progress.fraction, progress.secondsLeft);
            return !samples::interrupted();
        });
    bar.clear();
    if (matched.tracks.report().cancelled || samples::interrupted())
        return stopped();
    samples::appendStages(times, matched.tracks.report());
    writeOutputs(options, views, matched, times);

    if (!options.quiet)
    {
        if (options.raw)
            printPairs(matched.pairs);
        else
        {
            const cv::multimatch::TrackStatistics statistics = matched.tracks.statistics();
            samples::printCounts(statistics);
            if (!options.database.empty())
                printInput(
                    cv::multimatch::inspectMatches(views.keypoints(), given, sizesOf(views)));
            samples::printLengths({"tracks"}, {statistics});
        }
        samples::printTimes(times);
        const std::vector<std::string> names = outputNames(options);
        for (size_t i = 0; i < names.size(); ++i)
            std::printf("%swrote %s\n", i ? "" : "\n", names[i].c_str());
        std::fflush(stdout);
    }
    listUnreadable(views);
    return views.unreadable.empty() ? DONE : SOME_UNREADABLE;
}

} // namespace

int main(int argc, char** argv)
{
    // Unreadable images are listed at the end, so the warnings of imread are not needed.
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_ERROR);
    return samples::runGuarded("multimatch_tracks", [&]() -> int {
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
    });
}
