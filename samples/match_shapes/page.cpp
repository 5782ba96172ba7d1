// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "page.hpp"

#include "files.hpp"
#include "page_text.hpp"

#include <sstream>

namespace samples {
extern const char SHAPES_PAGE[]; // shapes_page.html, made by embed_file.cmake
}

using namespace cv::multimatch::shapes;

namespace {

std::vector<uchar> bytesOf(const std::vector<cv::Vec3b>& colors)
{
    std::vector<uchar> bytes;
    for (const cv::Vec3b& color : colors)
        bytes.insert(bytes.end(), {color[0], color[1], color[2]});
    return bytes;
}

void addShape(std::ostream& out, const std::string& name, const ShapeFunctions& shape,
              const ShapeColors& colors, const std::vector<int>& ids)
{
    std::vector<float> places;
    for (const cv::Vec3d& v : shape.mesh.vertices)
        for (int c = 0; c < 3; ++c)
            places.push_back(static_cast<float>(v[c]));
    std::vector<unsigned> corners;
    for (const cv::Vec3i& f : shape.mesh.faces)
        for (int c = 0; c < 3; ++c)
            corners.push_back(static_cast<unsigned>(f[c]));
    out << "{\"name\":" << samples::quoted(samples::baseName(name)) << ",\n\"places\":\""
        << samples::base64Of(places) << "\",\n\"corners\":\"" << samples::base64Of(corners)
        << "\",\n\"colors\":\"" << samples::base64Of(bytesOf(colors.vertices))
        << "\",\n\"points\":\"" << samples::base64Of(shape.samples) << "\",\n\"tracks\":\""
        << samples::base64Of(ids) << "\",\n\"pointColors\":\""
        << samples::base64Of(bytesOf(colors.points)) << "\"}";
}

} // namespace

void writeShapesPage(const std::string& file, const std::vector<std::string>& names,
                     const ShapeTracks& found, const std::vector<ShapeColors>& colors,
                     const cv::Matx33d& rotation)
{
    std::ostringstream data;
    data.imbue(std::locale::classic());
    data << "{\"rotation\":[";
    for (int n = 0; n < 9; ++n)
        data << (n ? "," : "") << rotation.val[n];
    data << "],\n\"shapes\":[";
    for (size_t i = 0; i < found.shapes.size(); ++i)
    {
        data << (i ? ",\n" : "\n");
        addShape(data, names[i], found.shapes[i].functions, colors[i],
                 found.tracks.ids(static_cast<int>(i)));
    }
    data << "],\n\"trackCount\":" << found.tracks.size() << "}";
    samples::writePage(file, samples::SHAPES_PAGE, data.str());
}
