// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "../precomp.hpp"

#include "../base/parameters.hpp"
#include "../input/input.hpp"
#include "vocabulary.hpp"

#include "opencv2/multimatch/retrieval.hpp"
#include "opencv2/multimatch/signatures.hpp"

namespace cv { namespace multimatch {

namespace {

const int WORDS = 64, SAMPLES_PER_WORD = 256, LEARNING_ROUNDS = 10;
const int BLOCK_ROWS = 256; // signatures compared at a time

void normalizeRow(float* row, int count)
{
    double squares = 0;
    for (int c = 0; c < count; ++c)
        squares += static_cast<double>(row[c]) * row[c];
    const float scale = squares > 0 ? static_cast<float>(1 / std::sqrt(squares)) : 0.f;
    for (int c = 0; c < count; ++c)
        row[c] *= scale;
}

/** Sums, for each word, of the unit vectors from the word to its descriptors. Each sum is then
scaled to the square root of its length, which reduces the weight of repeated structure. */
void describe(const Mat& coordinates, const Mat& words, float* signature)
{
    const int width = words.cols;
    const Mat nearest = nearestWords(coordinates, words);
    Mat_<double> sums = Mat_<double>::zeros(words.rows, width);
    std::vector<float> residual(static_cast<size_t>(width));
    for (int p = 0; p < coordinates.rows; ++p)
    {
        const int word = nearest.at<int>(p);
        const float *x = coordinates.ptr<float>(p), *center = words.ptr<float>(word);
        for (int c = 0; c < width; ++c)
            residual[c] = x[c] - center[c];
        normalizeRow(residual.data(), width);
        double* sum = sums[word];
        for (int c = 0; c < width; ++c)
            sum[c] += residual[c];
    }
    for (int w = 0; w < words.rows; ++w)
    {
        const double length = norm(sums.row(w));
        for (int c = 0; c < width; ++c)
            signature[w * width + c] =
                length > 0 ? static_cast<float>(sums(w, c) / std::sqrt(length)) : 0.f;
    }
    normalizeRow(signature, words.rows * width);
}

struct Similar
{
    float similarity;
    int view;
    bool operator<(const Similar& other) const
    {
        return similarity != other.similarity ? similarity > other.similarity : view < other.view;
    }
};

} // namespace

Mat learnSignatureWords(InputArrayOfArrays descriptors, int normType)
{
    checkNormType(normType);
    const std::vector<Mat> views = checkedDescriptors(descriptors);
    RunControl control((ProgressCallback()));
    return learnWords(views, chosenNorm(views, normType), WORDS, SAMPLES_PER_WORD, LEARNING_ROUNDS,
                      control, 0);
}

Mat signaturesFromWords(InputArrayOfArrays descriptors, InputArray words_, int normType)
{
    checkNormType(normType);
    const std::vector<Mat> views = checkedDescriptors(descriptors);
    const int chosen = chosenNorm(views, normType);
    const Mat words = words_.getMat();
    for (size_t v = 0; v < views.size(); ++v)
    {
        const int width = chosen == NORM_HAMMING ? 8 * views[v].cols : views[v].cols;
        if (!views[v].empty() && (words.type() != CV_32F || words.rows < 1 || words.cols != width))
            CV_Error_(Error::StsUnmatchedSizes,
                      ("words are %d x %d of type %s, expected %d columns of CV_32F", words.rows,
                       words.cols, typeToString(words.type()).c_str(), width));
    }
    Mat signatures(static_cast<int>(views.size()), std::max(1, static_cast<int>(words.total())),
                   CV_32F, Scalar(0));
    parallel_for_(Range(0, signatures.rows), [&](const Range& range) {
        for (int v = range.start; v < range.end; ++v)
            if (!views[v].empty())
                describe(asCoordinates(views[v], chosen), words, signatures.ptr<float>(v));
    });
    return signatures;
}

Mat computeSignatures(InputArrayOfArrays descriptors, int normType)
{
    return signaturesFromWords(descriptors, learnSignatureWords(descriptors, normType), normType);
}

Mat retrievePairs(InputArrayOfArrays descriptors, int count, int normType)
{
    checkRange("count", count, 1, false, INT_MAX, "at least 1");
    const Mat signatures = computeSignatures(descriptors, normType);
    std::vector<uchar> empty(static_cast<size_t>(signatures.rows));
    for (int v = 0; v < signatures.rows; ++v)
        empty[v] = norm(signatures.row(v), NORM_INF) == 0;
    std::vector<std::pair<int, int>> pairs;
    for (int first = 0; first < signatures.rows; first += BLOCK_ROWS)
    {
        const int last = std::min(signatures.rows, first + BLOCK_ROWS);
        Mat similarity;
        gemm(signatures.rowRange(first, last), signatures, 1, noArray(), 0, similarity, GEMM_2_T);
        for (int v = first; v < last; ++v)
        {
            std::vector<Similar> others;
            for (int w = 0; w < signatures.rows; ++w)
            {
                const Similar other = {similarity.at<float>(v - first, w), w};
                if (w != v && !empty[v] && !empty[w])
                    others.push_back(other);
            }
            const size_t chosen = std::min(others.size(), static_cast<size_t>(count));
            std::partial_sort(others.begin(), others.begin() + chosen, others.end());
            for (size_t n = 0; n < chosen; ++n)
                pairs.push_back(std::minmax(v, others[n].view));
        }
    }
    return pairMatrix(pairs);
}

}} // namespace cv::multimatch
