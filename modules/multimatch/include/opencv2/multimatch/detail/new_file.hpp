// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_DETAIL_NEW_FILE_HPP
#define OPENCV_MULTIMATCH_DETAIL_NEW_FILE_HPP

#include "opencv2/core.hpp"

namespace cv { namespace multimatch { namespace detail {

//! @addtogroup multimatch
//! @{

/** @brief A file that appears under its name only when it is complete.
Write to temporaryName(), which has the same ending and lies in the same folder, then commit().
Without commit() the destructor removes what was written. Threads and processes may write files of
one name at once: the last commit() stays. The temporary file of a process that was killed remains;
the next NewFile in that folder removes it. */
class CV_EXPORTS NewFile
{
public:
    /** Makes the folder where it is missing. Throws cv::Exception where the file cannot be written.
    @param name of the file
    @param tidy call removeAbandoned() for its folder; once is enough for many files in one
    folder */
    explicit NewFile(const String& name, bool tidy = true);
    ~NewFile();

    const String& temporaryName() const { return temporary_; }
    //! Throws cv::Exception where not all was written or the renaming fails.
    void commit();

    //! Removes temporary files in a folder whose process on this computer has ended.
    static void removeAbandoned(const String& folder);

private:
    void checkComplete() const;
    NewFile(const NewFile&);
    NewFile& operator=(const NewFile&);

    String name_, temporary_;
    bool committed_;
};

//! @}

}}} // namespace cv::multimatch::detail

#endif
