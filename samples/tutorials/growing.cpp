// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Usage: tutorial_growing STATE [PHOTOGRAPH]
// A collection that grows: views of a photograph are added to tracks that are there, and the tracks
// of two parts are merged.

#include "photo_sequence.hpp"

#include "opencv2/imgcodecs.hpp"
#include "opencv2/multimatch.hpp"
#include "opencv2/multimatch/merge.hpp"
#include "opencv2/multimatch/track_builder.hpp"

#include <cstdio>

using namespace cv::multimatch;

typedef std::vector<std::vector<cv::KeyPoint>> KeyPoints;

int main(int argc, char** argv)
{
    const cv::Mat photo = argc > 2 ? cv::imread(argv[2]) : samples::renderedPhotograph(1);
    if (argc < 2 || photo.empty())
    {
        std::fprintf(stderr, "tutorial_growing: %s\n",
                     argc < 2 ? "give the name of a file for the state"
                              : "cannot read the picture");
        return 1;
    }
    samples::PhotoSequenceParams sequenceParams;
    sequenceParams.views = 8;
    const samples::PhotoSequence views = samples::makePhotoSequence(photo, sequenceParams);
    const int first = 5; // views that are there from the beginning
    const KeyPoints keypoints(views.keypoints.begin(), views.keypoints.begin() + first);
    const std::vector<cv::Mat> descriptors(views.descriptors.begin(),
                                           views.descriptors.begin() + first);

    //! [begin]
    cv::Ptr<TrackBuilder> builder = TrackBuilder::create();
    builder->add(keypoints, descriptors); // the same tracks as HiPPI::match gives
    //! [begin]
    std::printf("%d views: %d tracks\n", first, builder->tracks().size());

    const std::vector<cv::KeyPoint>& newKeypoints = views.keypoints[first];
    const cv::Mat& newDescriptors = views.descriptors[first];
    //! [one more]
    int view = builder->add({newKeypoints}, std::vector<cv::Mat>(1, newDescriptors));
    std::vector<int> ids = builder->ids(view); // of its key points; those of the other views stay
    TrackChanges changes = builder->changes();
    //! [one more]
    std::printf("view %d: %d new tracks, %d tracks extended, %d joined with an older one\n", view,
                static_cast<int>(changes.created.size()), static_cast<int>(changes.extended.size()),
                static_cast<int>(changes.joined.size()));

    const std::string file = argv[1];
    //! [state]
    builder->save(file); // key points, descriptors, tracks and ids
    builder = TrackBuilder::load(file);
    //! [state]
    //! [pairs]
    // Each row is a pair of views. The new view has the number viewCount().
    cv::Mat pairs = (cv::Mat_<int>(2, 2) << view - 1, view + 1, view, view + 1);
    builder->add({views.keypoints[first + 1]},
                 std::vector<cv::Mat>(1, views.descriptors[first + 1]), pairs);
    //! [pairs]
    //! [remove]
    builder->remove(0);
    //! [remove]
    std::printf("%d views, of which one is removed: %d tracks\n", builder->viewCount(),
                builder->tracks().size());

    const auto match = [&](int from, int to) {
        return HiPPI::create()->match(
            KeyPoints(views.keypoints.begin() + from, views.keypoints.begin() + to),
            std::vector<cv::Mat>(views.descriptors.begin() + from, views.descriptors.begin() + to));
    };
    std::vector<int> pointCounts;
    for (const std::vector<cv::KeyPoint>& points : views.keypoints)
        pointCounts.push_back(static_cast<int>(points.size()));
    //! [merge]
    Tracks left = match(0, 5), right = match(3, 8);
    Tracks all = mergeTracks({left, right}, {{0, 1, 2, 3, 4}, {3, 4, 5, 6, 7}}, pointCounts);
    //! [merge]
    const MatchScore score = scoreTracks(all, views.labels);
    std::printf("two parts: %d and %d tracks, merged: %d tracks, precision %.3f\n", left.size(),
                right.size(), all.size(), score.precision());
    return 0;
}
