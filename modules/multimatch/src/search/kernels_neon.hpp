// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Included by descriptor_kernels.simd.hpp: NEON of 64-bit ARM, with its dot products where the
// compiler may use them.

#include <arm_neon.h>

namespace cv { namespace multimatch {
CV_CPU_OPTIMIZATION_NAMESPACE_BEGIN

namespace {

// 24 sums, the columns and a row fit 32 registers.
const int FLOAT_ROWS = 12, INTEGER_ROWS = 4, BIT_ROWS = 4, COLUMNS = 8;

// Sums in an array would be kept in memory.
#define MULTIMATCH_FOUR_ROWS(DO) DO(0) DO(1) DO(2) DO(3)
#define MULTIMATCH_TWELVE_ROWS(DO)                                                                 \
    MULTIMATCH_FOUR_ROWS(DO) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)

inline float32x4_t loadFloats(const int32_t* from)
{
    return vreinterpretq_f32_s32(vld1q_s32(from));
}

inline uint8x16_t loadBytes(const int32_t* from)
{
    return vreinterpretq_u8_s32(vld1q_s32(from));
}

//! The same word four times.
inline uint8x16_t repeatBytes(const int32_t* from)
{
    return vreinterpretq_u8_s32(vld1q_dup_s32(from));
}

//! Four scores from column c on; returns their hits.
inline uint64_t finish(const Tile& tile, int r, int c, int32x4_t scores)
{
    static const uint32_t BITS[4] = {1, 2, 4, 8};
    vst1q_s32(tile.scores + r * COLUMNS + c, scores);
    const uint32x4_t inRow = vcltq_s32(scores, vld1q_dup_s32(tile.rowBounds + r));
    const uint32x4_t inColumn = vcltq_s32(scores, vld1q_s32(tile.columnBounds + c));
    const uint32x4_t hits = vandq_u32(vorrq_u32(inRow, inColumn), vld1q_u32(BITS));
    return static_cast<uint64_t>(vaddvq_u32(hits)) << c;
}

inline uint64_t finishFloats(const Tile& tile, int r, int c, float32x4_t sums)
{
    const float32x4_t norms = vaddq_f32(vreinterpretq_f32_s32(vld1q_dup_s32(tile.rows + r)),
                                        loadFloats(tile.columns + c));
    const float32x4_t squared = vfmsq_f32(norms, vdupq_n_f32(2.f), sums);
    return finish(tile, r, c, vreinterpretq_s32_f32(vmaxq_f32(vdupq_n_f32(0.f), squared)));
}

inline uint64_t finishIntegers(const Tile& tile, int r, int c, uint32x4_t sums)
{
    const int32x4_t norms = vaddq_s32(vld1q_dup_s32(tile.rows + r), vld1q_s32(tile.columns + c));
    return finish(tile, r, c, vsubq_s32(norms, vreinterpretq_s32_u32(vaddq_u32(sums, sums))));
}

void floatTile(const Tile& tile)
{
    const int32_t *a = tile.rows + FLOAT_ROWS, *b = tile.columns + COLUMNS;
#define MULTIMATCH_ZERO(r) float32x4_t left##r = vdupq_n_f32(0.f), right##r = vdupq_n_f32(0.f);
    MULTIMATCH_TWELVE_ROWS(MULTIMATCH_ZERO)
    for (int w = 0; w < tile.words; ++w, a += FLOAT_ROWS, b += COLUMNS)
    {
        const float32x4_t b0 = loadFloats(b), b1 = loadFloats(b + 4);
        float32x4_t x;
#define MULTIMATCH_ADD(r)                                                                          \
    x = vreinterpretq_f32_s32(vld1q_dup_s32(a + r));                                               \
    left##r = vfmaq_f32(left##r, x, b0);                                                           \
    right##r = vfmaq_f32(right##r, x, b1);
        MULTIMATCH_TWELVE_ROWS(MULTIMATCH_ADD)
    }
#define MULTIMATCH_FINISH(r)                                                                       \
    tile.hits[r] = finishFloats(tile, r, 0, left##r) | finishFloats(tile, r, 4, right##r);
    MULTIMATCH_TWELVE_ROWS(MULTIMATCH_FINISH)
#undef MULTIMATCH_ZERO
#undef MULTIMATCH_ADD
#undef MULTIMATCH_FINISH
}

#ifdef __ARM_FEATURE_DOTPROD

//! Sums of the products of four columns with a row.
struct ByteProducts
{
    uint32x4_t sums;

    ByteProducts() : sums(vdupq_n_u32(0)) {}
    void add(uint8x16_t x, uint8x16_t columns) { sums = vdotq_u32(sums, x, columns); }
    uint32x4_t total() const { return sums; }
};

#else

//! Sums of the products of four columns with a row: each column's in two halves, the first two
//! columns in low, the others in high.
struct ByteProducts
{
    uint32x4_t low, high;

    ByteProducts() : low(vdupq_n_u32(0)), high(vdupq_n_u32(0)) {}
    void add(uint8x16_t x, uint8x16_t columns)
    {
        low = vpadalq_u16(low, vmull_u8(vget_low_u8(x), vget_low_u8(columns)));
        high = vpadalq_u16(high, vmull_high_u8(x, columns));
    }
    uint32x4_t total() const { return vpaddq_u32(low, high); }
};

#endif

//! A word holds four numbers.
void integerTile(const Tile& tile)
{
    const int32_t *a = tile.rows + INTEGER_ROWS, *b = tile.columns + COLUMNS;
#define MULTIMATCH_ZERO(r) ByteProducts left##r, right##r;
    MULTIMATCH_FOUR_ROWS(MULTIMATCH_ZERO)
    for (int w = 0; w < tile.words; ++w, a += INTEGER_ROWS, b += COLUMNS)
    {
        const uint8x16_t b0 = loadBytes(b), b1 = loadBytes(b + 4);
        uint8x16_t x;
#define MULTIMATCH_ADD(r)                                                                          \
    x = repeatBytes(a + r);                                                                        \
    left##r.add(x, b0);                                                                            \
    right##r.add(x, b1);
        MULTIMATCH_FOUR_ROWS(MULTIMATCH_ADD)
    }
#define MULTIMATCH_FINISH(r)                                                                       \
    tile.hits[r] = finishIntegers(tile, r, 0, left##r.total()) |                                   \
                   finishIntegers(tile, r, 4, right##r.total());
    MULTIMATCH_FOUR_ROWS(MULTIMATCH_FINISH)
#undef MULTIMATCH_ZERO
#undef MULTIMATCH_ADD
#undef MULTIMATCH_FINISH
}

void bitTile(const Tile& tile)
{
    const int BYTE_SUMS = 31; // of at most 8 bits fit a byte
#define MULTIMATCH_ZERO(r) uint32x4_t left##r = vdupq_n_u32(0), right##r = vdupq_n_u32(0);
    MULTIMATCH_FOUR_ROWS(MULTIMATCH_ZERO)
    const int32_t *a = tile.rows + BIT_ROWS, *b = tile.columns + COLUMNS;
    for (int first = 0; first < tile.words; first += BYTE_SUMS)
    {
        const int last = tile.words - first < BYTE_SUMS ? tile.words : first + BYTE_SUMS;
#define MULTIMATCH_ZERO_BYTES(r)                                                                   \
    uint8x16_t leftBytes##r = vdupq_n_u8(0), rightBytes##r = vdupq_n_u8(0);
        MULTIMATCH_FOUR_ROWS(MULTIMATCH_ZERO_BYTES)
        for (int w = first; w < last; ++w, a += BIT_ROWS, b += COLUMNS)
        {
            const uint8x16_t b0 = loadBytes(b), b1 = loadBytes(b + 4);
            uint8x16_t x;
#define MULTIMATCH_ADD(r)                                                                          \
    x = repeatBytes(a + r);                                                                        \
    leftBytes##r = vaddq_u8(leftBytes##r, vcntq_u8(veorq_u8(x, b0)));                              \
    rightBytes##r = vaddq_u8(rightBytes##r, vcntq_u8(veorq_u8(x, b1)));
            MULTIMATCH_FOUR_ROWS(MULTIMATCH_ADD)
        }
#define MULTIMATCH_ADD_BYTES(r)                                                                    \
    left##r = vpadalq_u16(left##r, vpaddlq_u8(leftBytes##r));                                      \
    right##r = vpadalq_u16(right##r, vpaddlq_u8(rightBytes##r));
        MULTIMATCH_FOUR_ROWS(MULTIMATCH_ADD_BYTES)
    }
#define MULTIMATCH_FINISH(r)                                                                       \
    tile.hits[r] = finish(tile, r, 0, vreinterpretq_s32_u32(left##r)) |                            \
                   finish(tile, r, 4, vreinterpretq_s32_u32(right##r));
    MULTIMATCH_FOUR_ROWS(MULTIMATCH_FINISH)
#undef MULTIMATCH_ZERO
#undef MULTIMATCH_ZERO_BYTES
#undef MULTIMATCH_ADD
#undef MULTIMATCH_ADD_BYTES
#undef MULTIMATCH_FINISH
}

#undef MULTIMATCH_FOUR_ROWS
#undef MULTIMATCH_TWELVE_ROWS

} // namespace

DescriptorKernels getDescriptorKernels()
{
#ifdef __ARM_FEATURE_DOTPROD
    const char* name = "NEON_DOTPROD";
#else
    const char* name = "NEON";
#endif
    const DescriptorKernels kernels = {name,
                                       {FLOAT_ROWS, COLUMNS, floatTile},
                                       {INTEGER_ROWS, COLUMNS, integerTile},
                                       {BIT_ROWS, COLUMNS, bitTile},
                                       {4, 0}};
    return kernels;
}

CV_CPU_OPTIMIZATION_NAMESPACE_END
}} // namespace cv::multimatch
