// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_TEST_MULTIMATCH_REFERENCE_HPP
#define OPENCV_TEST_MULTIMATCH_REFERENCE_HPP

#include "test_problems.hpp"

#include "opencv2/multimatch/detail/assignment.hpp"

#include <Eigen/Dense>

namespace opencv_test {

/** The paper's algorithm with dense matrices, for comparison. U is an m x d matrix of zeros and
ones; every line is a line of the paper. */
struct DenseReference
{
    std::vector<int> viewSizes;
    Eigen::MatrixXd W;               //!< m x m
    std::vector<Eigen::MatrixXcd> A; //!< one Hermitian m x m matrix per channel
    bool neighborsOnly; //!< a point may take only its own label and those of its neighbors in W

    std::vector<double> objective;

    DenseReference() : neighborsOnly(false) {}

    static Eigen::MatrixXd indicator(const std::vector<int>& labels, int d)
    {
        Eigen::MatrixXd U = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(labels.size()), d);
        for (size_t p = 0; p < labels.size(); ++p)
            if (labels[p] >= 0)
                U(static_cast<Eigen::Index>(p), labels[p]) = 1;
        return U;
    }

    //! f(U) = sum over channels of || U' W A W U ||^2.
    double value(const Eigen::MatrixXd& U) const
    {
        double f = 0;
        for (size_t c = 0; c < A.size(); ++c)
            f += (U.transpose() * W * A[c] * W * U).squaredNorm();
        return f;
    }

    //! V = sum over channels of Re(Wb U U' Wb U), Wb = W A W.
    Eigen::MatrixXd power(const Eigen::MatrixXd& U) const
    {
        Eigen::MatrixXd V = Eigen::MatrixXd::Zero(U.rows(), U.cols());
        for (size_t c = 0; c < A.size(); ++c)
        {
            const Eigen::MatrixXcd Wb = W * A[c] * W;
            V += (Wb * U * (U.transpose() * Wb * U)).real();
        }
        return V;
    }

    std::vector<int> project(const Eigen::MatrixXd& V, const std::vector<int>& labels) const
    {
        const Eigen::MatrixXd near = W * indicator(labels, static_cast<int>(V.cols()));
        std::vector<int> result(labels.size());
        int first = 0;
        for (size_t v = 0; v < viewSizes.size(); first += viewSizes[v++])
        {
            cv::Mat_<double> gain(viewSizes[v], static_cast<int>(V.cols()));
            double before = 0;
            for (int r = 0; r < gain.rows; ++r)
                for (int c = 0; c < gain.cols; ++c)
                {
                    const bool allowed = !neighborsOnly || near(first + r, c) > 0;
                    gain(r, c) = allowed ? V(first + r, c) : -1e30;
                    if (c == labels[static_cast<size_t>(first) + static_cast<size_t>(r)])
                        before += gain(r, c);
                }
            const std::vector<int> assigned = cv::multimatch::detail::assignDense(gain, false);
            double after = 0;
            for (int r = 0; r < gain.rows; ++r)
                if (assigned[r] >= 0)
                    after += gain(r, assigned[r]);
            for (int r = 0; r < gain.rows; ++r)
                result[static_cast<size_t>(first) + static_cast<size_t>(r)] =
                    after > before ? assigned[r]
                                   : labels[static_cast<size_t>(first) + static_cast<size_t>(r)];
        }
        return result;
    }

    std::vector<int> run(std::vector<int> labels, int d)
    {
        objective.assign(1, value(indicator(labels, d)));
        for (;;)
        {
            const std::vector<int> next = project(power(indicator(labels, d)), labels);
            if (next == labels)
                return labels;
            const double f = value(indicator(next, d));
            const bool grows = f > objective.back();
            objective.push_back(f);
            if (!grows)
                return f >= objective[objective.size() - 2] ? next : labels;
            labels = next;
        }
    }
};

} // namespace opencv_test

#endif
