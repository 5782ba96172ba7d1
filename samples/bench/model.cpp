// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "model.hpp"

#include "arguments.hpp"
#include "files.hpp"

#include "opencv2/calib3d.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>

namespace bench {

using namespace cv;

namespace {

//! Properties of a reconstruction to evaluate.
struct Model
{
    std::map<std::string, Vec3d> centers;     //!< of the registered images, by name
    std::map<std::string, Matx33d> rotations; //!< from the world to the camera
    int points = 0;
    int twice = 0; //!< points with two observations in one image
    double observations = 0;
    double errorSum = 0; //!< sum of reprojection errors over all observations
};

std::ifstream openText(const std::string& file)
{
    std::ifstream in(file.c_str());
    if (!in)
        CV_Error(Error::StsError, "cannot read " + file);
    return in;
}

Matx33d rotationOf(const Vec4d& q)
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    return Matx33d(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                   2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                   2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y));
}

Model readModel(const std::string& folder)
{
    Model model;
    std::ifstream images = openText(folder + "/images.txt");
    std::string line, observations;
    while (std::getline(images, line))
    {
        if (line.empty() || line[0] == '#')
            continue;
        std::istringstream words(line);
        int id, camera;
        Vec4d q;
        Vec3d t;
        std::string name;
        words >> id >> q[0] >> q[1] >> q[2] >> q[3] >> t[0] >> t[1] >> t[2] >> camera >> name;
        if (!words)
            CV_Error(Error::StsParseError, "images.txt of " + folder + " has the line " + line);
        model.centers[::samples::baseName(name)] = -(rotationOf(q).t() * t);
        model.rotations[::samples::baseName(name)] = rotationOf(q);
        std::getline(images, observations); // a second line for each image
    }
    std::ifstream points = openText(folder + "/points3D.txt");
    while (std::getline(points, line))
    {
        if (line.empty() || line[0] == '#')
            continue;
        std::istringstream words(line);
        double skipped, error;
        for (int n = 0; n < 7; ++n)
            words >> skipped;
        words >> error;
        std::set<int> seen;
        int image, point, length = 0;
        while (words >> image >> point)
        {
            ++length;
            seen.insert(image);
        }
        ++model.points;
        model.observations += length;
        model.errorSum += error * length;
        model.twice += static_cast<int>(seen.size()) < length;
    }
    return model;
}

//! Given cameras by image name.
struct Given
{
    std::map<std::string, Vec3d> centers;
    std::map<std::string, Matx33d> rotations;
};

//! The rotation of a camera P = s K [R t].
Matx33d rotationOfCamera(const Mat& P)
{
    Matx33d M = Matx33d(Mat(P.colRange(0, 3))), K, R;
    if (determinant(M) < 0)
        M = M * -1.;
    RQDecomp3x3(M, K, R);
    for (int axis = 0; axis < 3; ++axis)
        if (K(axis, axis) < 0) // focal lengths are positive
            for (int c = 0; c < 3; ++c)
                R(axis, c) = -R(axis, c);
    return R;
}

//! Reads a file with name_NNN and P_NNN.
Given readGiven(const std::string& file)
{
    FileStorage storage(file, FileStorage::READ);
    if (!storage.isOpened())
        CV_Error(Error::StsError, "cannot read " + file);
    Given given;
    const int views = static_cast<int>(storage["view_count"]);
    for (int v = 0; v < views; ++v)
    {
        Mat P, center;
        storage[format("P_%03d", v)] >> P;
        SVD::solveZ(P, center);
        const std::string name = static_cast<std::string>(storage[format("name_%03d", v)]);
        given.centers[name] =
            Vec3d(center.at<double>(0), center.at<double>(1), center.at<double>(2)) *
            (1 / center.at<double>(3));
        given.rotations[name] = rotationOfCamera(P);
    }
    return given;
}

double angleOf(double cosine)
{
    return std::acos(std::min(1., std::max(-1., cosine))) * 180 / CV_PI;
}

