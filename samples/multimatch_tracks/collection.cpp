// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "collection.hpp"

#include "arguments.hpp"
#include "files.hpp"

#include "opencv2/core/utils/filesystem.hpp"

#include <algorithm>
#include <set>

using namespace cv::multimatch;

namespace {

//! tracks.state.yml.gz for tracks.yml.gz.
std::string stateName(const std::string& tracks)
{
    const size_t name = tracks.find_last_of('/') + 1; // 0 without a folder
    size_t ending = tracks.rfind('.');
    if (tracks.size() > 3 && tracks.substr(tracks.size() - 3) == ".gz")
        ending = tracks.rfind('.', tracks.size() - 4);
    if (ending == std::string::npos || ending < name)
        ending = tracks.size();
    return tracks.substr(0, ending) + ".state" + tracks.substr(ending);
}

//! Each new view with the others that --pairs names; empty: with all.
cv::Mat pairsOf(const Options& options, const std::vector<cv::Mat>& all, int before)
{
    cv::Mat pairs;
    if (options.pairs.similar > 0)
    {
        const cv::Mat similar = retrievePairs(all, options.pairs.similar);
        for (int r = 0; r < similar.rows; ++r)
            if (std::max(similar.at<int>(r, 0), similar.at<int>(r, 1)) >= before)
                pairs.push_back(similar.row(r));
    }
    return pairs;
}

} // namespace

Collection::Collection(const std::string& tracks)
    : tracksFile_(tracks), stateFile_(stateName(tracks))
{
    if (!cv::utils::fs::exists(stateFile_))
    {
        if (cv::utils::fs::exists(tracks))
            throw samples::ArgumentError("--add-to=" + tracks + ": there is no " + stateFile_ +
                                         " beside it, as these tracks were not made with --add-to");
        return;
    }
    builder_ = TrackBuilder::load(stateFile_);
    const cv::FileStorage file(stateFile_, cv::FileStorage::READ);
    const cv::FileNode images = file["images"];
    if (static_cast<int>(images.size()) != builder_->viewCount())
        throw std::runtime_error(stateFile_ + " has " + std::to_string(images.size()) +
                                 " names of images, expected " +
                                 std::to_string(builder_->viewCount()));
    for (cv::FileNodeIterator node = images.begin(); node != images.end(); ++node)
    {
        ViewInfo info;
        info.name = (*node)["name"].string();
        info.size =
            cv::Size(static_cast<int>((*node)["width"]), static_cast<int>((*node)["height"]));
        info.focalLength = static_cast<double>((*node)["focal"]);
        info.keypoints = builder_->keypoints(static_cast<int>(infos_.size()));
        infos_.push_back(info);
    }
}

int Collection::removeKnown(std::vector<std::string>& images) const
{
    std::set<std::string> known;
    for (const ViewInfo& info : infos_)
        known.insert(info.name);
    const size_t before = images.size();
    images.erase(std::remove_if(images.begin(), images.end(),
                                [&](const std::string& name) { return known.count(name) > 0; }),
                 images.end());
    return static_cast<int>(before - images.size());
}

Matched Collection::add(const Options& options, const Views& added,
                        const ProgressCallback& progress)
{
    if (!builder_)
    {
        HiPPIParams params;
        const HiPPI* hippi = dynamic_cast<const HiPPI*>(options.matcher.get());
        if (hippi)
            params = hippi->getParams();
        builder_ = TrackBuilder::create(params);
        builder_->setNormType(options.matcher->getNormType());
    }
    const int before = builder_->viewCount();
    std::vector<cv::Mat> all;
    for (int v = 0; v < before && options.pairs.similar > 0; ++v)
        all.push_back(builder_->descriptors(v));
    all.insert(all.end(), added.descriptors.begin(), added.descriptors.end());
    builder_->setWindow(options.pairs.window);
    builder_->setProgressCallback(progress);
    Matched result;
    MatchReport report;
    const int64 start = cv::getTickCount();
    report.cancelled =
        builder_->add(added.keypoints(), added.descriptors, pairsOf(options, all, before)) < 0;
    report.stages.push_back("matching");
    report.seconds.push_back(double(cv::getTickCount() - start) / cv::getTickFrequency());
    if (!report.cancelled)
    {
        infos_.insert(infos_.end(), added.infos.begin(), added.infos.end());
        result.tracks = builder_->tracks().filter(options.minLength, options.minConfidence);
        result.pairs = allPairMatches(result.tracks);
    }
    result.tracks.setReport(report);
    return result;
}

Views Collection::views(const Views& added) const
{
    Views all = added;
    all.infos = infos_;
    all.descriptors.assign(infos_.size() - added.descriptors.size(), cv::Mat());
    all.descriptors.insert(all.descriptors.end(), added.descriptors.begin(),
                           added.descriptors.end());
    all.thumbnails.assign(infos_.size() - added.thumbnails.size(), cv::Mat());
    all.thumbnails.insert(all.thumbnails.end(), added.thumbnails.begin(), added.thumbnails.end());
    return all;
}

void Collection::write(const Tracks& tracks) const
{
    {
        samples::NewFile file(stateFile_);
        cv::FileStorage fs(file.temporaryName(), cv::FileStorage::WRITE);
        if (!fs.isOpened())
            throw std::runtime_error("cannot write " + stateFile_);
        builder_->write(fs);
        fs << "images"
           << "[";
        for (const ViewInfo& info : infos_)
            fs << "{"
               << "name" << info.name << "width" << info.size.width << "height" << info.size.height
               << "focal" << info.focalLength << "}";
        fs << "]";
        fs.release();
        file.commit();
    }
    writeTracks(tracksFile_, infos_, tracks);
}
