// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Included by descriptor_kernels.simd.hpp: plain C++, for any processor.

#include <cstring>

namespace cv { namespace multimatch {
CV_CPU_OPTIMIZATION_NAMESPACE_BEGIN

namespace {

const int ROWS = 4, COLUMNS = 8; // their sums fit sixteen vector registers of 128 bits

void markHits(const Tile& tile)
{
    for (int r = 0; r < ROWS; ++r)
    {
        const int32_t* scores = tile.scores + r * COLUMNS;
        tile.hits[r] = 0;
        for (int c = 0; c < COLUMNS; ++c)
        {
            const bool hit = scores[c] < tile.rowBounds[r] || scores[c] < tile.columnBounds[c];
            tile.hits[r] |= static_cast<uint64_t>(hit) << c;
        }
    }
}

void floatTile(const Tile& tile)
{
    const int32_t *a = tile.rows + ROWS, *b = tile.columns + COLUMNS;
    float sums[ROWS][COLUMNS] = {}, x[ROWS], y[COLUMNS];
    for (int w = 0; w < tile.words; ++w, a += ROWS, b += COLUMNS)
    {
        std::memcpy(x, a, sizeof(x));
        std::memcpy(y, b, sizeof(y));
        for (int r = 0; r < ROWS; ++r)
            for (int c = 0; c < COLUMNS; ++c)
                sums[r][c] += x[r] * y[c];
    }
    std::memcpy(x, tile.rows, sizeof(x));
    std::memcpy(y, tile.columns, sizeof(y));
    for (int r = 0; r < ROWS; ++r)
    {
        for (int c = 0; c < COLUMNS; ++c)
        {
            const float squared = x[r] + y[c] - 2 * sums[r][c];
            sums[r][c] = squared > 0 ? squared : 0;
        }
        std::memcpy(tile.scores + r * COLUMNS, sums[r], sizeof(sums[r]));
    }
    markHits(tile);
}

//! A word holds two numbers, which are not negative.
void integerTile(const Tile& tile)
{
    const int32_t *a = tile.rows + ROWS, *b = tile.columns + COLUMNS;
    int32_t sums[ROWS][COLUMNS] = {};
    for (int w = 0; w < tile.words; ++w, a += ROWS, b += COLUMNS)
        for (int r = 0; r < ROWS; ++r)
        {
            const short low = static_cast<short>(a[r]), high = static_cast<short>(a[r] >> 16);
            for (int c = 0; c < COLUMNS; ++c)
                sums[r][c] +=
                    low * static_cast<short>(b[c]) + high * static_cast<short>(b[c] >> 16);
        }
    for (int r = 0; r < ROWS; ++r)
        for (int c = 0; c < COLUMNS; ++c)
            tile.scores[r * COLUMNS + c] = tile.rows[r] + tile.columns[c] - 2 * sums[r][c];
    markHits(tile);
}

int countBits(uint32_t x)
{
    x -= (x >> 1) & 0x55555555u;
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    return static_cast<int>((x * 0x01010101u) >> 24);
}

void bitTile(const Tile& tile)
{
    const int32_t *a = tile.rows + ROWS, *b = tile.columns + COLUMNS;
    int32_t sums[ROWS][COLUMNS] = {};
    for (int w = 0; w < tile.words; ++w, a += ROWS, b += COLUMNS)
        for (int r = 0; r < ROWS; ++r)
            for (int c = 0; c < COLUMNS; ++c)
                sums[r][c] += countBits(static_cast<uint32_t>(a[r] ^ b[c]));
    for (int r = 0; r < ROWS; ++r)
        for (int c = 0; c < COLUMNS; ++c)
            tile.scores[r * COLUMNS + c] = sums[r][c];
    markHits(tile);
}

} // namespace

DescriptorKernels getDescriptorKernels()
{
    const DescriptorKernels kernels = {"plain",
                                       {ROWS, COLUMNS, floatTile},
                                       {ROWS, COLUMNS, integerTile},
                                       {ROWS, COLUMNS, bitTile},
                                       {2, 0}};
    return kernels;
}

CV_CPU_OPTIMIZATION_NAMESPACE_END
}} // namespace cv::multimatch
