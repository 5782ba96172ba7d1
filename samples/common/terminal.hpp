// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef MULTIMATCH_SAMPLES_TERMINAL_HPP
#define MULTIMATCH_SAMPLES_TERMINAL_HPP

#include <chrono>
#include <string>

namespace samples {

//! True if a person looks at the standard error stream.
bool standardErrorIsTerminal();

/** One line on the standard error stream that shows stage, share and time left. Writes nothing when it is not
enabled, so that logs and pipes stay clean. Leaves an empty line position behind. */
class ProgressBar
{
public:
    explicit ProgressBar(bool enabled);
    ~ProgressBar() { clear(); }

    //! fraction in [0, 1]; secondsLeft negative: taken from the pace since the stage began.
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

/** From here on the first Ctrl-C only makes interrupted() true, so that the program can stop in an orderly way; a second
one ends it at once. */
void catchInterrupts();
bool interrupted();

} // namespace samples

#endif
