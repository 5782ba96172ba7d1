// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "pairs.hpp"

#include "arguments.hpp"
#include "files.hpp"

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

namespace {

bool parseInt(const std::string& text, int& value)
{
    char* end = 0;
    errno = 0;
    const long number = std::strtol(text.c_str(), &end, 10);
    value = static_cast<int>(number);
    return !text.empty() && !*end && errno == 0 && number >= 0 && number <= INT_MAX;
}

} // namespace

PairChoice parsePairChoice(const std::string& text)
{
    PairChoice choice;
    if (text == "all")
        return choice;
    const std::pair<std::string, int*> numbered[] = {{"sequential", &choice.window},
                                                     {"retrieval", &choice.similar}};
    for (const std::pair<std::string, int*>& kind : numbered)
    {
        if (text.compare(0, kind.first.size(), kind.first) != 0)
            continue;
        const std::string rest = text.substr(kind.first.size());
        if (rest.empty() || rest[0] != ':' || !parseInt(rest.substr(1), *kind.second) ||
            *kind.second < 1)
            throw samples::ArgumentError("--pairs=" + text + ": expected " + kind.first +
                                         ":N with N of 1 or more");
        return choice;
    }
    choice.file = text;
    if (!std::ifstream(text.c_str()))
        throw samples::ArgumentError(
            "--pairs=" + text +
            ": expected all, sequential:N, retrieval:N or a file that can be read");
    return choice;
}

cv::Mat readPairs(const std::string& file, const std::vector<std::string>& sources,
                  const std::vector<int>& sourceIndex)
{
    const int ABSENT = -1, AMBIGUOUS = -2;
    std::map<std::string, int> sourceOf;
    for (size_t i = 0; i < sources.size(); ++i)
    {
        const std::string base = samples::baseName(sources[i]);
        sourceOf[base] = sourceOf.count(base) ? AMBIGUOUS : static_cast<int>(i);
    }
    for (size_t i = 0; i < sources.size(); ++i)
        sourceOf[sources[i]] = static_cast<int>(i);
    std::vector<int> viewOf(sources.size(), ABSENT);
    for (size_t view = 0; view < sourceIndex.size(); ++view)
        viewOf[sourceIndex[view]] = static_cast<int>(view);

    std::ifstream in(file.c_str());
    if (!in)
        throw samples::ArgumentError("cannot read the pairs of " + file);
    cv::Mat pairs;
    std::string line;
    for (int number = 1; std::getline(in, line); ++number)
    {
        const std::string where = file + ", line " + std::to_string(number) + ": ";
        std::istringstream words(line.substr(0, line.find('#')));
        std::vector<std::string> names;
        std::string word;
        while (words >> word)
            names.push_back(word);
        if (names.empty())
            continue;
        if (names.size() != 2)
            throw samples::ArgumentError(where + "expected two images, found " +
                                         std::to_string(names.size()) + " words");
        int ends[2];
        for (int e = 0; e < 2; ++e)
        {
            const std::map<std::string, int>::const_iterator found = sourceOf.find(names[e]);
            if (found != sourceOf.end())
                ends[e] = found->second;
            else if (!parseInt(names[e], ends[e]))
                ends[e] = ABSENT;
            if (ends[e] == AMBIGUOUS)
                throw samples::ArgumentError(where + names[e] + " names more than one image");
            if (ends[e] < 0 || ends[e] >= static_cast<int>(sources.size()))
                throw samples::ArgumentError(where + names[e] +
                                             " is no image of this run; numbers go from 0 to " +
                                             std::to_string(sources.size() - 1));
        }
        if (ends[0] == ends[1])
            throw samples::ArgumentError(where + "an image is paired with itself");
        const int first = viewOf[ends[0]], second = viewOf[ends[1]];
        if (first != ABSENT && second != ABSENT)
            pairs.push_back(cv::Mat((cv::Mat_<int>(1, 2) << first, second)));
    }
    if (pairs.empty())
        throw samples::ArgumentError("the file " + file + " contains no pair of readable images");
    return pairs;
}
