// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "shapes.hpp"

#include "cut_shapes.hpp"

#include "arguments.hpp"
#include "files.hpp"
#include "measure.hpp"
#include "results.hpp"

#include "opencv2/core/utils/filesystem.hpp"
#include "opencv2/multimatch.hpp"
#include "opencv2/multimatch_shapes.hpp"

#include <cstdio>
#include <iostream>
#include <map>

namespace bench {

using namespace cv;
using namespace cv::multimatch;
using namespace cv::multimatch::shapes;

namespace {

const double PCK_STEP = 0.005, PCK_LAST = 0.25;
const double PCK_SHOWN[] = {0.025, 0.05, 0.1};
const int EXAMPLE_POSES = 4;
const int SPARSE_NEIGHBORS = 10; // nearest signatures on each other shape

struct ShapeClass
{
    std::string name;
    std::vector<Mesh> meshes;
    std::vector<int> mirror; //!< of the first shape; empty: not known
};

//! Errors of all matches in units of sqrt(area).
struct Errors
{
    std::vector<float> direct, upToSymmetry;

    void add(const SampledShape& from, int p, const SampledShape& to, int q,
             const std::vector<int>& mirror)
    {
        const int vertex = from.functions.samples[size_t(p)];
        const float error = to.distances.at<float>(q, vertex);
        direct.push_back(error);
        upToSymmetry.push_back(
            mirror.empty() ? error
                           : std::min(error, to.distances.at<float>(q, mirror[size_t(vertex)])));
    }
};

double mean(const std::vector<float>& values)
{
    double sum = 0;
    for (float value : values)
        sum += value;
    return values.empty() ? 0 : sum / double(values.size());
}

double shareBelow(const std::vector<float>& values, double limit)
{
    return values.empty() ? 0
                          : double(std::count_if(values.begin(), values.end(),
                                                 [&](float v) { return v <= limit; })) /
                                double(values.size());
}

//! Per place of X the index of the nearest of Y.
std::vector<int> nearestPlaces(const std::vector<Vec3d>& X, const std::vector<Vec3d>& Y,
                               std::vector<double>& distances)
{
    std::vector<int> nearest(X.size());
    distances.resize(X.size());
    parallel_for_(Range(0, int(X.size())), [&](const Range& range) {
        for (int x = range.start; x < range.end; ++x)
        {
            double best = DBL_MAX;
            for (size_t y = 0; y < Y.size(); ++y)
            {
                const Vec3d d = X[size_t(x)] - Y[y];
                const double distance = d.dot(d);
                if (distance < best)
                {
                    best = distance;
                    nearest[size_t(x)] = int(y);
                }
            }
            distances[size_t(x)] = std::sqrt(best);
        }
    });
    return nearest;
}

double medianOf(std::vector<double> values)
{
    std::nth_element(values.begin(), values.begin() + ptrdiff_t(values.size() / 2), values.end());
    return values[values.size() / 2];
}

//! x -> R x + t.
struct Motion
{
    Matx33d R;
    Vec3d t;

