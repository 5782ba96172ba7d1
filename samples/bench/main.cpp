// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "ablation.hpp"
#include "accuracy.hpp"
#include "flow.hpp"
#include "grow.hpp"
#include "model.hpp"
#include "objects.hpp"
#include "retrieval.hpp"
#include "scale.hpp"
#include "shapes.hpp"
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
    {"ablation", "effect of each part of the evidence", bench::runAblation},
    {"accuracy", "accuracy of all matchers on sets with ground truth", bench::runAccuracy},
    {"flow", "tracks of optical flow on flights over photographs", bench::runFlow},
    {"grow", "a collection that grows view by view, compared with one run", bench::runGrow},
    {"model", "error of a COLMAP reconstruction with respect to given cameras", bench::runModel},
    {"objects", "seconds over points for few points in many views", bench::runObjects},
    {"retrieval", "recall of overlapping pairs of views by retrieval", bench::runRetrieval},
    {"scale", "time and memory from 10,000 to 1,000,000 key points", bench::runScale},
#ifdef MULTIMATCH_HAVE_SHAPES
    {"shapes", "accuracy of matching points of shapes", bench::runShapes},
#endif
    {"speed", "time and memory, compared with other methods in the same run", bench::runSpeed},
};

void printUsage(std::ostream& out)
{
    out << "multimatch_bench COMMAND [options]; multimatch_bench COMMAND --help lists the "
           "options\n";
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
