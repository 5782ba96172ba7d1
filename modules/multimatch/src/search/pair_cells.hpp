// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_SEARCH_PAIR_CELLS_HPP
#define OPENCV_MULTIMATCH_SRC_SEARCH_PAIR_CELLS_HPP

#include "view_comparison.hpp"

namespace cv { namespace multimatch {

//! Whether comparing two views point by point would cost too much. A view with itself counts as a
//! pair too.
bool tooLargeForAll(int ownPoints, int otherPoints);

/** @brief Compares pairs of large views by cells: nearly the same neighbors for a fraction of the
work.

Words are learned from all views. A point of the first view is in the cell of its nearest word; a
point of the second view is compared with the points in the cells of the several words nearest to
it. Descriptors that are alike have nearly the same nearest words, so true matches are found nearly
always. The result depends on neither threads nor processor. */
class CellComparison
{
public:
    //! views: all of them; those that are not in use may be empty. share: progress of the stage
    //! while words are learned.
    CellComparison(const std::vector<Mat>& views, int normType, double share, RunControl& control);
    ~CellComparison();

    //! What the result is to be turned into distances with.
    const DescriptorScores& scores() const { return *scores_; }

    /** As compareViews(). In a view compared with itself each point has the nearest ones that were
    found. */
    void run(const Mat& pairs, int k, double shareBefore, double shareAfter, RunControl& control,
             const std::function<void(int, const ViewComparison&)>& finish) const;

private:
    struct Index;

    const std::vector<Mat> views_;
    Ptr<DescriptorScores> scores_;
    Ptr<Index> index_;
};

//! Its approximate number of multiplications, to be compared with comparisonWork().
double cellWork(const std::vector<Mat>& views, const Mat& pairs);

}} // namespace cv::multimatch

#endif
