// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "photo_sequence.hpp"

#include "opencv2/core/utility.hpp"
#include "opencv2/imgproc.hpp"
#include "opencv2/opencv_modules.hpp"
#ifdef HAVE_OPENCV_FEATURES2D
#include "opencv2/features2d.hpp"
#else
#include "opencv2/features.hpp" // the name since OpenCV 5
#endif
#ifdef HAVE_OPENCV_GEOMETRY
#include "opencv2/geometry.hpp" // getPerspectiveTransform since OpenCV 5
#endif

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>

namespace samples {

namespace {

const double PHOTO_SIDE = 900;      // px, longer side after scaling
const double MATCH_DISTANCE = 1.5;  // px from the mapped position, for a true point
const double MATCH_SCALE = 1.5;     // factor of the mapped size
const double MATCH_ANGLE = 25;      // degrees from the mapped orientation
const double OUTLIER_DISTANCE = 3;  // px, minimum distance of an outlier from all chosen points
const double OCCLUSION_SHARE = 0.2; // of width and height
const double OCCLUSION_MARGIN = 4;  // px around the rectangle without true points
const double SIFT_CONTRAST = 0.02;  // half of OpenCV's default, for more candidates
const int SPREAD_CELLS = 12;        // cells per side of the grid from which true points are drawn
const double GOLDEN_ANGLE = 137.50776; // degrees; gives well separated hues

template<typename T>
void shuffle(std::vector<T>& values, cv::RNG& rng)
{
    for (size_t n = values.size(); n > 1; --n)
        std::swap(values[n - 1], values[rng.uniform(0, static_cast<int>(n))]);
}

cv::Mat toGray(const cv::Mat& image)
{
    cv::Mat gray;
    cv::cvtColor(image, gray, cv::COLOR_BGR2GRAY);
    return gray;
}

cv::Mat workingPhoto(const cv::Mat& photo, double side = PHOTO_SIDE)
{
    if (photo.empty() || photo.depth() != CV_8U)
        CV_Error(cv::Error::StsBadArg,
                 cv::format("photo is %d x %d of depth %d, expected a picture of 8 bits",
                            photo.cols, photo.rows, photo.depth()));
    cv::Mat bgr;
    if (photo.channels() == 3)
        bgr = photo;
    else
        cv::cvtColor(photo, bgr, photo.channels() == 1 ? cv::COLOR_GRAY2BGR : cv::COLOR_BGRA2BGR);
    const double scale = side / std::max(bgr.cols, bgr.rows);
    cv::Mat result;
    cv::resize(bgr, result, cv::Size(), scale, scale, scale > 1 ? cv::INTER_CUBIC : cv::INTER_AREA);
    return result;
}

std::vector<cv::KeyPoint> detect(const cv::Mat& image)
{
    std::vector<cv::KeyPoint> keypoints;
    cv::SIFT::create(0, 3, SIFT_CONTRAST)->detect(toGray(image), keypoints);
    return keypoints;
}

// Fills the photograph, except a margin, with copies of the square that has the most key points.
void repeatPatch(cv::Mat& photo, int side, int gap)
{
    const int border = 20;
    if (side + 2 * border > std::min(photo.cols, photo.rows))
        CV_Error(cv::Error::StsOutOfRange,
                 cv::format("repeatPatch is %d, expected at most %d for a photograph of %d x %d",
                            side, std::min(photo.cols, photo.rows) - 2 * border, photo.cols,
                            photo.rows));
    cv::Mat count = cv::Mat::zeros(photo.size(), CV_32S);
    for (const cv::KeyPoint& keypoint : detect(photo))
        ++count.at<int>(cvFloor(keypoint.pt.y), cvFloor(keypoint.pt.x));
    cv::Mat sums;
    cv::integral(cv::Mat_<float>(count), sums, CV_64F);
    cv::Rect best(border, border, side, side);
    double bestCount = -1;
    for (int y = border; y + side <= photo.rows - border; y += 5)
        for (int x = border; x + side <= photo.cols - border; x += 5)
        {
            const double inside = sums.at<double>(y + side, x + side) -
                                  sums.at<double>(y, x + side) - sums.at<double>(y + side, x) +
                                  sums.at<double>(y, x);
            if (inside > bestCount)
            {
                bestCount = inside;
                best = cv::Rect(x, y, side, side);
            }
        }
    const cv::Mat patch = photo(best).clone();
    for (int y = border; y + side <= photo.rows - border; y += side + gap)
        for (int x = border; x + side <= photo.cols - border; x += side + gap)
            patch.copyTo(photo(cv::Rect(x, y, side, side)));
}

cv::Mat randomHomography(cv::Size size, double shift, cv::RNG& rng)
{
    const float w = static_cast<float>(size.width), h = static_cast<float>(size.height);
    const cv::Point2f corners[4] = {cv::Point2f(0, 0), cv::Point2f(w, 0), cv::Point2f(w, h),
                                    cv::Point2f(0, h)};
    cv::Point2f moved[4];
    for (int c = 0; c < 4; ++c)
    {
        const double dx = rng.uniform(-shift, shift) * w;
        const double dy = rng.uniform(-shift, shift) * h;
        moved[c] = corners[c] + cv::Point2f(static_cast<float>(dx), static_cast<float>(dy));
    }
    return cv::getPerspectiveTransform(corners, moved);
}

// Every second rectangle has one color; the others have a random texture that differs between
// views.
cv::Rect occlude(cv::Mat& image, cv::RNG& rng)
{
    const int w = cvRound(image.cols * OCCLUSION_SHARE), h = cvRound(image.rows * OCCLUSION_SHARE);
    const int x = rng.uniform(0, image.cols - w + 1), y = rng.uniform(0, image.rows - h + 1);
    const cv::Rect rect(x, y, w, h);
    cv::Mat target = image(rect);
    if (rng.uniform(0, 2))
    {
        cv::Mat coarse(std::max(2, h / 8), std::max(2, w / 8), CV_8UC3);
        rng.fill(coarse, cv::RNG::UNIFORM, 0, 256);
        cv::resize(coarse, target, rect.size(), 0, 0, cv::INTER_CUBIC);
    }
    else
    {
        const int b = rng.uniform(0, 256), g = rng.uniform(0, 256), r = rng.uniform(0, 256);
        target.setTo(cv::Scalar(b, g, r));
    }
    return rect;
}

// Gain, offset and noise as of a camera.
cv::Mat exposed(const cv::Mat& view, double contrast, double brightness, double noise, cv::RNG& rng)
{
    const double gain = rng.uniform(1 - contrast, 1 + contrast);
    const double offset = rng.uniform(-brightness, brightness);
    cv::Mat values, grain(view.size(), CV_32FC3), result;
    // The gain is applied around mid-gray, so that contrast and brightness are independent.
    view.convertTo(values, CV_32F, gain, 128 * (1 - gain) + offset);
    rng.fill(grain, cv::RNG::NORMAL, 0, noise);
    values += grain;
    values.convertTo(result, CV_8U);
    return result;
}

// Beyond its border the photograph is mirrored. This is part of the same plane, so the homographies
// hold there too.
cv::Mat renderView(const cv::Mat& photo, const cv::Mat& homography,
                   const PhotoSequenceParams& params, cv::RNG& rng, cv::Rect& hidden)
{
    cv::Mat view;
    cv::warpPerspective(photo, view, homography, photo.size(), cv::INTER_LINEAR,
                        cv::BORDER_REFLECT_101);
    hidden = cv::Rect();
    if (params.occlusion)
        hidden = occlude(view, rng);
    return exposed(view, params.contrast, params.brightness, params.noise, rng);
}

cv::Point2d mapPoint(const cv::Matx33d& h, const cv::Point2d& x)
{
    const cv::Vec3d y = h * cv::Vec3d(x.x, x.y, 1);
    return cv::Point2d(y[0] / y[2], y[1] / y[2]);
}

// Jacobian of the homography at x: scale and rotation of a small neighborhood.
cv::Matx22d derivative(const cv::Matx33d& h, const cv::Point2d& x)
{
    const cv::Point2d y = mapPoint(h, x);
    const double z = h(2, 0) * x.x + h(2, 1) * x.y + h(2, 2);
    return cv::Matx22d((h(0, 0) - y.x * h(2, 0)) / z, (h(0, 1) - y.x * h(2, 1)) / z,
                       (h(1, 0) - y.y * h(2, 0)) / z, (h(1, 1) - y.y * h(2, 1)) / z);
}

// The key point mapped to the view.
cv::KeyPoint mapKeyPoint(const cv::Matx33d& h, const cv::KeyPoint& keypoint)
{
    const cv::Matx22d j = derivative(h, keypoint.pt);
    const double angle = keypoint.angle * CV_PI / 180;
    const cv::Vec2d direction = j * cv::Vec2d(std::cos(angle), std::sin(angle));
    cv::KeyPoint mapped = keypoint;
    mapped.pt = mapPoint(h, keypoint.pt);
    mapped.size = static_cast<float>(keypoint.size * std::sqrt(std::abs(cv::determinant(j))));
    mapped.angle = static_cast<float>(std::atan2(direction[1], direction[0]) * 180 / CV_PI);
    return mapped;
}

double distance(const cv::Point2d& a, const cv::Point2d& b)
{
    return std::hypot(a.x - b.x, a.y - b.y);
}

bool isRedetection(const cv::KeyPoint& expected, const cv::KeyPoint& found)
{
    const double turn = std::remainder(double(expected.angle) - found.angle, 360.);
    const double scale = std::max(expected.size / found.size, found.size / expected.size);
    return distance(expected.pt, found.pt) < MATCH_DISTANCE && scale < MATCH_SCALE &&
           std::abs(turn) < MATCH_ANGLE;
}

// Grid of points for radius searches on an unbounded plane.
class PointGrid
{
public:
    explicit PointGrid(double cell) : cell_(cell), buckets_(4099) {}

