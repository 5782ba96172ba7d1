// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "peer_base.hpp"

#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Dense>

namespace cv { namespace multimatch {

MatchALSParams::MatchALSParams()
    : universeSize(0), ratio(1.f), alpha(50.f), beta(0.1f), mu(64.f), tolerance(5e-4f),
      maxIterations(1000), seed(0)
{
}

void MatchALSParams::write(FileStorage& fs) const
{
    fs << "universeSize" << universeSize << "ratio" << ratio << "alpha" << alpha << "beta" << beta
       << "mu" << mu << "tolerance" << tolerance << "maxIterations" << maxIterations << "seed"
       << seed;
}

void MatchALSParams::read(const FileNode& node)
{
    readIfThere(node, "universeSize", universeSize);
    readIfThere(node, "ratio", ratio);
    readIfThere(node, "alpha", alpha);
    readIfThere(node, "beta", beta);
    readIfThere(node, "mu", mu);
    readIfThere(node, "tolerance", tolerance);
    readIfThere(node, "maxIterations", maxIterations);
    readIfThere(node, "seed", seed);
}

namespace {

using Eigen::MatrixXf;

const int TILE = 64; //!< columns worked on at once; fixed, so that results do not depend on threads

template<class Body>
void forColumnTiles(int m, const Body& body)
{
    parallel_for_(Range(0, (m + TILE - 1) / TILE), [&](const Range& range) {
        for (int t = range.start; t < range.end; ++t)
            body(t, t * TILE, std::min(TILE, m - t * TILE));
    });
}

/** Alternating directions for min -<W, X> + alpha |X|_* + beta |X|_1, X = A B' = Z, Z in [0, 1]
with unit own blocks. Y is the multiplier of X = Z, mu its penalty. */
class LowRankCompletion
{
public:
    LowRankCompletion(const MultiMatcher::Input& input, const CsrMatrix& similarity,
                      const MatchALSParams& params, int rank)
        : params_(params), m_(input.pointCount()), mu_(params.mu), offsets_(input.offsets),
          viewOf_(viewOfPoints(input.viewSizes)), W_(MatrixXf::Identity(m_, m_)), A_(m_, rank)
    {
        for (int p = 0; p < m_; ++p)
            for (size_t e = similarity.offsets[p]; e < similarity.offsets[p + 1]; ++e)
                W_(p, similarity.columns[e]) = similarity.values[e];
        X_ = Z_ = W_;
        Y_ = MatrixXf::Zero(m_, m_);
        target_.resize(m_, m_);
        RNG rng((static_cast<uint64>(static_cast<unsigned>(params.seed)) + 1) *
                0x9E3779B97F4A7C15ULL);
        for (int c = 0; c < rank; ++c)
            for (int r = 0; r < m_; ++r)
                A_(r, c) = rng.uniform(0.f, 1.f);
    }

    //! One round. True once both residuals are below the tolerance.
    bool step()
    {
        forColumnTiles(m_, [&](int, int start, int n) {
            target_.middleCols(start, n) =
                Z_.middleCols(start, n) -
                ((Y_.middleCols(start, n) - W_.middleCols(start, n)).array() + params_.beta)
                        .matrix() /
                    mu_;
        });
        B_ = ridgeSolve(A_, true);
        A_ = ridgeSolve(B_, false);

        const size_t tiles = static_cast<size_t>((m_ + TILE - 1) / TILE);
        std::vector<double> primal(tiles), dual(tiles);
        forColumnTiles(m_, [&](int tile, int start, int n) {
            const MatrixXf X = A_ * B_.middleRows(start, n).transpose();
            dual[tile] = (X - X_.middleCols(start, n)).squaredNorm();
            X_.middleCols(start, n) = X;
            for (int c = start; c < start + n; ++c)
                updateColumn(c);
            primal[tile] = (X - Z_.middleCols(start, n)).squaredNorm();
        });
        const double primalResidual =
            std::sqrt(std::accumulate(primal.begin(), primal.end(), 0.)) / m_;
        const double dualResidual =
            mu_ * std::sqrt(std::accumulate(dual.begin(), dual.end(), 0.)) / m_;
        if (primalResidual < params_.tolerance && dualResidual < params_.tolerance)
            return true;
        if (primalResidual > 10 * dualResidual)
            mu_ *= 2;
        else if (dualResidual > 10 * primalResidual)
            mu_ /= 2;
        return false;
    }

