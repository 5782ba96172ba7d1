// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "id_keeper.hpp"

#include <algorithm>
#include <numeric>

using namespace cv::multimatch;

IdKeeper::IdKeeper(int window, int overlap, int memory)
    : window_(window), overlap_(overlap), memory_(memory), decided_(0), nextId_(0), reidentified_(0)
{
}

std::vector<Frame> IdKeeper::add(const Frame& frame)
{
    frames_.push_back(frame);
    if (static_cast<int>(frames_.size()) < window_)
        return std::vector<Frame>();
    match();
    return release(static_cast<size_t>(overlap_));
}

std::vector<Frame> IdKeeper::finish()
{
    if (decided_ < frames_.size() && frames_.size() > 1)
        match();
    for (Frame& frame : frames_)
        if (frame.ids.empty())
            frame.ids.assign(frame.features.keypoints.size(), -1);
    return release(0);
}

//! Returns all frames except the last ones, which the next window needs.
std::vector<Frame> IdKeeper::release(size_t keep)
{
    std::vector<Frame> done;
    while (frames_.size() > keep)
    {
        remember(frames_.front());
        done.push_back(frames_.front());
        frames_.pop_front();
    }
    decided_ = frames_.size();
    return done;
}

void IdKeeper::remember(const Frame& frame)
{
    for (size_t p = 0; p < frame.ids.size(); ++p)
        if (frame.ids[p] >= 0)
        {
            Remembered& entry = known_[frame.ids[p]];
            entry.keypoint = frame.features.keypoints[p];
            entry.descriptor = frame.features.descriptors.row(static_cast<int>(p)).clone();
            entry.lastFrame = frame.number;
        }
    for (std::map<int, Remembered>::iterator entry = known_.begin(); entry != known_.end();)
        if (frame.number - entry->second.lastFrame > memory_)
            known_.erase(entry++);
        else
            ++entry;
}

//! Tracks of the lost points, which are view 0, and of the frames, which follow.
Tracks IdKeeper::matchFrames(const std::vector<int>& lost) const
{
    std::vector<std::vector<cv::KeyPoint>> keypoints(1);
    std::vector<cv::Mat> descriptors(1);
    for (int id : lost)
    {
        keypoints[0].push_back(known_.at(id).keypoint);
        descriptors[0].push_back(known_.at(id).descriptor);
    }
    cv::Mat pairs;
    const int count = static_cast<int>(frames_.size());
    for (int f = 0; f < count; ++f)
    {
        keypoints.push_back(frames_[f].features.keypoints);
        descriptors.push_back(frames_[f].features.descriptors);
        pairs.push_back(cv::Mat((cv::Mat_<int>(1, 2) << 0, f + 1)));
        for (int g = f + 1; g < count; ++g)
            pairs.push_back(cv::Mat((cv::Mat_<int>(1, 2) << f + 1, g + 1)));
    }
    const cv::Ptr<HiPPI> matcher = HiPPI::create();
    matcher->setPairs(pairs);
    return matcher->match(keypoints, descriptors);
}

//! The id that most points of a track have, without those in taken; -1: none has one.
int IdKeeper::mostFrequentId(const std::vector<Observation>& track, const std::vector<int>& lost,
                             const std::set<int>& taken) const
{
    std::map<int, int> votes;
    for (const Observation& seen : track)
    {
        if (seen.view > 0 && static_cast<size_t>(seen.view) > decided_)
            continue;
        const int id = seen.view == 0 ? lost[seen.point] : frames_[seen.view - 1].ids[seen.point];
        if (id >= 0 && !taken.count(id))
            // A visible point has more weight than a remembered one.
            votes[id] += seen.view == 0 ? 1 : 2;
    }
    int result = -1, most = 0;
    for (const std::pair<const int, int>& vote : votes)
        if (vote.second > most)
        {
            most = vote.second;
            result = vote.first;
        }
    return result;
}

void IdKeeper::match()
{
    // Visible ids are not kept in memory.
    std::set<int> visible;
    for (size_t f = 0; f < decided_; ++f)
        visible.insert(frames_[f].ids.begin(), frames_[f].ids.end());
    std::vector<int> lost;
    for (const std::pair<const int, Remembered>& entry : known_)
        if (!visible.count(entry.first))
            lost.push_back(entry.first);
    const Tracks tracks = matchFrames(lost);

    for (size_t f = decided_; f < frames_.size(); ++f)
        frames_[f].ids.assign(frames_[f].features.keypoints.size(), -1);
    // A track gets the id that most of its points have, longer tracks first.
    std::vector<int> order(static_cast<size_t>(tracks.size()));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return tracks.length(a) > tracks.length(b); });
    std::set<int> taken;
    for (int t : order)
    {
        const std::vector<Observation> track = tracks.track(t);
        if (static_cast<size_t>(track.back().view) <= decided_) // views ascend
            continue;
        int id = mostFrequentId(track, lost, taken);
        if (id < 0)
            id = nextId_++;
        else if (!visible.count(id))
            ++reidentified_;
        taken.insert(id);
        for (const Observation& seen : track)
            if (static_cast<size_t>(seen.view) > decided_)
                frames_[seen.view - 1].ids[seen.point] = id;
    }
    decided_ = frames_.size();
}
