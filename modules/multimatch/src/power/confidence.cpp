// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "log_odds_tracks.hpp"

namespace cv { namespace multimatch {

namespace {

const double DECOY_PRIOR = 0.05; //!< decoys counted per bin where none is seen
const double KNOWN_SLOTS = 1;    //!< taken slots that tell as much as the gain alone

} // namespace

/** Probability that a member belongs to its track, by counting decoys.

Where a track has a reliable member in a view, every other point of that view is wrong for it.
Single points that would nevertheless join such a track are decoys: they show how often a wrong
point reaches which log-odds. A slot is a track and a view; slots without a reliable member offer
wrong points the same chances. So the expected number of wrong members with given mean log-odds is
the number of decoys times (free slots / taken slots), and its ratio to the number of members found
is the share that is wrong. Slots count by the share of points that their views have in common, as
that share is a factor of the odds. Everything by the number of other members, as members are not
independent witnesses. */
class Calibration
{
public:
    //! positions: NULL where they are not known.
    Calibration(const LogOddsTracks& tracks, const std::vector<float>& margins,
                const evidence::Overlap& overlap, const evidence::Positions* positions,
                float reliable, RunControl& control);

    float probability(int members, float gain) const;

private:
    enum
    {
        CLASSES = 4, //!< 1, 2, 3 and more other members
        BINS = 10    //!< of the mean log-odds per member: below 0, from 0, from 1, ..., from 8
    };
    struct Counts
    {
        double decoys[CLASSES][BINS], members[CLASSES][BINS], taken[CLASSES], open[CLASSES];

        Counts();
        void add(const Counts& other);
    };

    static int classOf(int members) { return std::min(members, CLASSES + 0) - 1; }
    float meanLogOdds(int members, float gain) const
    {
        return (gain + (members == 1 ? tracks_.trackCost_ : 0)) / static_cast<float>(members);
    }
    static int binOf(float mean)
    {
        return std::max(0, std::min(BINS - 1, cvFloor(mean + 0.01f) + 1));
    }
    double shared(int v, int w) const; //!< share of points that two views have in common
    void countSlots(int p, Counts& counts) const;
    void countPoint(int p, LogOddsTracks::Scratch& scratch, Counts& counts) const;
    /** Detectors find one physical point several times, at neighboring places and scales: key
    points closer than their size are taken for one; without sizes, those within a pixel. */
    bool coincide(int p, int q) const
    {
        if (!positions_)
            return false;
        const float radius =
            positions_->hasFrames()
                ? std::exp(std::max(positions_->logSize(p), positions_->logSize(q)))
                : 1.f;
        return positions_->distance2(p, positions_->at(q)) <= radius * radius;
    }
    bool reliable(int p) const { return margins_[p] >= reliable_; }

