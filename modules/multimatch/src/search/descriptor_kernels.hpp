// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_SEARCH_DESCRIPTOR_KERNELS_HPP
#define OPENCV_MULTIMATCH_SRC_SEARCH_DESCRIPTOR_KERNELS_HPP

// What the kernels take and give. No header of OpenCV: test/kernels compiles the kernels alone, for
// other processors.

#include <cstdint>

namespace cv { namespace multimatch {

//! A tile has at most so many rows and columns, whatever the kernel.
const int MAX_TILE_ROWS = 12, MAX_TILE_COLUMNS = 64;

/** A strip of descriptors (rows) against a panel of descriptors (columns).

Both are packed in words of 32 bits: one constant of each member, then the first word of all
members, then the second, and so on. A word holds a float, whole numbers as in IntegerFormat, or 32
bits. The score of row r and column c is

    floats     constant(r) + constant(c) - 2 sum of products, but at least 0;
               the bits of that float, which order as it does
    integers   constant(r) + constant(c) - 2 sum of products
    bits       number of different bits */
struct Tile
{
    const int32_t *rows, *columns;
    int words; //!< per member, without the constant
    const int32_t *rowBounds, *columnBounds;
    int32_t* scores; //!< out: row r from scores + r * (columns of the kernel) on
    //! out: bit c of hits[r] where the score is below the bound of its row or column.
    uint64_t* hits;
};

struct TileKernel
{
    int rows, columns;
    void (*run)(const Tile& tile);
};

//! How whole numbers from 0 to 255 are packed.
struct IntegerFormat
{
    int perWord; //!< 4: bytes, 2: shorts
    //! 0, or for bytes 128: subtracted from the numbers of rows, which are then signed.
    int rowOffset;
};

//! The kernels for one instruction set.
struct DescriptorKernels
{
    const char* name;
    TileKernel floats, integers, bits;
    IntegerFormat format;
};

/** The fastest kernels that the processor can run and OpenCV's options allow, or those that the
environment variable OPENCV_MULTIMATCH_KERNELS names; see opencv2/multimatch/detail/kernels.hpp. */
DescriptorKernels descriptorKernels();

}} // namespace cv::multimatch

#endif
