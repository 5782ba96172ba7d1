// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "plots.hpp"

#include "opencv2/imgproc.hpp"

#include <algorithm>
#include <cmath>

namespace bench {

using namespace cv;

namespace {

const Scalar INK(60, 60, 60), FAINT(225, 225, 225), PAPER(255, 255, 255);
const int LEFT = 90, RIGHT = 210, TOP = 60, BOTTOM = 70;

// Ten colors that stay apart for most eyes.
Scalar colorOf(size_t index)
{
    static const Scalar colors[] = {
        Scalar(180, 119, 31),  Scalar(14, 127, 255), Scalar(44, 160, 44),   Scalar(40, 39, 214),
        Scalar(189, 103, 148), Scalar(75, 86, 140),  Scalar(194, 119, 227), Scalar(127, 127, 127),
        Scalar(34, 189, 188),  Scalar(207, 190, 23)};
    return colors[index % 10];
}

void write(Mat& canvas, const std::string& text, Point at, double size = 0.45,
           const Scalar& color = INK)
{
    putText(canvas, text, at, FONT_HERSHEY_SIMPLEX, size, color, 1, LINE_AA);
}

int textWidth(const std::string& text, double size = 0.45)
{
    int baseline = 0;
    return getTextSize(text, FONT_HERSHEY_SIMPLEX, size, 1, &baseline).width;
}

void writeCentered(Mat& canvas, const std::string& text, Point at, double size = 0.45)
{
    write(canvas, text, Point(at.x - textWidth(text, size) / 2, at.y), size);
}

void drawLegend(Mat& canvas, const std::vector<std::string>& names)
{
    const int x = canvas.cols - RIGHT + 20;
    for (size_t s = 0; s < names.size(); ++s)
    {
        const int y = TOP + 20 + static_cast<int>(s) * 22;
        rectangle(canvas, Rect(x, y - 10, 14, 12), colorOf(s), FILLED);
        write(canvas, names[s], Point(x + 22, y));
    }
}

// A step of 1, 2 or 5 times a power of ten that divides the range into about that many parts.
double niceStep(double range, int parts)
{
    const double raw = range / parts;
    const double power = std::pow(10., std::floor(std::log10(raw)));
    for (double factor : {1., 2., 5.})
        if (factor * power >= raw)
            return factor * power;
    return 10 * power;
}

struct Axis
{
    double low, high;
    int from, to; // pixels

