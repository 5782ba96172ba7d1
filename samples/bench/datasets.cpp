// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "datasets.hpp"

#include "files.hpp"

#include "opencv2/core/utility.hpp"
#include "opencv2/core/utils/filesystem.hpp"
#include "opencv2/features2d.hpp"
#include "opencv2/imgcodecs.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

namespace bench {

using namespace cv;
using namespace cv::multimatch;

namespace {

const double PLANE_ERROR = 3;  // px
const double CAMERA_ERROR = 4; // px at CAMERA_ERROR_WIDTH
const double CAMERA_ERROR_WIDTH = 3072;

std::string key(const char* name, int view)
{
    return format("%s_%03d", name, view);
}

bool isImage(const std::string& path)
{
    for (const char* ending : {".png", ".jpg", ".jpeg", ".ppm", ".pgm", ".bmp", ".tif", ".tiff"})
        if (::samples::hasEnding(path, ending))
            return true;
    return false;
}

bool isStorage(const std::string& path)
{
    for (const char* ending :
         {".yml", ".yaml", ".xml", ".json", ".yml.gz", ".yaml.gz", ".xml.gz", ".json.gz"})
        if (::samples::hasEnding(path, ending))
            return true;
    return false;
}

std::string withoutEnding(const std::string& path)
{
    const size_t name = path.find_last_of('/') + 1;
    const size_t dot = path.find('.', name);
    return dot == std::string::npos ? path : path.substr(0, dot);
}

// N of a file named H1toN or H1toNp with any extension; 0 for other files.
int homographyNumber(const std::string& path)
{
    const std::string name = withoutEnding(::samples::baseName(path));
    if (name.compare(0, 4, "H1to") != 0)
        return 0;
    return std::atoi(name.c_str() + 4);
}

// The last number in a file name; -1: none.
int numberIn(const std::string& path)
{
    const std::string name = withoutEnding(::samples::baseName(path));
    size_t end = name.size();
    while (end > 0 && !std::isdigit(static_cast<unsigned char>(name[end - 1])))
        --end;
    size_t begin = end;
    while (begin > 0 && std::isdigit(static_cast<unsigned char>(name[begin - 1])))
        --begin;
    return begin < end ? std::atoi(name.substr(begin, end - begin).c_str()) : -1;
}

// Nine numbers of a text file, or the first matrix of a FileStorage.
Mat readHomography(const std::string& path)
{
    Mat h;
    if (isStorage(path))
    {
        const FileStorage storage(path, FileStorage::READ);
        storage.getFirstTopLevelNode() >> h;
    }
    else
    {
        std::ifstream text(path.c_str());
        Matx33d values;
        bool complete = true;
        for (int n = 0; n < 9; ++n)
            complete = complete && (text >> values.val[n]);
        if (complete)
            h = Mat(values, true);
    }
    if (h.rows != 3 || h.cols != 3)
        CV_Error(Error::StsParseError, format("%s has a matrix of %d x %d, expected 3 x 3",
                                              path.c_str(), h.rows, h.cols));
    h.convertTo(h, CV_64F);
    return h;
}

std::vector<int> sizesOf(const std::vector<Mat>& descriptors)
{
    std::vector<int> sizes;
    sizes.reserve(descriptors.size());
    for (const Mat& view : descriptors)
        sizes.push_back(view.rows);
    return sizes;
}

// d if every view has every label once, otherwise 0.
int bijectiveSize(const Labels& labels)
{
    for (const std::vector<int>& view : labels)
    {
        const std::set<int> distinct(view.begin(), view.end());
        if (view.empty() || distinct.size() != labels[0].size() || view.size() != distinct.size() ||
            *distinct.begin() < 0 || distinct != std::set<int>(labels[0].begin(), labels[0].end()))
            return 0;
    }
    return labels.empty() ? 0 : static_cast<int>(labels[0].size());
}

FileStorage openStorage(const std::string& path)
{
    FileStorage storage(path, FileStorage::READ);
    if (!storage.isOpened())
        CV_Error(Error::StsError, "cannot read " + path);
    return storage;
}

// True if a FileStorage contains a matching problem.
bool storageKind(const std::string& path, DataKind& kind)
{
    FileStorage storage;
    try
    {
        storage.open(path, FileStorage::READ);
    }
    catch (const cv::Exception&)
    {
        return false; // some other YAML or XML file
    }
    if (!storage.isOpened())
        return false;
    if (!storage["points_per_view"].empty() && !storage["matches"].empty())
        kind = DATA_MATCHES;
    else if (storage["view_count"].empty())
        return false;
    else if (!storage[key("descriptors", 0)].empty())
        kind = DATA_FEATURES;
    else if (!storage[key("P", 0)].empty())
        kind = DATA_CAMERAS;
    else
        return false;
    return true;
}

void loadHomographies(const DataSet& set, std::vector<std::string>& images, Geometry& geometry)
{
    std::vector<String> files;
    utils::fs::glob(set.path, "*", files);
    std::map<int, std::string> imageOf;
    std::map<int, Mat> homographyOf;
    homographyOf[1] = Mat::eye(3, 3, CV_64F);
    for (const String& file : files)
        if (isImage(file) && numberIn(file) > 0)
            imageOf[numberIn(file)] = file;
        else if (homographyNumber(file) > 1)
            homographyOf[homographyNumber(file)] = readHomography(file);
    for (const auto& entry : homographyOf)
        if (imageOf.count(entry.first))
        {
            images.push_back(imageOf[entry.first]);
            geometry.homographies.push_back(entry.second);
        }
}

void loadCameras(const DataSet& set, std::vector<std::string>& images, Geometry& geometry)
{
    const FileStorage storage = openStorage(set.path);
    const std::string folder = ::samples::folderOf(set.path);
    const int views = static_cast<int>(storage["view_count"]);
    for (int v = 0; v < views; ++v)
    {
        const std::string name = static_cast<std::string>(storage[key("name", v)]);
        Mat projection;
        storage[key("P", v)] >> projection;
        geometry.projections.push_back(projection);
        const std::string beside = folder + "/" + name, below = folder + "/images/" + name;
        images.push_back(utils::fs::exists(below) ? below : beside);
    }
}

} // namespace

std::vector<DataSet> findDataSets(const std::string& folder)
{
    if (!utils::fs::isDirectory(folder))
        CV_Error(Error::StsBadArg, "there is no folder " + folder);
    std::string root = folder;
    while (root.size() > 1 && root[root.size() - 1] == '/')
        root.erase(root.size() - 1);
    std::vector<String> files;
    utils::fs::glob(root, "*", files, true);
    std::map<std::string, DataSet> found; // sorted, with one entry per folder of homographies
    for (const String& file : files)
    {
        DataSet set;
        set.path = file;
        if (homographyNumber(file) > 1)
        {
            set.path = ::samples::folderOf(file);
            set.kind = DATA_HOMOGRAPHIES;
        }
        else if (!isStorage(file) || !storageKind(file, set.kind))
            continue;
        if (set.kind == DATA_CAMERAS)
            set.name = ::samples::folderOf(set.path);
        else
            set.name = set.kind == DATA_HOMOGRAPHIES ? set.path : withoutEnding(set.path);
        set.name = set.name.size() > root.size() ? set.name.substr(root.size() + 1)
                                                 : ::samples::baseName(root);
        found[set.name] = set;
    }
    std::vector<DataSet> sets;
    sets.reserve(found.size());
    for (const auto& entry : found)
        sets.push_back(entry.second);
    return sets;
}

std::string familyOf(const std::string& name)
{
    const size_t slash = name.find_last_of('/');
    return slash == std::string::npos ? name : name.substr(0, slash);
}

Problem loadFeatures(const DataSet& set)
{
    const FileStorage storage = openStorage(set.path);
    Problem problem;
    const int views = static_cast<int>(storage["view_count"]);
    for (int v = 0; v < views; ++v)
    {
        Mat points, descriptors, labels;
        storage[key("points", v)] >> points;
        storage[key("descriptors", v)] >> descriptors;
        storage[key("labels", v)] >> labels;
        if (points.rows != descriptors.rows || labels.rows != descriptors.rows)
            CV_Error(
                Error::StsParseError,
                format("view %d of %s has %d points, %d descriptors and %d labels, expected one "
                       "number",
                       v, set.path.c_str(), points.rows, descriptors.rows, labels.rows));
        problem.points.push_back(points);
        problem.descriptors.push_back(descriptors);
        problem.labels.push_back(std::vector<int>(labels.begin<int>(), labels.end<int>()));
    }
    problem.viewSizes = sizesOf(problem.descriptors);
    problem.universeSize = bijectiveSize(problem.labels);
    return problem;
}

Problem loadMatches(const DataSet& set)
{
    const FileStorage storage = openStorage(set.path);
    Mat sizes, matches, labels;
    storage["points_per_view"] >> sizes;
    storage["matches"] >> matches;
    storage["labels"] >> labels;
    Problem problem;
    problem.viewSizes.assign(sizes.begin<int>(), sizes.end<int>());
    problem.universeSize = static_cast<int>(storage["universe_size"]);

    std::vector<int> viewOf, offsets(1, 0);
    for (size_t v = 0; v < problem.viewSizes.size(); ++v)
    {
        viewOf.insert(viewOf.end(), size_t(problem.viewSizes[v]), static_cast<int>(v));
        offsets.push_back(offsets.back() + problem.viewSizes[v]);
    }
    if (labels.total() != viewOf.size())
        CV_Error(Error::StsParseError, format("%s has %d labels for %d points", set.path.c_str(),
                                              int(labels.total()), int(viewOf.size())));
    for (size_t v = 0; v < problem.viewSizes.size(); ++v)
        problem.labels.push_back(std::vector<int>(labels.begin<int>() + offsets[v],
                                                  labels.begin<int>() + offsets[v + 1]));

    // The file lists both directions and each point with itself. A match is kept if one direction
    // is listed.
    std::vector<std::set<std::pair<int, int>>> blocks(problem.viewSizes.size() *
                                                      problem.viewSizes.size());
    for (int r = 0; r < matches.rows; ++r)
    {
        const int p = std::min(matches.at<int>(r, 0), matches.at<int>(r, 1));
        const int q = std::max(matches.at<int>(r, 0), matches.at<int>(r, 1));
        if (p < 0 || q >= static_cast<int>(viewOf.size()))
            CV_Error(Error::StsParseError, format("%s matches points %d and %d of %d",
                                                  set.path.c_str(), p, q, int(viewOf.size())));
        const size_t i = size_t(viewOf[size_t(p)]), j = size_t(viewOf[size_t(q)]);
        if (i != j)
            blocks[i * problem.viewSizes.size() + j].insert(
                std::make_pair(p - offsets[i], q - offsets[j]));
    }
    for (size_t i = 0; i < problem.viewSizes.size(); ++i)
        for (size_t j = i + 1; j < problem.viewSizes.size(); ++j)
        {
            PairMatches pair(static_cast<int>(i), static_cast<int>(j));
            for (const std::pair<int, int>& match : blocks[i * problem.viewSizes.size() + j])
                pair.matches.push_back(DMatch(match.first, match.second, 0.f));
            problem.given.push_back(pair);
        }
    problem.similarity = similarityOf(problem.given, problem.viewSizes);
    return problem;
}

Problem loadPhotographs(const DataSet& set, int maxFeatures, Geometry& geometry)
{
    std::vector<std::string> images;
    geometry = Geometry();
    if (set.kind == DATA_CAMERAS)
        loadCameras(set, images, geometry);
    else
        loadHomographies(set, images, geometry);
    Problem problem;
    const Ptr<SIFT> sift = SIFT::create(maxFeatures);
    double width = 0;
    for (const std::string& path : images)
    {
        const Mat image = imread(path, IMREAD_GRAYSCALE);
        if (image.empty())
            CV_Error(Error::StsError, "cannot read " + path);
        width = std::max(width, double(std::max(image.cols, image.rows)));
        std::vector<KeyPoint> keypoints;
        Mat descriptors;
        sift->detectAndCompute(image, noArray(), keypoints, descriptors);
        problem.keypoints.push_back(keypoints);
        problem.descriptors.push_back(descriptors);
    }
    problem.viewSizes = sizesOf(problem.descriptors);
    problem.rigid = true;
    problem.planar = set.kind == DATA_HOMOGRAPHIES;
    geometry.maxError =
        set.kind == DATA_CAMERAS ? CAMERA_ERROR * width / CAMERA_ERROR_WIDTH : PLANE_ERROR;
    return problem;
}

} // namespace bench
