// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_ARGUMENTS_HPP
#define MULTIMATCH_SAMPLES_ARGUMENTS_HPP

#include "words.hpp"

#include <memory>
#include <stdexcept>

namespace samples {

//! The command line is wrong; the message is for the user of the program.
class ArgumentError : public std::runtime_error
{
public:
    explicit ArgumentError(const std::string& message) : std::runtime_error(message) {}
};

/** @brief Command line of a program, parsed by CLI11.

Each option is declared once, for the parser and for --help. Options are written --name=value or
--name value, flags --name, --no-name or --name=on|off. All other words are positional arguments.
Copies share their values.

Errors name the option, its value and what is expected, and suggest a name for an unknown option. */
class Arguments
{
public:
    Arguments(const std::string& usage, const std::string& summary);

    //! Heading of the options that are declared after it.
    void section(const std::string& title);
    //! An option with a value. unit is shown after the "=" in --help, for example FILE or N.
    void option(const std::string& name, const std::string& unit, const std::string& byDefault,
                const std::string& help);
    //! An option that is on or off.
    void flag(const std::string& name, bool byDefault, const std::string& help);
    //! Text after the options in --help: examples, exit codes.
    void epilogue(const std::string& text);

    //! Throws ArgumentError if an option is unknown or has no value.
    void parse(int argc, const char* const* argv);

    //! Sets an option that the command line does not set; for presets, after parse().
    void preset(const std::string& name, const std::string& value);

    std::string help() const;

    bool given(const std::string& name) const; //!< set by the command line or by preset()
    bool getFlag(const std::string& name) const;
    std::string get(const std::string& name) const; //!< the last value of a repeated option
    //! All values of a repeated option.
    std::vector<std::string> getAll(const std::string& name) const;
    //! All values of a repeated option, each split at its commas.
    std::vector<std::string> getList(const std::string& name) const;
    //! Those of the known names that are in the list, all where it is empty; others are an error.
    std::vector<std::string> getChosen(const std::string& name,
                                       const std::vector<std::string>& known) const;
    //! Throws ArgumentError if the value is not a number in [low, high].
    int getInt(const std::string& name, int low, int high) const;
    double getDouble(const std::string& name, double low, double high) const;
    const std::vector<std::string>& positional() const;

private:
    struct Parser;
    std::shared_ptr<Parser> parser_;
};

} // namespace samples

#endif
