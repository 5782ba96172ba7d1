// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "log_odds_tracks.hpp"

#include "opencv2/multimatch/detail/assignment.hpp"
#include "opencv2/multimatch/detail/log_odds.hpp"

#include <mutex>

namespace cv { namespace multimatch {

namespace {

//! Added to the gain of the present track, so that ties leave points where they are.
const double STAY = 1e-6;

const int POINTS_IN_TASK = 256; //!< of a view, in a projection
const int SUM_BLOCK = 4096;     //!< points whose share of the objective is summed by one thread

} // namespace

LogOddsTracks::LogOddsTracks(const evidence::Views& views, const CsrMatrix& pairs,
                             const std::vector<float>& L, float missing, float trackCost,
                             float memberCost, const std::vector<int>& labels)
    : views_(views), pairs_(pairs), L_(L), missing_(missing), trackCost_(trackCost),
      memberCost_(memberCost), least_(0), label_(labels.size(), -1), next_(labels.size(), -1),
      previous_(labels.size(), -1)
{
    // There may be a label for every point, and one more for every point of the view that is
    // projected.
    int count = 0, largest = 0;
    for (size_t p = 0; p < labels.size(); ++p)
        count = std::max(count, labels[p] + 1);
    for (int v = 0; v < views.count(); ++v)
        largest = std::max(largest, views.size(v));
    const size_t capacity =
        static_cast<size_t>(count) + labels.size() + static_cast<size_t>(largest);
    size_.assign(capacity, 0);
    head_.assign(capacity, -1);
    for (size_t l = capacity; l > static_cast<size_t>(count); --l)
        free_.push_back(static_cast<int>(l) - 1);
    for (size_t p = labels.size(); p > 0; --p)
        move(static_cast<int>(p) - 1, labels[p - 1] >= 0 ? labels[p - 1] : freeLabel());
    for (int l = count - 1; l >= 0; --l)
        if (size_[l] == 0)
            free_.push_back(l);
}

int LogOddsTracks::freeLabel()
{
    const int label = free_.back();
    free_.pop_back();
    return label;
}

//! A label that loses its last member is not freed here, as others of the same view may be about to
//! take it.
void LogOddsTracks::move(int p, int label)
{
    const size_t i = static_cast<size_t>(p);
    if (label_[i] >= 0)
    {
        const size_t from = static_cast<size_t>(label_[i]);
        if (previous_[i] >= 0)
            next_[previous_[i]] = next_[i];
        else
            head_[from] = next_[i];
        if (next_[i] >= 0)
            previous_[next_[i]] = previous_[i];
        --size_[from];
    }
    label_[i] = label;
    if (label < 0)
        return;
    const size_t to = static_cast<size_t>(label);
    previous_[i] = -1;
    next_[i] = head_[to];
    if (head_[to] >= 0)
        previous_[head_[to]] = p;
    head_[to] = p;
    ++size_[to];
}

//! Members in views that were compared with a view.
int LogOddsTracks::comparedMembers(int label, int view) const
{
    int count = 0;
    for (int q = head_[label]; q >= 0; q = next_[q])
        count += views_.compared(view, views_.of(q));
    return count;
}

const std::vector<LogOddsTracks::Gain>& LogOddsTracks::gainsOf(int p, Scratch& scratch) const
{
    Sums& sums = scratch.sums;
    sums.reserve(pairs_.offsets[p + 1] - pairs_.offsets[p]);
    for (size_t e = pairs_.offsets[p]; e < pairs_.offsets[p + 1]; ++e)
        sums.add(label_[pairs_.columns[e]], L_[e]);
    scratch.gains.clear();
    const int view = views_.of(p);
    for (size_t t = 0; t < sums.size(); ++t)
    {
        const int label = sums[t].label;
        const size_t l = static_cast<size_t>(label);
        Gain gain = {label, sums[t].sum, 0, -1};
        // Pairs that are not stored and the cost of the track only make it less.
        if (gain.value > least_)
        {
            for (int q = head_[l]; q >= 0; q = next_[q])
                if (views_.of(q) == view && q != p)
                    gain.rival = q; // it would have to leave
            gain.members = size_[l] - (gain.rival >= 0) - (label == label_[p]);
            const int compared = views_.allCompared() ? gain.members : comparedMembers(label, view);
            gain.value += missing_ * static_cast<float>(compared - sums[t].count);
            gain.value -= memberCost_ + (gain.members == 1 ? trackCost_ : 0.f);
        }
        scratch.gains.push_back(gain);
    }
    sums.clear();
    return scratch.gains;
}

void LogOddsTracks::sweep(RunControl& control)
{
    int points = 0;
    for (int v = 0; v < views_.count(); ++v)
    {
        project(v, false);
        points += views_.size(v);
        if (points > SLICE_POINTS && !control.wanted())
            return;
        points %= SLICE_POINTS + 1;
    }
}

const std::vector<LogOddsTracks::Join>& LogOddsTracks::joinsOf(int label, bool onlyLarger,
                                                               Scratch& scratch) const
{
    const size_t own = static_cast<size_t>(label);
    const auto next = [&](int p) { return next_[p]; };
    Sums& sums = scratch.sums;
    scratch.seen.resize(views_.count(), 0);
    size_t entries = 0;
    for (int p = head_[own]; p >= 0; p = next(p))
        entries += pairs_.offsets[p + 1] - pairs_.offsets[p];
    sums.reserve(entries);
    for (int p = head_[own]; p >= 0; p = next(p))
    {
        scratch.seen[views_.of(p)] = 1;
        for (size_t e = pairs_.offsets[p]; e < pairs_.offsets[p + 1]; ++e)
        {
            const int l = label_[pairs_.columns[e]];
            if (l > label || (!onlyLarger && l != label))
                sums.add(l, L_[e]);
        }
    }
    scratch.joins.clear();
    for (size_t t = 0; t < sums.size(); ++t)
    {
        const int other = sums[t].label;
        const size_t l = static_cast<size_t>(other);
        // A track less where both are tracks, one more where both are single points.
        const int fewer = (size_[own] > 1) + (size_[l] > 1) - 1;
        float gain = sums[t].sum + trackCost_ * static_cast<float>(fewer) - memberCost_;
        if (!(gain > 0))
            continue; // pairs that are not stored only make it less
        const int pairs = size_[own] * size_[l];
        int compared = views_.allCompared() ? pairs : 0;
        bool disjoint = true;
        for (int q = head_[l]; q >= 0 && disjoint; q = next(q))
        {
            disjoint = !scratch.seen[views_.of(q)];
            if (!views_.allCompared())
                compared += comparedMembers(label, views_.of(q));
        }
        gain += missing_ * static_cast<float>(compared - sums[t].count);
        if (!disjoint || !(gain > 0))
            continue;
        const int a = std::min(label, other), b = std::max(label, other);
        const Join join = {gain / static_cast<float>(pairs), a, b, size_[a], size_[b]};
        scratch.joins.push_back(join);
    }
    sums.clear();
    for (int p = head_[own]; p >= 0; p = next(p))
        scratch.seen[views_.of(p)] = 0;
    return scratch.joins;
}

void LogOddsTracks::join(RunControl& control)
{
    std::vector<Join> heap;
    std::mutex mutex;
    control.forSlices(
        static_cast<int>(size_.size()), 2 * SLICE_POINTS,
        [&](const Range& range) {
            Scratch scratch;
            std::vector<Join> found;
            for (int l = range.start; l < range.end; ++l)
                if (size_[l] > 0)
                {
                    const std::vector<Join>& joins = joinsOf(l, true, scratch);
                    found.insert(found.end(), joins.begin(), joins.end());
                }
            const std::lock_guard<std::mutex> lock(mutex);
            heap.insert(heap.end(), found.begin(), found.end());
        },
        false);
    if (control.cancelled())
        return;
    std::make_heap(heap.begin(), heap.end());
    Scratch scratch;
    for (int joined = 0; !heap.empty(); ++joined)
    {
        if (joined > SLICE_POINTS && !control.wanted())
            return;
        joined %= SLICE_POINTS + 1;
        std::pop_heap(heap.begin(), heap.end());
        const Join best = heap.back();
        heap.pop_back();
        const size_t a = static_cast<size_t>(best.a), b = static_cast<size_t>(best.b);
        // Tracks only grow here, and what is left of a joined one is empty.
        if (size_[a] != best.sizeA || size_[b] != best.sizeB)
            continue;
        const size_t from = size_[a] < size_[b] ? a : b, to = from == a ? b : a;
        while (head_[from] >= 0)
            move(head_[from], static_cast<int>(to));
        free_.push_back(static_cast<int>(from));
        const std::vector<Join>& joins = joinsOf(static_cast<int>(to), false, scratch);
        for (size_t n = 0; n < joins.size(); ++n)
        {
            heap.push_back(joins[n]);
            std::push_heap(heap.begin(), heap.end());
        }
    }
}

//! Log-odds of a pair of points in different views.
float LogOddsTracks::logOddsOf(int p, int q) const
{
    const std::vector<int>::const_iterator columns = pairs_.columns.begin();
    const std::vector<int>::const_iterator begin =
                                               columns + static_cast<ptrdiff_t>(pairs_.offsets[p]),
                                           end = columns +
                                                 static_cast<ptrdiff_t>(pairs_.offsets[p + 1]);
    const std::vector<int>::const_iterator at = std::lower_bound(begin, end, q);
    if (at != end && *at == q)
        return L_[at - columns];
    return views_.compared(views_.of(p), views_.of(q)) ? missing_ : 0.f;
}

void LogOddsTracks::propose(const TrackTable& proposed, RunControl& control)
{
    std::vector<int> members;
    std::vector<float> sums; // per member, with the other members
    int points = 0;
    for (int t = 0; t < proposed.trackCount(); ++t)
    {
        points += proposed.length(t);
        if (points > SLICE_POINTS && !control.wanted())
            return;
        points %= SLICE_POINTS + 1;
        members.clear();
        for (const int* p = proposed.begin(t); p != proposed.end(t); ++p)
            if (size_[label_[*p]] == 1)
                members.push_back(*p);
        sums.assign(members.size(), 0.f);
        for (size_t a = 0; a < members.size(); ++a)
            for (size_t b = 0; b < members.size(); ++b)
                if (a != b)
                    sums[a] += logOddsOf(members[a], members[b]);
        while (members.size() > 1)
        {
            const size_t worst =
                static_cast<size_t>(std::min_element(sums.begin(), sums.end()) - sums.begin());
            if (sums[worst] >= memberCost_)
                break;
            const int out = members[worst];
            members.erase(members.begin() + static_cast<ptrdiff_t>(worst));
            sums.erase(sums.begin() + static_cast<ptrdiff_t>(worst));
            for (size_t a = 0; a < members.size(); ++a)
                sums[a] -= logOddsOf(members[a], out);
        }
        const float twice = std::accumulate(sums.begin(), sums.end(), 0.f);
        const float further = static_cast<float>(members.size()) - 1;
        if (members.size() < 2 || !(twice / 2 > trackCost_ + memberCost_ * further))
            continue;
        for (size_t a = 1; a < members.size(); ++a)
        {
            free_.push_back(label_[members[a]]);
            move(members[a], label_[members[0]]);
        }
    }
}

//! Whether some of its members have negative log-odds with each other.
bool LogOddsTracks::contradicts(int label) const
{
    const size_t l = static_cast<size_t>(label);
    for (int p = head_[l]; p >= 0; p = next_[p])
    {
        int agreeing = 0;
        for (size_t e = pairs_.offsets[p]; e < pairs_.offsets[p + 1]; ++e)
            agreeing += label_[pairs_.columns[e]] == label && L_[e] >= 0;
        const int compared =
            views_.allCompared() ? size_[l] - 1 : comparedMembers(label, views_.of(p));
        if (agreeing < compared)
            return true;
    }
    return false;
}

/** The parts that the members of a track form when they are joined anew, largest gain of F per pair
first; empty: F is larger as it is. */
std::vector<std::vector<int>> LogOddsTracks::partsOf(int label) const
{
    std::vector<std::vector<int>> parts;
    for (int p = head_[label]; p >= 0; p = next_[p])
        parts.push_back(std::vector<int>(1, p));
    std::sort(parts.begin(), parts.end());
    const size_t n = parts.size();
    std::vector<float> between(n * n, 0.f); // sums of the log-odds of two parts
    double change = trackCost_ + memberCost_ * static_cast<float>(n - 1); // of F
    for (size_t a = 0; a < n; ++a)
        for (size_t b = a + 1; b < n; ++b)
        {
            between[a * n + b] = between[b * n + a] = logOddsOf(parts[a][0], parts[b][0]);
            change -= between[a * n + b];
        }
    for (;;)
    {
        float best = 0, bestGain = 0;
        size_t into = n, from = n;
        for (size_t a = 0; a < n; ++a)
            for (size_t b = a + 1; b < n && !parts[a].empty(); ++b)
            {
                if (parts[b].empty())
                    continue;
                const int fewer = (parts[a].size() > 1) + (parts[b].size() > 1) - 1;
                const float gain =
                    between[a * n + b] + trackCost_ * static_cast<float>(fewer) - memberCost_;
                const float perPair = gain / static_cast<float>(parts[a].size() * parts[b].size());
                if (perPair > best)
                {
                    best = perPair;
                    bestGain = gain;
                    into = a;
                    from = b;
                }
            }
        if (into == n)
            break;
        change += bestGain;
        parts[into].insert(parts[into].end(), parts[from].begin(), parts[from].end());
        parts[from].clear();
        for (size_t c = 0; c < n; ++c)
            between[into * n + c] = between[c * n + into] =
                between[into * n + c] + between[from * n + c];
    }
    if (!(change > STAY))
        parts.clear();
    return parts;
}

void LogOddsTracks::split(RunControl& control)
{
    if (views_.allCompared())
        return; // every pair counts, and points of the smaller half leave in a sweep
    const int labels = static_cast<int>(size_.size());
    std::vector<std::vector<std::vector<int>>> found; // in the order of the labels
    std::vector<int> divided;
    std::mutex mutex;
    control.forSlices(
        labels, 2 * SLICE_POINTS,
        [&](const Range& range) {
            for (int l = range.start; l < range.end; ++l)
            {
                if (size_[l] < 3 || !contradicts(l))
                    continue;
                const std::vector<std::vector<int>> parts = partsOf(l);
                if (parts.empty())
                    continue;
                const std::lock_guard<std::mutex> lock(mutex);
                found.push_back(parts);
                divided.push_back(l);
            }
        },
        false);
    if (control.cancelled())
        return;
    std::vector<size_t> order(found.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return divided[a] < divided[b]; });
    for (size_t n = 0; n < order.size(); ++n)
        divide(found[order[n]]);
}

//! The parts of a track become tracks of their own; the largest keeps the label.
void LogOddsTracks::divide(const std::vector<std::vector<int>>& parts)
{
    size_t largest = 0;
    for (size_t part = 1; part < parts.size(); ++part)
        if (parts[part].size() > parts[largest].size())
            largest = part;
    for (size_t part = 0; part < parts.size(); ++part)
    {
        if (part == largest || parts[part].empty())
            continue;
        const int label = freeLabel();
        for (size_t m = 0; m < parts[part].size(); ++m)
            move(parts[part][m], label);
    }
}

//! The members of a track, those together between which there is a chain of compared views.
std::vector<std::vector<int>> LogOddsTracks::chainedParts(int label) const
{
    std::vector<int> rest;
    for (int p = head_[label]; p >= 0; p = next_[p])
        rest.push_back(p);
    std::sort(rest.begin(), rest.end(), std::greater<int>());
    std::vector<std::vector<int>> parts;
    while (!rest.empty())
    {
        std::vector<int> part(1, rest.back());
        rest.pop_back();
        for (size_t n = 0; n < part.size(); ++n)
        {
            const int view = views_.of(part[n]);
            const auto apart = std::stable_partition(rest.begin(), rest.end(), [&](int q) {
                return !views_.compared(view, views_.of(q));
            });
            part.insert(part.end(), apart, rest.end());
            rest.erase(apart, rest.end());
        }
        parts.push_back(part);
    }
    return parts;
}

void LogOddsTracks::separate()
{
    if (views_.allCompared())
        return;
    const size_t labels = size_.size();
    for (size_t l = 0; l < labels; ++l)
        if (size_[l] > 1)
            divide(chainedParts(static_cast<int>(l)));
}

void LogOddsTracks::extend(float margin, RunControl& control)
{
    least_ = -margin;
    for (int v = 0; v < views_.count() && control.wanted(); ++v)
        project(v, true);
}

//! One assignment of the points of a view to the tracks of the others. onlySingle: members of a
//! track stay.
void LogOddsTracks::project(int view, bool onlySingle)
{
    // What each point may choose from.
    struct Choice
    {
        int point, label;
        double value;
    };
    const int points = views_.size(view);
    std::vector<std::vector<Choice>> parts(
        static_cast<size_t>((points + POINTS_IN_TASK - 1) / POINTS_IN_TASK));
    parallel_for_(Range(0, static_cast<int>(parts.size())), [&](const Range& range) {
        Scratch scratch;
        for (int part = range.start; part < range.end; ++part)
            for (int n = part * POINTS_IN_TASK; n < std::min(points, (part + 1) * POINTS_IN_TASK);
                 ++n)
            {
                const int p = views_.first(view) + n, own = label_[p];
                if (onlySingle && size_[own] > 1)
                    continue;
                const std::vector<Gain>& gains = gainsOf(p, scratch);
                for (size_t g = 0; g < gains.size(); ++g)
                {
                    const double value =
                        gains[g].value - least_ + (gains[g].label == own ? STAY : 0.);
                    const Choice choice = {n, gains[g].label, value};
                    if (value > 0 && !(onlySingle && gains[g].rival >= 0))
                        parts[part].push_back(choice);
                }
            }
    });
    detail::AssignmentCandidates candidates;
    candidates.offsets.assign(static_cast<size_t>(points) + 1, 0);
    std::vector<int> labelOf;
    column_.resize(size_.size(), -1);
    for (size_t part = 0; part < parts.size(); ++part)
        for (size_t n = 0; n < parts[part].size(); ++n)
        {
            const Choice& choice = parts[part][n];
            int& c = column_[choice.label];
            if (c < 0)
            {
                c = static_cast<int>(labelOf.size());
                labelOf.push_back(choice.label);
            }
            candidates.columns.push_back(c);
            candidates.values.push_back(choice.value);
            ++candidates.offsets[choice.point + 1];
        }
    std::partial_sum(candidates.offsets.begin(), candidates.offsets.end(),
                     candidates.offsets.begin());
    candidates.cols = static_cast<int>(labelOf.size());
    const std::vector<int> chosen = detail::assignSparse(candidates, true);
    const std::vector<int> before(label_.begin() + views_.first(view),
                                  label_.begin() + views_.end(view));
    for (size_t r = 0; r < chosen.size(); ++r)
    {
        const int p = views_.first(view) + static_cast<int>(r);
        const bool single = size_[before[r]] == 1;
        if (chosen[r] >= 0)
        {
            const int label = labelOf[candidates.columns[chosen[r]]];
            if (label != before[r])
                move(p, label);
        }
        else if (!single && !onlySingle)
            move(p, freeLabel());
    }
    for (size_t r = 0; r < before.size(); ++r)
        if (size_[before[r]] == 0)
            free_.push_back(before[r]);
    for (size_t c = 0; c < labelOf.size(); ++c)
        column_[labelOf[c]] = -1;
}

double LogOddsTracks::objective() const
{
    const int points = views_.pointCount();
    // Blocks of the same points whatever the number of threads, so that the sum is the same.
    std::vector<double> sums(static_cast<size_t>((points + SUM_BLOCK - 1) / SUM_BLOCK), 0.);
    const auto share = [&](int p) {
        const size_t l = static_cast<size_t>(label_[p]);
        const int size = size_[l];
        if (size < 2)
            return 0.;
        double twice = 0;
        int stored = 0;
        for (size_t e = pairs_.offsets[p]; e < pairs_.offsets[p + 1]; ++e)
            if (label_[pairs_.columns[e]] == static_cast<int>(l))
            {
                twice += L_[e];
                ++stored;
            }
        const int compared =
            views_.allCompared() ? size - 1 : comparedMembers(static_cast<int>(l), views_.of(p));
        twice += static_cast<double>(missing_) * (compared - stored);
        const float cost = head_[l] == p ? trackCost_ : memberCost_;
        return 0.5 * twice - static_cast<double>(cost);
    };
    parallel_for_(Range(0, static_cast<int>(sums.size())), [&](const Range& range) {
        for (int block = range.start; block < range.end; ++block)
            for (int p = block * SUM_BLOCK; p < std::min(points, (block + 1) * SUM_BLOCK); ++p)
                sums[block] += share(p);
    });
    return std::accumulate(sums.begin(), sums.end(), 0.);
}

std::vector<int> LogOddsTracks::labels() const
{
    std::vector<int> number(size_.size(), -1), result(label_.size(), -1);
    int count = 0;
    for (size_t p = 0; p < label_.size(); ++p)
    {
        const size_t l = static_cast<size_t>(label_[p]);
        if (size_[l] < 2)
            continue;
        if (number[l] < 0)
            number[l] = count++;
        result[p] = number[l];
    }
    return result;
}

std::vector<float> LogOddsTracks::margins(RunControl& control) const
{
    std::vector<float> margin(label_.size(), 0.f);
    control.forSlices(
        views_.pointCount(), SLICE_POINTS,
        [&](const Range& range) {
            Scratch scratch;
            for (int p = range.start; p < range.end; ++p)
            {
                float own = 0, other = 0;
                const std::vector<Gain>& gains = gainsOf(p, scratch);
                for (size_t g = 0; g < gains.size(); ++g)
                    if (gains[g].label == label_[p])
                        own = gains[g].value;
                    else
                        other = std::max(other, gains[g].value);
                margin[p] = own - other;
            }
        },
        false);
    return margin;
}

double detail::projectLogOdds(const std::vector<int>& viewSizes, const CsrMatrix& logOdds,
                              const Mat& pairs, float missing, float trackCost, float memberCost,
                              const std::vector<int>& proposed, std::vector<int>& labels)
{
    logOdds.validate("logOdds");
    const evidence::Views views(viewSizes, pairs);
    if (logOdds.rows != views.pointCount() ||
        labels.size() != static_cast<size_t>(views.pointCount()) ||
        (!proposed.empty() && proposed.size() != labels.size()))
        CV_Error_(Error::StsUnmatchedSizes,
                  ("the views have %d points but logOdds has %d rows, labels %zu and proposed %zu "
                   "entries",
                   views.pointCount(), logOdds.rows, labels.size(), proposed.size()));
    if (!(missing <= 0))
        CV_Error_(Error::StsOutOfRange,
                  ("missing is %f, expected 0 or less", static_cast<double>(missing)));
    RunControl control((ProgressCallback()));
    LogOddsTracks tracks(views, logOdds, logOdds.values, missing, trackCost, memberCost, labels);
    tracks.propose(TrackTable(proposed), control);
    tracks.split(control);
    tracks.join(control);
    tracks.sweep(control);
    labels = tracks.labels();
    return tracks.objective();
}

}} // namespace cv::multimatch
