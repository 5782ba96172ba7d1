// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "input.hpp"

#include <cstring>
#include <map>
#include <set>

namespace cv { namespace multimatch {

std::vector<int> viewOffsets(const std::vector<int>& viewSizes)
{
    std::vector<int> offsets(viewSizes.size() + 1, 0);
    std::partial_sum(viewSizes.begin(), viewSizes.end(), offsets.begin() + 1);
    return offsets;
}

std::vector<int> viewOfPoints(const std::vector<int>& viewSizes)
{
    std::vector<int> view;
    for (size_t v = 0; v < viewSizes.size(); ++v)
        view.insert(view.end(), static_cast<size_t>(viewSizes[v]), static_cast<int>(v));
    return view;
}

Mat orderedPairs(const Mat& given, int window, const std::vector<int>& newView)
{
    const int k = static_cast<int>(newView.size());
    std::vector<std::pair<int, int>> pairs;
    for (int r = 0; r < given.rows; ++r)
    {
        const int i = given.at<int>(r, 0), j = given.at<int>(r, 1);
        if (i >= k || j >= k)
            CV_Error_(Error::StsOutOfRange,
                      ("pairs row %d is (%d, %d), expected view numbers below %d", r, i, j, k));
        pairs.push_back(std::minmax(newView[i], newView[j]));
    }
    if (given.empty())
    {
        const int reach = window > 0 ? window : k;
        for (int i = 0; i < k; ++i)
            for (int j = i + 1; j < k && j - i <= reach; ++j)
                pairs.push_back(std::minmax(newView[i], newView[j]));
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    Mat_<int> result(static_cast<int>(pairs.size()), 2);
    for (size_t r = 0; r < pairs.size(); ++r)
    {
        result(static_cast<int>(r), 0) = pairs[r].first;
        result(static_cast<int>(r), 1) = pairs[r].second;
    }
    return std::move(result);
}

namespace {

//! Features as the caller gave them, in one shape for key points and for plain points.
struct RawViews
{
    std::vector<Mat> points; //!< n x D CV_32F
    std::vector<Mat> frames; //!< n x 2 CV_32F: size and angle; no rows where there are none
    std::vector<Mat> descriptors;

    int rows(size_t v) const { return points[v].rows; }
};

void checkFinite(const Mat& values, const char* what, size_t view)
{
    for (int r = 0; r < values.rows; ++r)
    {
        const float* row = values.ptr<float>(r);
        for (int c = 0; c < values.cols; ++c)
            if (!std::isfinite(row[c]))
                CV_Error_(Error::StsBadArg,
                          ("%s[%zu] has the value %f in row %d, column %d, expected finite values",
                           what, view, static_cast<double>(row[c]), r, c));
    }
}

//! Squared distances of larger descriptors would not be finite.
void checkMagnitude(const Mat& descriptors, size_t view)
{
    const double limit = std::sqrt(0.25 * static_cast<double>(std::numeric_limits<float>::max()) /
                                   std::max(1, descriptors.cols));
    for (int r = 0; r < descriptors.rows; ++r)
        for (int c = 0; c < descriptors.cols; ++c)
        {
            const double value = static_cast<double>(descriptors.at<float>(r, c));
            if (std::abs(value) > limit)
                CV_Error_(Error::StsOutOfRange,
                          ("descriptors[%zu] has the value %g in row %d, column %d, expected at "
                           "most %g: scale the descriptors of all views alike",
                           view, value, r, c, limit));
        }
}

void checkViewCount(size_t views, const char* what)
{
    if (views < 2)
        CV_Error_(Error::StsBadArg, ("%s has %zu views, expected at least 2", what, views));
}

//! Lexicographic comparison of the content of two points: coordinates, frame, descriptor.
int comparePoints(const RawViews& a, size_t va, int pa, const RawViews& b, size_t vb, int pb)
{
    const Mat* left[3] = {&a.points[va], &a.frames[va], &a.descriptors[va]};
    const Mat* right[3] = {&b.points[vb], &b.frames[vb], &b.descriptors[vb]};
    for (int part = 0; part < 3; ++part)
    {
        if (left[part]->empty())
            continue;
        const int order =
            std::memcmp(left[part]->ptr(pa), right[part]->ptr(pb),
                        static_cast<size_t>(left[part]->cols) * left[part]->elemSize());
        if (order != 0)
            return order;
    }
    return 0;
}

std::vector<int> canonicalPointOrder(const RawViews& raw, size_t v)
{
    std::vector<int> order(static_cast<size_t>(raw.rows(v)));
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return comparePoints(raw, v, a, raw, v, b) < 0; });
    return order;
}

std::vector<size_t> canonicalViewOrder(const RawViews& raw,
                                       const std::vector<std::vector<int>>& pointOrder)
{
    std::vector<size_t> order(raw.points.size());
    std::iota(order.begin(), order.end(), size_t(0));
    // Views are told apart by their content; equal views keep the caller's order.
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
        if (raw.rows(a) != raw.rows(b))
            return raw.rows(a) < raw.rows(b);
        for (size_t p = 0; p < pointOrder[a].size(); ++p)
        {
            const int c = comparePoints(raw, a, pointOrder[a][p], raw, b, pointOrder[b][p]);
            if (c != 0)
                return c < 0;
        }
        return false;
    });
    return order;
}

