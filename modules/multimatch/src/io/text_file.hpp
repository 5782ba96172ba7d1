// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_IO_TEXT_FILE_HPP
#define OPENCV_MULTIMATCH_SRC_IO_TEXT_FILE_HPP

#include "../base/checks.hpp"

#include "opencv2/multimatch/detail/new_file.hpp"
#include "opencv2/multimatch/io.hpp"

#include <fstream>
#include <map>

namespace cv { namespace multimatch {

//! Lines of a text file, cut into fields; errors name file and line.
class TextReader
{
public:
    explicit TextReader(const String& filename);

    //! Next line without its end; false after the last one.
    bool line(std::string& text);
    //! Fields of the next line between white space; false after the last line.
    bool fields(std::vector<std::string>& parts);
    //! Same between the given separators; a field in double quotes may contain them.
    bool fields(std::vector<std::string>& parts, char separator);

    int integer(const std::string& field, int low, int high) const;
    double number(const std::string& field) const;
    //! Throws unless the line had so many fields.
    void expectFields(const std::vector<std::string>& parts, size_t count) const;
    //! Throws. reason: may contain any bytes of the file.
    void fail(const std::string& reason) const;
    /** The largest number of a view or a point that is accepted, as memory is needed up to it: the
    minimum plus one for every byte of the file. */
    int plausible(int minimum) const;

private:
    String filename_;
    std::ifstream in_;
    int lineNumber_;
    double bytes_; //!< of the file
};

//! A text file that appears when it is complete.
class TextWriter
{
public:
    //! tidy: see detail::NewFile.
    explicit TextWriter(const String& filename, bool tidy = true);
    std::ofstream& stream() { return out_; }
    void commit(); //!< throws where the disk is full

private:
    String filename_;
    detail::NewFile file_;
    std::ofstream out_;
};

/** Numbers as files have them, with so many digits and a decimal point, whatever locale the program
has set. Nine digits give every float back as it was. */
std::string joined(std::initializer_list<double> numbers, int digits, char separator);

//! Number of each view by its name. Throws where two have one name.
std::map<String, int> viewsByName(const std::vector<ViewInfo>& views);

//! Number of key points of each view.
std::vector<int> keypointCounts(const std::vector<ViewInfo>& views);

//! Throws unless the view has a size; format: for the message.
void checkSize(const ViewInfo& view, const char* format);

//! "a.jpg" of "b/a.jpg".
String baseName(const String& path);

float radiansOf(const KeyPoint& keypoint); //!< 0 where there is no angle
float degreesOf(double radians);           //!< in [0, 360)

}} // namespace cv::multimatch

#endif
