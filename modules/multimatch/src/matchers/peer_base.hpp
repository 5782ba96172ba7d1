// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_MATCHERS_PEER_BASE_HPP
#define OPENCV_MULTIMATCH_SRC_MATCHERS_PEER_BASE_HPP

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

//! Calls body(i) for all i in [0, n), in parallel, until control says stop. Returns how many are
//! done.
template<class Body>
int forSlices(int n, RunControl& control, const Body& body)
{
    const int slice = 8 * std::max(1, getNumThreads());
    int start = 0;
    for (; start < n && control.proceed(static_cast<double>(start) / n); start += slice)
        parallel_for_(Range(start, std::min(n, start + slice)), [&](const Range& range) {
            for (int i = range.start; i < range.end; ++i)
                body(i);
        });
    return std::min(n, start);
}

/** What the matchers without cycle consistency share: an implementation finds matches, from here
come lists of pairs or their closure. */
template<class Interface>
class PairwiseBase : public MatcherBase<Interface>
{
public:
    MatchReport getPairsReport() const CV_OVERRIDE { return pairsReport_; }

protected:
    typedef MultiMatcher::Input Input;

    //! Matches, and the pairs of views that were looked at.
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

}} // namespace cv::multimatch

#endif
