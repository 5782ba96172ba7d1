// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "../base/checks.hpp"

#include <functional>
#include <unordered_map>
#include <utility>

namespace cv { namespace multimatch {

MatchScore::MatchScore() : matches(0), correct(0), truth(0) {}

double MatchScore::precision() const
{
    return matches > 0 ? correct / matches : 1;
}

double MatchScore::recall() const
{
    return truth > 0 ? correct / truth : 1;
}

double MatchScore::fscore() const
{
    const double p = precision(), r = recall();
    return p + r > 0 ? 2 * p * r / (p + r) : 0;
}

namespace {

double pairsOf(double n)
{
    return n * (n - 1) / 2;
}

// Labels of one kind per view, so that a label that occurs twice in a view is no match with itself.
double countTrueMatches(const std::vector<std::vector<int>>& labels)
{
    std::unordered_map<int, double> total;
    double inOneView = 0;
    for (size_t v = 0; v < labels.size(); ++v)
    {
        std::unordered_map<int, double> here;
        for (int label : labels[v])
            if (label >= 0)
                ++here[label];
        for (const auto& entry : here)
        {
            total[entry.first] += entry.second;
            inOneView += pairsOf(entry.second);
        }
    }
    double count = 0;
    for (const auto& entry : total)
        count += pairsOf(entry.second);
    return count - inOneView;
}

} // namespace

MatchScore scoreTracks(const Tracks& tracks, const std::vector<std::vector<int>>& labels)
{
    checkSizes(tracks, sizesOf(labels), "labels");
    MatchScore score;
    score.truth = countTrueMatches(labels);
    std::unordered_map<int, double> members;
    for (int t = 0; t < tracks.size(); ++t)
    {
        members.clear();
        for (const Observation& seen : tracks.track(t))
        {
            const int label = labels[size_t(seen.view)][size_t(seen.point)];
            if (label >= 0)
                ++members[label];
        }
        score.matches += pairsOf(tracks.length(t));
        for (const auto& entry : members)
            score.correct += pairsOf(entry.second);
    }
    return score;
}

double splitRate(const Tracks& tracks, const std::vector<std::vector<int>>& labels)
{
    checkSizes(tracks, sizesOf(labels), "labels");
    std::vector<std::pair<int, int>> seen; // label, track
    for (size_t v = 0; v < labels.size(); ++v)
        for (size_t p = 0; p < labels[v].size(); ++p)
        {
            const int id = tracks.ids(static_cast<int>(v))[p];
            if (id >= 0 && labels[v][p] >= 0)
                seen.push_back(std::make_pair(labels[v][p], id));
        }
    std::sort(seen.begin(), seen.end());
    int points = 0, split = 0;
    for (size_t first = 0, last; first < seen.size(); first = last)
    {
        for (last = first; last < seen.size() && seen[last].first == seen[first].first;)
            ++last;
        points += last - first > 1;
        split += seen[first].second != seen[last - 1].second;
    }
    return points ? static_cast<double>(split) / points : 0;
}

MatchScore scorePairs(const std::vector<PairMatches>& matches,
                      const std::vector<std::vector<int>>& labels)
{
    checkMatches(matches, sizesOf(labels), true);
    MatchScore score;
    score.truth = countTrueMatches(labels);
    for (const PairMatches& pair : matches)
        for (const DMatch& match : pair.matches)
        {
            const int label = labels[size_t(pair.first)][size_t(match.queryIdx)];
            score.matches += 1;
            score.correct +=
                label >= 0 && label == labels[size_t(pair.second)][size_t(match.trainIdx)];
        }
    return score;
}

namespace {

// Matches of one pair of views by point of the one view: partners in the other, ascending.
typedef std::unordered_map<int, std::vector<int>> Partners;

bool areMatched(const Partners& partners, int p, int q)
{
    const Partners::const_iterator found = partners.find(p);
    return found != partners.end() &&
           std::binary_search(found->second.begin(), found->second.end(), q);
}

} // namespace

double cycleError(const std::vector<PairMatches>& matches)
{
    int views = 0;
    for (const PairMatches& pair : matches)
        views = std::max(views, std::max(pair.first, pair.second) + 1);
    // The number of points of the views is not known here.
    checkMatches(matches, std::vector<int>(size_t(views), std::numeric_limits<int>::max()), true);

    // to[i][j]: from points of i to points of j.
    std::vector<std::unordered_map<int, Partners>> to(static_cast<size_t>(views));
    for (size_t n = 0; n < matches.size(); ++n)
    {
        Partners& forward = to[size_t(matches[n].first)][matches[n].second];
        Partners& backward = to[size_t(matches[n].second)][matches[n].first];
        for (const DMatch& match : matches[n].matches)
        {
            forward[match.queryIdx].push_back(match.trainIdx);
            backward[match.trainIdx].push_back(match.queryIdx);
        }
    }
    for (auto& row : to)
        for (auto& block : row)
            for (auto& entry : block.second)
                std::sort(entry.second.begin(), entry.second.end());

    // A chain and its reversal are one: the ends are taken as i < k, the middle j is any other
    // view.
    double chains = 0, violations = 0;
    for (int j = 0; j < views; ++j)
        for (const auto& toI : to[size_t(j)])
            for (const auto& toK : to[size_t(j)])
            {
                const int i = toI.first, k = toK.first;
                if (i >= k)
                    continue;
                const std::unordered_map<int, Partners>::const_iterator direct =
                    to[size_t(i)].find(k);
                if (direct == to[size_t(i)].end())
                    continue;
                for (const auto& entry : toI.second)
                {
                    const Partners::const_iterator other = toK.second.find(entry.first);
                    if (other == toK.second.end())
                        continue;
                    for (int p : entry.second)
                        for (int r : other->second)
                        {
                            chains += 1;
                            violations += !areMatched(direct->second, p, r);
                        }
                }
            }
    return chains > 0 ? violations / chains : 0;
}

namespace {

typedef std::function<double(int view, int p, int q)> DistanceInView;

std::vector<double> pckOf(const Tracks& tracks, const std::vector<std::vector<int>>& labels,
                          const std::vector<double>& thresholds, const DistanceInView& distance)
{
    checkSizes(tracks, sizesOf(labels), "labels");
    std::vector<std::unordered_map<int, int>> labeled(labels.size());
    for (size_t v = 0; v < labels.size(); ++v)
        for (size_t p = 0; p < labels[v].size(); ++p)
            if (labels[v][p] >= 0 &&
                !labeled[v].insert(std::make_pair(labels[v][p], int(p))).second)
                CV_Error(Error::StsBadArg,
                         format("labels[%d] has label %d at points %d and %d, "
                                "expected no label twice in a view",
                                int(v), labels[v][p], labeled[v][labels[v][p]], int(p)));

    double matches = 0;
    std::vector<double> errors;
    for (int t = 0; t < tracks.size(); ++t)
    {
        const std::vector<Observation> seen = tracks.track(t);
        for (const Observation& from : seen)
            for (const Observation& to : seen)
            {
                if (from.view == to.view)
                    continue;
                matches += 1;
                const std::unordered_map<int, int>& there = labeled[size_t(to.view)];
                const std::unordered_map<int, int>::const_iterator counterpart =
                    there.find(labels[size_t(from.view)][size_t(from.point)]);
                if (counterpart != there.end())
                    errors.push_back(distance(to.view, to.point, counterpart->second));
            }
    }
    std::sort(errors.begin(), errors.end());
    std::vector<double> shares;
    for (double threshold : thresholds)
    {
        if (!(threshold >= 0))
            CV_Error(Error::StsOutOfRange,
                     format("thresholds contain %g, expected none below 0", threshold));
        const double within = static_cast<double>(
            std::upper_bound(errors.begin(), errors.end(), threshold) - errors.begin());
        shares.push_back(matches > 0 ? within / matches : 1);
    }
    return shares;
}

// One CV_64F matrix per view, a row per point.
std::vector<Mat> rowsPerPoint(InputArrayOfArrays arrays, const Tracks& tracks, const char* name)
{
    std::vector<Mat> given, result;
    arrays.getMatVector(given);
    std::vector<int> sizes;
    sizes.reserve(given.size());
    for (const Mat& mat : given)
        sizes.push_back(mat.empty() ? 0 : mat.rows);
    checkSizes(tracks, sizes, name);
    for (int v = 0; v < tracks.viewCount(); ++v)
    {
        const Mat& mat = given[size_t(v)];
        const int points = tracks.pointCount(v);
        if (mat.depth() != CV_32F && mat.depth() != CV_64F && points > 0)
            CV_Error(
                Error::StsUnsupportedFormat,
                format("%s[%d] has depth %d, expected CV_32F or CV_64F", name, v, mat.depth()));
        Mat rows;
        if (points > 0)
            mat.reshape(1, points).convertTo(rows, CV_64F);
        result.push_back(rows);
    }
    return result;
}

} // namespace

std::vector<double> computePCK(const Tracks& tracks, const std::vector<std::vector<int>>& labels,
                               InputArrayOfArrays points, const std::vector<double>& thresholds)
{
    const std::vector<Mat> rows = rowsPerPoint(points, tracks, "points");
    return pckOf(tracks, labels, thresholds, [&rows](int view, int p, int q) {
        return norm(rows[size_t(view)].row(p), rows[size_t(view)].row(q), NORM_L2);
    });
}

std::vector<double> computePCKFromDistances(const Tracks& tracks,
                                            const std::vector<std::vector<int>>& labels,
                                            InputArrayOfArrays distances,
                                            const std::vector<double>& thresholds)
{
    const std::vector<Mat> rows = rowsPerPoint(distances, tracks, "distances");
    for (size_t v = 0; v < rows.size(); ++v)
        if (rows[v].rows != rows[v].cols)
            CV_Error(Error::StsUnmatchedSizes,
                     format("distances[%d] is %d x %d, expected it square", int(v), rows[v].rows,
                            rows[v].cols));
    return pckOf(tracks, labels, thresholds,
                 [&rows](int view, int p, int q) { return rows[size_t(view)].at<double>(p, q); });
}

}} // namespace cv::multimatch
