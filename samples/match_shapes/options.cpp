// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "options.hpp"

#include "arguments.hpp"
#include "files.hpp"

#include "opencv2/core/utils/filesystem.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/multimatch/io.hpp"

#include <algorithm>
#include <climits>
#include <locale>
#include <sstream>

using namespace cv::multimatch::shapes;

namespace {

const char* const EXAMPLES = R"(
Examples
  A folder of meshes; writes tracks, a picture and a page that turns the shapes:
    match_shapes meshes --output=tracks.yml.gz,tracks.csv --draw=shapes.png --report=shapes.html
  Five creatures that the program makes:
    match_shapes --example=5 --draw=shapes.png
  The recipe of the paper, for comparison:
    match_shapes meshes --method=paper --output=paper.csv

Each mesh must be one connected surface; boundaries are legal. Rows of --output=*.csv: track,shape,vertex,x,y,z,confidence, with the vertex
counted from 0 and the coordinates of the file.

Exit codes
  0  done
  1  the command line is wrong; nothing was done
  2  fewer than two meshes could be used; nothing was written
  3  done, but some meshes could not be used; they are listed at the end
  4  a result could not be written, or something else failed
  130  stopped by Ctrl-C; nothing was written
)";

const std::pair<const char*, int> METHODS[] = {
    {"universe", SHAPES_UNIVERSE}, {"paper", SHAPES_PAPER}, {"quickmatch", SHAPES_QUICKMATCH}};

samples::Arguments declareOptions()
{
    samples::Arguments arguments("match_shapes [options] FOLDER_OF_MESHES",
                                 "match_shapes finds points that are the same on all of several "
                                 "shapes: bent versions of one thing, or\nsimilar "
                                 "things, as triangle meshes (.off, .ply, .obj).");
    arguments.section("Input");
    arguments.option("example", "N", "", "no files: N bent and twisted creatures with known truth");
    arguments.section("Matching");
    arguments.option("method", "NAME", "universe",
                     "universe (functional maps and HiPPI), paper (wave kernel signatures and "
                     "HiPPI) or quickmatch");
    arguments.option("points", "N", "500", "points per shape");
    arguments.option("eigenpairs", "N", "200", "eigenpairs of the Laplacian, more than 100");
    arguments.option("min-confidence", "X", "0",
                     "remove memberships of lower confidence, 0 to 1; 0.5: fewer and better ones");
    arguments.option("min-length", "N", "2", "minimum number of shapes of a track");
    arguments.option("seed", "N", "0", "of the choice of points");
    arguments.option("threads", "N", "", "at most N threads (default: all)");
    arguments.section("Output");
    arguments.option("output", "FILE", "",
                     "where to write the tracks: .yml, .json, .xml, each also with .gz, or .csv; "
                     "several names are "
                     "separated by commas");
    arguments.option("colored", "DIR", "", "write each mesh as PLY, colored by the tracks");
    arguments.option("draw", "FILE", "", "write a picture of all shapes, e.g. shapes.png");
    arguments.option("report", "FILE", "", "write an HTML page that shows and turns the shapes");
    arguments.option("view", "A,E", "30,20",
                     "azimuth and elevation of the picture and the page, degrees");
    arguments.option("up", "AXIS", "z", "axis of the meshes that points up: x, y or z");
    arguments.flag("quiet", false, "print errors only");
    arguments.flag("help", false, "print this text");
    arguments.epilogue(EXAMPLES);
    return arguments;
}

int methodOf(const std::string& name)
{
    std::vector<std::string> names;
    for (const std::pair<const char*, int>& method : METHODS)
    {
        if (name == method.first)
            return method.second;
        names.push_back(method.first);
    }
    const std::string nearest = samples::nearestWord(name, names);
    throw samples::ArgumentError("--method=" + name + ": expected " + samples::join(names, ", ") +
                                 (nearest.empty() ? "" : "; did you mean " + nearest + "?"));
}

//! False unless the text is a number of at most this magnitude.
bool readAngle(const std::string& text, double most, double& angle)
{
    std::istringstream in(text);
    in.imbue(std::locale::classic());
    return (in >> angle) && in.peek() == std::istringstream::traits_type::eof() &&
           std::abs(angle) <= most;
}

void readView(const samples::Arguments& arguments, Options& options)
{
    const std::vector<std::string> angles = arguments.getList("view");
    if (angles.size() != 2 || !readAngle(angles[0], 360, options.azimuth) ||
        !readAngle(angles[1], 90, options.elevation))
        throw samples::ArgumentError("--view=" + arguments.get("view") +
                                     ": expected an azimuth from -360 to 360 and an elevation from "
                                     "-90 to 90, e.g. 30,20");
    const std::string up = arguments.get("up");
    if (up != "x" && up != "y" && up != "z")
        throw samples::ArgumentError("--up=" + up + ": expected x, y or z");
    options.up = up[0];
}

void readOutputs(const samples::Arguments& arguments, Options& options)
{
    options.tracks = arguments.getList("output");
    for (const std::string& name : options.tracks)
        if (!cv::multimatch::isTrackFileName(name))
            throw samples::ArgumentError(
                "--output=" + name +
                ": expected a name with .yml, .json, .xml (each also with .gz) or .csv");
    options.colored = arguments.get("colored");
    options.picture = arguments.get("draw");
    options.page = arguments.get("report");
    if (!options.picture.empty() && !cv::haveImageWriter(options.picture))
        throw samples::ArgumentError("--draw=" + options.picture +
                                     ": OpenCV cannot write images with this ending");
    // Errors are reported before the matching, which may take long.
    for (std::string name : outputNames(options))
    {
        if (name == options.colored)
            name += "/shape.ply";
        try
        {
            samples::NewFile probe(name);
        }
        catch (const cv::Exception& e)
        {
            throw samples::ArgumentError(e.err);
        }
    }
}

} // namespace

Options parseOptions(int argc, const char* const* argv)
{
    samples::Arguments arguments = declareOptions();
    arguments.parse(argc, argv);
    Options options;
    options.helpText = arguments.help();
    options.help = arguments.getFlag("help");
    if (options.help)
        return options;
    options.quiet = arguments.getFlag("quiet");
    options.example = arguments.given("example") ? arguments.getInt("example", 2, 100) : 0;
    for (const std::string& what : arguments.positional())
        for (const std::string& file : samples::listMeshes(what))
            options.meshes.push_back(file);
    if (options.meshes.empty() == (options.example == 0))
        throw samples::ArgumentError(options.example == 0
                                         ? "give a folder of meshes, or --example=N"
                                         : "--example=N excludes meshes");
    options.params.method = methodOf(arguments.get("method"));
    options.params.points = arguments.getInt("points", 2, 20000);
    options.params.eigenpairs =
        arguments.getInt("eigenpairs", options.params.alignment.lastSize + 1, 5000);
    options.params.minConfidence = static_cast<float>(arguments.getDouble("min-confidence", 0, 1));
    options.params.minLength = arguments.getInt("min-length", 1, INT_MAX);
    options.params.seed = arguments.getInt("seed", 0, INT_MAX);
    options.threads = arguments.given("threads") ? arguments.getInt("threads", 1, 4096) : 0;
    readView(arguments, options);
    readOutputs(arguments, options);
    return options;
}

std::vector<std::string> outputNames(const Options& options)
{
    std::vector<std::string> names = options.tracks;
    for (const std::string& name : {options.colored, options.picture, options.page})
        if (!name.empty())
            names.push_back(name);
    return names;
}