    void add(const cv::Point2d& x, int id)
    {
        Entry entry = {cvFloor(x.x / cell_), cvFloor(x.y / cell_), id};
        buckets_[bucket(entry.column, entry.row)].push_back(entry);
    }

    // Ids in the cells around x: all points within one cell size, and some farther ones.
    std::vector<int> around(const cv::Point2d& x) const
    {
        std::vector<int> ids;
        const int column = cvFloor(x.x / cell_), row = cvFloor(x.y / cell_);
        for (int r = row - 1; r <= row + 1; ++r)
            for (int c = column - 1; c <= column + 1; ++c)
                for (const Entry& entry : buckets_[bucket(c, r)])
                    if (entry.column == c && entry.row == r)
                        ids.push_back(entry.id);
        return ids;
    }

private:
    struct Entry
    {
        int column, row, id;
    };

    size_t bucket(int column, int row) const
    {
        return (static_cast<unsigned>(column) * 73856093u ^
                static_cast<unsigned>(row) * 19349663u) %
               buckets_.size();
    }

    double cell_;
    std::vector<std::vector<Entry>> buckets_;
};

struct View
{
    cv::Matx33d fromPhoto, toPhoto;
    cv::Rect hidden;
    std::vector<cv::KeyPoint> found;
    PointGrid grid;

