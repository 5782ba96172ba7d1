// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "e2e_pictures.hpp"

#include "features.hpp"
#include "files.hpp"

#include "opencv2/calib3d.hpp"
#include "opencv2/core/utils/filesystem.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "opencv2/videoio.hpp"

#include <cstdio>
#include <fstream>
#include <map>
#include <stdexcept>
#include <vector>

namespace {

// Frames of the video with the covered half.
const int FRAMES = 44, HIDDEN_FROM = 14, HIDDEN_TO = 24, SPEED = 2;

cv::Mat readPicture(const std::string& file)
{
    cv::Mat picture = cv::imread(file);
    if (picture.empty())
        throw std::runtime_error("cannot read " + file);
    return picture;
}

void openVideo(cv::VideoWriter& writer, const std::string& file, const cv::Size& size)
{
    // Every build of OpenCV can write Motion JPEG in AVI.
    if (!writer.open(file, cv::CAP_OPENCV_MJPEG, cv::VideoWriter::fourcc('M', 'J', 'P', 'G'), 10,
                     size))
        throw std::runtime_error("cannot write the video " + file);
}

//! Random texture at several scales; every place has a unique appearance.
cv::Mat texture(int width, int height, int seed)
{
    cv::RNG rng(static_cast<uint64>(seed));
    cv::Mat sum(height, width, CV_32FC3, cv::Scalar::all(128));
    for (int size = 2; size <= 64; size *= 2)
    {
        cv::Mat noise(height / size + 2, width / size + 2, CV_32FC3);
        rng.fill(noise, cv::RNG::NORMAL, 0, 14 + 3. * std::log2(size));
        cv::resize(noise, noise, sum.size(), 0, 0, cv::INTER_CUBIC);
        sum += noise;
    }
    sum.convertTo(sum, CV_8U);
    return sum;
}

//! A number in EXIF data; type is 3 (16 bits), 4 (32 bits) or 5 (a fraction).
struct ExifValue
{
    unsigned tag, type, value, denominator;
};

void append(std::vector<uchar>& bytes, unsigned value, int count)
{
    for (int n = count - 1; n >= 0; --n)
        bytes.push_back(static_cast<uchar>(value >> 8 * n));
}

//! A JPEG segment with EXIF data in big-endian order. The first directory has only the offset of
//! the second one, which has the values.
std::vector<uchar> exifSegment(const std::vector<ExifValue>& values)
{
    std::vector<uchar> tiff = {'M', 'M'}, fractions;
    append(tiff, 42, 2);
    append(tiff, 8, 4); // offset of the first directory
    append(tiff, 1, 2);
    for (unsigned field : {0x87690004u, 1u, 26u}) // ExifIFDPointer, one long
        append(tiff, field, 4);
    append(tiff, 0, 4); // no next directory
    append(tiff, static_cast<unsigned>(values.size()), 2);
    const size_t end = tiff.size() + 12 * values.size() + 4;
    for (const ExifValue& value : values)
    {
        append(tiff, value.tag, 2);
        append(tiff, value.type, 2);
        append(tiff, 1, 4);
        if (value.type == 5)
        {
            append(tiff, static_cast<unsigned>(end + fractions.size()), 4);
            append(fractions, value.value, 4);
            append(fractions, value.denominator, 4);
        }
        else
            append(tiff, value.type == 3 ? value.value << 16 : value.value, 4);
    }
    append(tiff, 0, 4);
    tiff.insert(tiff.end(), fractions.begin(), fractions.end());

    std::vector<uchar> segment = {0xFF, 0xE1};
    append(segment, static_cast<unsigned>(tiff.size() + 8), 2);
    for (char letter : {'E', 'x', 'i', 'f', '\0', '\0'})
        segment.push_back(static_cast<uchar>(letter));
    segment.insert(segment.end(), tiff.begin(), tiff.end());
    return segment;
}

//! A textured rectangle in space: a corner and two edges.
struct Wall
{
    cv::Vec3d corner, along, down;
    cv::Mat texture;
};

cv::Mat render(const std::vector<Wall>& walls, const cv::Matx33d& K, const cv::Matx33d& R,
               const cv::Vec3d& center, const cv::Size& size)
{
    cv::Mat image(size, CV_8UC3, cv::Scalar::all(90));
    const cv::Matx33d back = R.t() * K.inv();
    for (int y = 0; y < size.height; ++y)
        for (int x = 0; x < size.width; ++x)
        {
            const cv::Vec3d ray = back * cv::Vec3d(x, y, 1);
            double nearest = 1e9;
            for (const Wall& wall : walls)
            {
                const cv::Matx33d M(ray[0], -wall.along[0], -wall.down[0], ray[1], -wall.along[1],
                                    -wall.down[1], ray[2], -wall.along[2], -wall.down[2]);
                const cv::Vec3d hit = M.inv() * (wall.corner - center);
                if (!(hit[0] > 0) || hit[0] >= nearest || hit[1] < 0 || hit[1] >= 1 || hit[2] < 0 ||
                    hit[2] >= 1)
                    continue;
                nearest = hit[0];
                cv::Mat sample;
                cv::getRectSubPix(wall.texture, cv::Size(1, 1),
                                  cv::Point2f(static_cast<float>(hit[1] * wall.texture.cols),
                                              static_cast<float>(hit[2] * wall.texture.rows)),
                                  sample);
                image.at<cv::Vec3b>(y, x) = sample.at<cv::Vec3b>(0);
            }
        }
    return image;
}

} // namespace

