// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "../base/checks.hpp"
#include "../base/parameters.hpp"

namespace cv { namespace multimatch {

GeometryScore::GeometryScore() : matches(0), correct(0), tracks(0), correctTracks(0) {}

double GeometryScore::precision() const
{
    return matches > 0 ? correct / matches : 1;
}

namespace {

//! Gauss-Newton starts at the linear solution, which is close: a few steps reach the minimum.
const int GAUSS_NEWTON_STEPS = 8;

typedef std::vector<std::vector<KeyPoint>> KeyPoints;

Point2d positionOf(const KeyPoints& keypoints, const Observation& seen)
{
    return keypoints[size_t(seen.view)][size_t(seen.point)].pt;
}

void checkMaxError(double maxError)
{
    checkRange("maxError", maxError, 0, true, DBL_MAX, "more than 0");
}

std::vector<Mat> checkedMatrices(InputArrayOfArrays given, const KeyPoints& keypoints, int cols,
                                 const char* name)
{
    std::vector<Mat> matrices;
    given.getMatVector(matrices);
    if (matrices.size() != keypoints.size())
        CV_Error(Error::StsUnmatchedSizes,
                 format("%s has %d entries but keypoints has %d views", name, int(matrices.size()),
                        int(keypoints.size())));
    std::vector<Mat> result;
    for (size_t v = 0; v < matrices.size(); ++v)
    {
        const Mat& mat = matrices[v];
        if (mat.rows != 3 || mat.cols != cols || (mat.type() != CV_32F && mat.type() != CV_64F))
            CV_Error(Error::StsBadArg,
                     format("%s[%d] is %d x %d of type %d, expected 3 x %d of type "
                            "CV_32F or CV_64F",
                            name, int(v), mat.rows, mat.cols, mat.type(), cols));
        Mat converted;
        mat.convertTo(converted, CV_64F);
        result.push_back(converted);
    }
    return result;
}

/* The geometries below have agree(x, y), whether observations of views i < j agree, and
agree(track), whether all observations of a track agree given that each two of them do. */

template<class Geometry>
GeometryScore scoreGeometry(const Tracks& tracks, const KeyPoints& keypoints,
                            InputArrayOfArrays matrices, double maxError)
{
    checkSizes(tracks, sizesOf(keypoints), "keypoints");
    const Geometry geometry(matrices, keypoints, maxError);
    GeometryScore score;
    for (int t = 0; t < tracks.size(); ++t)
    {
        const std::vector<Observation> seen = tracks.track(t);
        int matches = 0, correct = 0;
        for (size_t b = 1; b < seen.size(); ++b)
            for (size_t a = 0; a < b; ++a, ++matches)
                correct += geometry.agree(seen[a], seen[b]);
        score.matches += matches;
        score.correct += correct;
        if (seen.size() >= 3)
        {
            score.tracks += 1;
            score.correctTracks += correct == matches && geometry.agree(seen);
        }
    }
    return score;
}

template<class Geometry>
GeometryScore scoreGeometry(const std::vector<PairMatches>& matches, const KeyPoints& keypoints,
                            InputArrayOfArrays matrices, double maxError)
{
    const Geometry geometry(matrices, keypoints, maxError);
    checkMatches(matches, sizesOf(keypoints), false);
    GeometryScore score;
    for (const PairMatches& pair : matches)
        for (const DMatch& match : pair.matches)
        {
            const Observation x(pair.first, match.queryIdx, 1), y(pair.second, match.trainIdx, 1);
            score.matches += 1;
            score.correct += x.view < y.view ? geometry.agree(x, y) : geometry.agree(y, x);
        }
    return score;
}

template<class Geometry>
std::vector<std::vector<float>> agreement(const Tracks& tracks, const KeyPoints& keypoints,
                                          InputArrayOfArrays matrices, double maxError)
{
    checkSizes(tracks, sizesOf(keypoints), "keypoints");
    const Geometry geometry(matrices, keypoints, maxError);
    std::vector<std::vector<float>> share(keypoints.size());
    for (size_t v = 0; v < keypoints.size(); ++v)
        share[v].assign(keypoints[v].size(), -1.f);
    for (int t = 0; t < tracks.size(); ++t)
    {
        const std::vector<Observation> seen = tracks.track(t); // views ascend
        std::vector<int> agreeing(seen.size(), 0);
        for (size_t b = 1; b < seen.size(); ++b)
            for (size_t a = 0; a < b; ++a)
                if (geometry.agree(seen[a], seen[b]))
                {
                    ++agreeing[a];
                    ++agreeing[b];
                }
        for (size_t a = 0; a < seen.size() && seen.size() > 1; ++a)
            share[size_t(seen[a].view)][size_t(seen[a].point)] =
                static_cast<float>(agreeing[a]) / static_cast<float>(seen.size() - 1);
    }
    return share;
}

//! The homographies between any two views.
class PlaneGeometry
{
public:
    PlaneGeometry(InputArrayOfArrays homographies, const KeyPoints& keypoints, double maxError)
        : keypoints_(keypoints), maxError_(maxError)
    {
        checkMaxError(maxError);
        const std::vector<Mat> checked =
            checkedMatrices(homographies, keypoints, 3, "homographies");
        for (size_t v = 0; v < checked.size(); ++v)
        {
            const Matx33d h(checked[v].ptr<double>());
            bool invertible = false;
            fromView_.push_back(h.inv(DECOMP_LU, &invertible));
            toView_.push_back(h);
            if (!invertible)
                CV_Error(
                    Error::StsBadArg,
                    format("homographies[%d] has determinant %g, expected an invertible matrix",
                           int(v), determinant(h)));
        }
    }

