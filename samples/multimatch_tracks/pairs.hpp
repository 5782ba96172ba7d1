// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_TRACKS_PAIRS_HPP
#define MULTIMATCH_TRACKS_PAIRS_HPP

#include "opencv2/multimatch/matcher.hpp"

#include <string>
#include <vector>

//! Views to compare, as given by --pairs.
struct PairChoice
{
    int window = 0;   //!< each view with this many next ones; 0: all pairs, or those of the file
    int similar = 0;  //!< each view with this many most similar ones; 0: not used
    std::string file; //!< empty: none
};

//! Parses "all", "sequential:N", "retrieval:N" or the name of a file. Throws
//! samples::ArgumentError.
PairChoice parsePairChoice(const std::string& text);

/** @brief Reads a list of pairs. Each line has two indices of images from 0, or two names with or
without folder; # begins a comment.
@param file name of the list
@param sources names of all given images
@param sourceIndex index of each view in sources; pairs with unreadable images are ignored
@return N x 2 CV_32S, indices of views
Throws samples::ArgumentError with the number of an invalid line. */
cv::Mat readPairs(const std::string& file, const std::vector<std::string>& sources,
                  const std::vector<int>& sourceIndex);

#endif
