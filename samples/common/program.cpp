// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "program.hpp"

#include "opencv2/core.hpp"

#include <cstdio>

namespace samples {

int runProgram(const char* name, Arguments arguments, int argc, const char* const* argv,
               int (*run)(const Arguments&))
{
    try
    {
        arguments.parse(argc, argv);
        if (arguments.getFlag("help"))
        {
            std::printf("%s", arguments.help().c_str());
            return 0;
        }
        return run(arguments);
    }
    catch (const ArgumentError& e)
    {
        std::fprintf(stderr, "%s: %s\nTry %s --help.\n", name, e.what(), name);
        return 1;
    }
    catch (const std::invalid_argument& e)
    {
        std::fprintf(stderr, "%s: %s\n", name, e.what());
        return 1;
    }
    catch (const cv::Exception& e)
    {
        std::fprintf(stderr, "%s: %s\n", name, e.err.c_str());
        return 4;
    }
    catch (const std::exception& e)
    {
        std::fprintf(stderr, "%s: %s\n", name, e.what());
        return 4;
    }
}

} // namespace samples
