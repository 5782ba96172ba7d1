// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "text_file.hpp"

#include "opencv2/core/utils/filesystem.hpp"

#ifdef MULTIMATCH_HAVE_SQLITE
#include "sqlite.hpp"
#endif

#include <cstdint>
#include <map>

namespace cv { namespace multimatch {

ColmapParams::ColmapParams() : existing(COLMAP_REFUSE), verified(true), sharedCamera(false) {}

#ifndef MULTIMATCH_HAVE_SQLITE

bool haveColmapDatabase()
{
    return false;
}

void writeColmapDatabase(const String& filename, const std::vector<ViewInfo>&,
                         const std::vector<PairMatches>&, const ColmapParams&)
{
    CV_Error_(Error::StsNotImplemented,
              ("cannot write %s: this build has no SQLite", filename.c_str()));
}

void readColmapDatabase(const String& filename, std::vector<ViewInfo>&, std::vector<PairMatches>&,
                        bool)
{
    CV_Error_(Error::StsNotImplemented,
              ("cannot read %s: this build has no SQLite", filename.c_str()));
}

#else

namespace {

const int SIMPLE_RADIAL = 2;      // f, cx, cy, k
const double DEFAULT_FOCAL = 1.2; // of the longer side, where it is not known
const float PIXEL_SHIFT = .5f;    // of COLMAP's pixel centers against OpenCV's

//! COLMAP's numbers for what is known of a pair of views.
enum TwoViewConfig
{
    CALIBRATED = 2,
    UNCALIBRATED = 3
};

const int64 MAX_IMAGES = 2147483647;

// Columns and types of COLMAP 3.8. Newer versions add to these tables what they miss when they open
// the file.
const char* const SCHEMA = R"(
CREATE TABLE cameras (camera_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, model INTEGER NOT NULL,
  width INTEGER NOT NULL, height INTEGER NOT NULL, params BLOB, prior_focal_length INTEGER NOT NULL);
CREATE TABLE images (image_id INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, name TEXT NOT NULL UNIQUE,
  camera_id INTEGER NOT NULL, prior_qw REAL, prior_qx REAL, prior_qy REAL, prior_qz REAL,
  prior_tx REAL, prior_ty REAL, prior_tz REAL,
  CONSTRAINT image_id_check CHECK(image_id >= 0 AND image_id < 2147483647),
  FOREIGN KEY(camera_id) REFERENCES cameras(camera_id));
CREATE UNIQUE INDEX index_name ON images(name);
CREATE TABLE keypoints (image_id INTEGER PRIMARY KEY NOT NULL, rows INTEGER NOT NULL,
  cols INTEGER NOT NULL, data BLOB, FOREIGN KEY(image_id) REFERENCES images(image_id) ON DELETE CASCADE);
CREATE TABLE descriptors (image_id INTEGER PRIMARY KEY NOT NULL, rows INTEGER NOT NULL,
  cols INTEGER NOT NULL, data BLOB, FOREIGN KEY(image_id) REFERENCES images(image_id) ON DELETE CASCADE);
CREATE TABLE matches (pair_id INTEGER PRIMARY KEY NOT NULL, rows INTEGER NOT NULL,
  cols INTEGER NOT NULL, data BLOB);
CREATE TABLE two_view_geometries (pair_id INTEGER PRIMARY KEY NOT NULL, rows INTEGER NOT NULL,
  cols INTEGER NOT NULL, data BLOB, config INTEGER NOT NULL, F BLOB, E BLOB, H BLOB, qvec BLOB,
  tvec BLOB);
)";

int64 pairId(int64 a, int64 b)
{
    return MAX_IMAGES * std::min(a, b) + std::max(a, b);
}

//! Puts views and matches into an open database.
class Writer
{
public:
    Writer(Database& database, const std::vector<ViewInfo>& views, const ColmapParams& params)
        : database_(database), views_(views), params_(params)
    {
    }

