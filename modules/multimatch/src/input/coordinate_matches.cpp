// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "../base/checks.hpp"
#include "../base/kd_tree.hpp"
#include "../base/statistics.hpp"
#include "input.hpp"

#include "opencv2/multimatch/coordinate_matches.hpp"

namespace cv { namespace multimatch {

CoordinateMatches::CoordinateMatches() : first(-1), second(-1) {}

ClusteredMatches::ClusteredMatches() : radius(0) {}

namespace {

//! Share of the distance of neighboring matches that a key point may be wide; chosen, see
//! clusterRadius().
const double RADIUS_OF_SPACING = 0.2;

//! Steps of the lattice that coordinates are rounded to, per radius.
const int STEPS = 32;
//! Squared distance in steps of coordinates whose distance, after rounding by up to a diagonal of
//! half a step each, is below the radius.
const int64 WITHIN_RADIUS = 935; // (32 - sqrt(2))^2
//! Squared radius in steps of the density: half of the radius.
const int64 WITHIN_HALF = STEPS * STEPS / 4;

bool isReal(const Mat& values)
{
    return values.depth() == CV_32F || values.depth() == CV_64F;
}

//! A matrix of N rows of two coordinates from N x 2 or N x 1 of two channels.
Mat coordinates(InputArray given, const char* name)
{
    const Mat points = given.getMat();
    if (points.empty())
        return Mat_<float>(0, 2);
    if (!isReal(points) || points.cols * points.channels() != 2)
        CV_Error_(Error::StsBadArg,
                  ("%s is %d x %d of %d channels and depth %d, expected N x 2 of CV_32F or CV_64F",
                   name, points.rows, points.cols, points.channels(), points.depth()));
    Mat_<double> result;
    (points.isContinuous() ? points : points.clone())
        .reshape(1, points.rows)
        .convertTo(result, CV_64F);
    return result;
}

//! One match of the given ones, first < second.
struct Row
{
    int first, second;
    double x[4];
    double score;
    int entry, row; //!< in the given matches
    bool swapped;   //!< first and second are