    View() : grid(MATCH_DISTANCE) {}
};

// For each point of the photograph and each view the corresponding key point, -1: none. A key point
// corresponds to at most one point.
std::vector<std::vector<int>> findRedetections(const std::vector<cv::KeyPoint>& photoPoints,
                                               const std::vector<View>& views)
{
    std::vector<std::vector<int>> shownBy(photoPoints.size(), std::vector<int>(views.size(), -1));
    for (size_t v = 0; v < views.size(); ++v)
    {
        const View& view = views[v];
        std::vector<int> owner(view.found.size(), -1);
        std::vector<double> ownerDistance(view.found.size(), 0);
        for (size_t p = 0; p < photoPoints.size(); ++p)
        {
            const cv::KeyPoint expected = mapKeyPoint(view.fromPhoto, photoPoints[p]);
            const cv::Rect_<double> hidden(view.hidden.x - OCCLUSION_MARGIN,
                                           view.hidden.y - OCCLUSION_MARGIN,
                                           view.hidden.width + 2 * OCCLUSION_MARGIN,
                                           view.hidden.height + 2 * OCCLUSION_MARGIN);
            if (view.hidden.area() > 0 && hidden.contains(cv::Point2d(expected.pt)))
                continue;
            int best = -1;
            double bestDistance = MATCH_DISTANCE;
            for (int q : view.grid.around(expected.pt))
            {
                const double d = distance(expected.pt, view.found[q].pt);
                if (d < bestDistance && isRedetection(expected, view.found[q]))
                {
                    best = q;
                    bestDistance = d;
                }
            }
            if (best < 0 || (owner[best] >= 0 && ownerDistance[best] <= bestDistance))
                continue;
            if (owner[best] >= 0)
                shownBy[owner[best]][v] = -1;
            owner[best] = static_cast<int>(p);
            ownerDistance[best] = bestDistance;
            shownBy[p][v] = best;
        }
    }
    return shownBy;
}

// Points of the photograph in random order, alternating between the cells of a grid, so that every
// prefix of the list is spread over the photograph.
std::vector<int> spreadOrder(const std::vector<cv::KeyPoint>& points, cv::Size size, cv::RNG& rng)
{
    std::vector<std::vector<int>> cells(SPREAD_CELLS * SPREAD_CELLS);
    for (size_t p = 0; p < points.size(); ++p)
    {
        const int column =
            std::min(SPREAD_CELLS - 1, int(points[p].pt.x * SPREAD_CELLS / size.width));
        const int row =
            std::min(SPREAD_CELLS - 1, int(points[p].pt.y * SPREAD_CELLS / size.height));
        cells[std::max(0, row) * SPREAD_CELLS + std::max(0, column)].push_back(static_cast<int>(p));
    }
    for (std::vector<int>& cell : cells)
        shuffle(cell, rng);
    std::vector<int> order;
    for (size_t turn = 0; order.size() < points.size(); ++turn)
    {
        std::vector<int> round;
        for (const std::vector<int>& cell : cells)
            if (turn < cell.size())
                round.push_back(cell[turn]);
        shuffle(round, rng);
        order.insert(order.end(), round.begin(), round.end());
    }
    return order;
}

// All points chosen so far, in coordinates of the photograph. Outliers must be far from them.
class ChosenPoints
{
public:
    // No view reduces the photograph by a factor of 4 or more, so a cell covers OUTLIER_DISTANCE in
    // every view.
    explicit ChosenPoints(const std::vector<View>& views)
        : views_(views), grid_(4 * OUTLIER_DISTANCE)
    {
    }

