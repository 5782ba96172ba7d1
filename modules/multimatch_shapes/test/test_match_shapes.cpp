// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_meshes.hpp"

#include <cstdlib>

namespace opencv_test { namespace {

ShapeMatchParams smallParams()
{
    ShapeMatchParams params;
    params.points = 150;
    params.eigenpairs = 80;
    params.alignment.lastSize = 60;
    return params;
}

std::vector<Mesh> family(int count, int level = 3)
{
    std::vector<Mesh> meshes;
    meshes.reserve(static_cast<size_t>(count));
    for (int pose = 0; pose < count; ++pose)
        meshes.push_back(exampleShape(pose, level));
    return meshes;
}

//! Errors of all matches in units of sqrt(area), where the same vertex is the same point; mirror:
//! the smaller one of both sides.
std::vector<float> errorsOf(const ShapeTracks& found, const std::vector<int>* mirror = NULL)
{
    std::vector<float> errors;
    const int n = static_cast<int>(found.shapes.size());
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (const DMatch& match : i == j ? std::vector<DMatch>() : found.tracks.matches(i, j))
            {
                const int vertex = found.shapes[i].functions.samples[match.queryIdx];
                float error = found.shapes[j].distances.at<float>(match.trainIdx, vertex);
                if (mirror)
                    error = std::min(error, found.shapes[j].distances.at<float>(match.trainIdx,
                                                                                (*mirror)[vertex]));
                errors.push_back(error);
            }
    return errors;
}

double meanOf(const std::vector<float>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

TEST(Shapes_Alignment, map_of_a_shape_with_itself_is_the_identity)
{
    const SampledShape shape = sampleShape(exampleShape(1, 3), smallParams());
    const Mat map = functionalMap(shape.functions, shape.functions);
    EXPECT_LT(norm(map, Mat::eye(20, 20, CV_64F), NORM_INF), 1e-6);
}

//! Only the operators of orientation can distinguish left and right.
TEST(Shapes_Alignment, orientation_decides_between_left_and_right)
{
    const std::vector<int> mirror = exampleMirror(3);
    ShapeMatchParams params = smallParams();
    const ShapeTracks found = matchShapes(family(4), params);
    const double direct = meanOf(errorsOf(found)), either = meanOf(errorsOf(found, &mirror));
    EXPECT_LT(direct - either, 0.003);
    // A mirrored creature, with its faces turned outward again, is aligned with its own left and
    // right.
    std::vector<Mesh> meshes = family(2);
    meshes[1] = meshes[0];
    for (Vec3d& vertex : meshes[1].vertices)
        vertex[0] = -vertex[0];
    const ShapeTracks mirrored = matchShapes(meshes, params);
    double crossed = 0, same = 0;
    for (const DMatch& match : mirrored.tracks.matches(0, 1))
    {
        const int vertex = mirrored.shapes[0].functions.samples[match.queryIdx];
        crossed += mirrored.shapes[1].distances.at<float>(match.trainIdx, mirror[vertex]);
        same += mirrored.shapes[1].distances.at<float>(match.trainIdx, vertex);
    }
    EXPECT_LT(crossed, same);
}

TEST(Shapes_Alignment, synchronizes_consistent_maps_exactly)
{
    const int n = 4, k = 5;
    RNG rng(3);
    std::vector<Mat> places;
    for (int i = 0; i < n; ++i)
    {
        Mat random(k, k, CV_64F);
        rng.fill(random, RNG::NORMAL, 0, 1);
        places.push_back(SVD(random).u);
    }
    std::vector<Mat> maps(n * n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            maps[i * n + j] = places[j] * places[i].t();
    const std::vector<Mat> found = synchronizeMaps(maps, n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            EXPECT_LT(norm(found[j] * found[i].t(), maps[i * n + j], NORM_INF), 1e-8);
    // One map of six that is wrong is outvoted.
    maps[1] = Mat::eye(k, k, CV_64F);
    const std::vector<Mat> robust = synchronizeMaps(maps, n);
    EXPECT_LT(norm(robust[3] * robust[2].t(), maps[2 * n + 3], NORM_INF), 0.35);
    EXPECT_NE("", messageOf([&]() { synchronizeMaps(maps, 3); }));
}

TEST(Shapes_Match, follows_bent_shapes)
{
    const ShapeTracks found = matchShapes(family(4), smallParams());
    const std::vector<float> errors = errorsOf(found);
    EXPECT_LT(meanOf(errors), 0.06);
    EXPECT_GT(found.tracks.size(), 120);
    EXPECT_FALSE(found.tracks.report().cancelled);
    // Better than the paper's recipe, and than its start.
    for (int method : {SHAPES_PAPER, SHAPES_QUICKMATCH})
    {
        ShapeMatchParams params = smallParams();
        params.method = method;
        ShapeTracks peer;
        peer.shapes = found.shapes;
        peer.tracks = matchSampledShapes(found.shapes, params);
        EXPECT_LT(meanOf(errors), meanOf(errorsOf(peer)));
    }
}

TEST(Shapes_Match, does_not_depend_on_order_and_threads)
{
    std::vector<Mesh> meshes = family(3);
    const ShapeTracks found = matchShapes(meshes, smallParams());
    std::reverse(meshes.begin(), meshes.end());
    const int threads = getNumThreads();
    setNumThreads(1);
    const ShapeTracks other = matchShapes(meshes, smallParams());
    setNumThreads(threads);
    for (int i = 0; i < 3; ++i)
    {
        EXPECT_EQ(found.shapes[i].functions.samples, other.shapes[2 - i].functions.samples);
        for (int j = 0; j < 3; ++j)
        {
            if (i == j)
                continue;
            const std::vector<DMatch> one = found.tracks.matches(i, j),
                                      two = other.tracks.matches(2 - i, 2 - j);
            ASSERT_EQ(one.size(), two.size());
            for (size_t m = 0; m < one.size(); ++m)
            {
                EXPECT_EQ(one[m].queryIdx, two[m].queryIdx);
                EXPECT_EQ(one[m].trainIdx, two[m].trainIdx);
            }
        }
    }
}

TEST(Shapes_Match, can_be_stopped)
{
    int calls = 0;
    const ShapeTracks found = matchShapes(family(2), smallParams(), [&](const Progress& progress) {
        ++calls;
        return std::string(progress.stage) != "alignment";
    });
    EXPECT_GT(calls, 1);
    EXPECT_TRUE(found.tracks.report().cancelled);
    EXPECT_TRUE(found.tracks.empty());
}

TEST(Shapes_Match, refuses_bad_input)
{
    std::vector<Mesh> meshes = family(2, 2);
    EXPECT_NE("", messageOf([&]() { matchShapes(std::vector<Mesh>(1, meshes[0])); }));
    // The last maps need more eigenfunctions than a shape has vertices.
    meshes[1] = tetrahedron();
    EXPECT_NE(std::string::npos,
              messageOf([&]() { matchShapes(meshes); }).find("mesh 1: the mesh has 4 vertices"));
    meshes[1] = exampleShape(1, 1);
    EXPECT_NE(std::string::npos, messageOf([&]() { matchShapes(meshes); }).find("eigenfunctions"));
    ShapeMatchParams params;
    params.points = 1;
    EXPECT_NE(std::string::npos, messageOf([&]() {
                                     matchShapes(meshes, params);
                                 }).find("ShapeMatchParams::points is 1, expected 2 or more"));
}

TEST(Shapes_Match, wolf)
{
    const char* const data = std::getenv("MULTIMATCH_TEST_DATA");
    std::vector<Mesh> meshes;
    for (int i = 0; data && i < 3; ++i)
    {
        const std::string name = cv::format("%s/tosca/wolf/wolf%d.off", data, i);
        if (messageOf([&]() { meshes.push_back(readMesh(name)); }) != "")
            break;
    }
    if (meshes.size() < 3)
        SKIP_TEST("there is no tosca/wolf below MULTIMATCH_TEST_DATA");
    const ShapeTracks found = matchShapes(meshes);
    const std::vector<float> errors = errorsOf(found);
    const double close = static_cast<double>(
        std::count_if(errors.begin(), errors.end(), [](float error) { return error <= 0.05f; }));
    EXPECT_LT(meanOf(errors), 0.017);
    EXPECT_GT(close / static_cast<double>(errors.size()), 0.98);
    EXPECT_GE(found.tracks.size(), 520);
}

}} // namespace opencv_test::
