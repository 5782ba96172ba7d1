// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "../precomp.hpp"

#include "opencv2/multimatch/detail/new_file.hpp"

#include "opencv2/core/utils/filesystem.hpp"

#include <cstdio>
#include <fstream>
#ifdef _WIN32
#include <process.h>
#define getpid _getpid
#else
#include <unistd.h>
#endif

namespace cv { namespace multimatch { namespace detail {

NewFile::NewFile(const String& name) : name_(name), committed_(false)
{
    const size_t slash = name.find_last_of("/\\");
    const size_t start = slash == String::npos ? 0 : slash + 1;
    const String folder = start == 0 ? String(".") : name.substr(0, start);
    if (!utils::fs::isDirectory(folder) && !utils::fs::createDirectories(folder))
        CV_Error_(Error::StsError, ("cannot make the folder %s", folder.c_str()));
    if (utils::fs::isDirectory(name))
        CV_Error_(Error::StsError, ("cannot write %s: it is a folder", name.c_str()));
    temporary_ = name.substr(0, start) + format(".partial-%d-", static_cast<int>(getpid())) +
                 name.substr(start);
    std::ofstream probe(temporary_.c_str(), std::ios::binary);
    if (!probe)
        CV_Error_(Error::StsError, ("cannot write %s", name.c_str()));
}

NewFile::~NewFile()
{
    if (!committed_)
        std::remove(temporary_.c_str());
}

void NewFile::commit()
{
#ifdef _WIN32
    std::remove(name_.c_str()); // rename() does not replace there
#endif
    if (std::rename(temporary_.c_str(), name_.c_str()) != 0)
        CV_Error_(Error::StsError, ("cannot rename %s to %s", temporary_.c_str(), name_.c_str()));
    committed_ = true;
}

}}} // namespace cv::multimatch::detail
