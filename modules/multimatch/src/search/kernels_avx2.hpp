// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Included by descriptor_kernels.simd.hpp: AVX2, FMA and POPCNT.

#include <immintrin.h>

namespace cv { namespace multimatch {
CV_CPU_OPTIMIZATION_NAMESPACE_BEGIN

namespace {

// Twelve sums, two columns and a row fit sixteen registers; where products take registers too,
// eight sums do.
const int COLUMNS = 16, FLOAT_ROWS = 6, INTEGER_ROWS = 4, BIT_ROWS = 4;

// Sums in an array would be kept in memory.
#define MULTIMATCH_FOUR_ROWS(DO) DO(0) DO(1) DO(2) DO(3)
#define MULTIMATCH_SIX_ROWS(DO) MULTIMATCH_FOUR_ROWS(DO) DO(4) DO(5)

inline __m256i load(const int32_t* from)
{
    // The type may alias others. NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

inline __m256 loadFloats(const int32_t* from)
{
    return _mm256_castsi256_ps(load(from));
}

//! Eight scores from column c on; returns their hits.
inline uint64_t finish(const Tile& tile, int r, int c, __m256i scores)
{
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(tile.scores + r * COLUMNS + c), scores);
    const __m256i inRow = _mm256_cmpgt_epi32(_mm256_set1_epi32(tile.rowBounds[r]), scores);
    const __m256i inColumn = _mm256_cmpgt_epi32(load(tile.columnBounds + c), scores);
    const int hits = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_or_si256(inRow, inColumn)));
    return static_cast<uint64_t>(static_cast<unsigned>(hits)) << c;
}

void floatTile(const Tile& tile)
{
    const int32_t *a = tile.rows + FLOAT_ROWS, *b = tile.columns + COLUMNS;
#define MULTIMATCH_ZERO(r) __m256 left##r = _mm256_setzero_ps(), right##r = _mm256_setzero_ps();
    MULTIMATCH_SIX_ROWS(MULTIMATCH_ZERO)
    for (int w = 0; w < tile.words; ++w, a += FLOAT_ROWS, b += COLUMNS)
    {
        const __m256 b0 = loadFloats(b), b1 = loadFloats(b + 8);
        __m256 x;
#define MULTIMATCH_ADD(r)                                                                          \
    x = _mm256_castsi256_ps(_mm256_set1_epi32(a[r]));                                              \
    left##r = _mm256_fmadd_ps(x, b0, left##r);                                                     \
    right##r = _mm256_fmadd_ps(x, b1, right##r);
        MULTIMATCH_SIX_ROWS(MULTIMATCH_ADD)
    }
    const __m256 two = _mm256_set1_ps(2.f), zero = _mm256_setzero_ps();
    const __m256 norm0 = loadFloats(tile.columns), norm1 = loadFloats(tile.columns + 8);
    __m256 norm;
#define MULTIMATCH_FINISH(r)                                                                       \
    norm = _mm256_castsi256_ps(_mm256_set1_epi32(tile.rows[r]));                                   \
    left##r = _mm256_fnmadd_ps(two, left##r, _mm256_add_ps(norm, norm0));                          \
    right##r = _mm256_fnmadd_ps(two, right##r, _mm256_add_ps(norm, norm1));                        \
    tile.hits[r] = finish(tile, r, 0, _mm256_castps_si256(_mm256_max_ps(zero, left##r))) |         \
                   finish(tile, r, 8, _mm256_castps_si256(_mm256_max_ps(zero, right##r)));
    MULTIMATCH_SIX_ROWS(MULTIMATCH_FINISH)
#undef MULTIMATCH_ZERO
#undef MULTIMATCH_ADD
#undef MULTIMATCH_FINISH
}

//! A word holds two numbers.
void integerTile(const Tile& tile)
{
    const int32_t *a = tile.rows + INTEGER_ROWS, *b = tile.columns + COLUMNS;
#define MULTIMATCH_ZERO(r)                                                                         \
    __m256i left##r = _mm256_setzero_si256(), right##r = _mm256_setzero_si256();
    MULTIMATCH_FOUR_ROWS(MULTIMATCH_ZERO)
    for (int w = 0; w < tile.words; ++w, a += INTEGER_ROWS, b += COLUMNS)
    {
        const __m256i b0 = load(b), b1 = load(b + 8);
        __m256i x;
#define MULTIMATCH_ADD(r)                                                                          \
    x = _mm256_set1_epi32(a[r]);                                                                   \
    left##r = _mm256_add_epi32(left##r, _mm256_madd_epi16(x, b0));                                 \
    right##r = _mm256_add_epi32(right##r, _mm256_madd_epi16(x, b1));
        MULTIMATCH_FOUR_ROWS(MULTIMATCH_ADD)
    }
    const __m256i norm0 = load(tile.columns), norm1 = load(tile.columns + 8);
    __m256i norm;
#define MULTIMATCH_FINISH(r)                                                                       \
    norm = _mm256_set1_epi32(tile.rows[r]);                                                        \
    left##r = _mm256_sub_epi32(_mm256_add_epi32(norm, norm0), _mm256_slli_epi32(left##r, 1));      \
    right##r = _mm256_sub_epi32(_mm256_add_epi32(norm, norm1), _mm256_slli_epi32(right##r, 1));    \
    tile.hits[r] = finish(tile, r, 0, left##r) | finish(tile, r, 8, right##r);
    MULTIMATCH_FOUR_ROWS(MULTIMATCH_FINISH)
#undef MULTIMATCH_ZERO
#undef MULTIMATCH_ADD
#undef MULTIMATCH_FINISH
}

//! Numbers of bits of the bytes, by a table of those of half bytes.
inline __m256i bitsOfBytes(__m256i x)
{
    const __m256i half = _mm256_set1_epi8(15);
    const __m256i table =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    const __m256i low = _mm256_shuffle_epi8(table, _mm256_and_si256(x, half));
    const __m256i high =
        _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(x, 4), half));
    return _mm256_add_epi8(low, high);
}

//! Sums of the four bytes of each word.
inline __m256i sumsOfWords(__m256i bytes)
{
    return _mm256_madd_epi16(_mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1)),
                             _mm256_set1_epi16(1));
}

void bitTile(const Tile& tile)
{
    const int BYTE_SUMS = 31; // of at most 8 bits fit a byte
#define MULTIMATCH_ZERO(r)                                                                         \
    __m256i left##r = _mm256_setzero_si256(), right##r = _mm256_setzero_si256();
    MULTIMATCH_FOUR_ROWS(MULTIMATCH_ZERO)
    const int32_t *a = tile.rows + BIT_ROWS, *b = tile.columns + COLUMNS;
    for (int first = 0; first < tile.words; first += BYTE_SUMS)
    {
        const int last = tile.words - first < BYTE_SUMS ? tile.words : first + BYTE_SUMS;
#define MULTIMATCH_ZERO_BYTES(r)                                                                   \
    __m256i leftBytes##r = _mm256_setzero_si256(), rightBytes##r = _mm256_setzero_si256();
        MULTIMATCH_FOUR_ROWS(MULTIMATCH_ZERO_BYTES)
        for (int w = first; w < last; ++w, a += BIT_ROWS, b += COLUMNS)
        {
            const __m256i b0 = load(b), b1 = load(b + 8);
            __m256i x;
#define MULTIMATCH_ADD(r)                                                                          \
    x = _mm256_set1_epi32(a[r]);                                                                   \
    leftBytes##r = _mm256_add_epi8(leftBytes##r, bitsOfBytes(_mm256_xor_si256(x, b0)));            \
    rightBytes##r = _mm256_add_epi8(rightBytes##r, bitsOfBytes(_mm256_xor_si256(x, b1)));
            MULTIMATCH_FOUR_ROWS(MULTIMATCH_ADD)
        }
#define MULTIMATCH_ADD_BYTES(r)                                                                    \
    left##r = _mm256_add_epi32(left##r, sumsOfWords(leftBytes##r));                                \
    right##r = _mm256_add_epi32(right##r, sumsOfWords(rightBytes##r));
        MULTIMATCH_FOUR_ROWS(MULTIMATCH_ADD_BYTES)
    }
#define MULTIMATCH_FINISH(r)                                                                       \
    tile.hits[r] = finish(tile, r, 0, left##r) | finish(tile, r, 8, right##r);
    MULTIMATCH_FOUR_ROWS(MULTIMATCH_FINISH)
#undef MULTIMATCH_ZERO
#undef MULTIMATCH_ZERO_BYTES
#undef MULTIMATCH_ADD
#undef MULTIMATCH_ADD_BYTES
#undef MULTIMATCH_FINISH
}

#undef MULTIMATCH_FOUR_ROWS
#undef MULTIMATCH_SIX_ROWS

} // namespace

DescriptorKernels getDescriptorKernels()
{
    const DescriptorKernels kernels = {"AVX2",
                                       {FLOAT_ROWS, COLUMNS, floatTile},
                                       {INTEGER_ROWS, COLUMNS, integerTile},
                                       {BIT_ROWS, COLUMNS, bitTile},
                                       {2, 0}};
    return kernels;
}

CV_CPU_OPTIMIZATION_NAMESPACE_END
}} // namespace cv::multimatch