    bool operator<(const Row& other) const
    {
        if (first != other.first)
            return first < other.first;
        if (second != other.second)
            return second < other.second;
        for (int c = 0; c < 4; ++c)
            if (x[c] != other.x[c])
                return x[c] < other.x[c];
        return score < other.score;
    }
};

void checkEntry(const CoordinateMatches& given, size_t n, int viewCount)
{
    if (given.first < 0 || given.second < 0 || given.first == given.second ||
        (viewCount > 0 && std::max(given.first, given.second) >= viewCount))
        CV_Error_(Error::StsOutOfRange,
                  ("matches[%zu] is of view %d and view %d, expected two different ones%s", n,
                   given.first, given.second,
                   viewCount > 0 ? format(" below %d", viewCount).c_str() : ""));
    if (!given.points.empty() &&
        (!isReal(given.points) || given.points.channels() != 1 || given.points.cols != 4))
        CV_Error_(Error::StsBadArg,
                  ("matches[%zu].points is %d x %d of %d channels and depth %d, expected N x 4 of "
                   "CV_32F or CV_64F",
                   n, given.points.rows, given.points.cols, given.points.channels(),
                   given.points.depth()));
    if (given.scores.empty())
        return;
    if (!isReal(given.scores) || given.scores.channels() != 1 ||
        std::min(given.scores.rows, given.scores.cols) != 1)
        CV_Error_(
            Error::StsBadArg,
            ("matches[%zu].scores is %d x %d of %d channels and depth %d, expected a vector of "
             "CV_32F or CV_64F",
             n, given.scores.rows, given.scores.cols, given.scores.channels(),
             given.scores.depth()));
    if (static_cast<int>(given.scores.total()) != given.points.rows)
        CV_Error_(Error::StsUnmatchedSizes,
                  ("matches[%zu].scores has %d values but points has %d rows", n,
                   static_cast<int>(given.scores.total()), given.points.rows));
}

//! All given matches, sorted.
std::vector<Row> sortedRows(const std::vector<CoordinateMatches>& matches, int viewCount)
{
    std::vector<Row> rows;
    for (size_t n = 0; n < matches.size(); ++n)
    {
        const CoordinateMatches& given = matches[n];
        checkEntry(given, n, viewCount);
        if (given.points.empty())
            continue;
        Mat_<double> points, scores;
        given.points.convertTo(points, CV_64F);
        const Mat flat = given.scores.isContinuous() ? given.scores : given.scores.clone();
        if (!flat.empty())
            flat.reshape(1, points.rows).convertTo(scores, CV_64F);
        const bool swapped = given.first > given.second;
        for (int r = 0; r < points.rows; ++r)
        {
            Row row;
            row.first = std::min(given.first, given.second);
            row.second = std::max(given.first, given.second);
            for (int c = 0; c < 4; ++c)
            {
                row.x[c] = points(r, swapped ? (c + 2) % 4 : c) + 0.0; // not -0
                if (!std::isfinite(row.x[c]))
                    CV_Error_(
                        Error::StsBadArg,
                        ("matches[%zu].points has the value %f in row %d, expected finite values",
                         n, row.x[c], r));
            }
            row.score = scores.empty() ? 1. : scores(r, 0);
            if (!(row.score >= 0) || !std::isfinite(row.score))
                CV_Error_(Error::StsOutOfRange,
                          ("matches[%zu].scores has the value %f in row %d, expected 0 or more", n,
                           row.score, r));
            row.entry = static_cast<int>(n);
            row.row = r;
            row.swapped = swapped;
            rows.push_back(row);
        }
    }
    std::sort(rows.begin(), rows.end());
    return rows;
}

//! Distances of the places of one view in one pair of views to the nearest other place.
void appendSpacing(const std::vector<Row>& rows, size_t begin, size_t end, int side,
                   std::vector<float>& spacing)
{
    Mat_<float> places(static_cast<int>(end - begin), 2);
    for (size_t r = begin; r < end; ++r)
        for (int c = 0; c < 2; ++c)
            places(static_cast<int>(r - begin), c) = static_cast<float>(rows[r].x[2 * side + c]);
    const KdTree tree(places);
    for (int p = 0; p < places.rows; ++p)
    {
        const float squared = tree.closestElsewhere(places.ptr<float>(p));
        if (std::isfinite(squared))
            spacing.push_back(std::sqrt(squared));
    }
}

//! First row of the next pair of views.
size_t endOfPair(const std::vector<Row>& rows, size_t begin)
{
    size_t end = begin;
    while (end < rows.size() && rows[end].first == rows[begin].first &&
           rows[end].second == rows[begin].second)
        ++end;
    return end;
}

double radiusOf(const std::vector<Row>& rows)
{
    std::vector<float> spacing;
    for (size_t begin = 0, end; begin < rows.size(); begin = end)
    {
        end = endOfPair(rows, begin);
        appendSpacing(rows, begin, end, 0, spacing);
        appendSpacing(rows, begin, end, 1, spacing);
    }
    return spacing.empty() ? 1 : RADIUS_OF_SPACING * static_cast<double>(medianOf(spacing));
}

//! One end of a match.
struct End
{
    int64 column, line; //!< on the lattice
    double x, y, score;
    int row, side; //!< in the sorted rows

    bool operator<(const End& other) const
    {
        return line != other.line       ? line < other.line
               : column != other.column ? column < other.column
               : x != other.x           ? x < other.x
               : y != other.y           ? y < other.y
               : score != other.score   ? score < other.score
               : row != other.row       ? row < other.row
                                        : side < other.side;
    }
};

//! The ends on one place of the lattice.
struct Place
{
    int64 column, line;
    double score;   //!< sum
    double density; //!< sum of the scores within half the radius, those at the rim weigh less
    int cluster;    //!< -1: none yet

    int64 squaredDistance(const Place& other) const
    {
        const int64 dx = column - other.column, dy = line - other.line;
        return dx * dx + dy * dy;
    }
};

//! Cells of one radius; the places of three neighboring cells of a row follow each other.
class Grid
{
public:
    //! places: ascending by line, then column.
    explicit Grid(const std::vector<Place>& places) : places_(places), order_(places.size())
    {
        std::iota(order_.begin(), order_.end(), 0);
        std::sort(order_.begin(), order_.end(), [&](int a, int b) {
            const Cell x = cellOf(a), y = cellOf(b);
            return x != y ? x < y : a < b;
        });
    }

