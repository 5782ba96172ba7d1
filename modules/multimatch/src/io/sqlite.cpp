// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifdef MULTIMATCH_HAVE_SQLITE

#include "sqlite.hpp"

#include <climits>
#include <cstring>
#include <fstream>

namespace cv { namespace multimatch {

namespace {

const int MIN_VALUE_BYTES = 1 << 20;

//! Size of a file; 0 where it cannot be read.
double fileBytes(const String& filename)
{
    std::ifstream in(filename.c_str(), std::ios::binary | std::ios::ate);
    return in ? static_cast<double>(in.tellg()) : 0;
}

struct Limit
{
    int id, value;
};

//! Far above what our statements and COLMAP's schema need.
const Limit LIMITS[] = {{SQLITE_LIMIT_SQL_LENGTH, 100000}, {SQLITE_LIMIT_COLUMN, 100},
                        {SQLITE_LIMIT_EXPR_DEPTH, 20},     {SQLITE_LIMIT_COMPOUND_SELECT, 3},
                        {SQLITE_LIMIT_VDBE_OP, 25000},     {SQLITE_LIMIT_FUNCTION_ARG, 8},
                        {SQLITE_LIMIT_ATTACHED, 0},        {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 50},
                        {SQLITE_LIMIT_TRIGGER_DEPTH, 1}};

/** Settings against code in the schema of a file. They exist since SQLite 3.7 (triggers), 3.26
(defensive), 3.30 (views) and 3.31 (trusted schema); an older SQLite does not have the later ones
and ignores them. */
void restrict(sqlite3* handle)
{
#ifdef SQLITE_DBCONFIG_ENABLE_TRIGGER
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
#endif
#ifdef SQLITE_DBCONFIG_DEFENSIVE
    sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
#endif
#ifdef SQLITE_DBCONFIG_ENABLE_VIEW
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, NULL);
#endif
#ifdef SQLITE_DBCONFIG_TRUSTED_SCHEMA
    sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
#endif
#ifdef SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION
    sqlite3_db_config(handle, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
#endif
    for (size_t n = 0; n < sizeof(LIMITS) / sizeof(LIMITS[0]); ++n)
        sqlite3_limit(handle, LIMITS[n].id, LIMITS[n].value);
}

} // namespace

Database::Database(const String& filename, int flags, size_t largestValue)
    : filename_(filename), handle_(NULL)
{
    if (sqlite3_open_v2(filename.c_str(), &handle_, flags, NULL) != SQLITE_OK)
    {
        const String reason = handle_ ? sqlite3_errmsg(handle_) : "out of memory";
        sqlite3_close(handle_);
        CV_Error_(Error::StsError,
                  ("cannot open the database %s: %s", filename.c_str(), reason.c_str()));
    }
    // Another program may be writing.
    sqlite3_busy_timeout(handle_, 5000);
    restrict(handle_);
    // A value is in the file or is written by us. Only an expression of the schema could make a
    // larger one.
    const double bytes = std::max<double>(static_cast<double>(largestValue), fileBytes(filename));
    sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH,
                  static_cast<int>(std::min<double>(INT_MAX, bytes + MIN_VALUE_BYTES)));
}

void Database::expectTables(std::initializer_list<const char*> names)
{
    for (std::initializer_list<const char*>::const_iterator name = names.begin();
         name != names.end(); ++name)
    {
        // A view or a virtual table has no root page.
        Statement table(*this, "SELECT 1 FROM sqlite_master WHERE name = ? COLLATE NOCASE AND "
                               "type = 'table' AND rootpage > 0");
        if (!table.bind(1, String(*name)).row())
            CV_Error_(Error::StsParseError, ("database %s: \"%s\" is not an ordinary table in it",
                                             filename_.c_str(), *name));
    }
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
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): characters
    return value ? String(reinterpret_cast<const char*>(value)) : String();
}

void Statement::checkBlob(int column, uint64 count, size_t size) const
{
    const size_t found = static_cast<size_t>(sqlite3_column_bytes(handle_, column));
    if (found / size != count || found % size != 0)
        CV_Error_(Error::StsParseError,
                  ("database %s: a blob has %zu bytes, expected %.0f numbers of %zu bytes",
                   database_.filename().c_str(), found, static_cast<double>(count), size));
}

void Statement::copyBlob(int column, void* to, size_t bytes) const
{
    if (bytes)
        std::memcpy(to, sqlite3_column_blob(handle_, column), bytes);
}

}} // namespace cv::multimatch

#endif
