// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SIGNATURES_HPP
#define OPENCV_MULTIMATCH_SIGNATURES_HPP

#include "opencv2/core.hpp"

namespace cv { namespace multimatch {

//! @addtogroup multimatch
//! @{

/** @brief The words of computeSignatures(): learned once from some views, they serve many.

signaturesFromWords(descriptors, learnSignatureWords(descriptors)) is
computeSignatures(descriptors).
@param descriptors as of computeSignatures
@param normType as of computeSignatures
@return a word per row, CV_32F, at most 64 rows; empty where there are no descriptors. With
NORM_HAMMING a column for each bit */
CV_EXPORTS_W Mat learnSignatureWords(InputArrayOfArrays descriptors, int normType = 0);

/** @brief computeSignatures() with given words: signatures of views that are computed apart, with
the same words, can be compared.

@param descriptors as of computeSignatures
@param words from learnSignatureWords() with the same normType
@param normType as of computeSignatures
@return as of computeSignatures. Throws cv::Exception where words have another width than the
descriptors, too. */
CV_EXPORTS_W Mat signaturesFromWords(InputArrayOfArrays descriptors, InputArray words,
                                     int normType = 0);

//! @}

}} // namespace cv::multimatch

#endif
