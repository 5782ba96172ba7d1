// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "views.hpp"

namespace cv { namespace multimatch { namespace evidence {

Views::Views(const std::vector<int>& viewSizes, const Mat& pairs)
    : offsets_(viewOffsets(viewSizes)), view_(viewOfPoints(viewSizes)), compared_(viewSizes.size()),
      allCompared_(true)
{
    for (int r = 0; r < pairs.rows; ++r)
        for (int side = 0; side < 2; ++side)
            compared_[pairs.at<int>(r, side)].push_back(pairs.at<int>(r, 1 - side));
    for (size_t v = 0; v < compared_.size(); ++v)
    {
        std::sort(compared_[v].begin(), compared_[v].end());
        allCompared_ = allCompared_ && compared_[v].size() + 1 == compared_.size();
        for (size_t s = 0; s < compared_[v].size(); ++s)
            if (compared_[v][s] > static_cast<int>(v))
                pairs_.push_back(std::make_pair(static_cast<int>(v), compared_[v][s]));
    }
}

}}} // namespace cv::multimatch::evidence
