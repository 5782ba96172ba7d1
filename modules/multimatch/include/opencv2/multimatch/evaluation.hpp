// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_EVALUATION_HPP
#define OPENCV_MULTIMATCH_EVALUATION_HPP

#include "opencv2/multimatch/tracks.hpp"

namespace cv { namespace multimatch {

//! @addtogroup multimatch
//! @{

//! Matches counted over all unordered pairs of views.
struct CV_EXPORTS_W_SIMPLE MatchScore
{
    CV_PROP_RW double matches; //!< matches claimed
    CV_PROP_RW double correct; //!< of these, right
    CV_PROP_RW double truth;   //!< matches there are

    CV_WRAP MatchScore();
    CV_WRAP double precision() const; //!< correct / matches; 1 where nothing is claimed
    CV_WRAP double recall() const;    //!< correct / truth; 1 where there is nothing to find
    CV_WRAP double fscore() const;    //!< harmonic mean of both
};

/** @brief Scores tracks against the true labels.
@param tracks to be judged
@param labels per view the true label of each point; negative: an outlier, any match of it is wrong
Cost: linear in the points. Throws cv::Exception where sizes do not fit. */
CV_EXPORTS_W MatchScore scoreTracks(const Tracks& tracks,
                                    const std::vector<std::vector<int>>& labels);

//! @}

}} // namespace cv::multimatch

#endif
