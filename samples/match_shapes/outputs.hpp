// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_MATCH_SHAPES_OUTPUTS_HPP
#define MULTIMATCH_SAMPLES_MATCH_SHAPES_OUTPUTS_HPP

#include "options.hpp"

//! A mesh as it was read.
struct NamedMesh
{
    std::string name;
    cv::multimatch::shapes::Mesh mesh;
};

//! Tracks, colored meshes, picture and page.
void writeOutputs(const Options& options, const std::vector<NamedMesh>& meshes,
                  const cv::multimatch::shapes::ShapeTracks& found);

#endif
