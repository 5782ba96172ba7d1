// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifdef MULTIMATCH_HAVE_SQLITE

#include "sqlite.hpp"

#include <cstring>

namespace cv { namespace multimatch {

Database::Database(const String& filename, int flags) : filename_(filename), handle_(NULL)
{
    if (sqlite3_open_v2(filename.c_str(), &handle_, flags, NULL) != SQLITE_OK)
    {
        const String reason = handle_ ? sqlite3_errmsg(handle_) : "out of memory";
        sqlite3_close(handle_);
        CV_Error_(Error::StsError,
                  ("cannot open the database %s: %s", filename.c_str(), reason.c_str()));
    }
    // Someone else may be writing for a moment.
    sqlite3_busy_timeout(handle_, 5000);
}

void Database::execute(const char* sql)
{
    if (sqlite3_exec(handle_, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail();
}

void Database::fail() const
{
    CV_Error_(Error::StsError, ("database %s: %s", filename_.c_str(), sqlite3_errmsg(handle_)));
}

Statement::Statement(Database& database, const char* sql) : database_(database), handle_(NULL)
{
    check(sqlite3_prepare_v2(database.handle(), sql, -1, &handle_, NULL));
}

void Statement::check(int code) const
{
    if (code != SQLITE_OK)
        database_.fail();
}

Statement& Statement::bind(int parameter, int64 value)
{
    check(sqlite3_bind_int64(handle_, parameter, value));
    return *this;
}

Statement& Statement::bind(int parameter, double value)
{
    check(sqlite3_bind_double(handle_, parameter, value));
    return *this;
}

Statement& Statement::bind(int parameter, const String& value)
{
    check(sqlite3_bind_text(handle_, parameter, value.c_str(), static_cast<int>(value.size()),
                            SQLITE_TRANSIENT));
    return *this;
}

Statement& Statement::bind(int parameter, const void* bytes, size_t size)
{
    // A null pointer would be bound as NULL, which COLMAP does not expect of an empty list.
    check(sqlite3_bind_blob64(handle_, parameter, size ? bytes : "", size, SQLITE_STATIC));
    return *this;
}

bool Statement::row()
{
    const int code = sqlite3_step(handle_);
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        database_.fail();
    sqlite3_reset(handle_);
    return false;
}

void Statement::run()
{
    while (row())
        continue;
    sqlite3_clear_bindings(handle_);
}

String Statement::text(int column) const
{
    const unsigned char* value = sqlite3_column_text(handle_, column);
    return value ? String(reinterpret_cast<const char*>(value)) : String();
}

void Statement::checkBlob(int column, size_t count, size_t size) const
{
    const size_t found = static_cast<size_t>(sqlite3_column_bytes(handle_, column));
    if (found / size != count || found % size != 0)
        CV_Error_(Error::StsParseError,
                  ("a blob of the database has %zu bytes, expected %zu numbers of %zu bytes", found,
                   count, size));
}

void Statement::copyBlob(int column, void* to, size_t bytes) const
{
    if (bytes)
        std::memcpy(to, sqlite3_column_blob(handle_, column), bytes);
}

}} // namespace cv::multimatch

#endif
