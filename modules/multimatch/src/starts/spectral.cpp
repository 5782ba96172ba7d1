// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "starts.hpp"

#include "../input/input.hpp"

#include "opencv2/multimatch/detail/assignment.hpp"

#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Dense>

namespace cv { namespace multimatch {

namespace {

typedef Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> RowMatrixXd;
typedef Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> RowMatrixXf;

void checkRows(const Mat& eigenvectors, const std::vector<int>& viewSizes)
{
    const int m = viewOffsets(viewSizes).back();
    if (eigenvectors.type() != CV_64FC1 || eigenvectors.rows != m || !eigenvectors.isContinuous())
        CV_Error_(Error::StsBadArg,
                  ("eigenvectors are %d x %d of type %s, expected %d continuous rows of CV_64FC1",
                   eigenvectors.rows, eigenvectors.cols, typeToString(eigenvectors.type()).c_str(),
                   m));
}

//! Rows shorter than this belong to points outside all eigenvectors; their direction is rounding
//! error.
const double SHORTEST_ROW = 1e-4;

//! Rows scaled to length 1, or 0 where they have no direction.
RowMatrixXf unitRows(const Mat& eigenvectors)
{
    RowMatrixXf rows(eigenvectors.rows, eigenvectors.cols);
    for (int r = 0; r < eigenvectors.rows; ++r)
    {
        const Eigen::Map<const Eigen::RowVectorXd> row(eigenvectors.ptr<double>(r),
                                                       eigenvectors.cols);
        const double length = row.norm();
        rows.row(r) = (row * (length > SHORTEST_ROW ? 1 / length : 0.)).cast<float>();
    }
    return rows;
}

} // namespace

std::vector<int> spectralLabelsComplete(const Mat& eigenvectors, const std::vector<int>& viewSizes,
                                        int referenceView)
{
    checkRows(eigenvectors, viewSizes);
    const int views = static_cast<int>(viewSizes.size()), d = eigenvectors.cols;
    if (referenceView < 0 || referenceView >= views || viewSizes[referenceView] != d)
        CV_Error_(
            Error::StsBadArg,
            ("the reference view is %d of %d views with %d points, expected one with %d points",
             referenceView, views,
             referenceView < 0 || referenceView >= views ? 0 : viewSizes[referenceView], d));
    const std::vector<int> offsets = viewOffsets(viewSizes);
    const Eigen::Map<const RowMatrixXd> rows(eigenvectors.ptr<double>(), eigenvectors.rows, d);
    std::vector<int> labels(static_cast<size_t>(offsets.back()));
    parallel_for_(Range(0, views), [&](const Range& range) {
        for (int v = range.start; v < range.end; ++v)
        {
            if (viewSizes[v] == 0)
                continue;
            Mat values(viewSizes[v], d, CV_64F);
            Eigen::Map<RowMatrixXd>(values.ptr<double>(), viewSizes[v], d).noalias() =
                rows.middleRows(offsets[v], viewSizes[v]) *
                rows.middleRows(offsets[referenceView], d).transpose();
            const std::vector<int> columns = detail::assignDense(values, false);
            std::copy(columns.begin(), columns.end(), labels.begin() + offsets[v]);
        }
    });
    return labels;
}

std::vector<int> spectralLabelsPartial(const Mat& eigenvectors, const std::vector<int>& viewSizes,
                                       double threshold)
{
    checkRows(eigenvectors, viewSizes);
    const RowMatrixXf rows = unitRows(eigenvectors);
    const std::vector<int> offsets = viewOffsets(viewSizes);
    const int views = static_cast<int>(viewSizes.size());

    std::vector<int> labels(static_cast<size_t>(offsets.back()), -1);
    int count = 0;
    for (int i = 0; i < views; ++i)
    {
        // All points of a view that are free when their turn comes open a universe point. They
        // compete only inside later views, so later views are processed independently.
        std::vector<int> opening;
        for (int p = offsets[i]; p < offsets[i + 1]; ++p)
            if (labels[p] < 0)
            {
                opening.push_back(p);
                labels[p] = count++;
            }
        RowMatrixXf openRows(static_cast<int>(opening.size()), rows.cols());
        for (size_t o = 0; o < opening.size(); ++o)
            openRows.row(static_cast<int>(o)) = rows.row(opening[o]);

        parallel_for_(Range(i + 1, views), [&](const Range& range) {
            for (int j = range.start; j < range.end; ++j)
            {
                const RowMatrixXf cosines =
                    openRows * rows.middleRows(offsets[j], viewSizes[j]).transpose();
                for (size_t o = 0; o < opening.size(); ++o)
                {
                    int best = -1;
                    double highest = threshold;
                    for (int q = 0; q < viewSizes[j]; ++q)
                    {
                        const double cosine = cosines(static_cast<int>(o), q);
                        if (cosine > highest && labels[offsets[j] + q] < 0)
                        {
                            highest = cosine;
                            best = offsets[j] + q;
                        }
                    }
                    if (best >= 0)
                        labels[best] = labels[opening[o]];
                }
            }
        });
    }
    return labels;
}

}} // namespace cv::multimatch
