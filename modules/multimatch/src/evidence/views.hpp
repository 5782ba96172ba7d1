// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_EVIDENCE_VIEWS_HPP
#define OPENCV_MULTIMATCH_SRC_EVIDENCE_VIEWS_HPP

#include "../input/input.hpp"

namespace cv { namespace multimatch { namespace evidence {

//! The view of every point, and which pairs of views were compared.
class Views
{
public:
    //! pairs: N x 2 CV_32S, the compared pairs of views, each once.
    Views(const std::vector<int>& viewSizes, const Mat& pairs);

    int count() const { return static_cast<int>(offsets_.size()) - 1; }
    int pointCount() const { return offsets_.back(); }
    int first(int view) const { return offsets_[view]; }
    int end(int view) const { return offsets_[view + 1]; }
    int size(int view) const { return end(view) - first(view); }
    int of(int point) const { return view_[point]; }
    const std::vector<int>& offsets() const { return offsets_; }

    //! True where every view was compared with every other.
    bool allCompared() const { return allCompared_; }
    bool compared(int v, int w) const
    {
        const std::vector<int>& others = compared_[v];
        return allCompared_ ? v != w : std::binary_search(others.begin(), others.end(), w);
    }
    //! Number of view w among those compared with v, which it must be.
    size_t slot(int v, int w) const
    {
        if (allCompared_)
            return static_cast<size_t>(w - (w > v));
        const std::vector<int>& others = compared_[v];
        return static_cast<size_t>(std::lower_bound(others.begin(), others.end(), w) -
                                   others.begin());
    }
    //! The compared pairs of views, the smaller first, ascending.
    const std::vector<std::pair<int, int>>& comparedPairs() const { return pairs_; }
    //! The views compared with a view, ascending.
    const std::vector<int>& comparedWith(int view) const { return compared_[view]; }

private:
    std::vector<int> offsets_, view_;
    std::vector<std::vector<int>> compared_;
    std::vector<std::pair<int, int>> pairs_;
    bool allCompared_;
};

}}} // namespace cv::multimatch::evidence

#endif
