// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "accuracy_tasks.hpp"

#include "files.hpp"
#include "photo_sequence.hpp"
#include "synthetic.hpp"

#include "opencv2/imgcodecs.hpp"

#include <iostream>

namespace bench {

using namespace cv;

namespace {

const double NOISE_LEVELS[] = {0.05, 0.10, 0.15};
const int QUICK_PHOTOGRAPHS = 2;
const int QUICK_FEATURES = 1000;
const int REPEATED_PATCH = 100;            // px
const double REPEATED_OUTLIER_SHARE = 0.3; // fraction of the points of a view

bool isWanted(const AccuracyOptions& options, const std::string& set)
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

void addSynthetic(const AccuracyOptions& options, bool positions, std::vector<Task>& tasks)
{
    for (double noise : NOISE_LEVELS)
    {
        Task task;
        task.family = positions ? "synthetic-positions" : "synthetic";
        task.set = task.family + format("/noise-%.2f", noise);
        task.positionsOnly = positions;
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

void addPhotoSequences(const AccuracyOptions& options, bool repeated, std::vector<Task>& tasks)
{
    std::vector<std::string> photographs = ::samples::examplePhotographs();
    if (photographs.empty())
    {
        std::cerr << "no photographs found (package opencv-doc): using rendered pictures\n";
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

} // namespace

std::vector<Task> listTasks(const AccuracyOptions& options)
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

int maxFeatures(const AccuracyOptions& options)
{
    return options.quick ? QUICK_FEATURES : 0;
}

} // namespace bench
