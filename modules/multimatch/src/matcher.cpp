// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "matcher_base.hpp"

namespace cv { namespace multimatch {

void checkPairs(const Mat& pairs)
{
    if (pairs.empty())
        return;
    if (pairs.type() != CV_32SC1 || pairs.cols != 2)
        CV_Error_(Error::StsBadArg, ("pairs is %d x %d of type %s, expected N x 2 of CV_32SC1",
                                     pairs.rows, pairs.cols, typeToString(pairs.type()).c_str()));
    for (int r = 0; r < pairs.rows; ++r)
    {
        const int i = pairs.at<int>(r, 0), j = pairs.at<int>(r, 1);
        if (i < 0 || j < 0 || i == j)
            CV_Error_(Error::StsBadArg,
                      ("pairs row %d is (%d, %d), expected two different view numbers", r, i, j));
    }
}

void checkNormType(int normType)
{
    if (normType != 0 && normType != NORM_L2 && normType != NORM_HAMMING)
        CV_Error_(Error::StsBadArg,
                  ("normType is %d, expected 0, NORM_L2 (%d) or NORM_HAMMING (%d)", normType,
                   static_cast<int>(NORM_L2), static_cast<int>(NORM_HAMMING)));
}

void checkSearchMode(int searchMode)
{
    if (searchMode != SEARCH_EXACT && searchMode != SEARCH_APPROXIMATE)
        CV_Error_(Error::StsBadArg, ("searchMode is %d, expected SEARCH_EXACT (%d) or "
                                     "SEARCH_APPROXIMATE (%d)",
                                     searchMode, static_cast<int>(SEARCH_EXACT),
                                     static_cast<int>(SEARCH_APPROXIMATE)));
}

Tracks MultiMatcher::match(const std::vector<std::vector<KeyPoint>>& keypoints,
                           InputArrayOfArrays descriptors)
{
    Input input =
        Input::fromKeyPoints(keypoints, descriptors, getPairs(), getWindow(), getNormType());
    input.searchMode = getSearchMode();
    input.memoryBudget = getMemoryBudget();
    return run(input);
}

Tracks MultiMatcher::matchPoints(InputArrayOfArrays points, InputArrayOfArrays descriptors)
{
    Input input = Input::fromPoints(points, descriptors, getPairs(), getWindow(), getNormType());
    input.searchMode = getSearchMode();
    input.memoryBudget = getMemoryBudget();
    return run(input);
}

Tracks MultiMatcher::synchronize(const std::vector<std::vector<KeyPoint>>& keypoints,
                                 const std::vector<PairMatches>& matches, int weights)
{
    MatchingProblem problem;
    problem.keypoints = keypoints;
    for (size_t v = 0; v < keypoints.size(); ++v)
        problem.viewSizes.push_back(static_cast<int>(keypoints[v].size()));
    problem.similarity = similarityFromMatches(problem.viewSizes, matches, weights);
    return runProblem(problem);
}

Tracks MultiMatcher::runProblem(const MatchingProblem&)
{
    CV_Error_(Error::StsNotImplemented,
              ("%s works on descriptors, it cannot synchronize matches", getDefaultName().c_str()));
}

}} // namespace cv::multimatch
