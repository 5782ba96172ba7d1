// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "opencv2/multimatch_shapes/alignment.hpp"

#include "../../multimatch/src/base/run_control.hpp"
#include "content.hpp"
#include "nearest_rows.hpp"
#include "operators.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>

namespace cv { namespace multimatch { namespace shapes {

namespace {

typedef std::vector<Eigen::MatrixXd> Matrices;

const int SYNCHRONIZATION_ROUNDS = 30;
const double SYNCHRONIZED = 1e-4; //!< largest change of an entry in the last round

//! The orthogonal matrix next to a matrix.
Eigen::MatrixXd orthogonal(const Eigen::MatrixXd& matrix)
{
    const Eigen::BDCSVD<Eigen::MatrixXd> svd(matrix, Eigen::ComputeFullU | Eigen::ComputeFullV);
    return svd.matrixU() * svd.matrixV().transpose();
}

Eigen::MatrixXd mapOf(const MapConstraints& from, const MapConstraints& to,
                      const AlignmentParams& params)
{
    const Eigen::Index k = from.eigenvalues.size();
    const Eigen::MatrixXd& A = from.coefficients;
    const Eigen::MatrixXd gram = A * A.transpose();
    const double trace = std::max(gram.trace(), 1e-300);
    // Unknowns are the rows of C one after the other. C P - Q C has the normal matrix
    // I x P P' - Q' x P' - Q x P + Q' Q x I, x the Kronecker product.
    Eigen::MatrixXd rowPart = gram / trace, columnPart = Eigen::MatrixXd::Zero(k, k);
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(k * k, k * k);
    const auto commute = [&](double weight, const Matrices& P, const Matrices& Q) {
        weight /= static_cast<double>(P.size());
        for (size_t f = 0; f < P.size(); ++f)
        {
            rowPart += weight * P[f] * P[f].transpose();
            columnPart += weight * Q[f].transpose() * Q[f];
            for (Eigen::Index r = 0; r < k; ++r)
                for (Eigen::Index c = 0; c < k; ++c)
                    H.block(r * k, c * k, k, k) -=
                        weight * (Q[f](c, r) * P[f].transpose() + Q[f](r, c) * P[f]);
        }
    };
    if (params.products > 0)
        commute(params.products, from.products, to.products);
    if (params.orientation > 0)
        commute(params.orientation, from.turns, to.turns);
    const double largest =
        std::max(std::pow(from.eigenvalues.maxCoeff() - to.eigenvalues.minCoeff(), 2),
                 std::pow(to.eigenvalues.maxCoeff() - from.eigenvalues.minCoeff(), 2));
    for (Eigen::Index r = 0; r < k; ++r)
    {
        H.block(r * k, r * k, k, k) += rowPart;
        for (Eigen::Index c = 0; c < k; ++c)
        {
            H.block(r * k, c * k, k, k).diagonal().array() += columnPart(r, c);
            H(r * k + c, r * k + c) +=
                1e-9 + params.laplacian * std::pow(to.eigenvalues[r] - from.eigenvalues[c], 2) /
                           std::max(largest, 1e-300);
        }
    }
    const RowMatrix right = to.coefficients * A.transpose() / trace;
    const Eigen::VectorXd solution =
        H.partialPivLu().solve(Eigen::Map<const Eigen::VectorXd>(right.data(), k * k));
    return orthogonal(Eigen::Map<const RowMatrix>(solution.data(), k, k));
}

//! maps[i * n + j]: from i to j.
Matrices synchronized(const Matrices& maps, int n, Matrices places)
{
    const Eigen::Index k = maps[1].rows();
    Eigen::MatrixXd H = Eigen::MatrixXd::Identity(n * k, n * k);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            if (i != j)
            {
                const Eigen::MatrixXd& map = maps[i * n + j];
                H.block(j * k, i * k, k, k) += map / 2;
                H.block(i * k, j * k, k, k) += map.transpose() / 2;
            }
    if (places.empty())
    {
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(H);
        const Eigen::MatrixXd leading = solver.eigenvectors().rightCols(k);
        // The universe is that of the first shape.
        for (int i = 0; i < n; ++i)
            places.push_back(
                orthogonal(leading.middleRows(i * k, k) * leading.topRows(k).transpose()));
    }
    Eigen::MatrixXd Y(n * k, k);
    for (int i = 0; i < n; ++i)
        Y.middleRows(i * k, k) = places[i];
    for (int round = 0; round < SYNCHRONIZATION_ROUNDS; ++round)
    {
        std::vector<double> change(static_cast<size_t>(n));
        parallel_for_(Range(0, n), [&](const Range& range) {
            for (int i = range.start; i < range.end; ++i)
            {
                Eigen::MatrixXd& place = places[i];
                place = orthogonal(H.middleRows(i * k, k) * Y);
                change[i] = (place - Y.middleRows(i * k, k)).cwiseAbs().maxCoeff();
            }
        });
        for (int i = 0; i < n; ++i)
            Y.middleRows(i * k, k) = places[i];
        if (*std::max_element(change.begin(), change.end()) < SYNCHRONIZED)
            break;
    }
    return places;
}

std::vector<int> randomVertices(int vertices, int count, uint64 seed)
{
    std::vector<int> order(static_cast<size_t>(vertices));
    std::iota(order.begin(), order.end(), 0);
    RNG rng(seed);
    count = std::min(count, vertices);
    for (int i = 0; i < count; ++i)
        std::swap(order[i], order[rng.uniform(i, vertices)]);
    order.resize(count);
    return order;
}

//! Rows of the eigenfunctions at some vertices.
RowMatrix functionsAt(const ShapeFunctions& shape, const std::vector<int>& vertices, Eigen::Index k)
{
    const Eigen::Map<const RowMatrix, 0, Eigen::OuterStride<>> phi =
        eigenView(shape.spectrum.eigenfunctions);
    RowMatrix rows(static_cast<Eigen::Index>(vertices.size()), k);
    for (size_t v = 0; v < vertices.size(); ++v)
        rows.row(static_cast<Eigen::Index>(v)) = phi.row(vertices[v]).head(k);
    return rows;
}

void checkShapes(const std::vector<ShapeFunctions>& shapes, const AlignmentParams& params)
{
    if (shapes.size() < 2)
        CV_Error_(Error::StsBadArg, ("there are %zu shapes, expected 2 or more", shapes.size()));
    if (params.firstSize < 2 || params.lastSize < params.firstSize || params.step < 1 ||
        params.targets < 1)
        CV_Error_(Error::StsOutOfRange,
                  ("firstSize %d, lastSize %d, step %d and targets %d: expected 2 <= firstSize <= "
                   "lastSize, step >= 1 and targets >= 1",
                   params.firstSize, params.lastSize, params.step, params.targets));
    for (size_t i = 0; i < shapes.size(); ++i)
        if (shapes[i].spectrum.eigenfunctions.cols < params.lastSize)
            CV_Error_(Error::StsBadArg,
                      ("shape %zu has %d eigenfunctions, but the last maps need %d", i,
                       shapes[i].spectrum.eigenfunctions.cols, params.lastSize));
}

} // namespace

AlignmentParams::AlignmentParams()
    : firstSize(20), lastSize(100), step(10), targets(3000), laplacian(0.1), products(0.3),
      orientation(0.3), seed(0)
{
}

Mat functionalMap(const ShapeFunctions& from, const ShapeFunctions& to,
                  const AlignmentParams& params)
{
    AlignmentParams first = params;
    first.lastSize = first.firstSize;
    checkShapes({from, to}, first);
    return matOf(mapOf(mapConstraints(from, params.firstSize), mapConstraints(to, params.firstSize),
                       params));
}

std::vector<Mat> synchronizeMaps(const std::vector<Mat>& maps, int n, const std::vector<Mat>& start)
{
    if (n < 2 || maps.size() != static_cast<size_t>(n) * static_cast<size_t>(n) ||
        (!start.empty() && start.size() != static_cast<size_t>(n)))
        CV_Error_(Error::StsUnmatchedSizes,
                  ("there are %zu maps and %zu matrices of the start for %d shapes, expected n >= "
                   "2, n * n and n or 0",
                   maps.size(), start.size(), n));
    const auto checked = [&](const Mat& map, const char* what) {
        if (map.type() != CV_64F || map.rows != maps[1].rows || map.cols != maps[1].rows ||
            map.empty())
            CV_Error_(Error::StsBadArg, ("%s is %d x %d of type %d, expected k x k CV_64F for all",
                                         what, map.rows, map.cols, map.type()));
        return Eigen::MatrixXd(eigenView(map));
    };
    Matrices given(maps.size()), places;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            if (i != j)
                given[i * n + j] = checked(maps[i * n + j], "a map");
    for (const Mat& place : start)
        places.push_back(checked(place, "a matrix of the start"));
    std::vector<Mat> result;
    for (const Eigen::MatrixXd& place : synchronized(given, n, places))
        result.push_back(matOf(place));
    return result;
}

namespace {

//! Map of every ordered pair of shapes from its constraints; false: stopped.
bool firstMaps(const std::vector<ShapeFunctions>& shapes, const AlignmentParams& params,
               RunControl& control, Matrices& maps)
{
    const int n = static_cast<int>(shapes.size());
    std::vector<MapConstraints> constraints(shapes.size());
    parallel_for_(Range(0, n), [&](const Range& range) {
        for (int i = range.start; i < range.end; ++i)
            constraints[i] = mapConstraints(shapes[i], params.firstSize);
    });
    maps.resize(static_cast<size_t>(n) * static_cast<size_t>(n));
    return control.forSlices(
        n * n, 16,
        [&](const Range& range) {
            for (int m = range.start; m < range.end; ++m)
                if (m / n != m % n)
                    maps[m] = mapOf(constraints[m / n], constraints[m % n], params);
        },
        false);
}

//! Maps of the larger size from nearest places in the universe; false: stopped.
bool enlargeMaps(const std::vector<ShapeFunctions>& shapes,
                 const std::vector<std::vector<int>>& targets, const Matrices& places, int larger,
                 RunControl& control, Matrices& maps)
{
    const int n = static_cast<int>(shapes.size());
    std::vector<RowMatrix> sources, aims;
    std::vector<RowMatrixf> sourcePlaces, aimPlaces;
    for (int i = 0; i < n; ++i)
    {
        const ShapeFunctions& shape = shapes[i];
        sources.push_back(functionsAt(shape, shape.samples, larger));
        aims.push_back(functionsAt(shape, targets[i], larger));
        const Eigen::MatrixXd& place = places[i];
        sourcePlaces.push_back((sources.back().leftCols(place.rows()) * place).cast<float>());
        aimPlaces.push_back((aims.back().leftCols(place.rows()) * place).cast<float>());
    }
    return control.forSlices(
        n * n, 16,
        [&](const Range& range) {
            for (int m = range.start; m < range.end; ++m)
            {
                const int i = m / n, j = m % n;
                if (i == j)
                    continue;
                const std::vector<int> nearest = nearestRows(sourcePlaces[i], aimPlaces[j]);
                RowMatrix reached(sources[i].rows(), larger);
                for (size_t p = 0; p < nearest.size(); ++p)
                    reached.row(static_cast<Eigen::Index>(p)) = aims[j].row(nearest[p]);
                maps[m] = orthogonal(reached.transpose() * sources[i]);
            }
        },
        false);
}

} // namespace

std::vector<Mat> alignShapes(const std::vector<ShapeFunctions>& shapes,
                             const AlignmentParams& params, const ProgressCallback& callback)
{
    checkShapes(shapes, params);
    RunControl control(callback);
    control.begin("alignment");
    const int n = static_cast<int>(shapes.size());
    Matrices maps;
    if (!firstMaps(shapes, params, control, maps))
        return std::vector<Mat>();
    Matrices places = synchronized(maps, n, Matrices());

    std::vector<std::vector<int>> targets;
    targets.reserve(shapes.size());
    for (const ShapeFunctions& shape : shapes)
        targets.push_back(randomVertices(static_cast<int>(shape.mesh.vertices.size()),
                                         params.targets, contentNumber(shape.mesh, params.seed)));
    // Cost grows with the size of the maps.
    const double total = std::pow(params.lastSize, 2);
    for (int k = params.firstSize; k < params.lastSize;)
    {
        k = std::min(k + params.step, params.lastSize);
        if (!enlargeMaps(shapes, targets, places, k, control, maps) ||
            !control.proceed(std::pow(k, 2) / total))
            return std::vector<Mat>();
        places.assign(1, Eigen::MatrixXd::Identity(k, k));
        for (int i = 1; i < n; ++i)
            places.push_back(maps[i]); // from the first shape
        places = synchronized(maps, n, places);
    }
    std::vector<Mat> result;
    for (const Eigen::MatrixXd& place : places)
        result.push_back(matOf(place));
    return result;
}

Mat universePlaces(const ShapeFunctions& shape, const Mat& map, const std::vector<int>& vertices)
{
    if (map.type() != CV_64F || map.rows != map.cols || map.empty() ||
        map.rows > shape.spectrum.eigenfunctions.cols)
        CV_Error_(Error::StsBadArg,
                  ("map is %d x %d, expected a square CV_64F matrix of at most %d rows", map.rows,
                   map.cols, shape.spectrum.eigenfunctions.cols));
    std::vector<int> wanted = vertices;
    if (wanted.empty())
    {
        wanted.resize(shape.mesh.vertices.size());
        std::iota(wanted.begin(), wanted.end(), 0);
    }
    Mat places(static_cast<int>(wanted.size()), map.cols, CV_32F);
    Eigen::Map<RowMatrixf>(places.ptr<float>(), places.rows, places.cols) =
        (functionsAt(shape, wanted, map.rows) * eigenView(map)).cast<float>();
    return places;
}

}}} // namespace cv::multimatch::shapes
