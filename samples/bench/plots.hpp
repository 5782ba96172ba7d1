// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_PLOTS_HPP
#define MULTIMATCH_BENCH_PLOTS_HPP

#include "opencv2/core.hpp"

#include <string>
#include <vector>

namespace bench {

//! A line through points, or points alone.
struct PlotSeries
{
    std::string name;
    std::vector<cv::Point2d> points;
    bool line = true;
};

/** @brief Groups of bars of values in [0, 1], one color a series.
@param groups names below the groups
@param series names in the legend
@param values [group][series]; not a number: no bar */
cv::Mat drawBars(const std::string& title, const std::vector<std::string>& groups,
                 const std::vector<std::string>& series,
                 const std::vector<std::vector<double>>& values);

//! Lines and points over two axes that begin and end where the data do.
cv::Mat drawSeries(const std::string& title, const std::string& xName, const std::string& yName,
                   const std::vector<PlotSeries>& series);

} // namespace bench

#endif
