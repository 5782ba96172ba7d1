// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Usage: tutorial_shapes [MESH MESH...]
// Matches points of meshes or, without any, of four creatures that it makes.

#include "opencv2/multimatch_shapes.hpp"

#include <cstdio>

using namespace cv::multimatch;

//! The same vertex is the same point on all creatures: share of matches within 0.05 sqrt(area) of
//! the truth.
static double shareRight(const shapes::ShapeTracks& found)
{
    double right = 0, all = 0;
    const int n = found.tracks.viewCount();
    for (int i = 0; i < n; ++i)
        for (int j = i + 1; j < n; ++j)
            for (const cv::DMatch& match : found.tracks.matches(i, j))
            {
                //! [error]
                const int truth = found.shapes[i].functions.samples[match.queryIdx];
                const float error = found.shapes[j].distances.at<float>(match.trainIdx, truth);
                //! [error]
                right += error <= 0.05f;
                ++all;
            }
    return right / all;
}

int main(int argc, char** argv)
{
    try
    {
        std::vector<shapes::Mesh> meshes;
        //! [read]
        for (int i = 1; i < argc; ++i)
            meshes.push_back(shapes::readMesh(argv[i])); // .off, .ply or .obj
        //! [read]
        for (int pose = 0; pose < 4 && argc == 1; ++pose)
            meshes.push_back(shapes::exampleShape(pose));

        //! [match]
        shapes::ShapeMatchParams params;
        params.points = 300;
        const shapes::ShapeTracks found = shapes::matchShapes(meshes, params);
        //! [match]

        //! [vertices]
        const std::vector<cv::DMatch> matches = found.tracks.matches(0, 1);
        const int there = found.shapes[0].functions.samples[matches[0].queryIdx];
        const int here = found.shapes[1].functions.samples[matches[0].trainIdx];
        //! [vertices]
        std::printf("vertex %d of the first shape is vertex %d of the second\n", there, here);
        if (argc == 1)
        {
            std::printf("universe  %d tracks, %.0f %% right\n", found.tracks.size(),
                        100 * shareRight(found));
            //! [paper]
            shapes::ShapeTracks peer = found; // the same points
            params.method = shapes::SHAPES_PAPER;
            peer.tracks = shapes::matchSampledShapes(found.shapes, params);
            //! [paper]
            std::printf("paper     %d tracks, %.0f %% right\n", peer.tracks.size(),
                        100 * shareRight(peer));
        }
        return 0;
    }
    catch (const cv::Exception& e)
    {
        std::fprintf(stderr, "tutorial_shapes: %s\n", e.err.c_str());
        return 1;
    }
}
