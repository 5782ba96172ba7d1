// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_GEOMETRIC_PEERS_HPP
#define OPENCV_MULTIMATCH_GEOMETRIC_PEERS_HPP

#include "opencv2/multimatch/hippi.hpp"
#include "opencv2/multimatch/peers.hpp"

namespace cv { namespace multimatch {

//! @addtogroup multimatch_peers
//! @{

/* Other methods that use the positions of the points, for comparison. They compare all pairs of
points with all pairs of points, and throw cv::Exception on problems that are too large for that. */

/** @brief Parameters of the methods on graphs: RandomWalks, AlternatingMatching and
GraduatedConsistency.

They rate a match of two views by the affinity J of Lawler's quadratic assignment problem, a value
in [0, 1]: with weight appearance the mean similarity of matched points, with weight 1 - appearance
the mean over pairs of matched points of exp(-(d - d')^2 / edgeScale), where d and d' are the
distances of the two points in the two views, 1 being the largest distance of the view. */
struct CV_EXPORTS_W_SIMPLE GraphMatchingParams
{
    CV_PROP_RW float appearance;  //!< weight of the similarity of points, in [0, 1]
    CV_PROP_RW float edgeScale;   //!< tolerance of squared differences of distances, > 0
    CV_PROP_RW int maxIterations; //!< of the methods for many views, >= 1
    //! GraduatedConsistency: first iterations without the consistency term, >= 0.
    CV_PROP_RW int affinityIterations;
    CV_PROP_RW float consistency;     //!< GraduatedConsistency: its first weight, in [0, 1]
    CV_PROP_RW float consistencyStep; //!< GraduatedConsistency: its factor per iteration, >= 1
    //! GraduatedConsistency: d; 0 (default): as Spectral; UNIVERSE_FROM_SPECTRUM
    CV_PROP_RW int universeSize;

    CV_WRAP GraphMatchingParams();
    void write(FileStorage& fs) const; //!< one node per parameter
    void read(const FileNode& node);   //!< absent nodes keep their value
};

/** @brief Two views at a time: quadratic assignment by reweighted random walks @cite Cho2010 .

All points of the smaller view are matched. DMatch::distance is 1 - affinity of the point with the
other matches. Throws cv::Exception where a view has more than 50 points or all views together more
than 4000. Cost O(n^4) per pair of views of n points. */
class CV_EXPORTS_W RandomWalks : public PairwiseMatcher
{
public:
    //! A matcher with these parameters. Throws as setParams() does.
    CV_WRAP static Ptr<RandomWalks>
    create(const GraphMatchingParams& params = GraphMatchingParams());

    //! Throws cv::Exception, naming parameter, value and range, where one is out of range.
    CV_WRAP virtual void setParams(const GraphMatchingParams& params) = 0;
    CV_WRAP virtual GraphMatchingParams getParams() const = 0; //!< a copy of the parameters
};

/** @brief Alternating optimization driven by consistency @cite Yan2015 .

Starts from the matches of RandomWalks. The reference is the view, among those with most points,
whose matches are most consistent with all others; its points are the universe. The other views
follow in the order of their consistency with the reference: each is matched anew to the universe by
reweighted random walks on the sum of its affinities with all other views, until no view improves.

Matches every point: for views that show the same points. Limits as of RandomWalks. Cost O(k n^4)
per view and iteration, k views of n points. */
class CV_EXPORTS_W AlternatingMatching : public MultiMatcher
{
public:
    //! A matcher with these parameters. Throws as setParams() does.
    CV_WRAP static Ptr<AlternatingMatching>
    create(const GraphMatchingParams& params = GraphMatchingParams());

    //! Throws cv::Exception, naming parameter, value and range, where one is out of range.
    CV_WRAP virtual void setParams(const GraphMatchingParams& params) = 0;
    CV_WRAP virtual GraphMatchingParams getParams() const = 0; //!< a copy of the parameters

    /** @brief Matches points whose similarity and distances are known.
    @param problem sizes, similarity and points, as HiPPI::solve takes them; adjacency is not used
    @param distances per view an n x n matrix (CV_32F or CV_64F), such as geodesic distances; empty:
    those between the points of the problem
    Throws cv::Exception where sizes do not fit or there are neither points nor distances. */
    virtual Tracks solve(const MatchingProblem& problem,
                         const std::vector<Mat>& distances = std::vector<Mat>()) = 0;
};

/** @brief Composition with graduated consistency @cite Yan2016 , known as CAO.

Starts from the matches of RandomWalks. In every iteration the match of each pair of views i, j is
replaced by the composition of i-v and v-j that maximizes (1 - c) J / max J + c C over all views v;
C is the share of its matches that the compositions over the other views confirm. The weight c is 0
in the first iterations and then rises. In the end the matches are synchronized as by Spectral.

Limits as of RandomWalks. Cost O(k^3 n^2) per iteration, k views of n points. */
class CV_EXPORTS_W GraduatedConsistency : public MultiMatcher
{
public:
    //! A matcher with these parameters. Throws as setParams() does.
    CV_WRAP static Ptr<GraduatedConsistency>
    create(const GraphMatchingParams& params = GraphMatchingParams());

