// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_TRACKS_OUTPUTS_HPP
#define MULTIMATCH_TRACKS_OUTPUTS_HPP

#include "matching.hpp"
#include "summary.hpp"

//! Names of all files and folders to write.
std::vector<std::string> outputNames(const Options& options);

//! Width in pixels of the thumbnails that the outputs need; 0: none.
int thumbnailWidth(const Options& options);

//! Writes all outputs, the report last, and adds the seconds to times.
void writeOutputs(const Options& options, const Views& views, const Matched& matched,
                  samples::StageTimes& times);

#endif
