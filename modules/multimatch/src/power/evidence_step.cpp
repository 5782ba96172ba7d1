// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "evidence_step.hpp"

#include "../base/statistics.hpp"
#include "../evidence/frame.hpp"
#include "../geometry/pair_geometry.hpp"

namespace cv { namespace multimatch {

using namespace evidence;

namespace {

const size_t LEARN_SAMPLE = 20000; //!< candidate pairs that the witnesses learn from
const int FARTHER = 4;             //!< points around a patch, in units of the nearest ones
const int PAIRS_IN_SLICE = 64;     //!< pairs of views between two calls of the callback

//! Larger confidences are reduced to this one first: odds of 1 / 0 would not depend on the place.
const float MOST_CERTAIN = 0.9999f;

bool sameTrack(const std::vector<int>& labels, int p, int q)
{
    return labels[p] >= 0 && labels[p] == labels[q];
}

//! The pairs of a matrix of distances that are on one track.
std::vector<DistancePair> pairsOnTracks(const CsrMatrix& distances, const std::vector<int>& labels)
{
    const int part = 4096;
    std::vector<std::vector<DistancePair>> parts(
        static_cast<size_t>((distances.rows + part - 1) / part));
    parallel_for_(Range(0, static_cast<int>(parts.size())), [&](const Range& range) {
        for (int n = range.start; n < range.end; ++n)
            for (int p = n * part; p < std::min(distances.rows, (n + 1) * part); ++p)
            {
                if (labels[p] < 0)
                    continue;
                for (size_t e = distances.offsets[p]; e < distances.offsets[p + 1]; ++e)
                    if (distances.columns[e] > p && sameTrack(labels, p, distances.columns[e]))
                    {
                        const DistancePair pair = {p, distances.columns[e], distances.values[e],
                                                   1.f};
                        parts[n].push_back(pair);
                    }
            }
    });
    std::vector<DistancePair> pairs;
    for (size_t n = 0; n < parts.size(); ++n)
        pairs.insert(pairs.end(), parts[n].begin(), parts[n].end());
    return pairs;
}

} // namespace

//! The sum of all witnesses.
class EvidenceStep::Evaluation : public PairLogOdds
{
public:
    explicit Evaluation(const EvidenceStep& step) : step_(step)
    {
        if (!step.maps_)
            return;
        there_ = makePtr<ViewPredictions>(*step.maps_);
        back_ = makePtr<ViewPredictions>(*step.maps_);
    }

