// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_PEERS_HPP
#define OPENCV_MULTIMATCH_PEERS_HPP

#include "opencv2/multimatch/matcher.hpp"
#include "opencv2/multimatch/pair_matches.hpp"
#include "opencv2/multimatch/sparse.hpp"

namespace cv { namespace multimatch {

//! @addtogroup multimatch_peers
//! @{

/* Other methods with the interface of MultiMatcher, for comparison and for simple problems. None of
them uses the positions of the points; those of geometric_peers.hpp do. */

//! Values of universeSize beside the number itself.
enum UniverseSize
{
    //! Twice the mean size of a view, at least the largest.
    UNIVERSE_TWICE_MEAN = 0,
    //! estimateUniverseSize() of the matches that the method starts from.
    UNIVERSE_FROM_SPECTRUM = -1
};

/** @brief The number of universe points d that pairwise matches suggest, as CLEAR @cite Fathian2020
estimates it.

It is the number of eigenvalues below 1/2 of (D + I)^-1/2 L (D + I)^-1/2, where D is the diagonal
matrix of row sums and L = D - S the Laplacian of the graph of matches; at least the largest view.
With consistent matches that is the number of tracks, single points included. Wrong matches of
mutual nearest neighbors make it too large.
@param viewSizes points per view, m in all
@param similarity symmetric m x m, entries > 0 are matches; none inside a view
Throws cv::Exception where a connected component of the matches has more than 4000 points. Cost
O(n^3) per component of n points. */
CV_EXPORTS int estimateUniverseSize(const std::vector<int>& viewSizes, const CsrMatrix& similarity);

/** @brief A matcher whose pairwise matches need not agree around cycles of views.

matchPairs() returns these matches. match() returns their transitive closure as Tracks:
components with two points in one view are dropped. */
class CV_EXPORTS_W PairwiseMatcher : public MultiMatcher
{
public:
    /** @brief The matches of every pair of views that the matcher compared, none left out.
    @param keypoints as in match()
    @param descriptors as in match()
    @return pairs ascending with first < second; matches ascending by queryIdx, then trainIdx */
    CV_WRAP std::vector<PairMatches> matchPairs(const std::vector<std::vector<KeyPoint>>& keypoints,
                                                InputArrayOfArrays descriptors);
    //! Same for points without size and angle, see matchPoints().
    CV_WRAP std::vector<PairMatches> matchPointPairs(InputArrayOfArrays points,
                                                     InputArrayOfArrays descriptors);

    //! Report of the last call of matchPairs() or matchPointPairs().
    CV_WRAP virtual MatchReport getPairsReport() const = 0;

protected:
    //! The work behind matchPairs() and matchPointPairs().
    virtual std::vector<PairMatches> runPairs(const Input& input) = 0;
};

//! Parameters of Pairwise.
struct CV_EXPORTS_W_SIMPLE PairwiseParams
{
    /** Candidates of each point and view, in both directions, >= 0; 0 (default): all, with a dense
    assignment of O(n^3) a pair of views with n points. With candidates, as many points as possible
    are matched. */
    CV_PROP_RW int neighbors;
    //! No match is farther than this descriptor distance, >= 0; 0 (default): no limit.
    CV_PROP_RW float maxDistance;

    CV_WRAP PairwiseParams();
    void write(FileStorage& fs) const; //!< one node per parameter
    void read(const FileNode& node);   //!< absent nodes keep their value
};

/** @brief Two views at a time: the one-to-one matches of least total descriptor distance.

With maxDistance a match is worth maxDistance - distance and the total worth is maximized; without,
every point of the smaller view is matched. DMatch::distance is the descriptor distance. */
class CV_EXPORTS_W Pairwise : public PairwiseMatcher
{
public:
    //! A matcher with these parameters. Throws as setParams() does.
    CV_WRAP static Ptr<Pairwise> create(const PairwiseParams& params = PairwiseParams());

    //! Throws cv::Exception, naming parameter, value and range, where one is out of range.
    CV_WRAP virtual void setParams(const PairwiseParams& params) = 0;
    CV_WRAP virtual PairwiseParams getParams() const = 0; //!< a copy of the parameters
};

/** @brief The method of most structure-from-motion programs: connected components of mutual nearest
neighbors; a component with two key points in one view is dropped. COLMAP @cite Schoenberger2016 is
one of them.

Two points match if each is the other's nearest descriptor in its view and, seen from both sides,
the nearest is closer than ratio times the second nearest @cite Lowe2004 . A ratio of 1 disables the
ratio test.
*/
class CV_EXPORTS_W UnionFind : public MultiMatcher
{
public:
    //! @param ratio of the ratio test, in (0, 1]; 1: none
    CV_WRAP static Ptr<UnionFind> create(float ratio = 0.8f);

