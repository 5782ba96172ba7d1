// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "child_process.hpp"

#include "opencv2/core.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <sstream>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench {

namespace {

[[noreturn]] void fail(const std::string& what)
{
    CV_Error(cv::Error::StsError, what);
}

void writeAll(int file, const std::string& text)
{
    for (size_t done = 0; done < text.size();)
    {
        const ssize_t n = ::write(file, text.data() + done, text.size() - done);
        if (n < 0)
            _exit(1);
        done += size_t(n);
    }
}

[[noreturn]] void runChild(const std::function<std::vector<Figure>()>& work, int out)
{
    std::ostringstream text;
    text.precision(17);
    int code = 0;
    try
    {
        for (const Figure& figure : work())
            text << figure.metric << ' ' << figure.value << '\n';
    }
    catch (const std::exception& error)
    {
        text.str(error.what());
        code = 1;
    }
    writeAll(out, text.str());
    _exit(code);
}

std::string readAll(int file)
{
    std::string text;
    char buffer[4096];
    for (;;)
    {
        const ssize_t n = ::read(file, buffer, sizeof(buffer));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return text;
        text.append(buffer, size_t(n));
    }
}

} // namespace

std::vector<Figure> measureInChild(const std::function<std::vector<Figure>()>& work)
{
    int ends[2];
    if (pipe(ends) != 0)
        fail(std::string("cannot create a pipe: ") + std::strerror(errno));
    std::cout.flush();
    std::fflush(NULL);
    const pid_t child = fork();
    if (child < 0)
        fail(std::string("cannot create a process: ") + std::strerror(errno));
    if (child == 0)
    {
        close(ends[0]);
        runChild(work, ends[1]);
    }
    close(ends[1]);
    const std::string text = readAll(ends[0]);
    close(ends[0]);
    int status = 0;
    struct rusage usage;
    while (wait4(child, &status, 0, &usage) < 0)
        if (errno != EINTR)
            fail(std::string("cannot wait for the measurement: ") + std::strerror(errno));
    if (WIFSIGNALED(status))
        fail(cv::format("the measurement was ended by signal %d (out of memory?)",
                        WTERMSIG(status)));
    if (WEXITSTATUS(status) != 0)
        fail(text);
    const Figure peak = {"peak-rss-bytes", 1024. * double(usage.ru_maxrss)};
    bool peakTold = false;
    std::vector<Figure> figures;
    std::istringstream lines(text);
    for (Figure figure; lines >> figure.metric >> figure.value;)
    {
        figures.push_back(figure);
        peakTold = peakTold || figure.metric == peak.metric;
    }
    if (!peakTold)
        figures.push_back(peak);
    return figures;
}

} // namespace bench
