// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "confidence.hpp"

#include "input.hpp"

#include "opencv2/multimatch/detail/assignment.hpp"

namespace cv { namespace multimatch {

namespace {

const size_t MAX_CANDIDATES = 4; //!< tracks weighed per point
const int MAX_JUDGED = 6;        //!< members whose place is checked per track
const size_t AGREEMENT_SAMPLES = 2000;
const float MIN_AGREEMENT = 1.f; //!< median log-likelihood ratio of believed memberships

} // namespace

Confidence::Confidence(const CsrMatrix& similarity, const std::vector<int>& viewSizes,
                       const LocalGeometry* geometry)
    : similarity_(similarity), geometry_(geometry), offsets_(viewOffsets(viewSizes)),
      view_(viewOfPoints(viewSizes)), comparedViews_(viewSizes.size())
{
    // Views are taken as compared if anything between them was found similar.
    std::vector<int> last(viewSizes.size(), -1);
    for (size_t v = 0; v < viewSizes.size(); ++v)
    {
        for (size_t e = similarity.offsets[offsets_[v]]; e < similarity.offsets[offsets_[v + 1]];
             ++e)
        {
            const int other = view_[similarity.columns[e]];
            if (last[static_cast<size_t>(other)] != static_cast<int>(v))
            {
                last[static_cast<size_t>(other)] = static_cast<int>(v);
                comparedViews_[v].push_back(other);
            }
        }
        std::sort(comparedViews_[v].begin(), comparedViews_[v].end());
    }
}

bool Confidence::compared(int viewA, int viewB) const
{
    const std::vector<int>& views = comparedViews_[static_cast<size_t>(viewA)];
    return std::binary_search(views.begin(), views.end(), viewB);
}

void Confidence::collect(int p, const std::vector<int>& labels, const TrackTable& tracks,
                         LocalGeometry::Judge* judge, std::vector<Evidence>& evidence) const
{
    evidence.clear();
    for (size_t e = similarity_.offsets[p]; e < similarity_.offsets[p + 1]; ++e)
    {
        const int label = labels[similarity_.columns[e]];
        if (label < 0)
            continue;
        size_t at = 0;
        while (at < evidence.size() && evidence[at].track != label)
            ++at;
        if (at == evidence.size())
        {
            const Evidence fresh = {label, 0.f, 0.f, 0.f, 0};
            evidence.push_back(fresh);
        }
        evidence[at].support += similarity_.values[e];
        evidence[at].best = std::max(evidence[at].best, similarity_.values[e]);
    }
    if (evidence.size() > MAX_CANDIDATES)
    {
        std::sort(evidence.begin(), evidence.end(), [&](const Evidence& a, const Evidence& b) {
            const bool ownA = a.track == labels[p], ownB = b.track == labels[p];
            return ownA != ownB             ? ownA
                   : a.support != b.support ? a.support > b.support
                                            : a.track < b.track;
        });
        evidence.resize(MAX_CANDIDATES);
    }
    for (size_t t = 0; t < evidence.size(); ++t)
    {
        int comparable = 0;
        const int *first = tracks.begin(evidence[t].track), *last = tracks.end(evidence[t].track);
        for (const int* q = first; q != last; ++q)
            comparable += view_[*q] != view_[p] && compared(view_[p], view_[*q]);
        evidence[t].members = comparable;
        evidence[t].support /= static_cast<float>(std::max(1, comparable));
        if (!judge || comparable == 0)
            continue;
        // Members spread evenly through the track.
        const int step = (comparable + MAX_JUDGED - 1) / MAX_JUDGED;
        int seen = 0, judged = 0;
        double sum = 0;
        for (const int* q = first; q != last; ++q)
        {
            if (view_[*q] == view_[p] || !compared(view_[p], view_[*q]))
                continue;
            if (seen++ % step != 0)
                continue;
            sum += std::max(-6.0, std::min(6.0, judge->logRatio(p, view_[*q], *q)));
            ++judged;
        }
        evidence[t].geometry = judged ? static_cast<float>(sum / judged) : 0.f;
    }
}

float Confidence::probability(const Evidence& e, bool judged) const
{
    // Logistic regression on memberships of known truth: warped photographs with half of the points outliers, planes
    // and buildings judged by homographies and cameras, synthetic descriptors where there is no geometry; every kind of data with the
    // same weight.
    const double support = std::log(0.01 + e.support), best = std::log(0.01 + e.best);
    const double members = std::log(static_cast<double>(std::max(1, e.members)));
    const double logit =
        judged ? -1.2 + 1.4 * support - 0.45 * best + 1.3 * members + 0.62 * e.geometry
               : 14.0 + 15.0 * support + 0.3 * members;
    return static_cast<float>(1 / (1 + std::exp(-logit)));
}

std::vector<float> Confidence::byAppearance(const std::vector<int>& labels) const
{
    const TrackTable tracks(labels);
    std::vector<float> belief(labels.size(), 0.f);
    parallel_for_(Range(0, static_cast<int>(labels.size())), [&](const Range& range) {
        std::vector<Evidence> evidence;
        for (int p = range.start; p < range.end; ++p)
        {
            if (labels[p] < 0)
                continue;
            collect(p, labels, tracks, NULL, evidence);
            for (size_t t = 0; t < evidence.size(); ++t)
                if (evidence[t].track == labels[p])
                {
                    const float sure = probability(evidence[t], false);
                    belief[p] = sure >= 0.5f ? sure : 0.f;
                }
        }
    });
    return belief;
}

void Confidence::dropGeometryUnlessItAgrees(const std::vector<int>& labels,
                                            const std::vector<float>& belief)
{
    const TrackTable tracks(labels);
    LocalGeometry::Judge judge(*geometry_, labels, tracks, belief);
    std::vector<int> believed;
    for (size_t p = 0; p < labels.size(); ++p)
        if (labels[p] >= 0 && belief[p] > 0)
            believed.push_back(static_cast<int>(p));
    std::vector<float> ratios;
    std::vector<Evidence> evidence;
    const size_t step = believed.size() / AGREEMENT_SAMPLES + 1;
    for (size_t b = 0; b < believed.size(); b += step)
    {
        collect(believed[b], labels, tracks, &judge, evidence);
        for (size_t t = 0; t < evidence.size(); ++t)
            if (evidence[t].track == labels[believed[b]] && evidence[t].members > 0)
                ratios.push_back(evidence[t].geometry);
    }
    if (!ratios.empty())
        std::nth_element(ratios.begin(), ratios.begin() + static_cast<ptrdiff_t>(ratios.size() / 2),
                         ratios.end());
    if (ratios.empty() || ratios[ratios.size() / 2] < MIN_AGREEMENT)
        geometry_ = NULL;
}

std::vector<float> Confidence::ofMembers(const std::vector<int>& labels,
                                         const std::vector<float>& belief) const
{
    const TrackTable tracks(labels);
    std::vector<float> confidence(labels.size(), 0.f);
    parallel_for_(Range(0, static_cast<int>(labels.size())), [&](const Range& range) {
        Ptr<LocalGeometry::Judge> judge;
        if (geometry_)
            judge = makePtr<LocalGeometry::Judge>(*geometry_, labels, tracks, belief);
        std::vector<Evidence> evidence;
        for (int p = range.start; p < range.end; ++p)
        {
            if (labels[p] < 0)
                continue;
            collect(p, labels, tracks, judge.get(), evidence);
            for (size_t t = 0; t < evidence.size(); ++t)
                if (evidence[t].track == labels[p])
                    confidence[p] = probability(evidence[t], geometry_ != NULL);
        }
    });
    return confidence;
}

void Confidence::reassign(std::vector<int>& labels, std::vector<float>& confidence,
                          float minimum) const
{
    const TrackTable tracks(labels);
    std::vector<int> newLabels(labels.size(), -1);
    std::vector<float> newConfidence(labels.size(), 0.f);
    parallel_for_(Range(0, static_cast<int>(offsets_.size()) - 1), [&](const Range& range) {
        Ptr<LocalGeometry::Judge> judge;
        if (geometry_)
            judge = makePtr<LocalGeometry::Judge>(*geometry_, labels, tracks, confidence);
        std::vector<Evidence> evidence;
        std::vector<int> column(static_cast<size_t>(tracks.trackCount()), -1), trackOfColumn;
        for (int v = range.start; v < range.end; ++v)
        {
            detail::AssignmentCandidates candidates;
            candidates.offsets.push_back(0);
            std::vector<float> probabilities;
            trackOfColumn.clear();
            for (int p = offsets_[v]; p < offsets_[v + 1]; ++p)
            {
                collect(p, labels, tracks, judge.get(), evidence);
                for (size_t t = 0; t < evidence.size(); ++t)
                {
                    if (evidence[t].members == 0)
                        continue;
                    const float sure = probability(evidence[t], geometry_ != NULL);
                    int& c = column[static_cast<size_t>(evidence[t].track)];
                    if (c < 0)
                    {
                        c = static_cast<int>(trackOfColumn.size());
                        trackOfColumn.push_back(evidence[t].track);
                    }
                    candidates.columns.push_back(c);
                    candidates.values.push_back(sure - minimum);
                    probabilities.push_back(sure);
                }
                candidates.offsets.push_back(static_cast<int>(candidates.columns.size()));
            }
            candidates.cols = static_cast<int>(trackOfColumn.size());
            const std::vector<int> chosen = detail::assignSparse(candidates, true);
            for (size_t r = 0; r < chosen.size(); ++r)
                if (chosen[r] >= 0)
                {
                    const size_t p = static_cast<size_t>(offsets_[v]) + r;
                    newLabels[p] = trackOfColumn[static_cast<size_t>(
                        candidates.columns[static_cast<size_t>(chosen[r])])];
                    newConfidence[p] = probabilities[static_cast<size_t>(chosen[r])];
                }
            for (size_t c = 0; c < trackOfColumn.size(); ++c)
                column[static_cast<size_t>(trackOfColumn[c])] = -1;
        }
    });
    labels.swap(newLabels);
    confidence.swap(newConfidence);
}

}} // namespace cv::multimatch