void makeVideo(const std::string& folder, const std::string& file)
{
    cv::VideoWriter writer;
    for (const std::string& name : samples::listImages(folder))
    {
        const cv::Mat picture = readPicture(name);
        if (!writer.isOpened())
            openVideo(writer, file, picture.size());
        writer.write(picture);
    }
}

void makeExifPhoto(const std::string& kind, const std::string& picture, const std::string& file)
{
    const cv::Mat image = readPicture(picture);
    std::vector<uchar> jpeg;
    cv::imencode(".jpg", image, jpeg);
    const unsigned side = static_cast<unsigned>(std::max(image.cols, image.rows));
    std::vector<uchar> exif;
    if (kind == "film")
        exif = exifSegment({{0xA405, 3, 50, 0}}); // FocalLengthIn35mmFilm
    else if (kind == "sensor")
        // FocalLength, PixelXDimension, and a sensor of 36 mm: FocalPlaneXResolution in pixels per
        // cm.
        exif = exifSegment({{0x920A, 5, 50, 1},
                            {0xA002, 4, side, 0},
                            {0xA20E, 5, side * 10, 36},
                            {0xA210, 3, 3, 0}});
    else
        throw std::runtime_error("expected film or sensor, found " + kind);
    jpeg.insert(jpeg.begin() + 2, exif.begin(), exif.end());
    std::ofstream out(file.c_str(), std::ios::binary);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes
    out.write(reinterpret_cast<const char*>(jpeg.data()),
              static_cast<std::streamsize>(jpeg.size()));
}

void makeScene(const std::string& folder)
{
    cv::utils::fs::createDirectories(folder);
    std::vector<Wall> walls;
    walls.push_back(Wall{{-4, -3, 7}, {8, 0, 1}, {0, 6, 0}, texture(1200, 900, 1)});
    walls.push_back(Wall{{-1.6, -1, 5}, {1.4, 0, -0.4}, {0, 1.5, 0}, texture(300, 300, 2)});
    walls.push_back(Wall{{0.5, -0.3, 4.6}, {1.2, 0, 0.5}, {0, 1.4, 0}, texture(300, 300, 3)});
    walls.push_back(Wall{{-4, 1.6, 7.5}, {8, 0, 0}, {0, 0.2, -5}, texture(1200, 700, 4)});
    const cv::Matx33d K(700, 0, 319.5, 0, 700, 239.5, 0, 0, 1);
    cv::FileStorage cameras(folder + "/cameras.yml", cv::FileStorage::WRITE);
    cameras << "view_count" << 6;
    for (int v = 0; v < 6; ++v)
    {
        const cv::Vec3d center(0.4 * (v - 2.5), 0.1 * (v % 2), 0.05 * v);
        cv::Matx33d R;
        cv::Rodrigues(cv::Vec3d(0, 0.07 * (v - 2.5), 0.01 * v), R);
        const std::string name = cv::format("%d.png", v);
        cv::imwrite(folder + "/" + name, render(walls, K, R, center, cv::Size(640, 480)));
        const cv::Vec3d t = -(R * center);
        cv::Mat Rt;
        cv::hconcat(cv::Mat(R), cv::Mat(t), Rt);
        cameras << cv::format("name_%03d", v) << name << cv::format("P_%03d", v)
                << cv::Mat(cv::Mat(K) * Rt);
    }
}

