// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "match_graph.hpp"

#include "../base/union_find.hpp"

#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Dense>

namespace cv { namespace multimatch {

namespace {

const int MAX_COMPONENT = 4000;         //!< points; the dense eigenvalues take a minute there
const double UNIVERSE_EIGENVALUE = 0.5; //!< of CLEAR: below it an eigenvalue counts as a track

//! Points by connected component of the matches.
std::vector<std::vector<int>> componentsOf(const CsrMatrix& matches)
{
    DisjointSets sets(matches.rows);
    for (int p = 0; p < matches.rows; ++p)
        for (size_t e = matches.offsets[p]; e < matches.offsets[p + 1]; ++e)
            sets.unite(p, matches.columns[e]);
    const std::vector<int> labels = sets.labels();
    std::vector<std::vector<int>> components;
    for (size_t p = 0; p < labels.size(); ++p)
    {
        if (labels[p] >= static_cast<int>(components.size()))
            components.resize(static_cast<size_t>(labels[p]) + 1);
        components[labels[p]].push_back(static_cast<int>(p));
    }
    return components;
}

//! Eigenvalues below UNIVERSE_EIGENVALUE of (D + I)^-1/2 L (D + I)^-1/2 of one component.
int smallEigenvalues(const CsrMatrix& matches, const std::vector<int>& points,
                     const std::vector<int>& placeOf)
{
    const int n = static_cast<int>(points.size());
    Eigen::VectorXd degree = Eigen::VectorXd::Zero(n);
    Eigen::MatrixXd L = Eigen::MatrixXd::Zero(n, n);
    for (int a = 0; a < n; ++a)
        for (size_t e = matches.offsets[points[a]]; e < matches.offsets[points[a] + 1]; ++e)
        {
            L(a, placeOf[matches.columns[e]]) = -matches.values[e];
            degree(a) += matches.values[e];
        }
    L.diagonal() = degree;
    const Eigen::VectorXd scale = (degree.array() + 1).sqrt().inverse().matrix();
    L = scale.asDiagonal() * L * scale.asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(L, Eigen::EigenvaluesOnly);
    return static_cast<int>((solver.eigenvalues().array() < UNIVERSE_EIGENVALUE).count());
}

} // namespace

int estimateUniverseSize(const std::vector<int>& viewSizes, const CsrMatrix& similarity)
{
    inputOfSimilarity(viewSizes, similarity); // throws where they do not fit
    const CsrMatrix matches = positiveEntries(similarity);
    const std::vector<std::vector<int>> components = componentsOf(matches);
    std::vector<int> placeOf(static_cast<size_t>(matches.rows), 0);
    for (const std::vector<int>& points : components)
    {
        if (static_cast<int>(points.size()) > MAX_COMPONENT)
            CV_Error_(Error::StsOutOfRange,
                      ("a connected component of the matches has %zu points, the universe size can "
                       "be estimated from at most %d",
                       points.size(), MAX_COMPONENT));
        for (size_t a = 0; a < points.size(); ++a)
            placeOf[points[a]] = static_cast<int>(a);
    }
    int d = 0;
    for (const std::vector<int>& points : components)
        d += smallEigenvalues(matches, points, placeOf);
    return std::max(d, *std::max_element(viewSizes.begin(), viewSizes.end()));
}

}} // namespace cv::multimatch
