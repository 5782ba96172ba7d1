// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "accuracy.hpp"

#include "accuracy_tasks.hpp"
#include "arguments.hpp"
#include "confidence_rows.hpp"
#include "methods.hpp"
#include "pair_matching.hpp"

#include "opencv2/core/utility.hpp"

#include <algorithm>
#include <iostream>

namespace bench {

using namespace cv;
using namespace cv::multimatch;

namespace {

::samples::Arguments declareOptions()
{
    ::samples::Arguments arguments("multimatch_bench accuracy [--data=DIR] [--csv=FILE] [options]",
                                   "Runs all matchers on all sets below DIR and on generated ones, "
                                   "and prints how right they are.");
    arguments.section("Input");
    arguments.option("data", "DIR", "",
                     "folder with sets, found by their content; none: generated sets only");
    arguments.flag("generated", true, "run the generated sets too");
    arguments.option("sets", "LIST", "", "only sets whose name contains one of these words");
    arguments.option("methods", "LIST", "",
                     "only these of " + ::samples::join(methodNames(), ", "));
    arguments.option("seeds", "N", "5", "synthetic problems a noise level");
    arguments.option("first-seed", "N", "1", "of everything generated: other numbers, other sets");
    arguments.flag("quick", false, "a first look: one seed, two photographs, fewer features");
    arguments.section("Output");
    arguments.option("csv", "FILE", "",
                     "all numbers as suite,set,method,metric,value; scripts/plot_benchmark.py "
                     "draws plots from it");
    arguments.flag("help", false, "this text");
    return arguments;
}

AccuracyOptions readOptions(const ::samples::Arguments& arguments)
{
    AccuracyOptions options;
    options.data = arguments.get("data");
    options.csv = arguments.get("csv");
    options.sets = arguments.getList("sets");
    options.quick = arguments.getFlag("quick");
    options.generated = arguments.getFlag("generated");
    options.seeds =
        options.quick && !arguments.given("seeds") ? 1 : arguments.getInt("seeds", 1, 1000);
    options.firstSeed = static_cast<uint64_t>(arguments.getInt("first-seed", 1, 1000000000));
    options.methods = arguments.getChosen("methods", methodNames());
    return options;
}

//! One run of the subcommand.
class AccuracyRun
{
public:
    explicit AccuracyRun(const AccuracyOptions& options)
        : options_(options), results_("accuracy", options.csv), tasks_(listTasks(options)),
          current_(0)
    {
    }

    int run()
    {
        TickMeter timer;
        timer.start();
        for (current_ = 0; current_ < tasks_.size(); ++current_)
        {
            const Task& task = tasks_[current_];
            if (!task.instances.empty())
                judgeByLabels(task);
            else
                judgeByGeometry(task);
        }
        timer.stop();
        printTables(results_, methodNames(), std::cout);
        reliability_.print(std::cout);
        std::cerr << format("%d sets in %.0f s\n", int(tasks_.size()), timer.getTimeSec());
        // After the tables, which would list these families as sets.
        for (const auto& family : familyCurves_)
            addCurve(results_, family.first, family.first, family.second);
        addReliability(results_, reliability_);
        return tasks_.empty() ? 2 : 0;
    }

private:
    void progress(const std::string& set, const std::string& method, const std::string& what) const
    {
        std::cerr << format("[%d/%d] %-34s %-14s %s", int(current_ + 1), int(tasks_.size()),
                            set.c_str(), method.c_str(), what.c_str())
                  << std::endl;
    }

    // Runs a method; a failure is printed and counts as not having run.
    Outcome attempt(const std::string& set, const std::string& method, const Problem& problem,
                    float minConfidence = -1) const
    {
        Outcome outcome;
        try
        {
            outcome = runMethod(method, problem, minConfidence);
        }
        catch (const cv::Exception& error)
        {
            outcome.reason = error.err;
        }
        if (!outcome.ran)
            progress(set, method, "skipped: " + outcome.reason);
        return outcome;
    }

    void judgeByLabels(const Task& task)
    {
        std::vector<Problem> problems;
        for (const std::function<Problem()>& instance : task.instances)
            problems.push_back(instance());
        for (const std::string& method : options_.methods)
        {
            if (task.positionsOnly && !usesPositions(method))
                continue;
            double precision = 0, recall = 0, fscore = 0, error = 0, seconds = 0;
            bool ran = true;
            for (const Problem& problem : problems)
            {
                const Outcome outcome = attempt(task.set, method, problem);
                ran = outcome.ran;
                if (!ran)
                    break;
                const MatchScore score = outcome.consistent
                                             ? scoreTracks(outcome.tracks, problem.labels)
                                             : scorePairs(outcome.pairs, problem.labels);
                precision += score.precision();
                recall += score.recall();
                fscore += score.fscore();
                error += outcome.consistent ? 0 : cycleError(outcome.pairs);
                seconds += outcome.seconds;
            }
            if (!ran)
                continue;
            const double count = static_cast<double>(problems.size());
            add(task, task.set, method, "precision", precision / count);
            add(task, task.set, method, "recall", recall / count);
            add(task, task.set, method, "fscore", fscore / count);
            add(task, task.set, method, "cycle-error", error / count);
            add(task, task.set, method, "seconds", seconds / count);
            progress(task.set, method,
                     format("fscore %.3f  precision %.3f  recall %.3f  %.2f s", fscore / count,
                            precision / count, recall / count, seconds / count));
        }
        if (isOursWanted())
            for (const Problem& problem : problems)
                judgeConfidence(task, problem);
    }

