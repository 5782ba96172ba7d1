// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "id_keeper.hpp"

#include <algorithm>
#include <set>

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

void IdKeeper::match()
{
    // Visible ids are not kept in memory.
    std::set<int> visible;
    for (size_t f = 0; f < decided_; ++f)
        visible.insert(frames_[f].ids.begin(), frames_[f].ids.end());
    std::vector<int> lost;
    std::vector<std::vector<cv::KeyPoint>> keypoints(1);
    std::vector<cv::Mat> descriptors(1);
    for (const std::pair<const int, Remembered>& entry : known_)
        if (!visible.count(entry.first))
        {
            lost.push_back(entry.first);
            keypoints[0].push_back(entry.second.keypoint);
            descriptors[0].push_back(entry.second.descriptor);
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
    const Tracks tracks = matcher->match(keypoints, descriptors);

    for (size_t f = decided_; f < frames_.size(); ++f)
        frames_[f].ids.assign(frames_[f].features.keypoints.size(), -1);
    // A track gets the id that most of its points have, longer tracks first.
    std::vector<int> order(static_cast<size_t>(tracks.size()));
    for (size_t t = 0; t < order.size(); ++t)
        order[t] = static_cast<int>(t);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return tracks.length(a) > tracks.length(b); });
    std::set<int> taken;
    for (int t : order)
    {
        std::map<int, int> votes;
        const std::vector<Observation> track = tracks.track(t);
        bool reachesNew = false;
        for (const Observation& seen : track)
        {
            const size_t frame = static_cast<size_t>(seen.view) - 1;
            if (seen.view > 0 && frame >= decided_)
                reachesNew = true;
            else
            {
                const int id = seen.view == 0 ? lost[seen.point] : frames_[frame].ids[seen.point];
                if (id >= 0 && !taken.count(id))
                    // A visible point has more weight than a remembered one.
                    votes[id] += seen.view == 0 ? 1 : 2;
            }
        }
        if (!reachesNew)
            continue;
        int id = -1, most = 0;
        for (const std::pair<const int, int>& vote : votes)
            if (vote.second > most)
            {
                most = vote.second;
                id = vote.first;
            }
        if (id < 0)
            id = nextId_++;
        else if (!visible.count(id))
            ++reidentified_;
        taken.insert(id);
        for (const Observation& seen : track)
            if (seen.view > 0 && static_cast<size_t>(seen.view) > decided_)
                frames_[seen.view - 1].ids[seen.point] = id;
    }
    decided_ = frames_.size();
}