    //! Entries of (X + X') / 2 above one half outside the own blocks, as distances 1 - entry.
    CsrMatrix matches() const
    {
        CsrMatrix result(m_, m_);
        for (int p = 0; p < m_; ++p)
        {
            for (int q = 0; q < m_; ++q)
            {
                const float entry = (X_(p, q) + X_(q, p)) / 2;
                if (entry > 0.5f && viewOf_[p] != viewOf_[q])
                {
                    result.columns.push_back(q);
                    result.values.push_back(std::max(0.f, 1 - entry));
                }
            }
            result.offsets[p + 1] = result.columns.size();
        }
        return result;
    }

private:
    /* The factor that makes factor * (result)' closest to the target (transposed: result * factor')
    with the penalty alpha / mu on its squared norm: (target' factor) (factor' factor + alpha /
    mu)^-1. */
    MatrixXf ridgeSolve(const MatrixXf& factor, bool transposed) const
    {
        MatrixXf product(m_, factor.cols());
        forColumnTiles(m_, [&](int, int start, int n) {
            if (transposed)
                product.middleRows(start, n).noalias() =
                    target_.middleCols(start, n).transpose() * factor;
            else
                product.middleRows(start, n).noalias() = target_.middleRows(start, n) * factor;
        });
        Eigen::MatrixXd gram = (factor.transpose() * factor).cast<double>();
        gram.diagonal().array() += params_.alpha / mu_;
        const MatrixXf inverse =
            gram.llt().solve(Eigen::MatrixXd::Identity(gram.rows(), gram.cols())).cast<float>();
        MatrixXf result(m_, factor.cols());
        forColumnTiles(m_, [&](int, int start, int n) {
            result.middleRows(start, n).noalias() = product.middleRows(start, n) * inverse;
        });
        return result;
    }

    //! Z = X + Y / mu, clipped, own block the identity; Y += mu (X - Z).
    void updateColumn(int c)
    {
        const int own = viewOf_[c], first = offsets_[own], last = offsets_[own + 1];
        for (int r = 0; r < m_; ++r)
        {
            float z = std::min(1.f, std::max(0.f, X_(r, c) + Y_(r, c) / mu_));
            if (r >= first && r < last)
                z = r == c ? 1.f : 0.f;
            Y_(r, c) += mu_ * (X_(r, c) - z);
            Z_(r, c) = z;
        }
    }

    const MatchALSParams params_;
    const int m_;
    float mu_;
    const std::vector<int> offsets_, viewOf_;
    MatrixXf W_, A_, B_, X_, Y_, Z_, target_;
};

} // namespace

static void checkParams(const MatchALSParams& params)
{
    checkUniverseSize("MatchALSParams::universeSize", params.universeSize);
    checkRatio("MatchALSParams::ratio", params.ratio);
    checkRange("MatchALSParams::alpha", params.alpha, 0, true, FLT_MAX, "more than 0");
    checkRange("MatchALSParams::beta", params.beta, 0, false, FLT_MAX, "0 or more");
    checkRange("MatchALSParams::mu", params.mu, 0, true, FLT_MAX, "more than 0");
    checkRange("MatchALSParams::tolerance", params.tolerance, 0, true, FLT_MAX, "more than 0");
    checkRange("MatchALSParams::maxIterations", params.maxIterations, 1, false, INT_MAX,
               "1 or more");
}

class MatchALSImpl CV_FINAL : public DenoisingBase<MatchALS, MatchALSParams>
{
public:
    explicit MatchALSImpl(const MatchALSParams& params) { setParams(params); }

    String getDefaultName() const CV_OVERRIDE { return "multimatch.MatchALS"; }

protected:
    void checkInput(const Input& input) const CV_OVERRIDE
    {
        if (input.pointCount() > MAX_POINTS)
            CV_Error_(Error::StsOutOfRange,
                      ("MatchALS works on dense matrices and takes at most %d points in all views "
                       "together, but there are %d",
                       static_cast<int>(MAX_POINTS), input.pointCount()));
    }

    Found denoise(const Input& input, const CsrMatrix& similarity,
                  RunControl& control) const CV_OVERRIDE
    {
        checkInput(input);
        const int m = input.pointCount();
        Found found;
        found.pairs = allPairs(input.viewCount());
        found.report.universeSize = universeSizeOrDefault(params_.universeSize, input, similarity);
        control.begin("iterations");
        if (m == 0)
        {
            found.matches = CsrMatrix(0, 0);
            found.report.converged = true;
            return found;
        }
        LowRankCompletion completion(input, similarity, params_,
                                     std::min(m, 2 * found.report.universeSize));
        while (
            !found.report.converged && found.report.iterations < params_.maxIterations &&
            control.proceed(static_cast<double>(found.report.iterations) / params_.maxIterations))
        {
            found.report.converged = completion.step();
            ++found.report.iterations;
        }
        found.matches = completion.matches();
        return found;
    }
};

Ptr<MatchALS> MatchALS::create(const MatchALSParams& params)
{
    return makePtr<MatchALSImpl>(params);
}

}} // namespace cv::multimatch
