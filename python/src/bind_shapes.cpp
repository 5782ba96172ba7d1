// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "bindings.hpp"
#include "interruptible.hpp"

#include "opencv2/multimatch_shapes.hpp"

namespace multimatch_python {

using namespace cv::multimatch;
using namespace cv::multimatch::shapes;

namespace {

typedef std::pair<cv::Mat, cv::Mat> MeshArrays; //!< vertices and faces

template<typename T>
std::vector<T> rowsOf(const cv::Mat& mat, int depth, const char* name)
{
    if (mat.dims != 2 || mat.channels() != 1 || (mat.cols != 3 && mat.rows > 0))
        CV_Error_(cv::Error::StsBadArg,
                  ("%s is an array of %d x %d, expected n x 3", name, mat.rows, mat.cols));
    cv::Mat converted;
    mat.convertTo(converted, depth);
    return converted.rows == 0 ? std::vector<T>()
                               : std::vector<T>(converted.ptr<T>(), converted.ptr<T>() + mat.rows);
}

Mesh meshOf(const cv::Mat& vertices, const cv::Mat& faces)
{
    if (faces.depth() != CV_32S && faces.depth() != CV_8U && faces.depth() != CV_16U)
        CV_Error(cv::Error::StsBadArg, "faces are not an array of int32");
    Mesh mesh;
    mesh.vertices = rowsOf<cv::Vec3d>(vertices, CV_64F, "vertices");
    mesh.faces = rowsOf<cv::Vec3i>(faces, CV_32S, "faces");
    return mesh;
}

template<typename T>
cv::Mat matOfRows(const std::vector<T>& rows)
{
    return cv::Mat(rows, true).reshape(1, static_cast<int>(rows.size()));
}

py::tuple arraysOf(const Mesh& mesh)
{
    return py::make_tuple(fromMat(matOfRows(mesh.vertices)), fromMat(matOfRows(mesh.faces)));
}

Spectrum spectrumOf(const cv::Mat& eigenvalues, const cv::Mat& eigenfunctions)
{
    Spectrum spectrum;
    eigenvalues.reshape(1, static_cast<int>(eigenvalues.total()))
        .convertTo(spectrum.eigenvalues, CV_64F);
    eigenfunctions.convertTo(spectrum.eigenfunctions, CV_64F);
    return spectrum;
}

void bindMeshes(py::module_& module)
{
    module.def(
        "readMesh", [](const std::string& filename) { return arraysOf(readMesh(filename)); },
        py::arg("filename"),
        "Vertices (n x 3, float64) and faces (m x 3, int32) of a file .off, .ply or .obj.");
    module.def(
        "writeMesh",
        [](const std::string& filename, const cv::Mat& vertices, const cv::Mat& faces,
           const cv::Mat& colors) {
            writeMesh(filename, meshOf(vertices, faces),
                      colors.empty() ? std::vector<cv::Vec3b>()
                                     : rowsOf<cv::Vec3b>(colors, CV_8U, "colors"));
        },
        py::arg("filename"), py::arg("vertices"), py::arg("faces"), py::arg("colors") = cv::Mat(),
        "Writes a .ply; colors: n x 3, uint8, red first.");
    module.def(
        "checkMesh",
        [](const cv::Mat& vertices, const cv::Mat& faces) { checkMesh(meshOf(vertices, faces)); },
        py::arg("vertices"), py::arg("faces"),
        "Raises cv2.error, naming the first fault, unless the mesh is a connected surface.");
    module.def(
        "orientFaces",
        [](const cv::Mat& vertices, const cv::Mat& faces) {
            Mesh mesh = meshOf(vertices, faces);
            checkMesh(mesh);
            orientFaces(mesh);
            return matOfRows(mesh.faces);
        },
        py::arg("vertices"), py::arg("faces"), "The faces, all oriented the same way and outward.");
    module.def(
        "exampleShape", [](int pose, int level) { return arraysOf(exampleShape(pose, level)); },
        py::arg("pose"), py::arg("level") = 4,
        "A creature in some pose; the same vertex is the same point in all poses.");
}

void bindFunctions(py::module_& module)
{
    module.def(
        "laplaceSpectrum",
        [](const cv::Mat& vertices, const cv::Mat& faces, int count) {
            const Mesh mesh = meshOf(vertices, faces);
            checkMesh(mesh);
            const Spectrum spectrum = laplaceSpectrum(mesh, count);
            return py::make_tuple(fromMat(spectrum.eigenvalues), fromMat(spectrum.eigenfunctions),
                                  fromMat(spectrum.mass));
        },
        py::arg("vertices"), py::arg("faces"), py::arg("count"),
        "Smallest eigenvalues (k x 1), eigenfunctions (n x k) and mass (n x 1) of the Laplacian.");
    module.def(
        "waveKernelSignature",
        [](const cv::Mat& eigenvalues, const cv::Mat& eigenfunctions, int energies,
           double variance) {
            return waveKernelSignature(spectrumOf(eigenvalues, eigenfunctions), energies, variance);
        },
        py::arg("eigenvalues"), py::arg("eigenfunctions"), py::arg("energies") = 100,
        py::arg("variance") = 6.0, "n x energies, float64.");
    module.def(
        "heatKernelSignature",
        [](const cv::Mat& eigenvalues, const cv::Mat& eigenfunctions,
           const std::vector<double>& times) {
            return heatKernelSignature(spectrumOf(eigenvalues, eigenfunctions), times);
        },
        py::arg("eigenvalues"), py::arg("eigenfunctions"), py::arg("times"), "n x times, float64.");
    module.def(
        "geodesicDistances",
        [](const cv::Mat& vertices, const cv::Mat& faces, const std::vector<int>& sources) {
            const Mesh mesh = meshOf(vertices, faces);
            checkMesh(mesh);
            return Geodesics(mesh).distancesFrom(sources);
        },
        py::arg("vertices"), py::arg("faces"), py::arg("sources"),
        "Distances along the surface from vertices to all vertices: sources x n, float32.");
    module.def(
        "farthestPoints",
        [](const cv::Mat& vertices, const cv::Mat& faces, int count, int first) {
            const Mesh mesh = meshOf(vertices, faces);
            checkMesh(mesh);
            return toArray(Geodesics(mesh).farthestPoints(count, first));
        },
        py::arg("vertices"), py::arg("faces"), py::arg("count"), py::arg("first") = 0,
        "Vertices, each the farthest one from all before it.");
}

void bindMatching(py::module_& module)
{
    module.attr("SHAPES_UNIVERSE") = static_cast<int>(SHAPES_UNIVERSE);
    module.attr("SHAPES_PAPER") = static_cast<int>(SHAPES_PAPER);
    module.attr("SHAPES_QUICKMATCH") = static_cast<int>(SHAPES_QUICKMATCH);
    py::class_<AlignmentParams>(module, "AlignmentParams", "How shapes are aligned.")
        .def(py::init<>())
        .def_readwrite("firstSize", &AlignmentParams::firstSize, "Of the first maps, >= 2.")
        .def_readwrite("lastSize", &AlignmentParams::lastSize, "Of the last maps.")
        .def_readwrite("step", &AlignmentParams::step, "Eigenfunctions added in each round, >= 1.")
        .def_readwrite("targets", &AlignmentParams::targets, "Random vertices per shape, >= 1.")
        .def_readwrite("laplacian", &AlignmentParams::laplacian, "Weight, >= 0.")
        .def_readwrite("products", &AlignmentParams::products, "Weight, >= 0.")
        .def_readwrite("orientation", &AlignmentParams::orientation, "Weight, >= 0.")
        .def_readwrite("seed", &AlignmentParams::seed, "Of the random vertices.");
    py::class_<ShapeMatchParams>(module, "ShapeMatchParams", "Parameters of matchShapes.")
        .def(py::init<>())
        .def_readwrite("method", &ShapeMatchParams::method, "A SHAPES_ constant.")
        .def_readwrite("points", &ShapeMatchParams::points, "Points per shape, >= 2.")
        .def_readwrite("eigenpairs", &ShapeMatchParams::eigenpairs, "Of the Laplacian.")
        .def_readwrite("scale", &ShapeMatchParams::scale, "Width of the similarity, > 0.")
        .def_readwrite("minConfidence", &ShapeMatchParams::minConfidence,
                       "Memberships below this are dissolved, in [0, 1].")
        .def_readwrite("minLength", &ShapeMatchParams::minLength, "Of a track, >= 1.")
        .def_readwrite("seed", &ShapeMatchParams::seed, "Of all random choices.")
        .def_readwrite("alignment", &ShapeMatchParams::alignment, "Of SHAPES_UNIVERSE.");
    module.def(
        "matchShapes",
        [](const std::vector<MeshArrays>& meshes, const ShapeMatchParams& params,
           const py::object& callback) {
            std::vector<Mesh> list;
            list.reserve(meshes.size());
            for (const MeshArrays& mesh : meshes)
                list.push_back(meshOf(mesh.first, mesh.second));
            const ProgressCallback progress = makeProgressCallback(callback);
            const ShapeTracks found =
                runInterruptibly([&]() { return matchShapes(list, params, progress); });
            py::tuple points(found.shapes.size());
            for (size_t i = 0; i < found.shapes.size(); ++i)
                points[i] = toArray(found.shapes[i].functions.samples);
            return py::make_tuple(found.tracks, points);
        },
        py::arg("meshes"), py::arg("params") = ShapeMatchParams(), py::arg("callback") = py::none(),
        "Matches points of meshes, each a pair of vertices and faces. Returns Tracks and per mesh "
        "the vertices that its points are. callback(progress) may return False to stop.");
}

} // namespace

void bindShapes(py::module_& parent)
{
    py::module_ module = parent.def_submodule(
        "shapes", "Matching of points on shapes: triangle meshes as NumPy arrays.");
    bindMeshes(module);
    bindFunctions(module);
    bindMatching(module);
}

} // namespace multimatch_python
