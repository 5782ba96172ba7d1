// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "local_geometry.hpp"

#include "kd_tree.hpp"

namespace cv { namespace multimatch {

namespace {

const int POINTS_AROUND = 48; //!< closest points looked at
const int CONTEXT = 16;       //!< of these, the closest that both views share are used
const int MIN_CONTEXT = 4;
const int ROBUST_ROUNDS = 4;
const float SPREAD_FLOOR = 0.03f; //!< a prediction is never better than this share of the radius
const float WRONG_RADIUS = 3.f;   //!< a wrong point lies anywhere within so many radii

} // namespace

TrackTable::TrackTable(const std::vector<int>& labels)
{
    int count = 0;
    for (size_t p = 0; p < labels.size(); ++p)
        count = std::max(count, labels[p] + 1);
    offsets_.assign(static_cast<size_t>(count) + 1, 0);
    for (size_t p = 0; p < labels.size(); ++p)
        if (labels[p] >= 0)
            ++offsets_[static_cast<size_t>(labels[p]) + 1];
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    members_.resize(offsets_.back());
    std::vector<size_t> next(offsets_.begin(), offsets_.end() - 1);
    for (size_t p = 0; p < labels.size(); ++p)
        if (labels[p] >= 0)
            members_[next[static_cast<size_t>(labels[p])]++] = static_cast<int>(p);
}

LocalGeometry::LocalGeometry(const std::vector<Mat>& points, const std::vector<int>& offsets)
    : dimension_(0), offsets_(offsets), places_(static_cast<size_t>(offsets.back()) * 3, 0.f)
{
    for (size_t v = 0; v < points.size(); ++v)
        if (points[v].rows > 0)
            dimension_ = points[v].cols;
    std::vector<std::vector<int>> near(static_cast<size_t>(offsets.back()));
    parallel_for_(Range(0, static_cast<int>(points.size())), [&](const Range& range) {
        std::vector<KdTree::Hit> hits;
        for (int v = range.start; v < range.end; ++v)
        {
            const Mat& x = points[static_cast<size_t>(v)];
            const KdTree tree(x);
            for (int p = 0; p < x.rows; ++p)
            {
                std::copy(x.ptr<float>(p), x.ptr<float>(p) + x.cols,
                          &places_[static_cast<size_t>(offsets_[v] + p) * 3]);
                tree.withinRadius(x.ptr<float>(p), std::numeric_limits<float>::max(),
                                  POINTS_AROUND + 1, hits);
                for (size_t h = 0; h < hits.size(); ++h)
                    if (hits[h].squared > 0) // siblings at one location say nothing about it
                        near[static_cast<size_t>(offsets_[v] + p)].push_back(offsets_[v] +
                                                                             hits[h].point);
            }
        }
    });
    aroundOffsets_.assign(1, 0);
    for (size_t p = 0; p < near.size(); ++p)
    {
        around_.insert(around_.end(), near[p].begin(), near[p].end());
        aroundOffsets_.push_back(around_.size());
    }
}

LocalGeometry::Judge::Judge(const LocalGeometry& geometry, const std::vector<int>& labels,
                            const TrackTable& tracks, const std::vector<float>& belief)
    : geometry_(geometry), labels_(labels), tracks_(tracks), belief_(belief)
{
    const Prediction none = {-1, false, {0, 0, 0}, 0, 0};
    predictions_.assign(geometry.offsets_.size(), none);
}

namespace {

//! Solves the symmetric positive definite system M X = B in place for up to 3 unknowns and right-hand sides.
bool solveSmall(double M[3][3], double B[3][3], int n)
{
    for (int c = 0; c < n; ++c)
    {
        if (M[c][c] <= 1e-12)
            return false;
        for (int r = c + 1; r < n; ++r)
        {
            const double factor = M[r][c] / M[c][c];
            for (int k = c; k < n; ++k)
                M[r][k] -= factor * M[c][k];
            for (int k = 0; k < n; ++k)
                B[r][k] -= factor * B[c][k];
        }
    }
    for (int c = n - 1; c >= 0; --c)
        for (int k = 0; k < n; ++k)
        {
            for (int r = c + 1; r < n; ++r)
                B[c][k] -= M[c][r] * B[r][k];
            B[c][k] /= M[c][c];
        }
    return true;
}

} // namespace

void LocalGeometry::Judge::predict(int p, int viewJ, Prediction& prediction) const
{
    prediction.p = p;
    prediction.valid = false;
    const int D = geometry_.dimension_, first = geometry_.offsets_[viewJ],
              end = geometry_.offsets_[viewJ + 1];
    float from[CONTEXT][3], to[CONTEXT][3], base[CONTEXT];
    int count = 0;
    const float* x = geometry_.place(p);
    for (size_t a = geometry_.aroundOffsets_[p];
         a < geometry_.aroundOffsets_[p + 1] && count < CONTEXT; ++a)
    {
        const int n = geometry_.around_[a];
        if (labels_[n] < 0 || belief_[n] <= 0.f)
            continue;
        const int other = tracks_.pointIn(labels_[n], first, end);
        if (other < 0 || belief_[other] <= 0.f)
            continue;
        const float *xn = geometry_.place(n), *yn = geometry_.place(other);
        for (int d = 0; d < D; ++d)
        {
            from[count][d] = xn[d] - x[d];
            to[count][d] = yn[d];
        }
        base[count++] = std::min(belief_[n], belief_[other]);
    }
    if (count < MIN_CONTEXT)
        return;

    double scale2 = 0;
    for (int n = 0; n < count; ++n)
        for (int d = 0; d < D; ++d)
            scale2 += static_cast<double>(from[n][d]) * from[n][d] / count;
    float near[CONTEXT], weight[CONTEXT];
    for (int n = 0; n < count; ++n)
    {
        double r2 = 0;
        for (int d = 0; d < D; ++d)
            r2 += static_cast<double>(from[n][d]) * from[n][d];
        near[n] = static_cast<float>(base[n] * std::exp(-0.5 * r2 / scale2));
        weight[n] = near[n];
    }
    double place[3] = {0, 0, 0}, spread2 = 0, radius2 = 0;
    for (int round = 0; round < ROBUST_ROUNDS; ++round)
    {
        double sum = 0, meanX[3] = {0, 0, 0}, meanY[3] = {0, 0, 0};
        for (int n = 0; n < count; ++n)
        {
            sum += weight[n];
            for (int d = 0; d < D; ++d)
            {
                meanX[d] += weight[n] * from[n][d];
                meanY[d] += weight[n] * to[n][d];
            }
        }
        if (sum <= 1e-9)
            return;
        for (int d = 0; d < D; ++d)
        {
            meanX[d] /= sum;
            meanY[d] /= sum;
        }
        double M[3][3] = {{0}}, B[3][3] = {{0}};
        radius2 = 0;
        double trace = 0;
        for (int n = 0; n < count; ++n)
            for (int r = 0; r < D; ++r)
            {
                const double dy = to[n][r] - meanY[r];
                radius2 += weight[n] * dy * dy / sum;
                for (int c = 0; c < D; ++c)
                {
                    M[r][c] += weight[n] * (from[n][r] - meanX[r]) * (from[n][c] - meanX[c]);
                    B[r][c] += weight[n] * (from[n][r] - meanX[r]) * (to[n][c] - meanY[c]);
                }
            }
        for (int d = 0; d < D; ++d)
            trace += M[d][d];
        for (int d = 0; d < D;
             ++d) // a little ridge: few or collinear neighbours must not extrapolate
            M[d][d] += 0.02 * trace;
        if (!solveSmall(M, B, D))
            return;
        double residual2[CONTEXT], sorted[CONTEXT];
        for (int n = 0; n < count; ++n)
        {
            double r2 = 0;
            for (int c = 0; c < D; ++c)
            {
                double y = meanY[c];
                for (int r = 0; r < D; ++r)
                    y += (from[n][r] - meanX[r]) * B[r][c];
                r2 += (y - to[n][c]) * (y - to[n][c]);
            }
            residual2[n] = r2;
        }
        for (int c = 0; c < D; ++c)
        {
            place[c] = meanY[c];
            for (int r = 0; r < D; ++r)
                place[c] -= meanX[r] * B[r][c];
        }
        std::copy(residual2, residual2 + count, sorted);
        std::nth_element(sorted, sorted + count / 2, sorted + count);
        spread2 = std::max(sorted[count / 2], 1e-12 + SPREAD_FLOOR * SPREAD_FLOOR * radius2) *
                  count / std::max(1, count - 3);
        for (int n = 0; n < count; ++n)
        {
            const double ratio = 1 + residual2[n] / (4 * spread2);
            weight[n] = static_cast<float>(near[n] / (ratio * ratio));
        }
    }
    for (int d = 0; d < D; ++d)
        prediction.place[d] = static_cast<float>(place[d]);
    prediction.spread2 = static_cast<float>(spread2);
    prediction.radius2 = static_cast<float>(radius2);
    prediction.valid = radius2 > 0;
}

double LocalGeometry::Judge::logRatio(int p, int viewJ, int q)
{
    Prediction& prediction = predictions_[static_cast<size_t>(viewJ)];
    if (prediction.p != p)
        predict(p, viewJ, prediction);
    if (!prediction.valid)
        return 0;
    const float* y = geometry_.place(q);
    double r2 = 0;
    for (int d = 0; d < geometry_.dimension_; ++d)
        r2 += static_cast<double>(y[d] - prediction.place[d]) * (y[d] - prediction.place[d]);
    const double s2 = prediction.spread2;
    return std::log(0.5 * WRONG_RADIUS * WRONG_RADIUS * prediction.radius2 / s2) -
           1.5 * std::log1p(r2 / s2);
}

}} // namespace cv::multimatch
