// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "arguments.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <sstream>

namespace samples {

namespace {

// Insertions, deletions, replacements and swaps of neighbors that turn one word into the other.
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

// Help text in the right column, broken between words.
void appendWrapped(std::string& out, const std::string& text, size_t indent, size_t width)
{
    std::istringstream words(text);
    std::string word;
    size_t column = indent;
    bool first = true;
    while (words >> word)
    {
        if (!first && column + 1 + word.size() > width)
        {
            out += "\n" + std::string(indent, ' ');
            column = indent;
            first = true;
        }
        if (!first)
        {
            out += ' ';
            ++column;
        }
        out += word;
        column += word.size();
        first = false;
    }
    out += '\n';
}

std::string number(double value)
{
    std::ostringstream out;
    out << value;
    return out.str();
}

bool isOn(const std::string& value, bool& on)
{
    if (value == "on" || value == "yes" || value == "true" || value == "1")
        on = true;
    else if (value == "off" || value == "no" || value == "false" || value == "0")
        on = false;
    else
        return false;
    return true;
}

} // namespace

std::string nearestWord(const std::string& word, const std::vector<std::string>& candidates)
{
    std::string best;
    int bestDistance = static_cast<int>(word.size()) / 3 + 2;
    for (size_t i = 0; i < candidates.size(); ++i)
    {
        // Half a name typed is a better hint than the count of missing letters says.
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

Arguments::Arguments(const std::string& usage, const std::string& summary)
    : usage_(usage), summary_(summary)
{
}

void Arguments::section(const std::string& title)
{
    section_ = title;
}

void Arguments::option(const std::string& name, const std::string& unit,
                       const std::string& byDefault, const std::string& help)
{
    options_.push_back(Option{name, unit, byDefault, help, section_, false});
}

void Arguments::flag(const std::string& name, bool byDefault, const std::string& help)
{
    options_.push_back(Option{name, "", byDefault ? "on" : "off", help, section_, true});
}

void Arguments::epilogue(const std::string& text)
{
    epilogue_ += text;
}

const Arguments::Option* Arguments::find(const std::string& name) const
{
    for (size_t i = 0; i < options_.size(); ++i)
        if (options_[i].name == name)
            return &options_[i];
    return 0;
}

const Arguments::Option& Arguments::require(const std::string& name) const
{
    const Option* option = find(name);
    if (!option)
        throw std::logic_error("the program asks for an option it has not declared: " + name);
    return *option;
}

std::string Arguments::unknown(const std::string& name) const
{
    std::vector<std::string> names;
    for (size_t i = 0; i < options_.size(); ++i)
        names.push_back(options_[i].name);
    const std::string nearest = nearestWord(name, names);
    return "unknown option --" + name +
           (nearest.empty() ? "" : "; did you mean --" + nearest + "?");
}

void Arguments::parse(int argc, const char* const* argv)
{
    bool onlyPositional = false;
    for (int i = 1; i < argc; ++i)
    {
        const std::string word = argv[i];
        if (onlyPositional || word.size() < 2 || word[0] != '-')
        {
            positional_.push_back(word);
            continue;
        }
        if (word == "--")
        {
            onlyPositional = true;
            continue;
        }
        if (word == "-h")
        {
            values_["help"].push_back("on");
            continue;
        }
        const size_t begin = word.find_first_not_of('-');
        const size_t equals = word.find('=');
        const std::string name =
            begin == std::string::npos ? "" : word.substr(begin, equals - begin);
        const bool hasValue = equals != std::string::npos;
        std::string value = hasValue ? word.substr(equals + 1) : "";

        const Option* option = find(name);
        if (!option && name.compare(0, 3, "no-") == 0 && find(name.substr(3)) &&
            find(name.substr(3))->isFlag && !hasValue)
        {
            values_[name.substr(3)].push_back("off");
            continue;
        }
        if (!option)
            throw ArgumentError(unknown(name));
        if (option->isFlag)
        {
            bool on = true;
            if (hasValue && !isOn(value, on))
                throw ArgumentError("--" + name + "=" + value + ": expected on or off");
            values_[name].push_back(on ? "on" : "off");
            continue;
        }
        if (!hasValue)
        {
            if (i + 1 >= argc || (argv[i + 1][0] == '-' && argv[i + 1][1] == '-'))
                throw ArgumentError("--" + name + " needs a value: --" + name + "=" + option->unit);
            value = argv[++i];
        }
        if (value.empty())
            throw ArgumentError("--" + name + " has an empty value, expected " + option->unit);
        values_[name].push_back(value);
    }
}

void Arguments::preset(const std::string& name, const std::string& value)
{
    if (!given(name))
        values_[name].push_back(value);
}

std::string Arguments::help() const
{
    const size_t indent = 28, width = 96;
    std::string out = summary_ + "\n\nUsage: " + usage_ + "\n";
    std::string section;
    for (size_t i = 0; i < options_.size(); ++i)
    {
        const Option& option = options_[i];
        if (option.section != section)
            out += "\n" + option.section + "\n";
        section = option.section;
        std::string left = "  --" + option.name + (option.isFlag ? "" : "=" + option.unit);
        if (left.size() + 2 > indent)
            out += left + "\n" + std::string(indent, ' ');
        else
            out += left + std::string(indent - left.size(), ' ');
        std::string text = option.help;
        if (option.isFlag && option.byDefault == "on")
            text += " (default: on; --no-" + option.name + " turns it off)";
        else if (!option.isFlag && !option.byDefault.empty())
            text += " (default: " + option.byDefault + ")";
        appendWrapped(out, text, indent, width);
    }
    return out + epilogue_;
}

bool Arguments::given(const std::string& name) const
{
    return values_.count(require(name).name) > 0;
}

std::string Arguments::get(const std::string& name) const
{
    const Option& option = require(name);
    const std::map<std::string, std::vector<std::string>>::const_iterator found =
        values_.find(name);
    return found == values_.end() ? option.byDefault : found->second.back();
}

bool Arguments::getFlag(const std::string& name) const
{
    return get(name) == "on";
}

std::vector<std::string> Arguments::getAll(const std::string& name) const
{
    const Option& option = require(name);
    const std::map<std::string, std::vector<std::string>>::const_iterator found =
        values_.find(name);
    if (found != values_.end())
        return found->second;
    return std::vector<std::string>(option.byDefault.empty() ? 0 : 1, option.byDefault);
}

std::vector<std::string> Arguments::getList(const std::string& name) const
{
    const std::vector<std::string> values = getAll(name);
    std::vector<std::string> all;
    for (size_t i = 0; i < values.size(); ++i)
    {
        const std::vector<std::string> parts = split(values[i], ',');
        all.insert(all.end(), parts.begin(), parts.end());
    }
    return all;
}

int Arguments::getInt(const std::string& name, int low, int high) const
{
    const std::string text = get(name);
    errno = 0;
    char* end = 0;
    const long value = std::strtol(text.c_str(), &end, 10);
    if (text.empty() || *end || errno == ERANGE || value < low || value > high)
        throw ArgumentError("--" + name + "=" + text + ": expected a whole number from " +
                            std::to_string(low) + " to " + std::to_string(high));
    return static_cast<int>(value);
}

double Arguments::getDouble(const std::string& name, double low, double high) const
{
    const std::string text = get(name);
    char* end = 0;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end || !std::isfinite(value) || value < low || value > high)
        throw ArgumentError("--" + name + "=" + text + ": expected a number from " + number(low) +
                            " to " + number(high));
    return value;
}

} // namespace samples
