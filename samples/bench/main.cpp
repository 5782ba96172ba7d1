// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "ablation.hpp"
#include "accuracy.hpp"
#include "model.hpp"
#include "retrieval.hpp"
#include "scale.hpp"
#include "speed.hpp"

#include "arguments.hpp"

#include <exception>
#include <iostream>
#include <string>

namespace {

struct Command
{
    const char* name;
    const char* help;
    int (*run)(int argc, const char* const* argv);
};

const Command COMMANDS[] = {
    {"ablation", "what each part of the evidence adds", bench::runAblation},
    {"accuracy", "how right all matchers are on sets with known truth", bench::runAccuracy},
    {"model", "a reconstruction of COLMAP against given cameras", bench::runModel},
    {"retrieval", "how many overlapping pairs of views are found without comparing them all",
     bench::runRetrieval},
    {"scale", "time and memory from 10,000 to 1,000,000 key points", bench::runScale},
    {"speed", "seconds and memory beside peers of the same run", bench::runSpeed},
};

void printUsage(std::ostream& out)
{
    out << "multimatch_bench COMMAND [options]; --help behind a command tells its options\n";
    for (const Command& command : COMMANDS)
        out << "  " << command.name << "  " << command.help << "\n";
}

} // namespace

int main(int argc, char** argv)
{
    const std::string name = argc > 1 ? argv[1] : "";
    try
    {
        for (const Command& command : COMMANDS)
            if (name == command.name)
                return command.run(argc - 1, argv + 1);
    }
    catch (const samples::ArgumentError& error)
    {
        std::cerr << error.what() << "\n";
        return 1;
    }
    catch (const std::exception& error)
    {
        std::cerr << error.what() << "\n";
        return 4;
    }
    const bool asked = name == "--help" || name == "help";
    printUsage(asked ? std::cout : std::cerr);
    return asked ? 0 : 1;
}
