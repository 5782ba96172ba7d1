// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "opencv2/multimatch_shapes/spectrum.hpp"

#include "eigen_views.hpp"

#include <Eigen/SparseCholesky>
#include <Spectra/SymEigsShiftSolver.h>

namespace cv { namespace multimatch { namespace shapes {

namespace {

typedef Eigen::SparseMatrix<double> SparseMatrix;

//! Triangle inequalities hold by this share of the mean length of an edge.
const double MOLLIFICATION = 1e-4;
//! Eigenvalues next to this one are found, in units of 1 / area; it is outside of the spectrum.
const double SHIFT = -1e-2;
const int MAX_RESTARTS = 300;
const double EIGEN_TOLERANCE = 1e-9;

//! Solves (A - shift) x = y, as Spectra asks for it.
class ShiftedSolve
{
public:
    typedef double Scalar;

    explicit ShiftedSolve(const SparseMatrix& A) : A_(A) {}

    Eigen::Index rows() const { return A_.rows(); }
    Eigen::Index cols() const { return A_.cols(); }
    void set_shift(double shift)
    {
        SparseMatrix shifted = A_;
        for (Eigen::Index i = 0; i < shifted.rows(); ++i)
            shifted.coeffRef(i, i) -= shift;
        factors_.compute(shifted);
        if (factors_.info() != Eigen::Success)
            CV_Error(Error::StsError, "the Laplacian of the mesh cannot be factorized");
    }
    void perform_op(const double* x, double* y) const
    {
        Eigen::Map<Eigen::VectorXd>(y, rows()) =
            factors_.solve(Eigen::Map<const Eigen::VectorXd>(x, rows()));
    }

private:
    const SparseMatrix& A_;
    Eigen::SimplicialLDLT<SparseMatrix> factors_;
};

//! Lengths of the edges opposite to the corners of each face, all increased by what the worst
//! triangle inequality lacks.
std::vector<Vec3d> mollifiedLengths(const Mesh& mesh)
{
    std::vector<Vec3d> lengths;
    double sum = 0, slack = std::numeric_limits<double>::infinity();
    for (const Vec3i& face : mesh.faces)
    {
        Vec3d l;
        for (int c = 0; c < 3; ++c)
            l[c] = norm(mesh.vertices[face[(c + 1) % 3]] - mesh.vertices[face[(c + 2) % 3]]);
        const double around = l[0] + l[1] + l[2];
        sum += around;
        slack = std::min(slack, around - 2 * std::max(l[0], std::max(l[1], l[2])));
        lengths.push_back(l);
    }
    const double mean = sum / (3. * static_cast<double>(mesh.faces.size()));
    const double added = std::max(0., MOLLIFICATION * mean - slack);
    for (Vec3d& l : lengths)
        l += Vec3d(added, added, added);
    return lengths;
}

//! Cotangent stiffness matrix L and lumped mass.
SparseMatrix stiffness(const Mesh& mesh, Eigen::VectorXd& mass)
{
    const std::vector<Vec3d> lengths = mollifiedLengths(mesh);
    const Eigen::Index n = static_cast<Eigen::Index>(mesh.vertices.size());
    mass = Eigen::VectorXd::Zero(n);
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(12 * mesh.faces.size());
    for (size_t f = 0; f < mesh.faces.size(); ++f)
    {
        const Vec3i& face = mesh.faces[f];
        const Vec3d& l = lengths[f];
        const double s = (l[0] + l[1] + l[2]) / 2;
        const double area = std::sqrt(s * (s - l[0]) * (s - l[1]) * (s - l[2]));
        for (int c = 0; c < 3; ++c)
        {
            const int i = face[(c + 1) % 3], j = face[(c + 2) % 3];
            const double a = l[(c + 1) % 3], b = l[(c + 2) % 3];
            const double half = (a * a + b * b - l[c] * l[c]) / (8 * area); // cot / 2
            entries.push_back(Eigen::Triplet<double>(i, j, -half));
            entries.push_back(Eigen::Triplet<double>(j, i, -half));
            entries.push_back(Eigen::Triplet<double>(i, i, half));
            entries.push_back(Eigen::Triplet<double>(j, j, half));
            mass[face[c]] += area / 3;
        }
    }
    SparseMatrix L(n, n);
    L.setFromTriplets(entries.begin(), entries.end());
    return L;
}

//! n x k: the sum over the eigenfunctions of their squares times a filter, each filter divided by
//! its sum.
Mat filtered(const Spectrum& spectrum, RowMatrix filters, int firstFunction)
{
    for (Eigen::Index c = 0; c < filters.cols(); ++c)
        filters.col(c) /= filters.col(c).sum();
    const Mat functions =
        spectrum.eigenfunctions.colRange(firstFunction, spectrum.eigenfunctions.cols);
    const Eigen::Map<const RowMatrix, 0, Eigen::OuterStride<>> phi = eigenView(functions);
    return matOf(phi.cwiseAbs2() * filters);
}

void checkSpectrum(const Spectrum& spectrum)
{
    if (spectrum.eigenvalues.type() != CV_64F || spectrum.eigenfunctions.type() != CV_64F ||
        spectrum.eigenvalues.cols != 1 ||
        spectrum.eigenvalues.rows != spectrum.eigenfunctions.cols || spectrum.eigenvalues.rows < 3)
        CV_Error(Error::StsBadArg,
                 "expected a spectrum with k >= 3 eigenvalues (k x 1 CV_64F) and eigenfunctions "
                 "(n x k CV_64F)");
}

} // namespace

Spectrum laplaceSpectrum(const Mesh& mesh, int count)
{
    const int n = static_cast<int>(mesh.vertices.size());
    if (count < 2 || count >= n)
        CV_Error_(Error::StsOutOfRange,
                  ("count is %d, expected 2 to %d for a mesh of %d vertices", count, n - 1, n));
    Eigen::VectorXd mass;
    SparseMatrix A = stiffness(mesh, mass);
    // In units of the area the shift and all eigenvalues have a usual size.
    const double area = mass.sum();
    const Eigen::VectorXd root = (mass / area).cwiseSqrt().cwiseInverse();
    A = root.asDiagonal() * A * root.asDiagonal(); // M^-1/2 L M^-1/2
    ShiftedSolve solve(A);
    const int space = std::min(n, std::max(2 * count, count + 20));
    Spectra::SymEigsShiftSolver<ShiftedSolve> solver(solve, count, space, SHIFT);
    solver.init();
    solver.compute(Spectra::SortRule::LargestMagn, MAX_RESTARTS, EIGEN_TOLERANCE,
                   Spectra::SortRule::SmallestAlge);
    if (solver.info() != Spectra::CompInfo::Successful)
        CV_Error_(Error::StsNoConv,
                  ("the %d smallest eigenvalues of the Laplacian were not found", count));
    Spectrum spectrum;
    eigenResult(spectrum.eigenvalues, count, 1) = solver.eigenvalues().cwiseMax(0.) / area;
    eigenResult(spectrum.eigenfunctions, n, count) =
        root.asDiagonal() * solver.eigenvectors() / std::sqrt(area);
    spectrum.mass = matOf(mass);
    return spectrum;
}

Mat waveKernelSignature(const Spectrum& spectrum, int energies, double variance)
{
    checkSpectrum(spectrum);
    if (energies < 2 || !(variance > 0))
        CV_Error_(Error::StsOutOfRange,
                  ("energies is %d and variance %f, expected 2 or more and more than 0", energies,
                   variance));
    const double LAST = 1.02; // the last energy is a little below the last eigenvalue
    const Eigen::VectorXd lambda = eigenView(spectrum.eigenvalues).col(0);
    const Eigen::Index k = lambda.size() - 1;
    const Eigen::VectorXd e = lambda.tail(k).cwiseMax(1e-6).array().log();
    const double first = e[0], last = e[k - 1] / LAST;
    const double step = (last - first) / (energies - 1), sigma = step * variance;
    RowMatrix filters(k, energies);
    for (int c = 0; c < energies; ++c)
        filters.col(c) =
            (-(e.array() - (first + c * step)).square() / (2 * sigma * sigma)).exp().matrix();
    return filtered(spectrum, filters, 1);
}

Mat heatKernelSignature(const Spectrum& spectrum, const std::vector<double>& times)
{
    checkSpectrum(spectrum);
    const Eigen::VectorXd lambda = eigenView(spectrum.eigenvalues).col(0);
    RowMatrix filters(lambda.size(), static_cast<Eigen::Index>(times.size()));
    for (size_t t = 0; t < times.size(); ++t)
    {
        if (!(times[t] > 0))
            CV_Error_(Error::StsOutOfRange,
                      ("times[%zu] is %f, expected more than 0", t, times[t]));
        filters.col(static_cast<Eigen::Index>(t)) = (-lambda.array() * times[t]).exp().matrix();
    }
    return filtered(spectrum, filters, 0);
}

}}} // namespace cv::multimatch::shapes
