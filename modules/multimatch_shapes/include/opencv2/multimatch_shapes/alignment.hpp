// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SHAPES_ALIGNMENT_HPP
#define OPENCV_MULTIMATCH_SHAPES_ALIGNMENT_HPP

#include "opencv2/multimatch/matcher.hpp"
#include "opencv2/multimatch_shapes/spectrum.hpp"

namespace cv { namespace multimatch { namespace shapes {

//! How shapes are aligned. The defaults were chosen on the classes centaur and wolf of TOSCA.
struct AlignmentParams
{
    int firstSize;      //!< eigenfunctions of the first maps, >= 2
    int lastSize;       //!< eigenfunctions of the last maps, >= firstSize
    int step;           //!< eigenfunctions added in each round, >= 1
    int targets;        //!< random vertices per shape among which nearest ones are searched, >= 1
    double laplacian;   //!< weight of maps that commute with the Laplacian, >= 0
    double products;    //!< weight of maps that commute with products by functions, >= 0
    double orientation; //!< weight of maps that keep the orientation, >= 0; 0: left and right may
                        //!< be exchanged
    int seed;           //!< of the random vertices

    AlignmentParams();
};

//! What alignShapes() needs of a shape.
struct ShapeFunctions
{
    Mesh mesh;                //!< of area 1, oriented
    Spectrum spectrum;        //!< of mesh, with at least AlignmentParams::lastSize eigenpairs
    std::vector<int> samples; //!< vertices that are matched with the targets of all others
};

/** @brief Functional map between two shapes: the matrix C that takes coefficients of a function on
the first shape to those on the second.

Minimizes |C A - B|^2 / tr(A A') + laplacian * sum (l_b - l_a)^2 C^2 / max + products * mean |C M_f
- N_f C|^2 + orientation * mean |C O_f - P_f C|^2. A and B are the coefficients of 40 wave kernel
signatures @cite Ovsjanikov2012 , M_f and N_f multiply by a function f, O_f and P_f are g -> n .
(grad f x grad g)
@cite Ren2018 , for 14 functions f from heat and wave kernel signatures. The result is projected to
an orthogonal matrix.
@param from, to the shapes
@param params weights and size
@return firstSize x firstSize CV_64F, orthogonal */
Mat functionalMap(const ShapeFunctions& from, const ShapeFunctions& to,
                  const AlignmentParams& params = AlignmentParams());

/** @brief Synchronizes maps: orthogonal Y_i with C_ij ~ Y_j Y_i' for all pairs.
@param maps maps[i * n + j] is C_ij, k x k CV_64F, orthogonal, i != j; entries with i == j are not
read
@param n number of shapes, >= 2
@param start n matrices k x k to begin at; empty: leading eigenvectors of the matrix of all maps
@return n orthogonal matrices, k x k CV_64F, after at most 30 rounds of the projected power method
*/
std::vector<Mat> synchronizeMaps(const std::vector<Mat>& maps, int n,
                                 const std::vector<Mat>& start = std::vector<Mat>());

/** @brief Aligns all shapes with one universe.

Functional maps of all pairs, synchronized; then they grow from firstSize to lastSize as in ZoomOut
@cite Melzi2019 , but in the universe: rows of Phi_i Y_i are compared between all pairs, and the
maps that follow from the nearest ones are synchronized again.
@param shapes two or more
@param params sizes and weights
@param callback called between the rounds; where it returns false, the result is empty
@return per shape Y_i, lastSize x lastSize CV_64F: row p of Phi_i Y_i is the place of vertex p in
the universe Cost: pairs x samples x targets x lastSize^2 / step. */
std::vector<Mat> alignShapes(const std::vector<ShapeFunctions>& shapes,
                             const AlignmentParams& params = AlignmentParams(),
                             const ProgressCallback& callback = ProgressCallback());

/** @brief Places of all vertices of a shape in the universe.
@param shape one of those that were aligned
@param map its matrix of alignShapes()
@param vertices which ones; empty: all
@return vertices x lastSize CV_32F */
Mat universePlaces(const ShapeFunctions& shape, const Mat& map,
                   const std::vector<int>& vertices = std::vector<int>());

}}} // namespace cv::multimatch::shapes

#endif
