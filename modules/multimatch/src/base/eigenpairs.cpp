// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "eigenpairs.hpp"

#include "run_control.hpp"

// Threads come from parallel_for_; the partition of the work must not depend on them.
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Dense>

namespace cv { namespace multimatch {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
typedef Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> RowMatrixXd;

const int DENSE_LIMIT = 1500;  //!< a dense solver takes a second here
const int FEW_SHARE = 4;       //!< where m is so many times the Lanczos basis, that is faster
const int MAX_CYCLES = 4;      //!< pairs that are not accurate by then are not separated by a gap
const double TOLERANCE = 1e-4; //!< residual norm as a share of the largest |eigenvalue|
const int TILE_ROWS = 512, TILE_COLS = 32;

//! Calls body(start, end) for fixed tiles of [0, n), in parallel.
template<class Body>
void forTiles(int n, int tile, const Body& body)
{
    parallel_for_(Range(0, (n + tile - 1) / tile), [&](const Range& range) {
        for (int t = range.start; t < range.end; ++t)
            body(t * tile, std::min(n, (t + 1) * tile));
    });
}

//! (I + S) X
MatrixXd multiply(const CsrMatrix& S, const Eigen::Ref<const MatrixXd>& X)
{
    const RowMatrixXd rows = X;
    RowMatrixXd product(X.rows(), X.cols());
    forTiles(S.rows, 64, [&](int start, int end) {
        for (int p = start; p < end; ++p)
        {
            product.row(p) = rows.row(p);
            for (size_t e = S.offsets[p]; e < S.offsets[p + 1]; ++e)
                product.row(p) += static_cast<double>(S.values[e]) * rows.row(S.columns[e]);
        }
    });
    return product;
}

//! A' B
MatrixXd innerProducts(const Eigen::Ref<const MatrixXd>& A, const Eigen::Ref<const MatrixXd>& B)
{
    MatrixXd C(A.cols(), B.cols());
    forTiles(static_cast<int>(A.cols()), TILE_COLS, [&](int start, int end) {
        C.middleRows(start, end - start).noalias() =
            A.middleCols(start, end - start).transpose() * B;
    });
    return C;
}

//! B -= A C
void subtractProduct(const Eigen::Ref<const MatrixXd>& A, const MatrixXd& C, Eigen::Ref<MatrixXd> B)
{
    forTiles(static_cast<int>(A.rows()), TILE_ROWS, [&](int start, int end) {
        B.middleRows(start, end - start).noalias() -= A.middleRows(start, end - start) * C;
    });
}

//! The first columns of A become A C.
void rotateColumns(Eigen::Ref<MatrixXd> A, const MatrixXd& C)
{
    forTiles(static_cast<int>(A.rows()), TILE_ROWS, [&](int start, int end) {
        const MatrixXd rotated = A.middleRows(start, end - start) * C;
        A.block(start, 0, end - start, C.cols()) = rotated;
    });
}

//! Positions of the values in the chosen order.
std::vector<int> sortedPositions(const VectorXd& values, EigenOrder order)
{
    std::vector<int> positions(static_cast<size_t>(values.size()));
    std::iota(positions.begin(), positions.end(), 0);
    std::stable_sort(positions.begin(), positions.end(), [&](int a, int b) {
        return order == LARGEST_ALGEBRAIC ? values[a] > values[b]
                                          : std::abs(values[a]) > std::abs(values[b]);
    });
    return positions;
}

Eigenpairs toEigenpairs(const Eigen::Ref<const MatrixXd>& vectors,
                        const Eigen::Ref<const VectorXd>& values)
{
    Eigenpairs pairs;
    pairs.values.assign(values.data(), values.data() + values.size());
    pairs.vectors.create(static_cast<int>(vectors.rows()), static_cast<int>(vectors.cols()),
                         CV_64F);
    Eigen::Map<RowMatrixXd> out(pairs.vectors.ptr<double>(), vectors.rows(), vectors.cols());
    for (int c = 0; c < vectors.cols(); ++c)
    {
        Eigen::Index largest;
        vectors.col(c).cwiseAbs().maxCoeff(&largest);
        out.col(c) = (vectors(largest, c) < 0 ? -1. : 1.) * vectors.col(c);
    }
    return pairs;
}

//! Eigenvectors of a small symmetric matrix as columns, in the chosen order.
void solveDense(const MatrixXd& matrix, EigenOrder order, MatrixXd& vectors, VectorXd& values)
{
    const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(matrix);
    const std::vector<int> positions = sortedPositions(solver.eigenvalues(), order);
    vectors.resize(matrix.rows(), matrix.cols());
    values.resize(matrix.rows());
    for (int c = 0; c < matrix.cols(); ++c)
    {
        vectors.col(c) = solver.eigenvectors().col(positions[c]);
        values[c] = solver.eigenvalues()[positions[c]];
    }
}

Eigenpairs denseEigenpairs(const CsrMatrix& S, int count, EigenOrder order)
{
    MatrixXd matrix = MatrixXd::Identity(S.rows, S.rows);
    for (int p = 0; p < S.rows; ++p)
        for (size_t e = S.offsets[p]; e < S.offsets[p + 1]; ++e)
            matrix(p, S.columns[e]) += S.values[e];
    MatrixXd vectors;
    VectorXd values;
    solveDense(matrix, order, vectors, values);
    return toEigenpairs(vectors.leftCols(count), values.head(count));
}

//! Sizes of the subspace, all multiples of the block.
struct LanczosSizes
{
    int block; //!< columns multiplied at once; eigenvalues of this multiplicity are no obstacle
    int keep; //!< columns kept in a restart: the required ones and some more for faster convergence
    int capacity; //!< columns before a restart

