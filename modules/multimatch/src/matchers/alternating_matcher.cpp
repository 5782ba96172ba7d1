// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "graphs.hpp"

namespace cv { namespace multimatch {

namespace {

/** The views that share one universe, the points of the reference view. Points of other views are
assigned to it, all of them. */
class SharedUniverse
{
public:
    SharedUniverse(const ViewGraphs& graphs, const GraphMatchingParams& params,
                   const MatchTable& matches)
        : graphs_(graphs), affinity_(graphs, params), reference_(mostConsistent(matches))
    {
        std::vector<double> consistency;
        for (int v = 0; v < graphs.viewCount(); ++v)
        {
            assignments_.push_back(matches.at(v, reference_));
            consistency.push_back(pairConsistency(matches, v));
            if (v != reference_)
                order_.push_back(v);
        }
        std::stable_sort(order_.begin(), order_.end(),
                         [&](int a, int b) { return consistency[a] > consistency[b]; });
    }

    //! Matches every view anew. False when no view improves.
    bool sweep(RunControl& control)
    {
        bool improved = false;
        for (size_t n = 0; n < order_.size() && control.proceed(double(n) / order_.size()); ++n)
            improved = improve(order_[n]) || improved;
        return improved;
    }

    //! Sum of the affinities of all pairs of views.
    double affinity() const
    {
        double sum = 0;
        for (int i = 0; i < graphs_.viewCount(); ++i)
        {
            const Matching points = inverse(i);
            for (int j = 0; j < i; ++j)
            {
                Matching matching = assignments_[j];
                for (int& p : matching)
                    p = points[p];
                sum += affinity_.ofMatching(j, i, matching);
            }
        }
        return sum;
    }

    std::vector<int> labels() const
    {
        std::vector<int> all;
        for (const Matching& assignment : assignments_)
            all.insert(all.end(), assignment.begin(), assignment.end());
        return all;
    }

private:
    //! The view of most points whose compositions agree best with the matches of the others.
    static int mostConsistent(const MatchTable& matches)
    {
        const int k = matches.viewCount();
        int largest = 0, best = -1;
        for (int v = 0; v < k; ++v)
            largest = std::max(largest, matches.size(v));
        double highest = -1;
        for (int v = 0; v < k; ++v)
        {
            if (matches.size(v) < largest)
                continue;
            double sum = 0;
            for (int i = 0; i < k; ++i)
                for (int j = 0; j < i; ++j)
                    sum += matches.agreement(i, j, matches.at(i, j), matches.composed(i, v, j));
            if (sum > highest)
            {
                highest = sum;
                best = v;
            }
        }
        return best;
    }

    double pairConsistency(const MatchTable& matches, int view) const
    {
        double sum = 0;
        for (int v = 0; v < matches.viewCount(); ++v)
            sum += matches.agreement(view, reference_, matches.at(view, reference_),
                                     matches.composed(view, v, reference_));
        return sum;
    }

    //! Per universe point the point of the view.
    Matching inverse(int view) const
    {
        Matching points(static_cast<size_t>(graphs_.viewSizes[reference_]), -1);
        for (size_t p = 0; p < assignments_[view].size(); ++p)
            points[assignments_[view][p]] = static_cast<int>(p);
        return points;
    }

    bool improve(int view)
    {
        std::vector<UniverseView> others;
        for (int v = 0; v < graphs_.viewCount(); ++v)
            if (v != view)
                others.push_back(UniverseView(v, inverse(v)));
        const int d = graphs_.viewSizes[reference_];
        const Eigen::MatrixXf K = affinity_.ofAssignments(view, others);
        const Matching found = reweightedRandomWalks(K, graphs_.viewSizes[view], d);
        const double now = assignmentScore(K, d, assignments_[view]);
        if (assignmentScore(K, d, found) <= now * (1 + 1e-6))
            return false;
        assignments_[view] = found;
        return true;
    }

    const ViewGraphs& graphs_;
    const LawlerAffinity affinity_;
    const int reference_;
    std::vector<int> order_;
    std::vector<Matching> assignments_;
};

} // namespace

class AlternatingMatchingImpl CV_FINAL
    : public GraphMatcherBase<AlternatingMatching, GraphMatchingParams>
{
public:
    explicit AlternatingMatchingImpl(const GraphMatchingParams& params) { setParams(params); }

    String getDefaultName() const CV_OVERRIDE { return "multimatch.AlternatingMatching"; }

protected:
    void checkSizes(const std::vector<int>& viewSizes) const CV_OVERRIDE
    {
        checkGraphSizes("AlternatingMatching", viewSizes);
    }

    Tracks matchGraphs(const Input& input, const ViewGraphs& graphs,
                       RunControl& control) const CV_OVERRIDE
    {
        const MatchTable matches =
            matchedPairs(graphs, params_, allPairs(input.viewCount()), control);
        MatchReport report;
        if (control.cancelled())
            return finishedTracks(input, std::vector<int>(size_t(input.pointCount()), -1), report,
                                  control);
        control.begin("iterations");
        SharedUniverse universe(graphs, params_, matches);
        report.universeSize = *std::max_element(input.viewSizes.begin(), input.viewSizes.end());
        report.objective.push_back(universe.affinity());
        while (!report.converged && report.iterations < params_.maxIterations &&
               !control.cancelled())
        {
            report.converged = !universe.sweep(control) && !control.cancelled();
            report.objective.push_back(universe.affinity());
            ++report.iterations;
        }
        return finishedTracks(input, universe.labels(), report, control);
    }
};

Ptr<AlternatingMatching> AlternatingMatching::create(const GraphMatchingParams& params)
{
    return makePtr<AlternatingMatchingImpl>(params);
}

}} // namespace cv::multimatch
