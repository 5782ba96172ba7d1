// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "input.hpp"

#include "../base/checks.hpp"

namespace cv { namespace multimatch {

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

void checkViewCount(size_t views, const char* what)
{
    if (views < 2)
        CV_Error_(Error::StsBadArg, ("%s has %zu views, expected at least 2", what, views));
}

namespace {

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

} // namespace

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
    return checkedDescriptors(given, sizesOf(views), "descriptors");
}

int descriptorType(const std::vector<Mat>& descriptors)
{
    int type = CV_32F;
    for (size_t v = 0; v < descriptors.size(); ++v)
        if (!descriptors[v].empty())
            type = descriptors[v].type();
    return type;
}

int chosenNorm(const std::vector<Mat>& descriptors, int normType)
{
    const int type = descriptorType(descriptors);
    if (normType == 0)
        return type == CV_8U ? NORM_HAMMING : NORM_L2;
    if (normType == NORM_HAMMING && type != CV_8U)
        CV_Error_(Error::StsBadArg, ("normType is NORM_HAMMING but descriptors have the type %s, "
                                     "expected CV_8UC1",
                                     typeToString(type).c_str()));
    return normType;
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
    if (searchMode != SEARCH_EXACT && searchMode != SEARCH_APPROXIMATE && searchMode != SEARCH_AUTO)
        CV_Error_(Error::StsBadArg,
                  ("searchMode is %d, expected SEARCH_EXACT (%d), "
                   "SEARCH_APPROXIMATE (%d) or SEARCH_AUTO (%d)",
                   searchMode, static_cast<int>(SEARCH_EXACT), static_cast<int>(SEARCH_APPROXIMATE),
                   static_cast<int>(SEARCH_AUTO)));
}

}} // namespace cv::multimatch