    //! Of the ratio test, in (0, 1]; throws cv::Exception on another value.
    CV_WRAP virtual void setRatio(float ratio) = 0;
    CV_WRAP virtual float getRatio() const = 0; //!< as set

    /** @brief The components of given matches.
    @param viewSizes points per view, m in all
    @param similarity symmetric m x m, entries > 0 are matches; none inside a view
    Throws cv::Exception where sizes do not fit or the matrix is not that. */
    virtual Tracks solve(const std::vector<int>& viewSizes, const CsrMatrix& similarity) = 0;
};

/** @brief Kruskal with view exclusion: mutual nearest neighbors with ratio test as in UnionFind,
nearest first; a match that would put two points of one view into a track is refused
@cite Lindenberger2021 . */
class CV_EXPORTS_W Kruskal : public MultiMatcher
{
public:
    //! @param ratio of the ratio test, in (0, 1]; 1: none
    CV_WRAP static Ptr<Kruskal> create(float ratio = 0.8f);

    //! Of the ratio test, in (0, 1]; throws cv::Exception on another value.
    CV_WRAP virtual void setRatio(float ratio) = 0;
    CV_WRAP virtual float getRatio() const = 0; //!< as set

    //! Joins along given matches, largest weight first. Arguments as in UnionFind::solve.
    virtual Tracks solve(const std::vector<int>& viewSizes, const CsrMatrix& similarity) = 0;
};

//! Parameters of QuickMatch.
struct CV_EXPORTS_W_SIMPLE QuickMatchParams
{
    CV_PROP_RW float rhoDen; //!< bandwidth as a share of the distance to the closest descriptor of
                             //!< the same view, > 0
    //! Longest edge as a share of that distance, > 0; 1 suits noisy descriptors.
    CV_PROP_RW float rhoEdge;
    CV_PROP_RW bool weighted; //!< weigh a point's contribution by log(1 + bandwidth)
    /** Nearest neighbors per point and view that densities and edges are taken from, >= 0. 0
    (default): all, or 10 where there are more than 10^7 pairs of points: what is farther is out of
    reach of density and edges alike. */
    CV_PROP_RW int neighbors;

    CV_WRAP QuickMatchParams();
    void write(FileStorage& fs) const; //!< one node per parameter
    void read(const FileNode& node);   //!< absent nodes keep their value
};

/** @brief Density clustering of descriptors in which a cluster has no view twice @cite Tron2017 .

Every point is linked to its nearest point of higher density in another view; links join clusters,
shortest first, where no view is in both and the link is short against the distances inside the
views. */
class CV_EXPORTS_W QuickMatch : public MultiMatcher
{
public:
    //! A matcher with these parameters. Throws as setParams() does.
    CV_WRAP static Ptr<QuickMatch> create(const QuickMatchParams& params = QuickMatchParams());

    //! Throws cv::Exception, naming parameter, value and range, where one is out of range.
    CV_WRAP virtual void setParams(const QuickMatchParams& params) = 0;
    CV_WRAP virtual QuickMatchParams getParams() const = 0; //!< a copy of the parameters
};

//! Parameters of Spectral.
struct CV_EXPORTS_W_SIMPLE SpectralParams
{
    //! d, the number of eigenvectors, or a UniverseSize; UNIVERSE_TWICE_MEAN by default. Partial
    //! unless it is given.
    CV_PROP_RW int universeSize;
    CV_PROP_RW float ratio; //!< of the ratio test of the matches it starts from, in (0, 1]; 1: none
    CV_PROP_RW float threshold; //!< partial: least cosine of a member with the first point of its
                                //!< track, in [0, 1)
    CV_PROP_RW int seed;        //!< of the eigenvectors' random start

    CV_WRAP SpectralParams();
    void write(FileStorage& fs) const; //!< one node per parameter
    void read(const FileNode& node);   //!< absent nodes keep their value
};

/** @brief Permutation synchronization @cite Pachauri2013 : the leading eigenvectors of the pairwise
matches.

Complete, where all views have universeSize points: the matches come from linear assignment as in
Pairwise, and each view is assigned to the rows of the view with most matches. Partial otherwise:
mutual nearest neighbors as in UnionFind; each point that is free opens a track and takes the free
point of highest cosine in every later view. */
class CV_EXPORTS_W Spectral : public MultiMatcher
{
public:
    //! A matcher with these parameters. Throws as setParams() does.
    CV_WRAP static Ptr<Spectral> create(const SpectralParams& params = SpectralParams());

    //! Throws cv::Exception, naming parameter, value and range, where one is out of range.
    CV_WRAP virtual void setParams(const SpectralParams& params) = 0;
    CV_WRAP virtual SpectralParams getParams() const = 0; //!< a copy of the parameters

