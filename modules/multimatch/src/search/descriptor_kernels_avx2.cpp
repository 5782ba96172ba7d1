// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// The kernels for processors with AVX2, BMI, FMA and POPCNT. The choice is made at run time, so no compiler option
// is needed and the library stays portable.

#include "descriptor_scores.hpp"
#include "nearest_lists.hpp"

#if (defined(__GNUC__) && defined(__x86_64__)) || (defined(_MSC_VER) && defined(_M_X64))
#define MULTIMATCH_HAS_AVX2 1
#include <immintrin.h>
#endif

#if defined(__GNUC__)
#define MULTIMATCH_AVX2 __attribute__((target("avx2,bmi,fma,popcnt")))
#else
#define MULTIMATCH_AVX2
#endif

namespace cv { namespace multimatch {

#ifdef MULTIMATCH_HAS_AVX2

namespace {

// Twelve sums, two columns and a row fit sixteen registers; where products take registers too, eight sums do.
const int COLUMNS = 16, FLOAT_ROWS = 6, INTEGER_ROWS = 4;

// Sums in an array would be kept in memory.
#define MULTIMATCH_FOUR_ROWS(DO) DO(0) DO(1) DO(2) DO(3)
#define MULTIMATCH_SIX_ROWS(DO) MULTIMATCH_FOUR_ROWS(DO) DO(4) DO(5)

MULTIMATCH_AVX2 void floatStrip(const float* rows, const float* columns, int depth, int* scores,
                                int stride)
{
    const float *a = rows + FLOAT_ROWS, *b = columns + COLUMNS;
#define MULTIMATCH_ZERO(r) __m256 left##r = _mm256_setzero_ps(), right##r = _mm256_setzero_ps();
    MULTIMATCH_SIX_ROWS(MULTIMATCH_ZERO)
    for (int d = 0; d < depth; ++d, a += FLOAT_ROWS, b += COLUMNS)
    {
        const __m256 b0 = _mm256_loadu_ps(b), b1 = _mm256_loadu_ps(b + 8);
        __m256 x;
#define MULTIMATCH_ADD(r)                                                                          \
    x = _mm256_broadcast_ss(a + r);                                                                \
    left##r = _mm256_fmadd_ps(x, b0, left##r);                                                     \
    right##r = _mm256_fmadd_ps(x, b1, right##r);
        MULTIMATCH_SIX_ROWS(MULTIMATCH_ADD)
    }
    const __m256 two = _mm256_set1_ps(2.f), zero = _mm256_setzero_ps();
    const __m256 norm0 = _mm256_loadu_ps(columns), norm1 = _mm256_loadu_ps(columns + 8);
    __m256 norm;
    // The bits of floats order like the floats where these are not negative.
#define MULTIMATCH_STORE(r)                                                                        \
    norm = _mm256_broadcast_ss(rows + r);                                                          \
    left##r = _mm256_fnmadd_ps(two, left##r, _mm256_add_ps(norm, norm0));                          \
    right##r = _mm256_fnmadd_ps(two, right##r, _mm256_add_ps(norm, norm1));                        \
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(scores + r * stride),                           \
                        _mm256_castps_si256(_mm256_max_ps(zero, left##r)));                        \
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(scores + r * stride + 8),                       \
                        _mm256_castps_si256(_mm256_max_ps(zero, right##r)));
    MULTIMATCH_SIX_ROWS(MULTIMATCH_STORE)
#undef MULTIMATCH_ZERO
#undef MULTIMATCH_ADD
#undef MULTIMATCH_STORE
}

MULTIMATCH_AVX2 inline __m256i load(const int* from)
{
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}

MULTIMATCH_AVX2 void integerStrip(const int* rows, const int* columns, int depthPairs, int* scores,
                                  int stride)
{
    const int *a = rows + INTEGER_ROWS, *b = columns + COLUMNS;
#define MULTIMATCH_ZERO(r)                                                                         \
    __m256i left##r = _mm256_setzero_si256(), right##r = _mm256_setzero_si256();
    MULTIMATCH_FOUR_ROWS(MULTIMATCH_ZERO)
    for (int d = 0; d < depthPairs; ++d, a += INTEGER_ROWS, b += COLUMNS)
    {
        const __m256i b0 = load(b), b1 = load(b + 8);
        __m256i x;
#define MULTIMATCH_ADD(r)                                                                          \
    x = _mm256_set1_epi32(a[r]);                                                                   \
    left##r = _mm256_add_epi32(left##r, _mm256_madd_epi16(x, b0));                                 \
    right##r = _mm256_add_epi32(right##r, _mm256_madd_epi16(x, b1));
        MULTIMATCH_FOUR_ROWS(MULTIMATCH_ADD)
    }
    const __m256i norm0 = load(columns), norm1 = load(columns + 8);
    __m256i norm;
#define MULTIMATCH_STORE(r)                                                                        \
    norm = _mm256_set1_epi32(rows[r]);                                                             \
    left##r = _mm256_sub_epi32(_mm256_add_epi32(norm, norm0), _mm256_slli_epi32(left##r, 1));      \
    right##r = _mm256_sub_epi32(_mm256_add_epi32(norm, norm1), _mm256_slli_epi32(right##r, 1));    \
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(scores + r * stride), left##r);                 \
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(scores + r * stride + 8), right##r);
    MULTIMATCH_FOUR_ROWS(MULTIMATCH_STORE)
#undef MULTIMATCH_ZERO
#undef MULTIMATCH_ADD
#undef MULTIMATCH_STORE
}

#undef MULTIMATCH_FOUR_ROWS
#undef MULTIMATCH_SIX_ROWS

//! WORDS: 64-bit words per descriptor, where known at compile time; 0: given by the argument words.
template<int WORDS>
MULTIMATCH_AVX2 void hammingRows(const uint64* rows, const uint64* columns, int words,
                                 int columnCount, int* scores, int stride)
{
    const int n = WORDS > 0 ? WORDS : words;
    for (int r = 0; r < HAMMING_ROWS; ++r, rows += n, scores += stride)
    {
        const uint64* column = columns;
        for (int c = 0; c < columnCount; ++c, column += n)
        {
            int64 bits = 0;
            for (int w = 0; w < n; ++w)
                bits += _mm_popcnt_u64(rows[w] ^ column[w]);
            scores[c] = static_cast<int>(bits);
        }
    }
}

void hammingStrip(const uint64* rows, const uint64* columns, int words, int columnCount,
                  int* scores, int stride)
{
    if (words == 4) // ORB, BRIEF
        hammingRows<4>(rows, columns, words, columnCount, scores, stride);
    else if (words == 8) // BRISK, FREAK, AKAZE
        hammingRows<8>(rows, columns, words, columnCount, scores, stride);
    else
        hammingRows<0>(rows, columns, words, columnCount, scores, stride);
}

} // namespace

bool avx2Compiled()
{
    return true;
}

FloatKernel floatKernelAvx2()
{
    const FloatKernel kernel = {FLOAT_ROWS, COLUMNS, floatStrip};
    return kernel;
}

IntegerKernel integerKernelAvx2()
{
    const IntegerKernel kernel = {INTEGER_ROWS, COLUMNS, integerStrip};
    return kernel;
}

HammingKernel hammingKernelAvx2()
{
    return hammingStrip;
}

MULTIMATCH_AVX2 void scanStripAvx2(const ScoreStrip& strip, NearestLists& ofRows,
                                   NearestLists& ofColumns)
{
    const int* columnBounds = ofColumns.bounds() + strip.firstColumn;
    for (int r = 0; r < strip.rows; ++r)
    {
        const int p = strip.firstRow + r;
        const int* scores = strip.scores + r * strip.stride;
        const int* rowBound = ofRows.bounds() + p;
        for (int c = 0; c < strip.columns; c += SCAN_GROUP)
        {
            const __m256i s = load(scores + c);
            const __m256i inRow = _mm256_cmpgt_epi32(_mm256_set1_epi32(*rowBound), s);
            const __m256i inColumn = _mm256_cmpgt_epi32(load(columnBounds + c), s);
            if (_mm256_testz_si256(inRow, inRow) && _mm256_testz_si256(inColumn, inColumn))
                continue;
            unsigned marks = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(inRow)));
            for (; marks; marks &= marks - 1)
            {
                const int q = c + static_cast<int>(_tzcnt_u32(marks));
                if (scores[q] < *rowBound)
                    ofRows.insert(p, scores[q], strip.firstColumn + q);
            }
            marks = static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(inColumn)));
            for (; marks; marks &= marks - 1)
            {
                const int q = c + static_cast<int>(_tzcnt_u32(marks));
                ofColumns.insert(strip.firstColumn + q, scores[q], p);
            }
        }
    }
}

#else

bool avx2Compiled()
{
    return false;
}

FloatKernel floatKernelAvx2()
{
    return floatKernel();
}

IntegerKernel integerKernelAvx2()
{
    return integerKernel();
}

HammingKernel hammingKernelAvx2()
{
    return hammingKernel();
}

void scanStripAvx2(const ScoreStrip& strip, NearestLists& ofRows, NearestLists& ofColumns)
{
    scanStrip(strip, ofRows, ofColumns);
}

#endif

}} // namespace cv::multimatch
