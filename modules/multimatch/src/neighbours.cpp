// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "neighbours.hpp"

#include "input.hpp"
#include "matcher_base.hpp"

#include <cstring>

namespace cv { namespace multimatch {

namespace {

struct Neighbour
{
    float distance;
    int index;

    bool operator<(const Neighbour& other) const
    {
        return distance != other.distance ? distance < other.distance : index < other.index;
    }
};

//! The best few of a stream, ascending; ties go to the smaller index.
class BestFew
{
public:
    BestFew() : items_(NULL), capacity_(0), count_(0) {}
    BestFew(Neighbour* items, int capacity) : items_(items), capacity_(capacity), count_(0) {}

    //! A candidate that is not below this cannot enter.
    float bound() const
    {
        return count_ < capacity_ ? std::numeric_limits<float>::infinity()
                                  : items_[capacity_ - 1].distance;
    }

    void insert(float distance, int index)
    {
        const Neighbour candidate = {distance, index};
        if (count_ == capacity_)
        {
            if (!(candidate < items_[capacity_ - 1]))
                return;
            --count_;
        }
        int at = count_++;
        for (; at > 0 && candidate < items_[at - 1]; --at)
            items_[at] = items_[at - 1];
        items_[at] = candidate;
    }

    Neighbour* begin() const { return items_; }
    Neighbour* end() const { return items_ + count_; }

private:
    Neighbour* items_;
    int capacity_;
    int count_;
};

//! One list of neighbours for each point of a view.
class NeighbourLists
{
public:
    NeighbourLists(int points, int capacity)
        : storage_(static_cast<size_t>(points) * static_cast<size_t>(capacity)),
          lists_(static_cast<size_t>(points))
    {
        for (size_t p = 0; p < lists_.size(); ++p)
            lists_[p] = BestFew(&storage_[p * static_cast<size_t>(capacity)], capacity);
    }
    BestFew& operator[](int point) { return lists_[static_cast<size_t>(point)]; }
    int size() const { return static_cast<int>(lists_.size()); }

private:
    NeighbourLists(const NeighbourLists&);
    NeighbourLists& operator=(const NeighbourLists&);

    std::vector<Neighbour> storage_;
    std::vector<BestFew> lists_;
};

/** Distances between the rows of two descriptor matrices, a block of rows at a time. Blocks may
hold approximate values; exact() is what counts in the end. */
class BlockDistance
{
public:
    virtual ~BlockDistance() {}
    //! out(r, c): distance of row first + r of a to row c of b.
    virtual void block(const Mat& a, int viewA, const Mat& b, int viewB, int first, int rows,
                       Mat_<float>& out) const = 0;
    virtual float exact(const uchar* a, const uchar* b) const = 0;
    //! Extra candidates to keep so that the exact k nearest are among them.
    virtual int slack() const = 0;
};

//! Squared L2 as |a|^2 + |b|^2 - 2 a.b, so that the work is a matrix product.
class SquaredL2 : public BlockDistance
{
public:
    SquaredL2(const std::vector<Mat>& descriptors, int width)
        : width_(width), norms_(descriptors.size())
    {
        for (size_t v = 0; v < descriptors.size(); ++v)
        {
            norms_[v].resize(static_cast<size_t>(descriptors[v].rows));
            for (int p = 0; p < descriptors[v].rows; ++p)
            {
                const float* row = descriptors[v].ptr<float>(p);
                double sum = 0;
                for (int c = 0; c < width; ++c)
                    sum += static_cast<double>(row[c]) * row[c];
                norms_[v][static_cast<size_t>(p)] = static_cast<float>(sum);
            }
        }
    }

    void block(const Mat& a, int viewA, const Mat& b, int viewB, int first, int rows,
               Mat_<float>& out) const CV_OVERRIDE
    {
        gemm(a.rowRange(first, first + rows), b, -2, noArray(), 0, out, GEMM_2_T);
        const float* normA = &norms_[static_cast<size_t>(viewA)][static_cast<size_t>(first)];
        const float* normB = norms_[static_cast<size_t>(viewB)].data();
        parallel_for_(Range(0, rows), [&](const Range& range) {
            for (int r = range.start; r < range.end; ++r)
            {
                float* row = out[r];
                for (int c = 0; c < out.cols; ++c)
                    row[c] += normA[r] + normB[c];
            }
        });
    }

    float exact(const uchar* a, const uchar* b) const CV_OVERRIDE
    {
        const float* x = reinterpret_cast<const float*>(a);
        const float* y = reinterpret_cast<const float*>(b);
        // Four sums of their own: the order is fixed, and the compiler can use vectors.
        float sums[4] = {0, 0, 0, 0};
        int c = 0;
        for (; c + 4 <= width_; c += 4)
            for (int lane = 0; lane < 4; ++lane)
            {
                const float difference = x[c + lane] - y[c + lane];
                sums[lane] += difference * difference;
            }
        for (; c < width_; ++c)
            sums[0] += (x[c] - y[c]) * (x[c] - y[c]);
        return std::sqrt((sums[0] + sums[1]) + (sums[2] + sums[3]));
    }

