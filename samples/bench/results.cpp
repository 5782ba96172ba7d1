// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "results.hpp"

#include "methods.hpp"

#include "opencv2/core.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>

namespace bench {

namespace {

bool contains(const std::vector<std::string>& list, const std::string& word)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

std::string padded(const std::string& text, size_t width)
{
    return text.size() < width ? text + std::string(width - text.size(), ' ') : text;
}

std::string rightAligned(const std::string& text, size_t width)
{
    return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

std::string number(double value, const char* pattern)
{
    return std::isnan(value) ? "-" : cv::format(pattern, value);
}

size_t widthOf(const std::vector<std::string>& words, size_t least)
{
    for (const std::string& word : words)
        least = std::max(least, word.size());
    return least;
}

void printLabelTable(const Results& results, const std::string& family,
                     const std::vector<std::string>& methods, std::ostream& out)
{
    const size_t first = widthOf(results.setsOf(family), 16) + 2, column = widthOf(methods, 8) + 2;
    out << "\n" << padded(family + " (fscore)", first);
    for (const std::string& method : methods)
        out << rightAligned(method, column);
    out << "\n";
    for (const std::string& set : results.setsOf(family))
    {
        out << padded(set, first);
        for (const std::string& method : methods)
            out << rightAligned(number(results.get(set, method, "fscore"), "%.3f"), column);
        out << "\n";
    }
    const char* const means[][3] = {{"mean fscore", "fscore", "%.3f"},
                                    {"mean precision", "precision", "%.3f"},
                                    {"mean recall", "recall", "%.3f"},
                                    {"mean cycle-error", "cycle-error", "%.3f"},
                                    {"mean seconds", "seconds", "%.2f"}};
    for (const auto& row : means)
    {
        out << padded(row[0], first);
        for (const std::string& method : methods)
            out << rightAligned(number(results.mean(family, method, row[1]), row[2]), column);
        out << "\n";
    }
}

void printGeometryTable(const Results& results, const std::string& family,
                        const std::vector<std::string>& methods, std::ostream& out)
{
    const char* const columns[][2] = {
        {"pair-precision", "%.4f"},  {"correct-pairs", "%.0f"}, {"tracks3", "%.0f"},
        {"correct-tracks3", "%.0f"}, {"seconds", "%.1f"},
    };
    const size_t first = widthOf(results.setsOf(family), 16) + 2, second = widthOf(methods, 12) + 2;
    out << "\n" << padded(family, first) << padded("method", second);
    for (const auto& column : columns)
        out << rightAligned(column[0], 17);
    out << "\n";
    for (const std::string& set : results.setsOf(family))
        for (const std::string& method : methods)
        {
            if (!results.has(set, method, "pair-precision"))
                continue;
            out << padded(set, first) << padded(method, second);
            for (const auto& column : columns)
                out << rightAligned(number(results.get(set, method, column[0]), column[1]), 17);
            out << "\n";
        }
    // HiPPI at the threshold where its precision reaches that of another method.
    for (const std::string& set : results.setsOf(family))
        for (const std::string& peer : methods)
        {
            const double pairs = results.get(set, OURS, "correct-pairs-at-" + peer);
            const double tracks = results.get(set, OURS, "correct-tracks3-at-" + peer);
            if (std::isnan(pairs))
                continue;
            const double peerPairs = results.get(set, peer, "correct-pairs");
            const double peerTracks = results.get(set, peer, "correct-tracks3");
            out << padded(set, first)
                << cv::format(
                       "hippi at the precision of %s: correct pairs %.0f (%+.1f %%), tracks of "
                       "three or more %.0f (%+.0f)",
                       peer.c_str(), pairs, 100 * (pairs / peerPairs - 1), tracks,
                       tracks - peerTracks)
                << "\n";
        }
}

} // namespace

Results::Results(const std::string& suite, const std::string& csv) : suite_(suite)
{
    if (csv.empty())
        return;
    csv_.open(csv.c_str());
    if (!csv_)
        CV_Error(cv::Error::StsError, "cannot write " + csv);
    csv_ << "suite,set,method,metric,value" << std::endl;
}

bool Results::Key::operator<(const Key& other) const
{
    if (set != other.set)
        return set < other.set;
    return method != other.method ? method < other.method : metric < other.metric;
}

void Results::add(const std::string& family, const std::string& set, const std::string& method,
                  const std::string& metric, double value)
{
    if (!contains(families_, family))
        families_.push_back(family);
    if (!contains(sets_[family], set))
        sets_[family].push_back(set);
    const Key key = {set, method, metric};
    values_[key] = value;
    if (csv_.is_open())
        csv_ << suite_ << "," << set << "," << method << "," << metric << ","
             << cv::format("%.6g", value) << std::endl;
}

bool Results::has(const std::string& set, const std::string& method,
                  const std::string& metric) const
{
    const Key key = {set, method, metric};
    return values_.count(key) > 0;
}

double Results::get(const std::string& set, const std::string& method,
                    const std::string& metric) const
{
    const Key key = {set, method, metric};
    const std::map<Key, double>::const_iterator found = values_.find(key);
    return found == values_.end() ? std::numeric_limits<double>::quiet_NaN() : found->second;
}

double Results::mean(const std::string& family, const std::string& method,
                     const std::string& metric) const
{
    double sum = 0;
    int count = 0;
    for (const std::string& set : setsOf(family))
        if (has(set, method, metric))
        {
            sum += get(set, method, metric);
            ++count;
        }
    return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

const std::vector<std::string>& Results::setsOf(const std::string& family) const
{
    return sets_.at(family);
}

std::vector<std::string> Results::methodsOf(const std::string& family,
                                            const std::vector<std::string>& order) const
{
    std::vector<std::string> present;
    for (const std::string& method : order)
        for (const std::string& set : setsOf(family))
            if (has(set, method, "seconds"))
            {
                present.push_back(method);
                break;
            }
    return present;
}

void printTables(const Results& results, const std::vector<std::string>& methodOrder,
                 std::ostream& out)
{
    for (const std::string& family : results.families())
    {
        const std::vector<std::string> methods = results.methodsOf(family, methodOrder);
        bool labeled = false;
        for (const std::string& method : methods)
            labeled = labeled || !std::isnan(results.mean(family, method, "fscore"));
        if (labeled)
            printLabelTable(results, family, methods, out);
        else
            printGeometryTable(results, family, methods, out);
    }
    out << std::flush;
}

} // namespace bench
