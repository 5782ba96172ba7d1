// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "pair_geometry.hpp"

#include "opencv2/opencv_modules.hpp"
#ifdef HAVE_OPENCV_CALIB3D
#include "opencv2/calib3d.hpp"
#else
#include "opencv2/geometry.hpp" // its name from OpenCV 5 on
#endif

#include <Eigen/Dense>

namespace cv { namespace multimatch {

namespace {

const int REFINEMENTS = 10;
const double SETTLED = 1e-9;   //!< change of a matrix of norm 1
const size_t LEAST_POINTS = 8; // that determine a fundamental matrix linearly

typedef Eigen::Matrix<double, 9, 1> Vector9d;
typedef Eigen::Matrix<double, 9, 9> Matrix9d;

UsacParams usacParams(const VerificationParams& params)
{
    UsacParams usac;
    usac.confidence = params.confidence;
    usac.isParallel = false; // pairs run in parallel already, and the result must not depend on it
    usac.loIterations = 10;
    usac.loMethod = LOCAL_OPTIM_INNER_LO;
    usac.maxIterations = params.maxIterations;
    usac.neighborsSearch = NEIGH_GRID;
    usac.randomGeneratorState = params.seed;
    usac.sampler = SAMPLING_UNIFORM;
    usac.score = SCORE_METHOD_MSAC;
    usac.threshold = params.maxError;
    return usac;
}

//! To mean 0 and mean distance sqrt(2), which keeps the linear system well scaled.
Matx33d normalizer(const std::vector<Point2f>& points)
{
    Point2d mean(0, 0);
    for (size_t n = 0; n < points.size(); ++n)
        mean += Point2d(points[n]);
    mean *= 1. / static_cast<double>(points.size());
    double distance = 0;
    for (size_t n = 0; n < points.size(); ++n)
        distance += cv::norm(Point2d(points[n]) - mean);
    const double scale =
        distance > 0 ? std::sqrt(2.) * static_cast<double>(points.size()) / distance : 1;
    return Matx33d(scale, 0, -scale * mean.x, 0, scale, -scale * mean.y, 0, 0, 1);
}

//! The closest matrix of rank 2.
Matx33d withoutRank3(const Matx33d& F)
{
    Matx33d U, Vt;
    Matx31d w;
    SVD::compute(F, w, U, Vt);
    return U * Matx33d(w(0), 0, 0, 0, w(1), 0, 0, 0, 0) * Vt;
}

//! First-order geometric error of a match, with sign.
double signedError(const Matx33d& F, const Point2f& x, const Point2f& y)
{
    const Vec3d a(x.x, x.y, 1), b(y.x, y.y, 1);
    const Vec3d lineB = F * a, lineA = F.t() * b;
    const double gradient =
        lineB[0] * lineB[0] + lineB[1] * lineB[1] + lineA[0] * lineA[0] + lineA[1] * lineA[1];
    return gradient > 0 ? b.dot(lineB) / std::sqrt(gradient) : 0;
}

/** Fundamental matrix by weighted least squares on the first-order geometric error, points weighing
less as they fit worse, and not at all beyond maxError. */
Matx33d refinedFundamental(Matx33d F, const std::vector<Point2f>& x, const std::vector<Point2f>& y,
                           double maxError)
{
    const Matx33d T1 = normalizer(x), T2 = normalizer(y);
    for (int round = 0; round < REFINEMENTS; ++round)
    {
        Matrix9d normal = Matrix9d::Zero();
        size_t used = 0;
        for (size_t n = 0; n < x.size(); ++n)
        {
            const Vec3d a(x[n].x, x[n].y, 1), b(y[n].x, y[n].y, 1);
            const Vec3d lineB = F * a, lineA = F.t() * b;
            const double gradient = lineB[0] * lineB[0] + lineB[1] * lineB[1] +
                                    lineA[0] * lineA[0] + lineA[1] * lineA[1];
            const double algebraic = b.dot(lineB);
            if (!(gradient > 0))
                continue;
            const double relative = algebraic * algebraic / gradient / (maxError * maxError);
            if (relative >= 1)
                continue;
            ++used;
            // Tukey's weight over the gradient that turns algebraic into geometric error.
            const double weight = (1 - relative) * (1 - relative) / gradient;
            const Vec3d u = T1 * a, v = T2 * b;
            Vector9d row;
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c)
                    row(3 * r + c) = v[r] * u[c];
            normal.noalias() += weight * row * row.transpose();
        }
        if (used < 2 * LEAST_POINTS)
            return F;
        const Eigen::SelfAdjointEigenSolver<Matrix9d> solver(normal);
        Matx33d solution;
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c)
                solution(r, c) = solver.eigenvectors()(3 * r + c, 0);
        const Matx33d next = T2.t() * withoutRank3(solution) * T1;
        const double size = cv::norm(next);
        if (!(size > 0) || !std::isfinite(size))
            return F;
        const Matx33d unit = next * (1 / size);
        const bool settled = std::min(cv::norm(unit - F), cv::norm(unit + F)) < SETTLED;
        F = unit;
        if (settled)
            break;
    }
    return F;
}

//! Five parameters of an essential matrix around a relative pose: three of the rotation, two of the
//! direction.
Matx33d essentialNear(const Matx33d& R, const Vec3d& t, const double* step)
{
    Matx33d turn;
    Rodrigues(Vec3d(step[0], step[1], step[2]), turn);
    // Two directions across t.
    const Vec3d aside = std::abs(t[0]) < 0.9 ? Vec3d(1, 0, 0) : Vec3d(0, 1, 0);
    const Vec3d u = normalize(t.cross(aside)), v = t.cross(u);
    const Vec3d d = normalize(t + step[3] * u + step[4] * v);
    return Matx33d(0, -d[2], d[1], d[2], 0, -d[0], -d[1], d[0], 0) * turn * R;
}

/** Fundamental matrix of calibrated cameras by Gauss-Newton on the first-order geometric error over
rotation and direction, with the same weights. */
Matx33d refinedEssential(const Matx33d& F, const std::vector<Point2f>& x,
                         const std::vector<Point2f>& y, double maxError, const Matx33d& K1,
                         const Matx33d& K2)
{
    const double STEP = 1e-6;
    const Matx33d inverse1 = K1.inv(), inverse2 = K2.inv().t();
    Mat R1, R2, t;
    decomposeEssentialMat(Mat(Matx33d(K2.t() * F * K1)), R1, R2, t);
    Matx33d R = R1;
    Vec3d direction(t);
    const double none[5] = {0, 0, 0, 0, 0};
    Matx33d best = inverse2 * essentialNear(R, direction, none) * inverse1;
    for (int round = 0; round < REFINEMENTS; ++round)
    {
        Matx33d moved[5];
        for (int k = 0; k < 5; ++k)
        {
            double step[5] = {0, 0, 0, 0, 0};
            step[k] = STEP;
            moved[k] = inverse2 * essentialNear(R, direction, step) * inverse1;
        }
        Eigen::Matrix<double, 5, 5> normal = Eigen::Matrix<double, 5, 5>::Identity() * 1e-12;
        Eigen::Matrix<double, 5, 1> gradient = Eigen::Matrix<double, 5, 1>::Zero();
        for (size_t n = 0; n < x.size(); ++n)
        {
            const double error = signedError(best, x[n], y[n]);
            const double relative = error * error / (maxError * maxError);
            if (relative >= 1)
                continue;
            Eigen::Matrix<double, 5, 1> slope;
            for (int k = 0; k < 5; ++k)
                slope(k) = (signedError(moved[k], x[n], y[n]) - error) / STEP;
            const double weight = (1 - relative) * (1 - relative);
            normal += weight * slope * slope.transpose();
            gradient += weight * error * slope;
        }
        const Eigen::Matrix<double, 5, 1> step = -normal.ldlt().solve(gradient);
        if (!step.allFinite() || step.norm() > 0.5)
            break;
        const Matx33d E = essentialNear(R, direction, step.data());
        Matx33d turn;
        Rodrigues(Vec3d(step(0), step(1), step(2)), turn);
        R = turn * R;
        // The direction that essentialNear went to, from its own cross product matrix.
        const Matx33d cross = E * R.t();
        direction = normalize(Vec3d(cross(2, 1), cross(0, 2), cross(1, 0)));
        best = inverse2 * E * inverse1;
    }
    return best * (1 / cv::norm(best));
}

Mat searchModel(const std::vector<Point2f>& x, const std::vector<Point2f>& y,
                const VerificationParams& params, const Mat& K1, const Mat& K2)
{
    const UsacParams usac = usacParams(params);
    std::vector<uchar> mask;
    if (params.model == MODEL_HOMOGRAPHY)
        return findHomography(x, y, mask, usac);
    if (params.model == MODEL_FUNDAMENTAL)
        return findFundamentalMat(x, y, mask, usac);
    UsacParams calibrated = usac;
    const Mat E = findEssentialMat(x, y, K1, K2, noArray(), noArray(), mask, calibrated);
    if (E.rows != 3 || E.cols != 3)
        return Mat();
    return K2.inv().t() * E * K1.inv();
}

//! With a^2 + b^2 = 1; through the epipole, where there is no line, one that is near no point.
Vec3d unitLine(const Vec3d& line)
{
    const double length = std::sqrt(line[0] * line[0] + line[1] * line[1]);
    return length > 0 ? line * (1 / length) : Vec3d(0, 0, std::numeric_limits<double>::max());
}

} // namespace