Mat gatherRows(const Mat& from, const std::vector<int>& order)
{
    Mat to(static_cast<int>(order.size()), from.cols, from.type());
    const size_t bytes = static_cast<size_t>(from.cols) * from.elemSize();
    for (size_t p = 0; p < order.size(); ++p)
        std::memcpy(to.ptr(static_cast<int>(p)), from.ptr(order[p]), bytes);
    return to;
}

MultiMatcher::Input canonicalInput(const RawViews& raw, const Mat& pairs, int window, int normType)
{
    const size_t views = raw.points.size();
    std::vector<std::vector<int>> pointOrder(views);
    parallel_for_(Range(0, static_cast<int>(views)), [&](const Range& range) {
        for (int v = range.start; v < range.end; ++v)
            pointOrder[v] = canonicalPointOrder(raw, static_cast<size_t>(v));
    });
    const std::vector<size_t> viewOrder = canonicalViewOrder(raw, pointOrder);

    MultiMatcher::Input input;
    for (size_t v = 0; v < views; ++v)
        input.originalSizes.push_back(raw.rows(v));
    const std::vector<int> originalOffsets = viewOffsets(input.originalSizes);
    for (size_t c = 0; c < views; ++c)
    {
        const size_t v = viewOrder[c];
        const std::vector<int>& order = pointOrder[v];
        input.viewSizes.push_back(raw.rows(v));
        input.points.push_back(gatherRows(raw.points[v], order));
        input.descriptors.push_back(gatherRows(raw.descriptors[v], order));
        for (size_t p = 0; p < order.size(); ++p)
        {
            input.originalIndex.push_back(originalOffsets[v] + order[p]);
            if (raw.frames[v].empty())
                continue;
            input.sizes.push_back(raw.frames[v].at<float>(order[p], 0));
            input.angles.push_back(raw.frames[v].at<float>(order[p], 1));
        }
    }
    input.offsets = viewOffsets(input.viewSizes);
    std::vector<int> canonicalView(views);
    for (size_t c = 0; c < views; ++c)
        canonicalView[viewOrder[c]] = static_cast<int>(c);
    input.pairs = orderedPairs(pairs, window, canonicalView);
    input.normType = chosenNorm(raw.descriptors, normType);
    return input;
}

} // namespace

MultiMatcher::Input
MultiMatcher::Input::fromKeyPoints(const std::vector<std::vector<KeyPoint>>& keypoints,
                                   InputArrayOfArrays descriptors, const Mat& pairs, int window,
                                   int normType)
{
    checkViewCount(keypoints.size(), "keypoints");
    RawViews raw;
    std::vector<int> sizes;
    for (size_t v = 0; v < keypoints.size(); ++v)
    {
        const int n = static_cast<int>(keypoints[v].size());
        Mat_<float> points(n, 2), frames(n, 2);
        for (int p = 0; p < n; ++p)
        {
            const KeyPoint& key = keypoints[v][static_cast<size_t>(p)];
            // Adding zero turns -0 into 0, which would sort differently.
            points(p, 0) = key.pt.x + 0.f;
            points(p, 1) = key.pt.y + 0.f;
            frames(p, 0) = key.size + 0.f;
            frames(p, 1) = key.angle + 0.f;
        }
        checkFinite(points, "keypoints", v);
        checkFinite(frames, "size and angle of keypoints", v);
        sizes.push_back(n);
        raw.points.push_back(points);
        raw.frames.push_back(frames);
    }
    raw.descriptors = checkedDescriptors(descriptors, sizes, "keypoints");
    return canonicalInput(raw, pairs, window, normType);
}