    //! Calls body for all places within the squared distance of p, which is at most one radius.
    template<typename Body>
    void around(int p, int64 squared, const Body& body) const
    {
        const Cell cell = cellOf(p);
        for (int64 line = cell.first - 1; line <= cell.first + 1; ++line)
        {
            const Cell from(line, cell.second - 1), to(line, cell.second + 1);
            for (std::vector<int>::const_iterator q = std::lower_bound(
                     order_.begin(), order_.end(), from,
                     [&](int place, const Cell&wanted) { return cellOf(place) < wanted; });
                 q != order_.end() && cellOf(*q) <= to; ++q)
                if (places_[*q].squaredDistance(places_[p]) <= squared)
                    body(*q);
        }
    }

private:
    typedef std::pair<int64, int64> Cell; // line, column

    Cell cellOf(int p) const { return Cell(cell(places_[p].line), cell(places_[p].column)); }
    static int64 cell(int64 step)
    {
        return step >= 0 ? step / STEPS : -((STEPS - 1 - step) / STEPS);
    }

    const std::vector<Place>& places_;
    std::vector<int> order_;
};

//! The clusters of the places, each as its center took them.
std::vector<std::vector<int>> clustersOf(std::vector<Place>& places)
{
    const Grid grid(places);
    std::vector<int> order(places.size());
    for (size_t p = 0; p < places.size(); ++p)
    {
        order[p] = static_cast<int>(p);
        grid.around(order[p], WITHIN_HALF, [&](int q) {
            const double squared = static_cast<double>(places[q].squaredDistance(places[p]));
            places[p].density += places[q].score * (1 - squared / WITHIN_HALF);
        });
    }
    // Equal densities: the upper, then the left one, as places are sorted.
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return places[a].density > places[b].density; });
    std::vector<std::vector<int>> clusters;
    std::vector<std::pair<int64, int>> candidates;
    for (int center : order)
    {
        if (places[center].cluster >= 0)
            continue;
        candidates.clear();
        grid.around(center, WITHIN_RADIUS, [&](int q) {
            if (places[q].cluster < 0)
                candidates.push_back(std::make_pair(places[q].squaredDistance(places[center]), q));
        });
        std::sort(candidates.begin(), candidates.end());
        std::vector<int> members;
        for (const std::pair<int64, int>& candidate : candidates)
        {
            const Place& place = places[candidate.second];
            const bool near = std::all_of(members.begin(), members.end(), [&](int member) {
                return places[member].squaredDistance(place) <= WITHIN_RADIUS;
            });
            if (!near)
                continue;
            members.push_back(candidate.second);
            places[candidate.second].cluster = static_cast<int>(clusters.size());
        }
        clusters.push_back(members);
    }
    return clusters;
}

//! Mean of places weighted by scores; scores that are all 0 count equally.
class WeightedMean
{
public:
    WeightedMean() : x_(0), y_(0), plainX_(0), plainY_(0), sum_(0), count_(0) {}
    void add(double x, double y, double score)
    {
        x_ += score * x;
        y_ += score * y;
        plainX_ += x;
        plainY_ += y;
        sum_ += score;
        ++count_;
    }
    double sum() const { return sum_; }
    bool empty() const { return count_ == 0; }
    Point2f mean() const
    {
        return sum_ > 0 ? Point2f(static_cast<float>(x_ / sum_), static_cast<float>(y_ / sum_))
                        : Point2f(static_cast<float>(plainX_ / count_),
                                  static_cast<float>(plainY_ / count_));
    }

private:
    double x_, y_, plainX_, plainY_, sum_;
    int count_;
};

//! The key points of one view, and of each row the index of its key point there. ends is reordered.
std::vector<KeyPoint> keyPointsOf(std::vector<End>& ends, double radius,
                                  std::vector<Vec2i>& pointsOfRows)
{
    std::sort(ends.begin(), ends.end());
    std::vector<Place> places;
    std::vector<int> placeOf(ends.size());
    for (size_t e = 0; e < ends.size(); ++e)
    {
        if (places.empty() || places.back().line != ends[e].line ||
            places.back().column != ends[e].column)
        {
            const Place place = {ends[e].column, ends[e].line, 0., 0., -1};
            places.push_back(place);
        }
        places.back().score += ends[e].score;
        placeOf[e] = static_cast<int>(places.size()) - 1;
    }
    const size_t count = clustersOf(places).size();
    std::vector<WeightedMean> means(count);
    for (size_t e = 0; e < ends.size(); ++e)
        means[places[placeOf[e]].cluster].add(ends[e].x, ends[e].y, ends[e].score);

    std::vector<int> order(count), numberOf(count);
    std::iota(order.begin(), order.end(), 0);
    std::vector<Point2f> points(count);
    for (size_t c = 0; c < count; ++c)
        points[c] = means[c].mean();
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return points[a].x != points[b].x ? points[a].x < points[b].x : points[a].y < points[b].y;
    });
    std::vector<KeyPoint> keypoints;
    for (size_t c = 0; c < count; ++c)
    {
        numberOf[order[c]] = static_cast<int>(c);
        keypoints.push_back(KeyPoint(points[order[c]], static_cast<float>(radius), -1,
                                     static_cast<float>(means[order[c]].sum())));
    }
    for (size_t e = 0; e < ends.size(); ++e)
        pointsOfRows[ends[e].row][ends[e].side] = numberOf[places[placeOf[e]].cluster];
    return keypoints;
}

