// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_GEOMETRY_PENCIL_INDEX_HPP
#define OPENCV_MULTIMATCH_SRC_GEOMETRY_PENCIL_INDEX_HPP

#include "../precomp.hpp"

namespace cv { namespace multimatch {

/** The points of a view, found along lines of one pencil: the epipolar lines of a pair of views all
pass through the epipole, so that the direction in which a point is seen from the epipole tells
which of them it is near. Points at similar distances from the epipole are kept together, in the
order of their directions. */
class PencilIndex
{
public:
    //! points: n x 2 CV_32F; epipole: homogeneous.
    PencilIndex(const Mat& points, const Vec3d& epipole);

    //! Direction of a line (a, b, c) of the pencil, in (-pi/2, pi/2]. Lines that are close to each
    //! other have similar directions.
    double directionOf(const Vec3d& line) const;
    /** Points within a distance of the line with this direction, and few others near it; appended
    in no particular order. */
    void nearLine(double direction, double distance, std::vector<int>& found) const;

private:
    struct Entry
    {
        double direction;
        int point;
    };
    //! Points from a distance from the epipole to twice that.
    struct Ring
    {
        double radius;            //!< the least distance
        double low, width;        //!< of the directions; width of a bin
        std::vector<int> offsets; //!< first entry of each bin
        std::vector<Entry> entries;

        int binOf(double direction) const;
        void arrange();
        void collect(double from, double to, std::vector<int>& found) const;
    };

    Point2d center_;  //!< of the points
    Point2d epipole_; //!< at a finite place
    bool outside_;    //!< the epipole lies far away from the points
    Point2d axis_;    //!< unit vector that directions are measured from
    std::vector<Ring> rings_;
};

}} // namespace cv::multimatch

#endif