    int slack() const CV_OVERRIDE { return 2; }

private:
    int width_;
    std::vector<std::vector<float>> norms_;
};

// ThreadSanitizer cannot start a program whose resolvers of clones it has instrumented.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) &&       \
    !defined(__SANITIZE_THREAD__)
__attribute__((target_clones("popcnt", "default")))
#endif
int hammingDistance(const uchar* a, const uchar* b, int bytes)
{
    int bits = 0, c = 0;
    for (; c + 8 <= bytes; c += 8)
    {
        uint64 x, y;
        std::memcpy(&x, a + c, 8);
        std::memcpy(&y, b + c, 8);
        bits += __builtin_popcountll(x ^ y);
    }
    for (; c < bytes; ++c)
        bits += __builtin_popcount(static_cast<unsigned>(a[c] ^ b[c]));
    return bits;
}

class Hamming : public BlockDistance
{
public:
    explicit Hamming(int width) : width_(width) {}

    void block(const Mat& a, int, const Mat& b, int, int first, int rows,
               Mat_<float>& out) const CV_OVERRIDE
    {
        out.create(rows, b.rows);
        parallel_for_(Range(0, rows), [&](const Range& range) {
            for (int r = range.start; r < range.end; ++r)
                for (int c = 0; c < b.rows; ++c)
                    out(r, c) =
                        static_cast<float>(hammingDistance(a.ptr(first + r), b.ptr(c), width_));
        });
    }

    float exact(const uchar* a, const uchar* b) const CV_OVERRIDE
    {
        return static_cast<float>(hammingDistance(a, b, width_));
    }

