// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_TRACK_FILES_HPP
#define MULTIMATCH_SAMPLES_TRACK_FILES_HPP

#include "opencv2/multimatch/tracks.hpp"

#include <string>
#include <vector>

namespace samples {

//! What a file of tracks says about a view besides its track ids.
struct ViewInfo
{
    std::string name; //!< file, or frame of a video
    cv::Size size;    //!< in pixels
    std::vector<cv::KeyPoint> keypoints;
};

//! Endings that writeTracks understands, as text for messages.
std::string trackFileEndings();
bool isTrackFileName(const std::string& name);

/** Writes tracks in the format that the ending says; the file appears only when it is complete.

.yml .yaml .json .xml, each also with .gz: the map that Tracks::load reads, and behind it "views", a sequence
of maps with name, width, height and keypoints (as cv::read takes them).
.csv: a row per observation, tracks and in them views ascending, with the columns
track,view,image,point,x,y,size,angle,confidence.

Throws std::runtime_error or cv::Exception where it cannot be written. */
void writeTracks(const std::string& name, const std::vector<ViewInfo>& views,
                 const cv::multimatch::Tracks& tracks);

} // namespace samples

#endif
