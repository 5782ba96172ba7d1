// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "peer_base.hpp"

#include "../search/mutual_nearest.hpp"
#include "../search/neighbors.hpp"
#include "../starts/starts.hpp"

namespace cv { namespace multimatch {

class KruskalImpl CV_FINAL : public MatcherBase<Kruskal>
{
public:
    explicit KruskalImpl(float ratio) { setRatio(ratio); }

    void setRatio(float ratio) CV_OVERRIDE
    {
        checkRatio("ratio", ratio);
        ratio_ = ratio;
    }
    float getRatio() const CV_OVERRIDE { return ratio_; }

    String getDefaultName() const CV_OVERRIDE { return "multimatch.Kruskal"; }
    void write(FileStorage& fs) const CV_OVERRIDE { fs << "ratio" << ratio_; }
    void read(const FileNode& node) CV_OVERRIDE
    {
        float ratio = ratio_;
        readIfThere(node, "ratio", ratio);
        setRatio(ratio);
    }

    Tracks solve(const std::vector<int>& viewSizes, const CsrMatrix& similarity) CV_OVERRIDE
    {
        RunControl control(callback_);
        const Input input = inputOfSimilarity(viewSizes, similarity);
        control.begin("joins");
        return finished(input, greedyLabels(similarity, viewSizes, 0.f), control);
    }

protected:
    Tracks runProblem(const MatchingProblem& problem) CV_OVERRIDE
    {
        return solve(problem.viewSizes, problem.similarity);
    }

    Tracks run(const Input& input) CV_OVERRIDE
    {
        RunControl control(callback_);
        control.begin("neighbors");
        const NeighborGraph graph = neighborGraph(input, 2, control);
        control.begin("matches");
        const CsrMatrix matches = mutualNearest(graph, ratio_);
        control.begin("joins");
        return finished(input, nearestFirstLabels(matches, input.viewSizes), control);
    }

private:
    static Tracks finished(const Input& input, const std::vector<int>& labels, RunControl& control)
    {
        MatchReport report;
        report.converged = !control.cancelled();
        return finishedTracks(input, labels, report, control);
    }

    float ratio_;
};

Ptr<Kruskal> Kruskal::create(float ratio)
{
    return makePtr<KruskalImpl>(ratio);
}

}} // namespace cv::multimatch
