// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "options.hpp"
#include "outputs.hpp"
#include "program.hpp"
#include "summary.hpp"
#include "terminal.hpp"

#include "opencv2/core/utility.hpp"

#include <cstdio>

using namespace cv::multimatch;
using namespace cv::multimatch::shapes;

namespace {

enum ExitCode
{
    DONE = 0,
    TOO_FEW_MESHES = 2,
    SOME_UNUSABLE = 3,
    STOPPED = 130 // as shells report Ctrl-C
};

//! Reads and checks the meshes; those that cannot be used get a sentence in unusable.
std::vector<NamedMesh> readMeshes(const Options& options, std::vector<std::string>& unusable,
                                  samples::ProgressBar& bar)
{
    std::vector<NamedMesh> meshes;
    meshes.reserve(static_cast<size_t>(options.example) + options.meshes.size());
    for (int pose = 0; pose < options.example; ++pose)
        meshes.push_back(NamedMesh{cv::format("creature%d", pose), exampleShape(pose)});
    for (size_t i = 0; i < options.meshes.size() && !samples::interrupted(); ++i)
    {
        bar.show("read", static_cast<double>(i) / static_cast<double>(options.meshes.size()));
        try
        {
            NamedMesh mesh = {options.meshes[i], readMesh(options.meshes[i])};
            checkMesh(mesh.mesh);
            Mesh oriented = mesh.mesh;
            orientFaces(oriented);
            if (static_cast<int>(mesh.mesh.vertices.size()) < options.params.alignment.lastSize + 2)
                CV_Error_(cv::Error::StsBadArg,
                          ("the mesh has %zu vertices, expected %d or more",
                           mesh.mesh.vertices.size(), options.params.alignment.lastSize + 2));
            meshes.push_back(mesh);
        }
        catch (const cv::Exception& e)
        {
            const bool named = e.err.find(options.meshes[i]) != std::string::npos;
            unusable.push_back(named ? e.err : options.meshes[i] + ": " + e.err);
        }
    }
    return meshes;
}

void listUnusable(const std::vector<std::string>& unusable, size_t all)
{
    if (unusable.empty())
        return;
    std::fprintf(stderr, "%zu of %zu meshes could not be used:\n", unusable.size(), all);
    for (const std::string& line : unusable)
        std::fprintf(stderr, "  %s\n", line.c_str());
}

int stopped()
{
    std::fprintf(stderr, "stopped; nothing was written\n");
    return STOPPED;
}

//! The same vertex is the same point on all creatures.
void printAccuracy(const ShapeTracks& found)
{
    double sum = 0, close = 0, count = 0;
    const int n = static_cast<int>(found.shapes.size());
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (const cv::DMatch& match :
                 i == j ? std::vector<cv::DMatch>() : found.tracks.matches(i, j))
            {
                const float error = found.shapes[j].distances.at<float>(
                    match.trainIdx, found.shapes[i].functions.samples[match.queryIdx]);
                sum += error;
                close += error <= 0.05f;
                ++count;
            }
    std::printf("\n  %-18s %10.4f  of the square root of the area\n"
                "  %-18s %10.1f  %%\n",
                "mean error", sum / std::max(count, 1.), "below 0.05",
                100 * close / std::max(count, 1.));
}

void print(const Options& options, const ShapeTracks& found)
{
    const TrackStatistics statistics = found.tracks.statistics();
    std::printf("  %-18s %10d\n  %-18s %10d\n  %-18s %10d\n  %-18s %10d\n  %-18s %10.2f\n",
                "shapes", statistics.views, "points", statistics.points, "  in tracks",
                statistics.observations, "tracks", statistics.tracks, "mean length",
                statistics.meanLength);
    samples::printLengths({"tracks"}, {statistics});
    if (options.example > 0)
        printAccuracy(found);
    samples::StageTimes times;
    samples::appendStages(times, found.tracks.report());
    samples::printTimes(times);
    const std::vector<std::string> names = outputNames(options);
    for (size_t i = 0; i < names.size(); ++i)
        std::printf("%swrote %s\n", i ? "" : "\n", names[i].c_str());
    std::fflush(stdout);
}

int run(const Options& options)
{
    if (options.threads > 0)
        cv::setNumThreads(options.threads);
    samples::catchInterrupts();
    samples::ProgressBar bar(!options.quiet && samples::standardErrorIsTerminal());
    std::vector<std::string> unusable;
    const std::vector<NamedMesh> meshes = readMeshes(options, unusable, bar);
    bar.clear();
    if (samples::interrupted())
        return stopped();
    if (meshes.size() < 2)
    {
        listUnusable(unusable, options.meshes.size());
        std::fprintf(stderr,
                     "match_shapes: %zu usable mesh%s, expected at least 2; nothing was written\n",
                     meshes.size(), meshes.size() == 1 ? "" : "es");
        return TOO_FEW_MESHES;
    }
    std::vector<Mesh> plain;
    plain.reserve(meshes.size());
    for (const NamedMesh& mesh : meshes)
        plain.push_back(mesh.mesh);
    const ShapeTracks found = matchShapes(plain, options.params, [&](const Progress& progress) {
        bar.show(progress.stage, progress.fraction, progress.secondsLeft);
        return !samples::interrupted();
    });
    bar.clear();
    if (found.tracks.report().cancelled || samples::interrupted())
        return stopped();
    writeOutputs(options, meshes, found);
    if (!options.quiet)
        print(options, found);
    listUnusable(unusable, options.meshes.size());
    return unusable.empty() ? DONE : SOME_UNUSABLE;
}

} // namespace

int main(int argc, char** argv)
{
    return samples::runGuarded("match_shapes", [&]() -> int {
        const Options options = parseOptions(argc, argv);
        if (options.help)
        {
            std::printf("%s", options.helpText.c_str());
            return DONE;
        }
        return run(options);
    });
}