    explicit LanczosSizes(int count)
    {
        block = std::min(64, std::max(16, alignSize(count / 4, 8)));
        keep = alignSize(count + block / 2, block);
        capacity = keep + std::max(4 * block, alignSize(count, block));
    }
    static int alignSize(int n, int unit) { return (n + unit - 1) / unit * unit; }
};

/** Block Lanczos with full orthogonalization and thick restarts.

Q holds n columns that have been multiplied and one block that has not, all orthonormal:
(I + S) Q_n = Q_n H + (block) coupling. So the residual of a Ritz vector Q_n y is the norm of
coupling y, and a rotation of Q_n to the best Ritz vectors keeps the form of the equation. */
class BlockLanczos
{
public:
    BlockLanczos(const CsrMatrix& similarity, int count, EigenOrder order, int seed)
        : S_(similarity), m_(similarity.rows), count_(count), order_(order), size_(count),
          rng_((static_cast<uint64>(static_cast<unsigned>(seed)) + 1) * 0x9E3779B97F4A7C15ULL),
          n_(0), Q_(m_, size_.capacity + size_.block),
          H_(MatrixXd::Zero(size_.capacity, size_.capacity)), coupling_(size_.block, 0)
    {
        MatrixXd start(m_, size_.block);
        for (int c = 0; c < size_.block; ++c)
            fillRandom(start, c);
        MatrixXd projections, remainder;
        orthonormalize(0, start, projections, remainder);
        Q_.leftCols(size_.block) = start;
    }

    bool full() const { return n_ == size_.capacity; }

    //! Share of the present cycle that is done.
    double filled() const { return static_cast<double>(n_) / size_.capacity; }

    //! Multiplies the last block and appends what the product adds to the subspace.
    void expand()
    {
        const int b = size_.block, next = n_ + b;
        MatrixXd W = multiply(S_, Q_.middleCols(n_, b)), projections, remainder;
        orthonormalize(next, W, projections, remainder);
        H_.block(0, n_, next, b) = projections;
        H_.block(n_, 0, b, n_) = projections.topRows(n_).transpose();
        Q_.middleCols(next, b) = W;
        coupling_ = MatrixXd::Zero(b, next);
        coupling_.rightCols(b) = remainder;
        n_ = next;
    }

    //! Rayleigh-Ritz. Returns how many of the required pairs are accurate.
    int solve()
    {
        const MatrixXd H = H_.topLeftCorner(n_, n_);
        solveDense((H + H.transpose()) / 2, order_, ritz_, values_);
        const double scale = std::max(std::abs(values_[0]), std::abs(values_[n_ - 1]));
        const MatrixXd residuals = coupling_ * ritz_.leftCols(count_);
        int accurate = 0;
        for (int c = 0; c < count_; ++c)
            accurate += residuals.col(c).norm() <= TOLERANCE * scale;
        return accurate;
    }

