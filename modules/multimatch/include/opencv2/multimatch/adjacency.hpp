// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_ADJACENCY_HPP
#define OPENCV_MULTIMATCH_ADJACENCY_HPP

#include "opencv2/multimatch/sparse.hpp"

namespace cv { namespace multimatch {

//! @addtogroup multimatch_stages
//! @{

/** @brief Adjacency of the points inside each view: the geometry that matches must agree with.

weights is the real, symmetric, positive semidefinite, block-diagonal A of the paper, unit diagonal
included. phases makes it directional: each channel c is a unit complex number per point and stands
for the Hermitian matrix A_c = diag(phases[c]) * weights * diag(phases[c])^H, positive
semidefinite like weights. The objective is the sum over channels. Without phases there is the
one channel weights.
*/
struct CV_EXPORTS Adjacency
{
    CsrMatrix weights;                         //!< m x m, entries in (0, 1]
    std::vector<std::vector<Complexf>> phases; //!< per channel m unit numbers; may be empty
};

//! How point distances become adjacencies.
struct CV_EXPORTS AdjacencyParams
{
    /** Scale of the kernel, > 0: A_pq = exp(-d_pq^2 / (2 mu sigma^2)), sigma = median over the
    view's points of the distance to the closest other location. */
    float mu;
    /** Entries below this are not stored, in (0, 1). The cut makes A only nearly positive
    semidefinite: keep it at 1e-6 where the objective must be provably monotone. */
    float tolerance;
    //! At most this many neighbors a point (the closest; symmetrized by union), 0: no limit.
    int maxNeighbors;
    /** Frequency of the phase channels along the axes in units of 1 / (sqrt(mu) sigma); 0:
    isotropic, no phases. */
    float directional;

    AdjacencyParams();
};

//! Rotation and scale of a view relative to a common orientation of all views.
struct CV_EXPORTS ViewFrame
{
    float rotation; //!< radians, from the x axis toward the y axis
    float scale;    //!< > 0, pixels of this view per unit

    ViewFrame();
};

/** @brief Gaussian adjacency from coordinates.

@param points per view an n x D matrix, D of 2 or 3, CV_32F or CV_64F (or n x 1 of D channels); may
be empty
@param params scale, cut-off, direction
@param frames per view its rotation (used by the phases; in the plane of the first two coordinates)
and its scale (sigma then is in proportion to it: the median over the views, instead of each view's
own); empty: all upright, each view with its own sigma
Neighbors are found in a k-d tree: cost is n log n in the points plus their neighbors. Several
points at one location are adjacent with weight 1; a view whose points all coincide is one clique.
Throws cv::Exception on bad input, before any work.
*/
CV_EXPORTS Adjacency
computeAdjacency(InputArrayOfArrays points, const AdjacencyParams& params = AdjacencyParams(),
                 const std::vector<ViewFrame>& frames = std::vector<ViewFrame>());

/** @brief Gaussian adjacency from distances given by the caller, e.g. geodesics on a mesh.

@param distances per view a symmetric n x n matrix, CV_32F or CV_64F, zero diagonal, not negative;
infinite: not connected
@param params scale and cut-off; directional must be 0, as distances have no direction
*/
CV_EXPORTS Adjacency adjacencyFromDistances(InputArrayOfArrays distances,
                                            const AdjacencyParams& params);

//! @}

}} // namespace cv::multimatch

#endif