    // The confidence is judged on all that the method found, also what it would leave out. Where
    // the universe size is given all points are matched and there is nothing to leave out.
    void judgeConfidence(const Task& task, const Problem& problem)
    {
        if (problem.universeSize > 0 || !problem.hasFeatures())
            return;
        const Outcome outcome = attempt(task.set, OURS, problem, 0);
        if (!outcome.ran)
            return;
        reliability_.add(task.family, outcome.tracks, problem.labels);
        const Curve curve = sweepLabels(outcome.tracks, problem.labels);
        Curve& sum = familyCurves_[task.family];
        if (sum.empty())
            sum = curve;
        else
            for (size_t n = 0; n < curve.size(); ++n)
            {
                sum[n].matches += curve[n].matches;
                sum[n].correct += curve[n].correct;
            }
    }

    void judgeByGeometry(const Task& task)
    {
        Geometry geometry;
        Problem problem = loadPhotographs(task.photographs, maxFeatures(options_), geometry);
        progress(task.set, "",
                 format("%d SIFT points in %d views", problem.pointCount(),
                        int(problem.viewSizes.size())));
        if (!geometry.homographies.empty())
        {
            judgeProblem(task, task.set, problem, geometry, options_.methods);
            return;
        }
        for (double ratio : {0.8, 1.})
        {
            const PairList raw = ::samples::mutualMatches(problem.descriptors, ratio);
            const std::string name =
                task.set + (ratio < 1 ? format("/ratio%.1f", ratio) : "/no-ratio");
            judgeGivenMatches(task, name + "-raw", raw, problem, geometry);
            judgeGivenMatches(task, name + "-ransac",
                              ::samples::verifiedMatches(raw, problem.keypoints, geometry.maxError),
                              problem, geometry);
        }
        std::vector<std::string> ours;
        for (const std::string& method : {std::string(OURS), std::string("guided")})
            if (isWanted(method))
                ours.push_back(method);
        judgeProblem(task, task.set + "/descriptors", problem, geometry, ours);
    }

    void judgeGivenMatches(const Task& task, const std::string& set, const PairList& matches,
                           const Problem& features, const Geometry& geometry)
    {
        Problem problem;
        problem.keypoints = features.keypoints;
        problem.viewSizes = features.viewSizes;
        problem.given = matches;
        problem.similarity = similarityOf(matches, features.viewSizes);
        std::vector<std::string> methods;
        for (const std::string& method : options_.methods)
            if (method !=
                "hippi-literal") // matches every point, with d far beyond what these sets allow
                methods.push_back(method);
        judgeProblem(task, set, problem, geometry, methods);
    }

    void judgeProblem(const Task& task, const std::string& set, const Problem& problem,
                      const Geometry& geometry, const std::vector<std::string>& methods)
    {
        for (const std::string& method : methods)
        {
            const Outcome outcome = attempt(set, method, problem);
            if (!outcome.ran)
                continue;
            const GeometryScore score = outcome.consistent
                                            ? geometry.score(outcome.tracks, problem.keypoints)
                                            : geometry.score(outcome.pairs, problem.keypoints);
            add(task, set, method, "pair-precision", score.precision());
            add(task, set, method, "correct-pairs", score.correct);
            if (outcome.consistent)
            {
                add(task, set, method, "tracks3", score.tracks);
                add(task, set, method, "correct-tracks3", score.correctTracks);
            }
            else
                add(task, set, method, "cycle-error", cycleError(outcome.pairs));
            add(task, set, method, "seconds", outcome.seconds);
            progress(set, method,
                     format("pair precision %.4f  correct pairs %.0f  tracks %.0f  %.1f s",
                            score.precision(), score.correct, score.correctTracks,
                            outcome.seconds));
        }
        if (isOursWanted())
            judgeConfidence(task, set, problem, geometry);
    }

    // How many are right where the threshold makes ours as precise as a peer?
    void judgeConfidence(const Task& task, const std::string& set, const Problem& problem,
                         const Geometry& geometry)
    {
        const Outcome outcome = attempt(set, OURS, problem, 0);
        if (!outcome.ran)
            return;
        if (problem.hasFeatures())
            reliability_.add(task.family, outcome.tracks, problem.keypoints, geometry);
        const Curve curve = sweepGeometry(outcome.tracks, problem.keypoints, geometry);
        addCurve(results_, task.family, set, curve);
        for (const std::string& peer : {std::string("unionfind"), std::string("kruskal")})
        {
            if (!results_.has(set, peer, "pair-precision"))
                continue;
            const CurvePoint* at = atPrecision(curve, results_.get(set, peer, "pair-precision"));
            add(task, set, OURS, "correct-pairs-at-" + peer, at ? at->correct : 0);
            add(task, set, OURS, "correct-tracks3-at-" + peer, at ? at->correctTracks : 0);
            add(task, set, OURS, "threshold-at-" + peer, at ? at->threshold : 1);
        }
    }

    void add(const Task& task, const std::string& set, const std::string& method,
             const std::string& metric, double value)
    {
        results_.add(task.family, set, method, metric, value);
    }

    bool isWanted(const std::string& method) const
    {
        return std::find(options_.methods.begin(), options_.methods.end(), method) !=
               options_.methods.end();
    }
    bool isOursWanted() const { return isWanted(OURS); }

    AccuracyOptions options_;
    Results results_;
    std::vector<Task> tasks_;
    size_t current_;
    Reliability reliability_;
    std::map<std::string, Curve> familyCurves_; //!< summed over the sets of a family
};

} // namespace

int runAccuracy(int argc, const char* const* argv)
{
    ::samples::Arguments arguments = declareOptions();
    arguments.parse(argc, argv);
    if (arguments.getFlag("help"))
    {
        std::cout << arguments.help();
        return 0;
    }
    return AccuracyRun(readOptions(arguments)).run();
}

} // namespace bench
