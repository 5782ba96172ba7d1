// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_meshes.hpp"

#include <cstdio>
#include <fstream>
#include <locale>

namespace opencv_test { namespace {

//! A file in the folder for temporary files that is removed at the end.
class TextFile
{
public:
    TextFile(const std::string& ending, const std::string& text)
        : name_(cv::tempfile(ending.c_str()))
    {
        std::ofstream(name_.c_str(), std::ios::binary) << text;
    }
    ~TextFile() { std::remove(name_.c_str()); }
    const std::string& name() const { return name_; }

private:
    std::string name_;
};

std::string messageOfFile(const std::string& ending, const std::string& text)
{
    const TextFile file(ending, text);
    return messageOf([&]() { checkMesh(readMesh(file.name())); });
}

const char* const TETRAHEDRON_OFF =
    "OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";

template<typename T>
void append(std::string& bytes, T value, bool little)
{
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    const uint16_t one = 1;
    char first = 0;
    std::memcpy(&first, &one, 1);
    if ((first == 1) != little)
        std::reverse(raw, raw + sizeof(T));
    bytes.append(raw, sizeof(T));
}

std::string binaryPly(bool little)
{
    const Mesh mesh = tetrahedron();
    std::string text =
        std::string("ply\nformat ") + (little ? "binary_little_endian" : "binary_big_endian") +
        " 1.0\ncomment a test\nelement vertex 4\nproperty float x\nproperty float y\n"
        "property double z\nproperty uchar red\nelement face 4\n"
        "property list uchar int vertex_indices\nend_header\n";
    for (const Vec3d& v : mesh.vertices)
    {
        append(text, static_cast<float>(v[0]), little);
        append(text, static_cast<float>(v[1]), little);
        append(text, v[2], little);
        append(text, static_cast<uchar>(7), little);
    }
    for (const Vec3i& f : mesh.faces)
    {
        append(text, static_cast<uchar>(3), little);
        for (int c = 0; c < 3; ++c)
            append(text, static_cast<int>(f[c]), little);
    }
    return text;
}

void expectTetrahedron(const Mesh& mesh)
{
    EXPECT_EQ(tetrahedron().vertices, mesh.vertices);
    EXPECT_EQ(tetrahedron().faces, mesh.faces);
}

TEST(Shapes_Mesh, reads_all_formats)
{
    expectTetrahedron(readMesh(TextFile(".off", TETRAHEDRON_OFF).name()));
    expectTetrahedron(readMesh(TextFile(".ply", binaryPly(true)).name()));
    expectTetrahedron(readMesh(TextFile(".ply", binaryPly(false)).name()));
    expectTetrahedron(
        readMesh(TextFile(".obj", "# a comment\nv 0 0 0\nv 1 0 0\nvn 0 0 1\nv 0 1 0\nv 0 0 1\n"
                                  "f 1 3 2\nf 1/1 2/2 4/4\nf -3//1 3//1 -1//1\nf 3 1 4\n")
                     .name()));
    const TextFile written(".ply", "");
    writeMesh(written.name(), tetrahedron(), std::vector<Vec3b>(4, Vec3b(1, 2, 3)));
    expectTetrahedron(readMesh(written.name()));
}

TEST(Shapes_Mesh, polygons_become_triangles)
{
    const Mesh mesh = readMesh(
        TextFile(".off", "OFF 5 1 0\n0 0 0\n1 0 0 # a corner\n2 1 0 255 0 0\n1 2 0\n0 1 0\n"
                         "5 0 1 2 3 4 0.5 0.5 0.5\n")
            .name());
    EXPECT_EQ((std::vector<Vec3i>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}), mesh.faces);
}

//! A locale with a decimal comma.
struct Comma : std::numpunct<char>
{
    char do_decimal_point() const CV_OVERRIDE { return ','; }
};

TEST(Shapes_Mesh, numbers_do_not_depend_on_the_locale)
{
    std::string text = TETRAHEDRON_OFF;
    const TextFile file(".off", text.replace(text.find("1 0 0"), 5, "1.5 0 0")), copy(".ply", "");
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
    const Mesh mesh = readMesh(file.name());
    writeMesh(copy.name(), mesh);
    std::locale::global(before);
    EXPECT_EQ(1.5, mesh.vertices[1][0]);
    EXPECT_EQ(mesh.vertices, readMesh(copy.name()).vertices);
}

struct Damage
{
    const char *name, *ending, *text, *message;
};

const Damage DAMAGES[] = {
    {"empty", ".off", "", "the file ends before its header"},
    {"magic", ".off", "OOF\n1 1 1\n", "expected OFF"},
    {"no counts", ".off", "OFF\n", "the file ends before its vertices"},
    {"negative count", ".off", "OFF\n-4 4 0\n", "expected a whole number"},
    {"large count", ".off", "OFF\n2000000000 4 0\n", "more than the file has bytes"},
    {"few vertices", ".off", "OFF\n4 4 0\n0 0 0\n", "the file ends before its last vertex"},
    {"few faces", ".off", "OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n",
     "the file ends before its last face"},
    {"letters", ".off", "OFF\n3 1 0\n0 0 0\n1 x 0\n0 1 0\n3 0 1 2\n",
     "found \"x\", expected a number"},
    {"nan", ".off", "OFF\n3 1 0\n0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n", "expected a number"},
    {"index", ".off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
     "expected a whole number from 0 to 2"},
    {"two corners", ".off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n",
     "found a face with 2 vertices"},
    {"long face", ".off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2000000000 0 1\n",
     "expected a whole number"},
    {"no faces", ".off", "OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n", "the mesh has no faces"},
    {"vertex twice", ".off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 1\n", "has a vertex twice"},
    {"line", ".off", "OFF\n3 1 0\n0 0 0\n1 0 0\n2 0 0\n3 0 1 2\n", "has an area of 0"},
    {"unused", ".off", "OFF\n4 1 0\n0 0 0\n1 0 0\n0 1 0\n5 5 5\n3 0 1 2\n",
     "vertex 3 belongs to no face"},
    {"fan of three", ".off",
     "OFF\n5 3 0\n0 0 0\n1 0 0\n0 1 0\n0 -1 0\n0 0 1\n3 0 1 2\n3 0 1 3\n3 0 1 4\n",
     "belongs to more than two faces"},
    {"two parts", ".off",
     "OFF\n6 2 0\n0 0 0\n1 0 0\n0 1 0\n5 0 0\n6 0 0\n5 1 0\n3 0 1 2\n3 3 4 5\n",
     "2 components that are not connected"},
    {"touching", ".off", "OFF\n5 2 0\n0 0 0\n1 0 0\n0 1 0\n-1 0 0\n0 -1 0\n3 0 1 2\n3 0 3 4\n",
     "touch at vertex 0 alone"},
    {"huge", ".off", "OFF\n3 1 0\n0 0 0\n1e300 0 0\n0 1e300 0\n3 0 1 2\n",
     "the coordinates are too large"},
    {"obj index 0", ".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", "found the vertex 0"},
    {"obj index", ".obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n",
     "expected a whole number from -3 to 3"},
    {"obj short vertex", ".obj", "v 0 0\n", "fewer than 3 coordinates"},
    {"obj empty", ".obj", "# nothing\n", "the file has no vertices"},
    {"ply magic", ".ply", "plx\n", "expected a first line \"ply\""},
    {"ply header", ".ply", "ply\nformat ascii 1.0\n", "the file ends before end_header"},
    {"ply format", ".ply", "ply\nformat morse 1.0\nend_header\n", "expected ascii"},
    {"ply no format", ".ply", "ply\nelement vertex 3\nend_header\n", "the header has no format"},
    {"ply type", ".ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty color x\nend_header\n",
     "unknown type"},
    {"ply no z", ".ply",
     "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n1 "
     "2\n",
     "the vertices have no x, y and z"},
    {"ply count", ".ply",
     "ply\nformat ascii 1.0\nelement vertex 999999999\nproperty float x\nend_header\n",
     "more than the file has bytes"},
    {"ply list", ".ply",
     "ply\nformat ascii 1.0\nelement face 1\nproperty list int int vertex_indices\nend_header\n-3 "
     "1 2 3\n",
     "length of a list"},
    {"ply index", ".ply",
     "ply\nformat ascii 1.0\nelement face 1\nproperty list int int vertex_indices\nend_header\n3 0 "
     "1 2\n",
     "but there are 0 vertices"},
    {"ply cut", ".ply",
     "ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float "
     "y\nproperty float z\n"
     "end_header\nabcdef",
     "the file ends before its last element"},
    {"ending", ".stl", "solid\n", "expected a name with .off, .ply or .obj"},
};

TEST(Shapes_Mesh, damaged_files_get_a_sentence)
{
    for (const Damage& damage : DAMAGES)
    {
        const std::string message = messageOfFile(damage.ending, damage.text);
        EXPECT_NE(std::string::npos, message.find(damage.message))
            << damage.name << ": \"" << message << "\"";
    }
    EXPECT_NE(std::string::npos,
              messageOf([]() { readMesh("/nonexistent/mesh.off"); }).find("cannot read"));
}

//! Every prefix of a file is read or refused with a sentence.
TEST(Shapes_Mesh, cut_files_do_no_harm)
{
    for (const std::string& text : {std::string(TETRAHEDRON_OFF), binaryPly(true)})
        for (size_t length = 0; length + 1 < text.size(); ++length)
        {
            const TextFile file(text[0] == 'O' ? ".off" : ".ply", text.substr(0, length));
            EXPECT_FALSE(messageOf([&]() { readMesh(file.name()); }).empty() &&
                         readMesh(file.name()).faces.size() != 4)
                << length;
        }
}

TEST(Shapes_Mesh, boundaries_are_legal)
{
    EXPECT_EQ("", messageOf([]() { checkMesh(gridMesh(3)); }));
    EXPECT_EQ("", messageOf([]() { checkMesh(exampleShape(3, 3)); }));
}

TEST(Shapes_Mesh, orients_faces_outward)
{
    const Mesh right = exampleShape(1, 2);
    Mesh mesh = right;
    int flipped = 0;
    for (size_t f = 0; f < mesh.faces.size(); f += 3, ++flipped)
        std::swap(mesh.faces[f][0], mesh.faces[f][1]);
    EXPECT_EQ(flipped, orientFaces(mesh));
    EXPECT_EQ(0, orientFaces(mesh));
    for (size_t f = 0; f < mesh.faces.size(); ++f)
    {
        Vec3i face = mesh.faces[f];
        while (face[0] != right.faces[f][0])
            face = Vec3i(face[1], face[2], face[0]);
        EXPECT_EQ(right.faces[f], face);
    }
}

TEST(Shapes_Mesh, moebius_strip_is_refused)
{
    Mesh strip;
    const int n = 12;
    for (int i = 0; i < n; ++i)
        for (int side = -1; side <= 1; side += 2)
        {
            const double a = 2 * CV_PI * i / n, r = 2 + side * 0.5 * std::cos(a / 2);
            strip.vertices.push_back(
                Vec3d(r * std::cos(a), r * std::sin(a), side * 0.5 * std::sin(a / 2)));
        }
    for (int i = 0; i < n; ++i)
    {
        const bool seam = i + 1 == n; // the sides change places
        const int a = 2 * i, b = a + 1, c = seam ? 1 : a + 2, d = seam ? 0 : a + 3;
        strip.faces.insert(strip.faces.end(), {Vec3i(a, b, c), Vec3i(b, d, c)});
    }
    checkMesh(strip);
    EXPECT_NE(std::string::npos, messageOf([&]() { orientFaces(strip); }).find("one side only"));
}

TEST(Shapes_Mesh, example_is_symmetric)
{
    const Mesh mesh = exampleShape(0, 3);
    const std::vector<int> mirror = exampleMirror(3);
    ASSERT_EQ(642u, mesh.vertices.size());
    for (size_t v = 0; v < mirror.size(); ++v)
    {
        const Vec3d& other = mesh.vertices[mirror[v]];
        EXPECT_LT(norm(mesh.vertices[v] - Vec3d(-other[0], other[1], other[2])), 1e-9);
        EXPECT_EQ(static_cast<int>(v), mirror[mirror[v]]);
    }
}

}} // namespace opencv_test::
