// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_HIPPI_HPP
#define OPENCV_MULTIMATCH_HIPPI_HPP

#include "opencv2/multimatch/adjacency.hpp"
#include "opencv2/multimatch/evidence.hpp"
#include "opencv2/multimatch/matcher.hpp"
#include "opencv2/multimatch/sparse.hpp"

namespace cv { namespace multimatch {

//! @addtogroup multimatch
//! @{

//! Which problem is solved, and how.
enum HiPPIMode
{
    /** Points may stay unmatched. The power iteration V = L(U) U with L(U) the log-odds that two
    points are the same, given the tracks U; see EvidenceParams. For photographs. Where universeSize
    equals the number of points of every view, the problem is complete and HIPPI_COMPLETE is
    used. */
    HIPPI_PARTIAL = 0,
    /** The paper's Algorithm 1: every point gets one of d universe points, W = I + S, A isotropic
    and cut at 1e-6, exact products, until the objective stops growing. normalization, directional
    and exact have no effect. The other settings of the paper's experiments: paperParams(). */
    HIPPI_LITERAL = 1,
    /** The same objective for complete data with what is faster or more accurate than the paper's
    form: normalized W (normalization), directional A (directional), products in blocks (unless
    exact). */
    HIPPI_COMPLETE = 2
};

//! How W is made from the similarities S.
enum HiPPINormalization
{
    //! W = I + beta D^-1/2 S D^-1/2, D the row sums of S: independent of the scale of S.
    NORMALIZE_SYMMETRIC = 0,
    //! W = I + S, the paper's form: the scale of S decides.
    NORMALIZE_NONE = 1
};

//! Where the iteration starts.
enum HiPPIStart
{
    //! Spectral where every view has d points, else greedy.
    START_AUTO = 0,
    START_QUICKMATCH = 1, //!< density clustering of the descriptors @cite Tron2017
    START_SPECTRAL = 2,   //!< leading eigenvectors of the similarity @cite Pachauri2013
    START_RANDOM = 3,     //!< random labels from the seed
    START_GREEDY = 4,     //!< joins along the largest similarities that keep views apart
    START_LABELS = 5      //!< the labels of setInitialLabels()
};

//! Parameters of HiPPI. The defaults are meant for all data: nothing here has to be set.
struct CV_EXPORTS_W_SIMPLE HiPPIParams
{
    CV_PROP_RW int mode; //!< HiPPIMode
    /** d, the number of universe points. 0 (default): estimated from the data, in literal mode
    twice the mean number of points a view, at least the largest view. */
    CV_PROP_RW int universeSize;
    CV_PROP_RW int neighbors; //!< nearest neighbors per point and view, in both directions, >= 1
    //! Bandwidth of the similarity, see SimilarityParams; 0: from the data.
    CV_PROP_RW float rhoDen;
    CV_PROP_RW bool weighted;     //!< QuickMatch's weight on the similarity, see SimilarityParams
    CV_PROP_RW int normalization; //!< HiPPINormalization
    //! Weight of other views against the point itself, > 0, with NORMALIZE_SYMMETRIC.
    CV_PROP_RW float beta;
    CV_PROP_RW float mu;          //!< scale of the adjacency, > 0; see AdjacencyParams
    CV_PROP_RW float tolerance;   //!< cut-off of the adjacency, in (0, 1); see AdjacencyParams
    CV_PROP_RW float directional; //!< frequency of the phase channels, >= 0; 0: isotropic
    CV_PROP_RW int start;         //!< HiPPIStart
    //! Starts tried where there is a choice (spectral, random), >= 1; best objective wins.
    CV_PROP_RW int startCount;
    CV_PROP_RW float startRhoDen;  //!< rho_den of a QuickMatch start, > 0
    CV_PROP_RW float startRhoEdge; //!< rho_edge of a QuickMatch start, > 0
    //! Projections of all views, >= 0; 0 returns the start. In partial mode at most 10.
    CV_PROP_RW int maxIterations;
    /** Complete mode: exact products and an objective that never decreases; false uses blocks or
    truncates the rows of the products to their largest entries for speed, and keeps the iterate
    with the largest objective. */
    CV_PROP_RW bool exact;
    /** Partial mode: memberships of lower confidence are dissolved, in [0, 1]. About a share c of
    the memberships of confidence c is right. Below 0.5 tracks are also extended by points that
    lower the objective; their confidence may be above 0.5. */
    CV_PROP_RW float minConfidence;
    CV_PROP_RW int minLength;           //!< partial mode: shorter tracks are dissolved, >= 1
    CV_PROP_RW int seed;                //!< of everything random
    CV_PROP_RW EvidenceParams evidence; //!< partial mode: the constants of the evidence

