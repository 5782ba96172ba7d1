// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "view_comparison.hpp"

#include "work_counter.hpp"

namespace cv { namespace multimatch {

namespace {

// Larger views are divided among threads. A multiple of the rows of any kernel; packed SIFT of a
// chunk fits the second-level cache.
const int CHUNK_ROWS = 2040;

// In multiplications: the work that is in memory at a time, and the work of one task, which limits
// the overhead of small views.
const double SLICE_WORK = 3e10;
const double BATCH_WORK = 1e8;

//! Packed descriptors and scores of one thread.
struct Workspace
{
    std::vector<int> rows, columns;
    int scores[MAX_TILE_ROWS * MAX_TILE_COLUMNS];
    uint64_t hits[MAX_TILE_ROWS];
};

//! One pair of views: the rows of own in chunks, each with separate candidates for the points of
//! other.
struct Job
{
    int number; //!< row of pairs
    ViewComparison result;
    std::vector<NearestLists> ofOther;
    std::vector<uchar> chunkDone;
};

struct Chunk
{
    Job* job;
    size_t number;
    double work;
};

double pairWork(const std::vector<Mat>& views, int own, int other)
{
    const Mat &a = views[own], &b = views[other];
    return (own == other ? 0.5 : 1) * a.rows * b.rows * std::max(a.cols, b.cols);
}

/** Inserts the hits of a row of scores. A hit was below one of its bounds when the tile began, so
it is compared again. */
void insertHits(uint64_t hits, const int* scores, int row, int firstColumn, NearestLists& ofRows,
                NearestLists& ofColumns)
{
    const int* rowBound = ofRows.bounds() + row;
    const int* columnBounds = ofColumns.bounds() + firstColumn;
    for (; hits; hits &= hits - 1)
    {
        const int c = lowestBit(hits);
        if (scores[c] < *rowBound)
            ofRows.insert(row, scores[c], firstColumn + c);
        if (scores[c] < columnBounds[c])
            ofColumns.insert(firstColumn + c, scores[c], row);
    }
}

/** The rows of a chunk against a panel of columns: firstColumn and how many. In one view only
columns behind a row are compared with it, as the row is compared with those before it as one of
their columns. */
void comparePanel(const DescriptorScores& scores, Job& job, size_t number, int rows,
                  int firstColumn, int columns, Workspace& space)
{
    const bool same = job.result.own == job.result.other;
    const TileKernel& kernel = scores.kernel();
    const int firstRow = static_cast<int>(number) * CHUNK_ROWS;
    NearestLists &ofRows = job.result.ofOwn, &ofColumns = job.ofOther[number];
    Tile tile;
    tile.columns = space.columns.data();
    tile.words = scores.words();
    tile.columnBounds = ofColumns.bounds() + firstColumn;
    tile.scores = space.scores;
    tile.hits = space.hits;
    for (int r = 0; r < rows; r += kernel.rows)
    {
        const int row = firstRow + r;
        if (same && row >= firstColumn + columns)
            break;
        tile.rows = space.rows.data() + scores.packedWords() * static_cast<size_t>(r);
        tile.rowBounds = ofRows.bounds() + row;
        kernel.run(tile);
        const int count = std::min(kernel.rows, rows - r);
        for (int i = 0; i < count; ++i)
        {
            const int from = same ? std::max(0, row + i + 1 - firstColumn) : 0;
            const int* tileRow = space.scores + i * kernel.columns;
            if (firstColumn == 0 && from == 0)
                ofRows.prime(row + i, tileRow, columns);
            insertHits(space.hits[i] & bitRange(from, columns), tileRow, row + i, firstColumn,
                       ofRows, ofColumns);
        }
    }
}

bool compareChunk(const std::vector<Mat>& views, const DescriptorScores& scores, Job& job,
                  size_t number, Workspace& space, WorkCounter& counter)
{
    const Mat& a = views[job.result.own];
    const Mat& b = views[job.result.other];
    const TileKernel& kernel = scores.kernel();
    const int firstRow = static_cast<int>(number) * CHUNK_ROWS;
    const int rows = std::min(CHUNK_ROWS, a.rows - firstRow);
    const int strips = (rows + kernel.rows - 1) / kernel.rows;
    space.rows.resize(scores.packedWords() * static_cast<size_t>(strips * kernel.rows));
    space.columns.resize(scores.packedWords() * static_cast<size_t>(kernel.columns));
    scores.packRows(job.result.own, firstRow, rows, space.rows.data());
    const int start = job.result.own == job.result.other ? firstRow : 0;
    for (int firstColumn = start; firstColumn < b.rows; firstColumn += kernel.columns)
    {
        const int columns = std::min(kernel.columns, b.rows - firstColumn);
        scores.packColumns(job.result.other, firstColumn, columns, space.columns.data());
        comparePanel(scores, job, number, rows, firstColumn, columns, space);
        if (!counter.add(static_cast<double>(rows) * columns * a.cols))
            return false;
    }
    return true;
}

void prepare(Job& job, const std::vector<Mat>& views, int keep)
{
    const int own = views[job.result.own].rows;
    const int other = views[job.result.other].rows;
    const bool same = job.result.own == job.result.other;
    const size_t chunks = static_cast<size_t>((own + CHUNK_ROWS - 1) / CHUNK_ROWS);
    job.result.ofOwn.reset(own, std::min(keep, other - same));
    job.ofOther.resize(chunks);
    job.chunkDone.assign(chunks, 0);
    for (size_t c = 0; c < chunks; ++c)
        job.ofOther[c].reset(other, std::min(keep, own - same));
}

void merge(const NearestLists& from, NearestLists& to)
{
    for (int q = 0; q < to.size(); ++q)
        for (const Candidate* n = from.begin(q); n != from.end(q); ++n)
            if (n->score < to.bounds()[q])
                to.insert(q, n->score, n->index);
}

//! Candidates of later chunks have larger indices, so they come in order. In one view those of
//! ofOwn are larger than all of ofOther.
void mergeChunks(Job& job)
{
    NearestLists& all = job.result.ofOther;
    std::swap(all, job.ofOther[0]);
    for (size_t c = 1; c < job.ofOther.size(); ++c)
        merge(job.ofOther[c], all);
    if (job.result.own != job.result.other)
        return;
    merge(job.result.ofOwn, all);
    std::swap(all, job.result.ofOwn);
    all = NearestLists();
}

//! The jobs of the next pairs, as many as may be in memory together. next: the first pair, moved
//! behind the last.
std::vector<Job> nextJobs(const std::vector<Mat>& views, const Mat& pairs, int& next)
{
    std::vector<Job> jobs;
    for (double work = 0; next < pairs.rows && work < SLICE_WORK; ++next)
    {
        Job job;
        job.number = next;
        job.result.own = pairs.at<int>(next, 0);
        job.result.other = pairs.at<int>(next, 1);
        const Mat &a = views[job.result.own], &b = views[job.result.other];
        if (a.empty() || b.empty())
            continue;
        work += pairWork(views, job.result.own, job.result.other);
        jobs.push_back(job);
    }
    return jobs;
}

//! All chunks of the jobs in order. Returns the first chunk of each batch, and at the end the
//! number of chunks.
std::vector<size_t> divide(std::vector<Job>& jobs, const std::vector<Mat>& views,
                           std::vector<Chunk>& chunks)
{
    std::vector<size_t> batches(1, 0);
    double batchWork = 0;
    for (size_t j = 0; j < jobs.size(); ++j)
    {
        const double share = pairWork(views, jobs[j].result.own, jobs[j].result.other) /
                             static_cast<double>(jobs[j].ofOther.size());
        for (size_t c = 0; c < jobs[j].ofOther.size(); ++c)
        {
            const Chunk chunk = {&jobs[j], c, share};
            chunks.push_back(chunk);
            batchWork += share;
            if (batchWork >= BATCH_WORK)
            {
                batches.push_back(chunks.size());
                batchWork = 0;
            }
        }
    }
    if (batches.back() < chunks.size())
        batches.push_back(chunks.size());
    return batches;
}

} // namespace

double comparisonWork(const std::vector<Mat>& views, const Mat& pairs)
{
    double work = 0;
    for (int r = 0; r < pairs.rows; ++r)
        work += pairWork(views, pairs.at<int>(r, 0), pairs.at<int>(r, 1));
    return work;
}

double comparisonBytes(const std::vector<Mat>& views, const Mat& pairs, int k)
{
    const double keep = static_cast<double>(k) + DescriptorScores::MAX_SLACK;
    const auto listBytes = [&](double points, double others) {
        return points * (sizeof(Candidate) * std::min(keep, others) + 2 * sizeof(int));
    };
    double largest = 0, slice = 0, work = 0, largestSlice = 0;
    for (int r = 0; r < pairs.rows; ++r)
    {
        const int i = pairs.at<int>(r, 0), j = pairs.at<int>(r, 1);
        const double a = views[i].rows, b = views[j].rows;
        const double bytes = listBytes(a, b) + std::ceil(a / CHUNK_ROWS) * listBytes(b, a);
        // As in nextJobs().
        if (work >= SLICE_WORK)
            work = slice = 0;
        work += pairWork(views, i, j);
        slice += bytes;
        largest = std::max(largest, bytes);
        largestSlice = std::max(largestSlice, slice);
    }
    // By cells each thread compares one pair at a time.
    return std::max(largestSlice, std::min(getNumThreads(), pairs.rows) * largest);
}

void compareViews(const std::vector<Mat>& views, const DescriptorScores& scores, const Mat& pairs,
                  int k, double shareBefore, double shareAfter, RunControl& control,
                  const std::function<void(int, const ViewComparison&)>& finish)
{
    WorkCounter counter(control, comparisonWork(views, pairs), shareBefore, shareAfter);
    const int keep = k > INT_MAX - scores.slack() ? k : k + scores.slack();
    for (int next = 0; next < pairs.rows && counter.proceed();)
    {
        std::vector<Job> jobs = nextJobs(views, pairs, next);
        for (size_t j = 0; j < jobs.size(); ++j)
            prepare(jobs[j], views, keep);
        std::vector<Chunk> chunks;
        const std::vector<size_t> batches = divide(jobs, views, chunks);
        const Range allBatches(0, static_cast<int>(batches.size()) - 1);
        parallel_for_(allBatches, [&](const Range& range) {
            Workspace space;
            for (size_t c = batches[range.start]; c < batches[range.end]; ++c)
            {
                Job& job = *chunks[c].job;
                if (!compareChunk(views, scores, job, chunks[c].number, space, counter))
                    return;
                job.chunkDone[chunks[c].number] = 1;
            }
        });
        parallel_for_(Range(0, static_cast<int>(jobs.size())), [&](const Range& range) {
            for (int j = range.start; j < range.end; ++j)
            {
                Job& job = jobs[j];
                if (std::count(job.chunkDone.begin(), job.chunkDone.end(), 0) > 0)
                    continue;
                mergeChunks(job);
                finish(job.number, job.result);
            }
        });
    }
}

}} // namespace cv::multimatch
