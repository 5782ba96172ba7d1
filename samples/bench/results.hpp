// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_BENCH_RESULTS_HPP
#define MULTIMATCH_BENCH_RESULTS_HPP

#include <fstream>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace bench {

//! All values of a run, in the order of insertion.
class Results
{
public:
    /** @param suite first column of the CSV file
    @param csv file to write, each value when it is added; empty: none. Throws cv::Exception if it
    cannot be written. */
    Results(const std::string& suite, const std::string& csv);

    void add(const std::string& family, const std::string& set, const std::string& method,
             const std::string& metric, double value);

    bool has(const std::string& set, const std::string& method, const std::string& metric) const;
    //! NaN if the value does not exist.
    double get(const std::string& set, const std::string& method, const std::string& metric) const;
    //! Mean over the sets of a family that have the value; NaN if there is none.
    double mean(const std::string& family, const std::string& method,
                const std::string& metric) const;

    const std::vector<std::string>& families() const { return families_; }
    const std::vector<std::string>& setsOf(const std::string& family) const;
    //! Methods with values in a family, in the given order.
    std::vector<std::string> methodsOf(const std::string& family,
                                       const std::vector<std::string>& order) const;

private:
    struct Key
    {
        std::string set, method, metric;
        bool operator<(const Key& other) const;
    };

    std::string suite_;
    std::ofstream csv_;
    std::vector<std::string> families_;
    std::map<std::string, std::vector<std::string>> sets_;
    std::map<Key, double> values_;
};

//! Prints one table per family: F-scores for labels, pairs and tracks for geometry.
void printTables(const Results& results, const std::vector<std::string>& methodOrder,
                 std::ostream& out);

} // namespace bench

#endif
