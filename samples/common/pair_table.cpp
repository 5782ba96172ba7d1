// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "pair_table.hpp"

#include "files.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace samples {

namespace {

//! As in RFC 4180.
std::string quoted(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string result = "\"";
    for (char c : text)
        result += c == '"' ? "\"\"" : std::string(1, c);
    return result + "\"";
}

} // namespace

void writePairTable(const std::string& name, const std::vector<std::string>& names,
                    std::vector<cv::multimatch::PairReport> reports)
{
    typedef cv::multimatch::PairReport Report;
    std::stable_sort(reports.begin(), reports.end(),
                     [](const Report& a, const Report& b) { return a.score < b.score; });
    NewFile file(name);
    std::ofstream out(file.temporaryName().c_str());
    out << "first,second,first_name,second_name,given,kept,contradicted,score\n";
    for (const Report& r : reports)
        out << r.first << ',' << r.second << ',' << quoted(names[r.first]) << ','
            << quoted(names[r.second]) << ',' << r.given << ',' << r.kept << ',' << r.contradicted
            << ',' << r.score << '\n';
    out.close();
    if (!out)
        throw std::runtime_error("cannot write " + name + "; is the disk full?");
    file.commit();
}

} // namespace samples
