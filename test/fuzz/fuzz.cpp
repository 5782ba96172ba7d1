// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "fuzz.hpp"

#include "opencv2/core/utils/filesystem.hpp"
#include "opencv2/core/utils/logger.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <unistd.h>

namespace fuzz {

int Bytes::integer(int low, int high)
{
    const int64_t range = static_cast<int64_t>(high) - low + 1;
    int64_t value = byte();
    for (int64_t reach = 256; reach < range; reach *= 256)
        value = value * 256 + byte();
    return static_cast<int>(low + value % range);
}

int64_t Bytes::bits()
{
    uint64_t value = 0;
    for (int n = 0; n < 8; ++n)
        value = value * 256 + static_cast<uint64_t>(byte());
    return static_cast<int64_t>(value);
}

double Bytes::number(double low, double high)
{
    const int value = byte();
    return value == 255 ? high : low + (high - low) * value / 255;
}

std::string Bytes::text()
{
    std::string result;
    while (!empty())
    {
        const int next = byte();
        if (next == 0xff)
            break;
        result += static_cast<char>(next);
    }
    return result;
}

std::string Bytes::rest()
{
    const std::string result(reinterpret_cast<const char*>(data_ + at_), size_ - at_);
    at_ = size_;
    return result;
}

namespace {

std::string createFolder()
{
    // Neither OpenCV's messages nor its threads belong to what is tested.
    cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
    cv::redirectError([](int, const char*, const char*, const char*, int, void*) { return 0; });
    cv::setNumThreads(1);
    const std::string base = cv::utils::fs::isDirectory("/dev/shm") ? "/dev/shm" : "/tmp";
    const std::string name = base + "/multimatch_fuzz_" + std::to_string(getpid());
    cv::utils::fs::createDirectories(name);
    std::atexit([]() { cv::utils::fs::remove_all(folder()); });
    return name;
}

} // namespace

const std::string& folder()
{
    static const std::string name = createFolder();
    return name;
}

std::string write(const std::string& name, const std::string& content)
{
    const std::string path = folder() + "/" + name;
    std::ofstream out(path.c_str(), std::ios::binary);
    out << content;
    return path;
}

std::vector<cv::multimatch::ViewInfo> someViews()
{
    std::vector<cv::multimatch::ViewInfo> views(3);
    for (size_t v = 0; v < views.size(); ++v)
    {
        views[v].name = std::string(1, static_cast<char>('a' + v)) + ".jpg";
        views[v].size = cv::Size(640, 480);
    }
    return views;
}

void require(bool condition, const char* what)
{
    if (condition)
        return;
    std::fprintf(stderr, "required: %s\n", what);
    std::abort();
}

void requireConsistent(const cv::multimatch::Tracks& tracks)
{
    std::vector<int> members(static_cast<size_t>(tracks.size()), 0);
    for (int v = 0; v < tracks.viewCount(); ++v)
    {
        const std::vector<int> ids = tracks.trackIds(v);
        const std::vector<float> confidence = tracks.confidence(v);
        require(ids.size() == confidence.size(), "a confidence for each point");
        std::vector<int> present;
        for (size_t p = 0; p < ids.size(); ++p)
        {
            require(ids[p] >= -1 && ids[p] < tracks.size(), "ids in [-1, number of tracks)");
            require(confidence[p] >= 0 && confidence[p] <= 1, "confidences in [0, 1]");
            if (ids[p] < 0)
                continue;
            present.push_back(ids[p]);
            ++members[ids[p]];
        }
        std::sort(present.begin(), present.end());
        require(std::adjacent_find(present.begin(), present.end()) == present.end(),
                "no id twice in a view");
    }
    require(std::find(members.begin(), members.end(), 0) == members.end(),
            "a point in every track");
}

void requireConsistent(const std::vector<cv::multimatch::ViewInfo>& views,
                       const std::vector<cv::multimatch::PairMatches>& matches)
{
    const int count = static_cast<int>(views.size());
    for (const cv::multimatch::PairMatches& pair : matches)
    {
        require(pair.first >= 0 && pair.first < count && pair.second >= 0 && pair.second < count,
                "matches of views that exist");
        for (const cv::DMatch& match : pair.matches)
        {
            const std::vector<cv::KeyPoint>&first = views[pair.first].keypoints,
                  &second = views[pair.second].keypoints;
            require(match.queryIdx >= 0 && match.queryIdx < static_cast<int>(first.size()) &&
                        match.trainIdx >= 0 && match.trainIdx < static_cast<int>(second.size()),
                    "matches of points that exist");
        }
    }
}

} // namespace fuzz
