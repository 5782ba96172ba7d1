// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_PHOTO_SEQUENCE_HPP
#define MULTIMATCH_SAMPLES_PHOTO_SEQUENCE_HPP

#include "opencv2/core.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace samples {

//! How makePhotoSequence turns one photograph into many views.
struct PhotoSequenceParams
{
    int views = 15; //!< >= 2
    double cornerShift =
        0.15;         //!< each corner moves by up to this share of width and height, in [0, 0.3]
    int points = 290; //!< key points kept in each view, about
    double outlierShare = 0.5; //!< share of them without a counterpart in any other view, in [0, 1)
    int minViews = 3;          //!< a true point is found again in at least so many views
    bool occlusion = true;     //!< a rectangle of 0.2 x 0.2 of the view's size hides part of it
    double noise = 10;         //!< standard deviation of Gaussian noise in gray levels
    double contrast = 0.2;     //!< gain is drawn from [1 - contrast, 1 + contrast]
    double brightness = 20;    //!< offset is drawn from [-brightness, brightness] gray levels
    int repeatPatch = 0;       //!< side in pixels of a patch copied over the photograph; 0: none
    int repeatGap = 45;        //!< pixels between the copies
    uint64_t seed = 1;         //!< everything random comes from it
};

//! Views of one photograph and which of their key points are the same place on it.
struct PhotoSequence
{
    cv::Mat photo;                     //!< as used: scaled, repeated patches included
    std::vector<cv::Mat> images;       //!< CV_8UC3, all of the photograph's size
    std::vector<cv::Mat> homographies; //!< from photo to each view, 3 x 3 CV_64F
    std::vector<std::vector<cv::KeyPoint>> keypoints; //!< SIFT, shuffled inside each view
    std::vector<cv::Mat> descriptors;                 //!< SIFT, CV_32F, a row per key point
    std::vector<std::vector<int>> labels; //!< per key point its true point, -1: an outlier
    int universeSize = 0;                 //!< labels are below this
};

/** @brief Renders views of a plane picture and finds out which of their SIFT points correspond.

The photograph is brought to a longer side of 900 pixels, so that small ones carry enough points too.
A key point of the photograph is a true point where SIFT finds it again at its mapped
position (1.5 px) with the mapped size (factor 1.5) and orientation (25 degrees) in minViews views or more. An outlier is a
key point of a view that has no counterpart, true or not, chosen in another view within 3 px of its mapped
position: a match of it is wrong whoever judges. Where SIFT puts several key points at one location, only
one of them is kept, for a true point the one of the mapped orientation; otherwise one physical
point would occur twice in a view and the truth would call right matches wrong.

Throws cv::Exception where the photograph is empty or carries too few points.
*/
PhotoSequence makePhotoSequence(const cv::Mat& photo, const PhotoSequenceParams& params);

//! The photographs among the pictures of OpenCV's documentation package that are there; may be empty.
std::vector<std::string> examplePhotographs();

//! A picture rich in texture, for machines without photographs. 900 x 675 CV_8UC3.
cv::Mat renderedPhotograph(uint64_t seed);

} // namespace samples

#endif
