// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "../base/checks.hpp"
#include "../base/parameters.hpp"
#include "../base/storage_file.hpp"
#include "../input/input.hpp"
#include "stable_ids.hpp"
#include "touched_problem.hpp"

#include "opencv2/multimatch/detail/new_file.hpp"

namespace cv { namespace multimatch {

namespace {

const int FORMAT_VERSION = 2;

//! See TrackBuilder::setRefreshShare().
const double REFRESH_SHARE = 0.2;

/** Log-odds with each other member of its track that an observation of this confidence counts with.
HiPPI returns no log-odds of pairs; they are about those of pairs on one track. */
float supportFrom(float confidence)
{
    const float c = std::min(std::max(confidence, 0.5f), 0.99f);
    return std::log(c / (1 - c));
}

void checkKeyPoints(const std::vector<std::vector<KeyPoint>>& keypoints)
{
    for (size_t v = 0; v < keypoints.size(); ++v)
    {
        Mat_<float> values(static_cast<int>(keypoints[v].size()), 4);
        for (int p = 0; p < values.rows; ++p)
        {
            const KeyPoint& key = keypoints[v][p];
            values(p, 0) = key.pt.x;
            values(p, 1) = key.pt.y;
            values(p, 2) = key.size;
            values(p, 3) = key.angle;
        }
        checkFinite(values, "keypoints", v);
    }
}

class TrackBuilderImpl CV_FINAL : public TrackBuilder
{
public:
    explicit TrackBuilderImpl(const HiPPIParams& params)
        : params_(params), window_(0), normType_(0), refreshShare_(REFRESH_SHARE), solvedPairs_(0)
    {
        params.validate();
        if (params.mode != HIPPI_PARTIAL)
            CV_Error_(Error::StsBadArg,
                      ("mode is %d, expected HIPPI_PARTIAL: in the other modes every point has a "
                       "track",
                       params.mode));
    }

    int add(const std::vector<std::vector<KeyPoint>>& keypoints, InputArrayOfArrays descriptors,
            InputArray pairs) CV_OVERRIDE;
    void remove(int view) CV_OVERRIDE;

    Tracks tracks() const CV_OVERRIDE
    {
        return Tracks(ids_.ids(), ids_.confidence(), std::max(2, params_.minLength));
    }
    std::vector<int> ids(int view) const CV_OVERRIDE
    {
        checkView(view);
        return ids_.ids()[view];
    }
    TrackChanges changes() const CV_OVERRIDE { return changes_; }
    int viewCount() const CV_OVERRIDE { return static_cast<int>(keypoints_.size()); }
    std::vector<KeyPoint> keypoints(int view) const CV_OVERRIDE
    {
        checkView(view);
        return keypoints_[view];
    }
    Mat descriptors(int view) const CV_OVERRIDE
    {
        checkView(view);
        return descriptors_[view].clone();
    }

    void setWindow(int window) CV_OVERRIDE
    {
        checkRange("window", window, 0, false, INT_MAX, "0 or more");
        window_ = window;
    }
    int getWindow() const CV_OVERRIDE { return window_; }
    void setRefreshShare(double share) CV_OVERRIDE
    {
        checkRange("share", static_cast<float>(share), 0.f, false, 1.f, "0 to 1");
        refreshShare_ = share;
    }
    double getRefreshShare() const CV_OVERRIDE { return refreshShare_; }
    void setNormType(int normType) CV_OVERRIDE
    {
        checkNormType(normType);
        if (!keypoints_.empty())
            CV_Error(Error::StsBadArg, "the norm is set before the first view is added");
        normType_ = normType;
    }
    int getNormType() const CV_OVERRIDE { return normType_; }
    void setProgressCallback(const ProgressCallback& callback) CV_OVERRIDE { callback_ = callback; }

