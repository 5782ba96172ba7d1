// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "terminal.hpp"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace samples {

namespace {

volatile std::sig_atomic_t interruptCount = 0;

void onInterrupt(int)
{
    interruptCount = 1;
    std::signal(SIGINT, SIG_DFL);
}

// For example "1:05 min left", or "42 s left" below a minute.
std::string timeText(double seconds)
{
    char text[64];
    const int whole = static_cast<int>(std::ceil(seconds));
    if (whole < 60)
        std::snprintf(text, sizeof(text), "%d s left", whole);
    else if (whole < 3600)
        std::snprintf(text, sizeof(text), "%d:%02d min left", whole / 60, whole % 60);
    else
        std::snprintf(text, sizeof(text), "%d:%02d h left", whole / 3600, whole / 60 % 60);
    return text;
}

} // namespace

bool standardErrorIsTerminal()
{
#ifdef _WIN32
    return _isatty(_fileno(stderr)) != 0;
#else
    return isatty(STDERR_FILENO) != 0;
#endif
}

ProgressBar::ProgressBar(bool enabled) : enabled_(enabled), visible_(false) {}

void ProgressBar::show(const std::string& stage, double fraction, double secondsLeft)
{
    if (!enabled_)
        return;
    const Clock::time_point now = Clock::now();
    const bool newStage = stage != stage_;
    if (newStage)
    {
        stage_ = stage;
        stageStart_ = now;
    }
    else if (now - lastShown_ < std::chrono::milliseconds(100))
        return;
    lastShown_ = now;

    fraction = std::min(1.0, std::max(0.0, fraction));
    const double elapsed = std::chrono::duration<double>(now - stageStart_).count();
    // An estimate from the first moments is unreliable.
    if (secondsLeft < 0 && fraction > 0 && elapsed > 0.5)
        secondsLeft = elapsed * (1.0 - fraction) / fraction;

    const int width = 32;
    const int filled = static_cast<int>(fraction * width);
    const std::string bar = std::string(filled, '#') + std::string(width - filled, '.');
    std::fprintf(stderr, "\r%-12s [%s] %3d %%  %-16s", stage.c_str(), bar.c_str(),
                 static_cast<int>(fraction * 100),
                 secondsLeft >= 0 ? timeText(secondsLeft).c_str() : "");
    std::fflush(stderr);
    visible_ = true;
}

void ProgressBar::clear()
{
    if (visible_)
    {
        std::fprintf(stderr, "\r%*s\r", 79, "");
        std::fflush(stderr);
    }
    visible_ = false;
    stage_.clear();
}

void catchInterrupts()
{
    std::signal(SIGINT, onInterrupt);
}

bool interrupted()
{
    return interruptCount != 0;
}

} // namespace samples
