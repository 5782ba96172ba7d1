// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_INPUT_INPUT_HPP
#define OPENCV_MULTIMATCH_SRC_INPUT_INPUT_HPP

#include "../precomp.hpp"

namespace cv { namespace multimatch {

/** Checked input in canonical order.

Views are sorted by their content and points inside a view by theirs, so that all following stages
get the same problem for any order of views and points of the caller. restore() returns results to
the order of the caller. Features are validated here only. */
struct MultiMatcher::Input
{
    std::vector<int> viewSizes;
    std::vector<int> offsets;  //!< first point of each view; k + 1 entries
    std::vector<Mat> points;   //!< per view n x 2 or n x 3 CV_32F
    std::vector<float> sizes;  //!< per point KeyPoint::size; empty where Mats of points were given
    std::vector<float> angles; //!< per point KeyPoint::angle in degrees, -1: none; empty likewise
    std::vector<Mat> descriptors;   //!< per view n rows, CV_32F or CV_8U
    int normType;                   //!< how they are compared: NORM_L2 or NORM_HAMMING
    int searchMode;                 //!< SearchMode
    double memoryBudget;            //!< bytes, 0: no limit
    Mat pairs;                      //!< N x 2 CV_32S, first < second, ascending, no pair twice
    std::vector<int> originalIndex; //!< per point its number in the caller's order
    std::vector<int> originalSizes; //!< viewSizes in the caller's order

    Input() : normType(NORM_L2), searchMode(SEARCH_AUTO), memoryBudget(0) {}

    int viewCount() const { return static_cast<int>(viewSizes.size()); }
    int pointCount() const { return offsets.back(); }

    //! Tracks in the caller's order from one label and confidence per point in canonical order.
    Tracks restore(const std::vector<int>& labels, const std::vector<float>& confidence,
                   int minLength) const;

    //! Labels of the caller's views in canonical order. Throws where sizes differ or a label occurs
    //! twice in a view.
    std::vector<int> canonicalLabels(const std::vector<std::vector<int>>& labels) const;

    //! Checks and sorts. options: the matcher, for the pairs of views to compare and how to compare
    //! them.
    static Input fromKeyPoints(const std::vector<std::vector<KeyPoint>>& keypoints,
                               InputArrayOfArrays descriptors, const MultiMatcher& options);
    //! Sizes and points, in the caller's order: a similarity has no content to sort points by.
    static Input fromProblem(const MatchingProblem& problem);
    static Input fromPoints(InputArrayOfArrays points, InputArrayOfArrays descriptors,
                            const MultiMatcher& options);
    //! Descriptors alone, in the caller's order.
    static Input fromDescriptors(InputArrayOfArrays descriptors, const Mat& pairs, int normType);
};

/** The descriptor Mats of the caller; throws where their number or rows do not fit sizes, or type,
width or values are not as MultiMatcher::match states. pointsName: what sizes was taken from, for
the message. */
std::vector<Mat> checkedDescriptors(InputArrayOfArrays descriptors, const std::vector<int>& sizes,
                                    const char* pointsName);

//! Same where there are no points to compare them with.
std::vector<Mat> checkedDescriptors(InputArrayOfArrays descriptors);

/** NORM_L2 or NORM_HAMMING for these checked descriptors: normType, or where that is 0 what their
type suggests. Throws where it is neither or does not fit. */
int chosenNorm(const std::vector<Mat>& descriptors, int normType);

//! Type of the descriptors that are not empty; CV_32F where there are none.
int descriptorType(const std::vector<Mat>& descriptors);

//! Points of the caller as n x D CV_32F matrices, D of 2 or 3; throws, naming the view, where they
//! have another shape or type.
std::vector<Mat> checkedPoints(InputArrayOfArrays points);

//! Throws, naming the first fault, unless sizes fit, S is symmetric and not negative, and A is
//! block-diagonal.
void checkProblem(const MatchingProblem& problem);

/** Input without features, for given matches: views and points stay in the caller's order, all
pairs. Throws unless similarity is as UnionFind::solve expects. */
MultiMatcher::Input inputOfSimilarity(const std::vector<int>& viewSizes,
                                      const CsrMatrix& similarity);

//! Throws unless pairs is an N x 2 CV_32S matrix without negative numbers or pairs of a view with
//! itself.
void checkPairs(const Mat& pairs);

//! Throws unless normType is 0, NORM_L2 or NORM_HAMMING.
void checkNormType(int normType);

//! Throws unless it is a SearchMode.
void checkSearchMode(int searchMode);

//! Throws unless all values are finite. what: the name of the argument.
void checkFinite(const Mat& values, const char* what, size_t view);

//! Throws where there are fewer than two views. what: the name of the argument.
void checkViewCount(size_t views, const char* what);

//! N x 2 CV_32S, ascending, each pair once.
Mat pairMatrix(std::vector<std::pair<int, int>> pairs);

/** The pairs to compare: the caller's list or, where that is empty, those of the sequential window
(0: all). View v becomes newView[v]; the result is N x 2 CV_32S, first < second, ascending, each
once. */
Mat orderedPairs(const Mat& given, int window, const std::vector<int>& newView);

//! Per canonical view its number in the caller's order.
std::vector<int> callerViews(const MultiMatcher::Input& input);

//! All pairs of k views.
Mat allPairs(int k);

//! Every view with itself.
Mat selfPairs(int k);

//! Per point the number of its view.
std::vector<int> viewOfPoints(const std::vector<int>& viewSizes);

//! Prefix sums: first point of each view, k + 1 entries.
std::vector<int> viewOffsets(const std::vector<int>& viewSizes);

}} // namespace cv::multimatch

#endif
