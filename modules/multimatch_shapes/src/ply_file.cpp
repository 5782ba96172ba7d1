// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "mesh_text.hpp"

#include <cstdint>
#include <cstring>

namespace cv { namespace multimatch { namespace shapes {

namespace {

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
double plyValue(const char* bytes)
{
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return static_cast<double>(value);
}

double plyNumber(const std::string& type, const char* bytes)
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
    uchar first = 0;
    std::memcpy(&first, &one, 1);
    return first == 1;
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
        char bytes[8];
        const size_t count = plyBytes(type);
        if (!in_.read(bytes, static_cast<std::streamsize>(count)))
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

PlyFormat plyFormat(const std::string& name, const TextReader& in)
{
    if (name == "ascii")
        return PLY_ASCII;
    if (name == "binary_little_endian")
        return PLY_LITTLE;
    if (name != "binary_big_endian")
        in.fail("found the format \"" + name +
                "\", expected ascii, binary_little_endian or binary_big_endian");
    return PLY_BIG;
}

PlyElement plyElement(const std::vector<std::string>& words, const TextReader& in)
{
    PlyElement element;
    element.name = words[1];
    element.count = in.integer(words[2], 0, INT_MAX);
    if (element.count > in.plausible(0))
        in.fail(format("found %d elements, more than the file has bytes", element.count));
    return element;
}

PlyProperty plyProperty(const std::vector<std::string>& words, const TextReader& in)
{
    PlyProperty property;
    property.name = words.back();
    property.type = words[words.size() - 2];
    property.countType = words.size() == 5 ? words[2] : "";
    if (plyBytes(property.type) == 0 ||
        (!property.countType.empty() && plyBytes(property.countType) == 0))
        in.fail("found a property of an unknown type: " + property.type);
    return property;
}

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
            kind = plyFormat(words[1], in);
            hasFormat = true;
        }
        else if (words[0] == "element" && words.size() == 3)
            elements.push_back(plyElement(words, in));
        else if (words[0] == "property" && !elements.empty() &&
                 (words.size() == 3 || (words.size() == 5 && words[1] == "list")))
            elements.back().properties.push_back(plyProperty(words, in));
        else
            in.fail("found \"" + words[0] + "\", expected format, element, property or end_header");
    }
    if (!hasFormat)
        in.fail("the header has no format");
    return elements;
}

//! Vertices and polygons of the elements behind the header.
class PlyReader
{
public:
    explicit PlyReader(const String& filename) : filename_(filename), in_(filename)
    {
        PlyFormat kind = PLY_ASCII;
        elements_ = readPlyHeader(in_, kind);
        if (kind == PLY_ASCII)
            body_ = makePtr<PlyText>(std::ref(in_));
        else
            body_ = makePtr<PlyBinary>(filename, kind == PLY_LITTLE);
    }

    Mesh read()
    {
        for (const PlyElement& element : elements_)
            // Elements without properties take no bytes.
            for (int n = 0; n < element.count && !element.properties.empty(); ++n)
            {
                if (element.name == "vertex")
                    readVertex(element, n);
                else
                    readOther(element, n);
            }
        for (size_t f = 0; f < polygons_.size(); ++f)
            addFace(f);
        return mesh_;
    }

private:
    void readVertex(const PlyElement& element, int n)
    {
        Vec3d place(0, 0, 0);
        int found = 0;
        for (const PlyProperty& property : element.properties)
        {
            if (!property.countType.empty())
            {
                readList(property, NULL);
                continue;
            }
            const double value = body_->next(property.type);
            const size_t axis = std::string("xyz").find(property.name);
            if (property.name.size() != 1 || axis == std::string::npos)
                continue;
            if (!std::isfinite(value))
                fail(format("vertex %d has the coordinate %g", n, value));
            place[static_cast<int>(axis)] = value;
            ++found;
        }
        if (found != 3)
            fail("the vertices have no x, y and z");
        mesh_.vertices.push_back(place);
    }

    void readOther(const PlyElement& element, int n)
    {
        for (const PlyProperty& property : element.properties)
        {
            if (property.countType.empty())
            {
                body_->next(property.type);
                continue;
            }
            if (element.name != "face" ||
                (property.name != "vertex_indices" && property.name != "vertex_index"))
            {
                readList(property, NULL);
                continue;
            }
            std::vector<int> corners;
            readList(property, &corners);
            if (corners.size() < 3)
                fail(format("face %d has %zu vertices, expected at least 3", n, corners.size()));
            polygons_.push_back(corners);
        }
    }

    //! indices: NULL: values of any kind, which are skipped.
    void readList(const PlyProperty& property, std::vector<int>* indices)
    {
        const int count =
            wholeNumber(body_->next(property.countType), in_.plausible(0), "length of a list");
        for (int c = 0; c < count; ++c)
        {
            const double value = body_->next(property.type);
            if (indices)
                indices->push_back(wholeNumber(value, INT_MAX, "vertex"));
        }
    }

    void addFace(size_t f)
    {
        for (int corner : polygons_[f])
            if (corner >= static_cast<int>(mesh_.vertices.size()))
                fail(format("face %zu has the vertex %d but there are %zu vertices", f, corner,
                            mesh_.vertices.size()));
        addPolygon(polygons_[f], mesh_);
    }

    //! A whole number in [0, limit).
    int wholeNumber(double value, double limit, const char* what) const
    {
        if (!(value >= 0) || value >= limit || value != std::floor(value))
            fail(format("found the %s %g, expected a whole number below %g", what, value, limit));
        return static_cast<int>(value);
    }

    void fail(const std::string& reason) const
    {
        CV_Error_(Error::StsParseError, ("%s: %s", filename_.c_str(), reason.c_str()));
    }

    String filename_;
    TextReader in_;
    std::vector<PlyElement> elements_;
    Ptr<PlyBody> body_;
    Mesh mesh_;
    std::vector<std::vector<int>> polygons_;
};

} // namespace

Mesh readPly(const String& filename)
{
    return PlyReader(filename).read();
}

}}} // namespace cv::multimatch::shapes
