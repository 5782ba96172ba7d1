// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_IO_SQLITE_HPP
#define OPENCV_MULTIMATCH_SRC_IO_SQLITE_HPP

#include "../precomp.hpp"

#include <initializer_list>
#include <sqlite3.h>

namespace cv { namespace multimatch {

/** An open database; errors name the file. The file is not trusted: its triggers and views have no
effect, no extension is loaded, expressions of its schema cannot call functions with side effects,
and no value is larger than the file or largestValue. */
class Database
{
public:
    //! largestValue: bytes of the largest value that will be written.
    Database(const String& filename, int flags, size_t largestValue = 0);
    ~Database() { sqlite3_close(handle_); }

    //! Throws unless each of these is a table with rows of its own, not a view or a virtual table.
    void expectTables(std::initializer_list<const char*> names);

    void execute(const char* sql);
    int64 lastRowId() const { return sqlite3_last_insert_rowid(handle_); }
    void fail() const; //!< throws SQLite's error message
    sqlite3* handle() const { return handle_; }
    const String& filename() const { return filename_; }

private:
    Database(const Database&);
    Database& operator=(const Database&);

    String filename_;
    sqlite3* handle_;
};

//! All or nothing: what was not committed is undone.
class Transaction
{
public:
    explicit Transaction(Database& database) : database_(database), open_(true)
    {
        // Other programs must not write between our reading and our writing.
        database.execute("BEGIN IMMEDIATE");
    }
    ~Transaction()
    {
        if (open_)
            sqlite3_exec(database_.handle(), "ROLLBACK", NULL, NULL, NULL);
    }
    void commit()
    {
        database_.execute("COMMIT");
        open_ = false;
    }

private:
    Transaction(const Transaction&);
    Transaction& operator=(const Transaction&);

    Database& database_;
    bool open_;
};

//! A prepared statement. Parameters are numbered from 1, columns from 0.
class Statement
{
public:
    Statement(Database& database, const char* sql);
    ~Statement() { sqlite3_finalize(handle_); }

    Statement& bind(int parameter, int64 value);
    Statement& bind(int parameter, const String& value);
    //! The memory must exist until the statement has run.
    Statement& bind(int parameter, const void* bytes, size_t size);

    bool row(); //!< true: there is another row
    void run(); //!< a statement without rows; ready for the next values

    int64 integer(int column) const { return sqlite3_column_int64(handle_, column); }
    String text(int column) const;
    /** The blob as numbers; throws where it does not hold as many. count has 64 bits: it is
    computed from numbers in the file, and must not overflow before it is compared with the size. */
    template<typename T>
    std::vector<T> blob(int column, uint64 count) const
    {
        checkBlob(column, count, sizeof(T)); // before memory is allocated
        std::vector<T> values(static_cast<size_t>(count));
        copyBlob(column, values.data(), values.size() * sizeof(T));
        return values;
    }

private:
    Statement(const Statement&);
    Statement& operator=(const Statement&);
    void checkBlob(int column, uint64 count, size_t size) const;
    void copyBlob(int column, void* to, size_t bytes) const;
    void check(int code) const;

    Database& database_;
    sqlite3_stmt* handle_;
};

}} // namespace cv::multimatch

#endif
