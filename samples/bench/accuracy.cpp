// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "accuracy.hpp"

#include "arguments.hpp"
#include "confidence_curves.hpp"
#include "datasets.hpp"
#include "files.hpp"
#include "methods.hpp"
#include "pair_matching.hpp"
#include "photo_sequence.hpp"
#include "plots.hpp"
#include "results.hpp"
#include "synthetic.hpp"

#include "opencv2/core/utility.hpp"
#include "opencv2/core/utils/filesystem.hpp"
#include "opencv2/imgcodecs.hpp"

#include <cstdio>
#include <iostream>
#include <limits>

namespace bench {

using namespace cv;
using namespace cv::multimatch;

namespace {

const double NOISE_LEVELS[] = {0.05, 0.10, 0.15};
const int QUICK_PHOTOGRAPHS = 3;
const int QUICK_FEATURES = 1500;
const int REPEATED_PATCH = 100;            // px
const double REPEATED_OUTLIER_SHARE = 0.3; // of the points of a view
const char* const OURS = "hippi";

struct Options
{
    std::string data, csv, plots;
    std::vector<std::string> methods, sets;
    int seeds = 5;
    uint64_t firstSeed = 1;
    bool generated = true;
    bool quick = false;
};

//! A set to run: problems whose scores are averaged, judged by labels or by geometry.
struct Task
{
    std::string family, set;
    std::vector<std::function<Problem()>> instances; //!< judged by labels
    DataSet photographs; //!< judged by geometry, where there are no instances
};

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
    arguments.flag("quick", false, "a first look: one seed, three photographs, fewer features");
    arguments.section("Output");
    arguments.option("csv", "FILE", "", "all numbers as suite,set,method,metric,value");
    arguments.option("plots", "DIR", "", "write plots as PNG into this folder");
    arguments.flag("help", false, "this text");
    return arguments;
}

Options readOptions(const ::samples::Arguments& arguments)
{
    Options options;
    options.data = arguments.get("data");
    options.csv = arguments.get("csv");
    options.plots = arguments.get("plots");
    options.sets = arguments.getList("sets");
    options.quick = arguments.getFlag("quick");
    options.generated = arguments.getFlag("generated");
    options.seeds =
        options.quick && !arguments.given("seeds") ? 1 : arguments.getInt("seeds", 1, 1000);
    options.firstSeed = static_cast<uint64_t>(arguments.getInt("first-seed", 1, 1000000000));
    const std::vector<std::string> asked = arguments.getList("methods");
    for (const std::string& name : asked)
        if (std::find(methodNames().begin(), methodNames().end(), name) == methodNames().end())
            throw ::samples::ArgumentError("--methods has \"" + name + "\", expected some of " +
                                           ::samples::join(methodNames(), ", "));
    for (const std::string& name : methodNames())
        if (asked.empty() || std::find(asked.begin(), asked.end(), name) != asked.end())
            options.methods.push_back(name);
    return options;
}

bool isWanted(const Options& options, const std::string& set)
{
    if (options.sets.empty())
        return true;
    for (const std::string& part : options.sets)
        if (set.find(part) != std::string::npos)
            return true;
    return false;
}

Problem fromPhotoSequence(const std::string& path, const ::samples::PhotoSequenceParams& params)
{
    const Mat photo = path.empty() ? ::samples::renderedPhotograph(params.seed) : imread(path);
    const ::samples::PhotoSequence sequence = ::samples::makePhotoSequence(photo, params);
    Problem problem;
    problem.keypoints = sequence.keypoints;
    problem.descriptors = sequence.descriptors;
    problem.labels = sequence.labels;
    for (const Mat& view : sequence.descriptors)
        problem.viewSizes.push_back(view.rows);
    return problem;
}

void addSynthetic(const Options& options, bool positions, std::vector<Task>& tasks)
{
    for (double noise : NOISE_LEVELS)
    {
        Task task;
        task.family = positions ? "synthetic-positions" : "synthetic";
        task.set = task.family + format("/noise-%.2f", noise);
        for (int s = 0; s < options.seeds; ++s)
        {
            SyntheticParams params;
            params.noise = noise;
            params.positions = positions;
            params.seed = options.firstSeed + static_cast<uint64_t>(s);
            task.instances.push_back([params]() { return makeSynthetic(params); });
        }
        tasks.push_back(task);
    }
}

void addPhotoSequences(const Options& options, bool repeated, std::vector<Task>& tasks)
{
    std::vector<std::string> photographs = ::samples::examplePhotographs();
    if (photographs.empty())
    {
        std::cerr << "no photographs here (package opencv-doc): rendered pictures stand in\n";
        photographs.assign(8, std::string());
    }
    if (options.quick && photographs.size() > QUICK_PHOTOGRAPHS)
        photographs.resize(QUICK_PHOTOGRAPHS);
    for (size_t n = 0; n < photographs.size(); ++n)
    {
        ::samples::PhotoSequenceParams params;
        params.seed = options.firstSeed + n;
        if (repeated)
        {
            params.repeatPatch = REPEATED_PATCH;
            params.outlierShare = REPEATED_OUTLIER_SHARE;
        }
        const std::string path = photographs[n];
        const std::string file = ::samples::baseName(path);
        Task task;
        task.family = repeated ? "repeated" : "photos";
        task.set =
            task.family + "/" +
            (path.empty() ? format("rendered-%d", int(n)) : file.substr(0, file.find_last_of('.')));
        task.instances.push_back([path, params]() { return fromPhotoSequence(path, params); });
        tasks.push_back(task);
    }
}

std::vector<Task> listTasks(const Options& options)
{
    std::vector<Task> tasks;
    if (!options.data.empty())
        for (const DataSet& data : findDataSets(options.data))
        {
            Task task;
            task.family = familyOf(data.name);
            task.set = data.name;
            if (data.kind == DATA_FEATURES)
                task.instances.push_back([data]() { return loadFeatures(data); });
            else if (data.kind == DATA_MATCHES)
                task.instances.push_back([data]() { return loadMatches(data); });
            else
                task.photographs = data;
            tasks.push_back(task);
        }
    if (options.generated)
    {
        addSynthetic(options, false, tasks);
        addSynthetic(options, true, tasks);
        addPhotoSequences(options, false, tasks);
        addPhotoSequences(options, true, tasks);
    }
    std::vector<Task> wanted;
    for (const Task& task : tasks)
        if (isWanted(options, task.set))
            wanted.push_back(task);
    return wanted;
}

//! One run of the subcommand.
class AccuracyRun
{
public:
    explicit AccuracyRun(const Options& options)
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
        printTables(results_, rowNames(), std::cout);
        reliability_.print(std::cout);
        std::cerr << format("%d sets in %.0f s\n", int(tasks_.size()), timer.getTimeSec());
        if (!options_.plots.empty())
            writePlots();
        return tasks_.empty() ? 2 : 0;
    }

private:
    // Methods as rows of tables: all there are, and ours on descriptors where the others take given matches.
    std::vector<std::string> rowNames() const { return methodNames(); }

