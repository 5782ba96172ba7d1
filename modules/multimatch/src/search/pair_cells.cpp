// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "pair_cells.hpp"

#include "../input/input.hpp"
#include "vocabulary.hpp"
#include "work_counter.hpp"

namespace cv { namespace multimatch {

namespace {

// Chosen on photographs with 25,000 SIFT, RootSIFT and ORB key points a view, where they find 99 of
// 100 true matches.
const double CELL_POINTS = 192; //!< of a view in a cell, on average
const int CELLS_COMPARED = 12;  //!< with each point
const int SAMPLES_PER_WORD = 32, LEARNING_ROUNDS = 6;
//! Pairs of points; fewer take less than a tenth of a second on one core.
const double LARGE_PAIR = 8e7;

//! Points of a view by cells.
struct PointsOfCells
{
    std::vector<int> offsets, points; //!< points of cell c: from offsets[c] on, ascending

    int size(int c) const { return offsets[c + 1] - offsets[c]; }
    const int* begin(int c) const { return points.data() + offsets[c]; }
};

//! By the words of each point from first to last - 1, nearest first.
PointsOfCells byWords(const NearestLists& words, int wordCount, int first, int last)
{
    PointsOfCells cells;
    cells.offsets.assign(static_cast<size_t>(wordCount) + 1, 0);
    const auto visit = [&](const std::function<void(int, int)>& wordOf) {
        for (int p = 0; p < words.size(); ++p)
            for (int n = first; n < std::min(last, words.count(p)); ++n)
                wordOf(p, words.begin(p)[n].index);
    };
    visit([&](int, int c) { ++cells.offsets[c + 1]; });
    std::partial_sum(cells.offsets.begin(), cells.offsets.end(), cells.offsets.begin());
    cells.points.resize(cells.offsets.back());
    std::vector<int> next(cells.offsets.begin(), cells.offsets.end() - 1);
    visit([&](int p, int c) { cells.points[next[c]++] = p; });
    return cells;
}

//! Words for views of this mean size.
int wordCount(double meanPoints)
{
    return std::max(CELLS_COMPARED, cvRound(meanPoints / CELL_POINTS));
}

} // namespace

//! The cells of all views: the points' own ones, and others that they are compared with.
struct CellComparison::Index
{
    int words;
    std::vector<PointsOfCells> own, others;

    Index(const std::vector<Mat>& views, int normType, double share, RunControl& control)
        : words(0), own(views.size()), others(views.size())
    {
        int used = 0, points = 0;
        for (size_t v = 0; v < views.size(); ++v)
            if (!views[v].empty())
            {
                ++used;
                points += views[v].rows;
            }
        const int count = wordCount(points / std::max(1., static_cast<double>(used)));
        const Mat learned = asDescriptors(
            learnWords(views, normType, count, SAMPLES_PER_WORD, LEARNING_ROUNDS, control, share),
            descriptorType(views), normType);
        words = learned.rows;
        const auto sort = [&](int v, const ViewComparison& found) {
            own[v] = byWords(found.ofOwn, words, 0, 1);
            others[v] = byWords(found.ofOwn, words, 1, CELLS_COMPARED);
        };
        compareWithWords(views, learned, CELLS_COMPARED, normType, true, share, share, control,
                         sort);
    }
};

namespace {

//! Compares one pair of views, a cell after the other.
class PairOfViews
{
public:
    PairOfViews(const std::vector<Mat>& views, const DescriptorScores& scores, int own, int other,
                int keep)
        : scores_(scores), kernel_(scores.kernel()), width_(views[own].cols)
    {
        result_.own = own;
        result_.other = other;
        const int ownPoints = views[own].rows, otherPoints = views[other].rows;
        result_.ofOwn.reset(ownPoints, own == other ? 0 : std::min(keep, otherPoints));
        result_.ofOther.reset(otherPoints, std::min(keep, ownPoints - (own == other)));
        columns_.resize(scores.packedWords() * static_cast<size_t>(kernel_.columns));
    }

    //! own: cells of the first view, other: what the points of the second view are compared with.
    bool compare(const PointsOfCells& own, const PointsOfCells& other, int words,
                 WorkCounter& counter)
    {
        for (int c = 0; c < words; ++c)
        {
            const int rows = own.size(c), columns = other.size(c);
            if (rows == 0 || columns == 0)
                continue;
            const int strips = (rows + kernel_.rows - 1) / kernel_.rows;
            rows_.resize(scores_.packedWords() * static_cast<size_t>(strips * kernel_.rows));
            scores_.packRows(result_.own, own.begin(c), rows, rows_.data());
            for (int q = 0; q < columns; q += kernel_.columns)
                comparePanel(own.begin(c), rows, other.begin(c) + q,
                             std::min(kernel_.columns, columns - q));
            if (!counter.add(static_cast<double>(rows) * columns * width_))
                return false;
        }
        return true;
    }

