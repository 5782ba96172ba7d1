// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_RETRIEVAL_HPP
#define OPENCV_MULTIMATCH_RETRIEVAL_HPP

#include "opencv2/core.hpp"

namespace cv { namespace multimatch {

//! @addtogroup multimatch
//! @{

/** @brief One vector per view that describes its content: views of the same objects have similar
vectors.

VLAD @cite Jegou2010 : descriptors are assigned to the nearest of 64 words, learned from a sample of
these descriptors; for each word the differences of its descriptors from the word are summed and
normalized.
@param descriptors one Mat per view, rows are descriptors, all of one type (CV_32F or CV_8U) and
width; a view without points may be empty
@param normType as of MultiMatcher::setNormType; with NORM_HAMMING every bit counts as a coordinate
@return a row of unit length a view, CV_32F; a row of zeros for a view without points. The same
whatever the number of threads and the order of points and views, up to rounding.
Cost: linear in the descriptors. Throws cv::Exception on bad input. */
CV_EXPORTS_W Mat computeSignatures(InputArrayOfArrays descriptors, int normType = 0);

/** @brief Selects pairs of views to compare: each view with those whose signatures are most
similar.

For thousands of unordered photographs, of which comparing all pairs would take too long.
@code
matcher->setPairs(cv::multimatch::retrievePairs(descriptors, 20));
@endcode
@param descriptors as of computeSignatures
@param count number of other views that each view is paired with, at least 1; a view that was
selected by others has more
@param normType as of computeSignatures
@return N x 2 CV_32S for MultiMatcher::setPairs, first < second, ascending; views without points are
in none
Cost: that of the signatures, and a product of 64 times a descriptor's width for each pair of
views. */
CV_EXPORTS_W Mat retrievePairs(InputArrayOfArrays descriptors, int count, int normType = 0);

//! @}

}} // namespace cv::multimatch

#endif
