// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "confidence.hpp"

#include "input.hpp"

namespace cv { namespace multimatch {

namespace {

const size_t MAX_CANDIDATES = 4; //!< tracks weighed per point
const int MAX_JUDGED = 6;        //!< members whose place is checked per track
const size_t MAX_JUDGED_VIEWS = 24;
const size_t AGREEMENT_SAMPLES = 500;
const float MIN_AGREEMENT = 1.f; //!< median log-likelihood ratio of believed memberships
const double MIN_FOR_PRIOR = 100;
const int PRIOR_ROUNDS = 50;
const int PRIOR_BINS = 1024;
const double PRIOR_LOGIT = 1.96; //!< of the share of right memberships that the regression saw
const double PRIOR_WEIGHT = 0.5; //!< half way from there to what this problem suggests
//! Of the logits, fitted to the reliability table of the benchmark.
const double CALIBRATION_SLOPE = 1.5, CALIBRATION_SHIFT = -1.1;

float logistic(double logit)
{
    return static_cast<float>(1 / (1 + std::exp(-logit)));
}

double logitOf(float probability)
{
    const double p = std::min(std::max(static_cast<double>(probability), 1e-6), 1 - 1e-6);
    return std::log(p / (1 - p));
}

} // namespace

Confidence::Confidence(const CsrMatrix& similarity, const std::vector<int>& viewSizes,
                       const LocalGeometry* geometry, bool kernel)
    : similarity_(&similarity), geometry_(geometry), kernel_(kernel),
      offsets_(viewOffsets(viewSizes)), view_(viewOfPoints(viewSizes)),
      comparedViews_(viewSizes.size()), judgedViews_(viewSizes.size()), allCompared_(true),
      shift_(0)
{
    // Views are taken as compared if anything between them was found similar.
    std::vector<double> similar(viewSizes.size(), 0);
    for (size_t v = 0; v < viewSizes.size(); ++v)
    {
        for (size_t e = similarity.offsets[offsets_[v]]; e < similarity.offsets[offsets_[v + 1]];
             ++e)
        {
            const int other = view_[similarity.columns[e]];
            if (similar[static_cast<size_t>(other)] == 0)
                comparedViews_[v].push_back(other);
            similar[static_cast<size_t>(other)] += similarity.values[e];
        }
        judgedViews_[v] = comparedViews_[v];
        if (judgedViews_[v].size() > MAX_JUDGED_VIEWS)
        {
            std::partial_sort(judgedViews_[v].begin(), judgedViews_[v].begin() + MAX_JUDGED_VIEWS,
                              judgedViews_[v].end(), [&](int a, int b) {
                                  const double x = similar[static_cast<size_t>(a)],
                                               y = similar[static_cast<size_t>(b)];
                                  return x != y ? x > y : a < b;
                              });
            judgedViews_[v].resize(MAX_JUDGED_VIEWS);
        }
        for (size_t n = 0; n < comparedViews_[v].size(); ++n)
            similar[static_cast<size_t>(comparedViews_[v][n])] = 0;
        std::sort(comparedViews_[v].begin(), comparedViews_[v].end());
        std::sort(judgedViews_[v].begin(), judgedViews_[v].end());
        allCompared_ = allCompared_ && comparedViews_[v].size() + 1 == viewSizes.size();
    }
}

Confidence::Confidence(const CsrMatrix& similarity, const Confidence& other)
    : similarity_(&similarity), geometry_(other.geometry_), kernel_(other.kernel_),
      offsets_(other.offsets_), view_(other.view_), comparedViews_(other.comparedViews_),
      judgedViews_(other.judgedViews_), allCompared_(other.allCompared_), shift_(other.shift_)
{
}

bool Confidence::isAmong(const std::vector<int>& views, int view)
{
    // Mostly all but one, then it is at its number or before.
    const size_t at = static_cast<size_t>(view);
    return (at < views.size() && views[at] == view) ||
           (at > 0 && at <= views.size() && views[at - 1] == view) ||
           std::binary_search(views.begin(), views.end(), view);
}

bool Confidence::compared(int p, int q) const
{
    return view_[p] != view_[q] &&
           (allCompared_ || isAmong(comparedViews_[static_cast<size_t>(view_[p])], view_[q]));
}

//! Members of the track in views that were compared with p's.
int Confidence::comparedMembers(int p, const TrackTable& tracks, int track) const
{
    const int v = view_[p];
    if (allCompared_)
        return tracks.length(track) - (tracks.pointIn(track, offsets_[v], offsets_[v + 1]) >= 0);
    int members = 0;
    for (const int* q = tracks.begin(track); q != tracks.end(track); ++q)
        members += compared(p, *q);
    return members;
}

void Confidence::collect(int p, const std::vector<int>& labels, const TrackTable& tracks,
                         EvidenceList& evidence) const
{
    std::vector<EvidenceList::Support>& supports = evidence.supports_;
    supports.clear();
    const CsrMatrix& S = *similarity_;
    for (size_t e = S.offsets[p]; e < S.offsets[p + 1]; ++e)
    {
        const int label = labels[S.columns[e]];
        if (label < 0)
            continue;
        const float similarity = S.values[e];
        int& at = evidence.position_[static_cast<size_t>(label)];
        if (at < 0)
        {
            const EvidenceList::Support fresh = {label, similarity, similarity};
            at = static_cast<int>(supports.size());
            supports.push_back(fresh);
            continue;
        }
        EvidenceList::Support& support = supports[static_cast<size_t>(at)];
        support.sum += similarity;
        support.best = std::max(support.best, similarity);
    }
    for (size_t t = 0; t < supports.size(); ++t)
        evidence.position_[static_cast<size_t>(supports[t].track)] = -1;
    if (supports.size() > MAX_CANDIDATES)
    {
        const int own = labels[p];
        std::partial_sort(
            supports.begin(), supports.begin() + MAX_CANDIDATES, supports.end(),
            [own](const EvidenceList::Support& a, const EvidenceList::Support& b) {
                const bool ownA = a.track == own, ownB = b.track == own;
                return ownA != ownB ? ownA : a.sum != b.sum ? a.sum > b.sum : a.track < b.track;
            });
        supports.resize(MAX_CANDIDATES);
    }
    std::vector<Evidence>& entries = evidence.entries_;
    entries.clear();
    for (size_t t = 0; t < supports.size(); ++t)
    {
        const int members = comparedMembers(p, tracks, supports[t].track);
        const Evidence entry = {supports[t].track,
                                supports[t].sum / static_cast<float>(std::max(1, members)),
                                0.f,
                                supports[t].best,
                                {0, 0, 0},
                                members};
        entries.push_back(entry);
    }
    for (size_t t = 0; t < entries.size(); ++t)
        for (size_t other = 0; other < entries.size(); ++other)
            if (other != t)
                entries[t].rival = std::max(entries[t].rival, entries[other].support);
}

//! Evidence by appearance for the track that p has, the rival left out.
Evidence Confidence::ofOwnTrack(int p, const std::vector<int>& labels,
                                const TrackTable& tracks) const
{
    const CsrMatrix& S = *similarity_;
    Evidence own = {labels[p], 0.f, 0.f, 0.f, {0, 0, 0}, 0};
    for (size_t e = S.offsets[p]; e < S.offsets[p + 1]; ++e)
        if (labels[S.columns[e]] == own.track)
        {
            own.support += S.values[e];
            own.best = std::max(own.best, S.values[e]);
        }
    own.members = comparedMembers(p, tracks, own.track);
    own.support /= static_cast<float>(std::max(1, own.members));
    return own;
}

void Confidence::judgePlace(int p, const TrackTable& tracks, const Predictions* predictions,
                            Evidence& evidence) const
{
    if (!predictions)
        return;
    // Both the members and the views ascend.
    const std::vector<int>& views = judgedViews_[static_cast<size_t>(view_[p])];
    int members[MAX_JUDGED_VIEWS], count = 0;
    size_t n = 0;
    for (const int* q = tracks.begin(evidence.track); q != tracks.end(evidence.track); ++q)
    {
        while (n < views.size() && views[n] < view_[*q])
            ++n;
        if (n < views.size() && views[n] == view_[*q])
            members[count++] = *q;
    }
    // Members spread evenly through the track.
    const int step = std::max(1, (count + MAX_JUDGED - 1) / MAX_JUDGED);
    Predictions::FitProduct product;
    for (int m = 0; m < count; m += step)
        predictions->compare(p, members[m], product);
    evidence.fit = product.mean();
}

double Confidence::logitByAppearance(const Evidence& e) const
{
    // Wrong matches scatter over many tracks, so what counts of given ones is how far a track is ahead of the next.
    if (!kernel_)
        return 3.0 * std::log((0.05 + e.support) / (0.05 + e.rival));
    // Logistic regression on synthetic descriptors of known truth, without geometry.
    return 14.0 + 15.0 * std::log(0.01 + e.support) +
           0.3 * std::log(static_cast<double>(std::max(1, e.members)));
}

double Confidence::usualLogit(const Evidence& e) const
{
    if (!geometry_)
        return logitByAppearance(e);
    // Logistic regression on memberships of known truth: warped photographs with many outliers, the same with a patch
    // repeated, planes judged by homographies and buildings by cameras; every kind of data with the same weight.
    const float support = std::log(0.01f + e.support), best = std::log(0.01f + e.best);
    const float members = std::log(static_cast<float>(std::max(1, e.members)));
    return geometry_->hasFrames()
               ? 0.13f + 0.66f * support + 0.35f * best + 0.72f * members + 0.7f * e.fit.place -
                     0.5f * e.fit.turn - 0.8f * e.fit.stretch
               : -0.3f + 0.8f * support + 0.4f * best + 0.55f * members + 0.73f * e.fit.place;
}

float Confidence::probability(const Evidence& e) const
{
    // Single precision is more than a probability needs, and its exponential takes half the time.
    return 1 / (1 + std::exp(-static_cast<float>(shift_ + usualLogit(e))));
}

float Confidence::usualLogit(int p, int q, float similarity, const Predictions* predictions) const
{
    Evidence evidence = {-1, similarity, 0.f, similarity, {0, 0, 0}, 1};
    if (predictions)
    {
        Predictions::FitProduct product;
        predictions->compare(p, q, product);
        evidence.fit = product.mean();
    }
    return static_cast<float>(usualLogit(evidence));
}

float Confidence::probability(int p, int q, float similarity, const Predictions* predictions) const
{
    return logistic(shift_ + static_cast<double>(usualLogit(p, q, similarity, predictions)));
}

float Confidence::calibrated(float probability)
{
    return logistic(CALIBRATION_SLOPE * logitOf(probability) + CALIBRATION_SHIFT);
}

void Confidence::adaptTo(const std::vector<int>& labels, const std::vector<float>& confidence)
{
    if (!geometry_)
        return;
    // Expectation maximisation on the share of right memberships, with the shift so far taken out of the logits. These
    // are counted in bins: one exponential for each of them, however many points there are.
    std::vector<double> counts(PRIOR_BINS, 0);
    double members = 0;
    for (size_t p = 0; p < labels.size(); ++p)
        if (labels[p] >= 0)
        {
            ++counts[std::min<size_t>(PRIOR_BINS - 1,
                                      static_cast<size_t>(confidence[p] * PRIOR_BINS))];
            ++members;
        }
    if (members < MIN_FOR_PRIOR)
        return;
    std::vector<double> logits;
    for (int bin = 0; bin < PRIOR_BINS; ++bin)
        logits.push_back(logitOf((static_cast<float>(bin) + 0.5f) / PRIOR_BINS) - shift_);
    double shift = 0;
    for (int round = 0; round < PRIOR_ROUNDS; ++round)
    {
        double sum = 0;
        for (size_t bin = 0; bin < counts.size(); ++bin)
            sum += counts[bin] / (1 + std::exp(-logits[bin] - shift));
        const double share = sum / members;
        shift = PRIOR_WEIGHT * (std::log(share / (1 - share)) - PRIOR_LOGIT);
    }
    shift_ = shift;
}

std::vector<float> Confidence::byAppearance(const std::vector<int>& labels,
                                            RunControl& control) const
{
    const TrackTable tracks(labels);
    std::vector<float> belief(labels.size(), 0.f);
    control.forSlices(offsets_.back(), SLICE_POINTS, [&](const Range& range) {
        EvidenceList evidence(tracks);
        for (int p = range.start; p < range.end; ++p)
        {
            if (labels[p] < 0)
                continue;
            // One similarity of the kernel tells enough; of given ones it takes those to other tracks too.
            Evidence own = {labels[p], 0.f, 0.f, 0.f, {0, 0, 0}, 0};
            if (kernel_)
                own = ofOwnTrack(p, labels, tracks);
            else
            {
                collect(p, labels, tracks, evidence);
                if (const Evidence* found = evidence.find(labels[p]))
                    own = *found;
            }
            if (own.best > 0)
            {
                const float sure = logistic(logitByAppearance(own));
                belief[p] = sure >= 0.5f ? sure : 0.f;
            }
        }
    });
    return belief;
}

void Confidence::dropGeometryUnlessItAgrees(const std::vector<int>& labels,
                                            const std::vector<float>& belief, RunControl& control)
{
    const TrackTable tracks(labels);
    std::vector<int> believed;
    for (size_t p = 0; p < labels.size(); ++p)
        if (labels[p] >= 0 && belief[p] > 0)
            believed.push_back(static_cast<int>(p));
    const size_t step = believed.size() / AGREEMENT_SAMPLES + 1;
    std::vector<uchar> wanted(labels.size(), 0);
    for (size_t b = 0; b < believed.size(); b += step)
        wanted[static_cast<size_t>(believed[b])] = 1;
    const Predictions predictions(*geometry_, labels, belief, judgedViews_, control, wanted);
    std::vector<float> ratios;
    EvidenceList evidence(tracks);
    for (size_t b = 0; b < believed.size(); b += step)
    {
        collect(believed[b], labels, tracks, evidence);
        Evidence* own = evidence.find(labels[believed[b]]);
        if (!own || own->members == 0)
            continue;
        judgePlace(believed[b], tracks, &predictions, *own);
        ratios.push_back(own->fit.place);
    }
    if (!ratios.empty())
        std::nth_element(ratios.begin(), ratios.begin() + static_cast<ptrdiff_t>(ratios.size() / 2),
                         ratios.end());
    if (ratios.empty() || ratios[ratios.size() / 2] < MIN_AGREEMENT)
        geometry_ = NULL;
}

Ptr<Predictions> Confidence::predict(const std::vector<int>& labels,
                                     const std::vector<float>& belief, RunControl& control) const
{
    return geometry_ ? Ptr<Predictions>(
                           new Predictions(*geometry_, labels, belief, judgedViews_, control))
                     : Ptr<Predictions>();
}

std::vector<float> Confidence::ofMembers(const std::vector<int>& labels,
                                         const Predictions* predictions, RunControl& control) const
{
    const TrackTable tracks(labels);
    std::vector<float> confidence(labels.size(), 0.f);
    control.forSlices(offsets_.back(), SLICE_POINTS, [&](const Range& range) {
        EvidenceList evidence(tracks);
        for (int p = range.start; p < range.end; ++p)
        {
            if (labels[p] < 0)
                continue;
            collect(p, labels, tracks, evidence);
            if (Evidence* own = evidence.find(labels[p]))
            {
                judgePlace(p, tracks, predictions, *own);
                confidence[p] = probability(*own);
            }
        }
    });
    return confidence;
}

}} // namespace cv::multimatch
