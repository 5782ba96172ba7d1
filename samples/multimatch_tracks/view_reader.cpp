// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "view_reader.hpp"

#include "exif.hpp"

#include "opencv2/core/utility.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "opencv2/videoio.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>

namespace {

// Result for one image. Threads write to different slots.
struct Slot
{
    cv::Mat image, thumbnail;
    samples::Features features;
    cv::Size size;
    std::string error;
    double focalLength = 0;
    bool outOfMemory = false; // no fault of the file
};

void describe(Slot& slot, const samples::FeatureParams& params, int thumbnailWidth)
{
    slot.size = slot.image.size();
    slot.features = samples::FeatureExtractor(params).extract(slot.image);
    if (thumbnailWidth > 0)
    {
        const double scale = std::min(1.0, thumbnailWidth / static_cast<double>(slot.image.cols));
        const cv::Size size(std::max(1, cvRound(slot.image.cols * scale)),
                            std::max(1, cvRound(slot.image.rows * scale)));
        cv::resize(slot.image, slot.thumbnail, size, 0, 0, cv::INTER_AREA);
    }
    slot.image.release();
}

void readFile(Slot& slot, const std::string& file, const samples::FeatureParams& params,
              int thumbnailWidth)
{
    // An error in one file must not stop the others.
    try
    {
        slot.image = cv::imread(file, cv::IMREAD_COLOR);
        if (slot.image.empty())
            slot.error = "missing, or not an image that OpenCV can read";
        else
        {
            slot.focalLength =
                samples::exifFocalLength(file, std::max(slot.image.cols, slot.image.rows));
            describe(slot, params, thumbnailWidth);
        }
    }
    catch (const cv::Exception& e)
    {
        slot.error = e.err;
        slot.outOfMemory = e.code == cv::Error::StsNoMem;
    }
    catch (const std::bad_alloc&)
    {
        slot.outOfMemory = true;
    }
    catch (const std::exception& e)
    {
        slot.error = e.what();
    }
}

void append(Views& views, Slot& slot, const std::string& name, double focalLength)
{
    const int source = static_cast<int>(views.sources.size());
    views.sources.push_back(name);
    if (!slot.error.empty())
    {
        views.unreadable.push_back(name + " (" + slot.error + ")");
        return;
    }
    cv::multimatch::ViewInfo info;
    info.name = name;
    info.size = slot.size;
    info.focalLength = focalLength > 0 ? focalLength : slot.focalLength;
    info.keypoints.swap(slot.features.keypoints);
    views.infos.push_back(info);
    views.descriptors.push_back(slot.features.descriptors);
    views.thumbnails.push_back(slot.thumbnail);
    views.sourceIndex.push_back(source);
}

// Images between two calls of the progress callback: enough for all threads.
size_t sliceSize()
{
    return 4 * static_cast<size_t>(std::max(1, cv::getNumThreads()));
}

} // namespace

std::vector<std::vector<cv::KeyPoint>> Views::keypoints() const
{
    std::vector<std::vector<cv::KeyPoint>> all;
    for (size_t i = 0; i < infos.size(); ++i)
        all.push_back(infos[i].keypoints);
    return all;
}

Views readPhotographs(const std::vector<std::string>& files, const samples::FeatureParams& params,
                      int thumbnailWidth, double focalLength, const ReadProgress& progress)
{
    Views views;
    for (size_t first = 0; first < files.size(); first += sliceSize())
    {
        if (!progress(first / static_cast<double>(files.size())))
        {
            views.stopped = true;
            return views;
        }
        const int count = static_cast<int>(std::min(files.size() - first, sliceSize()));
        std::vector<Slot> slots(count);
        cv::parallel_for_(
            cv::Range(0, count),
            [&](const cv::Range& range) {
                for (int i = range.start; i < range.end; ++i)
                    readFile(slots[i], files[first + i], params, thumbnailWidth);
            },
            count);
        for (int i = 0; i < count; ++i)
        {
            if (slots[i].outOfMemory)
                throw std::runtime_error("there is not enough memory for the key points of " +
                                         files[first + i]);
            append(views, slots[i], files[first + i], focalLength);
        }
    }
    return views;
}

Views readVideo(const std::string& file, int step, int maxFrames,
                const samples::FeatureParams& params, int thumbnailWidth, double focalLength,
                const ReadProgress& progress)
{
    cv::VideoCapture capture(file);
    if (!capture.isOpened())
        throw std::invalid_argument("cannot open the video " + file);
    // Some containers do not give their length.
    const double frames = capture.get(cv::CAP_PROP_FRAME_COUNT);
    double expected = frames > 0 ? frames / step : 0;
    if (maxFrames > 0)
        expected = expected > 0 ? std::min<double>(expected, maxFrames) : maxFrames;

    Views views;
    bool more = true;
    for (int frame = 0; more;)
    {
        const double done = expected > 0 ? views.sources.size() / expected : 0;
        if (!progress(std::min(1.0, done)))
        {
            views.stopped = true;
            return views;
        }
        std::vector<Slot> slots;
        std::vector<std::string> names;
        while (more && slots.size() < sliceSize())
        {
            if (maxFrames > 0 && static_cast<int>(views.sources.size() + slots.size()) >= maxFrames)
            {
                more = false;
                break;
            }
            more = capture.grab();
            if (more && frame % step == 0)
            {
                Slot slot;
                // The decoder owns the memory that retrieve() returns.
                cv::Mat picture;
                if (capture.retrieve(picture))
                    slot.image = picture.clone();
                else
                    slot.error = "cannot be decoded";
                slots.push_back(slot);
                names.push_back(cv::format("frame_%06d", frame));
            }
            if (more)
                ++frame;
        }
        cv::parallel_for_(
            cv::Range(0, static_cast<int>(slots.size())),
            [&](const cv::Range& range) {
                for (int i = range.start; i < range.end; ++i)
                    if (slots[i].error.empty())
                        describe(slots[i], params, thumbnailWidth);
            },
            static_cast<double>(slots.size()));
        for (size_t i = 0; i < slots.size(); ++i)
            append(views, slots[i], names[i], focalLength);
    }
    return views;
}
