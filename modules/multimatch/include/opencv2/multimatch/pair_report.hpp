// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_PAIR_REPORT_HPP
#define OPENCV_MULTIMATCH_PAIR_REPORT_HPP

#include "opencv2/multimatch/pair_matches.hpp"
#include "opencv2/multimatch/tracks.hpp"

namespace cv { namespace multimatch {

//! @addtogroup multimatch
//! @{

//! How the matches of two views agree with the tracks of all views.
struct CV_EXPORTS_W_SIMPLE PairReport
{
    CV_PROP_RW int first;  //!< index of one view
    CV_PROP_RW int second; //!< index of the other view, > first
    CV_PROP_RW int given;  //!< different matches
    CV_PROP_RW int kept;   //!< of these, with both points in one track
    CV_PROP_RW int
        contradicted; //!< of these, with their points in two different tracks, through other views
    /** Agreement with the cycles through the two views, in [0, 1]; 0.5 where nothing is known.
    Wrong pairs of views, of scenes that look alike, have low scores. */
    CV_PROP_RW double score;

    CV_WRAP PairReport();
};

/** @brief Which pairs of views to mistrust.

Two numbers make the score. The share of the matches that the tracks keep, of those that they keep
or contradict. And the agreement of cycles of three views: for each third view c, with n_ac, n_cb
and n_abc the numbers of tracks through these views, n_abc is compared with sqrt(n_ac n_cb), which
it equals where the same part of the scene is seen in all three. Two views of different scenes with
a common facade share the facade only, although each shares much more with the views of its own
scene. The score is (kept g + 1/2) / (kept + contradicted + 1) with g = (sum of n_abc + 1/2) / (sum
of sqrt(n_ac n_cb) + 1). Views with a small overlap have lower scores too: it ranks pairs, and is
not a probability.
@param matches as given to MultiMatcher::synchronize; a pair of views may occur several times, in
both orders
@param tracks made of them
@return an entry for each pair of views in matches, first < second, ascending
Cost: the sum of the squared lengths of the tracks, and for each pair of views the number of views
that share tracks with them. Throws cv::Exception where an index does not fit. */
CV_EXPORTS_W std::vector<PairReport> reportPairs(const std::vector<PairMatches>& matches,
                                                 const Tracks& tracks);

//! What inspectMatches() counted. Nothing of it is an error.
struct CV_EXPORTS_W_SIMPLE InputReport
{
    CV_PROP_RW int duplicateMatches; //!< matches that an earlier one of the same two points
                                     //!< repeats; the largest weight counts
    CV_PROP_RW int ambiguousMatches; //!< different matches of a pair of views that share a point
                                     //!< with another one; at most one of those is kept
    CV_PROP_RW int outsidePoints;    //!< points outside of their picture
    CV_PROP_RW int coincidentPoints; //!< points at the place of an earlier point of their view

    CV_WRAP InputReport();
};

/** @brief Counts what is unusual in matches of other programs; it changes nothing.
@param keypoints per view its key points
@param matches of any pairs of views
@param imageSizes per view its size in pixels, or none: then points with a coordinate below -0.5 are
outside. A picture reaches from -0.5 to width - 0.5 Cost: n log n in the points and matches. Throws
cv::Exception where an index or a number of views does not fit. */
CV_EXPORTS_W InputReport inspectMatches(const std::vector<std::vector<KeyPoint>>& keypoints,
                                        const std::vector<PairMatches>& matches,
                                        const std::vector<Size>& imageSizes = std::vector<Size>());

//! @}

}} // namespace cv::multimatch

#endif
