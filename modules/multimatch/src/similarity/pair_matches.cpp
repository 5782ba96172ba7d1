// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "../base/checks.hpp"
#include "../base/statistics.hpp"
#include "../input/input.hpp"

#include "opencv2/multimatch/detail/offsets.hpp"

namespace cv { namespace multimatch {

namespace {

//! Least weight of a match: entries of 0 would not be matches.
const double LEAST_WEIGHT = 1e-6;

//! Usual threshold of the ratio test.
const double DOUBTFUL_RATIO = 0.8;

double medianDistance(const std::vector<PairMatches>& matches)
{
    std::vector<float> distances;
    for (size_t n = 0; n < matches.size(); ++n)
        for (size_t m = 0; m < matches[n].matches.size(); ++m)
            distances.push_back(matches[n].matches[m].distance);
    return distances.empty() ? 1 : medianOf(distances);
}

void checkValue(float value, int weights, size_t pair)
{
    const bool bounded = weights != WEIGHTS_FROM_DISTANCES;
    if (!(value >= 0) || !std::isfinite(value) || (bounded && value > 1))
        CV_Error_(Error::StsOutOfRange, ("matches[%d] has the distance %f, expected a value in %s",
                                         static_cast<int>(pair), static_cast<double>(value),
                                         bounded ? "[0, 1]" : "[0, inf)"));
}

struct Entry
{
    int row, column;
    float value;

    bool operator<(const Entry& other) const
    {
        return row != other.row         ? row < other.row
               : column != other.column ? column < other.column
                                        : value > other.value;
    }
};

} // namespace

CsrMatrix similarityFromMatches(const std::vector<int>& viewSizes,
                                const std::vector<PairMatches>& matches, int weights)
{
    if (weights < WEIGHTS_FROM_DISTANCES || weights > WEIGHTS_FROM_SCORES)
        CV_Error_(Error::StsOutOfRange, ("weights is %d, expected 0 to 2", weights));
    const std::vector<int> offsets = viewOffsets(viewSizes);
    checkMatches(matches, viewSizes, false);
    // Equal distances all count as typical, also if they are all 0.
    const double median = weights == WEIGHTS_FROM_DISTANCES ? medianDistance(matches) : 0;
    std::vector<Entry> entries;
    for (size_t n = 0; n < matches.size(); ++n)
    {
        const PairMatches& pair = matches[n];
        for (size_t m = 0; m < pair.matches.size(); ++m)
        {
            const DMatch& match = pair.matches[m];
            checkValue(match.distance, weights, n);
            double weight = match.distance;
            if (weights != WEIGHTS_FROM_SCORES)
            {
                const double typical = weights == WEIGHTS_FROM_RATIOS ? DOUBTFUL_RATIO : median;
                const double scaled = typical > 0 ? match.distance / typical : match.distance > 0;
                weight = std::exp(-scaled * scaled / 2);
            }
            const Entry entry = {offsets[pair.first] + match.queryIdx,
                                 offsets[pair.second] + match.trainIdx,
                                 static_cast<float>(std::max(LEAST_WEIGHT, weight))};
            const Entry mirrored = {entry.column, entry.row, entry.value};
            entries.push_back(entry);
            entries.push_back(mirrored);
        }
    }
    std::sort(entries.begin(), entries.end());
    CsrMatrix similarity(offsets.back(), offsets.back());
    for (size_t e = 0; e < entries.size(); ++e)
    {
        // Of several weights for one entry the largest comes first.
        if (e > 0 && entries[e].row == entries[e - 1].row &&
            entries[e].column == entries[e - 1].column)
            continue;
        similarity.columns.push_back(entries[e].column);
        similarity.values.push_back(entries[e].value);
        ++similarity.offsets[entries[e].row + 1];
    }
    detail::countsToOffsets(similarity.offsets);
    return similarity;
}

std::vector<PairMatches> matchesWithScores(const std::vector<PairMatches>& matches,
                                           const std::vector<std::vector<float>>& scores)
{
    if (scores.size() != matches.size())
        CV_Error_(Error::StsUnmatchedSizes,
                  ("there are scores of %d pairs but matches of %d",
                   static_cast<int>(scores.size()), static_cast<int>(matches.size())));
    std::vector<PairMatches> scored = matches;
    for (size_t n = 0; n < scored.size(); ++n)
    {
        if (scores[n].size() != scored[n].matches.size())
            CV_Error_(Error::StsUnmatchedSizes,
                      ("scores[%d] has %d entries but matches[%d] has %d", static_cast<int>(n),
                       static_cast<int>(scores[n].size()), static_cast<int>(n),
                       static_cast<int>(scored[n].matches.size())));
        for (size_t m = 0; m < scores[n].size(); ++m)
            scored[n].matches[m].distance = scores[n][m];
    }
    return scored;
}

}} // namespace cv::multimatch