    //! Synchronizes given matches; values are weights. Arguments as in UnionFind::solve.
    virtual Tracks solve(const std::vector<int>& viewSizes, const CsrMatrix& similarity) = 0;
};

//! Parameters of MatchEig.
struct CV_EXPORTS_W_SIMPLE MatchEigParams
{
    //! d, the number of eigenpairs, or a UniverseSize; UNIVERSE_TWICE_MEAN by default.
    CV_PROP_RW int universeSize;
    CV_PROP_RW float ratio; //!< of the ratio test of the matches it starts from, in (0, 1]; 1: none
    //! Least score of a match, > 0; 0.5 suits photographs, 0.25 clean problems.
    CV_PROP_RW float threshold;
    CV_PROP_RW int seed; //!< of the eigenvectors' random start

    CV_WRAP MatchEigParams();
    void write(FileStorage& fs) const; //!< one node per parameter
    void read(const FileNode& node);   //!< absent nodes keep their value
};

/** @brief Denoises pairwise matches by their low-rank approximation @cite Maset2017 . Not
cycle-consistent.

Starts from the same matches as Spectral. Scores are the entries of the approximation of rank d;
matches are taken one-to-one in every pair of views, largest first. DMatch::distance is 1 - score,
or 0.
*/
class CV_EXPORTS_W MatchEig : public PairwiseMatcher
{
public:
    //! A matcher with these parameters. Throws as setParams() does.
    CV_WRAP static Ptr<MatchEig> create(const MatchEigParams& params = MatchEigParams());

    //! Throws cv::Exception, naming parameter, value and range, where one is out of range.
    CV_WRAP virtual void setParams(const MatchEigParams& params) = 0;
    CV_WRAP virtual MatchEigParams getParams() const = 0; //!< a copy of the parameters

    //! Closure of solvePairs().
    virtual Tracks solve(const std::vector<int>& viewSizes, const CsrMatrix& similarity) = 0;
    //! Denoises given matches; values are weights. Arguments as in UnionFind::solve.
    virtual std::vector<PairMatches> solvePairs(const std::vector<int>& viewSizes,
                                                const CsrMatrix& similarity) = 0;
};

//! Parameters of MatchALS.
struct CV_EXPORTS_W_SIMPLE MatchALSParams
{
    //! d, half the rank allowed, or a UniverseSize; UNIVERSE_TWICE_MEAN by default.
    CV_PROP_RW int universeSize;
    CV_PROP_RW float ratio; //!< of the ratio test of the matches it starts from, in (0, 1]; 1: none
    CV_PROP_RW float alpha; //!< weight of the nuclear norm, > 0
    CV_PROP_RW float beta;  //!< weight of the 1-norm, >= 0
    CV_PROP_RW float mu;    //!< first penalty of the splitting, > 0
    CV_PROP_RW float tolerance;   //!< both residuals, per point, must fall below this, > 0
    CV_PROP_RW int maxIterations; //!< >= 1
    CV_PROP_RW int seed;          //!< of the first factor

    CV_WRAP MatchALSParams();
    void write(FileStorage& fs) const; //!< one node per parameter
    void read(const FileNode& node);   //!< absent nodes keep their value
};

/** @brief Low-rank, sparse completion of pairwise matches @cite Zhou2015 . Not cycle-consistent,
not even one-to-one.

Starts from the same matches as Spectral. Minimizes -<W, X> + alpha |X|_* + beta |X|_1 over X in [0,
1] with unit own blocks, X = A B', by alternating directions; entries of (X + X') / 2 above 0.5 are
matches. DMatch::distance is 1 - that entry. Dense: throws cv::Exception above MAX_POINTS points. */
class CV_EXPORTS_W MatchALS : public PairwiseMatcher
{
public:
    enum
    {
        MAX_POINTS = 4000 //!< in all views together; needs 0.4 GB there
    };

    //! A matcher with these parameters. Throws as setParams() does.
    CV_WRAP static Ptr<MatchALS> create(const MatchALSParams& params = MatchALSParams());

    //! Throws cv::Exception, naming parameter, value and range, where one is out of range.
    CV_WRAP virtual void setParams(const MatchALSParams& params) = 0;
    CV_WRAP virtual MatchALSParams getParams() const = 0; //!< a copy of the parameters

    //! Closure of solvePairs().
    virtual Tracks solve(const std::vector<int>& viewSizes, const CsrMatrix& similarity) = 0;
    //! Completes given matches; values are weights. Arguments as in UnionFind::solve.
    virtual std::vector<PairMatches> solvePairs(const std::vector<int>& viewSizes,
                                                const CsrMatrix& similarity) = 0;
};

//! @}

}} // namespace cv::multimatch

#endif
