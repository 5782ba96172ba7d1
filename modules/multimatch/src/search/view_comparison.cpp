// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "view_comparison.hpp"

#include <atomic>
#include <thread>

namespace cv { namespace multimatch {

namespace {

const int BLOCK_COLUMNS = 256; // of descriptors: a block stays in the second-level cache
const int CHUNK_ROWS = 2040;   // a multiple of all strips; larger views are divided among threads

// In multiplications: the work that is in memory at a time, and the work of one task, which limits the overhead of small views.
const double SLICE_WORK = 3e10;
const double BATCH_WORK = 1e8;

//! Counts the work of all threads; the calling thread among them reports progress.
class WorkCounter
{
public:
    WorkCounter(RunControl& control, double total, double shareBefore, double shareAfter)
        : control_(control), caller_(std::this_thread::get_id()), total_(std::max(1., total)),
          before_(shareBefore), after_(shareAfter), done_(0), stopped_(false)
    {
    }

    //! Adds work; false where all threads should stop.
    bool add(double work)
    {
        done_ += static_cast<int64>(work);
        if (std::this_thread::get_id() == caller_ && !proceed())
            stopped_ = true;
        return !stopped_;
    }

    //! From the calling thread only.
    bool proceed()
    {
        const double share = std::min(1., static_cast<double>(done_) / total_);
        return control_.proceed(before_ + share * (after_ - before_));
    }

private:
    RunControl& control_;
    const std::thread::id caller_;
    const double total_, before_, after_;
    std::atomic<int64> done_;
    std::atomic<bool> stopped_;
};

//! Packed descriptors and scores of one thread.
struct Workspace
{
    Mat_<uchar> rows, columns;
    std::vector<int> scores;
};

//! One pair of views: the rows of own in chunks, each with separate candidates for the points of other.
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

double pairWork(const Mat& a, const Mat& b)
{
    return static_cast<double>(a.rows) * b.rows * std::max(a.cols, b.cols);
}

uchar* room(Mat_<uchar>& buffer, size_t bytes)
{
    if (buffer.total() < bytes)
        buffer.create(1, static_cast<int>(bytes));
    return buffer.data;
}

bool compareChunk(const std::vector<Mat>& views, const DescriptorScores& scores, Job& job,
                  size_t number, Workspace& space, WorkCounter& counter)
{
    const Mat& a = views[job.result.own];
    const Mat& b = views[job.result.other];
    const bool same = job.result.own == job.result.other;
    const int firstRow = static_cast<int>(number) * CHUNK_ROWS;
    const int rows = std::min(CHUNK_ROWS, a.rows - firstRow);
    const int stripRows = scores.stripRows();
    const size_t packedBytes = scores.packedBytes();
    const int strips = (rows + stripRows - 1) / stripRows;
    uchar* packedRows = room(space.rows, packedBytes * static_cast<size_t>(strips * stripRows));
    uchar* packedColumns = room(space.columns, packedBytes * BLOCK_COLUMNS);
    space.scores.resize(static_cast<size_t>(stripRows) * BLOCK_COLUMNS);
    scores.packRows(a, firstRow, rows, packedRows);

    ScoreStrip strip;
    strip.scores = space.scores.data();
    strip.stride = BLOCK_COLUMNS;
    for (int firstColumn = 0; firstColumn < b.rows; firstColumn += BLOCK_COLUMNS)
    {
        const int columns = std::min(BLOCK_COLUMNS, b.rows - firstColumn);
        scores.packColumns(b, firstColumn, columns, packedColumns);
        strip.firstColumn = firstColumn;
        strip.columns = static_cast<int>(
            alignSize(static_cast<size_t>(columns), std::max(SCAN_GROUP, scores.panelColumns())));
        for (int r = 0; r < rows; r += stripRows)
        {
            scores.strip(packedRows + packedBytes * static_cast<size_t>(r), packedColumns,
                         strip.columns, space.scores.data(), strip.stride);
            strip.firstRow = firstRow + r;
            strip.rows = std::min(stripRows, rows - r);
            for (int i = 0; i < strip.rows; ++i)
            {
                int* row = space.scores.data() + i * strip.stride;
                std::fill(row + columns, row + strip.columns, NO_SCORE);
                const int self = strip.firstRow + i - firstColumn;
                if (same && self >= 0 && self < columns)
                    row[self] = NO_SCORE;
            }
            scanStrip(strip, job.result.ofOwn, job.ofOther[number]);
        }
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
        job.ofOther[c].reset(other, same ? 0 : std::min(keep, own));
}

//! Candidates of later chunks have larger indices, so they come in order.
void mergeChunks(Job& job)
{
    NearestLists& all = job.result.ofOther;
    std::swap(all, job.ofOther[0]);
    for (size_t c = 1; c < job.ofOther.size(); ++c)
        for (int q = 0; q < all.size(); ++q)
            for (const Candidate* n = job.ofOther[c].begin(q); n != job.ofOther[c].end(q); ++n)
                if (n->score < all.bounds()[q])
                    all.insert(q, n->score, n->index);
}

//! The jobs of the next pairs, as many as may be in memory together. next: the first pair, moved behind the last.
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
        work += pairWork(a, b);
        jobs.push_back(job);
    }
    return jobs;
}

//! All chunks of the jobs in order. Returns the first chunk of each batch, and at the end the number of chunks.
std::vector<size_t> divide(std::vector<Job>& jobs, const std::vector<Mat>& views,
                           std::vector<Chunk>& chunks)
{
    std::vector<size_t> batches(1, 0);
    double batchWork = 0;
    for (size_t j = 0; j < jobs.size(); ++j)
    {
        const double share = pairWork(views[jobs[j].result.own], views[jobs[j].result.other]) /
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
        work += pairWork(views[pairs.at<int>(r, 0)], views[pairs.at<int>(r, 1)]);
    return work;
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