    void add(const cv::Point2d& onPhoto, int view)
    {
        grid_.add(onPhoto, static_cast<int>(positions_.size()));
        positions_.push_back(onPhoto);
        viewOf_.push_back(view);
    }

    // True if a position is far from all chosen points: on the photograph, in its own view, and in
    // the view of the chosen point. view < 0: tests the photograph only.
    bool isFree(const cv::Point2d& onPhoto, int view) const
    {
        for (int id : grid_.around(onPhoto))
            if (distance(onPhoto, positions_[id]) < OUTLIER_DISTANCE ||
                tooClose(onPhoto, positions_[id], view) ||
                tooClose(onPhoto, positions_[id], viewOf_[id]))
                return false;
        return true;
    }

private:
    bool tooClose(const cv::Point2d& a, const cv::Point2d& b, int view) const
    {
        return view >= 0 && distance(mapPoint(views_[view].fromPhoto, a),
                                     mapPoint(views_[view].fromPhoto, b)) < OUTLIER_DISTANCE;
    }

    const std::vector<View>& views_;
    PointGrid grid_;
    std::vector<cv::Point2d> positions_;
    std::vector<int> viewOf_;
};

void checkParams(const PhotoSequenceParams& params)
{
    if (params.views < 2)
        CV_Error(cv::Error::StsOutOfRange,
                 cv::format("views is %d, expected at least 2", params.views));
    if (!(params.cornerShift >= 0 && params.cornerShift <= 0.3))
        CV_Error(cv::Error::StsOutOfRange,
                 cv::format("cornerShift is %g, expected 0 to 0.3", params.cornerShift));
    if (params.points < 1)
        CV_Error(cv::Error::StsOutOfRange,
                 cv::format("points is %d, expected at least 1", params.points));
    if (!(params.outlierShare >= 0 && params.outlierShare < 1))
        CV_Error(cv::Error::StsOutOfRange,
                 cv::format("outlierShare is %g, expected 0 to below 1", params.outlierShare));
    if (params.minViews < 2 || params.minViews > params.views)
        CV_Error(cv::Error::StsOutOfRange, cv::format("minViews is %d, expected 2 to views (%d)",
                                                      params.minViews, params.views));
}

// A chosen key point of a view and its label.
typedef std::pair<int, int> Choice;

std::vector<View> renderViews(const PhotoSequenceParams& params, cv::RNG& rng,
                              PhotoSequence& sequence)
{
    std::vector<View> views(params.views);
    for (View& view : views)
    {
        const cv::Mat homography = randomHomography(sequence.photo.size(), params.cornerShift, rng);
        sequence.homographies.push_back(homography);
        view.fromPhoto = cv::Matx33d(homography);
        view.toPhoto = view.fromPhoto.inv();
        sequence.images.push_back(renderView(sequence.photo, homography, params, rng, view.hidden));
        view.found = detect(sequence.images.back());
        for (size_t q = 0; q < view.found.size(); ++q)
            view.grid.add(view.found[q].pt, static_cast<int>(q));
    }
    return views;
}

// Chooses key points of the photograph that views show again. Returns the number of these points.
int chooseTruePoints(const std::vector<View>& views, const PhotoSequenceParams& params,
                     const cv::Mat& photo, cv::RNG& rng, ChosenPoints& chosen,
                     std::vector<std::vector<Choice>>& choices)
{
    const std::vector<cv::KeyPoint> photoPoints = detect(photo);
    const std::vector<std::vector<int>> shownBy = findRedetections(photoPoints, views);
    const int wanted = cvRound(params.points * (1 - params.outlierShare)) * params.views;
    int observations = 0, points = 0;
    for (int p : spreadOrder(photoPoints, photo.size(), rng))
    {
        if (observations >= wanted)
            break;
        int seen = 0;
        bool free = chosen.isFree(photoPoints[p].pt, -1);
        for (int v = 0; v < params.views; ++v)
        {
            const int q = shownBy[p][v];
            seen += q >= 0;
            free = free &&
                   (q < 0 || chosen.isFree(mapPoint(views[v].toPhoto, views[v].found[q].pt), v));
        }
        if (seen < params.minViews || !free)
            continue;
        // The position on the photograph and the detected position in each view, which may differ
        // by a pixel.
        chosen.add(photoPoints[p].pt, -1);
        for (int v = 0; v < params.views; ++v)
            if (shownBy[p][v] >= 0)
            {
                const int q = shownBy[p][v];
                choices[v].push_back(Choice(q, points));
                chosen.add(mapPoint(views[v].toPhoto, views[v].found[q].pt), v);
            }
        ++points;
        observations += seen;
    }
    if (observations < wanted / 2)
        CV_Error(cv::Error::StsError,
                 cv::format("photo has %d points that are detected in %d views or more, %d "
                            "observations in all, expected %d",
                            points, params.minViews, observations, wanted));
    return points;
}

// Adds key points of the views that belong to no chosen point.
void chooseOutliers(const std::vector<View>& views, double share, cv::RNG& rng,
                    ChosenPoints& chosen, std::vector<std::vector<Choice>>& choices)
{
    std::vector<std::vector<int>> candidates(views.size());
    std::vector<size_t> next(views.size(), 0);
    std::vector<int> missing(views.size());
    for (size_t v = 0; v < views.size(); ++v)
    {
        candidates[v].resize(views[v].found.size());
        std::iota(candidates[v].begin(), candidates[v].end(), 0);
        shuffle(candidates[v], rng);
        missing[v] = cvRound(static_cast<double>(choices[v].size()) * share / (1 - share));
    }
    // Views choose in turns, so that all get outliers if there are few.
    for (bool active = true; active;)
    {
        active = false;
        for (size_t v = 0; v < views.size(); ++v)
            while (missing[v] > 0 && next[v] < candidates[v].size())
            {
                const int q = candidates[v][next[v]++];
                const cv::Point2d onPhoto = mapPoint(views[v].toPhoto, views[v].found[q].pt);
                if (!chosen.isFree(onPhoto, static_cast<int>(v)))
                    continue;
                chosen.add(onPhoto, static_cast<int>(v));
                choices[v].push_back(Choice(q, -1));
                --missing[v];
                active = true;
                break;
            }
    }
}

} // namespace

PhotoSequence makePhotoSequence(const cv::Mat& photo, const PhotoSequenceParams& params)
{
    checkParams(params);
    cv::RNG rng(params.seed * 0x9E3779B97F4A7C15ULL + 1);
    PhotoSequence sequence;
    sequence.photo = workingPhoto(photo);
    if (params.repeatPatch > 0)
        repeatPatch(sequence.photo, params.repeatPatch, params.repeatGap);
    const std::vector<View> views = renderViews(params, rng, sequence);
    ChosenPoints chosen(views);
    std::vector<std::vector<Choice>> choices(views.size());
    sequence.universeSize = chooseTruePoints(views, params, sequence.photo, rng, chosen, choices);
    chooseOutliers(views, params.outlierShare, rng, chosen, choices);

    const cv::Ptr<cv::SIFT> sift = cv::SIFT::create(0, 3, SIFT_CONTRAST);
    for (size_t v = 0; v < views.size(); ++v)
    {
        shuffle(choices[v], rng);
        std::vector<cv::KeyPoint> keypoints;
        std::vector<int> labels;
        for (const Choice& choice : choices[v])
        {
            keypoints.push_back(views[v].found[choice.first]);
            labels.push_back(choice.second);
        }
        cv::Mat descriptors;
        sift->compute(toGray(sequence.images[v]), keypoints, descriptors);
        CV_Assert(keypoints.size() == labels.size() &&
                  descriptors.rows == static_cast<int>(labels.size()));
        sequence.keypoints.push_back(keypoints);
        sequence.descriptors.push_back(descriptors);
        sequence.labels.push_back(labels);
    }
    return sequence;
}

CameraFlight makeCameraFlight(const cv::Mat& photo, const CameraFlightParams& params)
{
    if (params.frames < 2 || params.width < 32)
        CV_Error(cv::Error::StsOutOfRange,
                 cv::format("frames is %d and width is %d, expected at least 2 and 32",
                            params.frames, params.width));
    if (!(params.cornerShift >= 0 && params.cornerShift <= 0.3))
        CV_Error(cv::Error::StsOutOfRange,
                 cv::format("cornerShift is %g, expected 0 to 0.3", params.cornerShift));
    cv::RNG rng(params.seed * 0x9E3779B97F4A7C15ULL + 2);
    const cv::Mat picture = workingPhoto(photo, params.width);
    const float w = static_cast<float>(picture.cols), h = static_cast<float>(picture.rows);
    const cv::Point2f corners[4] = {cv::Point2f(0, 0), cv::Point2f(w, 0), cv::Point2f(w, h),
                                    cv::Point2f(0, h)};
    // Each coordinate of each corner swings at its own phase and frequency.
    double phase[8], frequency[8];
    for (int c = 0; c < 8; ++c)
    {
        phase[c] = rng.uniform(0., 2 * CV_PI);
        frequency[c] = rng.uniform(0.5, 1.);
    }
    cv::Mat cover(picture.rows / 5, picture.cols / 5, CV_8UC3),
        coarse(cover.rows / 8, cover.cols / 8, CV_8UC3);
    rng.fill(coarse, cv::RNG::UNIFORM, 0, 256);
    cv::resize(coarse, cover, cover.size(), 0, 0, cv::INTER_CUBIC);
    CameraFlight flight;
    for (int f = 0; f < params.frames; ++f)
    {
        const double t = static_cast<double>(f) / (params.frames - 1);
        cv::Point2f moved[4];
        for (int c = 0; c < 4; ++c)
            moved[c] =
                corners[c] +
                cv::Point2f(
                    static_cast<float>(params.cornerShift * w *
                                       std::sin(2 * CV_PI * frequency[2 * c] * t + phase[2 * c])),
                    static_cast<float>(
                        params.cornerShift * h *
                        std::sin(2 * CV_PI * frequency[2 * c + 1] * t + phase[2 * c + 1])));
        const cv::Mat homography = cv::getPerspectiveTransform(corners, moved);
        cv::Mat view;
        cv::warpPerspective(picture, view, homography, picture.size(), cv::INTER_LINEAR,
                            cv::BORDER_REFLECT_101);
        cv::Rect hidden;
        if (params.occlusion)
        {
            hidden = cv::Rect(cvRound((picture.cols - cover.cols) * t), picture.rows * 2 / 5,
                              cover.cols, cover.rows);
            cover.copyTo(view(hidden));
        }
        flight.images.push_back(
            exposed(view, params.contrast, params.brightness, params.noise, rng));
        flight.homographies.push_back(homography);
        flight.hidden.push_back(hidden);
    }
    return flight;
}

std::vector<std::string> examplePhotographs()
{
    // Photographs (no drawings, charts or logos) with thousands of SIFT points: each view needs
    // points that no other view has. Photographs whose texture is so distinctive that a ratio test
    // is nearly perfect are not used (fur, aerial views of houses).
    const char* const names[] = {"aloeL.jpg",     "board.jpg", "box_in_scene.png", "building.jpg",
                                 "butterfly.jpg", "graf1.png", "home.jpg",         "leuvenA.jpg"};
    const std::string folder = "/usr/share/doc/opencv-doc/examples/data/";
    std::vector<std::string> found;
    for (const char* name : names)
        if (std::ifstream((folder + name).c_str()).good())
            found.push_back(folder + name);
    return found;
}

cv::Mat renderedPhotograph(uint64_t seed)
{
    cv::RNG rng(seed * 0xD1342543DE82EF95ULL + 1);
    const cv::Size size(900, 675);
    // Noise at several scales, strongest at coarse scales as in natural images,
    cv::Mat sum = cv::Mat::zeros(size, CV_32FC3);
    for (int cell = 256; cell >= 4; cell /= 2)
    {
        cv::Mat coarse(size.height / cell + 2, size.width / cell + 2, CV_32FC3), fine;
        rng.fill(coarse, cv::RNG::UNIFORM, -1, 1);
        cv::resize(coarse, fine, size, 0, 0, cv::INTER_CUBIC);
        sum += fine * std::pow(cell / 256., 0.6);
    }
    cv::Mat picture;
    sum.convertTo(picture, CV_8U, 80, 128);
    // and overlapping objects, large ones first.
    for (int n = 0; n < 700; ++n)
    {
        const double radius = 90 * std::pow(0.996, n) + 4;
        const cv::Point center(rng.uniform(0, size.width), rng.uniform(0, size.height));
        const double hue = std::fmod(n * GOLDEN_ANGLE, 360.) * CV_PI / 180,
                     gray = rng.uniform(40, 215);
        const cv::Scalar color(gray + 40 * std::cos(hue), gray + 40 * std::cos(hue + 2),
                               gray + 40 * std::cos(hue + 4));
        const int corners = rng.uniform(2, 8);
        if (corners == 2)
        {
            const double width = rng.uniform(0.3, 1.);
            cv::ellipse(picture,
                        cv::RotatedRect(center, cv::Size2d(radius, radius * width),
                                        rng.uniform(0.f, 180.f)),
                        color, cv::FILLED, cv::LINE_AA);
            continue;
        }
        std::vector<cv::Point> polygon;
        for (int c = 0; c < corners; ++c)
        {
            const double angle = 2 * CV_PI * (c + rng.uniform(0., 0.7)) / corners;
            polygon.push_back(center + cv::Point(cvRound(radius * std::cos(angle)),
                                                 cvRound(radius * std::sin(angle))));
        }
        cv::fillPoly(picture, polygon, color, cv::LINE_AA);
    }
    cv::Mat grain(size, CV_32FC3);
    rng.fill(grain, cv::RNG::NORMAL, 0, 6);
    cv::GaussianBlur(grain, grain, cv::Size(), 0.8);
    picture.convertTo(sum, CV_32F);
    sum += 2 * grain;
    sum.convertTo(picture, CV_8U);
    return picture;
}

} // namespace samples
