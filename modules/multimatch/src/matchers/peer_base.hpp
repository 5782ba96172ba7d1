// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_MATCHERS_PEER_BASE_HPP
#define OPENCV_MULTIMATCH_SRC_MATCHERS_PEER_BASE_HPP

#include "../search/mutual_nearest.hpp"
#include "../search/neighbors.hpp"
#include "match_graph.hpp"
#include "matcher_base.hpp"

namespace cv { namespace multimatch {

//! Tracks of at least two views from one label per point, with the report of the run.
inline Tracks finishedTracks(const MultiMatcher::Input& input, const std::vector<int>& labels,
                             MatchReport& report, RunControl& control)
{
    control.finish(report);
    Tracks tracks = input.restore(labels, std::vector<float>(), 2);
    tracks.setReport(report);
    return tracks;
}

//! Pairs of views between two calls of the progress callback.
inline int pairsInSlice()
{
    return 8 * std::max(1, getNumThreads());
}

//! A matcher that joins mutual nearest neighbors with ratio test, or given matches.
template<class Interface>
class RatioMatcher : public MatcherBase<Interface>
{
public:
    void setRatio(float ratio) CV_OVERRIDE
    {
        checkRatio("ratio", ratio);
        ratio_ = ratio;
    }
    float getRatio() const CV_OVERRIDE { return ratio_; }
    void write(FileStorage& fs) const CV_OVERRIDE
    {
        fs << "ratio" << ratio_;
        this->writeSettings(fs);
    }
    void read(const FileNode& node) CV_OVERRIDE
    {
        float ratio = ratio_;
        readIfThere(node, "ratio", ratio);
        setRatio(ratio);
        this->readSettings(node);
    }

    Tracks solve(const std::vector<int>& viewSizes, const CsrMatrix& similarity) CV_OVERRIDE
    {
        RunControl control(this->callback_);
        const MultiMatcher::Input input = inputOfSimilarity(viewSizes, similarity);
        control.begin("joins");
        return finished(input, labelsOfSimilarity(similarity, viewSizes), control);
    }

protected:
    //! Labels from matches whose values are distances.
    virtual std::vector<int> labelsOfMatches(const CsrMatrix& matches,
                                             const std::vector<int>& viewSizes) const = 0;
    //! Labels from a similarity.
    virtual std::vector<int> labelsOfSimilarity(const CsrMatrix& similarity,
                                                const std::vector<int>& viewSizes) const = 0;

    Tracks runProblem(const MatchingProblem& problem) CV_OVERRIDE
    {
        return solve(problem.viewSizes, problem.similarity);
    }
    Tracks run(const MultiMatcher::Input& input) CV_OVERRIDE
    {
        RunControl control(this->callback_);
        control.begin("neighbors");
        const NeighborGraph graph = neighborGraph(input, 2, control);
        control.begin("matches");
        const CsrMatrix matches = mutualNearest(graph, ratio_);
        control.begin("joins");
        return finished(input, labelsOfMatches(matches, input.viewSizes), control);
    }

private:
    static Tracks finished(const MultiMatcher::Input& input, const std::vector<int>& labels,
                           RunControl& control)
    {
        MatchReport report;
        report.converged = !control.cancelled();
        return finishedTracks(input, labels, report, control);
    }

    float ratio_;
};

/** Base of the matchers without cycle consistency: an implementation finds matches, which are
returned as lists of pairs or as their closure. */
template<class Interface>
class PairwiseBase : public MatcherBase<Interface>
{
public:
    MatchReport getPairsReport() const CV_OVERRIDE { return pairsReport_; }

protected:
    typedef MultiMatcher::Input Input;

    //! Matches, and the pairs of views that were compared.
    struct Found
    {
        CsrMatrix matches;
        Mat pairs;
        MatchReport report;
    };

    //! Matches the features of the input.
    virtual Found find(const Input& input, RunControl& control) const = 0;

    Tracks run(const Input& input) CV_OVERRIDE
    {
        RunControl control(this->callback_);
        Found found = find(input, control);
        return closure(input, found, control);
    }

    std::vector<PairMatches> runPairs(const Input& input) CV_OVERRIDE
    {
        RunControl control(this->callback_);
        Found found = find(input, control);
        return pairList(input, found, control);
    }

    static Tracks closure(const Input& input, Found& found, RunControl& control)
    {
        control.begin("closure");
        return finishedTracks(input, consistentComponents(found.matches, input.viewSizes),
                              found.report, control);
    }

    std::vector<PairMatches> pairList(const Input& input, Found& found, RunControl& control)
    {
        control.finish(found.report);
        pairsReport_ = found.report;
        return toPairMatches(found.matches, input, found.pairs);
    }

private:
    MatchReport pairsReport_;
};

/** The matchers that make given matches consistent but not transitive: MatchEig, MatchALS. An
implementation turns a similarity into matches. Params must have universeSize and ratio. */
template<class Interface, class Params>
class DenoisingBase : public WithParams<PairwiseBase<Interface>, Params>
{
public:
    typedef PairwiseBase<Interface> Base;
    typedef typename Base::Input Input;
    typedef typename Base::Found Found;

    Tracks solve(const std::vector<int>& viewSizes, const CsrMatrix& similarity) CV_OVERRIDE
    {
        const Input input = inputOfSimilarity(viewSizes, similarity);
        RunControl control(this->callback_);
        Found found = denoise(input, similarity, control);
        return Base::closure(input, found, control);
    }

    std::vector<PairMatches> solvePairs(const std::vector<int>& viewSizes,
                                        const CsrMatrix& similarity) CV_OVERRIDE
    {
        const Input input = inputOfSimilarity(viewSizes, similarity);
        RunControl control(this->callback_);
        Found found = denoise(input, similarity, control);
        return Base::pairList(input, found, control);
    }

protected:
    //! Throws where the matcher cannot work on this input.
    virtual void checkInput(const Input&) const {}
    virtual Found denoise(const Input& input, const CsrMatrix& similarity,
                          RunControl& control) const = 0;

    Tracks runProblem(const MatchingProblem& problem) CV_OVERRIDE
    {
        return solve(problem.viewSizes, problem.similarity);
    }
    Found find(const Input& input, RunControl& control) const CV_OVERRIDE
    {
        checkInput(input);
        const CsrMatrix matches =
            startingMatches(input, this->params_.universeSize, this->params_.ratio, control);
        return denoise(input, matches, control);
    }
};

}} // namespace cv::multimatch

#endif
