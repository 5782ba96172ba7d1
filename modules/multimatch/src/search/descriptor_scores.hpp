// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_SEARCH_DESCRIPTOR_SCORES_HPP
#define OPENCV_MULTIMATCH_SRC_SEARCH_DESCRIPTOR_SCORES_HPP

#include "descriptor_kernels.hpp"
#include "nearest_lists.hpp"

namespace cv { namespace multimatch {

struct Neighbor
{
    float distance;
    int index;

    bool operator<(const Neighbor& other) const
    {
        return distance != other.distance ? distance < other.distance : index < other.index;
    }
};

/** Compares descriptors. Only this class depends on their type and norm.

A score is an int that orders like the distance, for some types only approximately. Scores come a
tile at a time: a packed strip of rows against a packed panel of columns (descriptor_kernels.hpp).
nearest() then computes the exact distances of the best candidates. */
class DescriptorScores
{
public:
    virtual ~DescriptorScores() {}

    //! Computes the scores of a tile.
    const TileKernel& kernel() const { return kernel_; }
    //! Of each member of a packed strip or panel, without its constant.
    int words() const { return words_; }
    //! Words of a packed descriptor.
    size_t packedWords() const { return static_cast<size_t>(words_) + 1; }

    //! Packs count descriptors of a view, from first on, in strips as the kernel takes them; the
    //! last one is padded with zeros.
    void packRows(int view, int first, int count, int* packed) const
    {
        pack(view, NULL, first, count, kernel_.rows, true, packed);
    }
    //! Same in panels of columns.
    void packColumns(int view, int first, int count, int* packed) const
    {
        pack(view, NULL, first, count, kernel_.columns, false, packed);
    }
    //! Same with the points of a list.
    void packRows(int view, const int* points, int count, int* packed) const
    {
        pack(view, points, 0, count, kernel_.rows, true, packed);
    }
    void packColumns(int view, const int* points, int count, int* packed) const
    {
        pack(view, points, 0, count, kernel_.columns, false, packed);
    }

    //! Number of candidates to keep in addition to k, at most MAX_SLACK. 0: scores order exactly
    //! like distances.
    virtual int slack() const { return 0; }
    enum
    {
        MAX_SLACK = 3
    };

    /** The k nearest of descriptor p of views[own] in views[other], ascending, with exact
    distances: the same to the last bit whatever computed the scores. found: p's best by score, k +
    slack() of them or all there are. Returns how many; result must have room for count. Here: the
    first k of found. */
    virtual int nearest(int own, int p, int other, const Candidate* found, int count, int k,
                        Neighbor* result) const;

    /** Chooses the fastest implementation for these views: L2 of whole numbers that differ by at
    most 255 (CV_8U, and CV_32F that holds nothing else, as SIFT's do) in integers, other floats by
    products whose error is bounded, Hamming by counting bits.
    @param views descriptors of all views
    @param normType NORM_L2 or NORM_HAMMING */
    static Ptr<DescriptorScores> create(const std::vector<Mat>& views, int normType);

    /** Same, but other floats are rounded to 256 steps. nearest() then computes the distances of
    the candidates from the floats themselves, but a nearer descriptor may be missing among these.
    The candidates are the same on every processor, whichever points are compared. */
    static Ptr<DescriptorScores> createRounded(const std::vector<Mat>& views, int normType);

protected:
    DescriptorScores(const TileKernel& kernel, int words, const std::vector<Mat>& views)
        : views_(views), kernel_(kernel), words_(words)
    {
    }

    //! The words of a descriptor, its constant first.
    virtual void writeWords(int view, int point, bool asRow, int* words) const = 0;
    //! The distance that a score stands for, where it is exact.
    virtual float distanceOf(int score) const = 0;

    const std::vector<Mat> views_; //!< as they are packed

private:
    void pack(int view, const int* points, int first, int count, int group, bool asRows,
              int* packed) const;

    TileKernel kernel_;
    int words_;
};

/** Descriptors with the same distances: floats that hold whole numbers as bytes where these are
enough, as for SIFT; others as they are. */
std::vector<Mat> compactDescriptors(const std::vector<Mat>& views, int normType);

}} // namespace cv::multimatch

#endif
