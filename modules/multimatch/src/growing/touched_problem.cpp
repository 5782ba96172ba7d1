// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "touched_problem.hpp"

#include "../power/evidence_step.hpp"
#include "../search/neighbors.hpp"
#include "../similarity/similarity.hpp"
#include "../starts/labels.hpp"
#include "../starts/starts.hpp"

namespace cv { namespace multimatch {

namespace {

//! Log-odds that hold two members of a present track together: more than all others of a point can
//! add up to.
const float BOND = 1e4f;

//! By descriptors alone, and then by all witnesses.
const int ROUNDS = 3;

//! The candidates with their log-odds, and a bond between each two consecutive members of a present
//! track.
CsrMatrix withBonds(const CsrMatrix& pairs, const std::vector<float>& logOdds,
                    const std::vector<int>& present)
{
    std::vector<int> before(present.size(), -1), after(present.size(), -1);
    std::vector<int> last;
    for (size_t p = 0; p < present.size(); ++p)
    {
        if (present[p] < 0)
            continue;
        last.resize(std::max(last.size(), static_cast<size_t>(present[p]) + 1), -1);
        int& previous = last[present[p]];
        if (previous >= 0)
        {
            before[p] = previous;
            after[previous] = static_cast<int>(p);
        }
        previous = static_cast<int>(p);
    }
    CsrMatrix result(pairs.rows, pairs.cols);
    result.columns.reserve(pairs.nonZeros() + 2 * present.size());
    result.values.reserve(pairs.nonZeros() + 2 * present.size());
    const auto add = [&](int column, float value) {
        result.columns.push_back(column);
        result.values.push_back(value);
    };
    for (size_t p = 0; p < present.size(); ++p)
    {
        const int bonds[2] = {before[p], after[p]}; // ascending
        int next = bonds[0] >= 0 ? 0 : 1;
        for (size_t e = pairs.offsets[p]; e < pairs.offsets[p + 1]; ++e)
        {
            bool bonded = false;
            for (; next < 2 && bonds[next] >= 0 && bonds[next] <= pairs.columns[e]; ++next)
            {
                add(bonds[next], BOND);
                bonded = bonded || bonds[next] == pairs.columns[e];
            }
            if (!bonded)
                add(pairs.columns[e], logOdds[e]);
        }
        for (; next < 2 && bonds[next] >= 0; ++next)
            add(bonds[next], BOND);
        result.offsets[p + 1] = result.columns.size();
    }
    return result;
}

//! Per point the sum of its log-odds with the other members of its track in compared views.
std::vector<float> supportOf(const EvidenceStep& step, const evidence::Views& views,
                             const std::vector<int>& labels)
{
    const CsrMatrix& pairs = step.candidates().pairs();
    const std::vector<float>& L = step.candidates().logOdds();
    const TrackTable table(labels);
    std::vector<float> result(labels.size(), 0.f);
    for (size_t p = 0; p < labels.size(); ++p)
    {
        if (labels[p] < 0)
            continue;
        const int view = views.of(static_cast<int>(p));
        int others = 0;
        for (const int* q = table.begin(labels[p]); q != table.end(labels[p]); ++q)
            others += views.compared(view, views.of(*q));
        for (size_t e = pairs.offsets[p]; e < pairs.offsets[p + 1]; ++e)
            if (labels[pairs.columns[e]] == labels[p])
            {
                result[p] += L[e];
                --others;
            }
        result[p] += step.missing() * static_cast<float>(others);
    }
    return result;
}

} // namespace

TouchedResult solveTouched(const TouchedProblem& touched, const HiPPIParams& params,
                           RunControl& control)
{
    const Ptr<HiPPI> options = HiPPI::create(params);
    options->setPairs(touched.pairs);
    options->setNormType(touched.normType);
    const MultiMatcher::Input input =
        MultiMatcher::Input::fromKeyPoints(touched.keypoints, touched.descriptors, *options);
    control.begin("neighbors");
    const NeighborGraph graph = neighborGraph(input, params.neighbors, control);
    control.begin("start");
    const CsrMatrix S = kernelSimilarity(graph.distances, kernelBandwidths(graph, params.rhoDen),
                                         SimilarityParams(), control);
    std::vector<int> start = greedyLabels(S, input.viewSizes, params.evidence.startSimilarity);
    compactLabels(start, 0);
    const TrackTable proposed(start);
    control.begin("evidence");
    EvidenceProblem problem(input);
    problem.params = params.evidence;
    problem.graph = &graph;
    problem.neighbors = params.neighbors;
    problem.mu = params.mu;
    const std::vector<int> present = input.canonicalLabels(touched.tracks);
    EvidenceStep step(problem, control);
    const evidence::Views views(input.viewSizes, input.pairs);
    control.begin("iterations");
    std::vector<int> labels = present;
    for (int round = 0; round < ROUNDS && control.proceed(static_cast<double>(round) / ROUNDS);
         ++round)
    {
        step.evaluate(labels);
        const CsrMatrix L =
            withBonds(step.candidates().pairs(), step.candidates().logOdds(), present);
        LogOddsTracks tracks(views, L, L.values, step.missing(), params.evidence.trackCost,
                             step.memberCost(), labels);
        if (round > 0)
            tracks.propose(proposed, control);
        tracks.join(control);
        tracks.sweep(control);
        labels = tracks.labels();
    }
    control.begin("confidence");
    TouchedResult result;
    if (control.cancelled())
        return result;
    std::vector<int> separate = labels;
    const std::vector<float> confidence = step.confidence(separate, false);
    if (control.cancelled())
        return result;
    for (size_t p = 0; p < labels.size(); ++p)
        if (present[p] < 0 && confidence[p] < params.minConfidence)
            labels[p] = -1;
    const Tracks tracks = input.restore(labels, confidence, 2);
    for (int v = 0; v < tracks.viewCount(); ++v)
    {
        result.labels.push_back(tracks.ids(v));
        result.confidence.push_back(tracks.confidences(v));
        result.support.push_back(std::vector<float>(tracks.ids(v).size()));
    }
    const std::vector<float> support = supportOf(step, views, labels);
    const std::vector<int> first = viewOffsets(input.originalSizes),
                           view = viewOfPoints(input.originalSizes);
    for (size_t p = 0; p < support.size(); ++p)
    {
        const int original = input.originalIndex[p], v = view[original];
        result.support[v][original - first[v]] = support[p];
    }
    return result;
}

}} // namespace cv::multimatch