    bool agree(const Observation& a, const Observation& b) const
    {
        const Point2d x = positionOf(keypoints_, a), y = positionOf(keypoints_, b);
        const Vec3d mapped =
            toView_[size_t(b.view)] * (fromView_[size_t(a.view)] * Vec3d(x.x, x.y, 1));
        return norm(Point2d(mapped[0] / mapped[2], mapped[1] / mapped[2]) - y) <= maxError_;
    }

    bool agree(const std::vector<Observation>&) const { return true; }

private:
    const KeyPoints& keypoints_;
    double maxError_;
    std::vector<Matx33d> toView_, fromView_;
};

Matx33d crossMatrix(const Vec3d& t)
{
    return Matx33d(0, -t[2], t[1], t[2], 0, -t[0], -t[1], t[0], 0);
}

//! Fundamental matrices of all pairs of cameras, and triangulation.
class CameraGeometry
{
public:
    CameraGeometry(InputArrayOfArrays projections, const KeyPoints& keypoints, double maxError)
        : keypoints_(keypoints), maxError_(maxError)
    {
        checkMaxError(maxError);
        const std::vector<Mat> checked = checkedMatrices(projections, keypoints, 4, "projections");
        const size_t views = checked.size();
        for (size_t v = 0; v < views; ++v)
            cameras_.push_back(Matx34d(checked[v].ptr<double>()));
        // y' F x = 0 with F = [e]x P_j P_i^+ and e = P_j C_i.
        fundamental_.resize(views * views);
        for (size_t i = 0; i < views; ++i)
            for (size_t j = i + 1; j < views; ++j)
            {
                const Vec3d epipole = cameras_[j] * center(i);
                const Matx33d f =
                    crossMatrix(epipole) * (cameras_[j] * cameras_[i].t() *
                                            (cameras_[i] * cameras_[i].t()).inv(DECOMP_LU));
                const double scale = norm(f);
                if (!(scale > 1e-9 * norm(cameras_[j])))
                    CV_Error(Error::StsBadArg,
                             format("projections[%d] and projections[%d] have one "
                                    "center, expected all centers to differ",
                                    int(i), int(j)));
                fundamental_[i * views + j] = f * (1 / scale);
            }
    }

    bool agree(const Observation& a, const Observation& b) const
    {
        const Point2d x = positionOf(keypoints_, a), y = positionOf(keypoints_, b);
        const Matx33d& f = fundamental_[size_t(a.view) * cameras_.size() + size_t(b.view)];
        const Vec3d inJ = f * Vec3d(x.x, x.y, 1), inI = f.t() * Vec3d(y.x, y.y, 1);
        const double residual = std::abs(inJ[0] * y.x + inJ[1] * y.y + inJ[2]);
        return residual <= maxError_ * std::hypot(inJ[0], inJ[1]) &&
               residual <= maxError_ * std::hypot(inI[0], inI[1]);
    }

    //! The observations triangulate to a point in front of their cameras.
    bool agree(const std::vector<Observation>& seen) const
    {
        Vec4d X = linearPoint(seen);
        if (std::abs(X[3]) < 1e-12 * norm(X))
            return false; // at infinity: no parallax, nothing to check against
        Vec3d point(X[0] / X[3], X[1] / X[3], X[2] / X[3]);
        for (int step = 0; step < GAUSS_NEWTON_STEPS; ++step)
            if (!gaussNewtonStep(seen, point))
                break;
        for (const Observation& observation : seen)
        {
            const Matx34d& P = cameras_[size_t(observation.view)];
            const Vec3d x = P * Vec4d(point[0], point[1], point[2], 1);
            const Matx33d M = P.get_minor<3, 3>(0, 0);
            if (x[2] * determinant(M) <= 0)
                return false; // behind the camera
            const Point2d error =
                Point2d(x[0] / x[2], x[1] / x[2]) - positionOf(keypoints_, observation);
            if (!(norm(error) <= maxError_))
                return false;
        }
        return true;
    }

private:
    //! The camera's center: the null vector of P, from its minors.
    Vec4d center(size_t view) const
    {
        const Matx34d& P = cameras_[view];
        Vec4d c;
        for (int skip = 0; skip < 4; ++skip)
        {
            Matx33d minor;
            for (int r = 0; r < 3; ++r)
                for (int k = 0; k < 3; ++k)
                    minor(r, k) = P(r, k < skip ? k : k + 1);
            c[skip] = (skip % 2 ? -1 : 1) * determinant(minor);
        }
        return c * (1 / norm(c));
    }