    void write(const std::vector<PairMatches>& matches)
    {
        for (size_t v = 0; v < views_.size(); ++v)
        {
            imageIds_.push_back(imageId(views_[v]));
            writeKeypoints(imageIds_.back(), views_[v]);
        }
        for (size_t n = 0; n < matches.size(); ++n)
            writeMatches(matches[n]);
    }

private:
    int64 imageId(const ViewInfo& view)
    {
        Statement known(database_, "SELECT image_id FROM images WHERE name = ?");
        known.bind(1, view.name);
        if (known.row())
            return known.integer(0);
        checkSize(view, "COLMAP's database");
        Statement insert(database_, "INSERT INTO images (name, camera_id) VALUES (?, ?)");
        insert.bind(1, view.name).bind(2, cameraId(view)).run();
        return database_.lastRowId();
    }

    int64 cameraId(const ViewInfo& view)
    {
        const std::pair<std::pair<int, int>, double> key(
            std::make_pair(view.size.width, view.size.height), view.focalLength);
        if (params_.sharedCamera && cameras_.count(key))
            return cameras_[key];
        const bool known = view.focalLength > 0;
        const double parameters[4] = {
            known ? view.focalLength : DEFAULT_FOCAL * std::max(view.size.width, view.size.height),
            view.size.width / 2., view.size.height / 2., 0.};
        Statement insert(database_,
                         "INSERT INTO cameras (model, width, height, params, prior_focal_length) "
                         "VALUES (?, ?, ?, ?, ?)");
        insert.bind(1, int64(SIMPLE_RADIAL))
            .bind(2, int64(view.size.width))
            .bind(3, int64(view.size.height))
            .bind(4, parameters, sizeof(parameters))
            .bind(5, int64(known))
            .run();
        return cameras_[key] = database_.lastRowId();
    }

    void writeKeypoints(int64 image, const ViewInfo& view)
    {
        std::vector<float> data;
        for (size_t p = 0; p < view.keypoints.size(); ++p)
        {
            const KeyPoint& keypoint = view.keypoints[p];
            data.push_back(keypoint.pt.x + PIXEL_SHIFT);
            data.push_back(keypoint.pt.y + PIXEL_SHIFT);
            data.push_back(keypoint.size / 2);
            data.push_back(radiansOf(keypoint));
        }
        Statement known(database_,
                        "SELECT rows, data = ? FROM keypoints WHERE image_id = ? AND rows > 0");
        known.bind(1, data.data(), data.size() * sizeof(float)).bind(2, image);
        if (known.row())
        {
            if (known.integer(1))
                return; // a collection that has grown
            CV_Error_(Error::StsBadArg,
                      ("the image \"%s\" of the database has %d other key points already",
                       view.name.c_str(), static_cast<int>(known.integer(0))));
        }
        Statement insert(database_, "INSERT OR REPLACE INTO keypoints (image_id, rows, cols, data) "
                                    "VALUES (?, ?, 4, ?)");
        insert.bind(1, image)
            .bind(2, int64(view.keypoints.size()))
            .bind(3, data.data(), data.size() * sizeof(float))
            .run();
    }

    void writeMatches(const PairMatches& pair)
    {
        const int64 first = imageIds_[pair.first], second = imageIds_[pair.second];
        std::vector<uint32_t> data;
        for (size_t m = 0; m < pair.matches.size(); ++m)
        {
            const uint32_t query = static_cast<uint32_t>(pair.matches[m].queryIdx);
            const uint32_t train = static_cast<uint32_t>(pair.matches[m].trainIdx);
            data.push_back(first < second ? query : train);
            data.push_back(first < second ? train : query);
        }
        const size_t bytes = data.size() * sizeof(uint32_t);
        Statement raw(
            database_,
            "INSERT OR REPLACE INTO matches (pair_id, rows, cols, data) VALUES (?, ?, 2, ?)");
        raw.bind(1, pairId(first, second))
            .bind(2, int64(pair.matches.size()))
            .bind(3, data.data(), bytes)
            .run();
        if (!params_.verified)
            return;
        const bool calibrated =
            views_[pair.first].focalLength > 0 && views_[pair.second].focalLength > 0;
        Statement verified(database_,
                           "INSERT OR REPLACE INTO two_view_geometries (pair_id, rows, cols, data, "
                           "config) VALUES (?, ?, 2, ?, ?)");
        verified.bind(1, pairId(first, second))
            .bind(2, int64(pair.matches.size()))
            .bind(3, data.data(), bytes)
            .bind(4, int64(calibrated ? CALIBRATED : UNCALIBRATED))
            .run();
    }