    //! Throws cv::Exception, naming parameter, value and range, where one is out of range.
    CV_WRAP virtual void setParams(const GraphMatchingParams& params) = 0;
    CV_WRAP virtual GraphMatchingParams getParams() const = 0; //!< a copy of the parameters

    //! Arguments as in AlternatingMatching::solve.
    virtual Tracks solve(const MatchingProblem& problem,
                         const std::vector<Mat>& distances = std::vector<Mat>()) = 0;
};

//! Parameters of LowRankCoordinates.
struct CV_EXPORTS_W_SIMPLE LowRankParams
{
    /** d, the points that every view shows, at most as many as the smallest view has; 0 (default):
    as many as that. */
    CV_PROP_RW int universeSize;
    CV_PROP_RW int rank;          //!< of the coordinates, >= 1; 3: an affine camera
    CV_PROP_RW float geometry;    //!< weight of the coordinates, >= 0
    CV_PROP_RW float tolerance;   //!< stops where the objective falls by less than this share, > 0
    CV_PROP_RW int maxIterations; //!< >= 1
    CV_PROP_RW int seed;          //!< of the eigenvectors' random start

    CV_WRAP LowRankParams();
    void write(FileStorage& fs) const; //!< one node per parameter
    void read(const FileNode& node);   //!< absent nodes keep their value
};

/** @brief Consistent features whose coordinates have low rank @cite Wang2018 .

Starts from the same matches W as Spectral. Minimizes |W - X X'|^2 / 4 + geometry k / 2 |M - Z|^2,
where X_v assigns the points of view v to d universe points, M stacks the coordinates C_v X_v of the
universe points in the k views, and Z is a matrix whose rows minus their means have the given rank;
by projected gradient steps in X and truncated singular values for Z. A linear assignment per view
ends it.

Each of the d universe points gets a point in every view; the other points are left unmatched.
Throws cv::Exception above 4000 points in all views together. Cost O(m d^2) per step. */
class CV_EXPORTS_W LowRankCoordinates : public MultiMatcher
{
public:
    //! A matcher with these parameters. Throws as setParams() does.
    CV_WRAP static Ptr<LowRankCoordinates> create(const LowRankParams& params = LowRankParams());

    //! Throws cv::Exception, naming parameter, value and range, where one is out of range.
    CV_WRAP virtual void setParams(const LowRankParams& params) = 0;
    CV_WRAP virtual LowRankParams getParams() const = 0; //!< a copy of the parameters

    /** @brief Same for points with known matches.
    @param problem sizes, similarity (W) and points, as HiPPI::solve takes them
    MatchReport::objective is minus the function above after each step and never falls. Throws
    cv::Exception where the problem has no points. */
    virtual Tracks solve(const MatchingProblem& problem) = 0;
};

//! Parameters of SparseConsistent.
struct CV_EXPORTS_W_SIMPLE SparseConsistentParams
{
    CV_PROP_RW int candidates;    //!< most similar universe points per point, >= 1
    CV_PROP_RW float edgeScale;   //!< as in GraphMatchingParams, > 0
    CV_PROP_RW float support;     //!< least weight of a match as a share of the largest, in (0, 1)
    CV_PROP_RW int maxIterations; //!< sweeps over the views, >= 1

    CV_WRAP SparseConsistentParams();
    void write(FileStorage& fs) const; //!< one node per parameter
    void read(const FileNode& node);   //!< absent nodes keep their value
};

/** @brief Few reliable tracks by sparse quadratic programs @cite Cosmo2017 .

The universe is the points of the view with the largest similarity to all others. For one view after
the other x' A x is maximized over x >= 0 with |x|_1 = 1, an entry of x per candidate match of a
point with a universe point. A rates two matches by how well the distance of the two points agrees
with those in the views matched before, and is 0 where they exclude each other. The 1-norm makes x
sparse: its largest entries are the matches, all others are dropped.

Most points stay unmatched. Throws cv::Exception where a view has more than 4096 candidate matches.
Cost O(k c^2) per view, k views with c candidate matches. */
class CV_EXPORTS_W SparseConsistent : public MultiMatcher
{
public:
    //! A matcher with these parameters. Throws as setParams() does.
    CV_WRAP static Ptr<SparseConsistent>
    create(const SparseConsistentParams& params = SparseConsistentParams());

    //! Throws cv::Exception, naming parameter, value and range, where one is out of range.
    CV_WRAP virtual void setParams(const SparseConsistentParams& params) = 0;
    CV_WRAP virtual SparseConsistentParams getParams() const = 0; //!< a copy of the parameters

    //! Arguments as in AlternatingMatching::solve.
    virtual Tracks solve(const MatchingProblem& problem,
                         const std::vector<Mat>& distances = std::vector<Mat>()) = 0;
};

//! @}

}} // namespace cv::multimatch

#endif
