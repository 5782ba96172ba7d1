// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Meshes: the first byte chooses the format, the others are the file. What was read is checked and
// written.

#include "fuzz.hpp"

#include "opencv2/multimatch_shapes/mesh.hpp"

namespace shapes = cv::multimatch::shapes;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    fuzz::Bytes bytes(data, size);
    const char* const names[] = {"m.off", "m.ply", "m.obj"};
    const std::string file = names[bytes.byte() % 3];
    const std::string path = fuzz::write(file, bytes.rest());
    try
    {
        shapes::Mesh mesh = shapes::readMesh(path);
        for (const cv::Vec3d& place : mesh.vertices)
            for (int c = 0; c < 3; ++c)
                fuzz::require(std::isfinite(place[c]), "finite coordinates");
        const int count = static_cast<int>(mesh.vertices.size());
        for (const cv::Vec3i& face : mesh.faces)
            for (int c = 0; c < 3; ++c)
                fuzz::require(face[c] >= 0 && face[c] < count, "vertices that exist");
        shapes::writeMesh(fuzz::folder() + "/copy.ply", mesh);
        const shapes::Mesh copy = shapes::readMesh(fuzz::folder() + "/copy.ply");
        fuzz::require(copy.faces == mesh.faces, "the same faces in a copy");
        shapes::checkMesh(mesh);
        shapes::orientFaces(mesh);
    }
    catch (const cv::Exception&)
    {
    }
    return 0;
}
