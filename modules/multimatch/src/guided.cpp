// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "matcher_base.hpp"

#include "appearance.hpp"
#include "match_graph.hpp"
#include "neighbours.hpp"
#include "search_along.hpp"

#include "opencv2/multimatch/io.hpp"

namespace cv { namespace multimatch {

namespace {

//! Points are searched up to this many times the largest error of an inlier: geometry is refined on what is found.
const double REACH = 1.5;

//! Where the geometry has excluded most look-alikes, descriptors may differ by so many times what they may elsewhere.
const float BANDWIDTH = 4.f;

//! Geometry has a say of its own in what is believed here, so the threshold of HiPPI alone would be too strict.
const float MIN_CONFIDENCE = 0.03f;

//! Pairs of views between two looks at the user.
const int PAIRS_IN_SLICE = 64;

//! Tracks count as settled when this share of their points, or less, still moves.
const double SETTLED = 0.01;

} // namespace

GuidedParams::GuidedParams() : ratio(0.8f), guidedRatio(0.85f), rounds(3), candidates(3)
{
    hippi.minConfidence = MIN_CONFIDENCE;
}

void GuidedParams::validate() const
{
    hippi.validate();
    verification.validate();
    checkRatio("ratio", ratio);
    checkRatio("guidedRatio", guidedRatio);
    if (rounds < 1)
        CV_Error_(Error::StsOutOfRange, ("rounds is %d, expected 1 or more", rounds));
    if (candidates < 1)
        CV_Error_(Error::StsOutOfRange, ("candidates is %d, expected 1 or more", candidates));
}

namespace {

std::vector<std::vector<KeyPoint>> keypointsOf(const std::vector<Mat>& points)
{
    std::vector<std::vector<KeyPoint>> keypoints(points.size());
    for (size_t v = 0; v < points.size(); ++v)
        for (int p = 0; p < points[v].rows; ++p)
            keypoints[v].push_back(
                KeyPoint(points[v].at<float>(p, 0), points[v].at<float>(p, 1), 1.f));
    return keypoints;
}

//! Matches of a symmetric matrix as lists, in its own numbering.
std::vector<PairMatches> listOf(const CsrMatrix& matches, const std::vector<int>& offsets,
                                const Mat& pairs)
{
    std::vector<PairMatches> result;
    for (int r = 0; r < pairs.rows; ++r)
    {
        const int i = pairs.at<int>(r, 0), j = pairs.at<int>(r, 1);
        PairMatches pair(i, j);
        for (int p = offsets[i]; p < offsets[i + 1]; ++p)
            for (size_t e = matches.offsets[p]; e < matches.offsets[p + 1]; ++e)
                if (matches.columns[e] >= offsets[j] && matches.columns[e] < offsets[j + 1])
                    pair.matches.push_back(
                        DMatch(p - offsets[i], matches.columns[e] - offsets[j], matches.values[e]));
        result.push_back(pair);
    }
    return result;
}

/** How a solution differs from the one before: the share of all matched points whose track begins elsewhere. 1 where there was
none. */
double changedShare(const Tracks& before, const Tracks& after)
{
    if (before.viewCount() != after.viewCount())
        return 1;
    size_t matched = 0, changed = 0;
    for (int v = 0; v < after.viewCount(); ++v)
    {
        const std::vector<int> was = before.trackIds(v), is = after.trackIds(v);
        for (size_t p = 0; p < is.size(); ++p)
        {
            if (was[p] < 0 && is[p] < 0)
                continue;
            ++matched;
            if (was[p] < 0 || is[p] < 0)
            {
                ++changed;
                continue;
            }
            const Observation from = before.track(was[p])[0], to = after.track(is[p])[0];
            changed += from.view != to.view || from.point != to.point;
        }
    }
    return matched ? static_cast<double>(changed) / static_cast<double>(matched) : 0;
}

std::vector<PairMatches> closedMatches(const Tracks& tracks, const Mat& pairs)
{
    std::vector<PairMatches> closed;
    for (int r = 0; r < pairs.rows; ++r)
    {
        const int i = pairs.at<int>(r, 0), j = pairs.at<int>(r, 1);
        closed.push_back(PairMatches(i, j, tracks.matches(i, j)));
    }
    return closed;
}

//! Tracks along verified matches, those of the nearest descriptors first.
Tracks firstTracks(const std::vector<PairMatches>& matches, const MultiMatcher::Input& input)
{
    std::vector<int> rows, columns;
    std::vector<float> distances;
    for (size_t n = 0; n < matches.size(); ++n)
        for (size_t m = 0; m < matches[n].matches.size(); ++m)
        {
            rows.push_back(input.offsets[matches[n].first] + matches[n].matches[m].queryIdx);
            columns.push_back(input.offsets[matches[n].second] + matches[n].matches[m].trainIdx);
            distances.push_back(matches[n].matches[m].distance);
        }
    const std::vector<int> labels = nearestFirstLabels(
        CsrMatrix::fromTriplets(input.pointCount(), input.pointCount(), rows, columns, distances),
        input.viewSizes);
    std::vector<std::vector<int>> ids;
    for (size_t v = 0; v < input.viewSizes.size(); ++v)
        ids.push_back(std::vector<int>(labels.begin() + input.offsets[v],
                                       labels.begin() + input.offsets[v + 1]));
    return Tracks(ids);
}

} // namespace

class GuidedHiPPIImpl CV_FINAL : public MatcherBase<GuidedHiPPI>
{
public:
    explicit GuidedHiPPIImpl(const GuidedParams& params) { setParams(params); }

