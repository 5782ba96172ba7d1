// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_ARGUMENTS_HPP
#define MULTIMATCH_SAMPLES_ARGUMENTS_HPP

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace samples {

//! What is wrong with a command line, in words for the person who typed it.
class ArgumentError : public std::runtime_error
{
public:
    explicit ArgumentError(const std::string& message) : std::runtime_error(message) {}
};

/** Command line of a program: options are declared once, which gives both the parser and --help.

cv::CommandLineParser takes any option without complaint, so that a typing error silently means the default; this one
names what it does not know and what may have been meant. Options are written --name=value or --name value, switches
--name, --no-name or --name=on|off. Everything else is a positional argument.
*/
class Arguments
{
public:
    Arguments(const std::string& usage, const std::string& summary);

    //! Heading of the options declared from here on.
    void section(const std::string& title);
    //! An option with a value. unit is what the help shows behind the "=", e.g. FILE or N.
    void option(const std::string& name, const std::string& unit, const std::string& byDefault,
                const std::string& help);
    //! An option that is on or off.
    void flag(const std::string& name, bool byDefault, const std::string& help);
    //! Text behind the options of --help: examples, exit codes.
    void epilogue(const std::string& text);

    //! Throws ArgumentError where an option is unknown or has no value.
    void parse(int argc, const char* const* argv);

    //! What an option is where the command line does not say; for presets, after parse().
    void preset(const std::string& name, const std::string& value);

    std::string help() const;

    bool given(const std::string& name) const; //!< was on the command line
    bool getFlag(const std::string& name) const;
    std::string get(const std::string& name) const; //!< the last where it was given several times
    //! All values of an option given several times.
    std::vector<std::string> getAll(const std::string& name) const;
    //! Same, each value split at its commas.
    std::vector<std::string> getList(const std::string& name) const;
    //! Throws ArgumentError, naming option, value and range, where it is no number or outside of [low, high].
    int getInt(const std::string& name, int low, int high) const;
    double getDouble(const std::string& name, double low, double high) const;
    const std::vector<std::string>& positional() const { return positional_; }

private:
    struct Option
    {
        std::string name, unit, byDefault, help, section;
        bool isFlag;
    };
    const Option* find(const std::string& name) const;
    const Option& require(const std::string& name) const;
    std::string unknown(const std::string& name) const;

    std::string usage_, summary_, section_, epilogue_;
    std::vector<Option> options_;
    std::map<std::string, std::vector<std::string>> values_;
    std::vector<std::string> positional_;
};

//! The candidate with the fewest typing errors against the word; empty where none is near.
std::string nearestWord(const std::string& word, const std::vector<std::string>& candidates);

//! Parts of a text between separators, without empty ones.
std::vector<std::string> split(const std::string& text, char separator);

//! "a, b, c"
std::string join(const std::vector<std::string>& words, const std::string& separator);

} // namespace samples

#endif
