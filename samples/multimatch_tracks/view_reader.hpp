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

//! Key points and descriptors of images.
struct Views
{
    std::vector<cv::multimatch::ViewInfo> infos;
    std::vector<cv::Mat> descriptors;
    std::vector<cv::Mat> thumbnails;     //!< for drawing; empty Mats if not requested
    std::vector<int> sourceIndex;        //!< index of each view in sources
    std::vector<std::string> sources;    //!< names of all given images
    std::vector<std::string> unreadable; //!< names of the unreadable images, with the reason
    bool stopped = false;                //!< the callback returned false; views are incomplete

    std::vector<std::vector<cv::KeyPoint>> keypoints() const;
};

//! Called with the fraction done, in [0, 1]; returns false to stop.
typedef std::function<bool(double)> ReadProgress;

/** @brief Reads image files and extracts features, in parallel over images. The result does not
depend on the number of threads.
@param files names, in the order of the views
@param params parameters of the features
@param thumbnailWidth width in pixels of the thumbnails; 0: none
@param focalLength in pixels, of all images; 0: from EXIF data
@param progress called after each batch of images */
Views readPhotographs(const std::vector<std::string>& files, const samples::FeatureParams& params,
                      int thumbnailWidth, double focalLength, const ReadProgress& progress);

/** @brief Reads frames of a video and extracts features.
@param step every step-th frame is used
@param maxFrames maximum number of frames; 0: all
Throws std::invalid_argument if the video cannot be opened. */
Views readVideo(const std::string& file, int step, int maxFrames,
                const samples::FeatureParams& params, int thumbnailWidth, double focalLength,
                const ReadProgress& progress);

#endif