MultiMatcher::Input MultiMatcher::Input::fromPoints(InputArrayOfArrays given,
                                                    InputArrayOfArrays descriptors,
                                                    const Mat& pairs, int window, int normType)
{
    RawViews raw;
    raw.points = checkedPoints(given);
    checkViewCount(raw.points.size(), "points");
    std::vector<int> sizes;
    for (size_t v = 0; v < raw.points.size(); ++v)
        sizes.push_back(raw.points[v].rows);
    raw.frames.resize(raw.points.size());
    raw.descriptors = checkedDescriptors(descriptors, sizes, "points");
    return canonicalInput(raw, pairs, window, normType);
}

std::vector<Mat> checkedDescriptors(InputArrayOfArrays given, const std::vector<int>& sizes,
                                    const char* pointsName)
{
    std::vector<Mat> descriptors;
    given.getMatVector(descriptors);
    if (descriptors.size() != sizes.size())
        CV_Error_(Error::StsUnmatchedSizes, ("descriptors has %zu views but %s has %zu",
                                             descriptors.size(), pointsName, sizes.size()));
    int type = -1, width = 0;
    size_t model = 0;
    for (size_t v = 0; v < descriptors.size(); ++v)
    {
        const Mat& d = descriptors[v];
        if (d.rows != sizes[v] && !(d.empty() && sizes[v] == 0))
            CV_Error_(Error::StsUnmatchedSizes, ("descriptors[%zu] has %d rows but %s[%zu] has %d",
                                                 v, d.rows, pointsName, v, sizes[v]));
        if (d.empty() && sizes[v] == 0)
            continue;
        if (d.dims > 2 || (d.type() != CV_32FC1 && d.type() != CV_8UC1))
            CV_Error_(Error::StsUnsupportedFormat,
                      ("descriptors[%zu] has the type %s, expected CV_32FC1 or CV_8UC1", v,
                       typeToString(d.type()).c_str()));
        if (d.cols == 0)
            CV_Error_(Error::StsBadArg, ("descriptors[%zu] has 0 columns, expected at least 1", v));
        if (type < 0)
        {
            type = d.type();
            width = d.cols;
            model = v;
        }
        if (d.type() != type)
            CV_Error_(Error::StsUnmatchedFormats,
                      ("descriptors[%zu] has the type %s but descriptors[%zu] has %s", v,
                       typeToString(d.type()).c_str(), model, typeToString(type).c_str()));
        if (d.cols != width)
            CV_Error_(Error::StsUnmatchedSizes,
                      ("descriptors[%zu] has %d columns but descriptors[%zu] has %d", v, d.cols,
                       model, width));
        if (type == CV_32FC1)
        {
            checkFinite(d, "descriptors", v);
            checkMagnitude(d, v);
        }
    }
    return descriptors;
}

std::vector<Mat> checkedDescriptors(InputArrayOfArrays given)
{
    std::vector<Mat> views;
    given.getMatVector(views);
    std::vector<int> sizes;
    for (size_t v = 0; v < views.size(); ++v)
        sizes.push_back(views[v].rows);
    return checkedDescriptors(given, sizes, "descriptors");
}

int chosenNorm(const std::vector<Mat>& descriptors, int normType)
{
    int type = CV_32F;
    for (size_t v = 0; v < descriptors.size(); ++v)
        if (!descriptors[v].empty())
            type = descriptors[v].type();
    if (normType == 0)
        return type == CV_8U ? NORM_HAMMING : NORM_L2;
    if (normType == NORM_HAMMING && type != CV_8U)
        CV_Error_(Error::StsBadArg, ("normType is NORM_HAMMING but descriptors have the type %s, "
                                     "expected CV_8UC1",
                                     typeToString(type).c_str()));
    return normType;
}

MultiMatcher::Input MultiMatcher::Input::fromDescriptors(InputArrayOfArrays given, const Mat& pairs,
                                                         int normType)
{
    Input input;
    input.descriptors = checkedDescriptors(given);
    for (size_t v = 0; v < input.descriptors.size(); ++v)
        input.viewSizes.push_back(input.descriptors[v].rows);
    input.normType = chosenNorm(input.descriptors, normType);
    input.offsets = viewOffsets(input.viewSizes);
    std::vector<int> sameOrder(input.descriptors.size());
    std::iota(sameOrder.begin(), sameOrder.end(), 0);
    input.pairs = orderedPairs(pairs, 0, sameOrder);
    return input;
}