    Ptr<PairLogOdds> copy() const CV_OVERRIDE { return makePtr<Evaluation>(step_); }
    void begin(int v, int w) CV_OVERRIDE
    {
        if (!step_.maps_)
            return;
        there_->begin(v, w);
        back_->begin(w, v);
    }
    float logOdds(int p, int q, float value) CV_OVERRIDE
    {
        CandidatePair pair = {p, q, value, Prediction(), Prediction()};
        const int v = step_.views_.of(p), w = step_.views_.of(q);
        if (step_.maps_ && there_->from() == v && there_->to() == w)
        {
            pair.there = there_->of(p);
            pair.back = back_->of(q);
        }
        else if (step_.maps_)
        {
            pair.there = step_.maps_->predict(p, w);
            pair.back = step_.maps_->predict(q, v);
        }
        return step_.logOdds(pair);
    }

private:
    const EvidenceStep& step_;
    Ptr<ViewPredictions> there_, back_; //!< NULL: no positions
};

EvidenceStep::EvidenceStep(const EvidenceProblem& problem, RunControl& control)
    : problem_(problem), control_(control), views_(problem.input.viewSizes, problem.input.pairs),
      memberCost_(0), round_(0), geometryInUse_(false)
{
    const MultiMatcher::Input& input = problem.input;
    const EvidenceParams& params = problem.params;
    overlap_ = makePtr<Overlap>(views_, params);
    if (problem.graph)
    {
        const int neighbors = input.searchMode == SEARCH_APPROXIMATE ? 0 : problem.neighbors;
        appearance_ = makePtr<Appearance>(input.descriptors, input.normType, *problem.graph,
                                          neighbors, views_, *overlap_, params);
        witnesses_.push_back(appearance_);
    }
    else
    {
        given_ = makePtr<GivenMatches>(*problem.given, params.maxLogOdds);
        witnesses_.push_back(given_);
    }
    candidates_ = Ptr<Candidates>(new Candidates(views_, appearance_.get(), params, control));
    if (input.points.empty())
    {
        learnMemberCost(std::vector<LabeledPair>());
        return;
    }
    // Maps of tracks farther away find more members. Descriptors alone do not contradict the wrong
    // ones among them.
    const bool selective = given_ || problem.geometry;
    positions_ = Ptr<Positions>(
        new Positions(input.points, views_, input.sizes, input.angles, problem.mu, params.around,
                      selective ? FARTHER * params.around : params.around, control));
    maps_ = makePtr<LocalMaps>(*positions_, views_, params);
    if (problem.geometry && (params.witnesses & WITNESS_GEOMETRY))
        lines_ = makePtr<PairLines>(*positions_, views_, params);
    if (params.witnesses & WITNESS_OVERLAP)
        witnesses_.push_back(overlap_);
    if (lines_ || (params.witnesses & WITNESS_PLACE))
    {
        place_ = Ptr<Witness>(new Place(*positions_, views_, lines_.get(), params));
        witnesses_.push_back(place_);
    }
    if (positions_->hasFrames() && (params.witnesses & WITNESS_FRAME))
        witnesses_.push_back(makePtr<Frame>(*positions_));
}

/** Sum of the witnesses from one on, within the limits. Against a pair only the first witness is
limited: a descriptor may change from view to view, but a point far from its predicted place is
another point, however similar it is. Where the geometry of pairs of views is estimated, all are
limited: a geometry that is wrong must not exclude pairs that everything else supports. */
float EvidenceStep::sumOfWitnesses(const CandidatePair& pair, size_t first) const
{
    const float limit = problem_.params.maxLogOdds;
    float sum = 0;
    for (size_t w = first; w < witnesses_.size(); ++w)
    {
        const float ratio = std::min(limit, witnesses_[w]->logRatio(pair));
        sum += w == 0 || lines_ ? std::max(-limit, ratio) : ratio;
    }
    return std::max(-limit, std::min(limit, sum));
}

float EvidenceStep::logOdds(const CandidatePair& pair) const
{
    // Log-odds of a pair that was not matched contain no prior.
    const bool hasPrior = !given_ || pair.value > 0;
    return sumOfWitnesses(pair, 0) + (hasPrior ? memberCost_ : 0.f);
}

//! The first candidates by descriptors, and what these tell before there is anything to rely on.
void EvidenceStep::start()
{
    const CsrMatrix& distances = problem_.graph->distances;
    appearance_->learn(appearance_->clearPairs(), pairsOnTracks(distances, labels_));
    candidates_->beginWithin(distances);
}

void EvidenceStep::learn()
{
    const CsrMatrix& pairs = candidates_->pairs();
    if (given_)
        given_->count(labels_, overlap_->count(labels_, *table_));
    else if (round_ > 0)
    {
        overlap_->count(labels_, *table_);
        appearance_->learn(pairsOnTracks(pairs, labels_), std::vector<DistancePair>());
    }
    // The start comes from descriptors alone: it is too early to judge places by it.
    if (!maps_ || (appearance_ && round_ == 0))
        return;
    maps_->fit(labels_, table_, pairs, problem_.reuse, control_);
    learnFromPairs();
}

//! Lets the witnesses learn from a sample of the candidate pairs.
void EvidenceStep::learnFromPairs()
{
    const CsrMatrix& pairs = candidates_->pairs();
    std::vector<LabeledPair> sample;
    const size_t step = 1 + pairs.nonZeros() / LEARN_SAMPLE;
    size_t e = 0;
    for (int p = 0; p < pairs.rows; ++p)
        for (; e < pairs.offsets[p + 1]; e += step)
        {
            LabeledPair labeled = LabeledPair();
            labeled.pair.p = p;
            labeled.pair.q = pairs.columns[e];
            labeled.pair.value = pairs.values[e];
            labeled.same = sameTrack(labels_, p, pairs.columns[e]);
            sample.push_back(labeled);
        }
    parallel_for_(Range(0, static_cast<int>(sample.size())), [&](const Range& range) {
        for (int n = range.start; n < range.end; ++n)
        {
            CandidatePair& pair = sample[n].pair;
            pair.there = maps_->predict(pair.p, views_.of(pair.q));
            pair.back = maps_->predict(pair.q, views_.of(pair.p));
        }
    });
    for (size_t w = 0; w < witnesses_.size(); ++w)
        witnesses_[w]->learn(sample);
    learnMemberCost(sample);
}

/** The log-odds of every pair contain the prior, so a member of a long track pays it many times.
Where the first witness is weak and the others say nothing, the sum over a right track is then
negative. Therefore the member cost is added to the log-odds of every pair and subtracted once per
member. It is the smaller, the more the other witnesses say for pairs on one track: the weak
evidence of look-alikes would add up too. */
void EvidenceStep::learnMemberCost(const std::vector<LabeledPair>& sample)
{
    std::vector<float> sums(sample.size(), 0.f);
    parallel_for_(Range(0, static_cast<int>(sample.size())), [&](const Range& range) {
        for (int n = range.start; n < range.end; ++n)
            if (sample[n].same)
                sums[n] = sumOfWitnesses(sample[n].pair, 1);
    });
    double sum = 0, count = 0;
    for (size_t n = 0; n < sample.size(); ++n)
    {
        sum += static_cast<double>(sums[n]);
        count += sample[n].same;
    }
    const float mean = static_cast<float>(sum / std::max(1., count));
    memberCost_ = std::max(0.f, problem_.params.trackCost - std::max(0.f, mean));
}

/** The geometry of each pair of views from the points that the present tracks have in both, less
those that the tracks around contradict: a geometry that was wrong once would otherwise find itself
confirmed by the pairs that it has brought in. */
void EvidenceStep::estimateLines()
{
    const Mat& pairs = problem_.input.pairs;
    const TrackTable& tracks = *table_;
    std::vector<std::vector<std::pair<int, int>>> points(static_cast<size_t>(pairs.rows));
    geometries_.assign(points.size(), PairGeometry());
    for (int n = 0; n < pairs.rows; ++n) // also of pairs that are not reached when cancelled
    {
        geometries_[n].first = pairs.at<int>(n, 0);
        geometries_[n].second = pairs.at<int>(n, 1);
    }
    const bool calibrated = problem_.geometry->model == MODEL_ESSENTIAL;
    const auto camera = [&](int v) { return calibrated ? problem_.cameras[v] : Mat(); };
    control_.forSlices(
        pairs.rows, PAIRS_IN_SLICE,
        [&](const Range& range) {
            for (int n = range.start; n < range.end; ++n)
            {
                const int v = pairs.at<int>(n, 0), w = pairs.at<int>(n, 1);
                std::vector<Point2f> x, y;
                for (int p = views_.first(v); p < views_.end(v); ++p)
                {
                    const int label = labels_[p];
                    const int q =
                        label < 0 ? -1 : tracks.pointIn(label, views_.first(w), views_.end(w));
                    if (q < 0 || !maps_->consistent(p, q))
                        continue;
                    x.push_back(positions_->point(p));
                    y.push_back(positions_->point(q));
                    points[n].push_back(std::make_pair(p, q));
                }
                PairGeometry& geometry = geometries_[n];
                geometry = geometryOf(x, y, *problem_.geometry, camera(v), camera(w));
                geometry.first = v;
                geometry.second = w;
            }
        },
        false);
    lines_->set(geometries_, points, problem_.geometry->maxError);
}

//! Candidates and their log-odds, given what the witnesses have learned.
void EvidenceStep::findCandidates()
{
    const Evaluation evaluation(*this);
    // Pairs at the lower limit count as much as those that are not stored.
    const float least = !given_ && round_ > 0 ? memberCost_ - problem_.params.maxLogOdds
                                              : -std::numeric_limits<float>::infinity();
    candidates_->evaluate(evaluation);
    if (lines_ && geometryInUse_ && appearance_)
        candidates_->addAlong(geometries_, problem_.input.points, problem_.lineCandidates,
                              problem_.geometry->maxError, evaluation);
    if (maps_ && appearance_ && round_ > 1) // the first maps are too wide to search around
        candidates_->addNearby(labels_, *maps_, *positions_, evaluation);
    candidates_->commit(least);
    candidates_->addClosure(labels_, *table_, evaluation);
    candidates_->commit(least);
}

double EvidenceStep::evaluate(const std::vector<int>& labels)
{
    labels_ = labels;
    table_ = makePtr<TrackTable>(labels);
    if (round_ == 0)
        start_ = table_;
    if (given_)
        candidates_->begin(*problem_.given); // without what other tracks added
    else if (round_ == 0)
        start();
    learn();
    if (lines_ && geometryInUse_)
        estimateLines();
    findCandidates();
    ++round_;
    tracks_ = makePtr<LogOddsTracks>(tracks());
    return tracks_->objective();
}

std::vector<int> EvidenceStep::project()
{
    if (round_ > 1) // the first sweep starts from the proposed tracks, and knows no places
    {
        tracks_->propose(*start_, control_);
        tracks_->split(control_);
    }
    tracks_->join(control_);
    tracks_->sweep(control_);
    return tracks_->labels();
}

std::vector<float> EvidenceStep::placeOfMembers(const std::vector<int>& labels) const
{
    std::vector<float> result(labels.size(), std::numeric_limits<float>::quiet_NaN());
    const CsrMatrix& pairs = candidates_->pairs();
    parallel_for_(Range(0, pairs.rows), [&](const Range& range) {
        std::vector<float> ratios;
        for (int p = range.start; p < range.end; ++p)
        {
            ratios.clear();
            for (size_t e = pairs.offsets[p]; e < pairs.offsets[p + 1]; ++e)
            {
                const int q = pairs.columns[e];
                if (!sameTrack(labels, p, q))
                    continue;
                const CandidatePair pair = {p, q, pairs.values[e], maps_->predict(p, views_.of(q)),
                                            maps_->predict(q, views_.of(p))};
                if (pair.there.valid() && pair.back.valid())
                    ratios.push_back(place_->logRatio(pair));
            }
            if (!ratios.empty())
                result[p] = medianOf(ratios);
        }
    });
    return result;
}

/** The log-odds of a pair are limited, so a long track hides that one member lies beside the place
where the others predict it. Such members become less probable: the difference between the log-ratio
of their place and that of the median member, times EvidenceParams::placeWeight, lowers their
log-odds. GuidedHiPPI removes such members by the geometry of pairs of views instead. */
void EvidenceStep::weighByPlace(const std::vector<int>& labels,
                                std::vector<float>& confidence) const
{
    const float weight = problem_.params.placeWeight;
    if (!place_ || lines_ || !(weight > 0))
        return;
    const std::vector<float> ratio = placeOfMembers(labels);
    std::vector<float> known;
    for (size_t p = 0; p < ratio.size(); ++p)
        if (!std::isnan(ratio[p]))
            known.push_back(ratio[p]);
    if (known.empty())
        return;
    const float usual = medianOf(known);
    for (size_t p = 0; p < ratio.size(); ++p)
        if (ratio[p] < usual)
        {
            // odds c / (1 - c) times exp(-weight * (usual - ratio))
            const float c = std::min(confidence[p], MOST_CERTAIN);
            confidence[p] = c / (c + (1 - c) * std::exp(weight * (usual - ratio[p])));
        }
}

std::vector<float> EvidenceStep::confidence(std::vector<int>& labels, bool extended)
{
    if (labels != labels_)
        evaluate(labels);
    LogOddsTracks last = tracks();
    if (extended)
        last.extend(problem_.params.trackCost, control_);
    last.separate();
    labels = last.labels();
    std::vector<float> result =
        last.confidence(*overlap_, positions_.get(), problem_.params.maxLogOdds, control_);
    weighByPlace(labels, result);
    return result;
}

}} // namespace cv::multimatch