ResidualMeter::ResidualMeter(const PairGeometry& geometry)
    : epipolar_(geometry.model != MODEL_HOMOGRAPHY)
{
    forward_ = Matx33d(geometry.matrix.ptr<double>());
    backward_ = epipolar_ ? forward_.t() : forward_.inv();
}

Vec3d ResidualMeter::lineInSecond(const Point2f& p) const
{
    return unitLine(forward_ * Vec3d(p.x, p.y, 1));
}

Vec3d ResidualMeter::lineInFirst(const Point2f& p) const
{
    return unitLine(backward_ * Vec3d(p.x, p.y, 1));
}

Vec3d ResidualMeter::epipoleInSecond() const
{
    Matx33d U, Vt;
    Matx31d w;
    SVD::compute(forward_, w, U, Vt);
    return Vec3d(U(0, 2), U(1, 2), U(2, 2));
}

Point2d ResidualMeter::imageInSecond(const Point2f& p) const
{
    const Vec3d q = forward_ * Vec3d(p.x, p.y, 1);
    return Point2d(q[0] / q[2], q[1] / q[2]);
}

double ResidualMeter::operator()(const Point2f& p, const Point2f& q) const
{
    const Vec3d a(p.x, p.y, 1), b(q.x, q.y, 1);
    const Vec3d there = forward_ * a, back = backward_ * b;
    if (epipolar_)
    {
        const double algebraic = std::abs(b.dot(there));
        const double shortest = std::min(there[0] * there[0] + there[1] * there[1],
                                         back[0] * back[0] + back[1] * back[1]);
        return shortest > 0 ? algebraic / std::sqrt(shortest)
                            : std::numeric_limits<double>::infinity();
    }
    const double dx = there[0] / there[2] - q.x, dy = there[1] / there[2] - q.y;
    const double ex = back[0] / back[2] - p.x, ey = back[1] / back[2] - p.y;
    const double squared = std::max(dx * dx + dy * dy, ex * ex + ey * ey);
    return squared >= 0 ? std::sqrt(squared) : std::numeric_limits<double>::infinity();
}