    std::vector<Vec3d> operator()(const std::vector<Vec3d>& points) const
    {
        std::vector<Vec3d> result;
        result.reserve(points.size());
        for (const Vec3d& point : points)
            result.push_back(R * point + t);
        return result;
    }
};

//! The reflection that moves points best to those they are next to now; the fifth that is farthest
//! away does not count.
Motion improved(const Motion& reflection, const std::vector<Vec3d>& points)
{
    std::vector<double> distances;
    const std::vector<int> nearest = nearestPlaces(reflection(points), points, distances);
    std::vector<double> sorted = distances;
    std::sort(sorted.begin(), sorted.end());
    const double limit = sorted[sorted.size() * 4 / 5];
    Vec3d p(0, 0, 0), q(0, 0, 0);
    double count = 0;
    for (size_t i = 0; i < points.size(); ++i)
        if (distances[i] <= limit)
        {
            p += points[i];
            q += points[size_t(nearest[i])];
            ++count;
        }
    p *= 1 / count;
    q *= 1 / count;
    Matx33d H = Matx33d::zeros();
    for (size_t i = 0; i < points.size(); ++i)
        if (distances[i] <= limit)
            H += Matx31d(points[size_t(nearest[i])] - q) * Matx31d(points[i] - p).t();
    Matx33d U, Vt;
    Matx31d w;
    SVD::compute(H, w, U, Vt);
    Motion result;
    result.R = U * Matx33d::diag(Vec3d(1, 1, -determinant(U * Vt) > 0 ? 1 : -1)) * Vt;
    result.t = q - result.R * p;
    return result;
}

/** Per vertex of a shape that is mirror symmetric in space the vertex on the other side: iterated
closest points from a reflection along each principal axis. */
std::vector<int> reflectionOf(const Mesh& mesh)
{
    const size_t MOST = 2500; // vertices that the motion is estimated from
    const size_t n = mesh.vertices.size(), step = std::max<size_t>(1, n / MOST);
    Mat places(int(n), 3, CV_64F);
    for (size_t v = 0; v < n; ++v)
        for (int c = 0; c < 3; ++c)
            places.at<double>(int(v), c) = mesh.vertices[v][c];
    const PCA axes(places, noArray(), PCA::DATA_AS_ROW);
    std::vector<Vec3d> centered, some;
    for (size_t v = 0; v < n; ++v)
        centered.push_back(mesh.vertices[v] - Vec3d(axes.mean.ptr<double>()));
    for (size_t v = 0; v < n; v += step)
        some.push_back(centered[v]);
    double best = DBL_MAX;
    std::vector<int> mirror;
    for (int axis = 0; axis < 3; ++axis)
    {
        const Vec3d a(axes.eigenvectors.ptr<double>(axis));
        Motion reflection;
        reflection.R = Matx33d::eye() - 2 * Matx31d(a) * Matx31d(a).t();
        reflection.t = Vec3d(0, 0, 0);
        for (int round = 0; round < 30; ++round)
            reflection = improved(reflection, some);
        std::vector<double> distances;
        const std::vector<int> found = nearestPlaces(reflection(centered), centered, distances);
        const double error = medianOf(distances);
        if (error < best)
        {
            best = error;
            mirror = found;
        }
    }
    return mirror;
}

//! Meshes below a folder by their name without the number at its end.
std::vector<ShapeClass> findClasses(const std::string& data, const std::vector<std::string>& wanted)
{
    std::vector<cv::String> files;
    for (const std::string& folder : {data + "/tosca", data})
        if (files.empty() && utils::fs::isDirectory(folder))
            utils::fs::glob(folder, "*.off", files, true);
    std::vector<std::string> names(files.begin(), files.end());
    std::sort(names.begin(), names.end(), ::samples::naturalLess);
    std::map<std::string, std::vector<std::string>> groups;
    for (const std::string& file : names)
    {
        std::string name = ::samples::baseName(file);
        name = name.substr(0, name.find_last_not_of("0123456789", name.size() - 5) + 1);
        groups[name].push_back(file);
    }
    std::vector<ShapeClass> classes;
    for (const auto& group : groups)
    {
        if (group.second.size() < 2 || (!wanted.empty() && std::find(wanted.begin(), wanted.end(),
                                                                     group.first) == wanted.end()))
            continue;
        ShapeClass shapes;
        shapes.name = group.first;
        for (const std::string& file : group.second)
        {
            shapes.meshes.push_back(readMesh(file));
            if (shapes.meshes.back().vertices.size() != shapes.meshes[0].vertices.size())
                throw ::samples::ArgumentError(file + " has another number of vertices than " +
                                               group.second[0] +
                                               ": the same vertex must be the same point");
        }
        shapes.mirror = reflectionOf(shapes.meshes[0]);
        classes.push_back(shapes);
    }
    return classes;
}

ShapeClass exampleClass()
{
    ShapeClass shapes;
    shapes.name = "example";
    for (int pose = 0; pose < EXAMPLE_POSES; ++pose)
        shapes.meshes.push_back(exampleShape(pose));
    shapes.mirror = exampleMirror();
    return shapes;
}

class ShapeBenchmark
{
public:
    ShapeBenchmark(Results& results, const ShapeMatchParams& params)
        : results_(results), params_(params)
    {
        std::printf("%-26s %-12s %7s %6s %6s %6s   %7s %6s   %6s %6s %8s\n", "class", "method",
                    "error", ".025", ".05", ".1", "sym.", ".05", "tracks", "in all", "seconds");
    }

    void run(const ShapeClass& shapes)
    {
        std::vector<SampledShape> sampled(shapes.meshes.size());
        const double seconds = secondsOf([&]() {
            parallel_for_(Range(0, int(sampled.size())), [&](const Range& range) {
                for (int i = range.start; i < range.end; ++i)
                    sampled[size_t(i)] = sampleShape(shapes.meshes[size_t(i)], params_);
            });
        });
        results_.add("shapes", shapes.name, "all", "preparation-seconds", seconds);
        std::printf("%-26s %zu shapes of %zu vertices, preparation %.1f s\n", shapes.name.c_str(),
                    sampled.size(), shapes.meshes[0].vertices.size(), seconds);
        measureAll(shapes.name + "/independent", sampled, sampled, shapes.mirror);
        // The points of the first shape on each, in another order.
        const std::vector<int> samples = sampled[0].functions.samples;
        for (size_t i = 0; i < sampled.size(); ++i)
        {
            std::vector<int>& order = sampled[i].functions.samples;
            order = samples;
            RNG rng(uint64(params_.seed) * 1000 + i + 1);
            for (int p = int(order.size()) - 1; p > 0; --p)
                std::swap(order[size_t(p)], order[size_t(rng.uniform(0, p + 1))]);
            sampled[i].distances = Geodesics(sampled[i].functions.mesh).distancesFrom(order);
        }
        measureAll(shapes.name + "/shuffled", sampled, sampled, shapes.mirror);
    }

