// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "input.hpp"

namespace cv { namespace multimatch {

MatchingProblem::MatchingProblem() {}

void MatchingProblem::setSimilarity(InputArray data, InputArray indices, InputArray indptr)
{
    similarity = CsrMatrix::fromArrays(static_cast<int>(indptr.total()) - 1, data, indices, indptr);
}

void MatchingProblem::setAdjacency(InputArray data, InputArray indices, InputArray indptr)
{
    adjacency.weights =
        CsrMatrix::fromArrays(static_cast<int>(indptr.total()) - 1, data, indices, indptr);
    adjacency.phases.clear();
}

namespace {

//! The points of a problem, from points or key points.
std::vector<Mat> placesOf(const MatchingProblem& problem)
{
    if (problem.keypoints.empty())
        return checkedPoints(problem.points);
    std::vector<Mat> places;
    for (const std::vector<KeyPoint>& view : problem.keypoints)
    {
        std::vector<Point2f> points;
        KeyPoint::convert(view, points);
        places.push_back(Mat(points, true));
    }
    return checkedPoints(places);
}

} // namespace

MultiMatcher::Input MultiMatcher::Input::fromProblem(const MatchingProblem& problem)
{
    Input input;
    input.viewSizes = input.originalSizes = problem.viewSizes;
    input.points = placesOf(problem);
    for (const std::vector<KeyPoint>& view : problem.keypoints)
        for (const KeyPoint& point : view)
        {
            input.sizes.push_back(point.size);
            input.angles.push_back(point.angle);
        }
    input.offsets = viewOffsets(problem.viewSizes);
    input.originalIndex.resize(input.pointCount());
    std::iota(input.originalIndex.begin(), input.originalIndex.end(), 0);
    return input;
}

namespace {

//! Throws unless S has no entry inside a view and none below 0, and A none between views. view: per
//! point.
void checkEntries(const CsrMatrix& S, const CsrMatrix& A, const std::vector<int>& view)
{
    const int m = S.rows;
    for (int p = 0; p < m; ++p)
    {
        for (size_t e = S.offsets[p]; e < S.offsets[p + 1]; ++e)
        {
            if (view[S.columns[e]] == view[p])
                CV_Error_(Error::StsBadArg, ("similarity has an entry at (%d, %d), both in view %d",
                                             p, S.columns[e], view[p]));
            if (S.values[e] < 0)
                CV_Error_(Error::StsBadArg, ("similarity is %f at (%d, %d), expected 0 or more",
                                             static_cast<double>(S.values[e]), p, S.columns[e]));
        }
        for (size_t e = A.rows ? A.offsets[p] : 0; A.rows && e < A.offsets[p + 1]; ++e)
            if (view[A.columns[e]] != view[p])
                CV_Error_(Error::StsBadArg,
                          ("adjacency has an entry at (%d, %d), in the views %d and %d", p,
                           A.columns[e], view[p], view[A.columns[e]]));
    }
}

} // namespace

void checkProblem(const MatchingProblem& problem)
{
    checkViewCount(problem.viewSizes.size(), "viewSizes");
    for (size_t v = 0; v < problem.viewSizes.size(); ++v)
        if (problem.viewSizes[v] < 0)
            CV_Error_(Error::StsBadArg,
                      ("viewSizes[%zu] is %d, expected 0 or more", v, problem.viewSizes[v]));
    if (!problem.points.empty() && !problem.keypoints.empty())
        CV_Error(Error::StsBadArg, "points and keypoints are both given, expected one of them");
    const std::vector<Mat> points = placesOf(problem);
    if (!points.empty())
    {
        const char* name = problem.points.empty() ? "keypoints" : "points";
        if (points.size() != problem.viewSizes.size())
            CV_Error_(Error::StsUnmatchedSizes, ("%s has %zu views but viewSizes has %zu", name,
                                                 points.size(), problem.viewSizes.size()));
        for (size_t v = 0; v < points.size(); ++v)
            if (points[v].rows != problem.viewSizes[v])
                CV_Error_(Error::StsUnmatchedSizes,
                          ("%s[%zu] has %d rows but viewSizes[%zu] is %d", name, v, points[v].rows,
                           v, problem.viewSizes[v]));
    }
    const std::vector<int> view = viewOfPoints(problem.viewSizes);
    const int m = static_cast<int>(view.size());
    const CsrMatrix &S = problem.similarity, &A = problem.adjacency.weights;
    S.validate("similarity");
    A.validate("adjacency");
    if (S.rows != m || S.cols != m)
        CV_Error_(Error::StsUnmatchedSizes,
                  ("similarity is %d x %d but the views have %d points", S.rows, S.cols, m));
    if (A.rows != A.cols || (A.rows != 0 && A.rows != m))
        CV_Error_(Error::StsUnmatchedSizes,
                  ("adjacency is %d x %d but the views have %d points", A.rows, A.cols, m));
    checkEntries(S, A, view);
    const bool symmetric = S.isSymmetric();
    if (!symmetric || !A.isSymmetric())
        CV_Error_(Error::StsBadArg,
                  ("%s is not symmetric", symmetric ? "adjacency" : "similarity"));
    for (size_t c = 0; c < problem.adjacency.phases.size(); ++c)
        if (static_cast<int>(problem.adjacency.phases[c].size()) != A.rows)
            CV_Error_(Error::StsUnmatchedSizes,
                      ("phase channel %zu has %zu points but adjacency has %d", c,
                       problem.adjacency.phases[c].size(), A.rows));
}

MultiMatcher::Input inputOfSimilarity(const std::vector<int>& viewSizes,
                                      const CsrMatrix& similarity)
{
    MatchingProblem problem;
    problem.viewSizes = viewSizes;
    problem.similarity = similarity;
    checkProblem(problem);

    MultiMatcher::Input input = MultiMatcher::Input::fromProblem(problem);
    input.pairs = allPairs(input.viewCount());
    return input;
}

}} // namespace cv::multimatch
