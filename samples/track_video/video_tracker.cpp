// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "video_tracker.hpp"

#include <algorithm>

using namespace cv::multimatch;

namespace {

const int REMEMBERED = 4; // frames in the memory, at most

} // namespace

VideoTracker::VideoTracker(int window, int delay, int memory)
    : builder_(TrackBuilder::create()), window_(window), delay_(delay), memory_(memory),
      released_(0), reidentified_(0)
{
    builder_->setRefreshShare(0); // every frame takes about the same time
}

std::vector<Frame> VideoTracker::add(const Frame& frame)
{
    const int view = builder_->viewCount();
    cv::Mat pairs;
    const auto compare = [&](int other) {
        pairs.push_back(cv::Mat((cv::Mat_<int>(1, 2) << other, view)));
    };
    std::for_each(remembered_.begin(), remembered_.end(), compare);
    std::for_each(recent_.begin(), recent_.end(), compare);
    builder_->add({frame.features.keypoints}, std::vector<cv::Mat>(1, frame.features.descriptors),
                  pairs);
    recent_.push_back(view);
    waiting_.push_back(frame);
    std::vector<Frame> done = release(static_cast<size_t>(delay_));
    forget();
    return done;
}

//! Returns all frames except the last ones.
std::vector<Frame> VideoTracker::release(size_t keep)
{
    std::vector<Frame> done;
    while (waiting_.size() > keep)
    {
        Frame frame = waiting_.front();
        waiting_.pop_front();
        frame.ids = builder_->ids(released_); // one view per frame
        for (int id : frame.ids)
        {
            if (id < 0)
                continue;
            const std::map<int, int>::iterator seen = lastFrame_.find(id);
            if (seen != lastFrame_.end() && released_ - seen->second > window_)
                ++reidentified_;
            lastFrame_[id] = released_;
        }
        ++released_;
        done.push_back(frame);
    }
    return done;
}

//! Removes the frames that no later one is compared with; every few frames one is remembered.
void VideoTracker::forget()
{
    const int now = builder_->viewCount();
    while (recent_.size() > static_cast<size_t>(window_) && recent_.front() < released_)
    {
        const int view = recent_.front();
        recent_.pop_front();
        const int last = remembered_.empty() ? -memory_ : remembered_.back();
        if (memory_ > 0 && view - last >= std::max(1, memory_ / REMEMBERED))
            remembered_.push_back(view);
        else
            builder_->remove(view);
    }
    while (!remembered_.empty() && now - remembered_.front() > memory_)
    {
        builder_->remove(remembered_.front());
        remembered_.erase(remembered_.begin());
    }
}
