// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_BASE_CHECKS_HPP
#define OPENCV_MULTIMATCH_SRC_BASE_CHECKS_HPP

#include "../precomp.hpp"

namespace cv { namespace multimatch {

//! Number of entries of each view.
template<typename T>
std::vector<int> sizesOf(const std::vector<std::vector<T>>& views)
{
    std::vector<int> sizes;
    for (size_t v = 0; v < views.size(); ++v)
        sizes.push_back(static_cast<int>(views[v].size()));
    return sizes;
}

//! Number of rows of the matrix of each view.
inline std::vector<int> sizesOf(const std::vector<Mat>& views)
{
    std::vector<int> sizes;
    for (size_t v = 0; v < views.size(); ++v)
        sizes.push_back(views[v].rows);
    return sizes;
}

/** Throws unless every pair is of two different views and every match of points that exist.
@param viewSizes number of points of each view
@param eachPairOnce whether a pair of views may occur only once */
void checkMatches(const std::vector<PairMatches>& matches, const std::vector<int>& viewSizes,
                  bool eachPairOnce);

//! Throws unless the views have these numbers of points. name: of the argument that sizes was taken
//! from.
void checkSizes(const Tracks& tracks, const std::vector<int>& sizes, const char* name);

}} // namespace cv::multimatch

#endif
