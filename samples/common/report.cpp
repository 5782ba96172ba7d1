// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "report.hpp"

#include "files.hpp"

#include "opencv2/imgcodecs.hpp"

#include <algorithm>
#include <fstream>
#include <numeric>
#include <sstream>

namespace samples {

extern const char REPORT_PAGE[]; // report.html, made by embed_file.cmake

using cv::multimatch::Observation;
using cv::multimatch::Tracks;
using cv::multimatch::TrackStatistics;
using cv::multimatch::ViewInfo;

namespace {

const std::string DATA_MARK = "@DATA@"; // marks the place of the data in report.html
const size_t MOST_POINTS = 60000;       // limits the page to a few megabytes
const int CONFIDENCE_BINS = 20;

std::string base64(const std::vector<uchar>& bytes)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (size_t i = 0; i < bytes.size(); i += 3)
    {
        const size_t left = std::min<size_t>(3, bytes.size() - i);
        unsigned value = static_cast<unsigned>(bytes[i]) << 16;
        value |= left > 1 ? static_cast<unsigned>(bytes[i + 1]) << 8 : 0;
        value |= left > 2 ? static_cast<unsigned>(bytes[i + 2]) : 0;
        for (size_t k = 0; k < 4; ++k)
            text += k <= left ? letters[value >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

//! A JSON string. "<" is escaped too: "</script>" or "<!--" in a file name would change where the
//! data end.
std::string quoted(const std::string& text)
{
    std::string result = "\"";
    for (size_t i = 0; i < text.size(); ++i)
    {
        const unsigned char c = static_cast<unsigned char>(text[i]);
        if (c < 0x20 || c == '<' || c == '"' || c == '\\')
            result += cv::format("\\u%04x", c);
        else
            result += text[i];
    }
    return result + "\"";
}

std::string picture(const cv::Mat& thumbnail)
{
    if (thumbnail.empty())
        return "\"\"";
    std::vector<uchar> bytes;
    cv::imencode(".jpg", thumbnail, bytes, {cv::IMWRITE_JPEG_QUALITY, 80});
    return "\"data:image/jpeg;base64," + base64(bytes) + "\"";
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
    const std::string page = REPORT_PAGE;
    const size_t mark = page.find(DATA_MARK);
    CV_Assert(mark != std::string::npos);
    NewFile file(name);
    std::ofstream out(file.temporaryName().c_str(), std::ios::binary);
    out << page.substr(0, mark) << "{\n";
    writeViews(out, views, thumbnails);
    writeTracks(out, views, tracks);
    writeGraph(out, tracks);
    writePairs(out, reports);
    writeStatistics(out, tracks, times);
    out << "}" << page.substr(mark + DATA_MARK.size());
    out.close();
    if (!out)
        throw std::runtime_error("cannot write " + name + "; is the disk full?");
    file.commit();
}

} // namespace samples
