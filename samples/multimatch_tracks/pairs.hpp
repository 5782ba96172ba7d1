// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_TRACKS_PAIRS_HPP
#define MULTIMATCH_TRACKS_PAIRS_HPP

#include "opencv2/multimatch/matcher.hpp"

#include <string>
#include <vector>

//! Which views to compare, as the command line says it.
struct PairChoice
{
    int window = 0;   //!< 0: all, or those of the file
    int similar = 0;  //!< each with so many that look like it; 0: not chosen that way
    std::string file; //!< empty: none
};

//! "all", "sequential:N", "retrieval:N" or the name of a file. Throws samples::ArgumentError.
PairChoice parsePairChoice(const std::string& text);

/** Reads a list of pairs: a line holds two numbers of images, counted from 0, or two names, with or without
folder; # begins a comment.
@param file to be read
@param sources the images asked for
@param sourceIndex per view its number among the sources; pairs of an image that became no view are left out
@return N x 2 CV_32S, numbers of views
Throws samples::ArgumentError, naming the line, where a line cannot be understood. */
cv::Mat readPairs(const std::string& file, const std::vector<std::string>& sources,
                  const std::vector<int>& sourceIndex);

#endif
