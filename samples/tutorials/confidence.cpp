// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Usage: tutorial_confidence [PHOTOGRAPH]
// Precision and recall at thresholds of the confidence, on views of a photograph with known
// correspondences.

#include "photo_sequence.hpp"

#include "opencv2/imgcodecs.hpp"
#include "opencv2/multimatch.hpp"

#include <cstdio>

using namespace cv::multimatch;

int main(int argc, char** argv)
{
    const cv::Mat photo = argc > 1 ? cv::imread(argv[1]) : samples::renderedPhotograph(1);
    if (photo.empty())
    {
        std::fprintf(stderr, "tutorial_confidence: cannot read %s\n", argv[1]);
        return 1;
    }
    samples::PhotoSequenceParams sequenceParams;
    sequenceParams.views = 8;
    sequenceParams.minViews = 2;
    const samples::PhotoSequence views = samples::makePhotoSequence(photo, sequenceParams);

    //! [low bar]
    HiPPIParams params;
    params.minConfidence = 0.05f; // keeps nearly all memberships; the threshold is chosen below
    cv::Ptr<HiPPI> matcher = HiPPI::create(params);
    //! [low bar]
    //! [progress]
    int calls = 0;
    matcher->setProgressCallback([&](const Progress& progress) {
        ++calls;
        return progress.fraction <= 1; // false stops the run
    });
    //! [progress]
    const Tracks all = matcher->match(views.keypoints, views.descriptors);

    std::printf("confidence   tracks  points in them  precision  recall\n");
    //! [filter]
    for (float threshold : {0.05f, 0.2f, 0.35f, 0.5f, 0.65f, 0.8f, 0.95f})
    {
        const Tracks kept =
            all.filter(2, threshold); // at least two observations, each of this confidence
        const MatchScore score = scoreTracks(kept, views.labels);
        std::printf("   >= %.2f   %6d  %14d      %.3f   %.3f\n", threshold, kept.size(),
                    kept.statistics().observations, score.precision(), score.recall());
    }
    //! [filter]

    //! [report]
    const MatchReport report = all.report();
    std::printf("\n%d iterations, %s\n", report.iterations,
                report.converged ? "converged" : "stopped");
    for (size_t i = 0; i < report.stages.size(); ++i)
        std::printf("  %s\n", report.stages[i].c_str()); // report.seconds[i] is its time
    //! [report]
    return calls > 0 ? 0 : 1;
}
