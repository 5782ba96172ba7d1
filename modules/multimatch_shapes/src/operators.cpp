// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "operators.hpp"

#include <Eigen/Geometry>

namespace cv { namespace multimatch { namespace shapes {

namespace {

const int DESCRIPTOR_ENERGIES = 40, OPERATOR_ENERGIES = 8;
//! Diffusion times of the heat kernel signatures of the operators, geometric, in units of the area.
const int OPERATOR_TIMES = 6;
const double SHORTEST_TIME = 0.003, LONGEST_TIME = 0.3;

Eigen::Vector3d placeOf(const Mesh& mesh, int vertex)
{
    const Vec3d& v = mesh.vertices[vertex];
    return Eigen::Vector3d(v[0], v[1], v[2]);
}

//! Columns of mean 0 and norm 1 with respect to the mass.
void makeUnit(Eigen::MatrixXd& functions, const Eigen::VectorXd& mass)
{
    for (Eigen::Index c = 0; c < functions.cols(); ++c)
    {
        functions.col(c).array() -= mass.dot(functions.col(c)) / mass.sum();
        functions.col(c) /= std::sqrt(std::max(mass.dot(functions.col(c).cwiseAbs2()), 1e-30));
    }
}

Eigen::MatrixXd operatorFunctions(const ShapeFunctions& shape, const Eigen::VectorXd& mass)
{
    std::vector<double> times;
    times.reserve(OPERATOR_TIMES);
    for (int t = 0; t < OPERATOR_TIMES; ++t)
        times.push_back(SHORTEST_TIME * std::pow(LONGEST_TIME / SHORTEST_TIME,
                                                 static_cast<double>(t) / (OPERATOR_TIMES - 1)));
    const Mat heat = heatKernelSignature(shape.spectrum, times);
    const Mat wave = waveKernelSignature(shape.spectrum, OPERATOR_ENERGIES);
    Eigen::MatrixXd functions(heat.rows, heat.cols + wave.cols);
    functions.leftCols(heat.cols) = eigenView(heat).cwiseMax(1e-12).array().log().matrix();
    functions.rightCols(wave.cols) = eigenView(wave);
    makeUnit(functions, mass);
    return functions;
}

//! A triangle with the gradients of its three hat functions.
struct Face
{
    Vec3i corners;
    double area;
    Eigen::Vector3d normal;
    Eigen::Matrix3d
        gradients; //!< column c: of the function that is 1 at corner c and 0 at the others
};

std::vector<Face> facesOf(const Mesh& mesh)
{
    std::vector<Face> faces;
    for (const Vec3i& corners : mesh.faces)
    {
        const Eigen::Vector3d a = placeOf(mesh, corners[0]), b = placeOf(mesh, corners[1]),
                              c = placeOf(mesh, corners[2]);
        const Eigen::Vector3d normal = (b - a).cross(c - a);
        const double length = std::max(normal.norm(), 1e-300);
        Face face;
        face.corners = corners;
        face.area = length / 2;
        face.normal = normal / length;
        face.gradients.col(0) = face.normal.cross(c - b) / length;
        face.gradients.col(1) = face.normal.cross(a - c) / length;
        face.gradients.col(2) = face.normal.cross(b - a) / length;
        faces.push_back(face);
    }
    return faces;
}

//! Gradient of f in each face, divided by its length plus the mean length, so that peaks do not
//! dominate.
std::vector<Eigen::Vector3d> boundedGradients(const std::vector<Face>& faces,
                                              const Eigen::VectorXd& f)
{
    std::vector<Eigen::Vector3d> gradients;
    double sum = 0, area = 0;
    for (const Face& face : faces)
    {
        gradients.push_back(face.gradients * Eigen::Vector3d(f[face.corners[0]], f[face.corners[1]],
                                                             f[face.corners[2]]));
        sum += face.area * gradients.back().norm();
        area += face.area;
    }
    for (Eigen::Vector3d& gradient : gradients)
        gradient /= gradient.norm() + std::max(sum / area, 1e-300);
    return gradients;
}

Eigen::MatrixXd turnOperator(const std::vector<Face>& faces, const RowMatrix& phi,
                             const Eigen::VectorXd& f)
{
    const std::vector<Eigen::Vector3d> gradients = boundedGradients(faces, f);
    // Row of a vertex: the sum over its faces of area / 3 times n . (grad f x grad phi).
    RowMatrix turned = RowMatrix::Zero(phi.rows(), phi.cols());
    for (size_t n = 0; n < faces.size(); ++n)
    {
        const Face& face = faces[n];
        const Eigen::Vector3d weights =
            face.gradients.transpose() * face.normal.cross(gradients[n]) * (face.area / 3);
        const Eigen::RowVectorXd row = weights[0] * phi.row(face.corners[0]) +
                                       weights[1] * phi.row(face.corners[1]) +
                                       weights[2] * phi.row(face.corners[2]);
        for (int c = 0; c < 3; ++c)
            turned.row(face.corners[c]) += row;
    }
    return phi.transpose() * turned;
}

} // namespace

MapConstraints mapConstraints(const ShapeFunctions& shape, int k)
{
    const Eigen::VectorXd mass = eigenView(shape.spectrum.mass).col(0);
    const RowMatrix phi = eigenView(shape.spectrum.eigenfunctions).leftCols(k);
    MapConstraints result;
    result.eigenvalues = eigenView(shape.spectrum.eigenvalues).col(0).head(k);

    const Mat wave = waveKernelSignature(shape.spectrum, DESCRIPTOR_ENERGIES);
    Eigen::MatrixXd descriptors = eigenView(wave);
    makeUnit(descriptors, mass);
    result.coefficients = phi.transpose() * (mass.asDiagonal() * descriptors);

    const std::vector<Face> faces = facesOf(shape.mesh);
    const Eigen::MatrixXd functions = operatorFunctions(shape, mass);
    for (Eigen::Index c = 0; c < functions.cols(); ++c)
    {
        const Eigen::VectorXd f = functions.col(c);
        Eigen::MatrixXd product = phi.transpose() * (mass.cwiseProduct(f).asDiagonal() * phi);
        Eigen::MatrixXd turn = turnOperator(faces, phi, f);
        result.products.push_back(product / std::max(product.norm(), 1e-300));
        result.turns.push_back(turn / std::max(turn.norm(), 1e-300));
    }
    return result;
}

}}} // namespace cv::multimatch::shapes
