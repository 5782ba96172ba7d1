// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Usage: tutorial_own_start [PHOTOGRAPH]
// A user-defined start of the iteration: every point gets the label of its match in the first view.

#include "photo_sequence.hpp"

#include "opencv2/imgcodecs.hpp"
#include "opencv2/multimatch.hpp"
#include "opencv2/opencv_modules.hpp"
#ifdef HAVE_OPENCV_FEATURES2D
#include "opencv2/features2d.hpp"
#else
#include "opencv2/features.hpp" // the name since OpenCV 5
#endif

#include <cstdio>

using namespace cv::multimatch;

namespace {

//! [labels]
// Label p: the p-th point of the first view and its mutual nearest neighbors in the other views.
std::vector<std::vector<int>> labelsOfFirstView(const std::vector<cv::Mat>& descriptors)
{
    std::vector<std::vector<int>> labels(descriptors.size());
    for (size_t i = 0; i < descriptors.size(); ++i)
        labels[i].assign(descriptors[i].rows, -1); // unmatched
    for (int p = 0; p < descriptors[0].rows; ++p)
        labels[0][p] = p;

    cv::BFMatcher matcher(
        cv::NORM_L2,
        true); // true: mutual neighbors only, so that each label is unique in a view
    for (size_t i = 1; i < descriptors.size(); ++i)
    {
        std::vector<cv::DMatch> matches;
        matcher.match(descriptors[0], descriptors[i], matches);
        for (const cv::DMatch& match : matches)
            labels[i][match.trainIdx] = match.queryIdx;
    }
    return labels;
}
//! [labels]

void print(const char* name, const Tracks& tracks, const std::vector<std::vector<int>>& truth)
{
    const MatchScore score = scoreTracks(tracks, truth);
    std::printf("%-28s %4d tracks  precision %.3f  recall %.3f\n", name, tracks.size(),
                score.precision(), score.recall());
}

} // namespace

int main(int argc, char** argv)
{
    const cv::Mat photo = argc > 1 ? cv::imread(argv[1]) : samples::renderedPhotograph(1);
    if (photo.empty())
    {
        std::fprintf(stderr, "tutorial_own_start: cannot read %s\n", argv[1]);
        return 1;
    }
    samples::PhotoSequenceParams sequenceParams;
    sequenceParams.views = 6;
    sequenceParams.minViews = 2;
    const samples::PhotoSequence views = samples::makePhotoSequence(photo, sequenceParams);

    //! [start]
    const std::vector<std::vector<int>> labels = labelsOfFirstView(views.descriptors);

    HiPPIParams params;
    params.start = START_LABELS;
    cv::Ptr<HiPPI> matcher = HiPPI::create(params);
    matcher->setInitialLabels(labels);
    const Tracks tracks = matcher->match(views.keypoints, views.descriptors);
    //! [start]

    print("the labels themselves", Tracks(labels, std::vector<std::vector<float>>(), 2),
          views.labels);
    print("iterated from them", tracks, views.labels);
    print("iterated from the default", HiPPI::create()->match(views.keypoints, views.descriptors),
          views.labels);
    return tracks.empty() ? 1 : 0;
}