void makeHiddenVideo(const std::string& file, const std::string& video)
{
    const cv::Mat picture = readPicture(file);
    const cv::Size size(picture.cols - FRAMES * SPEED, picture.rows);
    cv::VideoWriter writer;
    openVideo(writer, video, size);
    for (int f = 0; f < FRAMES; ++f)
    {
        cv::Mat frame = picture(cv::Rect(f * SPEED, 0, size.width, size.height)).clone();
        if (f >= HIDDEN_FROM && f < HIDDEN_TO)
            frame.colRange(0, size.width / 2).setTo(cv::Scalar::all(60));
        writer.write(frame);
    }
}

void checkIds(const std::string& table)
{
    std::ifstream in(table.c_str());
    std::string line;
    std::getline(in, line);
    std::map<int, std::vector<cv::Point2d>> places; // positions in the picture, by id
    std::map<int, std::pair<int, int>> seen; // number of frames before and after the cover, by id
    std::map<int, int> hidden;
    while (std::getline(in, line))
    {
        int frame, id;
        double x, y;
        if (std::sscanf(line.c_str(), "%d,%d,%lf,%lf", &frame, &id, &x, &y) != 4)
            throw std::runtime_error(table + " has the line " + line);
        places[id].push_back(cv::Point2d(x + SPEED * frame, y));
        ++(frame < HIDDEN_FROM ? seen[id].first : seen[id].second);
        hidden[id] += frame >= HIDDEN_FROM && frame < HIDDEN_TO;
    }
    int right = 0, all = 0;
    for (const auto& id : places)
        for (const cv::Point2d& place : id.second)
        {
            ++all;
            right += cv::norm(place - id.second[0]) < 3;
        }
    if (all < 1000 || right < 0.97 * all)
        throw std::runtime_error(
            cv::format("%d of %d points are where their id was before", right, all));
    // Visible before, hidden while covered.
    int before = 0, back = 0;
    for (const auto& id : seen)
        if (id.second.first >= 8 && hidden[id.first] == 0)
        {
            ++before;
            back += id.second.second > 0;
        }
    if (before < 10 || back < 0.5 * before)
        throw std::runtime_error(
            cv::format("%d of %d covered points got their id back, expected half", back, before));
}

void makePanorama(const std::string& file, const std::string& folder)
{
    const cv::Mat picture = readPicture(file);
    cv::utils::fs::createDirectories(folder);
    const double f = picture.cols;
    const cv::Size size(cvRound(picture.cols * 0.55), cvRound(picture.rows * 0.8));
    const cv::Matx33d from(f, 0, picture.cols / 2., 0, f, picture.rows / 2., 0, 0, 1);
    const cv::Matx33d to(f, 0, size.width / 2., 0, f, size.height / 2., 0, 0, 1);
    for (int v = 0; v < 4; ++v)
    {
        cv::Matx33d R;
        cv::Rodrigues(cv::Vec3d(0.01 * (v % 2), -0.14 * (v - 1.5), 0), R);
        cv::Mat view;
        cv::warpPerspective(picture, view, cv::Mat(to * R * from.inv()), size);
        cv::imwrite(folder + cv::format("/%d.png", v), view);
    }
}

void checkPanorama(const std::string& file, const std::string& panorama)
{
    const cv::Mat picture = readPicture(file), made = readPicture(panorama);
    if (made.cols < 0.8 * picture.cols)
        throw std::runtime_error(
            cv::format("the panorama is %d wide, the picture %d", made.cols, picture.cols));
    std::vector<cv::KeyPoint> a, b;
    cv::Mat d, e;
    const cv::Ptr<cv::SIFT> sift = cv::SIFT::create(1500);
    sift->detectAndCompute(picture, cv::noArray(), a, d);
    sift->detectAndCompute(made, cv::noArray(), b, e);
    std::vector<std::vector<cv::DMatch>> matches;
    cv::BFMatcher().knnMatch(d, e, matches, 2);
    std::vector<cv::Point2f> x, y;
    for (const std::vector<cv::DMatch>& two : matches)
        if (two[0].distance < 0.7 * two[1].distance)
        {
            x.push_back(a[two[0].queryIdx].pt);
            y.push_back(b[two[0].trainIdx].pt);
        }
    std::vector<uchar> inliers;
    if (x.size() >= 60)
        cv::findHomography(x, y, cv::RANSAC, 8, inliers);
    if (cv::countNonZero(inliers) < 0.7 * x.size() || x.size() < 60)
        throw std::runtime_error(cv::format("%d of %d matches with the panorama agree",
                                            cv::countNonZero(inliers), int(x.size())));
}
