// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SHAPES_SPECTRUM_HPP
#define OPENCV_MULTIMATCH_SHAPES_SPECTRUM_HPP

#include "opencv2/multimatch_shapes/mesh.hpp"

namespace cv { namespace multimatch { namespace shapes {

//! The smallest eigenvalues of the Laplacian of a surface of n vertices and their eigenfunctions.
struct Spectrum
{
    Mat eigenvalues; //!< k x 1 CV_64F, ascending, the first one 0; in units of 1 / area of the mesh
    Mat eigenfunctions; //!< n x k CV_64F, orthonormal with respect to mass, of arbitrary sign
    Mat mass;           //!< n x 1 CV_64F, the area of the surface around each vertex
};

/** @brief Eigenpairs of the cotangent Laplacian.
@param mesh must pass checkMesh()
@param count k, from 2 to n - 1
The cotangents come from edge lengths that were all increased by the same small amount, so that
every triangle inequality holds by 1e-4 of the mean length @cite Sharp2020 : the Laplacian is
positive semidefinite on any mesh. Cost: about (k / 200)^2 of 3 seconds for 16,000 vertices. Throws
cv::Exception where count is out of range or the eigensolver does not converge. */
Spectrum laplaceSpectrum(const Mesh& mesh, int count);

/** @brief Wave kernel signature @cite Aubry2011 .
@param spectrum of a surface of n vertices
@param energies number of energies, >= 2, from the first eigenvalue above 0 to the last one
@param variance width of the filters in steps of the energy, > 0
@return n x energies CV_64F; each column is divided by the sum of its filter */
Mat waveKernelSignature(const Spectrum& spectrum, int energies = 100, double variance = 6.0);

/** @brief Heat kernel signature @cite Sun2009 .
@param spectrum of a surface of n vertices
@param times diffusion times, > 0, in units of the area
@return n x times CV_64F; each column is divided by the heat trace */
Mat heatKernelSignature(const Spectrum& spectrum, const std::vector<double>& times);

}}} // namespace cv::multimatch::shapes

#endif