    Database& database_;
    const std::vector<ViewInfo>& views_;
    ColmapParams params_;
    std::vector<int64> imageIds_;
    std::map<std::pair<std::pair<int, int>, double>, int64> cameras_;
};

//! Bytes of the largest list of key points or matches.
size_t largestBlob(const std::vector<ViewInfo>& views, const std::vector<PairMatches>& matches)
{
    size_t bytes = 0;
    for (size_t v = 0; v < views.size(); ++v)
        bytes = std::max(bytes, views[v].keypoints.size() * 4 * sizeof(float));
    for (size_t n = 0; n < matches.size(); ++n)
        bytes = std::max(bytes, matches[n].matches.size() * 2 * sizeof(uint32_t));
    return bytes;
}

KeyPoint keypointOf(const float* row, int columns)
{
    KeyPoint keypoint(row[0] - PIXEL_SHIFT, row[1] - PIXEL_SHIFT, 0.f);
    if (columns == 4)
    {
        keypoint.size = 2 * row[2];
        keypoint.angle = degreesOf(row[3]);
    }
    else if (columns == 6)
    {
        // An affine frame: its area and the direction of its first axis.
        keypoint.size = 2 * std::sqrt(std::abs(row[2] * row[5] - row[3] * row[4]));
        keypoint.angle = degreesOf(std::atan2(row[4], row[2]));
    }
    return keypoint;
}

//! Focal length of a camera with prior; 0: not known.
double priorFocalLength(const Statement& row, int column, int parameterBytes)
{
    if (parameterBytes < static_cast<int>(sizeof(double)))
        return 0;
    return row.blob<double>(column, static_cast<size_t>(parameterBytes) / sizeof(double))[0];
}

} // namespace

bool haveColmapDatabase()
{
    return true;
}

void writeColmapDatabase(const String& filename, const std::vector<ViewInfo>& views,
                         const std::vector<PairMatches>& matches, const ColmapParams& params)
{
    if (params.existing < COLMAP_REFUSE || params.existing > COLMAP_REPLACE)
        CV_Error_(Error::StsOutOfRange, ("existing is %d, expected 0 to 2", params.existing));
    checkMatches(matches, keypointCounts(views), true);
    viewsByName(views);
    for (size_t v = 0; v < views.size(); ++v)
        if (views[v].name.empty())
            CV_Error_(Error::StsBadArg, ("views[%d] has no name", static_cast<int>(v)));
    const bool exists = utils::fs::exists(filename);
    if (exists && params.existing == COLMAP_REFUSE)
        CV_Error_(Error::StsBadArg, ("%s exists and is not overwritten", filename.c_str()));
    if (exists && params.existing == COLMAP_FILL)
    {
        Database database(filename, SQLITE_OPEN_READWRITE, largestBlob(views, matches));
        Transaction transaction(database);
        database.expectTables({"cameras", "images", "keypoints", "matches", "two_view_geometries"});
        Writer(database, views, params).write(matches);
        transaction.commit();
        return;
    }
    detail::NewFile file(filename);
    {
        Database database(file.temporaryName(), SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                          largestBlob(views, matches));
        // No other program opens the file before it is renamed, so a journal would protect nothing.
        database.execute("PRAGMA journal_mode = OFF");
        Transaction transaction(database);
        database.execute(SCHEMA);
        Writer(database, views, params).write(matches);
        transaction.commit();
    }
    file.commit();
}

namespace {

typedef std::map<int64, int> ViewOfImage; //!< index of the view by COLMAP's id

ViewOfImage readViews(Database& database, std::vector<ViewInfo>& views)
{
    ViewOfImage viewOf;
    Statement images(database,
                     "SELECT images.image_id, images.name, cameras.width, cameras.height, "
                     "cameras.prior_focal_length, cameras.params, length(cameras.params) "
                     "FROM images JOIN cameras ON images.camera_id = cameras.camera_id "
                     "ORDER BY images.image_id");
    while (images.row())
    {
        viewOf[images.integer(0)] = static_cast<int>(views.size());
        ViewInfo view;
        view.name = images.text(1);
        view.size = Size(static_cast<int>(images.integer(2)), static_cast<int>(images.integer(3)));
        if (images.integer(4))
            view.focalLength = priorFocalLength(images, 5, static_cast<int>(images.integer(6)));
        views.push_back(view);
    }
    return viewOf;
}

void readKeypoints(Database& database, const String& filename, const ViewOfImage& viewOf,
                   std::vector<ViewInfo>& views)
{
    Statement keypoints(database, "SELECT image_id, rows, cols, data FROM keypoints");
    while (keypoints.row())
    {
        const ViewOfImage::const_iterator view = viewOf.find(keypoints.integer(0));
        const int rows = static_cast<int>(keypoints.integer(1));
        const int columns = static_cast<int>(keypoints.integer(2));
        if (view == viewOf.end() || rows == 0)
            continue;
        if (rows < 0)
            CV_Error_(Error::StsParseError,
                      ("key points of image %d of %s have %d rows",
                       static_cast<int>(keypoints.integer(0)), filename.c_str(), rows));
        if (columns != 2 && columns != 4 && columns != 6)
            CV_Error_(Error::StsParseError, ("key points of %s have %d columns, expected 2, 4 or 6",
                                             filename.c_str(), columns));
        const std::vector<float> data =
            keypoints.blob<float>(3, static_cast<uint64>(rows) * static_cast<uint64>(columns));
        for (int p = 0; p < rows; ++p)
            views[view->second].keypoints.push_back(
                keypointOf(&data[static_cast<size_t>(p) * columns], columns));
    }
}

void readMatches(Database& database, const String& filename, const ViewOfImage& viewOf,
                 bool verified, std::vector<PairMatches>& matches)
{
    Statement pairs(
        database,
        verified ? "SELECT pair_id, rows, data FROM two_view_geometries WHERE rows > 0 ORDER BY "
                   "pair_id"
                 : "SELECT pair_id, rows, data FROM matches WHERE rows > 0 ORDER BY pair_id");
    while (pairs.row())
    {
        const int64 second = pairs.integer(0) % MAX_IMAGES,
                    first = (pairs.integer(0) - second) / MAX_IMAGES;
        if (!viewOf.count(first) || !viewOf.count(second))
            CV_Error_(Error::StsParseError,
                      ("%s has matches of the images %d and %d, which are not there",
                       filename.c_str(), static_cast<int>(first), static_cast<int>(second)));
        PairMatches pair(viewOf.at(first), viewOf.at(second));
        const std::vector<uint32_t> data =
            pairs.blob<uint32_t>(2, 2 * static_cast<uint64>(pairs.integer(1)));
        for (size_t m = 0; m + 1 < data.size(); m += 2)
            pair.matches.push_back(
                DMatch(static_cast<int>(data[m]), static_cast<int>(data[m + 1]), pair.second, 0.f));
        matches.push_back(pair);
    }
}

} // namespace

void readColmapDatabase(const String& filename, std::vector<ViewInfo>& views,
                        std::vector<PairMatches>& matches, bool verified)
{
    Database database(filename, SQLITE_OPEN_READONLY);
    database.expectTables(
        {"cameras", "images", "keypoints", verified ? "two_view_geometries" : "matches"});
    views.clear();
    matches.clear();
    const ViewOfImage viewOf = readViews(database, views);
    readKeypoints(database, filename, viewOf, views);
    readMatches(database, filename, viewOf, verified, matches);
    checkMatches(matches, keypointCounts(views), true);
}

#endif

}} // namespace cv::multimatch
