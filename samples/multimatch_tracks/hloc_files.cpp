// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "hloc_files.hpp"

#include <fstream>
#include <stdexcept>

bool isHdf5(const std::string& file)
{
    const std::string signature = "\x89HDF\r\n\x1a\n";
    std::string begin(signature.size(), '\0');
    std::ifstream in(file.c_str(), std::ios::binary);
    return in.read(&begin[0], static_cast<std::streamsize>(begin.size())) && begin == signature;
}

#ifdef HAVE_HDF5

#include <hdf5.h>

#include <algorithm>
#include <climits>
#include <map>

using namespace cv::multimatch;

namespace {

//! Groups in groups that names of images may have.
const int MAX_DEPTH = 32;
//! No filter of HDF5 makes data smaller than this; larger claims are of damaged files.
const hsize_t MAX_COMPRESSION = 2000;

//! An object of HDF5 that is open.
class Handle
{
public:
    explicit Handle(hid_t id = -1) : id_(id) {}
    ~Handle()
    {
        if (id_ >= 0 && H5Iget_type(id_) == H5I_FILE)
            H5Fclose(id_);
        else if (id_ >= 0 && H5Iget_type(id_) == H5I_DATASPACE)
            H5Sclose(id_);
        else if (id_ >= 0)
            H5Oclose(id_);
    }
    Handle(Handle&& other) noexcept : id_(other.id_) { other.id_ = -1; }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    bool valid() const { return id_ >= 0; }
    hid_t id() const { return id_; }
    bool is(H5I_type_t type) const { return valid() && H5Iget_type(id_) == type; }

private:
    hid_t id_;
};

Handle openFile(const std::string& name)
{
    Handle file(H5Fopen(name.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
    if (!file.valid())
        throw std::runtime_error("cannot read " + name + " as an HDF5 file");
    return file;
}

//! The object of this name in a group; invalid where there is none. Links are not followed, as they
//! can lead to other files.
Handle child(const Handle& group, const std::string& name)
{
    H5L_info_t info;
    if (H5Lexists(group.id(), name.c_str(), H5P_DEFAULT) <= 0 ||
        H5Lget_info(group.id(), name.c_str(), &info, H5P_DEFAULT) < 0 || info.type != H5L_TYPE_HARD)
        return Handle();
    return Handle(H5Oopen(group.id(), name.c_str(), H5P_DEFAULT));
}

//! Names of the objects in a group, ascending.
std::vector<std::string> namesIn(const Handle& group)
{
    std::vector<std::string> names;
    H5G_info_t info;
    if (H5Gget_info(group.id(), &info) < 0)
        return names;
    for (hsize_t n = 0; n < info.nlinks; ++n)
    {
        const ssize_t length = H5Lget_name_by_idx(group.id(), ".", H5_INDEX_NAME, H5_ITER_INC, n,
                                                  NULL, 0, H5P_DEFAULT);
        if (length < 0)
            break;
        std::string name(static_cast<size_t>(length) + 1, '\0');
        H5Lget_name_by_idx(group.id(), ".", H5_INDEX_NAME, H5_ITER_INC, n, &name[0], name.size(),
                           H5P_DEFAULT);
        name.resize(static_cast<size_t>(length));
        names.push_back(name);
    }
    return names;
}

//! Numbers of a dataset in a group, as rows; of any type that HDF5 converts.
struct Numbers
{
    size_t rows = 0, columns = 0;
    std::vector<double> values;
    bool found = false;

    double at(size_t row, size_t column = 0) const { return values[row * columns + column]; }
};

Numbers readNumbers(const Handle& group, const std::string& name, const std::string& where)
{
    Numbers result;
    const Handle data = child(group, name);
    if (!data.is(H5I_DATASET))
        return result;
    const Handle space(H5Dget_space(data.id()));
    hsize_t size[2] = {0, 1};
    const int dimensions = space.valid() ? H5Sget_simple_extent_ndims(space.id()) : -1;
    if (dimensions < 1 || dimensions > 2 ||
        H5Sget_simple_extent_dims(space.id(), size, NULL) != dimensions)
        throw std::runtime_error(where + ": " + name + " has " + std::to_string(dimensions) +
                                 " dimensions, expected 1 or 2");
    const hsize_t most = H5Dget_storage_size(data.id()) * MAX_COMPRESSION;
    if (size[0] > INT_MAX || size[1] > INT_MAX || (size[0] > 0 && size[1] > most / size[0]))
        throw std::runtime_error(where + ": " + name + " claims " + std::to_string(size[0]) +
                                 " rows, more than the file can have");
    result.rows = static_cast<size_t>(size[0]);
    result.columns = static_cast<size_t>(size[1]);
    result.values.resize(result.rows * result.columns);
    if (!result.values.empty() &&
        H5Dread(data.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &result.values[0]) < 0)
        throw std::runtime_error(where + ": " + name + " cannot be read as numbers");
    result.found = true;
    return result;
}

//! Views of all groups with key points; names with "/" are groups in groups.
void collectViews(const Handle& group, const std::string& path, const std::string& file, int depth,
                  std::vector<ViewInfo>& views)
{
    if (depth > MAX_DEPTH)
        throw std::runtime_error(file + " has more than " + std::to_string(MAX_DEPTH) +
                                 " groups in each other");
    for (const std::string& name : namesIn(group))
    {
        const Handle inner = child(group, name);
        if (!inner.is(H5I_GROUP))
            continue;
        const std::string full = path.empty() ? name : path + "/" + name;
        const std::string where = file + ": " + full;
        const Numbers points = readNumbers(inner, "keypoints", where);
        if (!points.found)
        {
            collectViews(inner, full, file, depth + 1, views);
            continue;
        }
        if (points.rows > 0 && points.columns < 2)
            throw std::runtime_error(where + ": keypoints has " + std::to_string(points.columns) +
                                     " columns, expected 2");
        const Numbers scores = readNumbers(inner, "scores", where);
        if (scores.found && scores.values.size() != points.rows)
            throw std::runtime_error(where + " has " + std::to_string(points.rows) +
                                     " key points but " + std::to_string(scores.values.size()) +
                                     " scores");
        ViewInfo view;
        view.name = full;
        for (size_t p = 0; p < points.rows; ++p)
            view.keypoints.push_back(cv::KeyPoint(
                static_cast<float>(points.at(p, 0)), static_cast<float>(points.at(p, 1)), 1.f, -1.f,
                scores.found ? static_cast<float>(scores.values[p]) : 0.f));
        const Numbers size = readNumbers(inner, "image_size", where);
        if (size.values.size() == 2)
            view.size = cv::Size(cv::saturate_cast<int>(size.values[0]),
                                 cv::saturate_cast<int>(size.values[1]));
        views.push_back(view);
    }
}

//! Views by their names in the groups of matches.
class PlainNames
{
public:
    explicit PlainNames(const std::vector<ViewInfo>& views)
    {
        for (size_t v = 0; v < views.size(); ++v)
        {
            std::string name = views[v].name;
            std::replace(name.begin(), name.end(), '/', '-');
            if (!viewOf_.insert(std::make_pair(name, static_cast<int>(v))).second)
                throw std::runtime_error("the names of " + views[v].name +
                                         " and another image differ in / and - only");
        }
    }
    int find(const std::string& name) const
    {
        const std::map<std::string, int>::const_iterator found = viewOf_.find(name);
        return found == viewOf_.end() ? -1 : found->second;
    }

private:
    std::map<std::string, int> viewOf_;
};

PairMatches readPair(const Handle& group, int first, int second, const std::vector<ViewInfo>& views,
                     const std::string& where)
{
    const Numbers partners = readNumbers(group, "matches0", where);
    if (!partners.found)
        throw std::runtime_error(
            where + " has no matches0" +
            (child(group, "keypoints0").valid()
                 ? "; these are coordinates of a dense matcher, which "
                   "cv2_multimatch.hloc.readDenseMatches and clusterMatches take"
                 : ""));
    const Numbers scores = readNumbers(group, "matching_scores0", where);
    const size_t points = views[first].keypoints.size(), others = views[second].keypoints.size();
    if (partners.values.size() != points || (scores.found && scores.values.size() != points))
        throw std::runtime_error(where + " has matches of " +
                                 std::to_string(partners.values.size()) + " key points and " +
                                 std::to_string(scores.values.size()) + " scores, expected " +
                                 std::to_string(points));
    PairMatches pair(first, second);
    for (size_t p = 0; p < points; ++p)
    {
        const double partner = partners.values[p];
        if (partner < 0)
            continue;
        if (!(partner < static_cast<double>(others)))
            throw std::runtime_error(where + ": key point " + std::to_string(p) +
                                     " is matched to " + std::to_string(partner) + ", but " +
                                     views[second].name + " has " + std::to_string(others) +
                                     " key points");
        const double score = scores.found ? scores.values[p] : 1;
        pair.matches.push_back(cv::DMatch(static_cast<int>(p), static_cast<int>(partner),
                                          static_cast<float>(score > 0 ? std::min(score, 1.) : 0)));
    }
    return pair;
}

//! The two views in a name of an old version, "first_second".
bool splitOldName(const std::string& name, const PlainNames& names, int& first, int& second)
{
    for (size_t cut = name.find('_'); cut != std::string::npos; cut = name.find('_', cut + 1))
    {
        first = names.find(name.substr(0, cut));
        second = names.find(name.substr(cut + 1));
        if (first >= 0 && second >= 0)
            return true;
    }
    return false;
}

std::vector<PairMatches> readAllPairs(const std::string& file, const std::vector<ViewInfo>& views)
{
    const PlainNames names(views);
    const Handle root = openFile(file);
    const std::string unknown = ", which the features do not have";
    std::vector<PairMatches> pairs;
    for (const std::string& name : namesIn(root))
    {
        const Handle outer = child(root, name);
        if (!outer.is(H5I_GROUP))
            continue;
        int first = -1, second = -1;
        if (child(outer, "matches0").is(H5I_DATASET))
        {
            if (!splitOldName(name, names, first, second))
                throw std::runtime_error(file + " has matches of " + name + unknown);
            pairs.push_back(readPair(outer, first, second, views, file + ": " + name));
            continue;
        }
        first = names.find(name);
        for (const std::string& other : namesIn(outer))
        {
            second = names.find(other);
            if (first < 0 || second < 0 || first == second)
                throw std::runtime_error(file + " has matches of " + name + " and " + other +
                                         unknown);
            const Handle group = child(outer, other);
            if (group.is(H5I_GROUP))
                pairs.push_back(
                    readPair(group, first, second, views, file + ": " + name + "/" + other));
        }
    }
    return pairs;
}

//! Keeps HDF5 from printing its errors: they become exceptions here.
class QuietErrors
{
public:
    QuietErrors()
    {
        H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
        H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    }
    ~QuietErrors() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

private:
    H5E_auto2_t function_;
    void* data_;
};

} // namespace

bool haveHdf5()
{
    return true;
}

void readHloc(const std::string& featuresFile, const std::string& matchesFile,
              std::vector<ViewInfo>& views, std::vector<PairMatches>& matches)
{
    const QuietErrors quiet;
    views.clear();
    collectViews(openFile(featuresFile), "", featuresFile, 0, views);
    if (views.empty())
        throw std::runtime_error(featuresFile + " has no group with keypoints");
    matches = readAllPairs(matchesFile, views);
}

#else

bool haveHdf5()
{
    return false;
}

void readHloc(const std::string&, const std::string&, std::vector<cv::multimatch::ViewInfo>&,
              std::vector<cv::multimatch::PairMatches>&)
{
    throw std::runtime_error("this build has no HDF5");
}

#endif
