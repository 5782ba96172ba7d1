// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "../base/checks.hpp"
#include "../base/storage_file.hpp"

#include "opencv2/multimatch/detail/new_file.hpp"

#include <unordered_map>

namespace cv { namespace multimatch {

Observation::Observation() : view(-1), point(-1), confidence(0) {}

Observation::Observation(int view_, int point_, float confidence_)
    : view(view_), point(point_), confidence(confidence_)
{
}

MatchReport::MatchReport()
    : iterations(0), universeSize(0), converged(false), exact(true), cancelled(false),
      duplicateMatches(0), ambiguousMatches(0), outsidePoints(0), coincidentPoints(0)
{
}

double MatchReport::totalSeconds() const
{
    return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

TrackStatistics::TrackStatistics()
    : views(0), points(0), tracks(0), observations(0), meanLength(0), meanConfidence(0),
      twoViewShare(0)
{
}

//! Never changed once made, so copies of Tracks may share it.
struct Tracks::Content
{
    std::vector<std::vector<int>> ids;
    std::vector<std::vector<float>> confidence;
    std::vector<Observation> observations; //!< track by track
    std::vector<int> offsets;              //!< first observation of each track, size() + 1
    MatchReport report;

    Content() : offsets(1, 0) {}
};

namespace {

void checkLabels(const std::vector<std::vector<int>>& labels,
                 const std::vector<std::vector<float>>& confidence)
{
    if (!confidence.empty() && confidence.size() != labels.size())
        CV_Error_(Error::StsUnmatchedSizes, ("confidence has %zu views but labels has %zu",
                                             confidence.size(), labels.size()));
    std::unordered_map<int, size_t> pointOfLabel;
    for (size_t v = 0; v < labels.size(); ++v)
    {
        if (!confidence.empty() && confidence[v].size() != labels[v].size())
            CV_Error_(Error::StsUnmatchedSizes,
                      ("confidence[%zu] has %zu points but labels[%zu] has %zu", v,
                       confidence[v].size(), v, labels[v].size()));
        pointOfLabel.clear();
        for (size_t p = 0; p < labels[v].size(); ++p)
        {
            if (!confidence.empty() && !(confidence[v][p] >= 0.f && confidence[v][p] <= 1.f))
                CV_Error_(Error::StsOutOfRange,
                          ("confidence[%zu][%zu] is %f, expected a value in [0, 1]", v, p,
                           static_cast<double>(confidence[v][p])));
            if (labels[v][p] < 0)
                continue;
            const std::pair<std::unordered_map<int, size_t>::iterator, bool> added =
                pointOfLabel.insert(std::make_pair(labels[v][p], p));
            if (!added.second)
                CV_Error_(Error::StsBadArg, ("label %d stands at the points %zu and %zu of view "
                                             "%zu, expected once in a view",
                                             labels[v][p], added.first->second, p, v));
        }
    }
}

} // namespace

Tracks::Tracks() : content_(std::make_shared<Content>()) {}

Tracks::Tracks(const std::vector<std::vector<int>>& labels,
               const std::vector<std::vector<float>>& confidence, int minLength)
{
    checkLabels(labels, confidence);
    const std::shared_ptr<Content> content = std::make_shared<Content>();

    std::unordered_map<int, int> lengthOf;
    for (size_t v = 0; v < labels.size(); ++v)
        for (size_t p = 0; p < labels[v].size(); ++p)
            if (labels[v][p] >= 0)
                ++lengthOf[labels[v][p]];

    // Ids are numbered by the first observation of each track.
    std::unordered_map<int, int> idOf;
    content->ids.resize(labels.size());
    content->confidence.resize(labels.size());
    for (size_t v = 0; v < labels.size(); ++v)
    {
        content->ids[v].assign(labels[v].size(), -1);
        content->confidence[v].assign(labels[v].size(), 0.f);
        for (size_t p = 0; p < labels[v].size(); ++p)
        {
            const int label = labels[v][p];
            if (label < 0 || lengthOf[label] < minLength)
                continue;
            const int id =
                idOf.insert(std::make_pair(label, static_cast<int>(idOf.size()))).first->second;
            if (static_cast<size_t>(id) + 1 == content->offsets.size())
                content->offsets.push_back(lengthOf[label]);
            content->ids[v][p] = id;
            content->confidence[v][p] = confidence.empty() ? 1.f : confidence[v][p];
        }
    }
    std::partial_sum(content->offsets.begin(), content->offsets.end(), content->offsets.begin());

    content->observations.resize(content->offsets.back());
    std::vector<int> next(content->offsets.begin(), content->offsets.end() - 1);
    for (size_t v = 0; v < labels.size(); ++v)
        for (size_t p = 0; p < labels[v].size(); ++p)
        {
            const int id = content->ids[v][p];
            if (id >= 0)
                content->observations[next[id]++] = Observation(
                    static_cast<int>(v), static_cast<int>(p), content->confidence[v][p]);
        }
    content_ = content;
}

int Tracks::viewCount() const
{
    return static_cast<int>(content_->ids.size());
}

int Tracks::size() const
{
    return static_cast<int>(content_->offsets.size()) - 1;
}

bool Tracks::empty() const
{
    return size() == 0;
}

namespace {

void checkIndex(const char* what, int index, int count)
{
    if (index < 0 || index >= count)
        CV_Error_(Error::StsOutOfRange, ("%s %d does not exist, there are %d", what, index, count));
}

} // namespace

int Tracks::pointCount(int view) const
{
    return static_cast<int>(ids(view).size());
}

std::vector<int> Tracks::trackIds(int view) const
{
    return ids(view);
}

const std::vector<int>& Tracks::ids(int view) const
{
    checkIndex("view", view, viewCount());
    return content_->ids[view];
}

std::vector<float> Tracks::confidence(int view) const
{
    return confidences(view);
}

const std::vector<float>& Tracks::confidences(int view) const
{
    checkIndex("view", view, viewCount());
    return content_->confidence[view];
}

std::vector<Observation> Tracks::track(int id) const
{
    checkIndex("track", id, size());
    return std::vector<Observation>(content_->observations.begin() + content_->offsets[id],
                                    content_->observations.begin() + content_->offsets[id + 1]);
}

int Tracks::length(int id) const
{
    checkIndex("track", id, size());
    return content_->offsets[id + 1] - content_->offsets[id];
}

std::vector<DMatch> Tracks::matches(int i, int j) const
{
    const std::vector<int>& ids = this->ids(i);
    checkIndex("view", j, viewCount());
    const auto before = [](const Observation& seen, int view) { return seen.view < view; };
    std::vector<DMatch> result;
    for (size_t p = 0; p < ids.size(); ++p)
    {
        if (ids[p] < 0)
            continue;
        const std::vector<Observation>::const_iterator first = content_->observations.begin();
        const std::vector<Observation>::const_iterator end = first + content_->offsets[ids[p] + 1];
        const std::vector<Observation>::const_iterator other =
            std::lower_bound(first + content_->offsets[ids[p]], end, j, before);
        if (other != end && other->view == j)
            result.push_back(DMatch(static_cast<int>(p), other->point, j,
                                    1.f - std::min(content_->confidence[i][p], other->confidence)));
    }
    return result;
}

Tracks Tracks::filter(int minLength, float minConfidence) const
{
    std::vector<std::vector<int>> labels = content_->ids;
    for (size_t v = 0; v < labels.size(); ++v)
        for (size_t p = 0; p < labels[v].size(); ++p)
            if (content_->confidence[v][p] < minConfidence)
                labels[v][p] = -1;
    Tracks result(labels, content_->confidence, minLength);
    result.setReport(content_->report);
    return result;
}

TrackStatistics Tracks::statistics() const
{
    TrackStatistics s;
    s.views = viewCount();
    for (size_t v = 0; v < content_->ids.size(); ++v)
        s.points += static_cast<int>(content_->ids[v].size());
    s.tracks = size();
    s.observations = static_cast<int>(content_->observations.size());
    for (int t = 0; t < s.tracks; ++t)
    {
        const size_t n = static_cast<size_t>(length(t));
        if (s.lengthCounts.size() <= n)
            s.lengthCounts.resize(n + 1, 0);
        ++s.lengthCounts[n];
    }
    double sum = 0;
    for (size_t o = 0; o < content_->observations.size(); ++o)
        sum += content_->observations[o].confidence;
    s.meanLength = s.tracks ? static_cast<double>(s.observations) / s.tracks : 0;
    s.twoViewShare = s.lengthCounts.size() > 2 ? double(s.lengthCounts[2]) / s.tracks : 0;
    s.meanConfidence = s.observations ? sum / s.observations : 0;
    return s;
}

std::vector<Mat> Tracks::points2d(const std::vector<std::vector<KeyPoint>>& keypoints) const
{
    checkSizes(*this, sizesOf(keypoints), "keypoints");
    std::vector<Mat> result(keypoints.size());
    for (size_t v = 0; v < keypoints.size(); ++v)
    {
        Mat_<double> coordinates(2, size(), -1.0);
        for (size_t p = 0; p < keypoints[v].size(); ++p)
        {
            const int id = content_->ids[v][p];
            if (id < 0)
                continue;
            coordinates(0, id) = keypoints[v][p].pt.x;
            coordinates(1, id) = keypoints[v][p].pt.y;
        }
        result[v] = coordinates;
    }
    return result;
}

MatchReport Tracks::report() const
{
    return content_->report;
}

void Tracks::setReport(const MatchReport& report)
{
    const std::shared_ptr<Content> content = std::make_shared<Content>(*content_);
    content->report = report;
    content_ = content;
}

namespace {

const int FORMAT_VERSION = 1;

//! One row of numbers per view; FileStorage cannot hold an empty Mat, so empty views are left out.
template<typename T>
void writeRows(FileStorage& fs, const char* prefix, const std::vector<std::vector<T>>& rows)
{
    for (size_t v = 0; v < rows.size(); ++v)
        if (!rows[v].empty())
            fs << format("%s_%zu", prefix, v) << Mat(rows[v], false).reshape(1, 1);
}

template<typename T>
std::vector<T> readRow(const FileNode& node, const char* prefix, size_t view, int count)
{
    // Not read as a Mat: FileStorage would allocate rows x cols before it reads the data.
    const FileNode values = node[format("%s_%zu", prefix, view)];
    const FileNode data = values.isMap() ? values["data"] : FileNode();
    const size_t found = data.empty() ? 0 : data.size();
    if (count < 0 || found != static_cast<size_t>(count))
        CV_Error_(Error::StsParseError,
                  ("tracks: %s_%zu has %zu values, expected %d", prefix, view, found, count));
    std::vector<T> row;
    if (count > 0)
        data >> row;
    return row;
}

} // namespace

void Tracks::write(FileStorage& fs) const
{
    const MatchReport& r = content_->report;
    fs << "format_version" << FORMAT_VERSION << "view_sizes" << sizesOf(content_->ids)
       << "track_count" << size();
    writeRows(fs, "ids", content_->ids);
    writeRows(fs, "confidence", content_->confidence);
    fs << "report"
       << "{"
       << "objective" << r.objective << "iterations" << r.iterations << "universe_size"
       << r.universeSize << "converged" << r.converged << "exact" << r.exact << "cancelled"
       << r.cancelled << "stages" << r.stages << "seconds" << r.seconds << "duplicate_matches"
       << r.duplicateMatches << "ambiguous_matches" << r.ambiguousMatches << "outside_points"
       << r.outsidePoints << "coincident_points" << r.coincidentPoints << "}";
}

void Tracks::read(const FileNode& node)
{
    if (node.empty() || node["format_version"].empty())
        CV_Error(Error::StsParseError,
                 "tracks: the node has no format_version, so it holds no tracks");
    const int version = static_cast<int>(node["format_version"]);
    if (version != FORMAT_VERSION)
        CV_Error_(Error::StsParseError,
                  ("tracks: format_version is %d, this build reads %d", version, FORMAT_VERSION));
    std::vector<int> sizes;
    node["view_sizes"] >> sizes;
    std::vector<std::vector<int>> ids;
    std::vector<std::vector<float>> confidence;
    for (size_t v = 0; v < sizes.size(); ++v)
    {
        ids.push_back(readRow<int>(node, "ids", v, sizes[v]));
        confidence.push_back(readRow<float>(node, "confidence", v, sizes[v]));
    }
    MatchReport r;
    const FileNode report = node["report"];
    report["objective"] >> r.objective;
    report["iterations"] >> r.iterations;
    report["universe_size"] >> r.universeSize;
    report["converged"] >> r.converged;
    report["exact"] >> r.exact;
    report["cancelled"] >> r.cancelled;
    report["stages"] >> r.stages;
    report["seconds"] >> r.seconds;
    report["duplicate_matches"] >> r.duplicateMatches;
    report["ambiguous_matches"] >> r.ambiguousMatches;
    report["outside_points"] >> r.outsidePoints;
    report["coincident_points"] >> r.coincidentPoints;
    Tracks result(ids, confidence);
    result.setReport(r);
    *this = result;
}

void Tracks::save(const String& filename) const
{
    detail::NewFile file(filename); // keeps the ending, which decides the format
    {
        FileStorage fs(file.temporaryName(), FileStorage::WRITE);
        if (!fs.isOpened())
            CV_Error_(Error::StsError, ("cannot write tracks to %s", filename.c_str()));
        write(fs);
    }
    // FileStorage does not report a full disk.
    bool whole = false;
    try
    {
        const Tracks found = load(file.temporaryName());
        whole = found == *this && found.report().seconds.size() == report().seconds.size();
    }
    catch (const cv::Exception&)
    {
    }
    if (!whole)
        CV_Error_(Error::StsError, ("cannot write %s; is the disk full?", filename.c_str()));
    file.commit();
}

Tracks Tracks::load(const String& filename)
{
    const FileStorage fs = openStorage(filename);
    Tracks result;
    result.read(fs.root());
    return result;
}

bool Tracks::operator==(const Tracks& other) const
{
    return content_ == other.content_ || (content_->ids == other.content_->ids &&
                                          content_->confidence == other.content_->confidence);
}

}} // namespace cv::multimatch
