// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_DETAIL_OFFSETS_HPP
#define OPENCV_MULTIMATCH_DETAIL_OFFSETS_HPP

#include "opencv2/core.hpp"

#include <cstddef>
#include <limits>
#include <vector>

namespace cv { namespace multimatch { namespace detail {

//! @addtogroup multimatch
//! @{

/** @brief Replaces the number of entries of each row by the offset behind its last entry, as in
CsrMatrix::offsets.

@param counts [r + 1]: number of entries of row r on input, its end on output. [first] is an offset
already.
@param first, last rows to sum: first .. last - 1

The numbers are size_t and not int: two views of 46,341 points, all of which are neighbors, have
more than 2^31 entries. Throws cv::Exception (StsNoMem) where size_t has too few bits. */
inline void countsToOffsets(std::vector<size_t>& counts, size_t first, size_t last)
{
    for (size_t r = first; r < last; ++r)
    {
        if (counts[r + 1] > std::numeric_limits<size_t>::max() - counts[r])
            CV_Error(Error::StsNoMem, "a matrix has more entries than memory has addresses");
        counts[r + 1] += counts[r];
    }
}

//! Same for all rows.
inline void countsToOffsets(std::vector<size_t>& counts)
{
    countsToOffsets(counts, 0, counts.size() - 1);
}

//! @}

}}} // namespace cv::multimatch::detail

#endif