//! The ends of all rows, per view.
std::vector<std::vector<End>> endsOf(const std::vector<Row>& rows, size_t views, double radius)
{
    const double step = radius / STEPS;
    std::vector<std::vector<End>> ends(views);
    for (size_t r = 0; r < rows.size(); ++r)
        for (int side = 0; side < 2; ++side)
        {
            const double x = rows[r].x[2 * side], y = rows[r].x[2 * side + 1];
            // Squared differences of such numbers fit into 64 bits.
            if (std::max(std::abs(x), std::abs(y)) / step > 1e9)
                CV_Error_(Error::StsOutOfRange,
                          ("matches[%d].points has the coordinates (%g, %g) in row %d, expected at "
                           "most %g with a radius of %g",
                           rows[r].entry, x, y, rows[r].row, 1e9 * step, radius));
            const End end = {static_cast<int64>(std::floor(x / step + 0.5)),
                             static_cast<int64>(std::floor(y / step + 0.5)),
                             x,
                             y,
                             rows[r].score,
                             static_cast<int>(r),
                             side};
            ends[side ? rows[r].second : rows[r].first].push_back(end);
        }
    return ends;
}

//! Joins the rows of a pair of views that have both key points in common.
void appendPair(const std::vector<Row>& rows, const std::vector<Vec2i>& pointsOfRows, size_t begin,
                size_t end, ClusteredMatches& result, std::vector<double>& sums)
{
    std::vector<size_t> order(end - begin);
    std::iota(order.begin(), order.end(), begin);
    const auto key = [&](size_t r) {
        return std::make_pair(pointsOfRows[r][0], pointsOfRows[r][1]);
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return key(a) < key(b); });
    PairMatches pair(rows[begin].first, rows[begin].second);
    Mat_<float> places(0, 4);
    for (size_t n = 0; n < order.size();)
    {
        const std::pair<int, int> points = key(order[n]);
        WeightedMean means[2];
        for (; n < order.size() && key(order[n]) == points; ++n)
            for (int side = 0; side < 2; ++side)
            {
                const Row& row = rows[order[n]];
                means[side].add(row.x[2 * side], row.x[2 * side + 1], row.score);
            }
        const Point2f a = means[0].mean(), b = means[1].mean();
        places.push_back(Mat((Mat_<float>(1, 4) << a.x, a.y, b.x, b.y)));
        pair.matches.push_back(DMatch(points.first, points.second, pair.second, 0.f));
        sums.push_back(means[0].sum());
    }
    result.matches.push_back(pair);
    result.places.push_back(places);
}

} // namespace

CoordinateMatches::CoordinateMatches(int firstView, int secondView, InputArray points0,
                                     InputArray points1, InputArray scores_)
    : first(firstView), second(secondView)
{
    const Mat a = coordinates(points0, "points0"), b = coordinates(points1, "points1");
    if (a.rows != b.rows)
        CV_Error_(Error::StsUnmatchedSizes,
                  ("points0 has %d rows but points1 has %d", a.rows, b.rows));
    if (a.rows > 0)
        hconcat(a, b, points);
    points.convertTo(points, CV_32F);
    scores = scores_.getMat().clone();
    checkEntry(*this, 0, 0);
}

double clusterRadius(const std::vector<CoordinateMatches>& matches)
{
    return radiusOf(sortedRows(matches, 0));
}

