// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "arguments.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace samples {

namespace {

const size_t HELP_COLUMN = 28, HELP_WIDTH = 96; // characters

//! The text with line breaks between words.
std::string wrapped(const std::string& text, size_t width)
{
    std::istringstream words(text);
    std::string word, out;
    size_t column = 0;
    while (words >> word)
    {
        const bool fits = column + 1 + word.size() <= width;
        if (column > 0)
            out += fits ? ' ' : '\n';
        column = column > 0 && fits ? column + 1 + word.size() : word.size();
        out += word;
    }
    return out;
}

bool isFlag(const CLI::Option& option)
{
    return option.get_items_expected_max() == 0;
}

//! Layout of --help: "--name=UNIT", wrapped text with the default value, a heading for each
//! section.
class HelpFormatter : public CLI::Formatter
{
public:
    explicit HelpFormatter(const std::string& usage) : usage_(usage) { column_width(HELP_COLUMN); }

    std::string make_help(const CLI::App* app, std::string, CLI::AppFormatMode mode) const override
    {
        return app->get_description() + "\n\nUsage: " + usage_ + "\n\n" + make_groups(app, mode) +
               app->get_footer();
    }

    std::string make_group(std::string group, bool isPositional,
                           std::vector<const CLI::Option*> options) const override
    {
        std::string out = group + "\n";
        for (const CLI::Option* option : options)
            out += make_option(option, isPositional);
        return out;
    }

    std::string make_option_name(const CLI::Option* option, bool) const override
    {
        return "--" + option->get_lnames()[0];
    }

    std::string make_option_opts(const CLI::Option* option) const override
    {
        return isFlag(*option) ? "" : "=" + option->get_type_name();
    }

    std::string make_option_desc(const CLI::Option* option) const override
    {
        std::string text = option->get_description();
        const std::string value = option->get_default_str();
        if (isFlag(*option) && value == "on")
            text += " (default: on; --no-" + option->get_lnames()[0] + " turns it off)";
        else if (!isFlag(*option) && !value.empty())
            text += " (default: " + value + ")";
        return wrapped(text, HELP_WIDTH - HELP_COLUMN);
    }

private:
    std::string usage_;
};

bool flagValue(const CLI::Option& option)
{
    try
    {
        return option.as<bool>();
    }
    catch (const CLI::ConversionError&)
    {
        throw ArgumentError("--" + option.get_lnames()[0] + "=" + option.results().back() +
                            ": expected on or off");
    }
}

ArgumentError missingValue(const CLI::Option& option)
{
    const std::string name = option.get_name();
    return ArgumentError(name + " needs a value: " + name + "=" + option.get_type_name());
}

double numberInRange(const CLI::Option& option, double low, double high, bool whole)
{
    try
    {
        const double value = option.as<double>();
        if (value >= low && value <= high && (!whole || value == std::floor(value)))
            return value;
    }
    catch (const CLI::ConversionError&)
    {
    }
    std::ostringstream message;
    message << std::setprecision(10) << option.get_name() << "=" << option.as<std::string>()
            << ": expected a " << (whole ? "whole number" : "number") << " from " << low << " to "
            << high;
    throw ArgumentError(message.str());
}

} // namespace

struct Arguments::Parser
{
    CLI::App app;
    std::string section = "Options";
    std::vector<std::string> positional;

    explicit Parser(const std::string& summary) : app(summary) {}

    CLI::Option& find(const std::string& name) { return *app.get_option("--" + name); }

    void checkValues() const
    {
        for (const CLI::Option* option : app.get_options())
            if (isFlag(*option))
                flagValue(*option);
            // CLI11 takes the word after an option as its value even if it is the next option.
            else if (option->nonpositional())
                for (const std::string& value : option->results())
                    if (value.compare(0, 2, "--") == 0)
                        throw missingValue(*option);
    }