PairGeometry geometryOf(const std::vector<Point2f>& x, const std::vector<Point2f>& y,
                        const VerificationParams& params, const Mat& K1, const Mat& K2)
{
    PairGeometry geometry;
    geometry.model = params.model;
    if (x.size() < static_cast<size_t>(params.minInliers))
        return geometry;
    const Mat found = searchModel(x, y, params, K1, K2);
    if (found.rows != 3 || found.cols != 3)
        return geometry;
    found.convertTo(geometry.matrix, CV_64F);
    const Matx33d start = geometry.matrix;
    if (params.model == MODEL_FUNDAMENTAL)
        geometry.matrix = Mat(refinedFundamental(start, x, y, params.maxError), true);
    else if (params.model == MODEL_ESSENTIAL)
        geometry.matrix = Mat(refinedEssential(start, x, y, params.maxError, K1, K2), true);
    if (!cv::checkRange(geometry.matrix))
        geometry.matrix.release();
    if (geometry.matrix.empty())
        return geometry;
    const ResidualMeter residual(geometry);
    for (size_t n = 0; n < x.size(); ++n)
        geometry.inliers += residual(x[n], y[n]) <= params.maxError;
    if (geometry.inliers < params.minInliers)
        geometry.matrix.release();
    return geometry;
}

}} // namespace cv::multimatch
