// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_SEARCH_NEAREST_LISTS_HPP
#define OPENCV_MULTIMATCH_SRC_SEARCH_NEAREST_LISTS_HPP

#include "../precomp.hpp"
#include "descriptor_kernels.hpp"

#include <climits>

namespace cv { namespace multimatch {

//! All scores of candidates are smaller.
const int NO_SCORE = INT_MAX;

struct Candidate
{
    int score;
    int index;

    bool operator<(const Candidate& other) const
    {
        return score != other.score ? score < other.score : index < other.index;
    }
};

//! Number of the lowest bit that is set.
inline int lowestBit(uint64_t bits)
{
#if defined(__GNUC__)
    return __builtin_ctzll(bits);
#else
    int n = 0;
    for (; !(bits & 1); bits >>= 1)
        ++n;
    return n;
#endif
}

//! Bits from first to last - 1.
inline uint64_t bitRange(int first, int last)
{
    const uint64_t all = ~static_cast<uint64_t>(0);
    return first >= last ? 0 : (all >> (64 - (last - first))) << first;
}

/** For each point of a view the nearest candidates so far, ascending by score and then by index.
Candidates of one list must be added in the order of their indices: of equal scores the first is
kept. */
class NearestLists
{
public:
    NearestLists() : size_(0), capacity_(0) {}

    void reset(int size, int capacity)
    {
        size_ = size;
        capacity_ = capacity;
        items_.resize(static_cast<size_t>(size) * static_cast<size_t>(capacity));
        counts_.assign(size, 0);
        bounds_.assign(static_cast<size_t>(size) + static_cast<size_t>(MAX_TILE_COLUMNS), INT_MIN);
        if (capacity > 0)
            std::fill(bounds_.begin(), bounds_.begin() + size, NO_SCORE);
    }

    int size() const { return size_; }
    int capacity() const { return capacity_; }
    int count(int list) const { return counts_[list]; }
    bool full(int list) const { return count(list) == capacity_; }

    //! Only scores below this are inserted. Behind the last one there are as many as a tile may
    //! have columns, which no score is below.
    const int* bounds() const { return bounds_.data(); }

    Candidate* begin(int list)
    {
        return items_.data() + static_cast<size_t>(list) * static_cast<size_t>(capacity_);
    }
    const Candidate* begin(int list) const { return const_cast<NearestLists*>(this)->begin(list); }
    const Candidate* end(int list) const { return begin(list) + count(list); }

    /** Lowers the bound of an empty list before count scores are inserted. In each of k parts of
    them one is as small as the part's minimum, so none beyond the largest of these minima is among
    the k nearest. */
    void prime(int list, const int* scores, int count)
    {
        if (counts_[list] > 0 || capacity_ < 1 || count < 2 * capacity_)
            return;
        const int part = count / capacity_;
        int bound = INT_MIN;
        for (int k = 0; k < capacity_; ++k, scores += part)
            bound = std::max(bound, *std::min_element(scores, scores + part));
        bounds_[list] = bound + 1;
    }

    //! Takes a candidate whose score is below the list's bound.
    void insert(int list, int score, int index)
    {
        int& count = counts_[list];
        Candidate* items = begin(list);
        int at = count < capacity_ ? count++ : capacity_ - 1;
        for (; at > 0 && score < items[at - 1].score; --at)
            items[at] = items[at - 1];
        items[at].score = score;
        items[at].index = index;
        if (count == capacity_)
            bounds_[list] = items[capacity_ - 1].score;
    }

private:
    int size_, capacity_;
    std::vector<Candidate> items_;
    std::vector<int> counts_, bounds_;
};

}} // namespace cv::multimatch

#endif
