// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "flow_matches.hpp"

#include "opencv2/imgproc.hpp"
#include "opencv2/opencv_modules.hpp"
#ifdef HAVE_OPENCV_VIDEO
#include "opencv2/video/tracking.hpp"
#endif

#include <algorithm>
#include <cmath>

namespace samples {

using cv::multimatch::CoordinateMatches;

FlowMatcher::FlowMatcher(const FlowParams& params) : params_(params), count_(0)
{
    if (!haveOpticalFlow())
        CV_Error(cv::Error::StsNotImplemented, "this build of OpenCV has no module video");
    if (params.spacing < 1 || !(params.maxError > 0) || params.gaps.empty() || params.gaps[0] < 1 ||
        !std::is_sorted(params.gaps.begin(), params.gaps.end()))
        CV_Error(cv::Error::StsOutOfRange,
                 "spacing and gaps must be 1 or more, gaps ascending, and maxError above 0");
}

#ifdef HAVE_OPENCV_VIDEO

namespace {

// The flow at a point between pixels.
cv::Point2f flowAt(const cv::Mat& flow, const cv::Point2f& x)
{
    const int column = std::min(cvFloor(x.x), flow.cols - 2),
              line = std::min(cvFloor(x.y), flow.rows - 2);
    const float a = x.x - static_cast<float>(column), b = x.y - static_cast<float>(line);
    return (1 - b) * ((1 - a) * flow.at<cv::Point2f>(line, column) +
                      a * flow.at<cv::Point2f>(line, column + 1)) +
           b * ((1 - a) * flow.at<cv::Point2f>(line + 1, column) +
                a * flow.at<cv::Point2f>(line + 1, column + 1));
}

bool isInside(const cv::Mat& image, const cv::Point2f& x)
{
    return x.x >= 0 && x.y >= 0 && x.x <= static_cast<float>(image.cols - 1) &&
           x.y <= static_cast<float>(image.rows - 1);
}

// Which cells of the grid have a point.
class Cells
{
public:
    Cells(cv::Size size, int spacing)
        : spacing_(spacing), taken_(cv::Mat::zeros((size.height - 1) / spacing + 1,
                                                   (size.width - 1) / spacing + 1, CV_8U))
    {
    }

    uchar& at(const cv::Point2f& x)
    {
        return taken_.at<uchar>(static_cast<int>(x.y) / spacing_, static_cast<int>(x.x) / spacing_);
    }

private:
    int spacing_;
    cv::Mat taken_;
};

} // namespace

bool haveOpticalFlow()
{
    return true;
}

void FlowMatcher::add(const cv::Mat& picture)
{
    Frame frame;
    if (picture.channels() == 1)
        frame.gray = picture.clone();
    else
        cv::cvtColor(picture, frame.gray, cv::COLOR_BGR2GRAY);
    if (!recent_.empty() && frame.gray.size() != recent_.back().gray.size())
        CV_Error(cv::Error::StsUnmatchedSizes,
                 cv::format("frame %d is %d x %d, the frames before are %d x %d", count_,
                            frame.gray.cols, frame.gray.rows, recent_.back().gray.cols,
                            recent_.back().gray.rows));
    Cells cells(frame.gray.size(), params_.spacing);
    const cv::Ptr<cv::DISOpticalFlow> dis =
        cv::DISOpticalFlow::create(cv::DISOpticalFlow::PRESET_MEDIUM);
    for (int gap : params_.gaps)
    {
        if (gap > static_cast<int>(recent_.size()))
            break;
        const Frame& from = recent_[recent_.size() - static_cast<size_t>(gap)];
        cv::Mat forward, backward;
        dis->calc(from.gray, frame.gray, forward);
        dis->calc(frame.gray, from.gray, backward);
        CoordinateMatches pair;
        pair.first = count_ - gap;
        pair.second = count_;
        cv::Mat_<float> points(0, 4), scores(0, 1);
        std::vector<cv::Point2f> arrived;
        for (const cv::Point2f& x : from.points)
        {
            const cv::Point2f y = x + flowAt(forward, x);
            if (!isInside(frame.gray, y))
                continue;
            const double error = cv::norm(y + flowAt(backward, y) - x) / params_.maxError;
            if (!(error <= 1))
                continue;
            points.push_back(cv::Mat((cv::Mat_<float>(1, 4) << x.x, x.y, y.x, y.y)));
            scores.push_back(static_cast<float>(std::exp(-2 * error * error)));
            // Of the arrivals over larger gaps only those in empty cells become points of this
            // frame.
            if (gap == params_.gaps[0] || !cells.at(y))
                arrived.push_back(y);
        }
        for (const cv::Point2f& y : arrived)
        {
            if (gap != params_.gaps[0] && cells.at(y))
                continue;
            cells.at(y) = 1;
            frame.points.push_back(y);
        }
        pair.points = points;
        pair.scores = scores;
        matches_.push_back(pair);
    }
    // In twice the coordinates, which are whole numbers.
    for (int y = params_.spacing; y <= 2 * (frame.gray.rows - 1); y += 2 * params_.spacing)
        for (int x = params_.spacing; x <= 2 * (frame.gray.cols - 1); x += 2 * params_.spacing)
        {
            const cv::Point2f center(static_cast<float>(x) / 2, static_cast<float>(y) / 2);
            if (!cells.at(center))
                frame.points.push_back(center);
        }
    recent_.push_back(frame);
    if (recent_.size() > static_cast<size_t>(params_.gaps.back()))
        recent_.erase(recent_.begin());
    ++count_;
}

#else

bool haveOpticalFlow()
{
    return false;
}

void FlowMatcher::add(const cv::Mat&) {}

#endif

} // namespace samples