ClusteredMatches clusterMatches(const std::vector<CoordinateMatches>& matches, int viewCount,
                                double radius)
{
    if (viewCount < 0)
        CV_Error_(Error::StsOutOfRange, ("viewCount is %d, expected 0 or more", viewCount));
    if (!(radius >= 0) || !std::isfinite(radius))
        CV_Error_(Error::StsOutOfRange, ("radius is %f, expected 0 or more", radius));
    const std::vector<Row> rows = sortedRows(matches, viewCount);
    ClusteredMatches result;
    result.radius = radius > 0 ? radius : radiusOf(rows);
    size_t views = static_cast<size_t>(viewCount);
    for (size_t n = 0; n < matches.size() && viewCount == 0; ++n)
        views =
            std::max(views, static_cast<size_t>(std::max(matches[n].first, matches[n].second)) + 1);

    std::vector<std::vector<End>> ends = endsOf(rows, views, result.radius);
    std::vector<Vec2i> pointsOfRows(rows.size());
    result.keypoints.resize(views);
    parallel_for_(Range(0, static_cast<int>(views)), [&](const Range& range) {
        for (int v = range.start; v < range.end; ++v)
            result.keypoints[v] = keyPointsOf(ends[v], result.radius, pointsOfRows);
    });

    std::vector<double> sums;
    for (size_t begin = 0, end; begin < rows.size(); begin = end)
    {
        end = endOfPair(rows, begin);
        appendPair(rows, pointsOfRows, begin, end, result, sums);
    }
    const double largest =
        sums.empty() ? 1 : std::max(1., *std::max_element(sums.begin(), sums.end()));
    size_t next = 0;
    for (PairMatches& pair : result.matches)
        for (DMatch& match : pair.matches)
            match.distance = static_cast<float>(sums[next++] / largest);

    for (const CoordinateMatches& given : matches)
        result.pointsOfRows.push_back(Mat_<int>(given.points.rows, 2));
    for (size_t r = 0; r < rows.size(); ++r)
        for (int side = 0; side < 2; ++side)
            result.pointsOfRows[rows[r].entry].at<int>(
                rows[r].row, rows[r].swapped ? 1 - side : side) = pointsOfRows[r][side];
    return result;
}

std::vector<std::vector<KeyPoint>> refineKeyPoints(const ClusteredMatches& clustered,
                                                   const Tracks& tracks)
{
    const std::vector<int> sizes = sizesOf(clustered.keypoints);
    checkSizes(tracks, sizes, "clustered.keypoints");
    checkMatches(clustered.matches, sizes, true);
    if (clustered.places.size() != clustered.matches.size())
        CV_Error_(Error::StsUnmatchedSizes,
                  ("clustered.places has %zu entries but clustered.matches has %zu",
                   clustered.places.size(), clustered.matches.size()));
    std::vector<std::vector<WeightedMean>> means(sizes.size());
    for (size_t v = 0; v < sizes.size(); ++v)
        means[v].resize(sizes[v]);
    for (size_t n = 0; n < clustered.matches.size(); ++n)
    {
        const PairMatches& pair = clustered.matches[n];
        const Mat& places = clustered.places[n];
        if (places.rows != static_cast<int>(pair.matches.size()) ||
            (places.rows > 0 && (places.cols != 4 || places.type() != CV_32F)))
            CV_Error_(Error::StsUnmatchedSizes,
                      ("clustered.places[%zu] is %d x %d of type %d, expected %zu x 4 of CV_32F", n,
                       places.rows, places.cols, places.type(), pair.matches.size()));
        for (int m = 0; m < places.rows; ++m)
        {
            const DMatch& match = pair.matches[m];
            const int id = tracks.ids(pair.first)[match.queryIdx];
            if (id < 0 || id != tracks.ids(pair.second)[match.trainIdx])
                continue;
            const float* x = places.ptr<float>(m);
            means[pair.first][match.queryIdx].add(x[0], x[1], match.distance);
            means[pair.second][match.trainIdx].add(x[2], x[3], match.distance);
        }
    }
    std::vector<std::vector<KeyPoint>> keypoints = clustered.keypoints;
    for (size_t v = 0; v < means.size(); ++v)
        for (size_t p = 0; p < means[v].size(); ++p)
            if (!means[v][p].empty())
                keypoints[v][p].pt = means[v][p].mean();
    return keypoints;
}

}} // namespace cv::multimatch
