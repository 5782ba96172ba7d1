// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "program.hpp"

#include "opencv2/core.hpp"

#include <csignal>
#include <cstdio>
#include <new>

namespace samples {

namespace {

// Exit codes.
const int BAD_INPUT = 1, FAILED = 4;

int failed(const char* name, const char* reason)
{
    std::fprintf(stderr, "%s: %s\n", name, reason);
    return FAILED;
}

} // namespace

int runGuarded(const char* name, const std::function<int()>& run)
{
#ifdef SIGXFSZ
    // Beyond the largest size of a file, writing shall fail with an error that is reported, as on a
    // full disk.
    std::signal(SIGXFSZ, SIG_IGN);
#endif
    try
    {
        return run();
    }
    catch (const ArgumentError& e)
    {
        std::fprintf(stderr, "%s: %s\nTry %s --help.\n", name, e.what(), name);
        return BAD_INPUT;
    }
    catch (const std::invalid_argument& e)
    {
        std::fprintf(stderr, "%s: %s\n", name, e.what());
        return BAD_INPUT;
    }
    catch (const cv::Exception& e)
    {
        return failed(name, e.err.c_str());
    }
    catch (const std::bad_alloc&)
    {
        return failed(name, "there is not enough memory");
    }
    catch (const std::exception& e)
    {
        return failed(name, e.what());
    }
}

int runProgram(const char* name, Arguments arguments, int argc, const char* const* argv,
               int (*run)(const Arguments&))
{
    return runGuarded(name, [&]() {
        arguments.parse(argc, argv);
        if (arguments.getFlag("help"))
        {
            std::printf("%s", arguments.help().c_str());
            return 0;
        }
        return run(arguments);
    });
}

} // namespace samples
