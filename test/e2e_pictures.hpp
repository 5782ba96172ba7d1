// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_E2E_PICTURES_HPP
#define MULTIMATCH_E2E_PICTURES_HPP

#include <string>

// Images and videos for the end-to-end tests, and checks of the results. All functions throw
// std::runtime_error with a message on failure.

void makeVideo(const std::string& folder, const std::string& file);

//! A JPEG file whose EXIF data give 50 mm on 35 mm film (kind "film") or 50 mm and a sensor of 36
//! mm ("sensor").
void makeExifPhoto(const std::string& kind, const std::string& picture, const std::string& file);

void makeScene(const std::string& folder);

void makeHiddenVideo(const std::string& picture, const std::string& file);
void checkIds(const std::string& table);

void makePanorama(const std::string& picture, const std::string& folder);
void checkPanorama(const std::string& picture, const std::string& panorama);

#endif