    const ViewComparison& result()
    {
        // A view compared with itself: each point has been a column.
        if (result_.own == result_.other)
            std::swap(result_.ofOwn, result_.ofOther);
        return result_;
    }

private:
    void comparePanel(const int* rowPoints, int rows, const int* columnPoints, int columns)
    {
        const bool same = result_.own == result_.other;
        NearestLists &ofRows = result_.ofOwn, &ofColumns = result_.ofOther;
        scores_.packColumns(result_.other, columnPoints, columns, columns_.data());
        int rowBounds[MAX_TILE_ROWS], columnBounds[MAX_TILE_COLUMNS];
        std::fill(columnBounds, columnBounds + MAX_TILE_COLUMNS, INT_MIN);
        for (int c = 0; c < columns; ++c)
            columnBounds[c] = ofColumns.bounds()[columnPoints[c]];
        int tileScores[MAX_TILE_ROWS * MAX_TILE_COLUMNS];
        uint64_t hits[MAX_TILE_ROWS];
        Tile tile = {NULL, columns_.data(), scores_.words(), rowBounds, columnBounds, tileScores,
                     hits};
        for (int r = 0; r < rows; r += kernel_.rows)
        {
            const int count = std::min(kernel_.rows, rows - r);
            for (int i = 0; i < kernel_.rows; ++i)
                rowBounds[i] = i < count ? ofRows.bounds()[rowPoints[r + i]] : INT_MIN;
            tile.rows = rows_.data() + scores_.packedWords() * static_cast<size_t>(r);
            kernel_.run(tile);
            for (int i = 0; i < count; ++i)
            {
                const int p = rowPoints[r + i];
                const int* scores = tileScores + i * kernel_.columns;
                for (uint64_t marks = hits[i] & bitRange(0, columns); marks; marks &= marks - 1)
                {
                    const int c = lowestBit(marks), q = columnPoints[c];
                    if (same && p == q)
                        continue;
                    if (scores[c] < ofRows.bounds()[p])
                        ofRows.insert(p, scores[c], q);
                    if (scores[c] < columnBounds[c])
                    {
                        ofColumns.insert(q, scores[c], p);
                        columnBounds[c] = ofColumns.bounds()[q];
                    }
                }
            }
        }
    }

    const DescriptorScores& scores_;
    const TileKernel kernel_;
    const int width_;
    ViewComparison result_;
    std::vector<int> rows_, columns_;
};

} // namespace

bool tooLargeForAll(int ownPoints, int otherPoints)
{
    return static_cast<double>(ownPoints) * otherPoints > LARGE_PAIR;
}

double cellWork(const std::vector<Mat>& views, const Mat& pairs)
{
    double points = 0;
    for (int r = 0; r < pairs.rows; ++r)
        points += 0.5 * (views[pairs.at<int>(r, 0)].rows + views[pairs.at<int>(r, 1)].rows);
    return comparisonWork(views, pairs) * CELLS_COMPARED /
           wordCount(points / std::max(1, pairs.rows));
}

CellComparison::CellComparison(const std::vector<Mat>& views, int normType, double share,
                               RunControl& control)
    : views_(views), scores_(DescriptorScores::createRounded(views_, normType)),
      index_(new Index(views_, normType, share, control))
{
}

CellComparison::~CellComparison() {}

void CellComparison::run(const Mat& pairs, int k, double shareBefore, double shareAfter,
                         RunControl& control,
                         const std::function<void(int, const ViewComparison&)>& finish) const
{
    WorkCounter counter(control, cellWork(views_, pairs), shareBefore, shareAfter);
    if (!counter.proceed())
        return;
    const int keep = k > INT_MAX - scores_->slack() ? k : k + scores_->slack();
    parallel_for_(Range(0, pairs.rows), [&](const Range& range) {
        for (int r = range.start; r < range.end; ++r)
        {
            const int own = pairs.at<int>(r, 0), other = pairs.at<int>(r, 1);
            PairOfViews pair(views_, *scores_, own, other, keep);
            // Points of the same cell first: they are mostly near, so that few of the others enter
            // the lists.
            if (!pair.compare(index_->own[own], index_->own[other], index_->words, counter) ||
                !pair.compare(index_->own[own], index_->others[other], index_->words, counter))
                return;
            finish(r, pair.result());
        }
    });
}

}} // namespace cv::multimatch
