// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_LOCAL_GEOMETRY_HPP
#define OPENCV_MULTIMATCH_SRC_LOCAL_GEOMETRY_HPP

#include "precomp.hpp"

namespace cv { namespace multimatch {

//! Members of each track, and which point of a view belongs to a track.
class TrackTable
{
public:
    explicit TrackTable(const std::vector<int>& labels);

    int trackCount() const { return static_cast<int>(offsets_.size()) - 1; }
    //! Points of a track, ascending (so one view after the other).
    const int* begin(int track) const
    {
        return members_.data() + offsets_[static_cast<size_t>(track)];
    }
    const int* end(int track) const
    {
        return members_.data() + offsets_[static_cast<size_t>(track) + 1];
    }
    int length(int track) const { return static_cast<int>(end(track) - begin(track)); }
    //! The track's point in a view whose points are first .. last - 1; -1: none.
    int pointIn(int track, int first, int last) const
    {
        const int* at = std::lower_bound(begin(track), end(track), first);
        return at != end(track) && *at < last ? *at : -1;
    }

private:
    std::vector<size_t> offsets_;
    std::vector<int> members_;
};

/** Where should a point of one view be in another, judging by the tracks around it?

The closest points of p that lie on tracks seen in both views are fitted by a local affine map, robustly; it says where p
would be, how far off that may be and how wide the neighbourhood is. */
class LocalGeometry
{
public:
    LocalGeometry(const std::vector<Mat>& points, const std::vector<int>& offsets);

    bool usable() const { return dimension_ > 0; }

    /** Log-likelihood ratio of "q in view j is the same place as p" against "q is anywhere nearby", given the tracks
    around p. 0 where too few tracks are shared to tell. believed: per point whether its membership counts as context. */
    class Judge
    {
    public:
        Judge(const LocalGeometry& geometry, const std::vector<int>& labels,
              const TrackTable& tracks, const std::vector<float>& belief);
        double logRatio(int p, int viewJ, int q);

    private:
        struct Prediction
        {
            int p; //!< point it was made for, -1: none yet
            bool valid;
            float place[3];
            float spread2; //!< squared spread of the prediction
            float radius2; //!< squared radius of the neighbourhood in the other view
        };
        void predict(int p, int viewJ, Prediction& prediction) const;

        const LocalGeometry& geometry_;
        const std::vector<int>& labels_;
        const TrackTable& tracks_;
        const std::vector<float>& belief_;
        std::vector<Prediction> predictions_; //!< per view, for the point asked last
    };

private:
    friend class Judge;
    const float* place(int p) const { return &places_[static_cast<size_t>(p) * 3]; }

    int dimension_;
    std::vector<int> offsets_;
    std::vector<float> places_; //!< three coordinates a point
    std::vector<int> around_;   //!< the closest points of each point in its view, nearest first
    std::vector<size_t> aroundOffsets_;
};

}} // namespace cv::multimatch

#endif
