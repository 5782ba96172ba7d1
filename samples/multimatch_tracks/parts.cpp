// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "parts.hpp"

#include "arguments.hpp"

#include "opencv2/multimatch/merge.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

using namespace cv::multimatch;

namespace {

//! Views that are matched together.
struct Part
{
    std::vector<int> views; //!< ascending
    cv::Mat pairs;          //!< by their numbers in views
};

cv::Mat allPairs(int views)
{
    cv::Mat pairs;
    for (int i = 0; i < views; ++i)
        for (int j = i + 1; j < views; ++j)
            pairs.push_back(cv::Mat((cv::Mat_<int>(1, 2) << i, j)));
    return pairs;
}

//! The parts of so many blocks; those with most pairs come first, as they need most memory.
std::vector<Part> divide(int views, const cv::Mat& pairs, int blocks)
{
    const auto blockOf = [&](int view) { return static_cast<int>(int64(view) * blocks / views); };
    std::set<std::pair<int, int>> wanted;
    std::vector<uchar> withOthers(static_cast<size_t>(blocks), 0);
    for (int r = 0; r < pairs.rows; ++r)
    {
        const int a = blockOf(pairs.at<int>(r, 0)), b = blockOf(pairs.at<int>(r, 1));
        wanted.insert(std::make_pair(std::min(a, b), std::max(a, b)));
        if (a != b)
            withOthers[a] = withOthers[b] = 1;
    }
    std::vector<Part> parts;
    for (const std::pair<int, int>& both : wanted)
    {
        if (both.first == both.second && withOthers[both.first])
            continue; // contained in others
        Part part;
        std::map<int, int> number;
        for (int v = 0; v < views; ++v)
            if (blockOf(v) == both.first || blockOf(v) == both.second)
            {
                number[v] = static_cast<int>(part.views.size());
                part.views.push_back(v);
            }
        for (int r = 0; r < pairs.rows; ++r)
        {
            const int i = pairs.at<int>(r, 0), j = pairs.at<int>(r, 1);
            if (number.count(i) && number.count(j))
                part.pairs.push_back(cv::Mat((cv::Mat_<int>(1, 2) << number[i], number[j])));
        }
        parts.push_back(part);
    }
    std::stable_sort(parts.begin(), parts.end(),
                     [](const Part& a, const Part& b) { return a.pairs.rows > b.pairs.rows; });
    return parts;
}

//! Adds the seconds of each stage.
void addStages(MatchReport& sum, const MatchReport& report)
{
    for (size_t s = 0; s < report.stages.size(); ++s)
    {
        const size_t at = static_cast<size_t>(
            std::find(sum.stages.begin(), sum.stages.end(), report.stages[s]) - sum.stages.begin());
        if (at == sum.stages.size())
        {
            sum.stages.push_back(report.stages[s]);
            sum.seconds.push_back(0);
        }
        sum.seconds[at] += report.seconds[s];
    }
    sum.cancelled = sum.cancelled || report.cancelled;
}

Tracks matchParts(MultiMatcher& matcher, const std::vector<std::vector<cv::KeyPoint>>& keypoints,
                  const std::vector<cv::Mat>& descriptors, const std::vector<Part>& parts)
{
    std::vector<Tracks> tracks;
    std::vector<std::vector<int>> views;
    MatchReport report;
    for (size_t n = 0; n < parts.size() && !report.cancelled; ++n)
    {
        std::vector<std::vector<cv::KeyPoint>> points;
        std::vector<cv::Mat> rows;
        for (int v : parts[n].views)
        {
            points.push_back(keypoints[v]);
            rows.push_back(descriptors[v]);
        }
        matcher.setPairs(parts[n].pairs);
        tracks.push_back(matcher.match(points, rows));
        views.push_back(parts[n].views);
        addStages(report, tracks.back().report());
    }
    const int64 start = cv::getTickCount();
    std::vector<int> counts;
    counts.reserve(keypoints.size());
    for (const std::vector<cv::KeyPoint>& points : keypoints)
        counts.push_back(static_cast<int>(points.size()));
    Tracks merged = mergeTracks(tracks, views, counts);
    report.stages.push_back("merge");
    report.seconds.push_back(double(cv::getTickCount() - start) / cv::getTickFrequency());
    merged.setReport(report);
    return merged;
}

} // namespace

double parseBytes(const std::string& option, const std::string& text)
{
    char* end = NULL;
    double bytes = std::strtod(text.c_str(), &end);
    const std::string units = "KMGT";
    const size_t unit =
        *end ? units.find(static_cast<char>(std::toupper(static_cast<unsigned char>(*end))))
             : std::string::npos;
    if (unit != std::string::npos)
    {
        bytes *= std::pow(1024., double(unit + 1));
        ++end;
    }
    if (end == text.c_str() || *end || !(bytes > 0) || !std::isfinite(bytes))
        throw samples::ArgumentError("--" + option + "=" + text +
                                     ": expected a size such as 4G or 500M");
    return bytes;
}

Tracks matchInParts(MultiMatcher& matcher, const std::vector<std::vector<cv::KeyPoint>>& keypoints,
                    const std::vector<cv::Mat>& descriptors, const cv::Mat& pairs, double bytes)
{
    const int views = static_cast<int>(keypoints.size());
    const cv::Mat compared = pairs.empty() ? allPairs(views) : pairs;
    matcher.setMemoryBudget(bytes);
    for (int blocks = 1;; blocks = std::min(2 * blocks, views))
    {
        try
        {
            return matchParts(matcher, keypoints, descriptors, divide(views, compared, blocks));
        }
        catch (const cv::Exception& e)
        {
            // Thrown before any work of the part.
            if (e.code != cv::Error::StsNoMem)
                throw;
            if (blocks == views)
                throw samples::ArgumentError("--memory: even two images need more: " + e.err);
        }
    }
}
