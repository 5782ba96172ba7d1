// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace samples {

namespace {

typedef std::pair<int, int> LengthRange; // first, last

// One bin per length up to 16 views, powers of two above.
std::vector<LengthRange> lengthRanges(int longest)
{
    std::vector<LengthRange> ranges;
    for (int first = 1; first <= longest;)
    {
        const int last = longest <= 16 || first < 5 ? first : std::min(longest, 2 * (first - 1));
        ranges.push_back(LengthRange(first, last));
        first = last + 1;
    }
    return ranges;
}

std::string trimmed(const std::string& text)
{
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

int countTracks(const cv::multimatch::TrackStatistics& statistics, const LengthRange& range)
{
    int count = 0;
    for (int n = range.first;
         n <= range.second && n < static_cast<int>(statistics.lengthCounts.size()); ++n)
        count += statistics.lengthCounts[n];
    return count;
}

} // namespace

void appendStages(StageTimes& times, const cv::multimatch::MatchReport& report)
{
    for (size_t i = 0; i < report.stages.size(); ++i)
        times.push_back(std::make_pair(report.stages[i], report.seconds[i]));
}

void printCounts(const cv::multimatch::TrackStatistics& statistics)
{
    const double share =
        statistics.points ? 100.0 * statistics.observations / statistics.points : 0;
    std::printf("  %-18s %10d\n", "views", statistics.views);
    std::printf("  %-18s %10d\n", "key points", statistics.points);
    std::printf("  %-18s %10d  (%.1f %%)\n", "  in tracks", statistics.observations, share);
    std::printf("  %-18s %10d\n", "tracks", statistics.tracks);
    std::printf("  %-18s %10.2f\n", "mean length", statistics.meanLength);
    std::printf("  %-18s %10.2f\n", "share of two views", statistics.twoViewShare);
    std::printf("  %-18s %10.2f\n", "mean confidence", statistics.meanConfidence);
}

void printLengths(const std::vector<std::string>& names,
                  const std::vector<cv::multimatch::TrackStatistics>& statistics)
{
    const int barWidth = names.size() > 1 ? 24 : 48;
    int longest = 0;
    for (size_t s = 0; s < statistics.size(); ++s)
        for (size_t n = 0; n < statistics[s].lengthCounts.size(); ++n)
            if (statistics[s].lengthCounts[n] > 0)
                longest = std::max(longest, static_cast<int>(n));
    const std::vector<LengthRange> ranges = lengthRanges(longest);
    int most = 1;
    for (size_t s = 0; s < statistics.size(); ++s)
        for (size_t r = 0; r < ranges.size(); ++r)
            most = std::max(most, countTracks(statistics[s], ranges[r]));

    std::string line = cv::format("  %-18s", "length of tracks");
    for (size_t s = 0; s < names.size(); ++s)
        line += cv::format(" %10s %-*s", names[s].c_str(), barWidth, "");
    std::printf("\n%s\n", trimmed(line).c_str());
    for (size_t r = 0; r < ranges.size(); ++r)
    {
        int inRange = 0;
        for (size_t s = 0; s < statistics.size(); ++s)
            inRange += countTracks(statistics[s], ranges[r]);
        if (ranges[r].first == 1 && inRange == 0)
            continue;
        std::string label = std::to_string(ranges[r].first);
        if (ranges[r].second > ranges[r].first)
            label += " - " + std::to_string(ranges[r].second);
        line = cv::format("  %18s", label.c_str());
        for (size_t s = 0; s < statistics.size(); ++s)
        {
            const int count = countTracks(statistics[s], ranges[r]);
            // A bin that is not empty has at least one character.
            const int filled =
                static_cast<int>(std::ceil(static_cast<double>(count) * barWidth / most));
            line += cv::format(" %10d %-*s", count, barWidth, std::string(filled, '#').c_str());
        }
        std::printf("%s\n", trimmed(line).c_str());
    }
}

void printTimes(const StageTimes& times)
{
    double total = 0;
    std::printf("\n  %-18s %10s\n", "stage", "seconds");
    for (size_t i = 0; i < times.size(); ++i)
    {
        std::printf("  %-18s %10.2f\n", times[i].first.c_str(), times[i].second);
        total += times[i].second;
    }
    std::printf("  %-18s %10.2f\n", "total", total);
}

} // namespace samples
