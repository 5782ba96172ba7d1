// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_TERMINAL_HPP
#define MULTIMATCH_SAMPLES_TERMINAL_HPP

#include <chrono>
#include <string>

namespace samples {

//! True if the standard error stream is a terminal.
bool standardErrorIsTerminal();

/** Progress line on the standard error stream: stage, fraction done and time left. Writes nothing
if it is disabled, so that logs and pipes do not contain it. The line is erased at the end. */
class ProgressBar
{
public:
    explicit ProgressBar(bool enabled);
    ~ProgressBar() { clear(); }

    //! fraction in [0, 1]; secondsLeft negative: estimated from the time since the stage began.
    void show(const std::string& stage, double fraction, double secondsLeft = -1.0);
    void clear();

private:
    ProgressBar(const ProgressBar&);
    ProgressBar& operator=(const ProgressBar&);

    typedef std::chrono::steady_clock Clock;
    bool enabled_, visible_;
    std::string stage_;
    Clock::time_point stageStart_, lastShown_;
};

/** Installs a handler: the first Ctrl-C makes interrupted() true, so that the program can stop and
clean up. A second Ctrl-C ends the program at once. */
void catchInterrupts();
bool interrupted();

} // namespace samples

#endif
