// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_MATCHERS_MATCHER_BASE_HPP
#define OPENCV_MULTIMATCH_SRC_MATCHERS_MATCHER_BASE_HPP

#include "../base/parameters.hpp"
#include "../base/run_control.hpp"
#include "../input/input.hpp"

namespace cv { namespace multimatch {

//! Which pairs to compare and how, and the callback: the state that every matcher has.
template<class Interface>
class MatcherBase : public Interface
{
public:
    MatcherBase() : window_(0), normType_(0), searchMode_(SEARCH_AUTO), memoryBudget_(0) {}

    void setPairs(InputArray pairs) CV_OVERRIDE
    {
        const Mat given = pairs.getMat();
        checkPairs(given);
        pairs_ = given.clone();
    }
    Mat getPairs() const CV_OVERRIDE { return pairs_.clone(); }

    void setWindow(int window) CV_OVERRIDE
    {
        checkRange("window", window, 0, false, INT_MAX, "0 or more");
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
        checkRange("memory budget", bytes, 0, false, DBL_MAX, "0 bytes or more");
        memoryBudget_ = bytes;
    }
    double getMemoryBudget() const CV_OVERRIDE { return memoryBudget_; }

    void setProgressCallback(const ProgressCallback& callback) CV_OVERRIDE { callback_ = callback; }

protected:
    ProgressCallback progressCallback() const CV_OVERRIDE { return callback_; }

    //! Adds a node for each setting; for write() of the matchers.
    void writeSettings(FileStorage& fs) const
    {
        std::vector<int> pairs;
        if (!pairs_.empty())
            pairs.assign(pairs_.begin<int>(), pairs_.end<int>());
        fs << "window" << window_ << "normType" << normType_ << "searchMode" << searchMode_
           << "memoryBudget" << memoryBudget_ << "pairs" << pairs;
    }
    //! Absent nodes keep their value. Throws as the setters do.
    void readSettings(const FileNode& node)
    {
        int window = window_, normType = normType_, searchMode = searchMode_;
        double memoryBudget = memoryBudget_;
        readIfThere(node, "window", window);
        readIfThere(node, "normType", normType);
        readIfThere(node, "searchMode", searchMode);
        readIfThere(node, "memoryBudget", memoryBudget);
        setWindow(window);
        setNormType(normType);
        setSearchMode(searchMode);
        setMemoryBudget(memoryBudget);
        if (!node["pairs"].empty())
            setPairs(readPairs(node["pairs"]));
    }

    Mat pairs_;
    int window_;
    int normType_;
    int searchMode_;
    double memoryBudget_;
    ProgressCallback callback_;
};

/** Adds the parameters of a matcher: checked when set, read and written with the matcher. There
must be a function checkParams(const Params&), which throws cv::Exception where a value is out of
range. */
template<class Base, class Params>
class WithParams : public Base
{
public:
    void setParams(const Params& params) CV_OVERRIDE
    {
        checkParams(params);
        params_ = params;
    }
    Params getParams() const CV_OVERRIDE { return params_; }
    void write(FileStorage& fs) const CV_OVERRIDE
    {
        params_.write(fs);
        this->writeSettings(fs);
    }
    void read(const FileNode& node) CV_OVERRIDE
    {
        Params params = params_;
        params.read(node);
        setParams(params);
        this->readSettings(node);
    }

protected:
    Params params_;
};

}} // namespace cv::multimatch

#endif
