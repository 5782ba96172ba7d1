// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "descriptor_scores.hpp"

#include <cfloat>
#include <climits>
#include <cstring>

namespace cv { namespace multimatch {

bool useAvx2()
{
    return avx2Compiled() && checkHardwareSupport(CV_CPU_AVX2) &&
           checkHardwareSupport(CV_CPU_FMA3) && checkHardwareSupport(CV_CPU_POPCNT);
}

namespace {

//! Largest magnitude of a coordinate that the integer kernel takes, and the widest descriptor whose sums then fit an int.
const int MAX_INTEGER = 255;
const int MAX_INTEGER_WIDTH = INT_MAX / (4 * MAX_INTEGER * MAX_INTEGER);

//! Result of a pass over all descriptors.
struct Survey
{
    bool smallIntegers;
    std::vector<double> largestNorm; //!< per view the largest squared norm
};

Survey survey(const std::vector<Mat>& views)
{
    Survey result;
    result.largestNorm.assign(views.size(), 0);
    std::vector<uchar> integers(views.size(), 1);
    parallel_for_(Range(0, static_cast<int>(views.size())), [&](const Range& range) {
        for (int v = range.start; v < range.end; ++v)
        {
            const Mat& view = views[v];
            float largest = 0;
            bool whole = true;
            for (int p = 0; p < view.rows; ++p)
            {
                const float* row = view.ptr<float>(p);
                float sum = 0;
                for (int c = 0; c < view.cols; ++c)
                {
                    const float x = row[c];
                    sum += x * x;
                    whole = whole && std::abs(x) <= MAX_INTEGER &&
                            x == static_cast<float>(static_cast<int>(x));
                }
                largest = std::max(largest, sum);
            }
            integers[v] = whole;
            result.largestNorm[v] = largest;
        }
    });
    result.smallIntegers = std::count(integers.begin(), integers.end(), 0) == 0;
    return result;
}

//! Squared distance in four separate sums: the order of summation is fixed, and the compiler can vectorize.
float plainSquared(const float* x, const float* y, int width)
{
    float sums[4] = {0, 0, 0, 0};
    int c = 0;
    for (; c + 4 <= width; c += 4)
        for (int lane = 0; lane < 4; ++lane)
        {
            const float difference = x[c + lane] - y[c + lane];
            sums[lane] += difference * difference;
        }
    for (; c < width; ++c)
        sums[0] += (x[c] - y[c]) * (x[c] - y[c]);
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

//! Squared L2 as |a|^2 + |b|^2 - 2 a.b in single precision. Scores are the bits of the result, which order as it does.
class FloatScores CV_FINAL : public DescriptorScores
{
public:
    FloatScores(const std::vector<Mat>& views, int width, const std::vector<double>& largestNorm)
        : views_(views), width_(width), kernel_(useAvx2() ? floatKernelAvx2() : floatKernel()),
          largestNorm_(largestNorm)
    {
    }

    int stripRows() const CV_OVERRIDE { return kernel_.rows; }
    int panelColumns() const CV_OVERRIDE { return kernel_.columns; }
    size_t packedBytes() const CV_OVERRIDE
    {
        return sizeof(float) * (static_cast<size_t>(width_) + 1);
    }

    void packRows(const Mat& view, int first, int count, uchar* packed) const CV_OVERRIDE
    {
        pack(view, first, count, kernel_.rows, reinterpret_cast<float*>(packed));
    }
    void packColumns(const Mat& view, int first, int count, uchar* packed) const CV_OVERRIDE
    {
        pack(view, first, count, kernel_.columns, reinterpret_cast<float*>(packed));
    }

    void strip(const uchar* rows, const uchar* columns, int columnCount, int* scores,
               int stride) const CV_OVERRIDE
    {
        for (int c = 0; c < columnCount; c += kernel_.columns)
            kernel_.run(
                reinterpret_cast<const float*>(rows),
                reinterpret_cast<const float*>(columns + static_cast<size_t>(c) * packedBytes()),
                width_, scores + c, stride);
    }

    int slack() const CV_OVERRIDE { return 1; }

    int nearest(int own, int p, int other, const Candidate* found, int count, int k,
                Neighbor* result) const CV_OVERRIDE
    {
        const Mat &a = views_[own], &b = views_[other];
        const float* x = a.ptr<float>(p);
        for (int n = 0; n < count; ++n)
        {
            result[n].index = found[n].index;
            result[n].distance = plainSquared(x, b.ptr<float>(found[n].index), width_);
        }
        std::sort(result, result + count);
        const bool all = count == b.rows - (own == other);
        if (count > k && !all &&
            asSquared(found[count - 1].score) - uncertainty(own, other) <= result[k - 1].distance)
        {
            // Another descriptor may be as near as these: the scores cannot decide.
            std::vector<Neighbor> everyone;
            for (int q = 0; q < b.rows; ++q)
                if (own != other || q != p)
                {
                    const Neighbor neighbor = {plainSquared(x, b.ptr<float>(q), width_), q};
                    everyone.push_back(neighbor);
                }
            std::partial_sort(everyone.begin(), everyone.begin() + k, everyone.end());
            std::copy(everyone.begin(), everyone.begin() + k, result);
        }
        const int wanted = std::min(k, count);
        for (int n = 0; n < wanted; ++n)
            result[n].distance = std::sqrt(result[n].distance);
        return wanted;
    }

private:
    static float asSquared(int score)
    {
        float squared;
        std::memcpy(&squared, &score, sizeof(squared));
        return squared;
    }

    //! Bound on the error of a score, including the rounding of exact distances.
    double uncertainty(int own, int other) const
    {
        // A sum of n products is off by at most n / 2 FLT_EPSILON sum |a_i b_i|, and 2 |a| |b| <= |a|^2 + |b|^2; the norms and
        // the exact distance, in four sums each, add less than as much again.
        const double largest = largestNorm_[own] + largestNorm_[other];
        return (width_ + 8.) * FLT_EPSILON * largest;
    }

    void pack(const Mat& view, int first, int count, int group, float* packed) const
    {
        for (int g = 0; g < count; g += group, packed += packedBytes() / sizeof(float) * group)
        {
            const int members = std::min(group, count - g);
            if (members < group)
                std::fill(packed, packed + packedBytes() / sizeof(float) * group, 0.f);
            for (int i = 0; i < members; ++i)
            {
                const float* row = view.ptr<float>(first + g + i);
                float sums[4] = {0, 0, 0, 0};
                float* to = packed + group + i;
                for (int c = 0; c < width_; ++c, to += group)
                {
                    *to = row[c];
                    sums[c & 3] += row[c] * row[c];
                }
                packed[i] = (sums[0] + sums[1]) + (sums[2] + sums[3]);
            }
        }
    }

    const std::vector<Mat>& views_;
    int width_;
    FloatKernel kernel_;
    std::vector<double> largestNorm_;
};

//! Squared L2 of small whole numbers, without rounding. T: type of the coordinates.
template<typename T>
class IntegerScores CV_FINAL : public DescriptorScores
{
public:
    explicit IntegerScores(int width)
        : width_(width), kernel_(useAvx2() ? integerKernelAvx2() : integerKernel())
    {
    }

    int stripRows() const CV_OVERRIDE { return kernel_.rows; }
    int panelColumns() const CV_OVERRIDE { return kernel_.columns; }
    size_t packedBytes() const CV_OVERRIDE
    {
        return sizeof(int) * (static_cast<size_t>(pairs()) + 1);
    }

    void packRows(const Mat& view, int first, int count, uchar* packed) const CV_OVERRIDE
    {
        pack(view, first, count, kernel_.rows, reinterpret_cast<int*>(packed));
    }
    void packColumns(const Mat& view, int first, int count, uchar* packed) const CV_OVERRIDE
    {
        pack(view, first, count, kernel_.columns, reinterpret_cast<int*>(packed));
    }

    void strip(const uchar* rows, const uchar* columns, int columnCount, int* scores,
               int stride) const CV_OVERRIDE
    {
        for (int c = 0; c < columnCount; c += kernel_.columns)
            kernel_.run(
                reinterpret_cast<const int*>(rows),
                reinterpret_cast<const int*>(columns + static_cast<size_t>(c) * packedBytes()),
                pairs(), scores + c, stride);
    }

    int slack() const CV_OVERRIDE { return 0; }

    int nearest(int, int, int, const Candidate* found, int count, int k,
                Neighbor* result) const CV_OVERRIDE
    {
        const int wanted = std::min(k, count);
        for (int n = 0; n < wanted; ++n)
        {
            result[n].distance = std::sqrt(static_cast<float>(found[n].score));
            result[n].index = found[n].index;
        }
        return wanted;
    }

private:
    int pairs() const { return (width_ + 1) / 2; }

    static int pairOf(T low, T high)
    {
        return static_cast<int>(
            static_cast<unsigned>(static_cast<ushort>(static_cast<short>(low))) |
            static_cast<unsigned>(static_cast<ushort>(static_cast<short>(high))) << 16);
    }

    void pack(const Mat& view, int first, int count, int group, int* packed) const
    {
        for (int g = 0; g < count; g += group, packed += packedBytes() / sizeof(int) * group)
        {
            const int members = std::min(group, count - g);
            if (members < group)
                std::fill(packed, packed + packedBytes() / sizeof(int) * group, 0);
            for (int i = 0; i < members; ++i)
            {
                const T* row = view.ptr<T>(first + g + i);
                int* to = packed + group + i;
                int c = 0, norm = 0;
                for (; c + 1 < width_; c += 2, to += group)
                    *to = pairOf(row[c], row[c + 1]);
                if (c < width_)
                    *to = pairOf(row[c], T(0));
                for (c = 0; c < width_; ++c)
                    norm += static_cast<int>(row[c]) * static_cast<int>(row[c]);
                packed[i] = norm;
            }
        }
    }

    int width_;
    IntegerKernel kernel_;
};

class HammingScores CV_FINAL : public DescriptorScores
{
public:
    explicit HammingScores(int width)
        : width_(width), words_((width + 7) / 8),
          kernel_(useAvx2() ? hammingKernelAvx2() : hammingKernel())
    {
    }

    int stripRows() const CV_OVERRIDE { return HAMMING_ROWS; }
    int panelColumns() const CV_OVERRIDE { return 8; }
    size_t packedBytes() const CV_OVERRIDE { return 8 * static_cast<size_t>(words_); }

    void packRows(const Mat& view, int first, int count, uchar* packed) const CV_OVERRIDE
    {
        pack(view, first, count, HAMMING_ROWS, packed);
    }
    void packColumns(const Mat& view, int first, int count, uchar* packed) const CV_OVERRIDE
    {
        pack(view, first, count, panelColumns(), packed);
    }

    void strip(const uchar* rows, const uchar* columns, int columnCount, int* scores,
               int stride) const CV_OVERRIDE
    {
        kernel_(reinterpret_cast<const uint64*>(rows), reinterpret_cast<const uint64*>(columns),
                words_, columnCount, scores, stride);
    }

    int slack() const CV_OVERRIDE { return 0; }

    int nearest(int, int, int, const Candidate* found, int count, int k,
                Neighbor* result) const CV_OVERRIDE
    {
        const int wanted = std::min(k, count);
        for (int n = 0; n < wanted; ++n)
        {
            result[n].distance = static_cast<float>(found[n].score);
            result[n].index = found[n].index;
        }
        return wanted;
    }

private:
    void pack(const Mat& view, int first, int count, int group, uchar* packed) const
    {
        const size_t padded = alignSize(static_cast<size_t>(count), group);
        std::memset(packed, 0, padded * packedBytes());
        for (int i = 0; i < count; ++i)
            std::memcpy(packed + static_cast<size_t>(i) * packedBytes(), view.ptr(first + i),
                        static_cast<size_t>(width_));
    }

    int width_, words_;
    HammingKernel kernel_;
};

} // namespace

Ptr<DescriptorScores> DescriptorScores::create(const std::vector<Mat>& views, int normType)
{
    int type = CV_32F, width = 0;
    for (size_t v = 0; v < views.size(); ++v)
        if (!views[v].empty())
        {
            type = views[v].type();
            width = views[v].cols;
        }
    if (normType == NORM_HAMMING)
        return makePtr<HammingScores>(width);
    if (type == CV_8U && width > MAX_INTEGER_WIDTH)
        CV_Error_(Error::StsOutOfRange,
                  ("CV_8U descriptors have %d columns, expected at most %d with NORM_L2", width,
                   MAX_INTEGER_WIDTH));
    if (type == CV_8U)
        return makePtr<IntegerScores<uchar>>(width);
    const Survey found = survey(views);
    if (found.smallIntegers && width <= MAX_INTEGER_WIDTH)
        return makePtr<IntegerScores<float>>(width);
    return makePtr<FloatScores>(views, width, found.largestNorm);
}

}} // namespace cv::multimatch
