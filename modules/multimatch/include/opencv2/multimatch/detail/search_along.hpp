// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_DETAIL_SEARCH_ALONG_HPP
#define OPENCV_MULTIMATCH_DETAIL_SEARCH_ALONG_HPP

#include "opencv2/multimatch/geometry.hpp"

namespace cv { namespace multimatch { namespace detail {

//! @addtogroup multimatch
//! @{

//! Two points that agree with the geometry of their views.
struct AlongPair
{
    int first, second; //!< points of the first and of the second view
    float distance;    //!< of their descriptors
    float residual;    //!< see pairResidual()
};

struct SearchAlongParams
{
    int count;          //!< pairs of each point
    double maxResidual; //!< px; points no farther from each other count as one place
    //! Distance of the descriptors of a point of the first and one of the second view; infinity:
    //! the pair is not wanted. Called by the thread that searches.
    std::function<float(int, int)> distance;
};

/** @brief The most similar points along the geometry of two views.

Of all pairs of points whose residual is at most maxResidual those which are among the count nearest
ones of one of their points, by the distance of their descriptors. A pair with a point that lies
elsewhere than the nearest one of the other point is dropped: such a point would be one place of
several that look alike.
@param geometry of the two views
@param first, second points of the views, n x 2 CV_32F
@param params what is searched
@return each pair once, ascending
*/
CV_EXPORTS std::vector<AlongPair> searchAlong(const PairGeometry& geometry, const Mat& first,
                                              const Mat& second, const SearchAlongParams& params);

//! @}

}}} // namespace cv::multimatch::detail

#endif
