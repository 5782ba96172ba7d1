// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "opencv2/multimatch_shapes/mesh.hpp"

#include "../../multimatch/src/io/text_file.hpp"

#include <cstdint>
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

//! Polygons as triangles that share the first vertex.
void addPolygon(const std::vector<int>& corners, Mesh& mesh)
{
    for (size_t c = 2; c < corners.size(); ++c)
        mesh.faces.push_back(Vec3i(corners[0], corners[c - 1], corners[c]));
}

void expectPolygon(size_t corners, const TextReader& in)
{
    if (corners < 3)
        in.fail(format("found a face with %zu vertices, expected at least 3", corners));
}

//! The words of a text file one after the other, whatever the lines are.
class Words
{
public:
    explicit Words(TextReader& in) : in_(in), next_(0) {}

    //! What is missing where the file ends: for the message.
    const std::string& next(const char* missing)
    {
        while (next_ >= words_.size())
        {
            if (!in_.fields(words_))
                in_.fail(format("the file ends before its %s", missing));
            next_ = 0;
            for (size_t w = 0; w < words_.size(); ++w)
                if (words_[w][0] == '#')
                    words_.resize(w);
        }
        return words_[next_++];
    }
    //! The rest of the present line does not count.
    void skipLine() { next_ = words_.size(); }

private:
    TextReader& in_;
    std::vector<std::string> words_;
    size_t next_;
};

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

enum PlyFormat
{
    PLY_ASCII,
    PLY_LITTLE,
    PLY_BIG
};

struct PlyProperty
{
    std::string name, type, countType; //!< countType: empty unless it is a list
};

struct PlyElement
{
    std::string name;
    int count;
    std::vector<PlyProperty> properties;
};

//! Bytes of a type; 0: unknown.
size_t plyBytes(const std::string& type)
{
    if (type == "char" || type == "uchar" || type == "int8" || type == "uint8")
        return 1;
    if (type == "short" || type == "ushort" || type == "int16" || type == "uint16")
        return 2;
    if (type == "int" || type == "uint" || type == "int32" || type == "uint32" || type == "float" ||
        type == "float32")
        return 4;
    return type == "double" || type == "float64" ? 8 : 0;
}

template<typename T>
double plyValue(const uchar* bytes)
{
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return static_cast<double>(value);
}

double plyNumber(const std::string& type, const uchar* bytes)
{
    switch (plyBytes(type))
    {
    case 1:
        return type[0] == 'u' ? plyValue<uint8_t>(bytes) : plyValue<int8_t>(bytes);
    case 2:
        return type[0] == 'u' ? plyValue<uint16_t>(bytes) : plyValue<int16_t>(bytes);
    case 4:
        return type[0] == 'f'   ? plyValue<float>(bytes)
               : type[0] == 'u' ? plyValue<uint32_t>(bytes)
                                : plyValue<int32_t>(bytes);
    default:
        return plyValue<double>(bytes);
    }
}

bool hostIsLittle()
{
    const uint16_t one = 1;
    return *reinterpret_cast<const uchar*>(&one) == 1;
}

//! The numbers behind the header.
class PlyBody
{
public:
    virtual ~PlyBody() {}
    virtual double next(const std::string& type) = 0;
};

class PlyText : public PlyBody
{
public:
    explicit PlyText(TextReader& in) : in_(in), words_(in) {}
    double next(const std::string&) CV_OVERRIDE { return in_.number(words_.next("last element")); }

private:
    TextReader& in_;
    Words words_;
};

class PlyBinary : public PlyBody
{
public:
    PlyBinary(const String& filename, bool little)
        : filename_(filename), in_(filename.c_str(), std::ios::binary),
          swap_(little != hostIsLittle())
    {
        std::string line;
        while (std::getline(in_, line))
            if (line.compare(0, 10, "end_header") == 0)
                break;
    }
    double next(const std::string& type) CV_OVERRIDE
    {
        uchar bytes[8];
        const size_t count = plyBytes(type);
        if (!in_.read(reinterpret_cast<char*>(bytes), static_cast<std::streamsize>(count)))
            CV_Error_(Error::StsParseError,
                      ("%s: the file ends before its last element", filename_.c_str()));
        if (swap_)
            std::reverse(bytes, bytes + count);
        return plyNumber(type, bytes);
    }

private:
    String filename_;
    std::ifstream in_;
    bool swap_;
};

