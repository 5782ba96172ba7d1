// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_MATCHERS_GRAPHS_HPP
#define OPENCV_MULTIMATCH_SRC_MATCHERS_GRAPHS_HPP

#include "peer_base.hpp"

#include "opencv2/multimatch/geometric_peers.hpp"

#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Dense>

namespace cv { namespace multimatch {

/* Views as graphs: points are nodes, distances are edges. Lawler's quadratic assignment problem
rates a match of two graphs by nodes and edges. */

//! Per point of one view its point or universe point in another; -1: none.
typedef std::vector<int> Matching;

struct ViewGraphs
{
    std::vector<int> viewSizes, offsets;
    std::vector<Eigen::MatrixXf> distances; //!< per view n x n, the largest is 1
    Eigen::MatrixXf appearance; //!< m x m, similarity of points in [0, 1]; 0 inside a view

    int viewCount() const { return static_cast<int>(viewSizes.size()); }
    //! Similarity of the points p of view i and q of view j.
    float similarity(int i, int p, int j, int q) const
    {
        return appearance(offsets[i] + p, offsets[j] + q);
    }
};

/** Distances between the points of the input. The similarity of two points is exp(-d^2 / (2 s^2)),
d the distance of their descriptors and s the median over all points and views of the distance to
the nearest descriptor. */
ViewGraphs graphsOfInput(const MultiMatcher::Input& input, RunControl& control);

//! Similarities as given, divided by the largest. Throws where distances do not fit.
ViewGraphs graphsOfProblem(const MatchingProblem& problem, const MultiMatcher::Input& input,
                           const std::vector<Mat>& distances);

//! exp(-x^2 / scale) of differences of distances from a table; 0 beyond the largest difference, 1.
class EdgeKernel
{
public:
    explicit EdgeKernel(float scale);

    float operator()(float difference) const
    {
        const float place = std::abs(difference) * STEPS + 0.5f;
        return values_[place < STEPS + 1 ? static_cast<int>(place) : STEPS + 1];
    }

private:
    static const int STEPS = 4096;

    std::vector<float> values_;
};

//! A view whose points take part in a match as universe points.
struct UniverseView
{
    int view;
    Matching points; //!< per universe point its point in the view

    UniverseView(int view_, const Matching& points_) : view(view_), points(points_) {}
};

//! Affinities J of GraphMatchingParams.
class LawlerAffinity
{
public:
    LawlerAffinity(const ViewGraphs& graphs, const GraphMatchingParams& params)
        : graphs_(graphs), kernel_(params.edgeScale), appearance_(params.appearance)
    {
    }

    //! J of a match of the views i and j, in [0, 1].
    double ofMatching(int i, int j, const Matching& matching) const;

    /** The matrix of all pairs of assignments of a point p of the view to a universe point u, at
    row p d + u, summed over the other views. */
    Eigen::MatrixXf ofAssignments(int view, const std::vector<UniverseView>& others) const;

private:
    const ViewGraphs& graphs_;
    const EdgeKernel kernel_;
    const float appearance_;
};

//! x' K x of an assignment of points to d universe points.
double assignmentScore(const Eigen::MatrixXf& K, int d, const Matching& assignment);

/** Reweighted random walks: an assignment of n points to d >= n universe points with large x' K x.
K: n d x n d. Every point is assigned. */
Matching reweightedRandomWalks(const Eigen::MatrixXf& K, int n, int d);

//! Matches of all ordered pairs of views.
class MatchTable
{
public:
    explicit MatchTable(const std::vector<int>& viewSizes);

    const Matching& at(int i, int j) const { return matches_[i * viewCount() + j]; }
    void set(int i, int j, const Matching& matching); //!< and its inverse
    //! i to v to j.
    Matching composed(int i, int v, int j) const;
    //! Share of the points of the smaller view that two matches of i and j assign alike.
    double agreement(int i, int j, const Matching& a, const Matching& b) const;

    int viewCount() const { return static_cast<int>(viewSizes_.size()); }
    int size(int view) const { return viewSizes_[view]; }

private:
    std::vector<int> viewSizes_;
    std::vector<Matching> matches_;
};

//! Reweighted random walks on the given pairs of views (N x 2). Incomplete when canceled.
MatchTable matchedPairs(const ViewGraphs& graphs, const GraphMatchingParams& params,
                        const Mat& pairs, RunControl& control);

//! Throws where a method called name cannot work on graphs of these sizes.
void checkGraphSizes(const char* name, const std::vector<int>& viewSizes);

//! Throws, naming parameter, value and range.
void checkParams(const GraphMatchingParams& params);

//! Base of the matchers on ViewGraphs that return tracks.
template<class Interface, class Params>
class GraphMatcherBase : public WithParams<MatcherBase<Interface>, Params>
{
public:
    typedef MultiMatcher::Input Input;

    Tracks solve(const MatchingProblem& problem, const std::vector<Mat>& distances) CV_OVERRIDE
    {
        checkProblem(problem);
        checkSizes(problem.viewSizes);
        Input input = Input::fromProblem(problem);
        input.pairs = allPairs(input.viewCount());
        RunControl control(this->callback_);
        return matchGraphs(input, graphsOfProblem(problem, input, distances), control);
    }

protected:
    //! Throws where the matcher cannot work on these sizes.
    virtual void checkSizes(const std::vector<int>& viewSizes) const = 0;
    virtual Tracks matchGraphs(const Input& input, const ViewGraphs& graphs,
                               RunControl& control) const = 0;

    Tracks runProblem(const MatchingProblem& problem) CV_OVERRIDE
    {
        return solve(problem, std::vector<Mat>());
    }
    Tracks run(const Input& input) CV_OVERRIDE
    {
        checkSizes(input.viewSizes);
        RunControl control(this->callback_);
        control.begin("similarity");
        const ViewGraphs graphs = graphsOfInput(input, control);
        return matchGraphs(input, graphs, control);
    }
};

}} // namespace cv::multimatch

#endif