    CV_WRAP HiPPIParams();
    void write(FileStorage& fs) const; //!< one node per parameter
    void read(const FileNode& node);   //!< absent nodes keep their value
    //! Throws cv::Exception, naming the parameter, its value and its range, where one is out of
    //! range.
    void validate() const;
};

/** @brief The paper's algorithm with the settings of its image experiment.
HIPPI_LITERAL, QuickMatch start with rho_den 0.7, mu 1, similarities between all points of all
views; their bandwidth, which the paper does not state, is estimated from the data. Every point gets
a universe point, outliers too, so that precision is limited by the share of outliers. For small
problems: similarities take 8 bytes for each pair of points. */
CV_EXPORTS_W HiPPIParams paperParams();

//! A problem with similarity, and optionally adjacency, given by the caller.
struct CV_EXPORTS_W_SIMPLE MatchingProblem
{
    CV_PROP_RW std::vector<int> viewSizes; //!< points per view, m in all
    /** S: symmetric m x m, not negative, without entries inside a view. 1: the largest
    similarity. */
    CsrMatrix similarity;
    /** A; without weights it is made from points or, where those are missing too, taken as the
    identity (no geometry). */
    Adjacency adjacency;
    /** Per view an n x 2 or n x 3 matrix as MultiMatcher::matchPoints takes it; empty: positions
    are not used. */
    CV_PROP_RW std::vector<Mat> points;
    /** Per view its key points, in place of points: their sizes and angles then count too. */
    CV_PROP_RW std::vector<std::vector<KeyPoint>> keypoints;

    CV_WRAP MatchingProblem(); //!< no views

    /** @brief Sets similarity from three arrays, as scipy.sparse.csr_matrix has them.
    @param data value of each entry, CV_32F or CV_64F
    @param indices column of each entry, ascending inside a row, CV_32S
    @param indptr first entry of each row, and at the end the number of entries, CV_32S
    Throws cv::Exception where the arrays are not a square matrix. */
    CV_WRAP void setSimilarity(InputArray data, InputArray indices, InputArray indptr);
    //! Sets adjacency, without phases, in the same way.
    CV_WRAP void setAdjacency(InputArray data, InputArray indices, InputArray indptr);
};

/** @brief Higher-order projected power iterations @cite Bernard2019 : the matcher of this module.

U <- proj(V), V = L(U) U: L(U) rates pairs of points given the present tracks U, proj is a linear
assignment per view in which no track occurs twice. On complete data L(U) = W A W U U' W A W as in
the paper, which maximizes f(U) = || U' W A W U ||^2; with exact products f never decreases. On
partial data L(U) are the log-odds that two points are the same physical point, given the tracks
around them; for fixed L the objective never decreases.

@code
cv::multimatch::Tracks tracks = cv::multimatch::HiPPI::create()->match(keypoints, descriptors);
std::vector<cv::DMatch> matches = tracks.matches(0, last);
@endcode
*/
class CV_EXPORTS_W HiPPI : public MultiMatcher
{
public:
    //! A matcher with these parameters. Throws as setParams() does.
    CV_WRAP static Ptr<HiPPI> create(const HiPPIParams& params = HiPPIParams());

    //! Throws cv::Exception, naming the parameter, its value and its range, where one is out of
    //! range.
    CV_WRAP virtual void setParams(const HiPPIParams& params) = 0;
    CV_WRAP virtual HiPPIParams getParams() const = 0; //!< a copy of the parameters

    //! Start of START_LABELS: per view a label for each point, negative: unmatched (partial mode
    //! only).
    CV_WRAP virtual void setInitialLabels(const std::vector<std::vector<int>>& labels) = 0;

    /** @brief The iteration on a given similarity and adjacency.
    Parameters of descriptors have no effect. Views and points are taken in the given order. Throws
    cv::Exception where sizes do not fit, S is not symmetric or A is not block-diagonal. */
    CV_WRAP virtual Tracks solve(const MatchingProblem& problem) = 0;
};

//! @}

}} // namespace cv::multimatch

#endif