    int at(double value) const
    {
        return cvRound(from + (value - low) / (high - low) * (to - from));
    }
};

Axis axisOf(double low, double high, int from, int to)
{
    if (!(high > low))
        high = low + 1;
    const double margin = 0.04 * (high - low);
    Axis axis = {low - margin, high + margin, from, to};
    return axis;
}

std::string tickText(double value, double step)
{
    if (std::abs(value) < step / 2)
        return "0"; // never -0
    return step >= 1 ? format("%.0f", value)
                     : format("%.*f", static_cast<int>(std::ceil(-std::log10(step))), value);
}

void drawAxes(Mat& canvas, const Axis& x, const Axis& y, const std::string& xName,
              const std::string& yName)
{
    const double xStep = niceStep(x.high - x.low, 8), yStep = niceStep(y.high - y.low, 8);
    for (double value = std::ceil(x.low / xStep) * xStep; value <= x.high; value += xStep)
    {
        line(canvas, Point(x.at(value), y.from), Point(x.at(value), y.to), FAINT, 1, LINE_AA);
        writeCentered(canvas, tickText(value, xStep), Point(x.at(value), y.from + 20));
    }
    for (double value = std::ceil(y.low / yStep) * yStep; value <= y.high; value += yStep)
    {
        line(canvas, Point(x.from, y.at(value)), Point(x.to, y.at(value)), FAINT, 1, LINE_AA);
        const std::string text = tickText(value, yStep);
        write(canvas, text, Point(x.from - 8 - textWidth(text), y.at(value) + 5));
    }
    rectangle(canvas, Point(x.from, y.to), Point(x.to, y.from), INK, 1);
    writeCentered(canvas, xName, Point((x.from + x.to) / 2, y.from + 45), 0.5);
    write(canvas, yName, Point(10, TOP - 12), 0.5);
}

} // namespace

Mat drawBars(const std::string& title, const std::vector<std::string>& groups,
             const std::vector<std::string>& series, const std::vector<std::vector<double>>& values)
{
    const int bar = 12, gap = 26, height = 520;
    const int groupWidth = std::max(100, static_cast<int>(series.size()) * bar + gap);
    const int width = LEFT + RIGHT + static_cast<int>(groups.size()) * groupWidth;
    Mat canvas(height, width, CV_8UC3, PAPER);
    write(canvas, title, Point(LEFT, 30), 0.65);
    const Axis y = {0, 1, height - BOTTOM, TOP};
    for (int tick = 0; tick <= 10; ++tick)
    {
        line(canvas, Point(LEFT, y.at(tick / 10.)), Point(width - RIGHT, y.at(tick / 10.)), FAINT);
        write(canvas, format("%.1f", tick / 10.), Point(LEFT - 34, y.at(tick / 10.) + 5));
    }
    for (size_t g = 0; g < groups.size(); ++g)
    {
        const int begin = LEFT + static_cast<int>(g) * groupWidth;
        const int inner = static_cast<int>(series.size()) * bar;
        for (size_t s = 0; s < series.size(); ++s)
        {
            const double value = values[g][s];
            if (std::isnan(value))
                continue;
            const int x = begin + (groupWidth - inner) / 2 + static_cast<int>(s) * bar;
            rectangle(canvas, Point(x, y.at(value)), Point(x + bar - 2, y.from), colorOf(s),
                      FILLED);
        }
        std::string name = groups[g];
        while (name.size() > 3 && textWidth(name, 0.4) > groupWidth - 4)
            name.erase(name.size() - 1);
        writeCentered(canvas, name, Point(begin + groupWidth / 2, y.from + 20), 0.4);
    }
    line(canvas, Point(LEFT, y.from), Point(width - RIGHT, y.from), INK);
    drawLegend(canvas, series);
    return canvas;
}

Mat drawSeries(const std::string& title, const std::string& xName, const std::string& yName,
               const std::vector<PlotSeries>& series)
{
    Mat canvas(560, 980, CV_8UC3, PAPER);
    write(canvas, title, Point(LEFT, 30), 0.65);
    std::vector<Point2d> all;
    std::vector<std::string> names;
    for (const PlotSeries& one : series)
    {
        all.insert(all.end(), one.points.begin(), one.points.end());
        names.push_back(one.name);
    }
    if (all.empty())
        return canvas;
    Point2d low = all[0], high = all[0];
    for (const Point2d& point : all)
    {
        low = Point2d(std::min(low.x, point.x), std::min(low.y, point.y));
        high = Point2d(std::max(high.x, point.x), std::max(high.y, point.y));
    }
    const Axis x = axisOf(low.x, high.x, LEFT, canvas.cols - RIGHT);
    const Axis y = axisOf(low.y, high.y, canvas.rows - BOTTOM, TOP);
    drawAxes(canvas, x, y, xName, yName);
    for (size_t s = 0; s < series.size(); ++s)
    {
        const std::vector<Point2d>& points = series[s].points;
        for (size_t n = 0; n < points.size(); ++n)
        {
            const Point here(x.at(points[n].x), y.at(points[n].y));
            if (series[s].line && n > 0)
                line(canvas, Point(x.at(points[n - 1].x), y.at(points[n - 1].y)), here, colorOf(s),
                     2, LINE_AA);
            circle(canvas, here, series[s].line ? 3 : 6, colorOf(s), FILLED, LINE_AA);
        }
    }
    drawLegend(canvas, names);
    return canvas;
}

} // namespace bench
