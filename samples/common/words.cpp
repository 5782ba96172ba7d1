// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "words.hpp"

#include <algorithm>
#include <sstream>

namespace samples {

namespace {

// Number of insertions, deletions, replacements and swaps of adjacent letters that turn one word
// into the other.
int editDistance(const std::string& a, const std::string& b)
{
    std::vector<std::vector<int>> cost(a.size() + 1, std::vector<int>(b.size() + 1));
    for (size_t i = 0; i <= a.size(); ++i)
        for (size_t j = 0; j <= b.size(); ++j)
        {
            if (i == 0 || j == 0)
            {
                cost[i][j] = static_cast<int>(i + j);
                continue;
            }
            cost[i][j] = std::min(std::min(cost[i - 1][j], cost[i][j - 1]) + 1,
                                  cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    return cost[a.size()][b.size()];
}

} // namespace

std::string nearestWord(const std::string& word, const std::vector<std::string>& candidates)
{
    std::string best;
    int bestDistance = static_cast<int>(word.size()) / 3 + 2;
    for (size_t i = 0; i < candidates.size(); ++i)
    {
        // The beginning of a name is a better hint than the number of missing letters suggests.
        const bool begins = word.size() >= 3 && candidates[i].compare(0, word.size(), word) == 0;
        const int distance = begins ? 1 : editDistance(word, candidates[i]);
        if (distance < bestDistance)
        {
            bestDistance = distance;
            best = candidates[i];
        }
    }
    return best;
}

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream in(text);
    std::string part;
    while (std::getline(in, part, separator))
        if (!part.empty())
            parts.push_back(part);
    return parts;
}

std::string join(const std::vector<std::string>& words, const std::string& separator)
{
    std::string text;
    for (size_t i = 0; i < words.size(); ++i)
        text += (i ? separator : "") + words[i];
    return text;
}

} // namespace samples
