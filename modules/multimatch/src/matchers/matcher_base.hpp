// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_MATCHERS_MATCHER_BASE_HPP
#define OPENCV_MULTIMATCH_SRC_MATCHERS_MATCHER_BASE_HPP

#include "../base/run_control.hpp"
#include "../input/input.hpp"

namespace cv { namespace multimatch {

//! Which pairs to compare and how, and the callback: the state that every matcher has.
template<class Interface>
class MatcherBase : public Interface
{
public:
    MatcherBase() : window_(0), normType_(0), searchMode_(SEARCH_EXACT), memoryBudget_(0) {}

    void setPairs(InputArray pairs) CV_OVERRIDE
    {
        const Mat given = pairs.getMat();
        checkPairs(given);
        pairs_ = given.clone();
    }
    Mat getPairs() const CV_OVERRIDE { return pairs_.clone(); }

    void setWindow(int window) CV_OVERRIDE
    {
        if (window < 0)
            CV_Error_(Error::StsOutOfRange, ("window is %d, expected 0 or more", window));
        window_ = window;
    }
    int getWindow() const CV_OVERRIDE { return window_; }

    void setNormType(int normType) CV_OVERRIDE
    {
        checkNormType(normType);
        normType_ = normType;
    }
    int getNormType() const CV_OVERRIDE { return normType_; }

    void setSearchMode(int searchMode) CV_OVERRIDE
    {
        checkSearchMode(searchMode);
        searchMode_ = searchMode;
    }
    int getSearchMode() const CV_OVERRIDE { return searchMode_; }

    void setMemoryBudget(double bytes) CV_OVERRIDE
    {
        if (!(bytes >= 0))
            CV_Error_(Error::StsOutOfRange,
                      ("memory budget is %f bytes, expected 0 or more", bytes));
        memoryBudget_ = bytes;
    }
    double getMemoryBudget() const CV_OVERRIDE { return memoryBudget_; }

    void setProgressCallback(const ProgressCallback& callback) CV_OVERRIDE { callback_ = callback; }

protected:
    Mat pairs_;
    int window_;
    int normType_;
    int searchMode_;
    double memoryBudget_;
    ProgressCallback callback_;
};

}} // namespace cv::multimatch

#endif
