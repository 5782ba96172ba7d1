// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_LOCAL_GEOMETRY_HPP
#define OPENCV_MULTIMATCH_SRC_LOCAL_GEOMETRY_HPP

#include "kd_tree.hpp"
#include "run_control.hpp"
#include "track_table.hpp"

namespace cv { namespace multimatch {

/** Where points are in their views, and what is around them. Points that lie together form patches of a handful: what is said
about a place is said of a patch, once for all its points. */
class LocalGeometry
{
public:
    //! sizes, angles: of the key points, see MultiMatcher::Input; empty where there are none.
    LocalGeometry(const std::vector<Mat>& points, const std::vector<int>& offsets,
                  const std::vector<float>& sizes, const std::vector<float>& angles,
                  RunControl& control);

    int dimension() const { return dimension_; } //!< of the places, 2 or 3
    //! Do the points carry sizes and angles?
    bool hasFrames() const { return !angles_.empty(); }
    //! First point of each view, k + 1 entries.
    const std::vector<int>& offsets() const { return offsets_; }
    const float* place(int p) const { return &places_[static_cast<size_t>(p) * 3]; }
    float angle(int p) const { return angles_[static_cast<size_t>(p)]; } //!< radians
    //! Cosine and sine of the angle.
    const float* direction(int p) const { return &directions_[static_cast<size_t>(p) * 2]; }
    float logSize(int p) const { return logSizes_[static_cast<size_t>(p)]; }
    int view(int p) const { return view_[static_cast<size_t>(p)]; }
    int patch(int p) const { return patch_[static_cast<size_t>(p)]; }
    //! First patch of each view, k + 1 entries.
    const std::vector<int>& patchOffsets() const { return patchOffsets_; }
    //! Mean place of the points of a patch.
    const float* middle(int patch) const { return &middles_[static_cast<size_t>(patch) * 3]; }
    //! The points of the view that are closest to the middle of a patch, nearest first.
    const int* aroundBegin(int patch) const
    {
        return around_.data() + aroundOffsets_[static_cast<size_t>(patch)];
    }
    const int* aroundEnd(int patch) const
    {
        return around_.data() + aroundOffsets_[static_cast<size_t>(patch) + 1];
    }
    const std::vector<KdTree>& trees() const { return trees_; }

private:
    void makePatches(RunControl& control);
    void split(int* first, int* last, int& patch);
    void findPointsAround(RunControl& control);

    int dimension_;
    std::vector<int> offsets_;
    std::vector<int> view_;
    std::vector<float> places_; //!< three coordinates a point
    std::vector<float> logSizes_, angles_;
    std::vector<float> directions_; //!< cosine and sine of each angle
    std::vector<int> patch_, patchOffsets_;
    std::vector<float> middles_; //!< three coordinates a patch
    std::vector<int> around_;
    std::vector<size_t> aroundOffsets_;
    std::vector<KdTree> trees_;
};

/** Where should a point of one view be in another, judging by the tracks around it?

The closest points of its patch that lie on tracks seen in both views are fitted by a local affine map, robustly; it says where
a point would be, how far off that may be and how wide the neighbourhood is. Made once from given tracks for all patches and
compared views; cost and memory are linear in the points times the views compared with each. */
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

    //! Several of them, as products: a logarithm costs more than all the rest.
    struct FitProduct
    {
        float place, turn, stretch;
        int count;

        FitProduct() : place(1), turn(1), stretch(1), count(0) {}
        //! Mean of the logarithms; zeros where there are none. At most a dozen factors.
        Fit mean() const;
    };

    /** belief: per point, above 0 its membership counts as context. judgedViews: per view, ascending, those to predict
    for. wanted: per point whether to predict for it; empty: all. Where the user stops it, nothing is known of what was not reached. */
    Predictions(const LocalGeometry& geometry, const std::vector<int>& labels,
                const std::vector<float>& belief, const std::vector<std::vector<int>>& judgedViews,
                RunControl& control, const std::vector<uchar>& wanted = std::vector<uchar>());

    /** How q fits p, which are in views that were compared, as one more factor. Where too few tracks around p are seen in
    q's view, that alone speaks against it; where there are hardly any tracks around p, nothing is added. */
    void compare(int p, int q, FitProduct& product) const;

    //! The points of view j, numbered through all views, closest to where p should be. hits: scratch.
    void expected(int p, int viewJ, std::vector<KdTree::Hit>& hits, std::vector<int>& points) const;

private:
    struct Prediction
    {
        float place[3];
        float spread2, peak, count, turn, stretch; //!< as in Map
    };
    template<int D>
    class Mapper;

    template<int D>
    void makeMaps(const std::vector<float>& belief, const std::vector<uchar>& wanted,
                  RunControl& control);
    template<int D>
    bool predict(int p, int viewJ, Prediction& prediction) const;
    //! False: nothing is known.
    bool find(int p, int viewJ, Prediction& prediction) const;

    const LocalGeometry& geometry_;
    const std::vector<std::vector<int>>& judgedViews_;
    const std::vector<int> labels_;   //!< that the maps were made from
    std::vector<size_t> firstOfView_; //!< number of each view's first map
    std::vector<float> maps_;         //!< by view, patch and compared view
};

}} // namespace cv::multimatch

#endif