    //! Every shape without another part of it. Errors are distances on the whole shapes.
    void runCut(const ShapeClass& shapes, double share)
    {
        std::vector<SampledShape> cut, whole;
        for (size_t i = 0; i < shapes.meshes.size(); ++i)
        {
            RNG rng(uint64(params_.seed) * 1000 + i + 1);
            const CutMesh part = cutMesh(shapes.meshes[i], share, rng);
            cut.push_back(sampleShape(part.mesh, params_));
            whole.push_back(sampleShape(shapes.meshes[i], params_));
            std::vector<int>& samples = whole.back().functions.samples;
            samples.clear();
            for (int vertex : cut.back().functions.samples)
                samples.push_back(part.originalVertex[size_t(vertex)]);
            whole.back().distances = Geodesics(whole.back().functions.mesh).distancesFrom(samples);
        }
        measureAll(shapes.name + format("/cut-%.2f", share), cut, whole, shapes.mirror);
    }

private:
    //! judged: the shapes that are matched, or whole shapes with the same points.
    void measureAll(const std::string& set, const std::vector<SampledShape>& shapes,
                    const std::vector<SampledShape>& judged, const std::vector<int>& mirror)
    {
        const std::pair<const char*, int> methods[] = {
            {"ours", SHAPES_UNIVERSE}, {"paper", SHAPES_PAPER}, {"quickmatch", SHAPES_QUICKMATCH}};
        for (const std::pair<const char*, int>& method : methods)
        {
            ShapeMatchParams params = params_;
            params.method = method.second;
            Tracks tracks;
            const double seconds =
                secondsOf([&]() { tracks = matchSampledShapes(shapes, params); });
            reportTracks(set, method.first, judged, mirror, tracks, seconds);
        }
        Tracks tracks;
        const double sparseSeconds = secondsOf([&]() { tracks = matchSparse(shapes); });
        reportTracks(set, "sparse", judged, mirror, tracks, sparseSeconds);
        Errors errors;
        const double seconds = secondsOf([&]() { matchNearest(shapes, judged, mirror, errors); });
        report(set, "nearest WKS", errors, seconds, 0, 0);
    }

    //! Per shape the wave kernel signatures of its samples.
    static std::vector<Mat> signaturesOf(const std::vector<SampledShape>& shapes)
    {
        std::vector<Mat> signatures;
        for (const SampledShape& shape : shapes)
        {
            const Mat all = waveKernelSignature(shape.functions.spectrum);
            Mat rows;
            for (int vertex : shape.functions.samples)
                rows.push_back(all.row(vertex));
            signatures.push_back(rows);
        }
        return signatures;
    }

    //! SparseConsistent on wave kernel signatures and geodesic distances.
    static Tracks matchSparse(const std::vector<SampledShape>& shapes)
    {
        std::vector<Mat> signatures = signaturesOf(shapes);
        for (Mat& rows : signatures)
            rows.convertTo(rows, CV_32F);
        const NeighborGraph nearest = findNeighbors(signatures, SPARSE_NEIGHBORS);
        MatchingProblem problem;
        problem.similarity = computeSimilarity(nearest);
        std::vector<Mat> distances;
        for (const SampledShape& shape : shapes)
        {
            const int n = static_cast<int>(shape.functions.samples.size());
            Mat_<float> D(n, n);
            for (int p = 0; p < n; ++p)
                for (int q = 0; q < n; ++q)
                    D(p, q) = shape.distances.at<float>(p, shape.functions.samples[size_t(q)]);
            problem.viewSizes.push_back(n);
            distances.push_back(D);
        }
        return SparseConsistent::create()->solve(problem, distances);
    }

    void reportTracks(const std::string& set, const std::string& method,
                      const std::vector<SampledShape>& shapes, const std::vector<int>& mirror,
                      const Tracks& tracks, double seconds)
    {
        Errors errors;
        int inAll = 0;
        for (int t = 0; t < tracks.size(); ++t)
            inAll += tracks.length(t) == int(shapes.size());
        for (int i = 0; i < int(shapes.size()); ++i)
            for (int j = 0; j < int(shapes.size()); ++j)
                if (i != j)
                    for (const DMatch& match : tracks.matches(i, j))
                        errors.add(shapes[size_t(i)], match.queryIdx, shapes[size_t(j)],
                                   match.trainIdx, mirror);
        report(set, method, errors, seconds, tracks.size(), inAll);
    }