    void save(const String& filename) const CV_OVERRIDE
    {
        detail::NewFile file(filename); // keeps the ending, which decides the format
        FileStorage fs(file.temporaryName(), FileStorage::WRITE);
        if (!fs.isOpened())
            CV_Error_(Error::StsError, ("cannot write %s", filename.c_str()));
        write(fs);
        fs.release();
        file.commit();
    }
    void write(FileStorage& fs) const CV_OVERRIDE;
    void read(const FileNode& node);
    void readPairs(const FileNode& node);

private:
    void checkView(int view) const
    {
        if (view < 0 || view >= viewCount())
            CV_Error_(Error::StsOutOfRange,
                      ("view %d does not exist, there are %d", view, viewCount()));
    }
    std::vector<Mat> checkedViews(const std::vector<std::vector<KeyPoint>>& keypoints,
                                  InputArrayOfArrays descriptors) const;
    Mat newPairs(const Mat& given, int views) const;
    bool refreshDue(int newPairs) const
    {
        const double all = pairs_.rows + newPairs;
        return solvedPairs_ > 0 && refreshShare_ > 0 && all - solvedPairs_ >= refreshShare_ * all;
    }
    bool solve(const std::vector<std::vector<KeyPoint>>& added, const std::vector<Mat>& descriptors,
               const Mat& pairs, bool keepTracks, std::vector<int>& touched,
               TouchedResult& result) const;
    bool solveAlone(const TouchedProblem& problem, TouchedResult& result) const;

