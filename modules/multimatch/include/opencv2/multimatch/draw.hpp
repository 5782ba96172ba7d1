// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_DRAW_HPP
#define OPENCV_MULTIMATCH_DRAW_HPP

#include "opencv2/multimatch/tracks.hpp"

namespace cv { namespace multimatch {

//! @addtogroup multimatch
//! @{

//! Parameters of drawTracks.
struct CV_EXPORTS_W_SIMPLE DrawTracksParams
{
    CV_PROP_RW int maxTracks; //!< number of tracks, the longest that do not hide each other; 0: all
    CV_PROP_RW std::vector<int> tracks; //!< ids of the tracks to draw; empty: the longest
    //! Views in a row of the mosaic; 0: chosen so that the picture is about as wide as a screen.
    CV_PROP_RW int columns;
    CV_PROP_RW int tileWidth;        //!< width of a view in pixels, > 0
    CV_PROP_RW bool lines;           //!< connect a track's points from tile to tile
    CV_PROP_RW bool unmatchedPoints; //!< small gray dots where key points are unmatched

    CV_WRAP DrawTracksParams();
};

/** @brief A mosaic of the views with each track in a color of its own, confidence as opacity.
@param images per view its picture (CV_8U, 1, 3 or 4 channels); an empty one is drawn gray
@param keypoints per view its key points
@param tracks to draw
@param out CV_8UC3
@param params see DrawTracksParams
Throws cv::Exception where the numbers of views or points differ. */
CV_EXPORTS_W void drawTracks(InputArrayOfArrays images,
                             const std::vector<std::vector<KeyPoint>>& keypoints,
                             const Tracks& tracks, OutputArray out,
                             const DrawTracksParams& params = DrawTracksParams());

//! @}

}} // namespace cv::multimatch

#endif
