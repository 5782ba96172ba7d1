// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// A COLMAP database: any bytes where the first one is even, else a valid database with any numbers
// and blobs in its tables.

#include "fuzz.hpp"

#include <cstdio>
#include <sqlite3.h>

namespace {

//! Any value that a column can have.
void bindAny(sqlite3_stmt* statement, int parameter, fuzz::Bytes& bytes)
{
    std::string text;
    switch (bytes.byte() % 8)
    {
    case 0:
        sqlite3_bind_null(statement, parameter);
        break;
    case 1:
        sqlite3_bind_int64(statement, parameter, bytes.bits());
        break;
    case 2:
        sqlite3_bind_double(statement, parameter, bytes.number(-1e30, 1e30));
        break;
    case 3:
        text = bytes.text();
        sqlite3_bind_text(statement, parameter, text.data(), static_cast<int>(text.size()),
                          SQLITE_TRANSIENT);
        break;
    case 4:
        text.assign(bytes.integer(0, 255), static_cast<char>(bytes.byte()));
        sqlite3_bind_blob(statement, parameter, text.data(), static_cast<int>(text.size()),
                          SQLITE_TRANSIENT);
        break;
    default:
        sqlite3_bind_int64(statement, parameter, bytes.integer(0, 15));
        break;
    }
}

void insertAny(sqlite3* database, fuzz::Bytes& bytes)
{
    const std::pair<const char*, int> inserts[] = {
        {"INSERT OR IGNORE INTO cameras VALUES (?, ?, ?, ?, ?, ?)", 6},
        {"INSERT OR IGNORE INTO images (image_id, name, camera_id) VALUES (?, ?, ?)", 3},
        {"INSERT OR IGNORE INTO keypoints VALUES (?, ?, ?, ?)", 4},
        {"INSERT OR IGNORE INTO two_view_geometries (pair_id, rows, cols, data, config) VALUES "
         "(? * 2147483647 + ?, ?, ?, ?, 2)",
         5}};
    const std::pair<const char*, int>& insert = inserts[bytes.byte() % 4];
    sqlite3_stmt* statement = NULL;
    if (sqlite3_prepare_v2(database, insert.first, -1, &statement, NULL) == SQLITE_OK)
    {
        for (int parameter = 1; parameter <= insert.second; ++parameter)
            bindAny(statement, parameter, bytes);
        sqlite3_step(statement);
    }
    sqlite3_finalize(statement);
}

std::string structured(fuzz::Bytes& bytes)
{
    const std::string path = fuzz::folder() + "/made.db";
    std::remove(path.c_str());
    cv::multimatch::writeColmapDatabase(path, fuzz::someViews(),
                                        std::vector<cv::multimatch::PairMatches>());
    sqlite3* database = NULL;
    sqlite3_open(path.c_str(), &database);
    sqlite3_exec(database, "PRAGMA journal_mode = OFF; DELETE FROM keypoints; BEGIN", NULL, NULL,
                 NULL);
    while (!bytes.empty())
        insertAny(database, bytes);
    sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    sqlite3_close(database);
    return path;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
    fuzz::Bytes bytes(data, size);
    const bool valid = bytes.flag();
    const std::string path = valid ? structured(bytes) : fuzz::write("any.db", bytes.rest());
    for (bool verified : {true, false})
        try
        {
            std::vector<cv::multimatch::ViewInfo> views;
            std::vector<cv::multimatch::PairMatches> matches;
            cv::multimatch::readColmapDatabase(path, views, matches, verified);
            fuzz::requireConsistent(views, matches);
        }
        catch (const cv::Exception&)
        {
        }
    cv::multimatch::ColmapParams params;
    params.existing = cv::multimatch::COLMAP_FILL;
    try
    {
        cv::multimatch::writeColmapDatabase(path, fuzz::someViews(),
                                            std::vector<cv::multimatch::PairMatches>(), params);
    }
    catch (const cv::Exception&)
    {
    }
    return 0;
}
