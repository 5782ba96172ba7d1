// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "matcher_base.hpp"

#include "../base/parameters.hpp"
#include "../geometry/pair_geometry.hpp"
#include "../power/solve_partial.hpp"
#include "../search/neighbors.hpp"
#include "../similarity/similarity.hpp"
#include "../starts/labels.hpp"
#include "../starts/starts.hpp"

namespace cv { namespace multimatch {

GuidedParams::GuidedParams() : candidates(2) {}

void GuidedParams::write(FileStorage& fs) const
{
    fs << "hippi"
       << "{";
    hippi.write(fs);
    fs << "}"
       << "verification"
       << "{";
    verification.write(fs);
    fs << "}"
       << "candidates" << candidates;
}

void GuidedParams::read(const FileNode& node)
{
    hippi.read(node["hippi"]);
    verification.read(node["verification"]);
    readIfThere(node, "candidates", candidates);
}

void GuidedParams::validate() const
{
    hippi.validate();
    verification.validate();
    checkRange("candidates", candidates, 1, false, INT_MAX, "1 or more");
}

namespace {

/** Splits tracks until no two members contradict the geometry of their views. labels and
confidence: per point in the order of the input, replaced. */
void cleanByGeometry(const MultiMatcher::Input& input, const std::vector<PairGeometry>& geometries,
                     double maxError, std::vector<int>& labels, std::vector<float>& confidence)
{
    std::vector<std::vector<KeyPoint>> keypoints(input.points.size());
    std::vector<std::vector<int>> ids;
    std::vector<std::vector<float>> confidences;
    for (size_t v = 0; v < input.points.size(); ++v)
    {
        for (int p = 0; p < input.points[v].rows; ++p)
            keypoints[v].push_back(KeyPoint(
                Point2f(input.points[v].at<float>(p, 0), input.points[v].at<float>(p, 1)), 1.f));
        const ptrdiff_t first = input.offsets[v], last = input.offsets[v + 1];
        ids.push_back(std::vector<int>(labels.begin() + first, labels.begin() + last));
        confidences.push_back(
            std::vector<float>(confidence.begin() + first, confidence.begin() + last));
    }
    const Tracks cleaned = cleanTracks(keypoints, Tracks(ids, confidences), geometries, maxError);
    for (int v = 0; v < cleaned.viewCount(); ++v)
    {
        const std::vector<int> kept = cleaned.trackIds(v);
        std::copy(kept.begin(), kept.end(), labels.begin() + input.offsets[v]);
    }
    for (size_t p = 0; p < labels.size(); ++p)
        if (labels[p] < 0)
            confidence[p] = 0;
}

} // namespace

//! For WithParams.
static void checkParams(const GuidedParams& params)
{
    params.validate();
}

class GuidedHiPPIImpl CV_FINAL : public WithParams<MatcherBase<GuidedHiPPI>, GuidedParams>
{
public:
    explicit GuidedHiPPIImpl(const GuidedParams& params) { setParams(params); }

    void setCameraMatrices(InputArrayOfArrays cameraMatrices) CV_OVERRIDE
    {
        std::vector<Mat> given;
        cameraMatrices.getMatVector(given);
        cameraMatrices_.clear();
        for (const Mat& matrix : given)
            cameraMatrices_.push_back(matrix.clone());
    }
    std::vector<PairGeometry> getGeometries() const CV_OVERRIDE { return geometries_; }

    String getDefaultName() const CV_OVERRIDE { return "multimatch.GuidedHiPPI"; }

protected:
    Tracks run(const Input& input) CV_OVERRIDE;

private:
    std::vector<Mat> camerasOf(const Input& input) const;

    std::vector<Mat> cameraMatrices_;
    std::vector<PairGeometry> geometries_;
};

//! The caller's camera matrices in canonical order of the views.
std::vector<Mat> GuidedHiPPIImpl::camerasOf(const Input& input) const
{
    if (params_.verification.model != MODEL_ESSENTIAL)
        return std::vector<Mat>();
    const std::vector<Mat> given = checkedCameras(cameraMatrices_, input.viewSizes.size());
    const std::vector<int> caller = callerViews(input);
    std::vector<Mat> cameras;
    for (size_t v = 0; v < caller.size(); ++v)
        cameras.push_back(given[caller[v]]);
    return cameras;
}

Tracks GuidedHiPPIImpl::run(const Input& input)
{
    if (!input.points.empty() && input.points[0].cols != 2)
        CV_Error(Error::StsBadArg, "points have three coordinates, expected those of pictures");
    const HiPPIParams& params = params_.hippi;
    EvidenceProblem problem(input);
    problem.cameras = camerasOf(input);
    checkBudget(input, std::max(searchBytes(input, params.neighbors),
                                inputBytes(input) +
                                    partialBytes(input, params.neighbors, params_.candidates)));
    RunControl control(callback_);
    control.begin("neighbors");
    const NeighborGraph graph = neighborGraph(input, params.neighbors, control);
    control.begin("similarity");
    CsrMatrix S = kernelSimilarity(graph.distances, kernelBandwidths(graph, params.rhoDen),
                                   SimilarityParams(), control);
    control.begin("start");
    std::vector<int> start = greedyLabels(S, input.viewSizes, params.evidence.startSimilarity);
    S = CsrMatrix(); // evidence is made from the distances
    compactLabels(start, params.universeSize);
    problem.params = params.evidence;
    problem.graph = &graph;
    problem.neighbors = params.neighbors;
    problem.mu = params.mu;
    problem.geometry = &params_.verification;
    problem.lineCandidates = params_.candidates;
    PartialResult result = solvePartial(problem, start, params, control);
    if (!result.geometries.empty())
        cleanByGeometry(input, result.geometries, params_.verification.maxError,
                        result.iteration.labels, result.confidence);
    const std::vector<int> caller = callerViews(input);
    geometries_ = result.geometries;
    for (size_t n = 0; n < geometries_.size(); ++n)
    {
        geometries_[n].first = caller[geometries_[n].first];
        geometries_[n].second = caller[geometries_[n].second];
    }
    MatchReport report = result.iteration.report();
    control.finish(report);
    Tracks tracks = input.restore(result.iteration.labels, result.confidence, params.minLength);
    tracks.setReport(report);
    return tracks;
}

Ptr<GuidedHiPPI> GuidedHiPPI::create(const GuidedParams& params)
{
    return makePtr<GuidedHiPPIImpl>(params);
}

}} // namespace cv::multimatch
