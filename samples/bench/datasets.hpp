// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_DATASETS_HPP
#define MULTIMATCH_BENCH_DATASETS_HPP

#include "problem.hpp"

namespace bench {

//! What a folder or file below the data folder holds.
enum DataKind
{
    DATA_FEATURES,     //!< a file with points, descriptors and labels
    DATA_MATCHES,      //!< a file with pairwise matches and labels
    DATA_HOMOGRAPHIES, //!< a folder of photographs of a plane and H1toNp files
    DATA_CAMERAS       //!< a folder of photographs and cameras.yml
};

struct DataSet
{
    std::string name; //!< path below the data folder without the file's ending, e.g. willow/car
    std::string path;
    DataKind kind;
};

/** @brief All sets below a folder, by their content; the names of folders and files play no part.
Throws cv::Exception where there is no such folder. */
std::vector<DataSet> findDataSets(const std::string& folder);

//! Part of a set's name before the last slash: sets of one family share a table.
std::string familyOf(const std::string& name);

//! Points, descriptors and labels. d is given where all views hold the same labels, each once.
Problem loadFeatures(const DataSet& set);

//! Pairwise matches and labels.
Problem loadMatches(const DataSet& set);

/** @brief Photographs with homographies or cameras: SIFT and the geometry that judges.
@param set of kind DATA_HOMOGRAPHIES or DATA_CAMERAS
@param maxFeatures a photograph, the strongest; 0: all
@param geometry bound 3 px for homographies; 4 px for cameras at a width of 3072 px, in proportion at others */
Problem loadPhotographs(const DataSet& set, int maxFeatures, Geometry& geometry);

} // namespace bench

#endif
