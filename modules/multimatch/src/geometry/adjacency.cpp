// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "adjacency.hpp"

#include "../base/statistics.hpp"
#include "../input/input.hpp"

namespace cv { namespace multimatch {

AdjacencyParams::AdjacencyParams() : mu(10.f), tolerance(1e-6f), maxNeighbors(0), directional(0.f)
{
}

namespace {

void checkParams(const AdjacencyParams& params)
{
    if (!(params.mu > 0))
        CV_Error_(Error::StsOutOfRange,
                  ("mu is %f, expected more than 0", static_cast<double>(params.mu)));
    if (!(params.tolerance > 0 && params.tolerance < 1))
        CV_Error_(Error::StsOutOfRange, ("tolerance is %f, expected a value in (0, 1)",
                                         static_cast<double>(params.tolerance)));
    if (params.maxNeighbors < 0)
        CV_Error_(Error::StsOutOfRange,
                  ("maxNeighbors is %d, expected 0 or more", params.maxNeighbors));
    if (!(params.directional >= 0))
        CV_Error_(Error::StsOutOfRange, ("directional is %f, expected 0 or more",
                                         static_cast<double>(params.directional)));
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

//! A row's neighbors in one view.
struct Near
{
    int point;
    float weight;
    bool operator<(const Near& other) const { return point < other.point; }
};

//! Rows of one view: those of p are from offsets[p] on.
struct Block
{
    std::vector<size_t> offsets;
    std::vector<Near> entries;

    Block() : offsets(1, 0) {}
    int rows() const { return static_cast<int>(offsets.size()) - 1; }
    void endRow() { offsets.push_back(entries.size()); }
};

/** Sorts the rows of a block. With a limit on neighbors q may hold p without p holding q: then the union of both
keeps the matrix symmetric. */
Block symmetric(const Block& block, bool limited)
{
    Block result;
    std::vector<size_t> end(block.offsets.begin() + 1, block.offsets.end());
    if (limited)
    {
        // Behind each row of the block the mirrored entries.
        std::vector<size_t> size(end.size(), 0);
        for (size_t e = 0; e < block.entries.size(); ++e)
            ++size[block.entries[e].point];
        size_t mirrored = 0;
        for (size_t p = 0; p < end.size(); ++p)
        {
            mirrored += size[p];
            result.offsets.push_back(block.offsets[p + 1] + mirrored);
        }
        result.entries.resize(result.offsets.back());
        for (int p = 0; p < block.rows(); ++p)
            end[p] = result.offsets[p] + (block.offsets[p + 1] - block.offsets[p]);
        for (int p = 0; p < block.rows(); ++p)
        {
            size_t to = result.offsets[p];
            for (size_t e = block.offsets[p]; e < block.offsets[p + 1]; ++e)
            {
                const Near mirror = {p, block.entries[e].weight};
                result.entries[to++] = block.entries[e];
                result.entries[end[block.entries[e].point]++] = mirror;
            }
        }
    }
    else
        result = block;
    // Entries that both rows contained are there twice.
    size_t to = 0, from = 0;
    for (size_t p = 0; p < end.size(); ++p)
    {
        const size_t last = result.offsets[p + 1];
        std::sort(result.entries.begin() + from, result.entries.begin() + last);
        for (size_t first = to; from < last; ++from)
            if (to == first || result.entries[to - 1].point != result.entries[from].point)
                result.entries[to++] = result.entries[from];
        result.offsets[p + 1] = to;
    }
    result.entries.resize(to);
    return result;
}

//! Appends the block of a view to the diagonal; blocks are appended in order.
void appendBlock(const Block& block, int offset, CsrMatrix& matrix)
{
    const size_t before = matrix.columns.size();
    for (size_t e = 0; e < block.entries.size(); ++e)
    {
        matrix.columns.push_back(offset + block.entries[e].point);
        matrix.values.push_back(block.entries[e].weight);
    }
    for (int p = 0; p < block.rows(); ++p)
        matrix.offsets[static_cast<size_t>(offset + p) + 1] = before + block.offsets[p + 1];
}

/** The limit closest points of each point of a view (0: all within radius) with squared distances in place of weights. */
Block closestPoints(const Mat& view, const KdTree& tree, int limit, double radius)
{
    const float bound =
        limit > 0 ? std::numeric_limits<float>::max() : static_cast<float>(radius * radius);
    Block block;
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
            const Near near = {hits[h].point, hits[h].squared};
            block.entries.push_back(near);
        }
        block.endRow();
    }
    return block;
}

/** Median distance to the closest other location of a view. closest: of each point some of the closest ones, nearest
first; empty: not known yet. */
double medianSpacing(const Mat& view, const KdTree& tree, const Block& closest)
{
    std::vector<float> nearest;
    for (int p = 0; p < view.rows; ++p)
    {
        float squared = 0;
        if (closest.rows() > 0)
            for (size_t e = closest.offsets[p]; e < closest.offsets[p + 1] && squared == 0; ++e)
                squared = closest.entries[e].weight;
        nearest.push_back(squared > 0 ? squared : tree.closestElsewhere(view.ptr<float>(p)));
    }
    return medianDistance(nearest);
}

//! Weights from squared distances; entries beyond the radius are removed.
Block weighted(const Block& block, double scale, double radius)
{
    Block result;
    for (int p = 0; p < block.rows(); ++p)
    {
        for (size_t e = block.offsets[p]; e < block.offsets[p + 1]; ++e)
        {
            const float squared = block.entries[e].weight;
            if (squared > static_cast<float>(radius * radius))
                continue;
            const Near near = {block.entries[e].point,
                               static_cast<float>(std::exp(-squared / (2 * scale * scale)))};
            result.entries.push_back(near);
        }
        result.endRow();
    }
    return result;
}

/** sqrt(mu) sigma per view. sigma: of each view alone. With known scales of the views sigma follows them, so that the kernel covers the same part of
the scene everywhere; otherwise it is the view's own. */
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

std::vector<int> rowCounts(const std::vector<Mat>& views)
{
    std::vector<int> sizes;
    for (size_t v = 0; v < views.size(); ++v)
        sizes.push_back(views[v].rows);
    return sizes;
}

//! Per axis a unit complex number for each point, whose phase grows with the coordinate. scale: of the kernel, per view.
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
    return adjacencyOf(views, kdTrees(views, viewOffsets(rowCounts(views)), control), params,
                       frames, control);
}

Adjacency adjacencyOf(const std::vector<Mat>& views, const std::vector<KdTree>& trees,
                      const AdjacencyParams& params, const std::vector<ViewFrame>& frames,
                      RunControl& control)
{
    const std::vector<int> offsets = viewOffsets(rowCounts(views));
    const int limit = params.maxNeighbors > 0 ? params.maxNeighbors + 1 : 0;
    const int viewCount = static_cast<int>(views.size());
    std::vector<Block> blocks(views.size());
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
        entries += blocks[v].entries.size();
    result.weights.columns.reserve(entries);
    result.weights.values.reserve(entries);
    for (size_t v = 0; v < views.size() && control.wanted(); ++v)
    {
        appendBlock(blocks[v], offsets[v], result.weights);
        blocks[v] = Block();
    }
    if (params.directional <= 0)
        return result;

    result.phases = phaseChannels(views, frames, scale, params.directional, control);
    return result;
}

namespace {

//! The matrices as CV_32F. Throws unless they are square and symmetric, not negative and 0 on the diagonal.
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
Block blockOfDistances(const Mat& d, const AdjacencyParams& params)
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
    Block block;
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
            const Near entry = {near[n].second, -near[n].first};
            block.entries.push_back(entry);
        }
        block.endRow();
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
    const std::vector<int> offsets = viewOffsets(rowCounts(views));
    Adjacency result;
    result.weights = CsrMatrix(offsets.back(), offsets.back());
    for (size_t v = 0; v < views.size(); ++v)
        appendBlock(symmetric(blockOfDistances(views[v], params), params.maxNeighbors > 0),
                    offsets[v], result.weights);
    return result;
}

}} // namespace cv::multimatch
