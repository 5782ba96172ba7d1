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

//! Parameters of makePhotoSequence.
struct PhotoSequenceParams
{
    int views = 15; //!< >= 2
    double cornerShift =
        0.15; //!< maximum shift of each corner as a fraction of width and height, in [0, 0.3]
    int points = 290; //!< approximate number of key points in each view
    double outlierShare =
        0.5;          //!< fraction of key points without a correspondence in other views, in [0, 1)
    int minViews = 3; //!< minimum number of views in which a true point is detected
    bool occlusion = true;  //!< a rectangle of 0.2 x 0.2 of the image size hides part of each view
    double noise = 10;      //!< standard deviation of Gaussian noise in gray levels
    double contrast = 0.2;  //!< gain is drawn from [1 - contrast, 1 + contrast]
    double brightness = 20; //!< offset is drawn from [-brightness, brightness] gray levels
    int repeatPatch = 0;    //!< side in pixels of a patch copied over the photograph; 0: none
    int repeatGap = 45;     //!< pixels between the copies
    uint64_t seed = 1;      //!< seed of the random generator
};

//! Views of one photograph, with the correspondences of their key points.
struct PhotoSequence
{
    cv::Mat photo;                     //!< after scaling and with the repeated patches
    std::vector<cv::Mat> images;       //!< CV_8UC3, of the size of photo
    std::vector<cv::Mat> homographies; //!< from photo to each view, 3 x 3 CV_64F
    std::vector<std::vector<cv::KeyPoint>> keypoints; //!< SIFT, in random order in each view
    std::vector<cv::Mat> descriptors;                 //!< SIFT, CV_32F, one row per key point
    std::vector<std::vector<int>> labels; //!< id of the true point of each key point, -1: outlier
    int universeSize = 0;                 //!< number of true points; labels are smaller
};

/** @brief Renders views of a planar picture and determines which of their SIFT points correspond.

The photograph is scaled to a longer side of 900 pixels, so that small photographs have enough
points too. A key point of the photograph is a true point if SIFT detects it at its mapped position
(1.5 px) with the mapped size (factor 1.5) and orientation (25 degrees) in minViews views or more.
An outlier is a key point of a view without any chosen key point of another view within 3 px of its
mapped position, so every match of it is wrong. If SIFT detects several key points at one location,
only one is kept, for a true point the one with the mapped orientation. Otherwise one physical point
would occur twice in a view, and correct matches would count as wrong.

Throws cv::Exception if the photograph is empty or has too few points.
*/
PhotoSequence makePhotoSequence(const cv::Mat& photo, const PhotoSequenceParams& params);

//! Parameters of makeCameraFlight.
struct CameraFlightParams
{
    int frames = 24;           //!< >= 2
    int width = 640;           //!< longer side of the frames in pixels
    double cornerShift = 0.08; //!< amplitude of the path of each corner as a fraction of width and
                               //!< height, in [0, 0.3]
    bool occlusion = true;     //!< a rectangle of 0.2 x 0.2 of the image size crosses the picture
    double noise = 4;          //!< standard deviation of Gaussian noise in gray levels
    double contrast = 0.05;    //!< gain is drawn from [1 - contrast, 1 + contrast]
    double brightness = 5;     //!< offset is drawn from [-brightness, brightness] gray levels
    uint64_t seed = 1;         //!< seed of the random generator
};

//! Frames of a camera that moves along a smooth path over a photograph.
struct CameraFlight
{
    std::vector<cv::Mat> images;       //!< CV_8UC3, all of one size
    std::vector<cv::Mat> homographies; //!< from the photograph to each frame, 3 x 3 CV_64F
    std::vector<cv::Rect> hidden;      //!< per frame the part that is covered; may be empty
};

//! Throws cv::Exception if the photograph is empty or a parameter is out of range.
CameraFlight makeCameraFlight(const cv::Mat& photo, const CameraFlightParams& params);

//! Photographs of OpenCV's documentation package that are installed; may be
//! empty.
std::vector<std::string> examplePhotographs();

//! A synthetic picture with much texture, for systems without photographs; 900 x 675, CV_8UC3.
cv::Mat renderedPhotograph(uint64_t seed);

} // namespace samples

#endif
