// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Included by descriptor_kernels.simd.hpp: AVX-512 with VNNI and VPOPCNTDQ.

#include <immintrin.h>

namespace cv { namespace multimatch {
CV_CPU_OPTIMIZATION_NAMESPACE_BEGIN

namespace {

// Vectors of columns: four, or two of floats, whose panel would else not fit the first-level cache.
// 24 sums, the columns and a row fit 32 registers.
const int COLUMNS = 64, ROWS = 6, BIT_ROWS = 4, FLOAT_COLUMNS = 32, FLOAT_ROWS = 12;

//! All lanes. GCC 12 warns of its own header where a function has no mask.
const __mmask16 ALL = 0xffff;

// Sums in an array would be kept in memory.
#define MULTIMATCH_FOUR_ROWS(DO) DO(0) DO(1) DO(2) DO(3)
#define MULTIMATCH_SIX_ROWS(DO) MULTIMATCH_FOUR_ROWS(DO) DO(4) DO(5)
#define MULTIMATCH_TWELVE_ROWS(DO) MULTIMATCH_SIX_ROWS(DO) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)

inline __m512i load(const int32_t* from)
{
    return _mm512_loadu_si512(from);
}

inline __m512 loadFloats(const int32_t* from)
{
    return _mm512_castsi512_ps(load(from));
}

//! Keeps GCC from computing what follows the loop over words inside of it, for which there are not
//! enough registers.
#if defined(__GNUC__) && !defined(__clang__)
#define MULTIMATCH_AFTER_LOOP(vector) __asm__("" : "+v"(vector))
#else
#define MULTIMATCH_AFTER_LOOP(vector)
#endif

//! Sixteen scores from column c on; returns their hits.
inline uint64_t finish(const Tile& tile, int columns, int r, int c, __m512i scores)
{
    MULTIMATCH_AFTER_LOOP(scores);
    _mm512_storeu_si512(tile.scores + r * columns + c, scores);
    const unsigned inRow = _mm512_cmplt_epi32_mask(scores, _mm512_set1_epi32(tile.rowBounds[r]));
    const unsigned inColumn = _mm512_cmplt_epi32_mask(scores, load(tile.columnBounds + c));
    return static_cast<uint64_t>(inRow | inColumn) << c;
}

inline uint64_t finishFloats(const Tile& tile, int r, int c, __m512 sums)
{
    MULTIMATCH_AFTER_LOOP(sums);
    const __m512 norms = _mm512_add_ps(_mm512_castsi512_ps(_mm512_set1_epi32(tile.rows[r])),
                                       loadFloats(tile.columns + c));
    const __m512 squared = _mm512_fnmadd_ps(_mm512_set1_ps(2.f), sums, norms);
    return finish(tile, FLOAT_COLUMNS, r, c,
                  _mm512_castps_si512(_mm512_maskz_max_ps(ALL, _mm512_setzero_ps(), squared)));
}

inline uint64_t finishIntegers(const Tile& tile, int r, int c, __m512i sums)
{
    MULTIMATCH_AFTER_LOOP(sums);
    const __m512i norms = _mm512_add_epi32(_mm512_set1_epi32(tile.rows[r]), load(tile.columns + c));
    return finish(tile, COLUMNS, r, c, _mm512_sub_epi32(norms, _mm512_add_epi32(sums, sums)));
}

void floatTile(const Tile& tile)
{
    const int32_t *a = tile.rows + FLOAT_ROWS, *b = tile.columns + FLOAT_COLUMNS;
#define MULTIMATCH_ZERO(r) __m512 left##r = _mm512_setzero_ps(), right##r = _mm512_setzero_ps();
    MULTIMATCH_TWELVE_ROWS(MULTIMATCH_ZERO)
    for (int w = 0; w < tile.words; ++w, a += FLOAT_ROWS, b += FLOAT_COLUMNS)
    {
        const __m512 b0 = loadFloats(b), b1 = loadFloats(b + 16);
        __m512 x;
#define MULTIMATCH_ADD(r)                                                                          \
    x = _mm512_castsi512_ps(_mm512_set1_epi32(a[r]));                                              \
    left##r = _mm512_fmadd_ps(x, b0, left##r);                                                     \
    right##r = _mm512_fmadd_ps(x, b1, right##r);
        MULTIMATCH_TWELVE_ROWS(MULTIMATCH_ADD)
    }
#define MULTIMATCH_FINISH(r)                                                                       \
    tile.hits[r] = finishFloats(tile, r, 0, left##r) | finishFloats(tile, r, 16, right##r);
    MULTIMATCH_TWELVE_ROWS(MULTIMATCH_FINISH)
#undef MULTIMATCH_ZERO
#undef MULTIMATCH_ADD
#undef MULTIMATCH_FINISH
}

//! A word holds four numbers. VNNI multiplies unsigned bytes, those of the columns, with signed
//! ones.
void integerTile(const Tile& tile)
{
    const int32_t *a = tile.rows + ROWS, *b = tile.columns + COLUMNS;
#define MULTIMATCH_ZERO(r)                                                                         \
    __m512i sum0##r = _mm512_setzero_si512(), sum1##r = sum0##r, sum2##r = sum0##r,                \
            sum3##r = sum0##r;
    MULTIMATCH_SIX_ROWS(MULTIMATCH_ZERO)
    for (int w = 0; w < tile.words; ++w, a += ROWS, b += COLUMNS)
    {
        const __m512i b0 = load(b), b1 = load(b + 16), b2 = load(b + 32), b3 = load(b + 48);
        __m512i x;
#define MULTIMATCH_ADD(r)                                                                          \
    x = _mm512_set1_epi32(a[r]);                                                                   \
    sum0##r = _mm512_dpbusd_epi32(sum0##r, b0, x);                                                 \
    sum1##r = _mm512_dpbusd_epi32(sum1##r, b1, x);                                                 \
    sum2##r = _mm512_dpbusd_epi32(sum2##r, b2, x);                                                 \
    sum3##r = _mm512_dpbusd_epi32(sum3##r, b3, x);
        MULTIMATCH_SIX_ROWS(MULTIMATCH_ADD)
    }
#define MULTIMATCH_FINISH(r)                                                                       \
    tile.hits[r] = finishIntegers(tile, r, 0, sum0##r) | finishIntegers(tile, r, 16, sum1##r) |    \
                   finishIntegers(tile, r, 32, sum2##r) | finishIntegers(tile, r, 48, sum3##r);
    MULTIMATCH_SIX_ROWS(MULTIMATCH_FINISH)
#undef MULTIMATCH_ZERO
#undef MULTIMATCH_ADD
#undef MULTIMATCH_FINISH
}

void bitTile(const Tile& tile)
{
    const int32_t *a = tile.rows + BIT_ROWS, *b = tile.columns + COLUMNS;
#define MULTIMATCH_ZERO(r)                                                                         \
    __m512i sum0##r = _mm512_setzero_si512(), sum1##r = sum0##r, sum2##r = sum0##r,                \
            sum3##r = sum0##r;
    MULTIMATCH_FOUR_ROWS(MULTIMATCH_ZERO)
    for (int w = 0; w < tile.words; ++w, a += BIT_ROWS, b += COLUMNS)
    {
        const __m512i b0 = load(b), b1 = load(b + 16), b2 = load(b + 32), b3 = load(b + 48);
        __m512i x;
#define MULTIMATCH_ADD(r)                                                                          \
    x = _mm512_set1_epi32(a[r]);                                                                   \
    sum0##r = _mm512_add_epi32(sum0##r, _mm512_popcnt_epi32(_mm512_xor_si512(x, b0)));             \
    sum1##r = _mm512_add_epi32(sum1##r, _mm512_popcnt_epi32(_mm512_xor_si512(x, b1)));             \
    sum2##r = _mm512_add_epi32(sum2##r, _mm512_popcnt_epi32(_mm512_xor_si512(x, b2)));             \
    sum3##r = _mm512_add_epi32(sum3##r, _mm512_popcnt_epi32(_mm512_xor_si512(x, b3)));
        MULTIMATCH_FOUR_ROWS(MULTIMATCH_ADD)
    }
#define MULTIMATCH_FINISH(r)                                                                       \
    tile.hits[r] = finish(tile, COLUMNS, r, 0, sum0##r) | finish(tile, COLUMNS, r, 16, sum1##r) |  \
                   finish(tile, COLUMNS, r, 32, sum2##r) | finish(tile, COLUMNS, r, 48, sum3##r);
    MULTIMATCH_FOUR_ROWS(MULTIMATCH_FINISH)
#undef MULTIMATCH_ZERO
#undef MULTIMATCH_ADD
#undef MULTIMATCH_FINISH
}

#undef MULTIMATCH_FOUR_ROWS
#undef MULTIMATCH_SIX_ROWS
#undef MULTIMATCH_TWELVE_ROWS

} // namespace

DescriptorKernels getDescriptorKernels()
{
    const DescriptorKernels kernels = {"AVX512_ICL",
                                       {FLOAT_ROWS, FLOAT_COLUMNS, floatTile},
                                       {ROWS, COLUMNS, integerTile},
                                       {BIT_ROWS, COLUMNS, bitTile},
                                       {4, 128}};
    return kernels;
}

CV_CPU_OPTIMIZATION_NAMESPACE_END
}} // namespace cv::multimatch