    void setParams(const GuidedParams& params) CV_OVERRIDE
    {
        params.validate();
        params_ = params;
    }
    GuidedParams getParams() const CV_OVERRIDE { return params_; }
    void setCameraMatrices(const std::vector<Mat>& cameraMatrices) CV_OVERRIDE
    {
        cameraMatrices_ = cameraMatrices;
    }
    std::vector<PairGeometry> getGeometries() const CV_OVERRIDE { return geometries_; }

    String getDefaultName() const CV_OVERRIDE { return "multimatch.GuidedHiPPI"; }
    void write(FileStorage& fs) const CV_OVERRIDE
    {
        fs << "hippi"
           << "{";
        params_.hippi.write(fs);
        fs << "}"
           << "verification"
           << "{";
        params_.verification.write(fs);
        fs << "}"
           << "ratio" << params_.ratio << "guidedRatio" << params_.guidedRatio << "rounds"
           << params_.rounds << "candidates" << params_.candidates;
    }
    void read(const FileNode& node) CV_OVERRIDE
    {
        GuidedParams params = params_;
        params.hippi.read(node["hippi"]);
        params.verification.read(node["verification"]);
        readIfThere(node, "ratio", params.ratio);
        readIfThere(node, "guidedRatio", params.guidedRatio);
        readIfThere(node, "rounds", params.rounds);
        readIfThere(node, "candidates", params.candidates);
        setParams(params);
    }

protected:
    Tracks run(const Input& input) CV_OVERRIDE;

private:
    std::vector<Mat> camerasOf(const Input& input) const;
    CsrMatrix guidedSimilarity(const Input& input, const std::vector<PairGeometry>& geometries,
                               const std::vector<StripIndex>& indices,
                               const std::vector<float>& bandwidths, RunControl& control) const;
    std::vector<PairGeometry> geometriesOf(const std::vector<std::vector<KeyPoint>>& keypoints,
                                           const std::vector<PairMatches>& matches,
                                           const std::vector<Mat>& cameras,
                                           RunControl& control) const;
    Tracks restored(const Input& input, const Tracks& tracks, MatchReport report,
                    RunControl& control) const;

