// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "adjacency.hpp"

#include "../base/checks.hpp"
#include "../base/parameters.hpp"
#include "../base/statistics.hpp"
#include "../base/transposed_union.hpp"
#include "../input/input.hpp"

namespace cv { namespace multimatch {

AdjacencyParams::AdjacencyParams() : mu(10.f), tolerance(1e-6f), maxNeighbors(0), directional(0.f)
{
}

namespace {

void checkParams(const AdjacencyParams& params)
{
    checkRange("mu", params.mu, 0, true, FLT_MAX, "more than 0");
    checkRange("tolerance", params.tolerance, 0, true, 1 - FLT_EPSILON, "a value in (0, 1)");
    checkRange("maxNeighbors", params.maxNeighbors, 0, false, INT_MAX, "0 or more");
    checkRange("directional", params.directional, 0, false, FLT_MAX, "0 or more");
}

//! Median of the finite ones; 1 where there are none, as then every distance is 0 or infinite.
double medianDistance(std::vector<float>& squared)
{
    squared.erase(
        std::remove_if(squared.begin(), squared.end(), [](float s) { return !std::isfinite(s); }),
        squared.end());
    if (squared.empty())
        return 1;
    return std::sqrt(static_cast<double>(medianOf(squared)));
}

//! Appends the block of a view to the diagonal; blocks are appended in order.
void appendBlock(const CsrMatrix& block, int offset, CsrMatrix& matrix)
{
    const size_t before = matrix.columns.size();
    for (size_t e = 0; e < block.columns.size(); ++e)
        matrix.columns.push_back(offset + block.columns[e]);
    matrix.values.insert(matrix.values.end(), block.values.begin(), block.values.end());
    for (int p = 0; p < block.rows; ++p)
        matrix.offsets[offset + p + 1] = before + block.offsets[p + 1];
}

/** Sorts the rows of a block. With a limit on neighbors q may hold p without p holding q: then the
union of both keeps the matrix symmetric. */
CsrMatrix symmetric(const CsrMatrix& block, bool limited)
{
    return uniteWithTransposed(block, limited ? block : CsrMatrix());
}

/** The limit closest points of each point of a view (0: all within radius), with squared distances,
closest first. */
CsrMatrix closestPoints(const Mat& view, const KdTree& tree, int limit, double radius)
{
    const float bound =
        limit > 0 ? std::numeric_limits<float>::max() : static_cast<float>(radius * radius);
    CsrMatrix block(view.rows, view.rows);
    std::vector<KdTree::Hit> hits;
    for (int p = 0; p < view.rows; ++p)
    {
        tree.withinRadius(view.ptr<float>(p), bound, limit, hits);
        // Of many points at one place the point itself may not be among the closest.
        bool own = false;
        for (size_t h = 0; h < hits.size() && !own; ++h)
            own = hits[h].point == p;
        if (!own)
        {
            hits.back().point = p;
            hits.back().squared = 0;
        }
        for (size_t h = 0; h < hits.size(); ++h)
        {
            block.columns.push_back(hits[h].point);
            block.values.push_back(hits[h].squared);
        }
        block.offsets[p + 1] = block.columns.size();
    }
    return block;
}

/** Median distance to the closest other location of a view. closest: of each point some of the
closest ones, nearest first; empty: not known yet. */
double medianSpacing(const Mat& view, const KdTree& tree, const CsrMatrix& closest)
{
    std::vector<float> nearest;
    for (int p = 0; p < view.rows; ++p)
    {
        float squared = 0;
        if (closest.rows > 0)
            for (size_t e = closest.offsets[p]; e < closest.offsets[p + 1] && squared == 0; ++e)
                squared = closest.values[e];
        nearest.push_back(squared > 0 ? squared : tree.closestElsewhere(view.ptr<float>(p)));
    }
    return medianDistance(nearest);
}

//! Weights from squared distances; entries beyond the radius are removed.
CsrMatrix weighted(const CsrMatrix& block, double scale, double radius)
{
    CsrMatrix result(block.rows, block.cols);
    for (int p = 0; p < block.rows; ++p)
    {
        for (size_t e = block.offsets[p]; e < block.offsets[p + 1]; ++e)
        {
            const float squared = block.values[e];
            if (squared > static_cast<float>(radius * radius))
                continue;
            result.columns.push_back(block.columns[e]);
            result.values.push_back(static_cast<float>(std::exp(-squared / (2 * scale * scale))));
        }
        result.offsets[p + 1] = result.columns.size();
    }
    return result;
}

/** sqrt(mu) sigma per view. sigma: of each view alone. With known scales of the views sigma follows
them, so that the kernel covers the same part of the scene everywhere; otherwise it is the view's
own. */
std::vector<double> kernelScales(const std::vector<Mat>& views, std::vector<double> sigma, float mu,
                                 const std::vector<ViewFrame>& frames)
{
    if (!frames.empty())
    {
        std::vector<double> common;
        for (size_t v = 0; v < views.size(); ++v)
            if (views[v].rows > 1)
                common.push_back(sigma[v] / frames[v].scale);
        if (!common.empty())
        {
            const double median = medianOf(common);
            for (size_t v = 0; v < views.size(); ++v)
                sigma[v] = median * frames[v].scale;
        }
    }
    for (size_t v = 0; v < sigma.size(); ++v)
        sigma[v] *= std::sqrt(static_cast<double>(mu));
    return sigma;
}

//! Per axis a unit complex number for each point, whose phase grows with the coordinate. scale: of
//! the kernel, per view.
std::vector<std::vector<Complexf>> phaseChannels(const std::vector<Mat>& views,
                                                 const std::vector<ViewFrame>& frames,
                                                 const std::vector<double>& scale,
                                                 float directional, RunControl& control)
{
    int dimension = 2;
    for (size_t v = 0; v < views.size(); ++v)
        if (views[v].rows > 0)
            dimension = views[v].cols;
    std::vector<std::vector<Complexf>> phases(static_cast<size_t>(dimension));
    for (size_t v = 0; v < views.size() && control.wanted(); ++v)
    {
        // Coordinates are rotated into the common orientation before they become phases.
        const double turn = frames.empty() ? 0 : -frames[v].rotation;
        const double c = std::cos(turn), n = std::sin(turn);
        for (int p = 0; p < views[v].rows; ++p)
        {
            const float* x = views[v].ptr<float>(p);
            double along[3] = {c * x[0] - n * x[1], n * x[0] + c * x[1], dimension > 2 ? x[2] : 0};
            for (int axis = 0; axis < dimension; ++axis)
            {
                const double phase = directional * along[axis] / scale[v];
                phases[axis].push_back(Complexf(static_cast<float>(std::cos(phase)),
                                                static_cast<float>(std::sin(phase))));
            }
        }
    }
    return phases;
}

} // namespace

ViewFrame::ViewFrame() : rotation(0.f), scale(1.f) {}

Adjacency computeAdjacency(InputArrayOfArrays points, const AdjacencyParams& params,
                           const std::vector<ViewFrame>& frames)
{
    checkParams(params);
    const std::vector<Mat> views = checkedPoints(points);
    if (!frames.empty() && frames.size() != views.size())
        CV_Error_(Error::StsUnmatchedSizes,
                  ("frames has %zu views but points has %zu", frames.size(), views.size()));
    RunControl control((ProgressCallback()));
    return adjacencyOf(views, kdTrees(views, viewOffsets(sizesOf(views)), control), params, frames,
                       control);
}

Adjacency adjacencyOf(const std::vector<Mat>& views, const std::vector<KdTree>& trees,
                      const AdjacencyParams& params, const std::vector<ViewFrame>& frames,
                      RunControl& control)
{
    const std::vector<int> offsets = viewOffsets(sizesOf(views));
    const int limit = params.maxNeighbors > 0 ? params.maxNeighbors + 1 : 0;
    const int viewCount = static_cast<int>(views.size());
    std::vector<CsrMatrix> blocks(views.size());
    std::vector<double> spacing(views.size(), 1.0);
    control.forSlices(
        viewCount, viewsInSlice(offsets),
        [&](const Range& range) {
            for (int v = range.start; v < range.end; ++v)
            {
                const size_t n = static_cast<size_t>(v);
                if (limit > 0)
                    blocks[n] = closestPoints(views[n], trees[n], limit, 0);
                spacing[n] = medianSpacing(views[n], trees[n], blocks[n]);
            }
        },
        false);
    const std::vector<double> scale =
        kernelScales(views, spacing, params.mu, frames); // sqrt(mu) sigma
    control.forSlices(
        viewCount, viewsInSlice(offsets),
        [&](const Range& range) {
            for (int v = range.start; v < range.end; ++v)
            {
                const size_t n = static_cast<size_t>(v);
                const double radius = scale[n] * std::sqrt(-2 * std::log(params.tolerance));
                if (limit == 0)
                    blocks[n] = closestPoints(views[n], trees[n], 0, radius);
                blocks[n] = symmetric(weighted(blocks[n], scale[n], radius), limit > 0);
            }
        },
        false);

    Adjacency result;
    result.weights = CsrMatrix(offsets.back(), offsets.back());
    size_t entries = 0;
    for (size_t v = 0; v < views.size(); ++v)
        entries += blocks[v].nonZeros();
    result.weights.columns.reserve(entries);
    result.weights.values.reserve(entries);
    for (size_t v = 0; v < views.size() && control.wanted(); ++v)
    {
        appendBlock(blocks[v], offsets[v], result.weights);
        blocks[v] = CsrMatrix();
    }
    if (params.directional <= 0)
        return result;

    result.phases = phaseChannels(views, frames, scale, params.directional, control);
    return result;
}

namespace {

//! The matrices as CV_32F. Throws unless they are square and symmetric, not negative and 0 on the
//! diagonal.
std::vector<Mat> checkedDistances(InputArrayOfArrays distances)
{
    std::vector<Mat> views;
    distances.getMatVector(views);
    for (size_t v = 0; v < views.size(); ++v)
    {
        if (views[v].empty())
            continue;
        if (views[v].channels() != 1 ||
            (views[v].depth() != CV_32F && views[v].depth() != CV_64F) ||
            views[v].rows != views[v].cols)
            CV_Error_(Error::StsBadArg,
                      ("distances[%zu] is %d x %d of type %s, expected n x n of CV_32F or CV_64F",
                       v, views[v].rows, views[v].cols, typeToString(views[v].type()).c_str()));
        Mat converted;
        views[v].convertTo(converted, CV_32F);
        views[v] = converted;
        for (int p = 0; p < converted.rows; ++p)
            for (int q = 0; q < converted.cols; ++q)
            {
                const float d = converted.at<float>(p, q), mirrored = converted.at<float>(q, p);
                const bool symmetric =
                    d == mirrored || (std::isfinite(d) && std::isfinite(mirrored) &&
                                      std::abs(d - mirrored) <= 1e-5f * std::max(d, mirrored));
                if (!(d >= 0) || !symmetric || (p == q && d != 0))
                    CV_Error_(Error::StsBadArg,
                              ("distances[%zu] has %f at (%d, %d) and %f mirrored, expected "
                               "symmetric values of 0 or "
                               "more with a zero diagonal",
                               v, static_cast<double>(d), p, q, static_cast<double>(mirrored)));
            }
    }
    return views;
}

//! Gaussian weights of one view from its matrix of distances d.
CsrMatrix blockOfDistances(const Mat& d, const AdjacencyParams& params)
{
    std::vector<float> nearest;
    for (int p = 0; p < d.rows; ++p)
    {
        float best = std::numeric_limits<float>::infinity();
        for (int q = 0; q < d.cols; ++q)
            if (d.at<float>(p, q) > 0)
                best = std::min(best, d.at<float>(p, q) * d.at<float>(p, q));
        nearest.push_back(best);
    }
    const double s = std::sqrt(static_cast<double>(params.mu)) * medianDistance(nearest);
    CsrMatrix block(d.rows, d.cols);
    for (int p = 0; p < d.rows; ++p)
    {
        std::vector<std::pair<float, int>> near;
        for (int q = 0; q < d.cols; ++q)
        {
            const double squared = static_cast<double>(d.at<float>(p, q)) * d.at<float>(p, q);
            const float weight = static_cast<float>(std::exp(-squared / (2 * s * s)));
            if (weight >= params.tolerance)
                near.push_back(std::make_pair(-weight, q));
        }
        std::sort(near.begin(), near.end());
        if (params.maxNeighbors && near.size() > static_cast<size_t>(params.maxNeighbors) + 1)
            near.resize(static_cast<size_t>(params.maxNeighbors) + 1);
        for (size_t n = 0; n < near.size(); ++n)
        {
            block.columns.push_back(near[n].second);
            block.values.push_back(-near[n].first);
        }
        block.offsets[p + 1] = block.columns.size();
    }
    return block;
}

} // namespace

Adjacency adjacencyFromDistances(InputArrayOfArrays distances, const AdjacencyParams& params)
{
    checkParams(params);
    if (params.directional > 0)
        CV_Error_(Error::StsBadArg,
                  ("directional is %f, expected 0 because distances have no direction",
                   static_cast<double>(params.directional)));
    const std::vector<Mat> views = checkedDistances(distances);
    const std::vector<int> offsets = viewOffsets(sizesOf(views));
    Adjacency result;
    result.weights = CsrMatrix(offsets.back(), offsets.back());
    for (size_t v = 0; v < views.size(); ++v)
        appendBlock(symmetric(blockOfDistances(views[v], params), params.maxNeighbors > 0),
                    offsets[v], result.weights);
    return result;
}

}} // namespace cv::multimatch
