// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_SEARCH_NEAREST_LISTS_HPP
#define OPENCV_MULTIMATCH_SRC_SEARCH_NEAREST_LISTS_HPP

#include "../precomp.hpp"

#include <climits>

namespace cv { namespace multimatch {

//! Score of padding; all scores of candidates are smaller.
const int NO_SCORE = INT_MAX;

//! Lists are scanned in groups of this many.
const int SCAN_GROUP = 8;

struct Candidate
{
    int score;
    int index;

    bool operator<(const Candidate& other) const
    {
        return score != other.score ? score < other.score : index < other.index;
    }
};

/** For each point of a view the nearest candidates so far, ascending by score and then by index. Candidates of one list must
be added in the order of their indices: of equal scores the first is kept. */
class NearestLists
{
public:
    NearestLists() : size_(0), capacity_(0) {}

    void reset(int size, int capacity)
    {
        size_ = size;
        capacity_ = capacity;
        items_.resize(static_cast<size_t>(size) * static_cast<size_t>(capacity));
        counts_.assign(static_cast<size_t>(size), 0);
        bounds_.assign(alignSize(static_cast<size_t>(size), 2 * SCAN_GROUP), INT_MIN);
        if (capacity > 0)
            std::fill(bounds_.begin(), bounds_.begin() + size, NO_SCORE);
    }

    int size() const { return size_; }
    int capacity() const { return capacity_; }
    int count(int list) const { return counts_[list]; }
    bool full(int list) const { return count(list) == capacity_; }

    //! Only scores below this are inserted. The array is padded with bounds that no score is below.
    const int* bounds() const { return bounds_.data(); }

    Candidate* begin(int list)
    {
        return items_.data() + static_cast<size_t>(list) * static_cast<size_t>(capacity_);
    }
    const Candidate* begin(int list) const { return const_cast<NearestLists*>(this)->begin(list); }
    const Candidate* end(int list) const { return begin(list) + count(list); }

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

/** A strip of scores as it comes from DescriptorScores: row r is scores + r * stride. */
struct ScoreStrip
{
    const int* scores;
    int stride;
    int firstRow, rows; //!< lists of rows that it belongs to
    int firstColumn,
        columns; //!< a multiple of SCAN_GROUP; scores behind the last true column are NO_SCORE
};

/** Inserts the scores of a strip into the lists of its rows and to those of its columns. Uses AVX2 where the processor has it and OpenCV may use it. */
void scanStrip(const ScoreStrip& strip, NearestLists& ofRows, NearestLists& ofColumns);

//! The part of it for processors with AVX2.
void scanStripAvx2(const ScoreStrip& strip, NearestLists& ofRows, NearestLists& ofColumns);

}} // namespace cv::multimatch

#endif
