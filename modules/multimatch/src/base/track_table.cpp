// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "track_table.hpp"

namespace cv { namespace multimatch {

TrackTable::TrackTable(const std::vector<int>& labels)
{
    int count = 0;
    for (size_t p = 0; p < labels.size(); ++p)
        count = std::max(count, labels[p] + 1);
    offsets_.assign(static_cast<size_t>(count) + 1, 0);
    for (size_t p = 0; p < labels.size(); ++p)
        if (labels[p] >= 0)
            ++offsets_[labels[p] + 1];
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    members_.resize(offsets_.back());
    std::vector<size_t> next(offsets_.begin(), offsets_.end() - 1);
    for (size_t p = 0; p < labels.size(); ++p)
        if (labels[p] >= 0)
            members_[next[labels[p]]++] = static_cast<int>(p);
}

}} // namespace cv::multimatch
