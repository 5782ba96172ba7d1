// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "cell_search.hpp"

#include "../base/transposed_union.hpp"
#include "view_comparison.hpp"
#include "vocabulary.hpp"

#include <mutex>

namespace cv { namespace multimatch {

namespace {

// A cell holds about as many points as there are cells, which balances sorting into cells with
// comparing them.
const int SAMPLES_PER_CELL = 32, LEARNING_ROUNDS = 4;
const int CELLS_COMPARED = 8; //!< with each cell, itself among them
//! Neighbors kept for each point in each compared cell; tracks with more members lose some.
const int KEPT_OF_OWN = 32, KEPT_OF_OTHER = 6;
const size_t MAX_NEIGHBORS = 64;
// While cells are compared, up to COLLECTED candidates of a point are stored; then the nearest
// CANDIDATES are kept.
const int CANDIDATES = 96;
const size_t COLLECTED = 128;

//! Points of all views by cells.
struct Cells
{
    std::vector<std::vector<int>> points; //!< of each cell, ascending
    std::vector<Mat> descriptors;
    Mat selfPairs, pairs; //!< of cells to compare: each with itself, and with others
};

//! Each cell with those whose words are nearest; N x 2, first < second, ascending.
Mat cellPairs(const Mat& words, int normType)
{
    const Mat coordinates = asCoordinates(words, normType);
    const int count = std::min(CELLS_COMPARED, words.rows);
    Mat distances, nearest;
    batchDistance(coordinates, coordinates, distances, CV_32F, nearest, NORM_L2SQR, count);
    std::vector<std::pair<int, int>> pairs;
    for (int c = 0; c < words.rows; ++c)
    {
        for (int n = 0; n < count; ++n)
            if (nearest.at<int>(c, n) != c)
                pairs.push_back(std::minmax(c, static_cast<int>(nearest.at<int>(c, n))));
    }
    return pairMatrix(pairs);
}

Cells sortIntoCells(const MultiMatcher::Input& input, double shareBefore, double shareAfter,
                    RunControl& control)
{
    const int type = descriptorType(input.descriptors);
    const int count = cvRound(std::sqrt(static_cast<double>(input.pointCount())));
    const Mat words =
        asDescriptors(learnWords(input.descriptors, input.normType, std::max(1, count),
                                 SAMPLES_PER_CELL, LEARNING_ROUNDS, control, shareBefore),
                      type, input.normType);
    std::vector<int> cellOf(static_cast<size_t>(input.pointCount()), 0);
    const auto assign = [&](int v, const ViewComparison& found) {
        for (int p = 0; p < found.ofOwn.size(); ++p)
            cellOf[input.offsets[v] + p] = found.ofOwn.begin(p)->index;
    };
    compareWithWords(input.descriptors, words, 1, input.normType, false, shareBefore, shareAfter,
                     control, assign);
    const std::vector<int> view = viewOfPoints(input.viewSizes);
    Cells cells;
    cells.points.resize(words.rows);
    for (int p = 0; p < input.pointCount(); ++p)
        cells.points[cellOf[p]].push_back(p);
    for (size_t c = 0; c < cells.points.size(); ++c)
    {
        const std::vector<int>& points = cells.points[c];
        Mat gathered(static_cast<int>(points.size()), words.cols, type);
        for (size_t n = 0; n < points.size(); ++n)
        {
            const int v = view[points[n]];
            input.descriptors[v]
                .row(points[n] - input.offsets[v])
                .copyTo(gathered.row(static_cast<int>(n)));
        }
        cells.descriptors.push_back(gathered);
    }
    cells.pairs = cellPairs(words, input.normType);
    cells.selfPairs = selfPairs(words.rows);
    return cells;
}

//! Whether two views are to be compared.
class PairFilter
{
public:
    PairFilter(const Mat& pairs, int views) : partners_(static_cast<size_t>(views))
    {
        for (int r = 0; r < pairs.rows; ++r)
        {
            partners_[pairs.at<int>(r, 0)].push_back(pairs.at<int>(r, 1));
            partners_[pairs.at<int>(r, 1)].push_back(pairs.at<int>(r, 0));
        }
        for (size_t v = 0; v < partners_.size(); ++v)
            std::sort(partners_[v].begin(), partners_[v].end());
    }
    bool operator()(int v, int w) const
    {
        const std::vector<int>& others = partners_[v];
        return std::binary_search(others.begin(), others.end(), w);
    }

private:
    std::vector<std::vector<int>> partners_;
};

/** For each point its nearest few in other views. They may be added in any order and by any thread:
the result depends only on distances and indices. */
class Collection
{
public:
    Collection(int points, int cells)
        : rows_(static_cast<size_t>(points)), locks_(static_cast<size_t>(cells))
    {
    }

    //! Points of one cell are added under its lock.
    std::mutex& lockOf(int cell) { return locks_[cell]; }

