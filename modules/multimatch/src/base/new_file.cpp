// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "../precomp.hpp"

#include "opencv2/multimatch/detail/new_file.hpp"

#include "opencv2/core/utils/filesystem.hpp"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#ifdef _WIN32
#include <process.h>
#define getpid _getpid
#else
#include <unistd.h>
#endif

namespace cv { namespace multimatch { namespace detail {

namespace {

const char* const PREFIX = ".partial-";

//! Distinguishes computers that share a folder, as each has processes of its own.
unsigned hostNumber()
{
    char name[256] = {0};
#ifndef _WIN32
    if (gethostname(name, sizeof(name) - 1) != 0)
        return 0;
#endif
    unsigned number = 2166136261u; // FNV-1a
    for (const char* c = name; *c; ++c)
        number = (number ^ static_cast<unsigned char>(*c)) * 16777619u;
    return number;
}

//! True where the process ended on this computer.
bool processIsGone(long process)
{
#ifdef _WIN32
    (void)process;
    return false;
#else
    return process > 0 && kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH;
#endif
}

String temporaryFor(const String& name, size_t start)
{
    // Two threads may write files of one name.
    static std::atomic<unsigned> count(0);
    return name.substr(0, start) +
           format("%s%08x-%d-%u-", PREFIX, hostNumber(), static_cast<int>(getpid()), count++) +
           name.substr(start);
}

} // namespace

NewFile::NewFile(const String& name, bool tidy) : name_(name), committed_(false)
{
    const size_t slash = name.find_last_of("/\\");
    const size_t start = slash == String::npos ? 0 : slash + 1;
    const String folder = start == 0 ? String(".") : name.substr(0, start);
    if (!utils::fs::isDirectory(folder) && !utils::fs::createDirectories(folder))
        CV_Error_(Error::StsError, ("cannot make the folder %s", folder.c_str()));
    if (utils::fs::isDirectory(name))
        CV_Error_(Error::StsError, ("cannot write %s: it is a folder", name.c_str()));
    if (tidy)
        removeAbandoned(folder);
    temporary_ = temporaryFor(name, start);
    std::ofstream probe(temporary_.c_str(), std::ios::binary);
    if (!probe)
        CV_Error_(Error::StsError, ("cannot write %s", name.c_str()));
}

NewFile::~NewFile()
{
    if (!committed_)
        std::remove(temporary_.c_str());
}

/** Not every writer reports that its last bytes were not written: cv::FileStorage does not for
compressed files. On a full disk, or at the largest size of a file, one more byte cannot be written
either. */
void NewFile::checkComplete() const
{
#ifndef _WIN32
    std::ofstream file(temporary_.c_str(), std::ios::binary | std::ios::app);
    const std::streamoff size = file.seekp(0, std::ios::end).tellp();
    file.put('\0');
    file.close();
    if (file.fail() || truncate(temporary_.c_str(), static_cast<off_t>(size)) != 0)
        CV_Error_(Error::StsError, ("cannot write all of %s", name_.c_str()));
#endif
}

void NewFile::commit()
{
    checkComplete();
#ifdef _WIN32
    std::remove(name_.c_str()); // rename() does not replace there
#endif
    if (std::rename(temporary_.c_str(), name_.c_str()) != 0)
        CV_Error_(Error::StsError, ("cannot rename %s to %s", temporary_.c_str(), name_.c_str()));
    committed_ = true;
}

void NewFile::removeAbandoned(const String& folder)
{
    std::vector<String> found;
    try
    {
        utils::fs::glob(folder, String(PREFIX) + "*", found);
    }
    catch (const cv::Exception&)
    {
        return; // a folder that may be written but not listed
    }
    const String ours = String(PREFIX) + format("%08x-", hostNumber());
    for (size_t n = 0; n < found.size(); ++n)
    {
        const String name = found[n].substr(found[n].find_last_of("/\\") + 1);
        char* end = NULL;
        if (name.compare(0, ours.size(), ours) == 0 &&
            processIsGone(std::strtol(name.c_str() + ours.size(), &end, 10)) && *end == '-')
            std::remove(found[n].c_str());
    }
}

}}} // namespace cv::multimatch::detail
