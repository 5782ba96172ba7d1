// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_GROWING_CONTRADICTIONS_HPP
#define OPENCV_MULTIMATCH_SRC_GROWING_CONTRADICTIONS_HPP

#include "../precomp.hpp"

namespace cv { namespace multimatch {

//! An observation of a track of a part.
struct PartMember
{
    int point;        //!< its number among all points of the collection, or of a smaller problem
    float confidence; //!< in the part

    bool operator<(const PartMember& other) const
    {
        return point != other.point ? point < other.point : confidence < other.confidence;
    }
};

//! A track of a part.
struct PartTrack
{
    int part;
    std::vector<PartMember> members; //!< ascending by point

    //! By content; equal tracks of different parts have any order.
    bool operator<(const PartTrack& other) const
    {
        return std::lexicographical_compare(members.begin(), members.end(), other.members.begin(),
                                            other.members.end());
    }
};

/** Consistent tracks where tracks of parts contradict each other.

@param viewSizes points of each view, m in all
@param tracks of all parts, sorted; of one part they have no point in common
@return per point its track, -1: none */
std::vector<int> resolveContradictions(const std::vector<int>& viewSizes,
                                       const std::vector<PartTrack>& tracks);

}} // namespace cv::multimatch

#endif
