// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_MATCH_SHAPES_OPTIONS_HPP
#define MULTIMATCH_SAMPLES_MATCH_SHAPES_OPTIONS_HPP

#include "opencv2/multimatch_shapes.hpp"

#include <string>
#include <vector>

struct Options
{
    bool help, quiet;
    std::string helpText;
    std::vector<std::string> meshes; //!< files
    int example;                     //!< number of creatures to make in place of files, 0: none
    cv::multimatch::shapes::ShapeMatchParams params;
    int threads;                     //!< 0: all
    std::vector<std::string> tracks; //!< .yml, .csv, ...
    std::string colored, picture, page;
    double azimuth, elevation; //!< of the view, degrees
    char up;                   //!< axis that points up: x, y or z
};

//! Throws samples::ArgumentError.
Options parseOptions(int argc, const char* const* argv);

//! All files and folders to write.
std::vector<std::string> outputNames(const Options& options);

#endif
