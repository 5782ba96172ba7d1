// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "../base/checks.hpp"
#include "../base/parameters.hpp"
#include "canvas.hpp"

#include "opencv2/imgproc.hpp"

namespace cv { namespace multimatch {

namespace {

const Vec3b BACKGROUND(26, 23, 22);
const Vec3b EMPTY_TILE(62, 58, 56);
const Vec3b OUTLINE(18, 16, 16);
const Vec3b UNMATCHED(190, 190, 190);

// Width over height of a mosaic whose number of columns is chosen here.
const double SCREEN_ASPECT = 1.7;

// Where each view lies on the canvas, and what a pixel of it measures there.
struct Mosaic
{
    Size size;
    int columns;
    std::vector<Rect> tiles;
    std::vector<double> scales;

    Point2d place(int view, const Point2f& point) const
    {
        // Pixel centers have integer coordinates, so scaling is about the corner at (-0.5, -0.5).
        const Rect& tile = tiles[view];
        const double scale = scales[view];
        return Point2d(tile.x + (point.x + 0.5) * scale - 0.5,
                       tile.y + (point.y + 0.5) * scale - 0.5);
    }
};

// One line of a track from dot to dot.
struct Link
{
    Point2d from, to;
    float confidence;
};

void checkInput(const std::vector<Mat>& images, const std::vector<std::vector<KeyPoint>>& keypoints,
                const Tracks& tracks, const DrawTracksParams& params)
{
    checkRange("maxTracks", params.maxTracks, 0, false, INT_MAX, "0 (all) or more");
    checkRange("columns", params.columns, 0, false, INT_MAX, "0 (chosen) or more");
    checkRange("tileWidth", params.tileWidth, 1, false, INT_MAX, "1 or more");
    for (size_t n = 0; n < params.tracks.size(); ++n)
        if (params.tracks[n] < 0 || params.tracks[n] >= tracks.size())
            CV_Error_(Error::StsOutOfRange,
                      ("track %d does not exist, there are %d", params.tracks[n], tracks.size()));

    const int viewCount = tracks.viewCount();
    if (static_cast<int>(images.size()) != viewCount)
        CV_Error_(Error::StsUnmatchedSizes, ("there are %d images but the tracks have %d views",
                                             (int)images.size(), viewCount));
    checkSizes(tracks, sizesOf(keypoints), "keypoints");
    if (viewCount == 0)
        CV_Error(Error::StsBadSize, "there are 0 views, expected at least 1");

    for (int i = 0; i < viewCount; ++i)
    {
        for (int p = 0; p < tracks.pointCount(i); ++p)
        {
            const Point2f& point = keypoints[i][p].pt;
            if (!std::isfinite(point.x) || !std::isfinite(point.y))
                CV_Error_(Error::StsBadArg,
                          ("keypoints[%d][%d] is at (%g, %g), expected finite coordinates", i, p,
                           point.x, point.y));
        }
        const Mat& image = images[i];
        const int channels = image.channels();
        if (!image.empty() &&
            (image.depth() != CV_8U || (channels != 1 && channels != 3 && channels != 4)))
            CV_Error_(Error::StsUnsupportedFormat,
                      ("images[%d] is of type %s, expected CV_8UC1, CV_8UC3 or CV_8UC4", i,
                       typeToString(image.type()).c_str()));
    }
}

// Size in the view's own pixels; a view without picture is as large as its points need.
Size2d extentOf(const Mat& image, const std::vector<KeyPoint>& keypoints, const Size& usual)
{
    if (!image.empty())
        return Size2d(image.cols, image.rows);
    Size2d extent(usual.width, usual.height);
    for (size_t p = 0; p < keypoints.size(); ++p)
    {
        extent.width = std::max(extent.width, keypoints[p].pt.x + 1.0);
        extent.height = std::max(extent.height, keypoints[p].pt.y + 1.0);
    }
    return extent;
}

// About as wide as a screen, with few empty places in the last row.
int chosenColumns(int viewCount, double tileAspect)
{
    int best = 1;
    double bestCost = std::numeric_limits<double>::max();
    for (int columns = 1; columns <= viewCount; ++columns)
    {
        const int rows = (viewCount + columns - 1) / columns;
        const double aspect = tileAspect * columns / rows;
        const double emptyShare = 1.0 - viewCount / static_cast<double>(rows * columns);
        const double cost = std::abs(std::log(aspect / SCREEN_ASPECT)) + 4.0 * emptyShare;
        if (cost < bestCost)
        {
            bestCost = cost;
            best = columns;
        }
    }
    return best;
}

Mosaic layOut(const std::vector<Mat>& images, const std::vector<std::vector<KeyPoint>>& keypoints,
              const DrawTracksParams& params)
{
    const int viewCount = static_cast<int>(images.size());
    Size usual(4, 3);
    for (int i = viewCount - 1; i >= 0; --i)
        if (!images[i].empty())
            usual = images[i].size();

    Mosaic mosaic;
    double aspectSum = 0.0;
    for (int i = 0; i < viewCount; ++i)
    {
        const Size2d extent = extentOf(images[i], keypoints[i], usual);
        const double scale = params.tileWidth / extent.width;
        const int height = std::max(1, cvRound(extent.height * scale));
        mosaic.tiles.push_back(Rect(0, 0, params.tileWidth, height));
        mosaic.scales.push_back(scale);
        aspectSum += params.tileWidth / static_cast<double>(height);
    }
    mosaic.columns = params.columns > 0 ? std::min(params.columns, viewCount)
                                        : chosenColumns(viewCount, aspectSum / viewCount);

    const int gap = std::max(2, params.tileWidth / 80);
    int y = gap;
    for (int first = 0; first < viewCount; first += mosaic.columns)
    {
        const int last = std::min(viewCount, first + mosaic.columns);
        int rowHeight = 0;
        for (int i = first; i < last; ++i)
            rowHeight = std::max(rowHeight, mosaic.tiles[i].height);
        for (int i = first; i < last; ++i)
        {
            mosaic.tiles[i].x = gap + (i - first) * (params.tileWidth + gap);
            mosaic.tiles[i].y = y + (rowHeight - mosaic.tiles[i].height) / 2;
        }
        y += rowHeight + gap;
    }
    mosaic.size = Size(gap + mosaic.columns * (params.tileWidth + gap), y);
    return mosaic;
}

// The picture with half of its saturation and darker, so that the tracks stand out.
void paintTile(const Mat& image, Mat tile)
{
    if (image.empty())
    {
        tile.setTo(EMPTY_TILE);
        return;
    }
    Mat resized, color, gray;
    resize(image, resized, tile.size(), 0, 0, image.cols > tile.cols ? INTER_AREA : INTER_LINEAR);
    if (resized.channels() == 1)
        cvtColor(resized, color, COLOR_GRAY2BGR);
    else if (resized.channels() == 4)
        cvtColor(resized, color, COLOR_BGRA2BGR);
    else
        color = resized;
    cvtColor(color, gray, COLOR_BGR2GRAY);
    cvtColor(gray, gray, COLOR_GRAY2BGR);
    addWeighted(color, 0.35, gray, 0.3, 2.0, tile);
}

/* Lines of a track: along each row of the mosaic from view to view, and once, where it is shortest,
from each row to the next. Following the order of the views instead would draw a line across the
whole picture at every end of a row. */
std::vector<Link> linksOf(const std::vector<Observation>& track,
                          const std::vector<std::vector<KeyPoint>>& keypoints, const Mosaic& mosaic)
{
    std::vector<Link> links;
    size_t rowBegin = 0, previousBegin = 0;
    for (size_t o = 1; o < track.size(); ++o)
    {
        const int row = track[o].view / mosaic.columns;
        if (row != track[rowBegin].view / mosaic.columns)
        {
            previousBegin = rowBegin;
            rowBegin = o;
        }
        const Observation& current = track[o];
        const Point2d to = mosaic.place(current.view, keypoints[current.view][current.point].pt);
        if (o > rowBegin)
        {
            const Observation& before = track[o - 1];
            const Point2d from = mosaic.place(before.view, keypoints[before.view][before.point].pt);
            links.push_back(Link{from, to, std::min(before.confidence, current.confidence)});
        }
        const bool rowEnds = o + 1 == track.size() || track[o + 1].view / mosaic.columns != row;
        if (!rowEnds || rowBegin == 0)
            continue;

        Link shortest = Link();
        double shortestLength = std::numeric_limits<double>::max();
        for (size_t a = previousBegin; a < rowBegin; ++a)
            for (size_t b = rowBegin; b <= o; ++b)
            {
                const Point2d upper =
                    mosaic.place(track[a].view, keypoints[track[a].view][track[a].point].pt);
                const Point2d lower =
                    mosaic.place(track[b].view, keypoints[track[b].view][track[b].point].pt);
                const double length = std::hypot(upper.x - lower.x, upper.y - lower.y);
                if (length < shortestLength)
                {
                    shortestLength = length;
                    shortest =
                        Link{upper, lower, std::min(track[a].confidence, track[b].confidence)};
                }
            }
        links.push_back(shortest);
    }
    return links;
}

// Track ids, the longest first, then the most confident.
std::vector<int> rankTracks(const Tracks& tracks)
{
    std::vector<double> meanConfidence(tracks.size(), 0.0);
    std::vector<int> lengths(tracks.size(), 0);
    for (int t = 0; t < tracks.size(); ++t)
    {
        const std::vector<Observation> track = tracks.track(t);
        lengths[t] = static_cast<int>(track.size());
        for (size_t o = 0; o < track.size(); ++o)
            meanConfidence[t] += track[o].confidence / track.size();
    }
    std::vector<int> ids(tracks.size());
    std::iota(ids.begin(), ids.end(), 0);
    std::stable_sort(ids.begin(), ids.end(), [&](int a, int b) {
        return lengths[a] != lengths[b] ? lengths[a] > lengths[b]
                                        : meanConfidence[a] > meanConfidence[b];
    });
    return ids;
}

/* The first maxTracks of the ranking whose points are not too close to each other: otherwise the
longest tracks, often on one detail, would hide each other. If these are too few, the next in rank,
whatever their distance. */
std::vector<int> chooseTracks(const Tracks& tracks,
                              const std::vector<std::vector<KeyPoint>>& keypoints,
                              const Mosaic& mosaic, int maxTracks, double room)
{
    std::vector<int> ranking = rankTracks(tracks);
    if (maxTracks == 0 || static_cast<int>(ranking.size()) <= maxTracks)
        return ranking;
    std::vector<int> chosen, crowded;
    std::vector<std::vector<Point2d>> taken(keypoints.size());
    for (size_t r = 0; r < ranking.size() && static_cast<int>(chosen.size()) < maxTracks; ++r)
    {
        const std::vector<Observation> track = tracks.track(ranking[r]);
        size_t crowdedViews = 0;
        for (size_t o = 0; o < track.size(); ++o)
        {
            const int view = track[o].view;
            const Point2d place = mosaic.place(view, keypoints[view][track[o].point].pt);
            for (size_t n = 0; n < taken[view].size(); ++n)
                if (std::hypot(place.x - taken[view][n].x, place.y - taken[view][n].y) < room)
                {
                    ++crowdedViews;
                    break;
                }
        }
        if (2 * crowdedViews > track.size())
        {
            crowded.push_back(ranking[r]);
            continue;
        }
        chosen.push_back(ranking[r]);
        for (size_t o = 0; o < track.size(); ++o)
            taken[track[o].view].push_back(
                mosaic.place(track[o].view, keypoints[track[o].view][track[o].point].pt));
    }
    for (size_t c = 0; c < crowded.size() && static_cast<int>(chosen.size()) < maxTracks; ++c)
        chosen.push_back(crowded[c]);
    return chosen;
}

} // namespace

DrawTracksParams::DrawTracksParams()
    : maxTracks(60), columns(0), tileWidth(400), lines(true), unmatchedPoints(true)
{
}

void drawTracks(InputArrayOfArrays images, const std::vector<std::vector<KeyPoint>>& keypoints,
                const Tracks& tracks, OutputArray out, const DrawTracksParams& params)
{
    std::vector<Mat> pictures;
    images.getMatVector(pictures);
    checkInput(pictures, keypoints, tracks, params);

    const Mosaic mosaic = layOut(pictures, keypoints, params);
    out.create(mosaic.size, CV_8UC3);
    Mat canvas = out.getMat();
    canvas.setTo(BACKGROUND);
    const int viewCount = tracks.viewCount();
    parallel_for_(Range(0, viewCount), [&](const Range& range) {
        for (int i = range.start; i < range.end; ++i)
            paintTile(pictures[i], canvas(mosaic.tiles[i]));
    });

    const double dotRadius = std::max(2.0, params.tileWidth / 110.0);
    const double lineWidth = std::max(1.0, params.tileWidth / 320.0);
    if (params.unmatchedPoints)
        for (int i = 0; i < viewCount; ++i)
        {
            const std::vector<int> ids = tracks.trackIds(i);
            for (size_t p = 0; p < ids.size(); ++p)
                if (ids[p] < 0)
                    blendDisc(canvas, mosaic.place(i, keypoints[i][p].pt), 0.35 * dotRadius,
                              UNMATCHED, 0.6);
        }

    const std::vector<int> ids =
        params.tracks.empty()
            ? chooseTracks(tracks, keypoints, mosaic, params.maxTracks, 5.0 * dotRadius)
            : params.tracks;
    const std::vector<Vec3b> colors = trackColors(ids);
    if (params.lines)
        for (size_t t = ids.size(); t-- > 0;)
        {
            const std::vector<Link> links = linksOf(tracks.track(ids[t]), keypoints, mosaic);
            for (size_t l = 0; l < links.size(); ++l)
                blendLine(canvas, links[l].from, links[l].to, lineWidth, colors[t],
                          0.15 + 0.55 * links[l].confidence);
        }
    // Dots last, the most important on top: no line hides a point.
    for (size_t t = ids.size(); t-- > 0;)
    {
        const std::vector<Observation> track = tracks.track(ids[t]);
        for (size_t o = 0; o < track.size(); ++o)
        {
            const Point2d center =
                mosaic.place(track[o].view, keypoints[track[o].view][track[o].point].pt);
            const double opacity = 0.25 + 0.75 * track[o].confidence;
            blendDisc(canvas, center, dotRadius + 1.0, OUTLINE, 0.8 * opacity);
            blendDisc(canvas, center, dotRadius, colors[t], opacity);
        }
    }
}

}} // namespace cv::multimatch
