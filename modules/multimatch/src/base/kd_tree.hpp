// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_BASE_KD_TREE_HPP
#define OPENCV_MULTIMATCH_SRC_BASE_KD_TREE_HPP

#include "run_control.hpp"

namespace cv { namespace multimatch {

/** Puts the half of [first, last) that is lower along the axis it is widest in before the other
half; returns that axis. coordinate(point, axis); at equal coordinates the smaller point is the
lower one. */
template<typename Coordinate>
int halveAlongWidest(int* first, int* last, int dimension, const Coordinate& coordinate)
{
    int widest = 0;
    float width = -1;
    for (int axis = 0; axis < dimension; ++axis)
    {
        float low = std::numeric_limits<float>::infinity(), high = -low;
        for (const int* p = first; p != last; ++p)
        {
            low = std::min(low, coordinate(*p, axis));
            high = std::max(high, coordinate(*p, axis));
        }
        if (high - low > width)
        {
            width = high - low;
            widest = axis;
        }
    }
    std::nth_element(first, first + (last - first) / 2, last, [&](int a, int b) {
        const float x = coordinate(a, widest), y = coordinate(b, widest);
        return x != y ? x < y : a < b;
    });
    return widest;
}

/** Static k-d tree over the rows of an n x D CV_32F matrix (D of 2 or 3). The tree is the order of
the points: the middle of every range splits it, down to ranges of a few points that are scanned. */
class KdTree
{
public:
    struct Hit
    {
        float squared; //!< squared distance
        int point;
        bool operator<(const Hit& other) const
        {
            return squared != other.squared ? squared < other.squared : point < other.point;
        }
    };

    KdTree() : dimension_(0) {}
    explicit KdTree(const Mat& points);

    /** Points q with 0 <= |x - q|^2 <= squaredRadius, ascending by distance; at most limit of them
    (0: all), the closest. */
    void withinRadius(const float* x, float squaredRadius, int limit, std::vector<Hit>& hits) const;

    //! Squared distance to the closest point at another place than x; +inf where there is none.
    float closestElsewhere(const float* x) const;

private:
    void build(int first, int last);
    void collect(const float* x, int first, int last, float& bound, size_t limit,
                 std::vector<Hit>& hits) const;
    void closest(const float* x, int first, int last, float& best) const;
    float squaredDistance(const float* x, int position) const;
    void add(const float* x, int position, float& bound, size_t limit,
             std::vector<Hit>& hits) const;

    int dimension_;
    std::vector<int> order_;
    std::vector<float> places_; //!< three coordinates for each position of order_
    std::vector<uchar> axis_;   //!< per position of order_, the axis its range is split along
};

//! The tree of each view; offsets: first point of each. Trees that were not built when the callback
//! returned false are empty.
std::vector<KdTree> kdTrees(const std::vector<Mat>& views, const std::vector<int>& offsets,
                            RunControl& control);

}} // namespace cv::multimatch

#endif
