// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_DATASETS_HPP
#define MULTIMATCH_BENCH_DATASETS_HPP

#include "problem.hpp"

namespace bench {

//! Content of a folder or file of the data folder.
enum DataKind
{
    DATA_FEATURES,     //!< a file with points, descriptors and labels
    DATA_MATCHES,      //!< a file with pairwise matches and labels
    DATA_HOMOGRAPHIES, //!< a folder of photographs of a plane and H1toNp files
    DATA_CAMERAS       //!< a folder of photographs and cameras.yml
};

struct DataSet
{
    //! Path relative to the data folder without extension, for example willow/car.
    std::string name;
    std::string path;
    DataKind kind;
};

/** @brief Finds all sets in a folder and its subfolders by their content; names of folders and
files do not matter.
Throws cv::Exception if the folder does not exist. */
std::vector<DataSet> findDataSets(const std::string& folder);

//! Part of the name of a set before the last slash. Sets of one family share a table.
std::string familyOf(const std::string& name);

//! Loads points, descriptors and labels. d is known if all views have the same labels, each once.
Problem loadFeatures(const DataSet& set);

//! Loads pairwise matches and labels.
Problem loadMatches(const DataSet& set);

/** @brief Loads photographs with homographies or cameras: SIFT features and the geometry for
evaluation.
@param set of kind DATA_HOMOGRAPHIES or DATA_CAMERAS
@param maxFeatures maximum number of features of a photograph; 0: all
@param geometry ground truth; the maximum error is 3 px for homographies, and 4 px at a width of
3072 px for cameras, in proportion at other widths */
Problem loadPhotographs(const DataSet& set, int maxFeatures, Geometry& geometry);

} // namespace bench

#endif