    void progress(const std::string& set, const std::string& method, const std::string& what) const
    {
        std::cerr << format("[%d/%d] %-34s %-14s %s", int(current_ + 1), int(tasks_.size()),
                            set.c_str(), method.c_str(), what.c_str())
                  << std::endl;
    }

    // Runs a method; a failure is told and counts as not having run.
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

    // The confidence is judged on all that the method found, also what it would leave out. Where the universe size is given all points are
    // matched and there is nothing to leave out.
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
        Problem problem =
            loadPhotographs(task.photographs, options_.quick ? QUICK_FEATURES : 0, geometry);
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
            const PairList raw = mutualMatches(problem.descriptors, ratio);
            const std::string name =
                task.set + (ratio < 1 ? format("/ratio%.1f", ratio) : "/no-ratio");
            judgeGivenMatches(task, name + "-raw", raw, problem, geometry);
            judgeGivenMatches(task, name + "-ransac",
                              verifiedMatches(raw, problem.keypoints, geometry.maxError), problem,
                              geometry);
        }
        std::vector<std::string> ours;
        if (isOursWanted())
            ours.push_back(OURS);
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
        const Curve curve = sweepGeometry(outcome.tracks, problem.keypoints, geometry);
        setCurves_[set] = curve;
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

    bool isOursWanted() const
    {
        return std::find(options_.methods.begin(), options_.methods.end(), OURS) !=
               options_.methods.end();
    }

    void writePlot(const std::string& name, const Mat& picture) const
    {
        std::string file = name;
        std::replace(file.begin(), file.end(), '/', '-');
        const std::string path = options_.plots + "/" + file + ".png";
        if (!imwrite(path, picture))
            CV_Error(Error::StsError, "cannot write " + path);
    }

    static PlotSeries seriesOf(const Curve& curve)
    {
        PlotSeries series;
        series.name = OURS;
        for (const CurvePoint& point : curve)
            if (point.matches > 0)
                series.points.push_back(Point2d(point.correct, point.precision()));
        return series;
    }

    void writePlots() const
    {
        utils::fs::createDirectories(options_.plots);
        for (const std::string& family : results_.families())
        {
            const std::vector<std::string> methods = results_.methodsOf(family, methodNames());
            std::vector<std::string> groups;
            std::vector<std::vector<double>> values;
            bool any = false;
            for (const std::string& set : results_.setsOf(family))
            {
                groups.push_back(set.size() > family.size() ? set.substr(family.size() + 1) : set);
                values.push_back(std::vector<double>());
                for (const std::string& method : methods)
                {
                    values.back().push_back(results_.get(set, method, "fscore"));
                    any = any || results_.has(set, method, "fscore");
                }
            }
            if (any)
                writePlot("fscore-" + family,
                          drawBars("fscore, " + family, groups, methods, values));
        }
        for (const auto& entry : setCurves_)
        {
            std::vector<PlotSeries> all(1, seriesOf(entry.second));
            for (const std::string& method : methodNames())
                if (method != OURS && results_.has(entry.first, method, "pair-precision"))
                {
                    PlotSeries peer;
                    peer.name = method;
                    peer.line = false;
                    peer.points.push_back(
                        Point2d(results_.get(entry.first, method, "correct-pairs"),
                                results_.get(entry.first, method, "pair-precision")));
                    all.push_back(peer);
                }
            writePlot("precision-" + entry.first,
                      drawSeries(entry.first + ": precision as the confidence threshold moves",
                                 "correct pairs", "precision", all));
        }
        for (const auto& entry : familyCurves_)
            writePlot("precision-" + entry.first,
                      drawSeries(entry.first + ": precision as the confidence threshold moves",
                                 "correct pairs", "precision",
                                 std::vector<PlotSeries>(1, seriesOf(entry.second))));
        writeReliabilityPlot();
    }

    void writeReliabilityPlot() const
    {
        std::vector<PlotSeries> all;
        for (const auto& family : reliability_.bins())
        {
            PlotSeries series;
            series.name = family.first;
            for (const Reliability::Bin& bin : family.second)
                if (bin.count > 0)
                    series.points.push_back(
                        Point2d(bin.confidence / bin.count, bin.right / bin.count));
            all.push_back(series);
        }
        PlotSeries ideal;
        ideal.name = "ideal";
        ideal.points = {Point2d(0, 0), Point2d(1, 1)};
        all.push_back(ideal);
        writePlot("reliability", drawSeries("share of right memberships by confidence",
                                            "confidence", "share right", all));
    }

    Options options_;
    Results results_;
    std::vector<Task> tasks_;
    size_t current_;
    Reliability reliability_;
    std::map<std::string, Curve> familyCurves_, setCurves_;
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