    static void matchNearest(const std::vector<SampledShape>& shapes,
                             const std::vector<SampledShape>& judged,
                             const std::vector<int>& mirror, Errors& errors)
    {
        const std::vector<Mat> signatures = signaturesOf(shapes);
        for (size_t i = 0; i < shapes.size(); ++i)
            for (size_t j = 0; j < shapes.size(); ++j)
                for (int p = 0; i != j && p < signatures[i].rows; ++p)
                {
                    int nearest = 0;
                    double best = DBL_MAX;
                    for (int q = 0; q < signatures[j].rows; ++q)
                    {
                        const double d = norm(signatures[i].row(p), signatures[j].row(q));
                        if (d < best)
                        {
                            best = d;
                            nearest = q;
                        }
                    }
                    errors.add(judged[i], p, judged[j], nearest, mirror);
                }
    }

    void report(const std::string& set, const std::string& method, const Errors& errors,
                double seconds, int tracks, int inAll)
    {
        const auto add = [&](const std::string& metric, double value) {
            results_.add("shapes", set, method, metric, value);
        };
        add("mean-error", mean(errors.direct));
        add("mean-error-up-to-symmetry", mean(errors.upToSymmetry));
        for (int step = 0; step * PCK_STEP <= PCK_LAST + 1e-9; ++step)
        {
            const double limit = step * PCK_STEP;
            add(format("pck-%.3f", limit), shareBelow(errors.direct, limit));
            add(format("symmetric-pck-%.3f", limit), shareBelow(errors.upToSymmetry, limit));
        }
        add("matches", double(errors.direct.size()));
        add("tracks", tracks);
        add("tracks-in-all", inAll);
        add("seconds", seconds);
        std::printf("%-26s %-12s %7.4f %6.3f %6.3f %6.3f   %7.4f %6.3f   %6d %6d %8.1f\n",
                    set.c_str(), method.c_str(), mean(errors.direct),
                    shareBelow(errors.direct, PCK_SHOWN[0]),
                    shareBelow(errors.direct, PCK_SHOWN[1]),
                    shareBelow(errors.direct, PCK_SHOWN[2]), mean(errors.upToSymmetry),
                    shareBelow(errors.upToSymmetry, PCK_SHOWN[1]), tracks, inAll, seconds);
        std::fflush(stdout);
    }

    Results& results_;
    const ShapeMatchParams params_;
};

} // namespace

int runShapes(int argc, const char* const* argv)
{
    ::samples::Arguments arguments(
        "multimatch_bench shapes [--data DIR] [options]",
        "Error of matched points on classes of shapes in which the same vertex is the same point, "
        "DIR/tosca/CLASS*.off: geodesic\ndistance to the true point over the square root of the "
        "area, its mean, and the share of matches below .025, .05 and .1; direct\nand up to the "
        "left-right symmetry of the first shape. Protocols: points sampled independently on each "
        "shape, and the same vertices\nin another order. Without --data: creatures that the "
        "program makes.");
    arguments.option("data", "DIR", "", "folder with the classes");
    arguments.option("classes", "LIST", "", "only these classes, e.g. wolf,centaur");
    arguments.option("points", "N", "500", "points per shape");
    arguments.option("cut", "SHARE", "0",
                     "in place of both protocols: without this share of the faces of each shape, "
                     "around a random vertex");
    arguments.option("seed", "N", "0", "of the points");
    arguments.option("csv", "FILE", "", "write suite,set,method,metric,value");
    arguments.flag("help", false, "print this text");
    arguments.parse(argc, argv);
    if (arguments.getFlag("help"))
    {
        std::cout << arguments.help();
        return 0;
    }
    ShapeMatchParams params;
    params.points = arguments.getInt("points", 2, 100000);
    params.seed = arguments.getInt("seed", 0, INT_MAX);
    const double cut = arguments.getDouble("cut", 0, 0.9);
    std::vector<ShapeClass> classes(1);
    if (arguments.given("data"))
        classes = findClasses(arguments.get("data"), arguments.getList("classes"));
    else
        classes[0] = exampleClass();
    if (classes.empty())
        throw ::samples::ArgumentError("there are no classes of shapes below " +
                                       arguments.get("data") +
                                       ", expected two or more files tosca/CLASS*.off");
    Results results("shapes", arguments.get("csv"));
    ShapeBenchmark benchmark(results, params);
    for (const ShapeClass& shapes : classes)
        if (cut > 0)
            benchmark.runCut(shapes, cut);
        else
            benchmark.run(shapes);
    return 0;
}

} // namespace bench