std::vector<PlyElement> readPlyHeader(TextReader& in, PlyFormat& kind)
{
    std::vector<std::string> words;
    std::vector<PlyElement> elements;
    if (!in.fields(words) || words.size() != 1 || words[0] != "ply")
        in.fail("expected a first line \"ply\"");
    bool hasFormat = false;
    for (;;)
    {
        if (!in.fields(words))
            in.fail("the file ends before end_header");
        if (words.empty() || words[0] == "comment" || words[0] == "obj_info")
            continue;
        if (words[0] == "end_header")
            break;
        if (words[0] == "format" && words.size() >= 2)
        {
            hasFormat = true;
            if (words[1] == "ascii")
                kind = PLY_ASCII;
            else if (words[1] == "binary_little_endian")
                kind = PLY_LITTLE;
            else if (words[1] == "binary_big_endian")
                kind = PLY_BIG;
            else
                in.fail("found the format \"" + words[1] +
                        "\", expected ascii, binary_little_endian or binary_big_endian");
        }
        else if (words[0] == "element" && words.size() == 3)
        {
            PlyElement element;
            element.name = words[1];
            element.count = in.integer(words[2], 0, INT_MAX);
            if (element.count > in.plausible(0))
                in.fail(format("found %d elements, more than the file has bytes", element.count));
            elements.push_back(element);
        }
        else if (words[0] == "property" && !elements.empty() &&
                 (words.size() == 3 || (words.size() == 5 && words[1] == "list")))
        {
            PlyProperty property;
            property.name = words.back();
            property.type = words[words.size() - 2];
            property.countType = words.size() == 5 ? words[2] : "";
            if (plyBytes(property.type) == 0 ||
                (!property.countType.empty() && plyBytes(property.countType) == 0))
                in.fail("found a property of an unknown type: " + property.type);
            elements.back().properties.push_back(property);
        }
        else
            in.fail("found \"" + words[0] + "\", expected format, element, property or end_header");
    }
    if (!hasFormat)
        in.fail("the header has no format");
    return elements;
}

void failPly(const String& filename, const std::string& reason)
{
    CV_Error_(Error::StsParseError, ("%s: %s", filename.c_str(), reason.c_str()));
}

//! A whole number in [0, limit).
int plyIndex(const String& filename, double value, double limit, const char* what)
{
    if (!(value >= 0) || value >= limit || value != std::floor(value))
        failPly(filename,
                format("found the %s %g, expected a whole number below %g", what, value, limit));
    return static_cast<int>(value);
}

Mesh readPly(const String& filename)
{
    TextReader in(filename);
    PlyFormat kind = PLY_ASCII;
    const std::vector<PlyElement> elements = readPlyHeader(in, kind);
    Ptr<PlyBody> body;
    if (kind == PLY_ASCII)
        body = Ptr<PlyBody>(new PlyText(in));
    else
        body = makePtr<PlyBinary>(filename, kind == PLY_LITTLE);
    const double most = in.plausible(0);

    Mesh mesh;
    std::vector<int> corners;
    std::vector<std::vector<int>> polygons;
    for (const PlyElement& element : elements)
    {
        const bool vertices = element.name == "vertex", faces = element.name == "face";
        // Elements without properties take no bytes.
        for (int n = 0; n < element.count && !element.properties.empty(); ++n)
        {
            Vec3d place(0, 0, 0);
            int found = 0;
            for (const PlyProperty& property : element.properties)
            {
                if (property.countType.empty())
                {
                    const double value = body->next(property.type);
                    const int axis = property.name == "x"   ? 0
                                     : property.name == "y" ? 1
                                     : property.name == "z" ? 2
                                                            : -1;
                    if (vertices && axis >= 0)
                    {
                        if (!std::isfinite(value))
                            failPly(filename, format("vertex %d has the coordinate %g", n, value));
                        place[axis] = value;
                        ++found;
                    }
                    continue;
                }
                const int count =
                    plyIndex(filename, body->next(property.countType), most, "length of a list");
                const bool wanted =
                    faces && (property.name == "vertex_indices" || property.name == "vertex_index");
                corners.clear();
                for (int c = 0; c < count; ++c)
                {
                    const double value = body->next(property.type);
                    if (wanted)
                        corners.push_back(plyIndex(filename, value, INT_MAX, "vertex"));
                }
                if (wanted && count < 3)
                    failPly(filename,
                            format("face %d has %d vertices, expected at least 3", n, count));
                if (wanted)
                    polygons.push_back(corners);
            }
            if (vertices && found != 3)
                failPly(filename, "the vertices have no x, y and z");
            if (vertices)
                mesh.vertices.push_back(place);
        }
    }
    for (size_t f = 0; f < polygons.size(); ++f)
    {
        for (int corner : polygons[f])
            if (corner >= static_cast<int>(mesh.vertices.size()))
                failPly(filename, format("face %zu has the vertex %d but there are %zu vertices", f,
                                         corner, mesh.vertices.size()));
        addPolygon(polygons[f], mesh);
    }
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
