// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_SEARCH_DESCRIPTOR_SCORES_HPP
#define OPENCV_MULTIMATCH_SRC_SEARCH_DESCRIPTOR_SCORES_HPP

#include "nearest_lists.hpp"

namespace cv { namespace multimatch {

struct Neighbor
{
    float distance;
    int index;

    bool operator<(const Neighbor& other) const
    {
        return distance != other.distance ? distance < other.distance : index < other.index;
    }
};

/** Compares descriptors. Types, norms and processors are known here only.

A score is an int that orders like the distance, perhaps but nearly. Scores come a strip at a time: the rows of one packed strip
against a block of packed columns. nearest() then computes the exact distances of the best candidates. */
class DescriptorScores
{
public:
    virtual ~DescriptorScores() {}

    virtual int stripRows() const = 0;
    virtual int panelColumns() const = 0;   //!< blocks are padded to a multiple of this
    virtual size_t packedBytes() const = 0; //!< of a row or column

    //! Packs count descriptors of a view, from first on, in strips; the last one is padded with zeros.
    virtual void packRows(const Mat& view, int first, int count, uchar* packed) const = 0;
    //! Same in panels of columns.
    virtual void packColumns(const Mat& view, int first, int count, uchar* packed) const = 0;

    //! scores[r * stride + c]: row r of the strip against column c of the block.
    virtual void strip(const uchar* rows, const uchar* columns, int columnCount, int* scores,
                       int stride) const = 0;

    //! Number of candidates to keep in addition to k.
    virtual int slack() const = 0;

    /** The k nearest of descriptor p of views[own] in views[other], ascending, with exact distances: the same to the
    last bit whatever computed the scores. found: p's best by score, k + slack() of them or all there are.
    Returns how many; result must have room for count. */
    virtual int nearest(int own, int p, int other, const Candidate* found, int count, int k,
                        Neighbor* result) const = 0;

    /** Chooses the fastest implementation for these views: L2 of whole numbers up to 255 (CV_8U, and CV_32F that holds nothing else, as SIFT's
    do) in integers, other floats by products whose error is bounded, Hamming by counting bits.
    @param views must outlive the result
    @param normType NORM_L2 or NORM_HAMMING */
    static Ptr<DescriptorScores> create(const std::vector<Mat>& views, int normType);
};

//! Scores of one strip against one panel of columns, and the shape that it takes.
struct FloatKernel
{
    int rows, columns;
    void (*run)(const float* rows, const float* columns, int depth, int* scores, int stride);
};
struct IntegerKernel
{
    int rows, columns;
    void (*run)(const int* rows, const int* columns, int depthPairs, int* scores, int stride);
};
//! words: 64-bit words a descriptor; four rows against any number of columns.
typedef void (*HammingKernel)(const uint64* rows, const uint64* columns, int words, int columnCount,
                              int* scores, int stride);
const int HAMMING_ROWS = 4;

/* Packed strips and panels: first the squared norms of their members, then, for each coordinate (for integers: each
two coordinates, as 16-bit halves of an int) the values of all members. */

FloatKernel floatKernel();
IntegerKernel integerKernel();
HammingKernel hammingKernel();

// Kernels for processors with AVX2, FMA and POPCNT; avx2Compiled() is false where this build has none.
bool avx2Compiled();
FloatKernel floatKernelAvx2();
IntegerKernel integerKernelAvx2();
HammingKernel hammingKernelAvx2();
//! True where the code is compiled, the processor supports it and OpenCV's options allow it.
bool useAvx2();

}} // namespace cv::multimatch

#endif
