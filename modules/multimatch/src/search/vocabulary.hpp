// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_SEARCH_VOCABULARY_HPP
#define OPENCV_MULTIMATCH_SRC_SEARCH_VOCABULARY_HPP

#include "view_comparison.hpp"

namespace cv { namespace multimatch {

//! Descriptors as CV_32F whose L2 distances order like their own: numbers as they are, bits as
//! coordinates of 0 and 1.
Mat asCoordinates(const Mat& descriptors, int normType);

//! The descriptor of that type that is nearest to the coordinates.
Mat asDescriptors(const Mat& coordinates, int type, int normType);

/** Centers of count clusters, by k-means on a sample of so many descriptors a word. The sample is
chosen by the content of the descriptors, so that neither the order of views nor that of points
matters. Fewer rows than count where there are not as many different descriptors; none where there
are no descriptors at all. A cancelled run returns what it has. share: of the stage, for the
progress callback. */
Mat learnWords(const std::vector<Mat>& views, int normType, int count, int samplesPerWord,
               int rounds, RunControl& control, double share);

/** Compares the points of all views with words: compareViews() with the words as the second view of
each pair.
@param words descriptors of the views' type
@param rounded see DescriptorScores::createRounded() */
void compareWithWords(const std::vector<Mat>& views, const Mat& words, int k, int normType,
                      bool rounded, double shareBefore, double shareAfter, RunControl& control,
                      const std::function<void(int, const ViewComparison&)>& finish);

//! Per row of coordinates the number of its nearest word, in order n x 1 CV_32S.
Mat nearestWords(const Mat& coordinates, const Mat& words);

}} // namespace cv::multimatch

#endif
