// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_REPORT_PAGE_HPP
#define MULTIMATCH_SAMPLES_REPORT_PAGE_HPP

namespace samples {

// What is the same in all reports; the data come between head and script.
extern const char* const REPORT_HEAD;
extern const char* const REPORT_SCRIPT;
extern const char* const REPORT_TAIL;

} // namespace samples

#endif
