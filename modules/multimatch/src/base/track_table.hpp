// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_BASE_TRACK_TABLE_HPP
#define OPENCV_MULTIMATCH_SRC_BASE_TRACK_TABLE_HPP

#include "../precomp.hpp"

namespace cv { namespace multimatch {

//! Members of each track, and which point of a view belongs to a track.
class TrackTable
{
public:
    explicit TrackTable(const std::vector<int>& labels);

    int trackCount() const { return static_cast<int>(offsets_.size()) - 1; }
    //! Points of a track, ascending (so one view after the other).
    const int* begin(int track) const { return members_.data() + offsets_[track]; }
    const int* end(int track) const { return members_.data() + offsets_[track + 1]; }
    int length(int track) const { return static_cast<int>(end(track) - begin(track)); }
    //! The track's point in a view whose points are first .. last - 1; -1: none.
    int pointIn(int track, int first, int last) const
    {
        const int* at = std::lower_bound(begin(track), end(track), first);
        return at != end(track) && *at < last ? *at : -1;
    }

private:
    std::vector<size_t> offsets_;
    std::vector<int> members_;
};

}} // namespace cv::multimatch

#endif
