// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SHAPES_MATCH_SHAPES_HPP
#define OPENCV_MULTIMATCH_SHAPES_MATCH_SHAPES_HPP

#include "opencv2/multimatch_shapes/alignment.hpp"

namespace cv { namespace multimatch { namespace shapes {

//! How points of shapes are matched.
enum ShapeMethod
{
    SHAPES_UNIVERSE = 0, //!< similarities from alignShapes() and geodesics, then HiPPI
    /** The recipe of the paper @cite Bernard2019 : similarities from wave kernel signatures,
    QuickMatch start with rho_den 0.2, adjacency from geodesics with mu 5, HIPPI_LITERAL. */
    SHAPES_PAPER = 1,
    SHAPES_QUICKMATCH = 2 //!< the start of SHAPES_PAPER alone
};

//! Parameters of matchShapes(). The defaults are meant for all shapes.
struct ShapeMatchParams
{
    int method;     //!< ShapeMethod
    int points;     //!< points per shape, >= 2; all vertices where a shape has fewer
    int eigenpairs; //!< of the Laplacian, more than alignment.lastSize; fewer where a shape has few
                    //!< vertices
    float scale;    //!< width of the similarity in units of the distance between points, > 0
    float minConfidence;       //!< memberships of lower confidence are dissolved, in [0, 1]; see
                               //!< HiPPIParams
    int minLength;             //!< shorter tracks are dissolved, >= 1
    int seed;                  //!< of the points and of the random vertices
    AlignmentParams alignment; //!< for SHAPES_UNIVERSE; its seed is not used

    ShapeMatchParams();
    //! Throws cv::Exception, naming the parameter, its value and its range, where one is out of
    //! range.
    void validate() const;
};

//! A shape as it is matched.
struct SampledShape
{
    ShapeFunctions functions; //!< mesh of area 1; samples: the points
    /** points x vertices CV_32F: geodesic distances from each point, in units of sqrt(area). */
    Mat distances;
    double area; //!< of the mesh as it was given
};

/** @brief Prepares a shape: checks and orients the mesh, scales it to area 1, computes spectrum,
points and distances.
@param mesh see checkMesh()
@param params points, eigenpairs and seed
@param samples the points, if they are given; empty: farthest point sampling from a random vertex.
The random vertex depends on the seed and on the coordinates, so it does not depend on the order of
the shapes. Memory: 8 bytes x vertices x eigenpairs and 4 bytes x vertices x points. Throws as
checkMesh() does. */
SampledShape sampleShape(const Mesh& mesh, const ShapeMatchParams& params = ShapeMatchParams(),
                         const std::vector<int>& samples = std::vector<int>());

/** @brief Matches the points of shapes.
@param shapes two or more, with the same parameters prepared; moving and scaling a shape changes
nothing
@param params see there
@param callback progress; a stopped run returns no tracks, MatchReport::cancelled is then true
@return tracks: view i is shape i, point p is vertex shapes[i].functions.samples[p]. The same
whatever the order of the shapes and the number of threads. */
Tracks matchSampledShapes(const std::vector<SampledShape>& shapes,
                          const ShapeMatchParams& params = ShapeMatchParams(),
                          const ProgressCallback& callback = ProgressCallback());

//! Tracks and the points that they refer to.
struct ShapeTracks
{
    std::vector<SampledShape> shapes; //!< as matched
    Tracks tracks;                    //!< of their samples
};

/** @brief sampleShape() for each mesh, in parallel, and matchSampledShapes().
An error of a mesh names its number, from 0. */
ShapeTracks matchShapes(const std::vector<Mesh>& meshes,
                        const ShapeMatchParams& params = ShapeMatchParams(),
                        const ProgressCallback& callback = ProgressCallback());

}}} // namespace cv::multimatch::shapes

#endif
