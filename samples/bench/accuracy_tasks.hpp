// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_ACCURACY_TASKS_HPP
#define MULTIMATCH_BENCH_ACCURACY_TASKS_HPP

#include "datasets.hpp"

#include <cstdint>

namespace bench {

//! What the command line of "accuracy" says.
struct AccuracyOptions
{
    std::string data, csv;
    std::vector<std::string> methods, sets;
    int seeds = 5;
    uint64_t firstSeed = 1;
    bool generated = true;
    bool quick = false; //!< fewer seeds, photographs and features
};

//! A set to run: problems whose scores are averaged, judged by labels or by geometry.
struct Task
{
    std::string family, set;
    std::vector<std::function<Problem()>> instances; //!< judged by labels
    //! Only methods that look at positions run; the others had the same descriptors in another set.
    bool positionsOnly = false;
    DataSet photographs; //!< judged by geometry, where there are no instances
};

//! All sets that are asked for, those of the data folder first. Throws cv::Exception where there is no such folder.
std::vector<Task> listTasks(const AccuracyOptions& options);

//! Features taken from a photograph; 0: all.
int maxFeatures(const AccuracyOptions& options);

} // namespace bench

#endif