/** Errors of the relative poses of all pairs of given images, in degrees: the larger of the angles
between the relative rotations and between the directions from one camera to the other, as seen by
the first. 180 where an image is not registered. */
std::vector<double> relativePoseErrors(const Model& model, const Given& given)
{
    std::vector<double> errors;
    for (auto a = given.centers.begin(); a != given.centers.end(); ++a)
        for (auto b = std::next(a); b != given.centers.end(); ++b)
        {
            if (!model.centers.count(a->first) || !model.centers.count(b->first))
            {
                errors.push_back(180);
                continue;
            }
            const Matx33d& Ra = model.rotations.at(a->first);
            const Matx33d& Ga = given.rotations.at(a->first);
            const Matx33d found = model.rotations.at(b->first) * Ra.t();
            const Matx33d expected = given.rotations.at(b->first) * Ga.t();
            const Vec3d to = Ra * (model.centers.at(b->first) - model.centers.at(a->first));
            const Vec3d expectedTo = Ga * (b->second - a->second);
            errors.push_back(std::max(angleOf((trace(found * expected.t()) - 1) / 2),
                                      angleOf(to.dot(expectedTo) / (norm(to) * norm(expectedTo)))));
        }
    std::sort(errors.begin(), errors.end());
    return errors;
}

//! Area under the share of pairs with at most an error, over errors from 0 to limit, in percent.
//! errors: ascending
double areaUnderCurve(const std::vector<double>& errors, double limit)
{
    double area = 0;
    for (double error : errors)
        area += std::max(0., limit - error);
    return 100 * area / (limit * static_cast<double>(std::max<size_t>(1, errors.size())));
}

//! Root mean square distance after the optimal similarity transform (Umeyama).
double alignedError(const std::vector<Vec3d>& from, const std::vector<Vec3d>& to)
{
    const double n = static_cast<double>(from.size());
    Vec3d meanFrom, meanTo;
    for (size_t i = 0; i < from.size(); ++i)
    {
        meanFrom += from[i] * (1 / n);
        meanTo += to[i] * (1 / n);
    }
    Matx33d covariance = Matx33d::zeros();
    double variance = 0;
    for (size_t i = 0; i < from.size(); ++i)
    {
        covariance += (to[i] - meanTo) * (from[i] - meanFrom).t() * (1 / n);
        variance += (from[i] - meanFrom).dot(from[i] - meanFrom) / n;
    }
    Matx33d U, Vt;
    Matx31d w;
    SVD::compute(covariance, w, U, Vt);
    const double sign = determinant(U) * determinant(Vt) < 0 ? -1 : 1;
    const Matx33d R = U * Matx33d(1, 0, 0, 0, 1, 0, 0, 0, sign) * Vt;
    const double scale = (w(0) + w(1) + sign * w(2)) / variance;
    double sum = 0;
    for (size_t i = 0; i < from.size(); ++i)
    {
        const Vec3d off = scale * (R * (from[i] - meanFrom)) - (to[i] - meanTo);
        sum += off.dot(off) / n;
    }
    return std::sqrt(sum);
}

} // namespace

int runModel(int argc, const char* const* argv)
{
    ::samples::Arguments arguments(
        "multimatch_bench model --model=DIR --cameras=FILE",
        "Prints registered images, images given, points, mean track length, reprojection error in\n"
        "pixels, points seen twice in one image, and the root mean square error of the camera "
        "centers\nafter the best similarity transform, in units of the given cameras. Then the "
        "area under the\ncurve of the errors of relative poses up to 0.5, 1, 5 and 10 degrees, in "
        "percent.");
    arguments.section("Input");
    arguments.option("model", "DIR", "",
                     "reconstruction of COLMAP as text: images.txt, points3D.txt");
    arguments.option("cameras", "FILE", "", "given cameras: view_count, name_NNN, K_NNN, P_NNN");
    arguments.flag("help", false, "print this text");
    arguments.parse(argc, argv);
    if (arguments.getFlag("help"))
    {
        std::cout << arguments.help();
        return 0;
    }
    if (!arguments.given("model") || !arguments.given("cameras"))
        throw ::samples::ArgumentError("give --model=DIR and --cameras=FILE");
    const Model model = readModel(arguments.get("model"));
    const Given given = readGiven(arguments.get("cameras"));
    std::vector<Vec3d> from, to;
    for (const auto& image : model.centers)
        if (given.centers.count(image.first))
        {
            from.push_back(image.second);
            to.push_back(given.centers.at(image.first));
        }
    if (from.size() < 3)
        CV_Error(Error::StsError, format("only %d registered images have given cameras, expected 3",
                                         int(from.size())));
    std::cout << format("%d %d %d %.2f %.3f %d %.5f", int(from.size()), int(given.centers.size()),
                        model.points, model.observations / std::max(1, model.points),
                        model.errorSum / std::max(1., model.observations), model.twice,
                        alignedError(from, to));
    const std::vector<double> errors = relativePoseErrors(model, given);
    for (double limit : {0.5, 1., 5., 10.})
        std::cout << format(" %.1f", areaUnderCurve(errors, limit));
    std::cout << "\n";
    return 0;
}

} // namespace bench
