// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SHAPES_MESH_HPP
#define OPENCV_MULTIMATCH_SHAPES_MESH_HPP

#include "opencv2/core.hpp"

#include <vector>

namespace cv { namespace multimatch { namespace shapes {

//! A triangle mesh.
struct Mesh
{
    std::vector<Vec3d> vertices; //!< coordinates, of any unit
    std::vector<Vec3i> faces;    //!< three vertex indices each
};

/** @brief Reads a mesh.
@param filename *.off, *.ply (ascii and binary) or *.obj. Polygons are divided into triangles that
share their first vertex; everything but vertices and faces is skipped. The mesh is not checked
beyond what the file needs: indices exist and coordinates are finite; see checkMesh(). Numbers have
a decimal point whatever locale the program has set. Memory is needed for what the file holds, not
for what its header announces. Throws cv::Exception with the file, the line and what was expected.
*/
Mesh readMesh(const String& filename);

/** @brief Writes a mesh as PLY (ascii).
@param filename *.ply; appears under its name only when it is complete
@param mesh any mesh
@param colors per vertex red, green and blue; empty: none
Throws cv::Exception where the file cannot be written or there is another number of colors. */
void writeMesh(const String& filename, const Mesh& mesh,
               const std::vector<Vec3b>& colors = std::vector<Vec3b>());

/** @brief Throws cv::Exception, naming the first fault, unless the mesh is a connected surface.

Faults are: no faces, a face with an index out of range, a coordinate that is not finite, a face
with one vertex twice, a face of area 0, a vertex without a face, an edge of more than two faces, a
vertex where surfaces touch, more than one component. Boundaries are legal. Cost: f log f for f
faces. */
void checkMesh(const Mesh& mesh);

/** @brief Turns faces over until all are oriented the same way and, of a closed surface, outward.
@param mesh must pass checkMesh()
@return number of faces that were turned
Throws cv::Exception where the surface has one side only (a Moebius strip). */
int orientFaces(Mesh& mesh);

double surfaceArea(const Mesh& mesh); //!< sum of the areas of the faces

}}} // namespace cv::multimatch::shapes

#endif
