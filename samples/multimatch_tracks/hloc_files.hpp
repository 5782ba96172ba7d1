// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_TRACKS_HLOC_FILES_HPP
#define MULTIMATCH_TRACKS_HLOC_FILES_HPP

#include "opencv2/multimatch/io.hpp"

#include <string>
#include <vector>

//! True if the program was built with the HDF5 library.
bool haveHdf5();

//! True if the file begins with the signature of HDF5.
bool isHdf5(const std::string& file);

/** @brief Reads the files of hloc.

The features have a group for each image with keypoints (N x 2), and optionally scores (N) and
image_size. The matches have a group for each pair of images with matches0 (for each key point of
the first image its match, -1: none) and optionally matching_scores0; its name is that of both
images, "/" in them replaced by "-", with "/" between them ("_" in files of old versions).
@param featuresFile features.h5
@param matchesFile matches.h5
@param views an entry for each image of the features, in the order of their names
@param matches a pair of views each; DMatch::distance is the score, 1 where there is none
Throws std::runtime_error with the name of the file where something is missing or does not fit. */
void readHloc(const std::string& featuresFile, const std::string& matchesFile,
              std::vector<cv::multimatch::ViewInfo>& views,
              std::vector<cv::multimatch::PairMatches>& matches);

#endif
