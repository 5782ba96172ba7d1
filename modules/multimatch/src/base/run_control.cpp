// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "run_control.hpp"

namespace cv { namespace multimatch {

Progress::Progress() : stage(""), fraction(0), secondsLeft(-1) {}

namespace {

const double SECONDS_BETWEEN_CALLS = 0.05;

double secondsSince(int64 ticks)
{
    return static_cast<double>(getTickCount() - ticks) / getTickFrequency();
}

} // namespace

int viewsInSlice(const std::vector<int>& offsets)
{
    const double views = static_cast<double>(offsets.size() - 1), points = offsets.back();
    return std::max(1, static_cast<int>(views * SLICE_POINTS / std::max(1., points)));
}

RunControl::RunControl(const ProgressCallback& callback)
    : callback_(callback), cancelled_(false), stage_(NULL), from_(0), to_(1), lastFraction_(0),
      stageStart_(0), lastCall_(0)
{
}

void RunControl::begin(const char* stage)
{
    endStage();
    stage_ = stage;
    stageStart_ = getTickCount();
    lastCall_ = 0;
    part(0, 1);
    proceed(0);
}

void RunControl::part(double from, double to)
{
    from_ = from;
    to_ = to;
    lastFraction_ = 0;
}

int RunControl::stripes()
{
    return 4 * std::max(1, getNumThreads());
}

bool RunControl::proceed(double fraction)
{
    if (cancelled_ || !callback_)
        return !cancelled_;
    lastFraction_ = fraction;
    fraction = from_ + (to_ - from_) * fraction;
    if (lastCall_ != 0 && fraction < 1 && secondsSince(lastCall_) < SECONDS_BETWEEN_CALLS)
        return true;
    Progress progress;
    progress.stage = stage_;
    progress.fraction = std::min(1.0, std::max(0.0, fraction));
    if (fraction > 0)
        progress.secondsLeft =
            secondsSince(stageStart_) * (1 - progress.fraction) / progress.fraction;
    cancelled_ = !callback_(progress);
    lastCall_ = getTickCount();
    return !cancelled_;
}

void RunControl::finish(MatchReport& report)
{
    endStage();
    report.stages = stages_;
    report.seconds = seconds_;
    report.cancelled = cancelled_;
}

void RunControl::endStage()
{
    if (!stage_)
        return;
    const size_t known = static_cast<size_t>(
        std::find(stages_.begin(), stages_.end(), std::string(stage_)) - stages_.begin());
    if (known == stages_.size())
    {
        stages_.push_back(stage_);
        seconds_.push_back(0);
    }
    seconds_[known] += secondsSince(stageStart_);
    stage_ = NULL;
}

}} // namespace cv::multimatch