    //! Keeps the best Ritz vectors and the block that continues them.
    void restart()
    {
        const MatrixXd best = ritz_.leftCols(size_.keep);
        rotateColumns(Q_.leftCols(n_), best);
        Q_.middleCols(size_.keep, size_.block) = Q_.middleCols(n_, size_.block).eval();
        H_.setZero();
        H_.topLeftCorner(size_.keep, size_.keep).diagonal() = values_.head(size_.keep);
        coupling_ = (coupling_ * best).eval();
        n_ = size_.keep;
    }

    Eigenpairs result()
    {
        rotateColumns(Q_.leftCols(n_), ritz_.leftCols(count_));
        return toEigenpairs(Q_.leftCols(count_), values_.head(count_));
    }

private:
    void fillRandom(MatrixXd& block, int column)
    {
        for (int r = 0; r < m_; ++r)
            block(r, column) = rng_.gaussian(1);
        block.col(column).normalize();
    }

    /* W = Q_(first n columns) projections + (new W) remainder, the new W orthonormal and orthogonal
    to those columns. Rounding errors of the projection grow by scale / (shortest direction that
    remains), so where that is small it is done again. Directions in which nothing remains are
    replaced by random ones. */
    void orthonormalize(int n, MatrixXd& W, MatrixXd& projections, MatrixXd& remainder)
    {
        const double scale = W.colwise().norm().maxCoeff();
        projections = MatrixXd::Zero(n, W.cols());
        remainder = MatrixXd::Identity(W.cols(), W.cols());
        bool project = n > 0;
        for (int pass = 0; pass < 2; ++pass)
        {
            if (project)
            {
                const MatrixXd C = innerProducts(Q_.leftCols(n), W);
                subtractProduct(Q_.leftCols(n), C, W);
                projections += C * remainder;
            }
            // From W'W = E L E': W = (W E L^-1/2) (L^1/2 E').
            const Eigen::SelfAdjointEigenSolver<MatrixXd> gram(innerProducts(W, W));
            const VectorXd& squares = gram.eigenvalues();
            const double negligible = std::max(1e-14 * squares.maxCoeff(), 1e-18 * scale * scale);
            MatrixXd turn = gram.eigenvectors();
            remainder = (turn.transpose() * remainder).eval();
            for (int c = 0; c < W.cols(); ++c)
            {
                const double length = squares[c] > negligible ? std::sqrt(squares[c]) : 0;
                remainder.row(c) *= length;
                turn.col(c) *= length > 0 ? 1 / length : 0;
            }
            rotateColumns(W, turn);
            for (int c = 0; c < W.cols(); ++c)
                if (!(squares[c] > negligible))
                    fillRandom(W, c);
            project = n > 0 && squares.minCoeff() < 1e-4 * scale * scale;
        }
    }

    const CsrMatrix& S_;
    const int m_, count_;
    const EigenOrder order_;
    const LanczosSizes size_;
    RNG rng_;
    int n_;
    MatrixXd Q_, H_, coupling_, ritz_;
    VectorXd values_;
};

} // namespace

Eigenpairs leadingEigenpairs(const CsrMatrix& similarity, int count, EigenOrder order, int seed,
                             RunControl* control)
{
    const int m = similarity.rows;
    if (count < 1 || count > m)
        CV_Error_(Error::StsOutOfRange,
                  ("count is %d for a matrix of %d rows, expected 1 to %d", count, m, m));
    const LanczosSizes size(count);
    const bool few = FEW_SHARE * size.capacity < m;
    if ((m <= DENSE_LIMIT && !few) || size.capacity + size.block > m)
        return denseEigenpairs(similarity, count, order);

    BlockLanczos lanczos(similarity, count, order, seed);
    for (int cycle = 0; cycle < MAX_CYCLES; ++cycle)
    {
        if (cycle > 0)
            lanczos.restart();
        while (!lanczos.full())
        {
            lanczos.expand();
            if (control && !control->proceed((cycle + lanczos.filled()) / MAX_CYCLES))
                return Eigenpairs();
        }
        if (lanczos.solve() == count)
            break;
    }
    return lanczos.result();
}

}} // namespace cv::multimatch
