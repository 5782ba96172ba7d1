// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// The kernels in plain C++, for any processor.

#include "descriptor_scores.hpp"
#include "nearest_lists.hpp"

#include <cstring>

namespace cv { namespace multimatch {

namespace {

const int ROWS = 4, COLUMNS = 8; // their sums fit sixteen vector registers of 128 bits

void floatStrip(const float* rows, const float* columns, int depth, int* scores, int stride)
{
    const float *a = rows + ROWS, *b = columns + COLUMNS;
    float sums[ROWS][COLUMNS] = {};
    for (int d = 0; d < depth; ++d, a += ROWS, b += COLUMNS)
        for (int r = 0; r < ROWS; ++r)
            for (int c = 0; c < COLUMNS; ++c)
                sums[r][c] += a[r] * b[c];
    for (int r = 0; r < ROWS; ++r)
        for (int c = 0; c < COLUMNS; ++c)
        {
            // The bits of floats order like the floats where these are not negative.
            const float squared = std::max(0.f, rows[r] + columns[c] - 2 * sums[r][c]);
            std::memcpy(&scores[r * stride + c], &squared, sizeof(squared));
        }
}

int lowHalf(int pair)
{
    return static_cast<short>(pair & 0xffff);
}
int highHalf(int pair)
{
    return static_cast<short>(static_cast<unsigned>(pair) >> 16);
}

void integerStrip(const int* rows, const int* columns, int depthPairs, int* scores, int stride)
{
    const int *a = rows + ROWS, *b = columns + COLUMNS;
    int sums[ROWS][COLUMNS] = {};
    for (int d = 0; d < depthPairs; ++d, a += ROWS, b += COLUMNS)
        for (int r = 0; r < ROWS; ++r)
            for (int c = 0; c < COLUMNS; ++c)
                sums[r][c] += lowHalf(a[r]) * lowHalf(b[c]) + highHalf(a[r]) * highHalf(b[c]);
    for (int r = 0; r < ROWS; ++r)
        for (int c = 0; c < COLUMNS; ++c)
            scores[r * stride + c] = rows[r] + columns[c] - 2 * sums[r][c];
}

int countBits(uint64 x)
{
    x -= (x >> 1) & 0x5555555555555555ULL;
    x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fULL;
    return static_cast<int>((x * 0x0101010101010101ULL) >> 56);
}

void hammingStrip(const uint64* rows, const uint64* columns, int words, int columnCount,
                  int* scores, int stride)
{
    for (int c = 0; c < columnCount; ++c, columns += words)
        for (int r = 0; r < HAMMING_ROWS; ++r)
        {
            int bits = 0;
            for (int w = 0; w < words; ++w)
                bits += countBits(rows[r * words + w] ^ columns[w]);
            scores[r * stride + c] = bits;
        }
}

void scanPlain(const ScoreStrip& strip, NearestLists& ofRows, NearestLists& ofColumns)
{
    const int* columnBounds = ofColumns.bounds() + strip.firstColumn;
    for (int r = 0; r < strip.rows; ++r)
    {
        const int p = strip.firstRow + r;
        const int* scores = strip.scores + r * strip.stride;
        const int* rowBound = ofRows.bounds() + p;
        for (int c = 0; c < strip.columns; ++c)
        {
            if (scores[c] < *rowBound)
                ofRows.insert(p, scores[c], strip.firstColumn + c);
            if (scores[c] < columnBounds[c])
                ofColumns.insert(strip.firstColumn + c, scores[c], p);
        }
    }
}

} // namespace

FloatKernel floatKernel()
{
    const FloatKernel kernel = {ROWS, COLUMNS, floatStrip};
    return kernel;
}

IntegerKernel integerKernel()
{
    const IntegerKernel kernel = {ROWS, COLUMNS, integerStrip};
    return kernel;
}

HammingKernel hammingKernel()
{
    return hammingStrip;
}

void scanStrip(const ScoreStrip& strip, NearestLists& ofRows, NearestLists& ofColumns)
{
    if (useAvx2())
        scanStripAvx2(strip, ofRows, ofColumns);
    else
        scanPlain(strip, ofRows, ofColumns);
}

}} // namespace cv::multimatch
