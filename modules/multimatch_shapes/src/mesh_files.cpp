// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "opencv2/multimatch_shapes/mesh.hpp"

#include "mesh_text.hpp"

#include <cstring>

namespace cv { namespace multimatch { namespace shapes {

namespace {

bool endsWith(const String& name, const char* ending)
{
    const size_t length = std::strlen(ending);
    if (name.size() < length)
        return false;
    for (size_t i = 0; i < length; ++i)
        if (std::tolower(static_cast<unsigned char>(name[name.size() - length + i])) != ending[i])
            return false;
    return true;
}

void expectPolygon(size_t corners, const TextReader& in)
{
    if (corners < 3)
        in.fail(format("found a face with %zu vertices, expected at least 3", corners));
}

//! A count, which cannot be more than there are bytes in the file.
int readCount(Words& words, const TextReader& in, const char* what)
{
    const std::string word = words.next(what);
    const int count = in.integer(word, 0, INT_MAX);
    if (count > in.plausible(0))
        in.fail(format("found %d %s, more than the file has bytes", count, what));
    return count;
}

void readFaces(Words& words, const TextReader& in, int count, bool skipRest, Mesh& mesh)
{
    const int last = static_cast<int>(mesh.vertices.size()) - 1;
    std::vector<int> corners;
    for (int f = 0; f < count; ++f)
    {
        const int size = in.integer(words.next("last face"), 0, in.plausible(0));
        expectPolygon(static_cast<size_t>(size), in);
        corners.clear();
        for (int c = 0; c < size; ++c)
            corners.push_back(in.integer(words.next("last face"), 0, last));
        addPolygon(corners, mesh);
        if (skipRest)
            words.skipLine(); // colors
    }
}

Mesh readOff(const String& filename)
{
    TextReader in(filename);
    Words words(in);
    const std::string magic = words.next("header");
    if (magic != "OFF")
        in.fail("found \"" + magic + "\", expected OFF");
    const int vertices = readCount(words, in, "vertices"), faces = readCount(words, in, "faces");
    words.skipLine(); // the number of edges
    Mesh mesh;
    for (int v = 0; v < vertices; ++v)
    {
        Vec3d place;
        for (int c = 0; c < 3; ++c)
            place[c] = in.number(words.next("last vertex"));
        mesh.vertices.push_back(place);
        words.skipLine(); // colors
    }
    readFaces(words, in, faces, true, mesh);
    return mesh;
}

Mesh readObj(const String& filename)
{
    TextReader in(filename);
    Mesh mesh;
    std::vector<std::string> words;
    std::vector<int> corners;
    while (in.fields(words))
    {
        if (words.empty())
            continue;
        if (words[0] == "v")
        {
            if (words.size() < 4)
                in.fail("found a vertex with fewer than 3 coordinates");
            mesh.vertices.push_back(
                Vec3d(in.number(words[1]), in.number(words[2]), in.number(words[3])));
        }
        else if (words[0] == "f")
        {
            expectPolygon(words.size() - 1, in);
            corners.clear();
            const int count = static_cast<int>(mesh.vertices.size());
            for (size_t w = 1; w < words.size(); ++w)
            {
                // vertex/texture/normal, from 1; negative: from the last vertex back.
                const int index = in.integer(words[w].substr(0, words[w].find('/')), -count, count);
                if (index == 0)
                    in.fail("found the vertex 0, expected numbers from 1");
                corners.push_back(index > 0 ? index - 1 : count + index);
            }
            addPolygon(corners, mesh);
        }
    }
    if (mesh.vertices.empty())
        in.fail("the file has no vertices");
    return mesh;
}

} // namespace

Mesh readMesh(const String& filename)
{
    if (endsWith(filename, ".off"))
        return readOff(filename);
    if (endsWith(filename, ".ply"))
        return readPly(filename);
    if (endsWith(filename, ".obj"))
        return readObj(filename);
    CV_Error_(Error::StsBadArg, ("%s: expected a name with .off, .ply or .obj", filename.c_str()));
}

void writeMesh(const String& filename, const Mesh& mesh, const std::vector<Vec3b>& colors)
{
    if (!endsWith(filename, ".ply"))
        CV_Error_(Error::StsBadArg, ("%s: expected a name with .ply", filename.c_str()));
    if (!colors.empty() && colors.size() != mesh.vertices.size())
        CV_Error_(Error::StsUnmatchedSizes,
                  ("there are %zu colors but %zu vertices", colors.size(), mesh.vertices.size()));
    TextWriter file(filename);
    std::ofstream& out = file.stream();
    out.precision(9);
    out << "ply\nformat ascii 1.0\nelement vertex " << mesh.vertices.size()
        << "\nproperty double x\nproperty double y\nproperty double z\n";
    if (!colors.empty())
        out << "property uchar red\nproperty uchar green\nproperty uchar blue\n";
    out << "element face " << mesh.faces.size()
        << "\nproperty list uchar int vertex_indices\nend_header\n";
    for (size_t v = 0; v < mesh.vertices.size(); ++v)
    {
        const Vec3d& place = mesh.vertices[v];
        out << place[0] << " " << place[1] << " " << place[2];
        if (!colors.empty())
            out << " " << static_cast<int>(colors[v][0]) << " " << static_cast<int>(colors[v][1])
                << " " << static_cast<int>(colors[v][2]);
        out << "\n";
    }
    for (const Vec3i& face : mesh.faces)
        out << "3 " << face[0] << " " << face[1] << " " << face[2] << "\n";
    file.commit();
}

}}} // namespace cv::multimatch::shapes
