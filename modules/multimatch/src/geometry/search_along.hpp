// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_GEOMETRY_SEARCH_ALONG_HPP
#define OPENCV_MULTIMATCH_SRC_GEOMETRY_SEARCH_ALONG_HPP

#include "pair_geometry.hpp"

namespace cv { namespace multimatch {

//! Two points that agree with the geometry of their views.
struct GuidedCandidate
{
    int first, second; //!< points of the first and of the second view
    float distance;    //!< of their descriptors
    float residual;    //!< px
};

/** @brief The points of a view, found along lines and around places.
Strips of equal width across each axis, cut into cells along the other: a line crosses each strip of
the axis it is steeper against in a few cells. */
class StripIndex
{
public:
    explicit StripIndex(const Mat& points); //!< n x 2 CV_32F

    //! Points within a distance of the line a x + b y + c = 0, a^2 + b^2 = 1; appended in no
    //! particular order.
    void nearLine(const Vec3d& line, double distance, std::vector<int>& found) const;
    //! Points in the square around a place.
    void nearPoint(const Point2d& place, double distance, std::vector<int>& found) const;

private:
    struct Entry
    {
        float along, across;
        int point;
    };
    //! A range of coordinates cut into equal parts.
    struct Axis
    {
        double low, width;
        int count;

        int at(double x) const;
    };
    //! The points by strip and cell, those of one cell in their order.
    struct Strips
    {
        Axis across, along;
        std::vector<int> offsets; //!< of each cell, strip after strip
        std::vector<Entry> entries;

        //! Entries of a strip from from to to along it for which wanted(entry) holds.
        template<typename Wanted>
        void collect(int strip, double from, double to, const Wanted& wanted,
                     std::vector<int>& found) const;
    };
    Strips strips_[2]; //!< across x and across y
};

//! Points, descriptors and index of a view.
struct SearchView
{
    const Mat &points, &descriptors;
    const StripIndex& index;

    SearchView(const Mat& viewPoints, const Mat& viewDescriptors, const StripIndex& viewIndex)
        : points(viewPoints), descriptors(viewDescriptors), index(viewIndex)
    {
    }
};

struct SearchParams
{
    int count;          //!< candidates of each point
    double maxResidual; //!< px; points no farther from each other count as one place
    int normType;       //!< NORM_L2 or NORM_HAMMING
};

/** The most similar points along the geometry of two views: nearest from both sides. Several points
at one place may all be the nearest. Each pair of points once, ascending. */
std::vector<GuidedCandidate> searchAlong(const PairGeometry& geometry, const SearchView& first,
                                         const SearchView& second, const SearchParams& params);

}} // namespace cv::multimatch

#endif
