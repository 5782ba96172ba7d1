// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "peer_base.hpp"

#include "../search/mutual_nearest.hpp"
#include "../search/neighbors.hpp"

namespace cv { namespace multimatch {

class UnionFindImpl CV_FINAL : public MatcherBase<UnionFind>
{
public:
    explicit UnionFindImpl(float ratio) { setRatio(ratio); }

    void setRatio(float ratio) CV_OVERRIDE
    {
        checkRatio("ratio", ratio);
        ratio_ = ratio;
    }
    float getRatio() const CV_OVERRIDE { return ratio_; }

    String getDefaultName() const CV_OVERRIDE { return "multimatch.UnionFind"; }
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
        return join(inputOfSimilarity(viewSizes, similarity), positiveEntries(similarity), control);
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
        return join(input, mutualNearest(graph, ratio_), control);
    }

private:
    static Tracks join(const Input& input, const CsrMatrix& matches, RunControl& control)
    {
        control.begin("components");
        const std::vector<int> labels = consistentComponents(matches, input.viewSizes);
        MatchReport report;
        report.converged = !control.cancelled();
        return finishedTracks(input, labels, report, control);
    }

    float ratio_;
};

Ptr<UnionFind> UnionFind::create(float ratio)
{
    return makePtr<UnionFindImpl>(ratio);
}

}} // namespace cv::multimatch
