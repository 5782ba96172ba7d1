// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_TEST_FUZZ_HPP
#define MULTIMATCH_TEST_FUZZ_HPP

#include "opencv2/core.hpp"
#include "opencv2/multimatch/io.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace fuzz {

//! Values taken from the input one after another; behind its end all are 0.
class Bytes
{
public:
    Bytes(const uint8_t* data, size_t size) : data_(data), size_(size), at_(0) {}

    int byte() { return at_ < size_ ? data_[at_++] : 0; }
    bool flag() { return byte() % 2 != 0; }
    //! A whole number in [low, high], from one byte where the range allows it.
    int integer(int low, int high);
    //! Any 64 bits.
    int64_t bits();
    //! A number in [low, high]; often one of the ends.
    double number(double low, double high);
    //! Bytes up to the next 0xff, or the rest.
    std::string text();
    //! All that is left.
    std::string rest();
    bool empty() const { return at_ >= size_; }

private:
    const uint8_t* data_;
    size_t size_, at_;
};

//! The folder of this process for files; in memory where the system has that. It is removed when
//! the process ends.
const std::string& folder();

//! Writes a file into folder(). Returns its path.
std::string write(const std::string& name, const std::string& content);

//! Views with names and sizes, as the readers of tables need them.
std::vector<cv::multimatch::ViewInfo> someViews();

//! Ends the process, so that libFuzzer reports the input.
void require(bool condition, const char* what);

//! Requires what holds for every result: valid ids, none twice in a view, confidences in [0, 1].
void requireConsistent(const cv::multimatch::Tracks& tracks);

//! Requires that every index of the matches exists.
void requireConsistent(const std::vector<cv::multimatch::ViewInfo>& views,
                       const std::vector<cv::multimatch::PairMatches>& matches);

} // namespace fuzz

#endif
