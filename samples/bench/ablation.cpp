// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "ablation.hpp"

#include "accuracy_tasks.hpp"
#include "arguments.hpp"
#include "results.hpp"

#include "opencv2/multimatch/geometry.hpp"

#include <cstdio>
#include <iostream>

namespace bench {

using namespace cv;
using namespace cv::multimatch;

namespace {

//! A run with changed parameters.
struct Variant
{
    std::string name;
    HiPPIParams params;
    bool guided;
};

Variant variant(const std::string& name)
{
    return {name, HiPPIParams(), false};
}

//! The start, the iteration, and the iteration without one witness each.
std::vector<Variant> parts()
{
    std::vector<Variant> variants;
    Variant start = variant("start");
    start.params.maxIterations = 0;
    start.params.minConfidence = 0;
    variants.push_back(start);
    Variant descriptors = variant("descriptors only");
    descriptors.params.evidence.witnesses = 0;
    variants.push_back(descriptors);
    const std::pair<const char*, int> off[] = {{"without place", WITNESS_PLACE},
                                               {"without frame", WITNESS_FRAME},
                                               {"without overlap", WITNESS_OVERLAP}};
    for (const auto& witness : off)
    {
        Variant without = variant(witness.first);
        without.params.evidence.witnesses = WITNESS_ALL & ~witness.second;
        variants.push_back(without);
    }
    Variant nearby = variant("without nearby");
    nearby.params.evidence.likelyCount = 0;
    variants.push_back(nearby);
    Variant place = variant("without place weight");
    place.params.evidence.placeWeight = 0;
    variants.push_back(place);
    Variant confidence = variant("extended");
    confidence.params.minConfidence = 0.01f; // below 0.5: also members that lower the objective
    variants.push_back(confidence);
    variants.push_back(variant("everything"));
    Variant guided = variant("guided");
    guided.guided = true;
    variants.push_back(guided);
    return variants;
}

//! A constant of EvidenceParams, either a float or an int.
struct Constant
{
    const char* name;
    float EvidenceParams::*real;
    int EvidenceParams::*whole;
    bool guidedOnly;
};

//! A run with one constant times factor; a constant that may not be so large or small is left as
//! near as it may be.
Variant movedTo(const Constant& constant, float factor)
{
    const std::string moved = constant.name + std::string(factor < 1 ? " / 2" : " x 2");
    Variant changed = variant((constant.guidedOnly ? "guided, " : "") + moved);
    changed.guided = constant.guidedOnly;
    EvidenceParams& evidence = changed.params.evidence;
    if (constant.whole)
        evidence.*constant.whole = cvRound(float(evidence.*constant.whole) * factor);
    else
        evidence.*constant.real *= factor;
    evidence.context = std::min(evidence.context, 16);
    evidence.clearRatio = std::min(evidence.clearRatio, 1.f);
    evidence.placeWeight = std::min(evidence.placeWeight, 1.f);
    // No track could begin otherwise.
    evidence.trackCost = std::min(evidence.trackCost, HiPPIParams().evidence.maxLogOdds - 0.5f);
    evidence.maxLogOdds = std::max(evidence.maxLogOdds, evidence.trackCost + 0.5f);
    return changed;
}

//! Every constant at half and at twice its default.
std::vector<Variant> moved()
{
    typedef EvidenceParams E;
    const Constant constants[] = {{"maxLogOdds", &E::maxLogOdds, NULL, false},
                                  {"trackCost", &E::trackCost, NULL, false},
                                  {"startSimilarity", &E::startSimilarity, NULL, false},
                                  {"clearRatio", &E::clearRatio, NULL, false},
                                  {"firstShare", &E::firstShare, NULL, false},
                                  {"reach", &E::reach, NULL, false},
                                  {"ownShare", &E::ownShare, NULL, false},
                                  {"around", NULL, &E::around, false},
                                  {"context", NULL, &E::context, false},
                                  {"ridge", &E::ridge, NULL, false},
                                  {"spreadFloor", &E::spreadFloor, NULL, false},
                                  {"wrongRadius", &E::wrongRadius, NULL, false},
                                  {"placeWeight", &E::placeWeight, NULL, false},
                                  {"likelySpreads", &E::likelySpreads, NULL, false},
                                  {"likelyCount", NULL, &E::likelyCount, false},
                                  {"minGrowth", &E::minGrowth, NULL, false},
                                  {"alongStray", &E::alongStray, NULL, true},
                                  {"lineStray", &E::lineStray, NULL, true},
                                  {"lineDecay", &E::lineDecay, NULL, true},
                                  {"roundsBeforeGeometry", NULL, &E::roundsBeforeGeometry, true}};
    std::vector<Variant> variants(1, variant("default"));
    variants.push_back(variant("guided"));
    variants.back().guided = true;
    for (const Constant& constant : constants)
        for (float factor : {0.5f, 2.f})
            variants.push_back(movedTo(constant, factor));
    return variants;
}

Tracks match(const Variant& variant, const Problem& problem)
{
    Ptr<MultiMatcher> matcher;
    if (variant.guided)
    {
        GuidedParams params;
        params.hippi = variant.params;
        if (problem.planar)
            params.verification.model = MODEL_HOMOGRAPHY;
        matcher = GuidedHiPPI::create(params);
    }
    else
        matcher = HiPPI::create(variant.params);
    return problem.keypoints.empty() ? matcher->matchPoints(problem.points, problem.descriptors)
                                     : matcher->match(problem.keypoints, problem.descriptors);
}

void judge(const Task& task, const std::vector<Variant>& variants, Results& results)
{
    Geometry geometry;
    std::vector<Problem> problems;
    if (task.instances.empty())
        problems.push_back(loadPhotographs(task.photographs, 0, geometry));
    for (const std::function<Problem()>& instance : task.instances)
        problems.push_back(instance());
    for (const Variant& variant : variants)
    {
        double fscore = 0, precision = 0;
        bool ran = true;
        for (const Problem& problem : problems)
        {
            // Complete problems and given matches have other parts.
            ran = ran && problem.universeSize == 0 && problem.hasFeatures() &&
                  (!variant.guided || problem.rigid);
            if (!ran)
                break;
            const Tracks tracks = match(variant, problem);
            if (task.instances.empty())
            {
                const GeometryScore score = geometry.score(tracks, problem.keypoints);
                results.add(task.family, task.set, variant.name, "pair-precision",
                            score.precision());
                results.add(task.family, task.set, variant.name, "correct-tracks3",
                            score.correctTracks);
                continue;
            }
            const MatchScore score = scoreTracks(tracks, problem.labels);
            fscore += score.fscore() / double(problems.size());
            precision += score.precision() / double(problems.size());
        }
        if (ran && !task.instances.empty())
        {
            results.add(task.family, task.set, variant.name, "fscore", fscore);
            results.add(task.family, task.set, variant.name, "precision", precision);
        }
        std::cerr << task.set << "  " << variant.name << (ran ? "" : "  skipped") << std::endl;
    }
}

void print(const Results& results, const std::vector<Variant>& variants)
{
    const bool any = !results.families().empty();
    std::printf("%-30s", any ? "mean of the family" : "");
    for (const std::string& family : results.families())
        std::printf("  %20s", family.c_str());
    std::printf("\n");
    for (const Variant& variant : variants)
    {
        std::printf("%-30s", variant.name.c_str());
        for (const std::string& family : results.families())
        {
            const double fscore = results.mean(family, variant.name, "fscore");
            const double pairs = results.mean(family, variant.name, "pair-precision");
            std::string text = "-";
            if (fscore == fscore)
                text = format("%.3f (p %.3f)", fscore,
                              results.mean(family, variant.name, "precision"));
            else if (pairs == pairs)
                text = format("%.3f / %.0f", pairs,
                              results.mean(family, variant.name, "correct-tracks3"));
            std::printf("  %20s", text.c_str());
        }
        std::printf("\n");
    }
}

} // namespace

int runAblation(int argc, const char* const* argv)
{
    ::samples::Arguments arguments(
        "multimatch_bench ablation [--data=DIR] [options]",
        "What each part of the matching of partial data adds: fscore (and precision) where labels "
        "are known, precision of pairs / correct tracks of three views and more where cameras or "
        "homographies judge, in the mean of each family of sets. --sensitivity moves every "
        "constant of EvidenceParams to half and to twice its default instead.");
    arguments.option("data", "DIR", "", "folder with sets; none: generated sets only");
    arguments.flag("generated", true, "run the generated sets too");
    arguments.option("sets", "LIST", "", "only sets whose name contains one of these words");
    arguments.option("first-seed", "N", "1", "of everything generated");
    arguments.flag("quick", false, "two photographs only");
    arguments.flag("sensitivity", false, "move the constants instead of leaving parts out");
    arguments.option("csv", "FILE", "", "all numbers as suite,set,method,metric,value");
    arguments.flag("help", false, "this text");
    arguments.parse(argc, argv);
    if (arguments.getFlag("help"))
    {
        std::cout << arguments.help();
        return 0;
    }
    AccuracyOptions options;
    options.data = arguments.get("data");
    options.sets = arguments.getList("sets");
    options.generated = arguments.getFlag("generated");
    options.quick = arguments.getFlag("quick");
    options.seeds = options.quick ? 1 : options.seeds;
    options.firstSeed = static_cast<uint64_t>(arguments.getInt("first-seed", 1, 1000000000));
    Results results("ablation", arguments.get("csv"));
    const std::vector<Variant> variants = arguments.getFlag("sensitivity") ? moved() : parts();
    const std::vector<Task> tasks = listTasks(options);
    for (const Task& task : tasks)
        judge(task, variants, results);
    print(results, variants);
    return tasks.empty() ? 2 : 0;
}

} // namespace bench
