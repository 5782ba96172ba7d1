// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "report.hpp"

#include "files.hpp"
#include "page_text.hpp"

#include "opencv2/imgcodecs.hpp"

#include <algorithm>
#include <numeric>
#include <sstream>

namespace samples {

extern const char REPORT_PAGE[]; // report.html, made by embed_file.cmake

using cv::multimatch::Observation;
using cv::multimatch::Tracks;
using cv::multimatch::TrackStatistics;
using cv::multimatch::ViewInfo;

namespace {

const size_t MOST_POINTS = 60000; // limits the page to a few megabytes
const int CONFIDENCE_BINS = 20;

std::string picture(const cv::Mat& thumbnail)
{
    if (thumbnail.empty())
        return "\"\"";
    std::vector<uchar> bytes;
    cv::imencode(".jpg", thumbnail, bytes, {cv::IMWRITE_JPEG_QUALITY, 80});
    return "\"data:image/jpeg;base64," + base64Of(bytes) + "\"";
}

//! The longest tracks with at most MOST_POINTS points in total.
std::vector<int> shownTracks(const Tracks& tracks)
{
    std::vector<int> ids(static_cast<size_t>(tracks.size()));
    std::iota(ids.begin(), ids.end(), 0);
    std::stable_sort(ids.begin(), ids.end(),
                     [&](int a, int b) { return tracks.length(a) > tracks.length(b); });
    size_t points = 0, shown = 0;
    while (shown < ids.size() && points + tracks.length(ids[shown]) <= MOST_POINTS)
        points += static_cast<size_t>(tracks.length(ids[shown++]));
    ids.resize(shown);
    return ids;
}

void writeViews(std::ostream& out, const std::vector<ViewInfo>& views,
                const std::vector<cv::Mat>& thumbnails)
{
    out << "\"views\":[";
    for (size_t v = 0; v < views.size(); ++v)
        out << (v ? ",\n" : "\n") << "{\"name\":" << quoted(baseName(views[v].name))
            << ",\"w\":" << views[v].size.width << ",\"h\":" << views[v].size.height
            << ",\"points\":" << views[v].keypoints.size()
            << ",\"picture\":" << picture(v < thumbnails.size() ? thumbnails[v] : cv::Mat()) << "}";
    out << "],\n";
}

void writeTracks(std::ostream& out, const std::vector<ViewInfo>& views, const Tracks& tracks)
{
    const std::vector<int> ids = shownTracks(tracks);
    out << "\"tracks\":[";
    for (size_t t = 0; t < ids.size(); ++t)
    {
        // Each observation: view, x, y in tenths of a pixel, confidence in hundredths.
        out << (t ? ",\n" : "\n") << "[" << ids[t];
        const std::vector<Observation> track = tracks.track(ids[t]);
        for (size_t o = 0; o < track.size(); ++o)
        {
            const cv::Point2f& place = views[track[o].view].keypoints[track[o].point].pt;
            out << "," << track[o].view << "," << cvRound(place.x * 10) << ","
                << cvRound(place.y * 10) << "," << cvRound(track[o].confidence * 100);
        }
        out << "]";
    }
    out << "],\n";
}

void writeGraph(std::ostream& out, const Tracks& tracks)
{
    out << "\"pairs\":[";
    const std::vector<cv::multimatch::PairMatches> pairs = cv::multimatch::allPairMatches(tracks);
    for (size_t n = 0; n < pairs.size(); ++n)
        out << (n ? "," : "") << "[" << pairs[n].first << "," << pairs[n].second << ","
            << pairs[n].matches.size() << "]";
    out << "],\n";
}

void writePairs(std::ostream& out, const std::vector<cv::multimatch::PairReport>& reports)
{
    out << "\"reports\":[";
    for (size_t n = 0; n < reports.size(); ++n)
        out << (n ? "," : "") << "[" << reports[n].first << "," << reports[n].second << ","
            << reports[n].given << "," << reports[n].kept << "," << reports[n].contradicted
            << cv::format(",%.4f]", reports[n].score);
    out << "],\n";
}

void writeStatistics(std::ostream& out, const Tracks& tracks, const StageTimes& times)
{
    const TrackStatistics statistics = tracks.statistics();
    out << "\"lengths\":[";
    for (size_t n = 0; n < statistics.lengthCounts.size(); ++n)
        out << (n ? "," : "") << statistics.lengthCounts[n];
    std::vector<int> bins(CONFIDENCE_BINS, 0);
    for (int v = 0; v < tracks.viewCount(); ++v)
    {
        const std::vector<int> ids = tracks.trackIds(v);
        const std::vector<float> confidence = tracks.confidence(v);
        for (size_t p = 0; p < ids.size(); ++p)
            if (ids[p] >= 0)
                ++bins[std::min(CONFIDENCE_BINS - 1,
                                static_cast<int>(confidence[p] * CONFIDENCE_BINS))];
    }
    out << "],\n\"confidence\":[";
    for (size_t b = 0; b < bins.size(); ++b)
        out << (b ? "," : "") << bins[b];
    out << "],\n\"stages\":[";
    for (size_t s = 0; s < times.size(); ++s)
        out << (s ? "," : "") << "[" << quoted(times[s].first)
            << cv::format(",%.3f]", times[s].second);
    out << "],\n"
        << "\"counts\":{\"views\":" << statistics.views << ",\"key points\":" << statistics.points
        << ",\"tracks\":" << statistics.tracks
        << ",\"points in tracks\":" << statistics.observations
        << cv::format(",\"mean length\":%.2f,\"share of two views\":%.2f,\"mean confidence\":%.2f}",
                      statistics.meanLength, statistics.twoViewShare, statistics.meanConfidence);
}

} // namespace

void writeReport(const std::string& name, const std::vector<ViewInfo>& views,
                 const std::vector<cv::Mat>& thumbnails, const Tracks& tracks,
                 const StageTimes& times, const std::vector<cv::multimatch::PairReport>& reports)
{
    std::ostringstream data;
    data << "{\n";
    writeViews(data, views, thumbnails);
    writeTracks(data, views, tracks);
    writeGraph(data, tracks);
    writePairs(data, reports);
    writeStatistics(data, tracks, times);
    data << "}";
    writePage(name, REPORT_PAGE, data.str());
}

} // namespace samples
