// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "opencv2/multimatch_shapes/example_shapes.hpp"

#include <map>

namespace cv { namespace multimatch { namespace shapes {

namespace {

//! A bump of the sphere that becomes a limb.
struct Limb
{
    Vec3d direction;
    double length;    //!< in radii of the body
    double sharpness; //!< of the bump, the larger the thinner
};

const Limb LIMBS[] = {
    {Vec3d(0, 0.80, 0.60), 1.2, 9},                                              // head
    {Vec3d(0, -0.95, 0.30), 1.6, 18},                                            // tail
    {Vec3d(0.55, 0.60, -0.58), 1.5, 16},  {Vec3d(-0.55, 0.60, -0.58), 1.5, 16},  // front legs
    {Vec3d(0.55, -0.55, -0.63), 1.3, 13}, {Vec3d(-0.55, -0.55, -0.63), 1.3, 13}, // hind legs
};
const int FIRST_LEG = 2, LIMB_COUNT = 6;

Mesh icosahedron()
{
    const double g = (1 + std::sqrt(5.)) / 2;
    Mesh mesh;
    mesh.vertices = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                     {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    mesh.faces = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                  {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                  {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                  {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    return mesh;
}

Mesh sphere(int level)
{
    Mesh mesh = icosahedron();
    for (int l = 0; l < level; ++l)
    {
        std::map<std::pair<int, int>, int> middles;
        const auto middle = [&](int a, int b) {
            const std::pair<int, int> edge(std::min(a, b), std::max(a, b));
            const std::map<std::pair<int, int>, int>::const_iterator found = middles.find(edge);
            if (found != middles.end())
                return found->second;
            mesh.vertices.push_back((mesh.vertices[a] + mesh.vertices[b]) * 0.5);
            const int number = static_cast<int>(mesh.vertices.size()) - 1;
            middles[edge] = number;
            return number;
        };
        std::vector<Vec3i> faces;
        for (const Vec3i& f : mesh.faces)
        {
            const int a = middle(f[0], f[1]), b = middle(f[1], f[2]), c = middle(f[2], f[0]);
            faces.insert(faces.end(),
                         {Vec3i(f[0], a, c), Vec3i(f[1], b, a), Vec3i(f[2], c, b), Vec3i(a, b, c)});
        }
        mesh.faces.swap(faces);
    }
    for (Vec3d& vertex : mesh.vertices)
        vertex *= 1 / norm(vertex);
    return mesh;
}

void turn(double& a, double& b, double angle)
{
    const double c = std::cos(angle), s = std::sin(angle);
    const double rotated = c * a - s * b;
    b = s * a + c * b;
    a = rotated;
}

void checkLevel(int level)
{
    if (level < 1 || level > 7)
        CV_Error_(Error::StsOutOfRange, ("level is %d, expected 1 to 7", level));
}

} // namespace

Mesh exampleShape(int pose, int level)
{
    checkLevel(level);
    RNG rng(static_cast<uint64>(static_cast<unsigned>(pose)) * 7919 + 17);
    const bool moved = pose != 0;
    double swing[LIMB_COUNT], spread[LIMB_COUNT];
    for (int l = 0; l < LIMB_COUNT; ++l)
    {
        swing[l] = moved ? rng.uniform(-0.7, 0.7) : 0;
        spread[l] = moved ? rng.uniform(-0.25, 0.25) : 0;
    }
    const double bend = moved ? rng.uniform(-0.35, 0.35) : 0;
    const double twist = moved ? rng.uniform(-0.35, 0.35) : 0;
    const double sideways = moved ? rng.uniform(-0.3, 0.3) : 0;

    Mesh mesh = sphere(level);
    for (Vec3d& vertex : mesh.vertices)
    {
        const Vec3d direction = vertex;
        double radius = 1;
        Vec3d place(0, 0, 0);
        double weights[LIMB_COUNT];
        for (int l = 0; l < LIMB_COUNT; ++l)
        {
            const double cosine = direction.dot(LIMBS[l].direction) / norm(LIMBS[l].direction);
            weights[l] = std::exp(LIMBS[l].sharpness * (cosine - 1));
            radius += LIMBS[l].length * weights[l];
        }
        place = direction * radius;
        place[1] *= 1.6; // a long body
        for (int l = FIRST_LEG; l < LIMB_COUNT; ++l)
        {
            // A leg swings around its hip, the more the farther a point is out.
            const Vec3d hip(LIMBS[l].direction[0], LIMBS[l].direction[1] * 1.6,
                            LIMBS[l].direction[2]);
            Vec3d out = place - hip;
            const double share = weights[l];
            turn(out[1], out[2], swing[l] * share);
            turn(out[0], out[2], spread[l] * share);
            place = hip + out;
        }
        // The spine along y.
        turn(place[1], place[2], bend * place[1] / 2);
        turn(place[0], place[1], sideways * place[1] / 2);
        turn(place[2], place[0], twist * place[1] / 2);
        vertex = place;
    }
    return mesh;
}

std::vector<int> exampleMirror(int level)
{
    checkLevel(level);
    const Mesh mesh = sphere(level);
    const auto key = [](const Vec3d& v, double side) {
        return std::make_pair(std::make_pair(cvRound(side * v[0] * 1e6), cvRound(v[1] * 1e6)),
                              cvRound(v[2] * 1e6));
    };
    std::map<std::pair<std::pair<int, int>, int>, int> places;
    for (size_t v = 0; v < mesh.vertices.size(); ++v)
        places[key(mesh.vertices[v], 1)] = static_cast<int>(v);
    std::vector<int> mirror;
    for (const Vec3d& vertex : mesh.vertices)
        mirror.push_back(places.at(key(vertex, -1)));
    return mirror;
}

}}} // namespace cv::multimatch::shapes
