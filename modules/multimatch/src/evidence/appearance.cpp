// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "appearance.hpp"

#include "../base/statistics.hpp"
#include "../search/descriptor_distance.hpp"
#include "../search/descriptor_scores.hpp"
#include "../search/mutual_nearest.hpp"

#include <mutex>

namespace cv { namespace multimatch { namespace evidence {

namespace {

const float OWN_FLOOR =
    0.1f; //!< the closest descriptor counts as at least this share of the median
const float DISTANCE_FLOOR = 0.01f; //!< and so does a distance
const float LEAST_DEVIATION = 0.1f; //!< of log d: whole numbers of bits, or no noise at all
//! Bins of log r.
const float FIRST_BIN = -4.f, BIN = 0.05f;
const int BINS = 120;
const int FEW = 20;         //!< counts below are extrapolated
const int FIT_BINS = 12;    //!< bins that the rare end is extrapolated from, at most
const int FEW_BINS = 4;     //!< fewer give no slope
const double MOSTLY = 0.8;  //!< the search must have reached a distance in this share of the lists
const int WRONG_ROUNDS = 3; //!< then N0 is known well enough
const size_t MAX_LEARN = 30000;   //!< pairs that f1 is learned from
const double MAX_DISTANCES = 2e5; //!< that N0 is learned from
//! Prior of N0: one wrong point within r = 1, 2^8 times as many within twice that; it counts as so
//! many points.
const float PRIOR_POWER = 8.f;
const double PRIOR_LISTS = 10.;

int binOf(float logRatio)
{
    return std::min(BINS - 1, std::max(0, cvFloor((logRatio - FIRST_BIN) / BIN)));
}

float centerOf(int bin)
{
    return FIRST_BIN + BIN * (static_cast<float>(bin) + 0.5f);
}

} // namespace

Appearance::Appearance(const std::vector<Mat>& descriptors, int normType,
                       const NeighborGraph& graph, int neighbors, const Views& views,
                       const Overlap& overlap, const EvidenceParams& params)
    : views_(views), graph_(graph), neighbors_(neighbors), overlap_(overlap), params_(params),
      type_(CV_32F), normType_(normType), width_(0),
      descriptors_(compactDescriptors(descriptors, normType)), own_(graph.ownDistance), floor_(0),
      mean_(0), deviation_(1), logPeak_(0), learned_(0)
{
    for (size_t v = 0; v < descriptors_.size(); ++v)
        for (int r = 0; r < descriptors_[v].rows; ++r)
        {
            rows_.push_back(descriptors_[v].ptr(r));
            type_ = descriptors_[v].type();
            width_ = descriptors_[v].cols;
        }
    std::vector<float> finite;
    for (size_t p = 0; p < own_.size(); ++p)
        if (std::isfinite(own_[p]))
            finite.push_back(own_[p]);
    const float median = finite.empty() ? 1.f : medianOf(finite);
    const float usual = median > 0 ? median : 1.f;
    for (size_t p = 0; p < own_.size(); ++p)
        own_[p] = std::isfinite(own_[p]) ? std::max(own_[p], OWN_FLOOR * usual) : usual;
    floor_ = DISTANCE_FLOOR * usual;
}

float Appearance::distance(int p, int q) const
{
    return descriptorDistance(rows_[p], rows_[q], width_, type_, normType_);
}

std::vector<DistancePair> Appearance::clearPairs() const
{
    const CsrMatrix matches = mutualNearest(graph_, params_.clearRatio);
    std::vector<DistancePair> pairs;
    for (int p = 0; p < matches.rows; ++p)
        for (size_t e = matches.offsets[p]; e < matches.offsets[p + 1]; ++e)
        {
            const int q = matches.columns[e];
            if (q < p)
                continue;
            // A third point that both are matched with confirms the pair.
            int common = 0;
            size_t a = matches.offsets[p], b = matches.offsets[q];
            while (a < matches.offsets[p + 1] && b < matches.offsets[q + 1])
            {
                const int x = matches.columns[a], y = matches.columns[b];
                common += x == y;
                a += x <= y;
                b += y <= x;
            }
            const DistancePair pair = {p, q, matches.values[e],
                                       1.f / static_cast<float>(params_.context) +
                                           static_cast<float>(common)};
            pairs.push_back(pair);
        }
    return pairs;
}

void Appearance::learn(const std::vector<DistancePair>& right,
                       const std::vector<DistancePair>& others)
{
    // A sample in which each pair occurs as often as its weight says.
    double total = 0;
    for (size_t n = 0; n < right.size(); ++n)
        total += right[n].weight;
    const double step = std::max(1., total / static_cast<double>(MAX_LEARN));
    std::vector<float> logs;
    double sum = 0;
    for (size_t n = 0; n < right.size(); ++n)
    {
        sum += right[n].weight;
        while (sum >= 0)
        {
            logs.push_back(std::log(std::max(floor_, right[n].distance)));
            sum -= step;
        }
    }
    if (logs.empty())
        return; // what was learned before stays
    mean_ = medianOf(logs);
    for (size_t n = 0; n < logs.size(); ++n)
        logs[n] = std::abs(logs[n] - mean_);
    deviation_ = std::max(LEAST_DEVIATION, 1.4826f * medianOf(logs));
    logPeak_ = -std::log(deviation_ * static_cast<float>(std::sqrt(2 * CV_PI)));
    if (learned_++ >= WRONG_ROUNDS)
        return;
    const float usual2 = params_.ownShare * std::exp(2 * mean_);
    logScale_.resize(own_.size());
    for (size_t p = 0; p < own_.size(); ++p)
        logScale_[p] = 0.25f * std::log(own_[p] * own_[p] + usual2);
    learnWrong(others.empty() ? right : others);
}

/** Wrong neighbors of p in the view of q, counted in bins of log r, as far as the search has found
all of them; reached: where that ends. */
void Appearance::countNeighbors(int p, int q, std::vector<int>& found,
                                std::vector<int>& reached) const
{
    const CsrMatrix& D = graph_.distances;
    const int w = views_.of(q);
    const int *begin = D.columns.data() + D.offsets[p], *end = D.columns.data() + D.offsets[p + 1];
    const int *first = std::lower_bound(begin, end, views_.first(w)), *last = first;
    while (last != end && *last < views_.end(w))
        ++last;
    if (last - first < neighbors_)
        return;
    // The neighbors of p, and points that p is a neighbor of: the closest come first.
    std::vector<std::pair<float, int>> near;
    for (const int* at = first; at != last; ++at)
        near.push_back(std::make_pair(D.values[at - D.columns.data()], *at));
    std::sort(near.begin(), near.end());
    near.resize(neighbors_);
    reached[static_cast<size_t>(binOf(logR(p, near.back().second, near.back().first)))] += 1;
    for (size_t n = 0; n < near.size(); ++n)
        if (near[n].second != q)
            found[binOf(logR(p, near[n].second, near[n].first))] += 1;
}

/** N0 from right pairs (p, q): the other points of q's view. Close ones are rare and come from the
neighbors of many points, the others from all points of the views of some. */
void Appearance::learnWrong(const std::vector<DistancePair>& right)
{
    std::vector<double> close(BINS, 0.), reached(BINS + 1, 0.), all(BINS, 0.);
    std::mutex mutex;
    const size_t closeStep = right.size() / MAX_LEARN + 1;
    const size_t closePairs = neighbors_ > 1 ? (right.size() + closeStep - 1) / closeStep : 0;
    const double closeLists = 2. * static_cast<double>(closePairs);
    parallel_for_(Range(0, static_cast<int>(closePairs)), [&](const Range& range) {
        std::vector<int> found(BINS, 0), ends(BINS, 0);
        for (int n = range.start; n < range.end; ++n)
        {
            const DistancePair& pair = right[static_cast<size_t>(n) * closeStep];
            countNeighbors(pair.p, pair.q, found, ends);
            countNeighbors(pair.q, pair.p, found, ends);
        }
        const std::lock_guard<std::mutex> lock(mutex);
        for (size_t b = 0; b < found.size(); ++b)
        {
            close[b] += found[b];
            reached[b] += ends[b];
        }
    });
    for (int b = BINS - 2; b >= 0; --b)
        reached[b] += reached[b + 1];

    double cost = 0;
    for (size_t n = 0; n < right.size(); ++n)
        cost += views_.size(views_.of(right[n].q));
    const size_t step = static_cast<size_t>(cost / MAX_DISTANCES) + 1;
    const int lists = static_cast<int>((right.size() + step - 1) / step);
    parallel_for_(Range(0, lists), [&](const Range& range) {
        std::vector<int> counts(BINS, 0);
        for (int n = range.start; n < range.end; ++n)
        {
            const DistancePair& pair = right[static_cast<size_t>(n) * step];
            const int p = n % 2 ? pair.q : pair.p, q = n % 2 ? pair.p : pair.q;
            const int w = views_.of(q);
            for (int other = views_.first(w); other < views_.end(w); ++other)
                if (other != q)
                    ++counts[static_cast<size_t>(binOf(logR(p, other, distance(p, other))))];
        }
        const std::lock_guard<std::mutex> lock(mutex);
        for (int b = 0; b < BINS; ++b)
            all[b] += counts[b];
    });

    logWrong_.resize(BINS);
    std::vector<double> found(BINS);
    for (int b = 0; b < BINS; ++b)
    {
        const size_t i = static_cast<size_t>(b);
        const bool isClose = reached[i] > MOSTLY * closeLists;
        found[i] = isClose ? close[i] : all[i];
        const double prior = PRIOR_POWER * std::exp(std::min(4.f, PRIOR_POWER * centerOf(b)));
        logWrong_[i] = static_cast<float>(std::log((found[i] / BIN + PRIOR_LISTS * prior) /
                                                   ((isClose ? reached[i] : lists) + PRIOR_LISTS)));
    }
    // The rare end, by a line through the first bins that are filled well, up to the most frequent.
    int first = 0;
    while (first + 1 < BINS && found[first] <= FEW)
        ++first;
    const int peak =
        static_cast<int>(std::max_element(logWrong_.begin(), logWrong_.end()) - logWrong_.begin());
    const int count = std::min(FIT_BINS, peak + 1 - first);
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int b = first; b < first + count; ++b)
    {
        const double x = centerOf(b), y = logWrong_[b];
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    const double slope = count < FEW_BINS
                             ? PRIOR_POWER
                             : std::max(1., (count * sxy - sx * sy) / (count * sxx - sx * sx));
    const double level = (sy - slope * sx) / std::max(1, count);
    for (int b = 0; count > 0 && b < first + count / 3; ++b)
        logWrong_[b] = static_cast<float>(level + slope * centerOf(b));
    // Nor does it fall where no more points are found.
    for (int b = 1; b < BINS; ++b)
        logWrong_[b] = std::max(logWrong_[b], logWrong_[b - 1]);
}

float Appearance::logOdds(int p, int q, float distance) const
{
    if (logWrong_.empty())
        return -params_.maxLogOdds; // there was nothing to learn from
    const float logD = std::log(std::max(floor_, distance));
    const float z = (logD - mean_) / deviation_;
    const float ratio = logD - logScale_[p] - logScale_[q];
    // Between the centers of the bins.
    const float at = std::min(BINS - 1.f, std::max(0.f, (ratio - FIRST_BIN) / BIN - 0.5f));
    const int bin = std::min(BINS - 2, static_cast<int>(at));
    const float part = at - static_cast<float>(bin);
    const float logWrong = (1 - part) * logWrong_[bin] + part * logWrong_[bin + 1];
    return overlap_.logShare(views_.of(p), views_.of(q)) + logPeak_ - 0.5f * z * z - logWrong;
}

}}} // namespace cv::multimatch::evidence
