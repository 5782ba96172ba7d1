// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_POWER_ITERATION_HPP
#define OPENCV_MULTIMATCH_SRC_POWER_ITERATION_HPP

#include "../base/run_control.hpp"

namespace cv { namespace multimatch {

/** What the iteration works on. Letters as in the paper: W similarity with its diagonal, A
adjacency, d universe points. */
struct IterationProblem
{
    std::vector<int> viewSizes;
    std::vector<int> offsets; //!< first point of each view
    CsrMatrix W;
    Adjacency A;
    int d;

    int pointCount() const { return offsets.back(); }
};

//! How many of the largest entries rows keep; 0: all of them.
struct RowLimits
{
    int B;
    int C;
    int G; //!< in the projection only: f is summed before
    int candidates;

    RowLimits() : B(0), C(0), G(0), candidates(0) {}
    bool exact() const { return B == 0 && C == 0 && G == 0; }
};

struct IterationResult
{
    std::vector<int> labels; //!< the best iterate
    std::vector<double> objective;
    int iterations;
    bool converged;
    int universe; //!< d it ran with
    bool exact;   //!< no row was truncated, it ran until the objective stopped growing

    IterationResult() : iterations(0), converged(false), universe(0), exact(true) {}
    double best() const { return *std::max_element(objective.begin(), objective.end()); }
    MatchReport report() const; //!< without the stages
};

/** One step of the method at given labels: the objective there and the gains V that the next labels
are chosen by. Implementations differ in what they store, not in what they compute. */
class PowerStep
{
public:
    virtual ~PowerStep() {}

    //! Computes B = W U, C = A B, G = U' W C at these labels and returns f = ||G||^2.
    virtual double evaluate(const std::vector<int>& labels) = 0;

    /** Projection of V = W C G at the labels last evaluated: per view an assignment of largest
    total gain. Never worse than the present labels on <V, U>; the present labels where the progress
    callback returns false. */
    virtual std::vector<int> project() = 0;

    /** Called when the objective has stopped growing. A step that uses a relaxation switches it off
    and returns true: the iteration then continues from the best labels. */
    virtual bool endRelaxation() { return false; }
};

//! Rows of B, C and G as sparse lists; candidates of a point are its own label and those of its
//! neighbors in W.
Ptr<PowerStep> createSparseStep(const IterationProblem& problem, const RowLimits& limits,
                                RunControl& control);

//! B, C and V as dense m x d matrices; every label is a candidate of every point. For m x d up to
//! DENSE_STEP_LIMIT.
Ptr<PowerStep> createDenseStep(const IterationProblem& problem);

const double DENSE_STEP_LIMIT = 4e6;

/** B, C and G as dense matrices of the labels in use, in single precision; for the projection the
largest gains of the strongest similarities. Only for problems in which every point has a label. For
m x d up to BLOCK_STEP_LIMIT. */
Ptr<PowerStep> createBlockStep(const IterationProblem& problem, RunControl& control);

const double BLOCK_STEP_LIMIT = 2e7;

/** U <- proj(V) from the given labels until the objective stops growing by more than the share
minGrowth, maxIterations is reached or the progress callback returns false. */
IterationResult iterate(PowerStep& step, const std::vector<int>& start, int maxIterations,
                        double minGrowth, RunControl& control);

}} // namespace cv::multimatch

#endif
