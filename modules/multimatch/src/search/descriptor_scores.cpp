// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "descriptor_scores.hpp"

#include <cfloat>
#include <climits>
#include <cstring>

namespace cv { namespace multimatch {

namespace {

//! Largest number that the integer kernel takes, and the widest descriptor whose sums then fit an
//! int.
const int MAX_INTEGER = 255;
const int MAX_INTEGER_WIDTH = INT_MAX / (4 * MAX_INTEGER * MAX_INTEGER);
//! Larger whole numbers are treated as floats.
const float MAX_WHOLE = 1 << 20;

//! Result of a pass over all descriptors.
struct Survey
{
    bool whole;                            //!< all are whole numbers
    float lowest, highest;                 //!< 0 among them
    std::vector<std::vector<float>> norms; //!< squared, per view and descriptor
};

float squaredNorm(const float* row, int width)
{
    float sums[4] = {0, 0, 0, 0};
    for (int c = 0; c < width; ++c)
        sums[c & 3] += row[c] * row[c];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

Survey survey(const std::vector<Mat>& views)
{
    std::vector<Survey> parts(views.size());
    Survey result;
    result.norms.resize(views.size());
    parallel_for_(Range(0, static_cast<int>(views.size())), [&](const Range& range) {
        for (int v = range.start; v < range.end; ++v)
        {
            const Mat& view = views[v];
            float lowest = 0, highest = 0;
            bool whole = true;
            for (int p = 0; p < view.rows; ++p)
            {
                const float* row = view.ptr<float>(p);
                result.norms[v].push_back(squaredNorm(row, view.cols));
                for (int c = 0; c < view.cols; ++c)
                {
                    const float x = row[c];
                    lowest = std::min(lowest, x);
                    highest = std::max(highest, x);
                    whole = whole && std::abs(x) <= MAX_WHOLE &&
                            x == static_cast<float>(static_cast<int>(x));
                }
            }
            parts[v].whole = whole;
            parts[v].lowest = lowest;
            parts[v].highest = highest;
        }
    });
    result.whole = true;
    result.lowest = result.highest = 0;
    for (size_t v = 0; v < parts.size(); ++v)
    {
        result.whole = result.whole && parts[v].whole;
        result.lowest = std::min(result.lowest, parts[v].lowest);
        result.highest = std::max(result.highest, parts[v].highest);
    }
    return result;
}

//! Squared distance in four separate sums: the order of summation is fixed, and the compiler can
//! vectorize.
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

//! Squared L2 as |a|^2 + |b|^2 - 2 a.b in single precision. Scores are the bits of the result,
//! which order as it does.
class FloatScores CV_FINAL : public DescriptorScores
{
public:
    FloatScores(const std::vector<Mat>& views, int width,
                const std::vector<std::vector<float>>& norms)
        : DescriptorScores(descriptorKernels().floats, width, views), norms_(norms), width_(width)
    {
        for (size_t v = 0; v < norms.size(); ++v)
            largestNorm_.push_back(
                norms[v].empty() ? 0 : *std::max_element(norms[v].begin(), norms[v].end()));
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
        // A sum of n products is off by at most n / 2 FLT_EPSILON sum |a_i b_i|, and 2 |a| |b| <=
        // |a|^2 + |b|^2; the norms and the exact distance, in four sums each, add less than as much
        // again.
        const double largest = largestNorm_[own] + largestNorm_[other];
        return (width_ + 8.) * FLT_EPSILON * largest;
    }

    void writeWords(int view, int point, bool, int* words) const CV_OVERRIDE
    {
        std::memcpy(words, &norms_[view][point], sizeof(float));
        std::memcpy(words + 1, views_[view].ptr(point),
                    sizeof(float) * static_cast<size_t>(width_));
    }

    float distanceOf(int score) const CV_OVERRIDE { return std::sqrt(asSquared(score)); }

    const std::vector<std::vector<float>> norms_;
    const int width_;
    std::vector<double> largestNorm_;
};

//! Squared L2 of whole numbers from 0 to 255, without rounding.
class IntegerScores : public DescriptorScores
{
public:
    //! views: CV_8U
    IntegerScores(const std::vector<Mat>& views, int width)
        : IntegerScores(descriptorKernels(), views, width)
    {
    }

private:
    IntegerScores(const DescriptorKernels& kernels, const std::vector<Mat>& views, int width)
        : DescriptorScores(kernels.integers,
                           (width + kernels.format.perWord - 1) / kernels.format.perWord, views),
          width_(width), format_(kernels.format), constants_(views.size())
    {
        parallel_for_(Range(0, static_cast<int>(views_.size())), [&](const Range& range) {
            for (int v = range.start; v < range.end; ++v)
                for (int p = 0; p < views_[v].rows; ++p)
                    constants_[v].push_back(constantsOf(views_[v].ptr(p)));
        });
    }

    struct Constants
    {
        int ofRow, ofColumn;
    };

    // With a' = a - offset: a.b = a'.b + offset sum(b), so that |b|^2 - 2 offset sum(b) is the
    // constant of a column b.
    Constants constantsOf(const uchar* numbers) const
    {
        int sum = 0, norm = 0;
        for (int c = 0; c < width_; ++c)
        {
            sum += numbers[c];
            norm += numbers[c] * numbers[c];
        }
        const Constants constants = {norm, norm - 2 * format_.rowOffset * sum};
        return constants;
    }

    void writeWords(int view, int point, bool asRow, int* words) const CV_OVERRIDE
    {
        const Constants& constants = constants_[view][point];
        const uchar* from = views_[view].ptr(point);
        words[0] = asRow ? constants.ofRow : constants.ofColumn;
        words[this->words()] = 0;
        if (format_.perWord == 4)
        {
            std::memcpy(words + 1, from, static_cast<size_t>(width_));
            if (asRow && format_.rowOffset ==
                             128) // x - 128 as a signed byte is x with its highest bit inverted
                for (int w = 1; w <= this->words(); ++w)
                    words[w] ^= static_cast<int>(0x80808080u);
        }
        else
        {
            // Two numbers of 16 bits in a word; a pointer to ushort must not write to objects of
            // type int.
            for (int c = 0; c < width_; c += 2)
            {
                const ushort pair[2] = {from[c],
                                        static_cast<uchar>(c + 1 < width_ ? from[c + 1] : 0)};
                std::memcpy(words + 1 + c / 2, pair, sizeof(pair));
            }
        }
    }

    float distanceOf(int score) const CV_OVERRIDE { return std::sqrt(static_cast<float>(score)); }

    const int width_;
    const IntegerFormat format_;
    std::vector<std::vector<Constants>> constants_;
};

class HammingScores CV_FINAL : public DescriptorScores
{
public:
    HammingScores(const std::vector<Mat>& views, int width)
        : DescriptorScores(descriptorKernels().bits, (width + 3) / 4, views), width_(width)
    {
    }

private:
    void writeWords(int view, int point, bool, int* words) const CV_OVERRIDE
    {
        words[0] = words[this->words()] = 0;
        std::memcpy(words + 1, views_[view].ptr(point), static_cast<size_t>(width_));
    }

    float distanceOf(int score) const CV_OVERRIDE { return static_cast<float>(score); }

    const int width_;
};

//! Squared L2 of floats that were rounded to whole numbers from 0 to 255.
class RoundedScores CV_FINAL : public IntegerScores
{
public:
    //! rounded: the views as CV_8U
    RoundedScores(const std::vector<Mat>& views, const std::vector<Mat>& rounded, int width)
        : IntegerScores(rounded, width), floats_(views), columns_(width)
    {
    }

    //! Descriptors that are farther after rounding may be nearer before.
    int slack() const CV_OVERRIDE { return MAX_SLACK; }

    int nearest(int own, int p, int other, const Candidate* found, int count, int k,
                Neighbor* result) const CV_OVERRIDE
    {
        const float* x = floats_[own].ptr<float>(p);
        for (int n = 0; n < count; ++n)
        {
            const float* y = floats_[other].ptr<float>(found[n].index);
            result[n].index = found[n].index;
            result[n].distance = std::sqrt(plainSquared(x, y, columns_));
        }
        std::sort(result, result + count);
        return std::min(k, count);
    }

private:
    const std::vector<Mat> floats_;
    const int columns_;
};

//! As CV_8U: (x - offset) * scale, rounded.
std::vector<Mat> asBytes(const std::vector<Mat>& views, double offset, double scale)
{
    std::vector<Mat> bytes(views.size());
    parallel_for_(Range(0, static_cast<int>(views.size())), [&](const Range& range) {
        for (int v = range.start; v < range.end; ++v)
            views[v].convertTo(bytes[v], CV_8U, scale, -offset * scale);
    });
    return bytes;
}

//! Points of a list are scattered: descriptors are fetched into the cache so many before they are
//! packed.
const int PREFETCHED = 8;

void prefetch(const uchar* descriptor)
{
#if defined(__GNUC__)
    __builtin_prefetch(descriptor);
    __builtin_prefetch(descriptor + 64);
#else
    (void)descriptor;
#endif
}

} // namespace

int DescriptorScores::nearest(int, int, int, const Candidate* found, int count, int k,
                              Neighbor* result) const
{
    const int wanted = std::min(k, count);
    for (int n = 0; n < wanted; ++n)
    {
        result[n].distance = distanceOf(found[n].score);
        result[n].index = found[n].index;
    }
    return wanted;
}

void DescriptorScores::pack(int view, const int* points, int first, int count, int group,
                            bool asRows, int* packed) const
{
    const size_t size = packedWords();
    AutoBuffer<int> words(size);
    for (int g = 0; g < count; g += group, packed += size * static_cast<size_t>(group))
    {
        const int members = std::min(group, count - g);
        if (members < group)
            std::fill(packed, packed + size * static_cast<size_t>(group), 0);
        for (int i = 0; i < members; ++i)
        {
            writeWords(view, points ? points[g + i] : first + g + i, asRows, words.data());
            if (points && g + i + PREFETCHED < count)
                prefetch(views_[view].ptr(points[g + i + PREFETCHED]));
            int* to = packed + i;
            for (size_t w = 0; w < size; ++w, to += group)
                *to = words[w];
        }
    }
}

namespace {

//! Distances do not change where an offset is subtracted from all numbers.
float byteOffset(const Survey& found)
{
    return found.highest <= MAX_INTEGER && found.lowest >= 0 ? 0 : found.lowest;
}

//! Whether bytes hold all numbers, less the offset.
bool fitsBytes(const Survey& found)
{
    return found.whole && found.highest - byteOffset(found) <= MAX_INTEGER;
}

Ptr<DescriptorScores> createScores(const std::vector<Mat>& views, int normType, bool rounded)
{
    int type = CV_32F, width = 0;
    for (size_t v = 0; v < views.size(); ++v)
        if (!views[v].empty())
        {
            type = views[v].type();
            width = views[v].cols;
        }
    if (normType == NORM_HAMMING)
        return makePtr<HammingScores>(views, width);
    if (type == CV_8U && width > MAX_INTEGER_WIDTH)
        CV_Error_(Error::StsOutOfRange,
                  ("CV_8U descriptors have %d columns, expected at most %d with NORM_L2", width,
                   MAX_INTEGER_WIDTH));
    if (type == CV_8U)
        return makePtr<IntegerScores>(views, width);
    const Survey found = survey(views);
    if (fitsBytes(found) && width <= MAX_INTEGER_WIDTH)
        return makePtr<IntegerScores>(asBytes(views, byteOffset(found), 1), width);
    const double range = static_cast<double>(found.highest) - found.lowest;
    if (rounded && width <= MAX_INTEGER_WIDTH)
        return makePtr<RoundedScores>(
            views, asBytes(views, found.lowest, range > 0 ? MAX_INTEGER / range : 1), width);
    return makePtr<FloatScores>(views, width, found.norms);
}

} // namespace

Ptr<DescriptorScores> DescriptorScores::create(const std::vector<Mat>& views, int normType)
{
    return createScores(views, normType, false);
}

Ptr<DescriptorScores> DescriptorScores::createRounded(const std::vector<Mat>& views, int normType)
{
    return createScores(views, normType, true);
}

std::vector<Mat> compactDescriptors(const std::vector<Mat>& views, int normType)
{
    int depth = CV_8U, width = 0;
    for (size_t v = 0; v < views.size(); ++v)
        if (!views[v].empty())
        {
            depth = views[v].depth();
            width = views[v].cols;
        }
    if (normType == NORM_HAMMING || depth != CV_32F || width > MAX_INTEGER_WIDTH)
        return views;
    const Survey found = survey(views);
    return fitsBytes(found) ? asBytes(views, byteOffset(found), 1) : views;
}

}} // namespace cv::multimatch
