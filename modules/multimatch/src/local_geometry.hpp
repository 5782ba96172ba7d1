// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_LOCAL_GEOMETRY_HPP
#define OPENCV_MULTIMATCH_SRC_LOCAL_GEOMETRY_HPP

#include "kd_tree.hpp"
#include "track_table.hpp"

namespace cv { namespace multimatch {

//! Where points are in their views and what is around them.
class LocalGeometry
{
public:
    //! sizes, angles: of the key points, see MultiMatcher::Input; empty where there are none.
    LocalGeometry(const std::vector<Mat>& points, const std::vector<int>& offsets,
                  const std::vector<float>& sizes, const std::vector<float>& angles);

    int dimension() const { return dimension_; } //!< of the places, 2 or 3
    //! Do the points carry sizes and angles?
    bool hasFrames() const { return !angles_.empty(); }
    //! First point of each view, k + 1 entries.
    const std::vector<int>& offsets() const { return offsets_; }
    const float* place(int p) const { return &places_[static_cast<size_t>(p) * 3]; }
    float angle(int p) const { return angles_[static_cast<size_t>(p)]; } //!< radians
    float logSize(int p) const { return logSizes_[static_cast<size_t>(p)]; }
    //! The closest points of p elsewhere in its view, nearest first.
    const int* aroundBegin(int p) const { return around_.data() + aroundOffsets_[p]; }
    const int* aroundEnd(int p) const { return around_.data() + aroundOffsets_[p + 1]; }
    const KdTree& tree(int view) const { return trees_[static_cast<size_t>(view)]; }

private:
    int dimension_;
    std::vector<int> offsets_;
    std::vector<float> places_; //!< three coordinates a point
    std::vector<float> logSizes_, angles_;
    std::vector<int> around_;
    std::vector<size_t> aroundOffsets_;
    std::vector<KdTree> trees_;
};

/** Where should a point of one view be in another, judging by the tracks around it?

The closest points of p that lie on tracks seen in both views are fitted by a local affine map, robustly; it says where p
would be, how far off that may be and how wide the neighbourhood is. Made once from given tracks for all points and compared
views; cost and memory are linear in the points times the views compared with each. */
class Predictions
{
public:
    //! How well a point of another view fits what the tracks around a point predict.
    struct Fit
    {
        float
            place;  //!< log-likelihood ratio of "here" against "anywhere nearby", at most 6 in size
        float turn; //!< log(1 + squared miss of the key point's angle, in units of a usual one)
        float stretch; //!< the same of its size
    };

    /** belief: per point, above 0 its membership counts as context. comparedViews: per view, ascending, those to predict
    for. wanted: per point whether to predict for it; empty: all. */
    Predictions(const LocalGeometry& geometry, const std::vector<int>& labels,
                const std::vector<float>& belief,
                const std::vector<std::vector<int>>& comparedViews,
                const std::vector<uchar>& wanted = std::vector<uchar>());

    /** How q fits p, which are in views that were compared. False, and fit is left alone: too few tracks around p are
    shared to tell. */
    bool compare(int p, int q, Fit& fit) const;

    //! The points of view j, numbered through all views, closest to where p should be. hits: scratch.
    void expected(int p, int viewJ, std::vector<KdTree::Hit>& hits, std::vector<int>& points) const;

private:
    struct Prediction
    {
        float place[3];
        float spread2; //!< squared spread of the prediction; 0: none could be made
        float peak;    //!< log-likelihood ratio of a point right there
        float turn;    //!< of the key points' angles, radians
        float stretch; //!< of the logarithms of their sizes
    };
    template<int D>
    class Predictor;

    //! NULL: none could be made.
    const Prediction* find(int p, int viewJ) const;

    const LocalGeometry& geometry_;
    const std::vector<std::vector<int>>& comparedViews_;
    std::vector<int> view_;
    std::vector<size_t> firstOfView_;     //!< position of each view's first prediction
    std::vector<Prediction> predictions_; //!< by view, point and compared view
};

}} // namespace cv::multimatch

#endif