    const LogOddsTracks& tracks_;
    const std::vector<float>& margins_;
    const evidence::Overlap& overlap_;
    const evidence::Positions* positions_;
    const float reliable_;
    std::vector<double> sharedSum_; //!< per view the sum over all compared with it
    float right_[CLASSES][BINS];
    float known_[CLASSES]; //!< weight of right_
};

Calibration::Counts::Counts()
{
    for (int c = 0; c < CLASSES; ++c)
    {
        taken[c] = open[c] = 0;
        for (int b = 0; b < BINS; ++b)
            decoys[c][b] = members[c][b] = 0;
    }
}

void Calibration::Counts::add(const Counts& other)
{
    for (int c = 0; c < CLASSES; ++c)
    {
        taken[c] += other.taken[c];
        open[c] += other.open[c];
        for (int b = 0; b < BINS; ++b)
        {
            decoys[c][b] += other.decoys[c][b];
            members[c][b] += other.members[c][b];
        }
    }
}

Calibration::Calibration(const LogOddsTracks& tracks, const std::vector<float>& margins,
                         const evidence::Overlap& overlap, const evidence::Positions* positions,
                         float reliable, RunControl& control)
    : tracks_(tracks), margins_(margins), overlap_(overlap), positions_(positions),
      reliable_(reliable), sharedSum_(static_cast<size_t>(tracks.views_.count()), 0.)
{
    const evidence::Views& views = tracks.views_;
    for (int v = 0; v < views.count(); ++v)
        for (size_t s = 0; s < views.comparedWith(v).size(); ++s)
            sharedSum_[v] += shared(v, views.comparedWith(v)[s]);
    const int points = tracks.views_.pointCount(), slice = 4096;
    std::vector<Counts> parts(static_cast<size_t>((points + slice - 1) / slice));
    control.forSlices(
        static_cast<int>(parts.size()), 8,
        [&](const Range& range) {
            LogOddsTracks::Scratch scratch;
            for (int part = range.start; part < range.end; ++part)
                for (int p = part * slice; p < std::min(points, (part + 1) * slice); ++p)
                    countPoint(p, scratch, parts[part]);
        },
        false);
    Counts all;
    for (size_t n = 0; n < parts.size(); ++n)
        all.add(parts[n]);
    for (int c = 0; c < CLASSES; ++c)
    {
        known_[c] = static_cast<float>(all.taken[c] / (all.taken[c] + KNOWN_SLOTS));
        const double ratio = all.open[c] / std::max(all.taken[c], KNOWN_SLOTS);
        double most = 1;
        for (int b = BINS - 1; b >= 0; --b)
        {
            const double wrong = (all.decoys[c][b] + DECOY_PRIOR) * ratio;
            const double right = 1 - wrong / (all.members[c][b] + DECOY_PRIOR * ratio + 1);
            most = std::min(most, std::max(0., right)); // it does not rise where the log-odds fall
            right_[c][b] = static_cast<float>(most);
        }
    }
}

double Calibration::shared(int v, int w) const
{
    return tracks_.views_.compared(v, w) ? std::exp(overlap_.logShare(v, w)) : 0.;
}

//! The slots of the track that a point is in; the free ones are counted at its first point.
void Calibration::countSlots(int p, Counts& counts) const
{
    const evidence::Views& views = tracks_.views_;
    const size_t label = static_cast<size_t>(tracks_.label_[p]);
    const int size = tracks_.size_[label], first = tracks_.head_[label], v = views.of(p);
    const auto next = [&](int q) { return tracks_.next_[q]; };
    if (size == 1)
    {
        counts.open[0] += sharedSum_[v];
        return;
    }
    if (reliable(p))
    {
        double sum = 0;
        for (int q = first; q >= 0; q = next(q))
            if (q != p)
            {
                sum += shared(views.of(q), v);
                if (reliable(q))
                    counts.taken[0] += shared(views.of(q), v);
            }
        if (size > 2)
            counts.taken[classOf(size - 1)] += sum / (size - 1);
    }
    if (first != p)
        return;
    double all = 0, inside = 0;
    for (int q = first; q >= 0; q = next(q))
    {
        all += sharedSum_[views.of(q)];
        for (int r = first; r >= 0; r = next(r))
            if (r != q)
                inside += shared(views.of(q), views.of(r));
    }
    const double open = (all - inside) / size;
    counts.open[classOf(size)] += open;
    // Without one of its members it would have been one shorter.
    if (size == 2)
        counts.open[0] += all;
    else
        counts.open[classOf(size - 1)] += open;
}

void Calibration::countPoint(int p, LogOddsTracks::Scratch& scratch, Counts& counts) const
{
    countSlots(p, counts);
    const CsrMatrix& pairs = tracks_.pairs_;
    const evidence::Views& views = tracks_.views_;
    const int own = tracks_.label_[p];
    const bool single = tracks_.size_[own] == 1;
    const std::vector<LogOddsTracks::Gain>& gains = tracks_.gainsOf(p, scratch);
    for (size_t g = 0; g < gains.size(); ++g)
    {
        const LogOddsTracks::Gain& gain = gains[g];
        if (!(gain.value > tracks_.least_) || gain.members == 0)
            continue;
        const int bin = binOf(meanLogOdds(gain.members, gain.value));
        if (gain.label == own)
            counts.members[classOf(gain.members)][bin] += 1;
        else if (single && gain.rival >= 0 && gain.members > 1 && reliable(gain.rival) &&
                 !coincide(p, gain.rival))
            counts.decoys[classOf(gain.members)][bin] += 1;
    }
    if (!single)
        return;
    // Tracks of one other member: each reliable member of any track stands for one.
    for (size_t e = pairs.offsets[p]; e < pairs.offsets[p + 1]; ++e)
    {
        const int q = pairs.columns[e];
        if (!(tracks_.L_[e] - tracks_.trackCost_ > tracks_.least_) || !reliable(q))
            continue;
        for (int r = tracks_.head_[tracks_.label_[q]]; r >= 0; r = tracks_.next_[r])
            if (views.of(r) == views.of(p) && reliable(r) && !coincide(p, r))
                counts.decoys[0][binOf(tracks_.L_[e])] += 1;
    }
}

float Calibration::probability(int members, float gain) const
{
    const float* right = right_[classOf(members)];
    // Between the middles of the bins; the log-odds in the last one are at its lower end, their
    // limit.
    const float last = BINS - 2.5f, mean = meanLogOdds(members, gain);
    const float at = std::max(0.f, std::min(BINS - 1.f, mean + 0.5f + std::max(0.f, mean - last)));
    const int bin = std::min(BINS - 2, cvFloor(at));
    const float part = at - static_cast<float>(bin);
    const float counted = (1 - part) * right[bin] + part * right[bin + 1];
    // Where there is next to nothing to count, the log-odds are all there is.
    const float known = known_[classOf(members)];
    return known * counted + (1 - known) / (1 + std::exp(-gain));
}

std::vector<float> LogOddsTracks::confidence(const evidence::Overlap& overlap,
                                             const evidence::Positions* positions, float reliable,
                                             RunControl& control) const
{
    const std::vector<float> margin = margins(control);
    const Calibration calibration(*this, margin, overlap, positions, reliable, control);
    std::vector<float> result(label_.size(), 0.f);
    control.forSlices(
        views_.pointCount(), SLICE_POINTS,
        [&](const Range& range) {
            Scratch scratch;
            for (int p = range.start; p < range.end; ++p)
            {
                const int own = label_[p];
                const int members = size_[own] - 1;
                if (members == 0)
                    continue;
                float& value = result[p];
                float gain = 0, other = 0;
                const std::vector<Gain>& gains = gainsOf(p, scratch);
                for (size_t g = 0; g < gains.size(); ++g)
                    if (gains[g].label == own)
                        gain = gains[g].value;
                    else
                        other = std::max(other, gains[g].value);
                if (gain > least_)
                    value = calibration.probability(members, gain);
                // Nor is it more probable than that it is in no other track.
                if (other > 0)
                    value = std::min(value, 1 / (1 + std::exp(other - gain)));
            }
        },
        false);
    return result;
}

}} // namespace cv::multimatch
