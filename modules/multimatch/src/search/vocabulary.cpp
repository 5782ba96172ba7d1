// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "vocabulary.hpp"

#include <cstring>

namespace cv { namespace multimatch {

namespace {

const uint64 SEED = 0x5eed;

//! Hash of the content of a descriptor.
uint64 contentHash(const uchar* bytes, size_t count)
{
    uint64 hash = 0x9E3779B97F4A7C15ULL;
    size_t c = 0;
    for (; c + 8 <= count; c += 8)
    {
        uint64 word;
        std::memcpy(&word, bytes + c, 8);
        hash = (hash ^ word) * 0xD1B54A32D192ED03ULL;
        hash ^= hash >> 29;
    }
    for (; c < count; ++c)
        hash = (hash ^ bytes[c]) * 0xD1B54A32D192ED03ULL;
    return hash ^ hash >> 32;
}

struct Drawn
{
    uint64 hash;
    int view, point;
    bool operator<(const Drawn& other) const { return hash < other.hash; }
};

//! The descriptors with the smallest hashes, each content once.
Mat drawSample(const std::vector<Mat>& views, int normType, size_t count)
{
    std::vector<Drawn> all;
    for (size_t v = 0; v < views.size(); ++v)
        for (int p = 0; p < views[v].rows; ++p)
        {
            const size_t bytes = static_cast<size_t>(views[v].cols) * views[v].elemSize();
            const Drawn drawn = {contentHash(views[v].ptr(p), bytes), static_cast<int>(v), p};
            all.push_back(drawn);
        }
    const size_t wanted = std::min(count, all.size());
    std::partial_sort(all.begin(), all.begin() + wanted, all.end());
    all.resize(wanted);
    all.erase(std::unique(all.begin(), all.end(),
                          [](const Drawn& a, const Drawn& b) { return a.hash == b.hash; }),
              all.end());
    Mat sample;
    for (size_t n = 0; n < all.size(); ++n)
        sample.push_back(views[all[n].view].row(all[n].point));
    return asCoordinates(sample, normType);
}

//! First words, as k-means++ chooses them: with probability proportional to the squared distance to
//! those before.
Mat firstWords(const Mat& sample, int count, RunControl& control, double share)
{
    RNG rng(SEED);
    Mat words = sample.row(0).clone(), nearest;
    batchDistance(sample, words, nearest, CV_32F, noArray(), NORM_L2SQR);
    while (words.rows < count && control.proceed(share))
    {
        const double total = sum(nearest)[0];
        if (!(total > 0))
            break;
        double left = rng.uniform(0., total);
        int chosen = 0;
        for (int n = 0; n < sample.rows && left >= 0; ++n)
        {
            if (nearest.at<float>(n) > 0)
                chosen = n;
            left -= nearest.at<float>(n);
        }
        words.push_back(sample.row(chosen));
        Mat distance;
        batchDistance(sample, sample.row(chosen), distance, CV_32F, noArray(), NORM_L2SQR);
        nearest = cv::min(nearest, distance);
    }
    return words;
}

} // namespace

Mat asCoordinates(const Mat& descriptors, int normType)
{
    if (descriptors.empty() || descriptors.type() == CV_32F)
        return descriptors;
    Mat coordinates;
    if (normType != NORM_HAMMING)
    {
        descriptors.convertTo(coordinates, CV_32F);
        return coordinates;
    }
    coordinates.create(descriptors.rows, 8 * descriptors.cols, CV_32F);
    for (int p = 0; p < descriptors.rows; ++p)
        for (int c = 0; c < coordinates.cols; ++c)
            coordinates.at<float>(p, c) =
                static_cast<float>(descriptors.at<uchar>(p, c / 8) >> c % 8 & 1);
    return coordinates;
}

Mat asDescriptors(const Mat& coordinates, int type, int normType)
{
    Mat descriptors;
    if (normType != NORM_HAMMING)
    {
        coordinates.convertTo(descriptors, type);
        return descriptors;
    }
    descriptors = Mat::zeros(coordinates.rows, coordinates.cols / 8, CV_8U);
    for (int p = 0; p < coordinates.rows; ++p)
        for (int c = 0; c < coordinates.cols; ++c)
            if (coordinates.at<float>(p, c) >= 0.5f)
                descriptors.at<uchar>(p, c / 8) =
                    static_cast<uchar>(descriptors.at<uchar>(p, c / 8) | 1 << c % 8);
    return descriptors;
}

Mat learnWords(const std::vector<Mat>& views, int normType, int count, int samplesPerWord,
               int rounds, RunControl& control, double share)
{
    const Mat sample = drawSample(views, normType,
                                  static_cast<size_t>(samplesPerWord) * static_cast<size_t>(count));
    if (sample.empty())
        return Mat();
    Mat words = firstWords(sample, std::min(count, sample.rows), control, share);
    for (int round = 0; round < rounds && control.proceed(share); ++round)
    {
        const Mat nearest = nearestWords(sample, words);
        Mat_<double> sums = Mat_<double>::zeros(words.rows, words.cols);
        std::vector<int> members(static_cast<size_t>(words.rows), 0);
        for (int n = 0; n < sample.rows; ++n)
        {
            const int word = nearest.at<int>(n);
            const float* from = sample.ptr<float>(n);
            double* to = sums[word];
            for (int c = 0; c < sample.cols; ++c)
                to[c] += from[c];
            ++members[word];
        }
        for (int w = 0; w < words.rows; ++w)
            if (members[w] > 0) // otherwise it does not move
                sums.row(w).convertTo(words.row(w), CV_32F, 1. / members[w]);
    }
    return words;
}

void compareWithWords(const std::vector<Mat>& views, const Mat& words, int k, int normType,
                      bool rounded, double shareBefore, double shareAfter, RunControl& control,
                      const std::function<void(int, const ViewComparison&)>& finish)
{
    const int count = static_cast<int>(views.size());
    std::vector<Mat> viewsAndWords = views;
    viewsAndWords.push_back(words);
    Mat_<int> pairs(count, 2, count);
    for (int v = 0; v < count; ++v)
        pairs(v, 0) = v;
    const Ptr<DescriptorScores> scores =
        rounded ? DescriptorScores::createRounded(viewsAndWords, normType)
                : DescriptorScores::create(viewsAndWords, normType);
    compareViews(viewsAndWords, *scores, pairs, k, shareBefore, shareAfter, control, finish);
}

Mat nearestWords(const Mat& coordinates, const Mat& words)
{
    Mat distances, nearest;
    batchDistance(coordinates, words, distances, CV_32F, nearest, NORM_L2SQR, 1);
    return nearest;
}

}} // namespace cv::multimatch
