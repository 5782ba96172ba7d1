// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "peer_base.hpp"

#include "../search/neighbors.hpp"

#include "opencv2/multimatch/detail/assignment.hpp"

namespace cv { namespace multimatch {

namespace {

/** One-to-one matches of least total distance; with a limit, of largest total limit - distance. The
smaller view takes the rows, as every row must find a column. */
std::vector<LocalMatch> assignAllPoints(const Mat& first, const Mat& second, int normType,
                                        float maxDistance)
{
    const bool swapped = first.rows > second.rows;
    const Mat& rows = swapped ? second : first;
    const Mat& cols = swapped ? first : second;
    Mat distances, values;
    batchDistance(rows, cols, distances, normType == NORM_HAMMING ? CV_32S : CV_32F, noArray(),
                  normType);
    distances.convertTo(values, CV_64F, -1, maxDistance);
    const std::vector<int> columns = detail::assignDense(values, maxDistance > 0);
    std::vector<LocalMatch> matches;
    for (int r = 0; r < rows.rows; ++r)
        if (columns[r] >= 0)
        {
            const double distance = maxDistance - values.at<double>(r, columns[r]);
            matches.push_back(LocalMatch(swapped ? columns[r] : r, swapped ? r : columns[r],
                                         static_cast<float>(distance)));
        }
    return matches;
}

//! Same among the stored neighbors of two views.
std::vector<LocalMatch> assignNeighbors(const CsrMatrix& distances, const Range& rows,
                                        const Range& cols, float maxDistance)
{
    detail::AssignmentCandidates candidates;
    candidates.cols = cols.size();
    candidates.offsets.push_back(0);
    for (int p = rows.start; p < rows.end; ++p)
    {
        for (size_t e = distances.offsets[p]; e < distances.offsets[p + 1]; ++e)
            if (distances.columns[e] >= cols.start && distances.columns[e] < cols.end)
            {
                candidates.columns.push_back(distances.columns[e] - cols.start);
                candidates.values.push_back(static_cast<double>(maxDistance) - distances.values[e]);
            }
        candidates.offsets.push_back(detail::candidateOffset(candidates.columns.size()));
    }
    const std::vector<int> positions = detail::assignSparse(candidates, maxDistance > 0);
    std::vector<LocalMatch> matches;
    for (int r = 0; r < rows.size(); ++r)
        if (positions[r] >= 0)
        {
            const double distance = maxDistance - candidates.values[positions[r]];
            matches.push_back(
                LocalMatch(r, candidates.columns[positions[r]], static_cast<float>(distance)));
        }
    return matches;
}

} // namespace

CsrMatrix assignedPairs(const MultiMatcher::Input& input, const PairwiseParams& params,
                        RunControl& control)
{
    NeighborGraph graph;
    if (params.neighbors > 0)
    {
        control.begin("neighbors");
        graph = neighborGraph(input, params.neighbors, control);
    }
    control.begin("assignment");
    std::vector<std::vector<LocalMatch>> matches(static_cast<size_t>(input.pairs.rows));
    const auto assignPairs = [&](const Range& range) {
        for (int r = range.start; r < range.end; ++r)
        {
            const int i = input.pairs.at<int>(r, 0), j = input.pairs.at<int>(r, 1);
            if (input.viewSizes[i] == 0 || input.viewSizes[j] == 0)
                continue;
            if (params.neighbors > 0)
                matches[r] = assignNeighbors(
                    graph.distances, Range(input.offsets[i], input.offsets[i + 1]),
                    Range(input.offsets[j], input.offsets[j + 1]), params.maxDistance);
            else
                matches[r] = assignAllPoints(input.descriptors[i], input.descriptors[j],
                                             input.normType, params.maxDistance);
        }
    };
    control.forSlices(input.pairs.rows, pairsInSlice(), assignPairs);

    return matchMatrix(input, input.pairs, matches);
}

PairwiseParams::PairwiseParams() : neighbors(0), maxDistance(0.f) {}

void PairwiseParams::write(FileStorage& fs) const
{
    fs << "neighbors" << neighbors << "maxDistance" << maxDistance;
}

void PairwiseParams::read(const FileNode& node)
{
    readIfThere(node, "neighbors", neighbors);
    readIfThere(node, "maxDistance", maxDistance);
}

static void checkParams(const PairwiseParams& params)
{
    checkRange("PairwiseParams::neighbors", params.neighbors, 0, false, INT_MAX, "0 or more");
    checkRange("PairwiseParams::maxDistance", params.maxDistance, 0, false, FLT_MAX, "0 or more");
}

class PairwiseImpl CV_FINAL : public WithParams<PairwiseBase<Pairwise>, PairwiseParams>
{
public:
    explicit PairwiseImpl(const PairwiseParams& params) { setParams(params); }

    String getDefaultName() const CV_OVERRIDE { return "multimatch.Pairwise"; }

protected:
    Found find(const Input& input, RunControl& control) const CV_OVERRIDE
    {
        Found found;
        found.matches = assignedPairs(input, params_, control);
        found.pairs = input.pairs;
        found.report.converged = !control.cancelled();
        return found;
    }
};

Ptr<Pairwise> Pairwise::create(const PairwiseParams& params)
{
    return makePtr<PairwiseImpl>(params);
}

}} // namespace cv::multimatch