    int slack() const CV_OVERRIDE { return 0; }

private:
    int width_;
};

const int BLOCK_ROWS = 512;

void scanRows(const Mat_<float>& distances, int first, bool sameView, NeighbourLists& lists)
{
    parallel_for_(Range(0, distances.rows), [&](const Range& range) {
        for (int r = range.start; r < range.end; ++r)
        {
            BestFew& best = lists[first + r];
            const float* row = distances[r];
            float bound = best.bound();
            for (int c = 0; c < distances.cols; ++c)
                if (row[c] < bound && !(sameView && c == first + r))
                {
                    best.insert(row[c], c);
                    bound = best.bound();
                }
        }
    });
}

void scanColumns(const Mat_<float>& distances, int first, NeighbourLists& lists)
{
    parallel_for_(Range(0, distances.cols), [&](const Range& range) {
        std::vector<float> bounds(static_cast<size_t>(range.size()));
        for (int c = range.start; c < range.end; ++c)
            bounds[static_cast<size_t>(c - range.start)] = lists[c].bound();
        for (int r = 0; r < distances.rows; ++r)
        {
            const float* row = distances[r] + range.start;
            for (int c = 0; c < range.size(); ++c)
                if (row[c] < bounds[static_cast<size_t>(c)])
                {
                    BestFew& best = lists[range.start + c];
                    best.insert(row[c], first + r);
                    bounds[static_cast<size_t>(c)] = best.bound();
                }
        }
    });
}

//! Exact distances in place of the block's, in order.
void makeExact(NeighbourLists& lists, const Mat& own, const Mat& other, const BlockDistance& metric)
{
    parallel_for_(Range(0, lists.size()), [&](const Range& range) {
        for (int p = range.start; p < range.end; ++p)
        {
            for (Neighbour* n = lists[p].begin(); n != lists[p].end(); ++n)
                n->distance = metric.exact(own.ptr(p), other.ptr(n->index));
            std::sort(lists[p].begin(), lists[p].end());
        }
    });
}

struct Edge
{
    int p, q;
    float distance;
};

void appendEdges(NeighbourLists& lists, int k, int ownOffset, int otherOffset, bool swapped,
                 std::vector<Edge>& edges)
{
    for (int p = 0; p < lists.size(); ++p)
    {
        const Neighbour* end = std::min(lists[p].end(), lists[p].begin() + k);
        for (const Neighbour* n = lists[p].begin(); n != end; ++n)
        {
            const int own = ownOffset + p, other = otherOffset + n->index;
            const Edge edge = {swapped ? other : own, swapped ? own : other, n->distance};
            edges.push_back(edge);
        }
    }
}

//! Symmetric matrix from edges p < q, each once.
CsrMatrix symmetricFromEdges(int points, const std::vector<Edge>& edges)
{
    CsrMatrix matrix(points, points);
    for (size_t e = 0; e < edges.size(); ++e)
    {
        ++matrix.offsets[edges[e].p + 1];
        ++matrix.offsets[edges[e].q + 1];
    }
    std::partial_sum(matrix.offsets.begin(), matrix.offsets.end(), matrix.offsets.begin());
    matrix.columns.resize(matrix.offsets.back());
    matrix.values.resize(matrix.offsets.back());
    std::vector<size_t> next(matrix.offsets.begin(), matrix.offsets.end() - 1);
    // Edges ascend by (p, q): a row first receives its smaller columns, then its larger ones, in order.
    for (size_t e = 0; e < edges.size(); ++e)
    {
        matrix.columns[next[edges[e].q]] = edges[e].p;
        matrix.values[next[edges[e].q]++] = edges[e].distance;
    }
    for (size_t e = 0; e < edges.size(); ++e)
    {
        matrix.columns[next[edges[e].p]] = edges[e].q;
        matrix.values[next[edges[e].p]++] = edges[e].distance;
    }
    return matrix;
}

std::vector<float> ownDistances(const std::vector<Mat>& descriptors, const BlockDistance& metric)
{
    std::vector<float> result;
    Mat_<float> distances;
    for (size_t v = 0; v < descriptors.size(); ++v)
    {
        const Mat& d = descriptors[v];
        NeighbourLists nearest(d.rows, 1 + metric.slack());
        for (int first = 0; first < d.rows; first += BLOCK_ROWS)
        {
            const int rows = std::min(BLOCK_ROWS, d.rows - first);
            metric.block(d, static_cast<int>(v), d, static_cast<int>(v), first, rows, distances);
            scanRows(distances, first, true, nearest);
        }
        makeExact(nearest, d, d, metric);
        for (int p = 0; p < d.rows; ++p)
            result.push_back(nearest[p].begin() == nearest[p].end()
                                 ? std::numeric_limits<float>::infinity()
                                 : nearest[p].begin()->distance);
    }
    return result;
}

} // namespace

NeighbourGraph neighbourGraph(const std::vector<Mat>& descriptors,
                              const std::vector<int>& viewSizes, int k, const Mat& pairs,
                              RunControl& control)
{
    NeighbourGraph graph;
    graph.viewSizes = viewSizes;
    const std::vector<int> offsets = viewOffsets(viewSizes);
    int type = CV_32F, width = 0;
    for (size_t v = 0; v < descriptors.size(); ++v)
        if (!descriptors[v].empty())
        {
            type = descriptors[v].type();
            width = descriptors[v].cols;
        }
    Ptr<BlockDistance> metric;
    if (type == CV_32F)
        metric = makePtr<SquaredL2>(descriptors, width);
    else
        metric = makePtr<Hamming>(width);
    graph.ownDistance = ownDistances(descriptors, *metric);

    std::vector<Edge> edges;
    Mat_<float> distances;
    for (int r = 0; r < pairs.rows && control.proceed(static_cast<double>(r) / pairs.rows); ++r)
    {
        const int i = pairs.at<int>(r, 0), j = pairs.at<int>(r, 1);
        const Mat &a = descriptors[static_cast<size_t>(i)],
                  &b = descriptors[static_cast<size_t>(j)];
        if (a.empty() || b.empty())
            continue;
        NeighbourLists forward(a.rows, std::min(b.rows, k + metric->slack()));
        NeighbourLists backward(b.rows, std::min(a.rows, k + metric->slack()));
        for (int first = 0; first < a.rows; first += BLOCK_ROWS)
        {
            metric->block(a, i, b, j, first, std::min(BLOCK_ROWS, a.rows - first), distances);
            scanRows(distances, first, false, forward);
            scanColumns(distances, first, backward);
        }
        makeExact(forward, a, b, *metric);
        makeExact(backward, b, a, *metric);
        appendEdges(forward, k, offsets[i], offsets[j], false, edges);
        appendEdges(backward, k, offsets[j], offsets[i], true, edges);
    }
    std::sort(edges.begin(), edges.end(),
              [](const Edge& a, const Edge& b) { return a.p != b.p ? a.p < b.p : a.q < b.q; });
    edges.erase(std::unique(edges.begin(), edges.end(),
                            [](const Edge& a, const Edge& b) { return a.p == b.p && a.q == b.q; }),
                edges.end());
    graph.distances = symmetricFromEdges(offsets.back(), edges);
    return graph;
}

NeighbourGraph findNeighbours(InputArrayOfArrays descriptors, int k, InputArray pairs)
{
    if (k < 1)
        CV_Error_(Error::StsOutOfRange, ("k is %d, expected at least 1", k));
    std::vector<Mat> given;
    descriptors.getMatVector(given);
    std::vector<int> sizes;
    for (size_t v = 0; v < given.size(); ++v)
        sizes.push_back(given[v].rows);
    const std::vector<Mat> checked = checkedDescriptors(descriptors, sizes, "descriptors");
    checkPairs(pairs.getMat());
    RunControl control((ProgressCallback()));
    std::vector<int> sameOrder(sizes.size());
    std::iota(sameOrder.begin(), sameOrder.end(), 0);
    return neighbourGraph(checked, sizes, k, orderedPairs(pairs.getMat(), 0, sameOrder), control);
}

}} // namespace cv::multimatch
