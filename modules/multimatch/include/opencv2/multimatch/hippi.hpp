// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_HIPPI_HPP
#define OPENCV_MULTIMATCH_HIPPI_HPP

#include "opencv2/multimatch/adjacency.hpp"
#include "opencv2/multimatch/matcher.hpp"
#include "opencv2/multimatch/sparse.hpp"

namespace cv { namespace multimatch {

//! @addtogroup multimatch
//! @{

//! Must every point be matched?
enum HiPPIMode
{
    //! Points may stay unmatched, tracks are cleaned by their confidence. For photographs.
    HIPPI_PARTIAL = 0,
    /** The paper's algorithm to the letter: every point gets one of d universe points. With every view of d points
    this is the bijective case. */
    HIPPI_LITERAL = 1
};

//! How W is made from the similarities S.
enum HiPPINormalization
{
    //! W = I + beta D^-1/2 S D^-1/2, D the row sums of S: no scale to guess.
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
    START_LABELS = 5      //!< the labels of setInitialLabels
};

//! Parameters of HiPPI. The defaults are meant for all data: nothing here has to be set.
struct CV_EXPORTS_W_SIMPLE HiPPIParams
{
    CV_PROP_RW int mode; //!< HiPPIMode
    /** d, the number of universe points. 0 (default): estimated from the data, in literal mode twice
    the mean number of points a view, at least the largest view. */
    CV_PROP_RW int universeSize;
    CV_PROP_RW int neighbours; //!< nearest neighbours per point and view, in both directions, >= 1
    CV_PROP_RW float
        rhoDen; //!< bandwidth of the similarity, see SimilarityParams; 0: from the data
    CV_PROP_RW bool weighted;     //!< QuickMatch's weight on the similarity, see SimilarityParams
    CV_PROP_RW int normalization; //!< HiPPINormalization
    CV_PROP_RW float
        beta; //!< weight of other views against the point itself, > 0, with NORMALIZE_SYMMETRIC
    CV_PROP_RW float mu;          //!< scale of the adjacency, > 0; see AdjacencyParams
    CV_PROP_RW float tolerance;   //!< cut-off of the adjacency, in (0, 1); see AdjacencyParams
    CV_PROP_RW float directional; //!< frequency of the phase channels, >= 0; 0: isotropic
    CV_PROP_RW int start;         //!< HiPPIStart
    CV_PROP_RW int
        startCount; //!< starts tried where there is a choice (spectral, random), >= 1; best objective wins
    CV_PROP_RW float startRhoDen;  //!< rho_den of a QuickMatch start, > 0
    CV_PROP_RW float startRhoEdge; //!< rho_edge of a QuickMatch start, > 0
    /** Partial mode: what being matched costs, >= 0, as a multiple of what the point is worth
    standing alone. The objective is then f - 4 * (sum of charges), and it still never decreases. */
    CV_PROP_RW float charge;
    CV_PROP_RW int maxIterations; //!< projections, >= 0; 0 returns the start
    /** Exact products and an objective that never decreases; false truncates the rows of the products to their largest
    entries for speed, watches the objective and keeps the best iterate. */
    CV_PROP_RW bool exact;
    /** Partial mode: after the iteration every point is weighed again against the tracks it resembles, by
    appearance and by the tracks around it; false leaves the labels as the iteration ended. */
    CV_PROP_RW bool refine;
    /** Partial mode: memberships below this are dissolved, in [0, 1]. Of memberships told a confidence c about a share c is
    right; the default of 0.5 keeps what is more likely right than wrong. A lower value adds memberships and leaves the likely
    ones as they are. */
    CV_PROP_RW float minConfidence;
    CV_PROP_RW int minLength; //!< partial mode: shorter tracks are dissolved, >= 1
    CV_PROP_RW int seed;      //!< of everything random

    CV_WRAP HiPPIParams();
    void write(FileStorage& fs) const; //!< one node per parameter
    void read(const FileNode& node);   //!< absent nodes keep their value
    //! Throws cv::Exception, naming the parameter, its value and its range, where one is out of range.
    void validate() const;
};

//! A problem whose similarity, and perhaps adjacency, the caller made.
struct CV_EXPORTS MatchingProblem
{
    std::vector<int> viewSizes; //!< points per view, m in all
    /** S: symmetric m x m, not negative, without entries inside a view. 1: surely alike. */
    CsrMatrix similarity;
    /** A; without weights it is made from points or, where those are missing too, taken as the identity (no geometry). */
    Adjacency adjacency;
    /** Per view an n x 2 or n x 3 matrix as MultiMatcher::matchPoints takes it; empty: positions play no part in the confidence. */
    std::vector<Mat> points;
    /** Per view its key points, in place of points: their sizes and angles then count in the confidence too. */
    std::vector<std::vector<KeyPoint>> keypoints;
};

/** @brief Higher-order projected power iterations @cite Bernard2019 : the matcher of this module.

Maximises f(U) = || U' W A W U ||^2 over all assignments U of points to universe points in which no universe point
occurs twice in a view, by U <- proj(V), V = W A W U (U' W A W U), where proj is a linear
assignment per view. With exact products f never decreases.

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

    //! Throws cv::Exception, naming the parameter, its value and its range, where one is out of range.
    CV_WRAP virtual void setParams(const HiPPIParams& params) = 0;
    CV_WRAP virtual HiPPIParams getParams() const = 0; //!< a copy of the parameters

    //! Start of START_LABELS: per view a label for each point, negative: unmatched (partial mode only).
    CV_WRAP virtual void setInitialLabels(const std::vector<std::vector<int>>& labels) = 0;

    /** @brief The iteration on a similarity and an adjacency that the caller made.
    Everything about descriptors in the parameters plays no part. Views and points are taken in the given order. Throws
    cv::Exception where sizes do not fit, S is not symmetric or A is not block-diagonal. */
    virtual Tracks solve(const MatchingProblem& problem) = 0;
};

//! @}

}} // namespace cv::multimatch

#endif
