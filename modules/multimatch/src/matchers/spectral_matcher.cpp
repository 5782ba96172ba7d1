// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "peer_base.hpp"

#include "../base/eigenpairs.hpp"
#include "../starts/labels.hpp"
#include "../starts/starts.hpp"

namespace cv { namespace multimatch {

SpectralParams::SpectralParams() : universeSize(0), ratio(1.f), threshold(0.5f), seed(0) {}

void SpectralParams::write(FileStorage& fs) const
{
    fs << "universeSize" << universeSize << "ratio" << ratio << "threshold" << threshold << "seed"
       << seed;
}

void SpectralParams::read(const FileNode& node)
{
    readIfThere(node, "universeSize", universeSize);
    readIfThere(node, "ratio", ratio);
    readIfThere(node, "threshold", threshold);
    readIfThere(node, "seed", seed);
}

static void checkParams(const SpectralParams& params)
{
    checkUniverseSize("SpectralParams::universeSize", params.universeSize);
    checkRatio("SpectralParams::ratio", params.ratio);
    checkRange("SpectralParams::threshold", params.threshold, 0, false, 1 - FLT_EPSILON,
               "a value in [0, 1)");
}

class SpectralImpl CV_FINAL : public WithParams<MatcherBase<Spectral>, SpectralParams>
{
public:
    explicit SpectralImpl(const SpectralParams& params) { setParams(params); }

    String getDefaultName() const CV_OVERRIDE { return "multimatch.Spectral"; }

    Tracks solve(const std::vector<int>& viewSizes, const CsrMatrix& similarity) CV_OVERRIDE
    {
        RunControl control(callback_);
        return synchronize(inputOfSimilarity(viewSizes, similarity), similarity, control);
    }

protected:
    Tracks runProblem(const MatchingProblem& problem) CV_OVERRIDE
    {
        return solve(problem.viewSizes, problem.similarity);
    }

    Tracks run(const Input& input) CV_OVERRIDE
    {
        RunControl control(callback_);
        const CsrMatrix matches =
            startingMatches(input, params_.universeSize, params_.ratio, control);
        return synchronize(input, matches, control);
    }

private:
    Tracks synchronize(const Input& input, const CsrMatrix& similarity, RunControl& control) const
    {
        MatchReport report;
        report.universeSize = universeSizeOrDefault(params_.universeSize, input, similarity);
        std::vector<int> labels(static_cast<size_t>(input.pointCount()), -1);
        Mat vectors;
        control.begin("eigenvectors");
        if (report.universeSize > 0 && control.proceed(0))
            vectors = leadingEigenpairs(similarity, report.universeSize, LARGEST_ALGEBRAIC,
                                        params_.seed, &control)
                          .vectors;
        control.begin("labels");
        if (!vectors.empty())
        {
            report.converged = true;
            labels = isComplete(input.viewSizes, params_.universeSize)
                         ? spectralLabelsComplete(
                               vectors, input.viewSizes,
                               referenceViews(similarity, input.viewSizes, vectors.cols, 1)[0])
                         : spectralLabelsPartial(vectors, input.viewSizes, params_.threshold);
        }
        return finishedTracks(input, labels, report, control);
    }
};

Ptr<Spectral> Spectral::create(const SpectralParams& params)
{
    return makePtr<SpectralImpl>(params);
}

}} // namespace cv::multimatch
