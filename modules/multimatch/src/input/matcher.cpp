// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "input.hpp"

#include "../base/checks.hpp"

namespace cv { namespace multimatch {

Tracks MultiMatcher::match(const std::vector<std::vector<KeyPoint>>& keypoints,
                           InputArrayOfArrays descriptors)
{
    return run(Input::fromKeyPoints(keypoints, descriptors, *this));
}

Tracks MultiMatcher::matchPoints(InputArrayOfArrays points, InputArrayOfArrays descriptors)
{
    return run(Input::fromPoints(points, descriptors, *this));
}

Tracks MultiMatcher::synchronize(const std::vector<std::vector<KeyPoint>>& keypoints,
                                 const std::vector<PairMatches>& matches, int weights)
{
    MatchingProblem problem;
    problem.keypoints = keypoints;
    problem.viewSizes = sizesOf(keypoints);
    problem.similarity = similarityFromMatches(problem.viewSizes, matches, weights);
    Tracks tracks = runProblem(problem);
    const InputReport found = inspectMatches(keypoints, matches);
    MatchReport report = tracks.report();
    report.duplicateMatches = found.duplicateMatches;
    report.ambiguousMatches = found.ambiguousMatches;
    report.outsidePoints = found.outsidePoints;
    report.coincidentPoints = found.coincidentPoints;
    tracks.setReport(report);
    return tracks;
}

Tracks MultiMatcher::runProblem(const MatchingProblem&)
{
    CV_Error_(Error::StsNotImplemented,
              ("%s works on descriptors, it cannot synchronize matches", getDefaultName().c_str()));
}

}} // namespace cv::multimatch