    HiPPIParams params_;
    int window_, normType_;
    double refreshShare_;
    Mat pairs_;       //!< N x 2 CV_32S, compared pairs of views that were not removed
    int solvedPairs_; //!< so many of them, the first ones, when all views were solved last
    ProgressCallback callback_;
    std::vector<std::vector<KeyPoint>> keypoints_;
    std::vector<Mat> descriptors_;
    std::vector<uchar> removed_;
    StableIds ids_;
    TrackChanges changes_;
};

//! Throws unless they are valid and like those of the views before.
std::vector<Mat> TrackBuilderImpl::checkedViews(const std::vector<std::vector<KeyPoint>>& keypoints,
                                                InputArrayOfArrays descriptors) const
{
    if (keypoints.empty())
        CV_Error(Error::StsBadArg, "keypoints has no views, expected at least one");
    checkKeyPoints(keypoints);
    const std::vector<Mat> checked =
        checkedDescriptors(descriptors, sizesOf(keypoints), "keypoints");
    chosenNorm(checked, normType_);
    Mat before;
    for (size_t v = 0; v < descriptors_.size() && before.empty(); ++v)
        before = descriptors_[v];
    for (size_t v = 0; v < checked.size() && !before.empty(); ++v)
        if (!checked[v].empty() &&
            (checked[v].type() != before.type() || checked[v].cols != before.cols))
            CV_Error_(Error::StsBadArg,
                      ("descriptors[%zu] has rows of %d %s, expected %d %s as in the views before",
                       v, checked[v].cols, typeToString(checked[v].type()).c_str(), before.cols,
                       typeToString(before.type()).c_str()));
    std::vector<Mat> copies;
    for (size_t v = 0; v < checked.size(); ++v)
        copies.push_back(checked[v].clone());
    return copies;
}

//! The pairs to compare, each with one of so many new views.
Mat TrackBuilderImpl::newPairs(const Mat& given, int views) const
{
    const int before = viewCount();
    std::vector<std::pair<int, int>> pairs;
    if (!given.empty())
    {
        checkPairs(given);
        for (int r = 0; r < given.rows; ++r)
        {
            const int a = std::min(given.at<int>(r, 0), given.at<int>(r, 1));
            const int b = std::max(given.at<int>(r, 0), given.at<int>(r, 1));
            if (b < before || b >= before + views)
                CV_Error_(Error::StsOutOfRange,
                          ("pairs has (%d, %d), expected one of the new views %d to %d",
                           given.at<int>(r, 0), given.at<int>(r, 1), before, before + views - 1));
            if (a < before && removed_[a])
                CV_Error_(Error::StsBadArg, ("pairs has view %d, which was removed", a));
            pairs.push_back(std::make_pair(a, b));
        }
        return pairMatrix(pairs);
    }
    for (int v = before; v < before + views; ++v)
    {
        int compared = 0;
        for (int w = v - 1; w >= 0 && (window_ == 0 || compared < window_); --w)
            if (w >= before || !removed_[w])
            {
                pairs.push_back(std::make_pair(w, v));
                ++compared;
            }
    }
    return pairMatrix(pairs);
}

//! The views of the problem as if there were no tracks. False: stopped.
bool TrackBuilderImpl::solveAlone(const TouchedProblem& problem, TouchedResult& result) const
{
    const Ptr<HiPPI> matcher = HiPPI::create(params_);
    matcher->setPairs(problem.pairs);
    matcher->setNormType(normType_);
    matcher->setProgressCallback(callback_);
    const Tracks tracks = matcher->match(problem.keypoints, problem.descriptors);
    for (int v = 0; v < tracks.viewCount(); ++v)
    {
        result.labels.push_back(tracks.ids(v));
        result.confidence.push_back(tracks.confidences(v));
        result.support.push_back(std::vector<float>(tracks.ids(v).size(), 0.f));
        for (size_t p = 0; p < tracks.ids(v).size(); ++p)
            if (tracks.ids(v)[p] >= 0)
                result.support.back()[p] = supportFrom(tracks.confidences(v)[p]) *
                                           static_cast<float>(tracks.length(tracks.ids(v)[p]) - 1);
    }
    return !tracks.report().cancelled;
}

//! added, descriptors: of the new views. False: stopped. touched: the views of the result.
//! keepTracks: the present tracks are held together.
bool TrackBuilderImpl::solve(const std::vector<std::vector<KeyPoint>>& added,
                             const std::vector<Mat>& descriptors, const Mat& pairs, bool keepTracks,
                             std::vector<int>& touched, TouchedResult& result) const
{
    const int* begin = pairs.ptr<int>();
    touched.assign(begin, begin + pairs.total());
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    TouchedProblem problem;
    problem.normType = normType_;
    problem.pairs = pairs.clone();
    for (int r = 0; r < pairs.rows; ++r)
        for (int side = 0; side < 2; ++side)
            problem.pairs.at<int>(r, side) = static_cast<int>(
                std::lower_bound(touched.begin(), touched.end(), pairs.at<int>(r, side)) -
                touched.begin());
    bool anyTrack = false;
    for (size_t n = 0; n < touched.size(); ++n)
    {
        const size_t v = static_cast<size_t>(touched[n]), before = keypoints_.size();
        const std::vector<KeyPoint>& keypoints = v < before ? keypoints_[v] : added[v - before];
        problem.keypoints.push_back(keypoints);
        problem.descriptors.push_back(v < before ? descriptors_[v] : descriptors[v - before]);
        problem.tracks.push_back(v < before ? ids_.ids()[v]
                                            : std::vector<int>(keypoints.size(), -1));
        const std::vector<int>& ids = problem.tracks.back();
        anyTrack = anyTrack || std::find_if(ids.begin(), ids.end(),
                                            [](int id) { return id >= 0; }) != ids.end();
    }
    if (!keepTracks || !anyTrack)
        return solveAlone(problem, result);
    RunControl control(callback_);
    result = solveTouched(problem, params_, control);
    return !control.cancelled();
}

int TrackBuilderImpl::add(const std::vector<std::vector<KeyPoint>>& added,
                          InputArrayOfArrays givenDescriptors, InputArray givenPairs)
{
    const int first = viewCount();
    const std::vector<Mat> descriptors = checkedViews(added, givenDescriptors);
    const Mat pairs = newPairs(givenPairs.getMat(), static_cast<int>(added.size()));
    Mat all = pairs_.clone();
    if (!pairs.empty())
        all.push_back(pairs);
    const bool refresh = !pairs.empty() && refreshDue(pairs.rows);
    std::vector<int> touched;
    TouchedResult result;
    if (!pairs.empty() &&
        !solve(added, descriptors, refresh ? all : pairs, !refresh, touched, result))
        return -1;
    pairs_ = all;
    if (refresh || solvedPairs_ == 0)
        solvedPairs_ = pairs_.rows;
    keypoints_.insert(keypoints_.end(), added.begin(), added.end());
    descriptors_.insert(descriptors_.end(), descriptors.begin(), descriptors.end());
    removed_.resize(keypoints_.size(), 0);
    for (size_t v = 0; v < added.size(); ++v)
        ids_.addView(static_cast<int>(added[v].size()));
    changes_ = TrackChanges();
    if (refresh)
        ids_.replace(touched, result.labels, result.confidence, result.support, changes_);
    else
        ids_.apply(touched, result.labels, result.confidence, result.support, first, changes_);
    return first;
}

void TrackBuilderImpl::remove(int view)
{
    checkView(view);
    changes_ = TrackChanges();
    ids_.removeView(view, changes_);
    std::vector<KeyPoint>().swap(keypoints_[view]);
    descriptors_[view] = Mat();
    removed_[view] = 1;
    Mat kept;
    int solved = 0;
    for (int r = 0; r < pairs_.rows; ++r)
        if (pairs_.at<int>(r, 0) != view && pairs_.at<int>(r, 1) != view)
        {
            kept.push_back(pairs_.row(r));
            solved += r < solvedPairs_;
        }
    pairs_ = kept;
    solvedPairs_ = solved;
}

//! One row of numbers per view, as FileStorage cannot hold an empty Mat.
template<typename T>
void writeRow(FileStorage& fs, const char* name, const std::vector<T>& row)
{
    if (!row.empty())
        fs << name << Mat(row, false).reshape(1, 1);
}

//! A matrix of so many rows; throws where it has others. Not read as a Mat: FileStorage would
//! allocate before it reads.
template<typename T>
std::vector<T> readNumbers(const FileNode& view, const char* name, int index, size_t count)
{
    const FileNode node = view[name], data = node.isMap() ? node["data"] : FileNode();
    const size_t found = data.empty() ? 0 : data.size();
    if (found != count)
        CV_Error_(Error::StsParseError,
                  ("track builder: %s of view %d has %zu values, expected %zu", name, index, found,
                   count));
    std::vector<T> values;
    if (count > 0)
        data >> values;
    return values;
}

void TrackBuilderImpl::write(FileStorage& fs) const
{
    int type = -1, width = 0;
    for (size_t v = 0; v < descriptors_.size(); ++v)
        if (!descriptors_[v].empty())
        {
            type = descriptors_[v].type();
            width = descriptors_[v].cols;
        }
    fs << "track_builder"
       << "{"
       << "format_version" << FORMAT_VERSION << "window" << window_ << "norm_type" << normType_
       << "refresh_share" << refreshShare_ << "solved_pairs" << solvedPairs_ << "next_id"
       << ids_.next() << "descriptor_type"
       << (type < 0         ? "none"
           : type == CV_32F ? "float"
                            : "uint8")
       << "descriptor_width" << width << "view_sizes" << sizesOf(keypoints_) << "removed"
       << std::vector<int>(removed_.begin(), removed_.end()) << "pairs"
       << (pairs_.empty() ? std::vector<int>()
                          : std::vector<int>(pairs_.begin<int>(), pairs_.end<int>()));
    fs << "params"
       << "{";
    params_.write(fs);
    fs << "}"
       << "views"
       << "[";
    for (size_t v = 0; v < keypoints_.size(); ++v)
    {
        fs << "{";
        std::vector<float> frames;
        std::vector<int> others;
        for (size_t p = 0; p < keypoints_[v].size(); ++p)
        {
            const KeyPoint& key = keypoints_[v][p];
            const float frame[] = {key.pt.x, key.pt.y, key.size, key.angle, key.response};
            frames.insert(frames.end(), frame, frame + 5);
            others.push_back(key.octave);
            others.push_back(key.class_id);
        }
        writeRow(fs, "keypoints", frames);
        writeRow(fs, "octaves", others);
        if (!descriptors_[v].empty())
            fs << "descriptors" << descriptors_[v];
        writeRow(fs, "ids", ids_.ids()[v]);
        writeRow(fs, "confidence", ids_.confidence()[v]);
        writeRow(fs, "support", ids_.support()[v]);
        fs << "}";
    }
    fs << "]"
       << "}";
}

void TrackBuilderImpl::read(const FileNode& node)
{
    if (node.empty() || node["format_version"].empty())
        CV_Error(Error::StsParseError, "track builder: the file has no node track_builder");
    const int version = static_cast<int>(node["format_version"]);
    if (version != FORMAT_VERSION)
        CV_Error_(Error::StsParseError, ("track builder: format_version is %d, this build reads %d",
                                         version, FORMAT_VERSION));
    int window = 0, normType = 0, next = 0, width = 0;
    node["window"] >> window;
    node["norm_type"] >> normType;
    node["next_id"] >> next;
    node["descriptor_width"] >> width;
    double refreshShare = REFRESH_SHARE;
    node["refresh_share"] >> refreshShare;
    setWindow(window);
    setRefreshShare(refreshShare);
    setNormType(normType);
    const String type = node["descriptor_type"].string();
    if (type != "none" && type != "float" && type != "uint8")
        CV_Error_(Error::StsParseError, ("track builder: descriptor_type is %s, expected none, "
                                         "float or uint8",
                                         type.c_str()));
    std::vector<int> sizes, removed;
    node["view_sizes"] >> sizes;
    node["removed"] >> removed;
    const FileNode views = node["views"];
    if (removed.size() != sizes.size() || views.size() != sizes.size())
        CV_Error_(Error::StsParseError,
                  ("track builder: there are %zu sizes of views, %zu entries of removed and %zu "
                   "views",
                   sizes.size(), removed.size(), views.size()));
    std::vector<std::vector<int>> ids;
    std::vector<std::vector<float>> confidence, support;
    for (size_t v = 0; v < sizes.size(); ++v)
    {
        const FileNode view = views[static_cast<int>(v)];
        const int number = static_cast<int>(v);
        const size_t n = static_cast<size_t>(std::max(0, sizes[v]));
        if (sizes[v] < 0 || width < 0 || (n > 0 && (type == "none" || width == 0)))
            CV_Error_(Error::StsParseError,
                      ("track builder: view %d has %d points with %d %s descriptor values each",
                       number, sizes[v], width, type.c_str()));
        const std::vector<float> frames = readNumbers<float>(view, "keypoints", number, 5 * n);
        const std::vector<int> others = readNumbers<int>(view, "octaves", number, 2 * n);
        std::vector<KeyPoint> keypoints;
        for (size_t p = 0; p < n; ++p)
        {
            const float* f = &frames[5 * p];
            keypoints.push_back(
                KeyPoint(f[0], f[1], f[2], f[3], f[4], others[2 * p], others[2 * p + 1]));
        }
        keypoints_.push_back(keypoints);
        const size_t values = n * static_cast<size_t>(width);
        if (n == 0)
            descriptors_.push_back(Mat());
        else if (type == "float")
            descriptors_.push_back(
                Mat(readNumbers<float>(view, "descriptors", number, values), true)
                    .reshape(1, sizes[v]));
        else
        {
            const std::vector<int> numbers = readNumbers<int>(view, "descriptors", number, values);
            Mat bytes(sizes[v], width, CV_8U);
            for (size_t i = 0; i < values; ++i)
                bytes.ptr()[i] = saturate_cast<uchar>(numbers[i]);
            descriptors_.push_back(bytes);
        }
        ids.push_back(readNumbers<int>(view, "ids", number, n));
        confidence.push_back(readNumbers<float>(view, "confidence", number, n));
        support.push_back(readNumbers<float>(view, "support", number, n));
        removed_.push_back(removed[v] != 0);
    }
    checkKeyPoints(keypoints_);
    checkedDescriptors(descriptors_, sizes, "keypoints");
    readPairs(node);
    ids_.set(ids, confidence, support, next);
}

//! After the views.
void TrackBuilderImpl::readPairs(const FileNode& node)
{
    std::vector<int> pairs;
    node["pairs"] >> pairs;
    node["solved_pairs"] >> solvedPairs_;
    if (pairs.size() % 2 != 0 || solvedPairs_ < 0 ||
        static_cast<size_t>(solvedPairs_) > pairs.size() / 2)
        CV_Error_(Error::StsParseError,
                  ("track builder: pairs has %zu numbers and solved_pairs is %d", pairs.size(),
                   solvedPairs_));
    for (size_t n = 0; n < pairs.size(); ++n)
        if (pairs[n] < 0 || pairs[n] >= viewCount() || removed_[pairs[n]] ||
            (n % 2 && pairs[n - 1] == pairs[n]))
            CV_Error_(Error::StsParseError,
                      ("track builder: pairs has view %d, expected two different views that are "
                       "there",
                       pairs[n]));
    pairs_ =
        pairs.empty() ? Mat() : Mat(pairs, true).reshape(1, static_cast<int>(pairs.size() / 2));
}

HiPPIParams paramsOf(const FileNode& node)
{
    HiPPIParams params;
    params.read(node["params"]);
    return params;
}

} // namespace

Ptr<TrackBuilder> TrackBuilder::create(const HiPPIParams& params)
{
    return makePtr<TrackBuilderImpl>(params);
}

Ptr<TrackBuilder> TrackBuilder::load(const String& filename)
{
    const FileStorage fs = openStorage(filename);
    const FileNode node = fs["track_builder"];
    const Ptr<TrackBuilderImpl> builder = makePtr<TrackBuilderImpl>(paramsOf(node));
    builder->read(node);
    return builder;
}

}} // namespace cv::multimatch
