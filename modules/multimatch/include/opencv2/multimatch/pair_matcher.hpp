// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_PAIR_MATCHER_HPP
#define OPENCV_MULTIMATCH_PAIR_MATCHER_HPP

#include "opencv2/multimatch/matcher.hpp"

#include <functional>

namespace cv {

class DescriptorMatcher; // of the module features2d, since OpenCV 5 features

namespace multimatch {

//! @addtogroup multimatch
//! @{

//! Matches the views first and second in any way: queryIdx is a point of first, trainIdx one of
//! second.
typedef std::function<std::vector<DMatch>(int first, int second)> PairMatcher;

/** @brief Runs a matcher of two views on pairs of views, for MultiMatcher::synchronize.
@param viewCount number of views
@param pairs N x 2 CV_32S, e.g. of retrievePairs(); empty: all pairs
@param matcher called once for each pair, in their order and in the calling thread
@param progress called with the stage "pairs" between two pairs; where it returns false the matches
of the pairs before are returned
@return an entry for each pair
Throws cv::Exception where a view does not exist, and passes on what matcher throws. */
CV_EXPORTS std::vector<PairMatches>
matchPairs(int viewCount, InputArray pairs, const PairMatcher& matcher,
           const ProgressCallback& progress = ProgressCallback());

/** @brief Same by cv::DescriptorMatcher::match.
@param descriptors per view a row for each key point; pairs with an empty view have no matches
@param pairs as above
@param matcher BFMatcher, FlannBasedMatcher or a learned one
@param beforePair called with both views before each pair; for matchers that need the key points or
image sizes of the pair, such as LightGlueMatcher::setPairInfo of OpenCV 5
@param progress as above
Throws StsNotImplemented in a build without the module features2d. */
CV_EXPORTS std::vector<PairMatches> matchPairs(
    InputArrayOfArrays descriptors, InputArray pairs, const Ptr<DescriptorMatcher>& matcher,
    const std::function<void(int first, int second)>& beforePair = std::function<void(int, int)>(),
    const ProgressCallback& progress = ProgressCallback());

//! @}

}
} // namespace cv::multimatch

#endif
