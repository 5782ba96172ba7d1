// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_ACCURACY_TASKS_HPP
#define MULTIMATCH_BENCH_ACCURACY_TASKS_HPP

#include "datasets.hpp"

#include <cstdint>

namespace bench {

//! Options of the command "accuracy".
struct AccuracyOptions
{
    std::string data, csv;
    std::vector<std::string> methods, sets;
    int seeds = 5;
    uint64_t firstSeed = 1;
    bool generated = true;
    bool quick = false; //!< fewer seeds, photographs and features
};

//! A set to run: problems whose scores are averaged. The ground truth is labels or geometry.
struct Task
{
    std::string family, set;
    std::vector<std::function<Problem()>> instances; //!< problems with labels as ground truth
    //! Runs only methods that use positions; the others have the same input in another set.
    bool positionsOnly = false;
    DataSet photographs; //!< used if there are no instances; ground truth is geometry
};

//! All selected sets, those of the data folder first. Throws cv::Exception if the folder does not
//! exist.
std::vector<Task> listTasks(const AccuracyOptions& options);

//! Maximum number of features of a photograph; 0: all.
int maxFeatures(const AccuracyOptions& options);

} // namespace bench

#endif
