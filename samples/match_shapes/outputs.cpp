// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "outputs.hpp"

#include "files.hpp"
#include "image_file.hpp"
#include "page.hpp"
#include "picture.hpp"

#include <fstream>

using namespace cv::multimatch;
using namespace cv::multimatch::shapes;

namespace {

//! A field of a CSV file.
std::string field(const std::string& text)
{
    if (text.find_first_of(",\"\n\r") == std::string::npos)
        return text;
    std::string result = "\"";
    for (char c : text)
        result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + "\"";
}

void writeTable(const std::string& name, const std::vector<NamedMesh>& meshes,
                const ShapeTracks& found)
{
    samples::NewFile file(name);
    std::ofstream out(file.temporaryName().c_str(), std::ios::binary);
    out.imbue(std::locale::classic());
    out.precision(9);
    out << "track,shape,vertex,x,y,z,confidence\n";
    for (int t = 0; t < found.tracks.size(); ++t)
        for (const Observation& o : found.tracks.track(t))
        {
            const size_t view = static_cast<size_t>(o.view);
            const int vertex = found.shapes[view].functions.samples[o.point];
            const cv::Vec3d& place = meshes[view].mesh.vertices[vertex];
            out << t << ',' << field(samples::baseName(meshes[view].name)) << ',' << vertex << ','
                << place[0] << ',' << place[1] << ',' << place[2] << ',' << o.confidence << '\n';
        }
    out.close();
    if (!out)
        throw std::runtime_error("cannot write " + name + "; is the disk full?");
    file.commit();
}

//! The map that Tracks::load reads, and "shapes": name, vertices and places of the points.
void writeStorage(const std::string& name, const std::vector<NamedMesh>& meshes,
                  const ShapeTracks& found)
{
    samples::NewFile file(name);
    cv::FileStorage fs(file.temporaryName(), cv::FileStorage::WRITE);
    if (!fs.isOpened())
        throw std::runtime_error("cannot write " + name);
    found.tracks.write(fs);
    fs << "shapes"
       << "[";
    for (size_t i = 0; i < meshes.size(); ++i)
    {
        const std::vector<int>& samples = found.shapes[i].functions.samples;
        cv::Mat places(static_cast<int>(samples.size()), 3, CV_64F);
        for (int p = 0; p < places.rows; ++p)
            cv::Mat(meshes[i].mesh.vertices[samples[p]]).reshape(1, 1).copyTo(places.row(p));
        fs << "{"
           << "name" << meshes[i].name << "vertices" << samples << "places" << places << "}";
    }
    fs << "]";
    fs.release();
    // FileStorage does not notice a full disk.
    if (Tracks::load(file.temporaryName()) != found.tracks)
        throw std::runtime_error("cannot write " + name + "; is the disk full?");
    file.commit();
}

} // namespace

void writeOutputs(const Options& options, const std::vector<NamedMesh>& meshes,
                  const ShapeTracks& found)
{
    for (const std::string& name : options.tracks)
        if (samples::hasEnding(name, ".csv"))
            writeTable(name, meshes, found);
        else
            writeStorage(name, meshes, found);
    if (options.colored.empty() && options.picture.empty() && options.page.empty())
        return;
    const std::vector<ShapeColors> colors = colorShapes(found);
    const cv::Matx33d rotation = viewRotation(options.up, options.azimuth, options.elevation);
    std::vector<std::string> names;
    for (size_t i = 0; i < meshes.size(); ++i)
    {
        names.push_back(meshes[i].name);
        if (options.colored.empty())
            continue;
        // Meshes of different folders may have one name.
        const std::string base = samples::baseName(meshes[i].name);
        writeMesh(cv::format("%s/%02d_%s.ply", options.colored.c_str(), static_cast<int>(i),
                             base.substr(0, base.find_last_of('.')).c_str()),
                  meshes[i].mesh, colors[i].vertices);
    }
    if (!options.picture.empty())
        samples::writeImage(options.picture, drawShapes(found, colors, rotation));
    if (!options.page.empty())
        writeShapesPage(options.page, names, found, colors, rotation);
}
