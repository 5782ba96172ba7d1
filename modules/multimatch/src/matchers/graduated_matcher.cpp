// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "graphs.hpp"

#include "../starts/labels.hpp"

#include <set>

namespace cv { namespace multimatch {

namespace {

//! Matches of all pairs of views that are replaced by compositions.
class Composition
{
public:
    Composition(const ViewGraphs& graphs, const GraphMatchingParams& params,
                const MatchTable& matches, const Mat& pairs)
        : affinity_(graphs, params), matches_(matches), pairs_(pairs), largestAffinity_(0)
    {
        for (int r = 0; r < pairs.rows; ++r)
        {
            const int i = pairs.at<int>(r, 0), j = pairs.at<int>(r, 1);
            largestAffinity_ =
                std::max(largestAffinity_, affinity_.ofMatching(i, j, matches.at(i, j)));
        }
    }

    //! Replaces all matches at once. False when none changes.
    bool step(double consistency, RunControl& control)
    {
        std::vector<Matching> best(static_cast<size_t>(pairs_.rows));
        control.forSlices(pairs_.rows, pairsInSlice(), [&](const Range& range) {
            for (int r = range.start; r < range.end; ++r)
                best[r] = bestComposition(pairs_.at<int>(r, 0), pairs_.at<int>(r, 1), consistency);
        });
        if (control.cancelled())
            return false;
        bool changed = false;
        for (int r = 0; r < pairs_.rows; ++r)
        {
            const int i = pairs_.at<int>(r, 0), j = pairs_.at<int>(r, 1);
            changed = changed || matches_.at(i, j) != best[r];
            matches_.set(i, j, best[r]);
        }
        return changed;
    }

    const MatchTable& matches() const { return matches_; }

private:
    Matching bestComposition(int i, int j, double consistency) const
    {
        const int k = matches_.viewCount(), columns = matches_.size(j);
        // How many compositions assign p to q.
        std::vector<int> votes(static_cast<size_t>(matches_.size(i)) * columns, 0);
        std::set<Matching> compositions;
        for (int v = 0; v < k; ++v)
        {
            const Matching matching = matches_.composed(i, v, j);
            for (size_t p = 0; p < matching.size(); ++p)
                if (matching[p] >= 0)
                    ++votes[p * columns + matching[p]];
            compositions.insert(matching);
        }
        const double full =
            static_cast<double>(k) * std::max(1, std::min(matches_.size(i), columns));
        Matching best = matches_.at(i, j);
        double highest = -1;
        for (const Matching& matching : compositions)
        {
            double confirmed = 0;
            for (size_t p = 0; p < matching.size(); ++p)
                confirmed += matching[p] >= 0 ? votes[p * columns + matching[p]] : 0;
            double value = consistency * confirmed / full;
            if (largestAffinity_ > 0 && consistency < 1)
                value +=
                    (1 - consistency) * affinity_.ofMatching(i, j, matching) / largestAffinity_;
            // A match changes only for a better one.
            const bool present = matching == matches_.at(i, j);
            if (value > highest + 1e-9 || (present && value >= highest - 1e-9))
            {
                highest = value;
                best = matching;
            }
        }
        return best;
    }

    const LawlerAffinity affinity_;
    MatchTable matches_;
    const Mat pairs_;
    double largestAffinity_;
};

//! All matches with weight 1.
CsrMatrix similarityOf(const MatchTable& matches, const std::vector<int>& offsets)
{
    const int m = offsets.back();
    CsrMatrix similarity(m, m);
    for (int i = 0; i < matches.viewCount(); ++i)
        for (int p = 0; p < matches.size(i); ++p)
        {
            for (int j = 0; j < matches.viewCount(); ++j)
                if (i != j && matches.at(i, j)[p] >= 0)
                {
                    similarity.columns.push_back(offsets[j] + matches.at(i, j)[p]);
                    similarity.values.push_back(1.f);
                }
            similarity.offsets[offsets[i] + p + 1] = similarity.columns.size();
        }
    return similarity;
}

} // namespace

class GraduatedConsistencyImpl CV_FINAL
    : public GraphMatcherBase<GraduatedConsistency, GraphMatchingParams>
{
public:
    explicit GraduatedConsistencyImpl(const GraphMatchingParams& params) { setParams(params); }

    String getDefaultName() const CV_OVERRIDE { return "multimatch.GraduatedConsistency"; }

protected:
    void checkSizes(const std::vector<int>& viewSizes) const CV_OVERRIDE
    {
        checkGraphSizes("GraduatedConsistency", viewSizes);
    }

    Tracks matchGraphs(const Input& input, const ViewGraphs& graphs,
                       RunControl& control) const CV_OVERRIDE
    {
        MatchReport report;
        const Mat pairs = allPairs(input.viewCount());
        Composition composition(graphs, params_, matchedPairs(graphs, params_, pairs, control),
                                pairs);
        control.begin("compositions");
        double consistency = params_.consistency;
        while (!report.converged && report.iterations < params_.maxIterations &&
               !control.cancelled())
        {
            const bool affinityOnly = report.iterations < params_.affinityIterations;
            const bool changed = composition.step(affinityOnly ? 0 : consistency, control);
            ++report.iterations;
            if (affinityOnly)
                continue;
            report.converged = !changed && !control.cancelled();
            consistency = std::min(1., consistency * params_.consistencyStep);
        }
        control.begin("synchronization");
        const std::vector<int> labels = control.cancelled()
                                            ? std::vector<int>(size_t(input.pointCount()), -1)
                                            : synchronized(input, composition.matches(), report);
        return finishedTracks(input, labels, report, control);
    }

private:
    //! Labels of the tracks that Spectral makes of the matches.
    std::vector<int> synchronized(const Input& input, const MatchTable& matches,
                                  MatchReport& report) const
    {
        SpectralParams params;
        params.universeSize = params_.universeSize;
        if (params.universeSize == 0 && isComplete(input.viewSizes, input.viewSizes[0]))
            params.universeSize = input.viewSizes[0];
        const Tracks tracks =
            Spectral::create(params)->solve(input.viewSizes, similarityOf(matches, input.offsets));
        report.universeSize = tracks.report().universeSize;
        std::vector<int> labels;
        for (int v = 0; v < tracks.viewCount(); ++v)
        {
            const std::vector<int> ids = tracks.trackIds(v);
            labels.insert(labels.end(), ids.begin(), ids.end());
        }
        return labels;
    }
};

Ptr<GraduatedConsistency> GraduatedConsistency::create(const GraphMatchingParams& params)
{
    return makePtr<GraduatedConsistencyImpl>(params);
}

}} // namespace cv::multimatch