    GuidedParams params_;
    std::vector<Mat> cameraMatrices_;
    std::vector<PairGeometry> geometries_;
};

//! The caller's camera matrices in canonical order of the views.
std::vector<Mat> GuidedHiPPIImpl::camerasOf(const Input& input) const
{
    if (params_.verification.model != MODEL_ESSENTIAL)
        return std::vector<Mat>();
    if (static_cast<int>(cameraMatrices_.size()) != input.viewCount())
        CV_Error_(Error::StsUnmatchedSizes,
                  ("an essential matrix needs the camera matrix of every view: there are %d for %d "
                   "views",
                   static_cast<int>(cameraMatrices_.size()), input.viewCount()));
    const std::vector<int> caller = callerViews(input);
    std::vector<Mat> cameras;
    for (size_t v = 0; v < caller.size(); ++v)
        cameras.push_back(cameraMatrices_[static_cast<size_t>(caller[v])]);
    return cameras;
}

CsrMatrix GuidedHiPPIImpl::guidedSimilarity(const Input& input,
                                            const std::vector<PairGeometry>& geometries,
                                            const std::vector<StripIndex>& indices,
                                            const std::vector<float>& bandwidths,
                                            RunControl& control) const
{
    const double maxError = params_.verification.maxError;
    const float cutoff = SimilarityParams().cutoff;
    SearchParams search;
    search.count = params_.candidates;
    search.maxResidual = REACH * maxError;
    search.ratio = params_.guidedRatio;
    search.normType = input.normType;
    std::vector<std::vector<GuidedCandidate>> found(geometries.size());
    control.forSlices(
        static_cast<int>(geometries.size()), PAIRS_IN_SLICE,
        [&](const Range& range) {
            for (int n = range.start; n < range.end; ++n)
            {
                const PairGeometry& g = geometries[n];
                if (!g.matrix.empty())
                    found[n] =
                        searchAlong(g,
                                    SearchView(input.points[g.first], input.descriptors[g.first],
                                               indices[g.first]),
                                    SearchView(input.points[g.second], input.descriptors[g.second],
                                               indices[g.second]),
                                    search);
            }
        },
        false);

    std::vector<int> rows, columns;
    std::vector<float> values;
    for (size_t n = 0; n < found.size(); ++n)
        for (size_t c = 0; c < found[n].size(); ++c)
        {
            const GuidedCandidate& candidate = found[n][c];
            const int p = input.offsets[geometries[n].first] + candidate.first;
            const int q = input.offsets[geometries[n].second] + candidate.second;
            const double scaled = candidate.residual / maxError;
            const float kernel = descriptorKernel(candidate.distance * candidate.distance,
                                                  bandwidths[static_cast<size_t>(p)],
                                                  bandwidths[static_cast<size_t>(q)]);
            if (kernel <= cutoff)
                continue;
            for (int side = 0; side < 2; ++side)
            {
                rows.push_back(side ? q : p);
                columns.push_back(side ? p : q);
                values.push_back(static_cast<float>(kernel * std::exp(-scaled * scaled / 2)));
            }
        }
    return CsrMatrix::fromTriplets(input.pointCount(), input.pointCount(), rows, columns, values);
}

//! estimateGeometry, pairs that the user did not wait for having none.
std::vector<PairGeometry>
GuidedHiPPIImpl::geometriesOf(const std::vector<std::vector<KeyPoint>>& keypoints,
                              const std::vector<PairMatches>& matches,
                              const std::vector<Mat>& cameras, RunControl& control) const
{
    std::vector<PairGeometry> geometries(matches.size());
    for (size_t n = 0; n < matches.size(); ++n)
    {
        geometries[n].first = matches[n].first;
        geometries[n].second = matches[n].second;
        geometries[n].model = params_.verification.model;
    }
    for (size_t first = 0; first < matches.size() && control.wanted(); first += PAIRS_IN_SLICE)
    {
        const size_t last = std::min(matches.size(), first + static_cast<size_t>(PAIRS_IN_SLICE));
        const std::vector<PairGeometry> found = estimateGeometry(
            keypoints,
            std::vector<PairMatches>(matches.begin() + static_cast<ptrdiff_t>(first),
                                     matches.begin() + static_cast<ptrdiff_t>(last)),
            params_.verification, cameras);
        std::copy(found.begin(), found.end(), geometries.begin() + static_cast<ptrdiff_t>(first));
    }
    return geometries;
}

Tracks GuidedHiPPIImpl::run(const Input& input)
{
    if (!input.points.empty() && input.points[0].cols != 2)
        CV_Error(Error::StsBadArg, "points have three coordinates, expected those of pictures");
    const std::vector<Mat> cameras = camerasOf(input);
    RunControl control(callback_);
    control.begin("neighbours");
    const NeighbourGraph graph = neighbourGraph(input, 2, control);
    control.begin("geometry");
    const std::vector<std::vector<KeyPoint>> keypoints = keypointsOf(input.points);
    const std::vector<PairMatches> ratioTested =
        listOf(mutualNearest(graph, params_.ratio), input.offsets, input.pairs);
    std::vector<PairGeometry> geometries = geometriesOf(keypoints, ratioTested, cameras, control);
    // What these matches say together reaches pairs of views that have few of their own.
    const Tracks first = firstTracks(
        verifyMatches(keypoints, ratioTested, geometries, params_.verification.maxError), input);
    geometries = geometriesOf(keypoints, closedMatches(first, input.pairs), cameras, control);
    const std::vector<float> bandwidths =
        kernelBandwidths(graph, BANDWIDTH * (params_.hippi.rhoDen > 0 ? params_.hippi.rhoDen
                                                                      : estimateRhoDen(graph)));
    std::vector<StripIndex> indices;
    for (size_t v = 0; v < input.points.size(); ++v)
        indices.push_back(StripIndex(input.points[v]));

    const Ptr<HiPPI> hippi = HiPPI::create(params_.hippi);
    hippi->setProgressCallback(callback_);
    MatchingProblem problem;
    problem.viewSizes = input.viewSizes;
    problem.points = input.points;
    Tracks tracks;
    MatchReport report;
    bool settled = false;
    for (int round = 0; round < params_.rounds && !settled && !report.cancelled; ++round)
    {
        control.begin("search");
        if (!control.proceed(static_cast<double>(round) / params_.rounds))
            break;
        problem.similarity = guidedSimilarity(input, geometries, indices, bandwidths, control);
        control.begin("matching");
        const Tracks found = hippi->solve(problem);
        report = found.report();
        control.begin("cleaning");
        const Tracks cleaned = cleanTracks(keypoints, found, geometries,
                                           params_.verification.maxError, params_.hippi.minLength);
        settled = changedShare(tracks, cleaned) <= SETTLED;
        tracks = cleaned;
        control.begin("geometry");
        geometries = geometriesOf(keypoints, closedMatches(tracks, input.pairs), cameras, control);
    }
    control.begin("cleaning");
    if (tracks.viewCount() > 0)
        tracks = cleanTracks(keypoints, tracks, geometries, params_.verification.maxError,
                             params_.hippi.minLength);
    const std::vector<int> caller = callerViews(input);
    geometries_ = geometries;
    for (size_t n = 0; n < geometries_.size(); ++n)
    {
        geometries_[n].first = caller[static_cast<size_t>(geometries_[n].first)];
        geometries_[n].second = caller[static_cast<size_t>(geometries_[n].second)];
    }
    report.converged = settled;
    return restored(input, tracks, report, control);
}

//! Tracks of the canonical order in the caller's.
Tracks GuidedHiPPIImpl::restored(const Input& input, const Tracks& tracks, MatchReport report,
                                 RunControl& control) const
{
    std::vector<int> labels(static_cast<size_t>(input.pointCount()), -1);
    std::vector<float> confidence(labels.size(), 0.f);
    for (int v = 0; v < tracks.viewCount(); ++v)
    {
        const std::vector<int> ids = tracks.trackIds(v);
        const std::vector<float> sure = tracks.confidence(v);
        std::copy(ids.begin(), ids.end(), labels.begin() + input.offsets[v]);
        std::copy(sure.begin(), sure.end(), confidence.begin() + input.offsets[v]);
    }
    const bool stopped = report.cancelled;
    control.finish(report);
    report.cancelled = report.cancelled || stopped;
    Tracks result = input.restore(labels, confidence, params_.hippi.minLength);
    result.setReport(report);
    return result;
}

Ptr<GuidedHiPPI> GuidedHiPPI::create(const GuidedParams& params)
{
    return makePtr<GuidedHiPPIImpl>(params);
}

}} // namespace cv::multimatch
