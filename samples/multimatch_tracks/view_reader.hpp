// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_TRACKS_VIEW_READER_HPP
#define MULTIMATCH_TRACKS_VIEW_READER_HPP

#include "features.hpp"

#include "opencv2/multimatch/io.hpp"

#include <functional>
#include <string>
#include <vector>

//! Pictures in, key points and descriptors out.
struct Views
{
    std::vector<cv::multimatch::ViewInfo> infos;
    std::vector<cv::Mat> descriptors;
    std::vector<cv::Mat> thumbnails;     //!< for drawing; empty Mats where they were not wanted
    std::vector<int> sourceIndex;        //!< per view its number among the images asked for
    std::vector<std::string> sources;    //!< the images asked for
    std::vector<std::string> unreadable; //!< of these, the bad ones, with the reason
    bool stopped = false;                //!< the callback said so; views are incomplete

    std::vector<std::vector<cv::KeyPoint>> keypoints() const;
};

//! Gets the share done, in [0, 1]; returns false to stop.
typedef std::function<bool(double)> ReadProgress;

/** Reads image files and extracts features in parallel over images. The result does not depend on the number of threads.
@param files in the order of the views
@param params which features
@param thumbnailWidth of the pictures kept for drawing; 0: none
@param focalLength in pixels, of all images; 0: as each file says
@param progress called between slices of the work */
Views readPhotographs(const std::vector<std::string>& files, const samples::FeatureParams& params,
                      int thumbnailWidth, double focalLength, const ReadProgress& progress);

/** Same for the frames of a video.
@param step every step-th frame counts
@param maxFrames at most so many; 0: to the end
Throws std::invalid_argument where the video cannot be opened. */
Views readVideo(const std::string& file, int step, int maxFrames,
                const samples::FeatureParams& params, int thumbnailWidth, double focalLength,
                const ReadProgress& progress);

#endif