std::vector<Mat> checkedPoints(InputArrayOfArrays given)
{
    std::vector<Mat> views, points;
    given.getMatVector(views);
    int dimension = 0;
    for (size_t v = 0; v < views.size(); ++v)
    {
        Mat m = views[v];
        if (!m.empty() && m.channels() > 1 && m.dims == 2 && (m.cols == 1 || m.rows == 1))
            m = m.reshape(1, static_cast<int>(m.total()));
        if (m.empty())
        {
            points.push_back(Mat(0, dimension ? dimension : 2, CV_32F));
            continue;
        }
        if (m.dims > 2 || m.channels() != 1 || (m.depth() != CV_32F && m.depth() != CV_64F) ||
            (m.cols != 2 && m.cols != 3))
            CV_Error_(
                Error::StsBadArg,
                ("points[%zu] is %d x %d of type %s, expected n x 2 or n x 3 of CV_32F or CV_64F",
                 v, views[v].rows, views[v].cols, typeToString(views[v].type()).c_str()));
        if (dimension == 0)
            dimension = m.cols;
        if (m.cols != dimension)
            CV_Error_(Error::StsUnmatchedSizes,
                      ("points[%zu] has %d coordinates, expected %d as in the views before", v,
                       m.cols, dimension));
        Mat converted;
        m.convertTo(converted, CV_32F);
        converted += Scalar::all(0); // -0 becomes 0, which would sort differently
        checkFinite(converted, "points", v);
        points.push_back(converted);
    }
    return points;
}

namespace {

//! The points of a problem, however they were given.
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
    input.originalIndex.resize(static_cast<size_t>(input.pointCount()));
    std::iota(input.originalIndex.begin(), input.originalIndex.end(), 0);
    return input;
}

Tracks MultiMatcher::Input::restore(const std::vector<int>& labels,
                                    const std::vector<float>& confidence, int minLength) const
{
    const std::vector<int> view = viewOfPoints(originalSizes), first = viewOffsets(originalSizes);
    std::vector<std::vector<int>> ids(originalSizes.size());
    std::vector<std::vector<float>> sure(confidence.empty() ? 0 : originalSizes.size());
    for (size_t v = 0; v < originalSizes.size(); ++v)
    {
        ids[v].resize(static_cast<size_t>(originalSizes[v]));
        if (!sure.empty())
            sure[v].resize(static_cast<size_t>(originalSizes[v]));
    }
    for (size_t p = 0; p < labels.size(); ++p)
    {
        const int original = originalIndex[p], v = view[original];
        ids[v][original - first[v]] = labels[p];
        if (!sure.empty())
            sure[v][original - first[v]] = confidence[p];
    }
    return Tracks(ids, sure, minLength);
}

std::vector<int>
MultiMatcher::Input::canonicalLabels(const std::vector<std::vector<int>>& labels) const
{
    if (labels.size() != originalSizes.size())
        CV_Error_(Error::StsUnmatchedSizes, ("initial labels have %zu views, expected %zu",
                                             labels.size(), originalSizes.size()));
    std::vector<int> flat;
    for (size_t v = 0; v < labels.size(); ++v)
    {
        if (static_cast<int>(labels[v].size()) != originalSizes[v])
            CV_Error_(Error::StsUnmatchedSizes,
                      ("initial labels of view %zu have %zu points, expected %d", v,
                       labels[v].size(), originalSizes[v]));
        std::set<int> seen;
        for (size_t p = 0; p < labels[v].size(); ++p)
            if (labels[v][p] >= 0 && !seen.insert(labels[v][p]).second)
                CV_Error_(
                    Error::StsBadArg,
                    ("initial labels of view %zu hold %d twice, expected each label once in a view",
                     v, labels[v][p]));
        flat.insert(flat.end(), labels[v].begin(), labels[v].end());
    }
    std::vector<int> result(flat.size());
    std::map<int, int> number; // any label is legal, so they are counted anew
    for (size_t p = 0; p < flat.size(); ++p)
    {
        const int label = flat[originalIndex[p]];
        result[p] = label < 0
                        ? -1
                        : number.insert(std::make_pair(label, static_cast<int>(number.size())))
                              .first->second;
    }
    return result;
}

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

}} // namespace cv::multimatch