    void add(int p, const Neighbor& neighbor)
    {
        std::vector<Neighbor>& row = rows_[p];
        if (row.capacity() == 0)
            row.reserve(COLLECTED);
        row.push_back(neighbor);
        if (row.size() == COLLECTED)
        {
            std::nth_element(row.begin(), row.begin() + CANDIDATES, row.end());
            row.resize(CANDIDATES);
        }
    }

    //! Of each point the nearest, at most k of a view and MAX_NEIGHBORS in all.
    void choose(const std::vector<int>& view, int k)
    {
        parallel_for_(Range(0, static_cast<int>(rows_.size())), [&](const Range& range) {
            for (int p = range.start; p < range.end; ++p)
                chooseOf(rows_[p], view, k);
        });
    }

    //! The matrix with every edge in both directions.
    CsrMatrix symmetrized() const
    {
        const int m = static_cast<int>(rows_.size());
        CsrMatrix chosen(m, m);
        for (size_t p = 0; p < rows_.size(); ++p)
        {
            for (const Neighbor& n : rows_[p])
            {
                chosen.columns.push_back(n.index);
                chosen.values.push_back(n.distance);
            }
            chosen.offsets[p + 1] = chosen.columns.size();
        }
        return uniteWithTransposed(chosen, chosen);
    }

private:
    static void chooseOf(std::vector<Neighbor>& row, const std::vector<int>& view, int k)
    {
        std::sort(row.begin(), row.end());
        size_t kept = 0;
        const size_t candidates = std::min(row.size(), static_cast<size_t>(CANDIDATES));
        for (size_t n = 0; n < candidates && kept < MAX_NEIGHBORS; ++n)
        {
            int ofView = 0;
            for (size_t c = 0; c < kept; ++c)
                ofView += view[row[c].index] == view[row[n].index];
            if (ofView < k)
                row[kept++] = row[n];
        }
        row.resize(kept);
    }

    std::vector<std::vector<Neighbor>> rows_;
    std::vector<std::mutex> locks_;
};

} // namespace

double cellSearchBytes(int points, const std::vector<Mat>& descriptors)
{
    double gathered = 0;
    for (size_t v = 0; v < descriptors.size(); ++v)
        gathered += static_cast<double>(descriptors[v].total() * descriptors[v].elemSize());
    // Collected candidates, chosen ones in both directions, and the matrix, which doubles as it
    // grows.
    const double aPoint = COLLECTED + 2. * MAX_NEIGHBORS + 4. * MAX_NEIGHBORS;
    return gathered + sizeof(Neighbor) * aPoint * points;
}

CsrMatrix neighborsByCells(const MultiMatcher::Input& input, int k, double shareBefore,
                           RunControl& control)
{
    if (input.pointCount() == 0)
        return CsrMatrix(0, 0);
    const double sorted = shareBefore + 0.2 * (1 - shareBefore);
    const Cells cells = sortIntoCells(input, shareBefore, sorted, control);
    const std::vector<int> view = viewOfPoints(input.viewSizes);
    const PairFilter compared(input.pairs, input.viewCount());
    const Ptr<DescriptorScores> scores =
        DescriptorScores::create(cells.descriptors, input.normType);
    Collection collection(input.pointCount(), static_cast<int>(cells.points.size()));
    const auto collect = [&](int own, int other, const NearestLists& lists, int kept) {
        AutoBuffer<Neighbor> nearest(static_cast<size_t>(std::max(1, lists.capacity())));
        const std::lock_guard<std::mutex> lock(collection.lockOf(own));
        for (int n = 0; n < lists.size(); ++n)
        {
            const int p = cells.points[own][n];
            const int count = scores->nearest(own, n, other, lists.begin(n), lists.count(n), kept,
                                              nearest.data());
            for (int i = 0; i < count; ++i)
            {
                const int q = cells.points[other][nearest[i].index];
                const Neighbor neighbor = {nearest[i].distance, q};
                if (compared(view[p], view[q]))
                    collection.add(p, neighbor);
            }
        }
    };
    const double within = sorted + 0.2 * (1 - sorted);
    compareViews(cells.descriptors, *scores, cells.selfPairs, KEPT_OF_OWN, sorted, within, control,
                 [&](int, const ViewComparison& found) {
                     collect(found.own, found.own, found.ofOwn, KEPT_OF_OWN);
                 });
    compareViews(cells.descriptors, *scores, cells.pairs, KEPT_OF_OTHER, within, 1, control,
                 [&](int, const ViewComparison& found) {
                     collect(found.own, found.other, found.ofOwn, KEPT_OF_OTHER);
                     collect(found.other, found.own, found.ofOther, KEPT_OF_OTHER);
                 });
    collection.choose(view, k);
    return collection.symmetrized();
}

}} // namespace cv::multimatch