    ArgumentError unknownOption() const
    {
        const std::string rest = app.remaining().front(), word = rest.substr(0, rest.find('='));
        std::vector<std::string> names;
        for (const CLI::Option* option : app.get_options())
            names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
        const std::string nearest = nearestWord(word.substr(word.find_last_of('-', 1) + 1), names);
        return ArgumentError("unknown option " + word +
                             (nearest.empty() ? "" : "; did you mean --" + nearest + "?"));
    }
};

Arguments::Arguments(const std::string& usage, const std::string& summary)
    : parser_(std::make_shared<Parser>(summary))
{
    CLI::App& app = parser_->app;
    app.set_help_flag(); // the programs declare --help themselves
    app.formatter(std::make_shared<HelpFormatter>(usage));
    app.add_option("positional", parser_->positional)->group("");
}

void Arguments::section(const std::string& title)
{
    parser_->section = title;
}

void Arguments::option(const std::string& name, const std::string& unit,
                       const std::string& byDefault, const std::string& help)
{
    // All values are kept; get() returns the last.
    parser_->app.add_option("--" + name, help)
        ->expected(1)
        ->type_name(unit)
        ->default_str(byDefault)
        ->group(parser_->section)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void Arguments::flag(const std::string& name, bool byDefault, const std::string& help)
{
    const std::string names = (name == "help" ? "-h,--" : "--") + name + ",!--no-" + name;
    parser_->app.add_flag(names, help)
        ->default_str(byDefault ? "on" : "off")
        ->group(parser_->section)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void Arguments::epilogue(const std::string& text)
{
    parser_->app.footer(parser_->app.get_footer() + text);
}

void Arguments::parse(int argc, const char* const* argv)
{
    try
    {
        parser_->app.parse(argc, argv);
    }
    catch (const CLI::ExtrasError&)
    {
        throw parser_->unknownOption();
    }
    catch (const CLI::ArgumentMismatch&)
    {
        const std::string last = argv[argc - 1];
        throw missingValue(*parser_->app.get_option(last.substr(0, last.find('='))));
    }
    catch (const CLI::ParseError& error)
    {
        throw ArgumentError(error.what());
    }
    parser_->checkValues();
}

void Arguments::preset(const std::string& name, const std::string& value)
{
    if (!given(name))
        parser_->find(name).add_result(value);
}

std::string Arguments::help() const
{
    return parser_->app.help();
}

bool Arguments::given(const std::string& name) const
{
    return parser_->find(name).count() > 0;
}

std::string Arguments::get(const std::string& name) const
{
    return parser_->find(name).as<std::string>();
}

bool Arguments::getFlag(const std::string& name) const
{
    return flagValue(parser_->find(name));
}

std::vector<std::string> Arguments::getAll(const std::string& name) const
{
    const CLI::Option& option = parser_->find(name);
    if (option.count() > 0)
        return option.results();
    const std::string value = option.get_default_str();
    return std::vector<std::string>(value.empty() ? 0 : 1, value);
}

std::vector<std::string> Arguments::getList(const std::string& name) const
{
    return split(join(getAll(name), ","), ',');
}

std::vector<std::string> Arguments::getChosen(const std::string& name,
                                              const std::vector<std::string>& known) const
{
    const std::vector<std::string> asked = getList(name);
    for (const std::string& item : asked)
        if (std::find(known.begin(), known.end(), item) == known.end())
            throw ArgumentError("--" + name + " has \"" + item + "\", expected some of " +
                                join(known, ", "));
    std::vector<std::string> chosen;
    for (const std::string& item : known)
        if (asked.empty() || std::find(asked.begin(), asked.end(), item) != asked.end())
            chosen.push_back(item);
    return chosen;
}

int Arguments::getInt(const std::string& name, int low, int high) const
{
    return static_cast<int>(numberInRange(parser_->find(name), low, high, true));
}

double Arguments::getDouble(const std::string& name, double low, double high) const
{
    return numberInRange(parser_->find(name), low, high, false);
}

const std::vector<std::string>& Arguments::positional() const
{
    return parser_->positional;
}

} // namespace samples