    //! Least squares on x (P3 X) = P1 X, y (P3 X) = P2 X with every equation scaled to unit length.
    Vec4d linearPoint(const std::vector<Observation>& seen) const
    {
        Matx44d normal = Matx44d::zeros();
        for (const Observation& observation : seen)
        {
            const Matx34d& P = cameras_[size_t(observation.view)];
            const Point2d x = positionOf(keypoints_, observation);
            for (int axis = 0; axis < 2; ++axis)
            {
                const Matx14d equation = (axis ? x.y : x.x) * P.row(2) - P.row(axis);
                const double length = norm(equation);
                if (length > 0)
                    normal += equation.t() * equation * (1 / (length * length));
            }
        }
        Vec4d values;
        Matx44d vectors;
        eigen(normal, values, vectors);
        return Vec4d(vectors(3, 0), vectors(3, 1), vectors(3, 2), vectors(3, 3));
    }

    //! One step on the sum of squared reprojection errors; false where it ends or fails.
    bool gaussNewtonStep(const std::vector<Observation>& seen, Vec3d& point) const
    {
        Matx33d normal = Matx33d::zeros();
        Vec3d right(0, 0, 0);
        for (const Observation& observation : seen)
        {
            const Matx34d& P = cameras_[size_t(observation.view)];
            const Vec3d x = P * Vec4d(point[0], point[1], point[2], 1);
            if (x[2] == 0)
                return false;
            const Point2d measured = positionOf(keypoints_, observation);
            for (int axis = 0; axis < 2; ++axis)
            {
                const double predicted = x[axis] / x[2];
                Vec3d gradient;
                for (int c = 0; c < 3; ++c)
                    gradient[c] = (P(axis, c) - predicted * P(2, c)) / x[2];
                normal += gradient * gradient.t();
                right += gradient * ((axis ? measured.y : measured.x) - predicted);
            }
        }
        bool solved = false;
        const Matx33d inverse = normal.inv(DECOMP_CHOLESKY, &solved);
        if (!solved)
            return false;
        const Vec3d step = inverse * right;
        point += step;
        return norm(step) > 1e-9 * norm(point);
    }

    const KeyPoints& keypoints_;
    double maxError_;
    std::vector<Matx34d> cameras_;
    std::vector<Matx33d> fundamental_; //!< [i * views + j] for i < j
};

} // namespace

GeometryScore scoreHomographies(const Tracks& tracks,
                                const std::vector<std::vector<KeyPoint>>& keypoints,
                                InputArrayOfArrays homographies, double maxError)
{
    return scoreGeometry<PlaneGeometry>(tracks, keypoints, homographies, maxError);
}

GeometryScore scoreHomographies(const std::vector<PairMatches>& matches,
                                const std::vector<std::vector<KeyPoint>>& keypoints,
                                InputArrayOfArrays homographies, double maxError)
{
    return scoreGeometry<PlaneGeometry>(matches, keypoints, homographies, maxError);
}

GeometryScore scoreCameras(const Tracks& tracks,
                           const std::vector<std::vector<KeyPoint>>& keypoints,
                           InputArrayOfArrays projections, double maxError)
{
    return scoreGeometry<CameraGeometry>(tracks, keypoints, projections, maxError);
}

GeometryScore scoreCameras(const std::vector<PairMatches>& matches,
                           const std::vector<std::vector<KeyPoint>>& keypoints,
                           InputArrayOfArrays projections, double maxError)
{
    return scoreGeometry<CameraGeometry>(matches, keypoints, projections, maxError);
}

std::vector<std::vector<float>>
agreementByHomographies(const Tracks& tracks, const std::vector<std::vector<KeyPoint>>& keypoints,
                        InputArrayOfArrays homographies, double maxError)
{
    return agreement<PlaneGeometry>(tracks, keypoints, homographies, maxError);
}

std::vector<std::vector<float>>
agreementByCameras(const Tracks& tracks, const std::vector<std::vector<KeyPoint>>& keypoints,
                   InputArrayOfArrays projections, double maxError)
{
    return agreement<CameraGeometry>(tracks, keypoints, projections, maxError);
}

}} // namespace cv::multimatch
