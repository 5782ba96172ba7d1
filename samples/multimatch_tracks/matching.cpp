// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "matching.hpp"

#include "arguments.hpp"
#include "hloc_files.hpp"
#include "pair_matching.hpp"
#include "parts.hpp"

#include "opencv2/core/utility.hpp"

#include <algorithm>
#include <numeric>
#include <set>

using namespace cv::multimatch;

namespace {

//! Pairs of views to compare; empty: all.
cv::Mat pairsOf(const Options& options, const Views& views)
{
    if (!options.pairs.file.empty())
        return readPairs(options.pairs.file, views.sources, views.sourceIndex);
    if (options.pairs.similar > 0)
        return retrievePairs(views.descriptors, options.pairs.similar);
    cv::Mat pairs;
    const int count = static_cast<int>(views.infos.size());
    for (int i = 0; i < count && options.pairs.window > 0; ++i)
        for (int j = i + 1; j < count && j - i <= options.pairs.window; ++j)
            pairs.push_back(cv::Mat((cv::Mat_<int>(1, 2) << i, j)));
    return pairs;
}

std::vector<cv::Mat> cameraMatrices(const Views& views)
{
    std::vector<cv::Mat> cameras;
    for (size_t v = 0; v < views.infos.size(); ++v)
    {
        const ViewInfo& view = views.infos[v];
        if (!(view.focalLength > 0))
            throw samples::ArgumentError("--model=essential needs the focal length of " +
                                         view.name + ", which is not known; give --focal=PIXELS");
        cameras.push_back((cv::Mat_<double>(3, 3) << view.focalLength, 0,
                           (view.size.width - 1) / 2., 0, view.focalLength,
                           (view.size.height - 1) / 2., 0, 0, 1));
    }
    return cameras;
}

//! Adds the time since start to the report.
void addStage(MatchReport& report, const char* stage, int64 start)
{
    report.stages.push_back(stage);
    report.seconds.push_back(static_cast<double>(cv::getTickCount() - start) /
                             cv::getTickFrequency());
}

//! Geometric verification before and after the matcher.
Tracks verifiedTracks(const Options& options, const Views& views, std::vector<PairMatches> matches,
                      MatchReport& before)
{
    const std::vector<std::vector<cv::KeyPoint>> keypoints = views.keypoints();
    std::vector<PairGeometry> geometries;
    if (options.verify)
    {
        const int64 start = cv::getTickCount();
        const std::vector<cv::Mat> cameras = options.verification.model == MODEL_ESSENTIAL
                                                 ? cameraMatrices(views)
                                                 : std::vector<cv::Mat>();
        geometries = estimateGeometry(keypoints, matches, options.verification, cameras);
        matches = verifyMatches(keypoints, matches, geometries, options.verification.maxError);
        addStage(before, "geometry", start);
    }
    const int weights = options.hlocFeatures.empty() ? WEIGHTS_FROM_DISTANCES : WEIGHTS_FROM_SCORES;
    Tracks tracks = options.matcher->synchronize(keypoints, matches, weights);
    if (options.verify)
    {
        MatchReport report = tracks.report();
        const int64 start = cv::getTickCount();
        tracks = cleanTracks(keypoints, tracks, geometries, options.verification.maxError,
                             options.minLength);
        addStage(report, "cleaning", start);
        tracks.setReport(report);
    }
    return tracks;
}

//! Agreement of the matches of each pair of views with the tracks.
std::vector<PairReport> reportsOf(const std::vector<PairMatches>& matches, const Tracks& tracks)
{
    std::vector<PairReport> reports = reportPairs(matches, tracks);
    reports.erase(std::remove_if(reports.begin(), reports.end(),
                                 [](const PairReport& report) { return report.given == 0; }),
                  reports.end());
    return reports;
}

//! Removes the matches of pairs that --pairs does not name.
void keepChosenPairs(const cv::Mat& pairs, std::vector<PairMatches>& matches)
{
    std::set<std::pair<int, int>> chosen;
    for (int r = 0; r < pairs.rows; ++r)
        chosen.insert(std::minmax(pairs.at<int>(r, 0), pairs.at<int>(r, 1)));
    matches.erase(std::remove_if(matches.begin(), matches.end(),
                                 [&](const PairMatches& pair) {
                                     return !chosen.count(std::minmax(pair.first, pair.second));
                                 }),
                  matches.end());
}

} // namespace

Views readDatabase(const Options& options, std::vector<PairMatches>& matches)
{
    Views views;
    if (options.hlocFeatures.empty())
        readColmapDatabase(options.database, views.infos, matches, options.verifiedInput);
    else
        readHloc(options.hlocFeatures, options.database, views.infos, matches);
    for (size_t v = 0; v < views.infos.size(); ++v)
    {
        views.sources.push_back(views.infos[v].name);
        views.sourceIndex.push_back(static_cast<int>(v));
    }
    views.descriptors.resize(views.infos.size());
    views.thumbnails.resize(views.infos.size());
    const cv::Mat pairs = pairsOf(options, views);
    if (!pairs.empty())
        keepChosenPairs(pairs, matches);
    return views;
}

Matched matchViews(const Options& options, const Views& views,
                   const std::vector<PairMatches>& given, const ProgressCallback& progress)
{
    Matched result;
    const cv::Mat pairs = pairsOf(options, views);
    const bool ownMatches = options.database.empty() && (options.verify || options.raw);
    std::vector<PairMatches> matches = given;
    MatchReport before;
    if (ownMatches)
    {
        const int64 start = cv::getTickCount();
        matches = samples::mutualMatches(views.descriptors, options.ratio, pairs);
        addStage(before, "neighbors", start);
    }
    if (options.raw)
    {
        result.tracks = Tracks(std::vector<std::vector<int>>());
        result.tracks.setReport(before);
        result.pairs = matches;
        return result;
    }
    MultiMatcher& matcher = *options.matcher;
    matcher.setProgressCallback(progress);
    Tracks tracks;
    if (ownMatches || !options.database.empty())
        tracks = verifiedTracks(options, views, matches, before);
    else if (options.memory > 0)
        tracks = matchInParts(matcher, views.keypoints(), views.descriptors, pairs, options.memory);
    else
    {
        matcher.setPairs(pairs);
        GuidedHiPPI* guided = dynamic_cast<GuidedHiPPI*>(&matcher);
        if (guided && options.verification.model == MODEL_ESSENTIAL)
            guided->setCameraMatrices(cameraMatrices(views));
        tracks = matcher.match(views.keypoints(), views.descriptors);
    }
    MatchReport report = tracks.report();
    report.stages.insert(report.stages.begin(), before.stages.begin(), before.stages.end());
    report.seconds.insert(report.seconds.begin(), before.seconds.begin(), before.seconds.end());
    // Some methods do not apply these limits.
    result.tracks = tracks.filter(options.minLength, options.minConfidence);
    result.pairs = allPairMatches(result.tracks);
    if (!options.report.empty() || !options.pairReport.empty())
    {
        const int64 start = cv::getTickCount();
        // Matchers of descriptors have no matches of pairs; those of the ratio test are judged by
        // their tracks.
        if (matches.empty())
            matches = samples::mutualMatches(views.descriptors, options.ratio, pairs);
        result.reports = reportsOf(matches, result.tracks);
        addStage(report, "pair report", start);
    }
    result.tracks.setReport(report);
    return result;
}
