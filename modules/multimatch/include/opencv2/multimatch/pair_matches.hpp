// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_PAIR_MATCHES_HPP
#define OPENCV_MULTIMATCH_PAIR_MATCHES_HPP

#include "opencv2/core.hpp"

#include <vector>

namespace cv { namespace multimatch {

//! @addtogroup multimatch
//! @{

/** @brief The matches between two views, as a pairwise matcher gives them.

A list of these need not be cycle-consistent; Tracks always are. */
struct CV_EXPORTS_W_SIMPLE PairMatches
{
    CV_PROP_RW int first;                   //!< view of queryIdx
    CV_PROP_RW int second;                  //!< view of trainIdx
    CV_PROP_RW std::vector<DMatch> matches; //!< in any order

    CV_WRAP PairMatches() : first(-1), second(-1) {}
    //! The matches of the views firstView and secondView.
    PairMatches(int firstView, int secondView,
                const std::vector<DMatch>& matchList = std::vector<DMatch>())
        : first(firstView), second(secondView), matches(matchList)
    {
    }
};

//! @}

}} // namespace cv::multimatch

#endif
