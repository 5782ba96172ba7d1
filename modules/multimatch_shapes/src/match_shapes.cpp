// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "opencv2/multimatch_shapes/match_shapes.hpp"

#include "../../multimatch/src/base/run_control.hpp"
#include "../../multimatch/src/base/statistics.hpp"
#include "content.hpp"
#include "nearest_rows.hpp"

#include "opencv2/multimatch_shapes/geodesics.hpp"

namespace cv { namespace multimatch { namespace shapes {

namespace {

typedef std::vector<const SampledShape*> ShapeList;

//! Random vertices per shape among which the places of the points are searched.
const int CARRY_TARGETS = 8000;
const float LEAST_SIMILARITY = 1e-3f; //!< smaller ones are not stored

// The iteration of SHAPES_UNIVERSE.
const float UNIVERSE_MU = 1, UNIVERSE_TOLERANCE = 1e-4f;

// The paper's recipe.
const float PAPER_RHO_DEN = 0.2f, PAPER_RHO_EDGE = 1.1f, PAPER_MU = 5;
const int PAPER_ITERATIONS = 20;
const float PAPER_TOLERANCE = 1e-6f;

template<typename Value>
void checkRange(const char* name, Value value, double low, double high, const char* expected)
{
    if (!(value >= low) || value > high)
        CV_Error_(Error::StsOutOfRange, ("ShapeMatchParams::%s is %g, expected %s", name,
                                         static_cast<double>(value), expected));
}

//! Distances between the points of a shape.
Mat distancesBetweenPoints(const SampledShape& shape)
{
    const std::vector<int>& samples = shape.functions.samples;
    const int n = static_cast<int>(samples.size());
    Mat result(n, n, CV_32F);
    for (int p = 0; p < n; ++p)
        for (int q = 0; q < n; ++q)
            // Sums in another order differ in the last bits.
            result.at<float>(p, q) = std::min(shape.distances.at<float>(p, samples[q]),
                                              shape.distances.at<float>(q, samples[p]));
    return result;
}

//! Median over the points of the distance to the closest other one.
float spacing(const Mat& distances)
{
    std::vector<float> closest;
    for (int p = 0; p < distances.rows; ++p)
    {
        float least = std::numeric_limits<float>::infinity();
        for (int q = 0; q < distances.cols; ++q)
            if (p != q)
                least = std::min(least, distances.at<float>(p, q));
        closest.push_back(least);
    }
    return medianOf(closest);
}

std::vector<int> viewSizes(const ShapeList& shapes)
{
    std::vector<int> sizes;
    for (const SampledShape* shape : shapes)
        sizes.push_back(static_cast<int>(shape->functions.samples.size()));
    return sizes;
}

//! Tracks without members: of a run that was stopped.
std::vector<std::vector<int>> noLabels(const ShapeList& shapes)
{
    std::vector<std::vector<int>> labels;
    labels.reserve(shapes.size());
    for (int size : viewSizes(shapes))
        labels.push_back(std::vector<int>(static_cast<size_t>(size), -1));
    return labels;
}

//! A shape as similarityOf() needs it.
struct CarriedShape
{
    RowMatrixf points, targets; //!< places in the universe of the points and of targetVertices
    std::vector<int> targetVertices;
    float space; //!< spacing of the points
};

RowMatrixf copied(const Mat& mat)
{
    return RowMatrixf(Eigen::Map<const RowMatrixf>(mat.ptr<float>(), mat.rows, mat.cols));
}

CarriedShape carriedShape(const ShapeFunctions& functions, const Mat& map, const Mat& distances,
                          int seed)
{
    CarriedShape shape;
    std::vector<int>& vertices = shape.targetVertices;
    vertices.resize(functions.mesh.vertices.size());
    std::iota(vertices.begin(), vertices.end(), 0);
    RNG rng(contentNumber(functions.mesh, seed));
    const int all = static_cast<int>(vertices.size());
    const int count = std::min(all, CARRY_TARGETS);
    for (int v = 0; v < count && count < all; ++v)
        std::swap(vertices[v], vertices[rng.uniform(v, all)]);
    vertices.resize(count);
    shape.points = copied(universePlaces(functions, map, functions.samples));
    shape.targets = copied(universePlaces(functions, map, vertices));
    shape.space = spacing(distances);
    return shape;
}

//! The vertex of another shape at which each point of a shape lies.
std::vector<int> carriedTo(const CarriedShape& shape, const CarriedShape& other)
{
    std::vector<int> places = nearestRows(shape.points, other.targets);
    for (int& place : places)
        place = other.targetVertices[place];
    return places;
}

//! Symmetric entries of a sparse matrix.
struct SymmetricEntries
{
    std::vector<int> rows, columns;
    std::vector<float> values;

