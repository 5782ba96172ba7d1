// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "peer_base.hpp"

#include "../base/eigenpairs.hpp"

#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Dense>

namespace cv { namespace multimatch {

MatchEigParams::MatchEigParams() : universeSize(0), ratio(1.f), threshold(0.5f), seed(0) {}

void MatchEigParams::write(FileStorage& fs) const
{
    fs << "universeSize" << universeSize << "ratio" << ratio << "threshold" << threshold << "seed"
       << seed;
}

void MatchEigParams::read(const FileNode& node)
{
    readIfThere(node, "universeSize", universeSize);
    readIfThere(node, "ratio", ratio);
    readIfThere(node, "threshold", threshold);
    readIfThere(node, "seed", seed);
}

namespace {

typedef Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> RowMatrixXf;

struct ScoredMatch
{
    float score;
    int first, second;

    ScoredMatch(float score_, int first_, int second_)
        : score(score_), first(first_), second(second_)
    {
    }
    //! Largest first, ties by index.
    bool operator<(const ScoredMatch& other) const
    {
        if (score != other.score)
            return score > other.score;
        return first != other.first ? first < other.first : second < other.second;
    }
};

//! Entries of at least threshold, one-to-one, largest first.
std::vector<LocalMatch> greedyOneToOne(const RowMatrixXf& scores, float threshold)
{
    std::vector<ScoredMatch> candidates;
    std::vector<LocalMatch> matches;
    for (int r = 0; r < scores.rows(); ++r)
        for (int c = 0; c < scores.cols(); ++c)
            if (scores(r, c) >= threshold)
                candidates.push_back(ScoredMatch(scores(r, c), r, c));
    std::sort(candidates.begin(), candidates.end());
    std::vector<char> rowTaken(static_cast<size_t>(scores.rows()), 0);
    std::vector<char> colTaken(static_cast<size_t>(scores.cols()), 0);
    for (size_t i = 0; i < candidates.size(); ++i)
    {
        const ScoredMatch& match = candidates[i];
        if (rowTaken[match.first] || colTaken[match.second])
            continue;
        rowTaken[match.first] = colTaken[match.second] = 1;
        matches.push_back(LocalMatch(match.first, match.second, std::max(0.f, 1 - match.score)));
    }
    return matches;
}

} // namespace

static void checkParams(const MatchEigParams& params)
{
    checkUniverseSize("MatchEigParams::universeSize", params.universeSize);
    checkRatio("MatchEigParams::ratio", params.ratio);
    checkRange("MatchEigParams::threshold", params.threshold, 0, true, FLT_MAX, "more than 0");
}

class MatchEigImpl CV_FINAL : public DenoisingBase<MatchEig, MatchEigParams>
{
public:
    explicit MatchEigImpl(const MatchEigParams& params) { setParams(params); }

    String getDefaultName() const CV_OVERRIDE { return "multimatch.MatchEig"; }

protected:
    Found denoise(const Input& input, const CsrMatrix& similarity,
                  RunControl& control) const CV_OVERRIDE
    {
        const int m = input.pointCount();
        Found found;
        found.matches = CsrMatrix(m, m);
        found.pairs = allPairs(input.viewCount());
        found.report.universeSize = universeSizeOrDefault(params_.universeSize, input, similarity);
        control.begin("eigenvectors");
        if (found.report.universeSize == 0 || !control.proceed(0))
            return found;
        const Eigenpairs pairs = leadingEigenpairs(similarity, found.report.universeSize,
                                                   LARGEST_MAGNITUDE, params_.seed, &control);
        if (pairs.vectors.empty())
            return found;

        control.begin("matches");
        const int d = pairs.vectors.cols;
        RowMatrixXf U(m, d); // eigenvectors times sqrt |eigenvalue|
        for (int p = 0; p < m; ++p)
            for (int c = 0; c < d; ++c)
                U(p, c) = static_cast<float>(pairs.vectors.at<double>(p, c) *
                                             std::sqrt(std::abs(pairs.values[c])));
        std::vector<std::vector<LocalMatch>> matches(static_cast<size_t>(found.pairs.rows));
        const auto matchPairs = [&](const Range& range) {
            for (int r = range.start; r < range.end; ++r)
            {
                const int i = found.pairs.at<int>(r, 0), j = found.pairs.at<int>(r, 1);
                const RowMatrixXf scores =
                    U.middleRows(input.offsets[i], input.viewSizes[i]) *
                    U.middleRows(input.offsets[j], input.viewSizes[j]).transpose();
                matches[r] = greedyOneToOne(scores, params_.threshold);
            }
        };
        found.report.converged = control.forSlices(found.pairs.rows, pairsInSlice(), matchPairs);
        found.matches = matchMatrix(input, found.pairs, matches);
        return found;
    }
};

Ptr<MatchEig> MatchEig::create(const MatchEigParams& params)
{
    return makePtr<MatchEigImpl>(params);
}

}} // namespace cv::multimatch