    void add(int r, int c, float value)
    {
        rows.insert(rows.end(), {r, c});
        columns.insert(columns.end(), {c, r});
        values.insert(values.end(), {value, value});
    }
};

/** S_pq = exp(-(d_j(T p, q)^2 + d_i(p, T q)^2) / (4 s^2)), T p the place of p on the other shape, s
= scale times the spacing of the points. */
CsrMatrix similarityOf(const ShapeList& shapes, const std::vector<Mat>& maps,
                       const std::vector<Mat>& distances, const ShapeMatchParams& params,
                       RunControl& control)
{
    const int n = static_cast<int>(shapes.size());
    std::vector<CarriedShape> carriers;
    carriers.reserve(shapes.size());
    for (size_t i = 0; i < shapes.size(); ++i)
        carriers.push_back(
            carriedShape(shapes[i]->functions, maps[i], distances[i], params.seed + 1));
    std::vector<std::vector<int>> carried(static_cast<size_t>(n) * static_cast<size_t>(n));
    control.forSlices(n * n, 8, [&](const Range& range) {
        for (int m = range.start; m < range.end; ++m)
            if (m / n != m % n)
                carried[m] = carriedTo(carriers[m / n], carriers[m % n]);
    });
    if (control.cancelled())
        return CsrMatrix();
    std::vector<int> offsets(1, 0);
    for (int size : viewSizes(shapes))
        offsets.push_back(offsets.back() + size);
    SymmetricEntries entries;
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j)
        {
            const std::vector<int>&there = carried[i * n + j], &back = carried[j * n + i];
            const float s = params.scale * (carriers[i].space + carriers[j].space) / 2;
            for (size_t p = 0; p < there.size(); ++p)
                for (size_t q = 0; q < back.size(); ++q)
                {
                    const float one = shapes[j]->distances.at<float>(static_cast<int>(q), there[p]);
                    const float other =
                        shapes[i]->distances.at<float>(static_cast<int>(p), back[q]);
                    const float value = std::exp(-(one * one + other * other) / (4 * s * s));
                    if (value >= LEAST_SIMILARITY)
                        entries.add(offsets[i] + static_cast<int>(p),
                                    offsets[j] + static_cast<int>(q), value);
                }
        }
    return CsrMatrix::fromTriplets(offsets.back(), offsets.back(), entries.rows, entries.columns,
                                   entries.values);
}

Adjacency adjacencyOf(const std::vector<Mat>& distances, float mu, float tolerance)
{
    AdjacencyParams params;
    params.mu = mu;
    params.tolerance = tolerance;
    params.maxNeighbors = 0;
    params.directional = 0;
    return adjacencyFromDistances(distances, params);
}

std::vector<Mat> waveSignatures(const ShapeList& shapes)
{
    std::vector<Mat> signatures;
    for (const SampledShape* shape : shapes)
    {
        const Mat all = waveKernelSignature(shape->functions.spectrum);
        Mat rows;
        for (int vertex : shape->functions.samples)
            rows.push_back(all.row(vertex));
        rows.convertTo(rows, CV_32F);
        signatures.push_back(rows);
    }
    return signatures;
}

std::vector<std::vector<int>> labelsOf(const Tracks& tracks)
{
    std::vector<std::vector<int>> labels;
    labels.reserve(static_cast<size_t>(tracks.viewCount()));
    for (int v = 0; v < tracks.viewCount(); ++v)
        labels.push_back(tracks.trackIds(v));
    return labels;
}

std::vector<std::vector<float>> confidencesOf(const Tracks& tracks)
{
    std::vector<std::vector<float>> confidences;
    confidences.reserve(static_cast<size_t>(tracks.viewCount()));
    for (int v = 0; v < tracks.viewCount(); ++v)
        confidences.push_back(tracks.confidence(v));
    return confidences;
}

Tracks matchAsPaper(const ShapeList& shapes, const std::vector<Mat>& distances, bool startOnly,
                    const ShapeMatchParams& params, RunControl& control)
{
    control.begin("start");
    const std::vector<Mat> signatures = waveSignatures(shapes);
    QuickMatchParams start;
    start.rhoDen = PAPER_RHO_DEN;
    start.rhoEdge = PAPER_RHO_EDGE;
    start.weighted = true;
    const Ptr<QuickMatch> quickMatch = QuickMatch::create(start);
    std::vector<Mat> points; // not used by QuickMatch
    points.reserve(signatures.size());
    for (const Mat& view : signatures)
        points.push_back(Mat::zeros(view.rows, 2, CV_32F));
    Tracks clusters = quickMatch->matchPoints(points, signatures);
    if (startOnly || !control.wanted())
        return clusters;
    control.begin("similarity");
    const std::vector<int> sizes = viewSizes(shapes);
    const NeighborGraph graph =
        findNeighbors(signatures, *std::max_element(sizes.begin(), sizes.end()));
    SimilarityParams similarity;
    similarity.rhoDen = PAPER_RHO_DEN;
    // QuickMatch's weight log(1 + bandwidth) depends on the unit of the signatures: here W would be
    // the identity with it.
    similarity.weighted = false;
    MatchingProblem problem;
    problem.viewSizes = sizes;
    problem.similarity = computeSimilarity(graph, similarity);
    problem.adjacency = adjacencyOf(distances, PAPER_MU, PAPER_TOLERANCE);
    HiPPIParams hippi;
    hippi.mode = HIPPI_LITERAL;
    hippi.start = START_LABELS;
    hippi.maxIterations = PAPER_ITERATIONS;
    hippi.seed = params.seed;
    std::vector<std::vector<int>> labels = labelsOf(clusters);
    int next = clusters.size();
    for (std::vector<int>& view : labels)
        for (int& label : view)
            if (label < 0)
                label = next++;
    // Every point begins with a universe point; a clustered and a single one that shared theirs by
    // chance would be wrong matches.
    hippi.universeSize = std::max(next, 1);
    const Ptr<HiPPI> matcher = HiPPI::create(hippi);
    matcher->setInitialLabels(labels);
    control.begin("iterations");
    matcher->setProgressCallback(
        [&](const Progress& progress) { return control.proceed(progress.fraction); });
    return matcher->solve(problem);
}

Tracks matchInUniverse(const ShapeList& shapes, const std::vector<Mat>& distances,
                       const ShapeMatchParams& params, RunControl& control)
{
    std::vector<ShapeFunctions> functions;
    for (const SampledShape* shape : shapes)
        functions.push_back(shape->functions);
    AlignmentParams alignment = params.alignment;
    alignment.seed = params.seed;
    control.begin("alignment");
    const std::vector<Mat> maps = alignShapes(functions, alignment, [&](const Progress& progress) {
        return control.proceed(progress.fraction);
    });
    if (maps.empty())
        return Tracks(noLabels(shapes));
    control.begin("similarity");
    MatchingProblem problem;
    problem.viewSizes = viewSizes(shapes);
    problem.similarity = similarityOf(shapes, maps, distances, params, control);
    if (control.cancelled())
        return Tracks(noLabels(shapes));
    problem.adjacency = adjacencyOf(distances, UNIVERSE_MU, UNIVERSE_TOLERANCE);
    HiPPIParams hippi;
    hippi.mode = HIPPI_COMPLETE;
    hippi.start = START_GREEDY;
    hippi.beta = 1;
    hippi.exact = true;
    hippi.directional = 0;
    hippi.seed = params.seed;
    const Ptr<HiPPI> matcher = HiPPI::create(hippi);
    control.begin("iterations");
    matcher->setProgressCallback(
        [&](const Progress& progress) { return control.proceed(progress.fraction); });
    // Every point gets a universe point; one without any similarity to the others of its track does
    // not belong to it.
    return matcher->solve(problem).filter(1, FLT_MIN);
}

void checkShapes(const std::vector<SampledShape>& shapes)
{
    if (shapes.size() < 2)
        CV_Error_(Error::StsBadArg, ("there are %zu shapes, expected 2 or more", shapes.size()));
    for (size_t i = 0; i < shapes.size(); ++i)
        if (shapes[i].distances.type() != CV_32F ||
            shapes[i].distances.rows != static_cast<int>(shapes[i].functions.samples.size()) ||
            shapes[i].distances.cols != static_cast<int>(shapes[i].functions.mesh.vertices.size()))
            CV_Error_(Error::StsUnmatchedSizes,
                      ("distances of shape %zu are %d x %d of type %d, expected points x vertices, "
                       "%zu x %zu, CV_32F",
                       i, shapes[i].distances.rows, shapes[i].distances.cols,
                       shapes[i].distances.type(), shapes[i].functions.samples.size(),
                       shapes[i].functions.mesh.vertices.size()));
}

} // namespace

ShapeMatchParams::ShapeMatchParams()
    : method(SHAPES_UNIVERSE), points(500), eigenpairs(200), scale(0.3f), minConfidence(0),
      minLength(2), seed(0)
{
}

void ShapeMatchParams::validate() const
{
    checkRange("method", method, 0, 2, "a ShapeMethod");
    checkRange("points", points, 2, INT_MAX, "2 or more");
    checkRange("eigenpairs", eigenpairs, 10, INT_MAX, "10 or more");
    checkRange("scale", scale, FLT_MIN, FLT_MAX, "more than 0");
    checkRange("minConfidence", minConfidence, 0, 1, "0 to 1");
    checkRange("minLength", minLength, 1, INT_MAX, "1 or more");
}

SampledShape sampleShape(const Mesh& mesh, const ShapeMatchParams& params,
                         const std::vector<int>& samples)
{
    params.validate();
    SampledShape shape;
    shape.functions.mesh = mesh;
    Mesh& scaled = shape.functions.mesh;
    checkMesh(scaled);
    orientFaces(scaled);
    shape.area = surfaceArea(scaled);
    for (Vec3d& vertex : scaled.vertices)
        vertex *= 1 / std::sqrt(shape.area);
    const int n = static_cast<int>(scaled.vertices.size());
    if (n < 12)
        CV_Error_(Error::StsBadArg, ("the mesh has %d vertices, expected 12 or more", n));
    shape.functions.spectrum = laplaceSpectrum(scaled, std::min(params.eigenpairs, n - 2));
    const Geodesics geodesics(scaled);
    if (samples.empty())
    {
        RNG rng(contentNumber(mesh, params.seed));
        shape.functions.samples = geodesics.farthestPoints(std::min(params.points, n),
                                                           rng.uniform(0, n), &shape.distances);
    }
    else
    {
        shape.functions.samples = samples;
        shape.distances = geodesics.distancesFrom(samples);
    }
    return shape;
}

Tracks matchSampledShapes(const std::vector<SampledShape>& shapes, const ShapeMatchParams& params,
                          const ProgressCallback& callback)
{
    params.validate();
    checkShapes(shapes);
    RunControl control(callback);
    // Shapes in an order that depends on their content alone.
    std::vector<std::pair<uint64, size_t>> order;
    for (size_t i = 0; i < shapes.size(); ++i)
        order.push_back(std::make_pair(contentNumber(shapes[i].functions.mesh, 0), i));
    std::sort(order.begin(), order.end());
    ShapeList list;
    std::vector<Mat> distances;
    for (const std::pair<uint64, size_t>& place : order)
    {
        list.push_back(&shapes[place.second]);
        distances.push_back(distancesBetweenPoints(shapes[place.second]));
    }
    const Tracks found =
        params.method == SHAPES_UNIVERSE
            ? matchInUniverse(list, distances, params, control)
            : matchAsPaper(list, distances, params.method == SHAPES_QUICKMATCH, params, control);
    MatchReport report = found.report();
    control.finish(report);
    const std::vector<std::vector<int>> labels =
        control.cancelled() ? noLabels(list) : labelsOf(found);
    const std::vector<std::vector<float>> confidences = confidencesOf(found);
    std::vector<std::vector<int>> givenLabels(shapes.size());
    std::vector<std::vector<float>> givenConfidences(shapes.size());
    for (size_t i = 0; i < order.size(); ++i)
    {
        givenLabels[order[i].second] = labels[i];
        givenConfidences[order[i].second] = confidences[i];
    }
    Tracks tracks(givenLabels, givenConfidences, 1);
    if (!control.cancelled())
        tracks = tracks.filter(params.minLength, params.minConfidence);
    tracks.setReport(report);
    return tracks;
}

ShapeTracks matchShapes(const std::vector<Mesh>& meshes, const ShapeMatchParams& params,
                        const ProgressCallback& callback)
{
    params.validate();
    if (meshes.size() < 2)
        CV_Error_(Error::StsBadArg, ("there are %zu meshes, expected 2 or more", meshes.size()));
    RunControl control(callback);
    control.begin("shapes");
    ShapeTracks result;
    result.shapes.resize(meshes.size());
    std::vector<String> errors(meshes.size());
    control.forSlices(static_cast<int>(meshes.size()), std::max(1, getNumThreads()),
                      [&](const Range& range) {
                          for (int i = range.start; i < range.end; ++i)
                          {
                              const size_t n = static_cast<size_t>(i);
                              try
                              {
                                  result.shapes[n] = sampleShape(meshes[n], params);
                              }
                              catch (const cv::Exception& e)
                              {
                                  errors[n] = e.err;
                              }
                          }
                      });
    for (size_t i = 0; i < errors.size(); ++i)
        if (!errors[i].empty())
            CV_Error_(Error::StsBadArg, ("mesh %zu: %s", i, errors[i].c_str()));
    MatchReport report;
    control.finish(report);
    if (control.cancelled())
    {
        result.tracks.setReport(report);
        return result;
    }
    result.tracks = matchSampledShapes(result.shapes, params, callback);
    MatchReport all = result.tracks.report();
    all.stages.insert(all.stages.begin(), report.stages.begin(), report.stages.end());
    all.seconds.insert(all.seconds.begin(), report.seconds.begin(), report.seconds.end());
    result.tracks.setReport(all);
    return result;
}

}}} // namespace cv::multimatch::shapes
