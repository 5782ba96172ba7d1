// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_EVIDENCE_LOCAL_MAPS_HPP
#define OPENCV_MULTIMATCH_SRC_EVIDENCE_LOCAL_MAPS_HPP

#include "../base/kd_tree.hpp"
#include "../base/track_table.hpp"
#include "views.hpp"

#include "opencv2/multimatch/evidence.hpp"

namespace cv { namespace multimatch { namespace evidence {

/** Positions of the points and the neighborhoods of the views. Each view is divided into patches of
a few points that lie together: one local map serves a whole patch. */
class Positions
{
public:
    /** sizes, angles: of the key points, see MultiMatcher::Input; empty where there are none.
    around: number of points that are found around each patch. */
    Positions(const std::vector<Mat>& points, const Views& views, const std::vector<float>& sizes,
              const std::vector<float>& angles, float mu, int around, RunControl& control);

    int dimension() const { return dimension_; }        //!< 2 or 3
    bool hasFrames() const { return !angles_.empty(); } //!< sizes and angles are known
    const float* at(int p) const { return &places_[static_cast<size_t>(p) * 3]; }
    Point2f point(int p) const { return Point2f(at(p)[0], at(p)[1]); }
    float angle(int p) const { return angles_[p]; } //!< radians
    //! Cosine and sine of the angle.
    const Point2f& direction(int p) const { return directions_[p]; }
    float logSize(int p) const { return logSizes_[p]; }
    int patch(int p) const { return patch_[p]; }
    int patchCount() const { return patchOffsets_.back(); }
    int firstPatch(int view) const { return patchOffsets_[view]; }
    //! Mean position of the points of a patch.
    const float* center(int patch) const { return &centers_[static_cast<size_t>(patch) * 3]; }
    //! The points of the view closest to the center of a patch, closest first.
    const int* aroundBegin(int patch) const { return around_.data() + aroundOffsets_[patch]; }
    const int* aroundEnd(int patch) const { return around_.data() + aroundOffsets_[patch + 1]; }
    //! The points that follow these, up to the count closest ones.
    std::vector<int> farther(int view, int patch, int count) const;
    //! 2 mu sigma^2 of the Gaussian adjacency in a view.
    float kernelWidth(int view) const { return kernelWidth_[view]; }
    //! Area or volume of the box that holds the points of a view.
    float extent(int view) const { return extent_[view]; }
    //! Squared distance of a point and a place in its view.
    float distance2(int p, const float* place) const;
    //! Points of a view within a radius of a place, closest first, at most limit; numbered through
    //! all views.
    void near(int view, const float* place, float radius2, int limit,
              std::vector<KdTree::Hit>& hits) const;

private:
    void makePatches(const Views& views, RunControl& control);
    void split(int* first, int* last, int& patch);
    void findPointsAround(const Views& views, int count, RunControl& control);

    int dimension_;
    std::vector<int> offsets_;
    std::vector<float> places_; //!< three coordinates per point
    std::vector<float> logSizes_, angles_;
    std::vector<Point2f> directions_;
    std::vector<int> patch_, patchOffsets_;
    std::vector<float> centers_; //!< three coordinates per patch
    std::vector<int> around_;
    std::vector<size_t> aroundOffsets_;
    std::vector<float> kernelWidth_, extent_;
    std::vector<KdTree> trees_;
};

//! Where a point is expected in another view, judging by the tracks around it.
struct Prediction
{
    float place[3];
    float spread2; //!< median of the squared residuals; 0: there is no prediction
    float radius2; //!< squared radius of the tracks around, in the other view
    float turn;    //!< change of the key points' angles, radians
    float stretch; //!< change of the logarithms of their sizes
    float seen;    //!< points around whose tracks are also seen in the other view
    float around;  //!< points around; 0: not known

    bool valid() const { return spread2 > 0; }
};

/** Local affine maps between views, fitted to the present tracks. The closest points around a patch
whose tracks are also seen in the other view are fitted robustly, weighted by the Gaussian
adjacency. Where too few of the nearest points have such tracks, points farther away are used too.
*/
class LocalMaps
{
public:
    /** farther: number of points around a patch that may be used where too few of the nearest have
    tracks. */
    LocalMaps(const Positions& positions, const Views& views, const EvidenceParams& params,
              int farther);

    /** Fits the maps of every patch into the views in which its points have candidates. A map whose
    tracks are those of the last time is kept: a map is a function of the points on these tracks
    alone. labels: track of every point, -1: none; tracks: the same by track; candidates: symmetric
    pattern of the candidate pairs; reuse: false where all maps are to be fitted again. */
    void fit(const std::vector<int>& labels, const Ptr<TrackTable>& tracks,
             const CsrMatrix& candidates, bool reuse, RunControl& control);

    //! What the maps predict for p in a view.
    Prediction predict(int p, int view) const;
    //! Whether each of two points of different views lies where it is predicted, as far as it is
    //! predicted.
    bool consistent(int p, int q) const;

private:
    friend class ViewPredictions;
    template<int D>
    struct Context;
    template<int D>
    class Fitter;
    struct Map
    {
        float place[3];                        //!< of the center of the patch in the other view
        float linear[3][3];                    //!< by coordinate here and there
        float spread2, radius2, turn, stretch; //!< as in Prediction
        float count;                           //!< of the tracks that it was fitted to
        float seen, around;                    //!< as in Prediction
        bool far; //!< fitted to points farther away than the nearest ones too
    };
    //! A map as it is stored, less its coefficients.
    struct StoredMap
    {
        float spread2, radius2, turn, stretch;
        uchar count, seen, around;
        bool refitted : 1;   //!< by the last fit(), to other points than before
        bool far : 1;        //!< as in Map
        unsigned context[2]; //!< hash of the points that it was fitted to
    };
    //! The maps of the patches of one view, by other views.
    struct ViewMaps
    {
        std::vector<size_t> offsets; //!< per compared view the number of the first map into it
        std::vector<int> patches;    //!< of each map the patch, counted in the view, ascending
        std::vector<StoredMap> maps;
        std::vector<float>
            coefficients; //!< of each map place and linear, in as many dimensions as there are
    };

    const ViewMaps& mapsOf(int p) const { return maps_[views_.of(p)]; }
    int localPatch(int p) const
    {
        return positions_.patch(p) - positions_.firstPatch(views_.of(p));
    }
    void findChanged(const std::vector<int>& labels, const TrackTable& tracks, RunControl& control);
    //! Points around a patch of a view beyond the nearest ones. Only one thread works on a view.
    const std::vector<int>& farPoints(int view, int patch);
    //! Per patch of a view and other view whether points of the patch have candidates there.
    std::vector<uchar> wantedMaps(int view, const CsrMatrix& candidates) const;
    template<int D>
    void fitAll(const CsrMatrix& candidates, bool reuse, RunControl& control);
    template<int D>
    void fitView(int view, const CsrMatrix& candidates, bool reuse, Fitter<D>& fitter);
    //! Number of the map among those of the view of p; no map: the number of them.
    size_t find(const ViewMaps& maps, int p, int view) const;
    //! By one of the maps. own: point of p's track in the other view, -1: none.
    template<int D>
    Prediction predict(const ViewMaps& maps, size_t map, int p, int own) const;
    Prediction predict(const ViewMaps& maps, size_t map, int p, int own) const
    {
        return positions_.dimension() == 3 ? predict<3>(maps, map, p, own)
                                           : predict<2>(maps, map, p, own);
    }

    const Positions& positions_;
    const Views& views_;
    const EvidenceParams params_;
    const int farther_;
    std::vector<std::vector<int>> far_; //!< per patch, see farPoints(); empty: not yet needed
    std::vector<int> labels_;
    Ptr<TrackTable> tracks_;
    std::vector<uchar>
        changed_; //!< per point whether it is on one track with other points than at the last fit()
    std::vector<ViewMaps> maps_; //!< per view
};

/** Predictions of the points of one view in another. Each is computed once, and all maps of a pair
of views lie together in memory: for many points of one pair of views this is much faster than
LocalMaps::predict(). */
class ViewPredictions
{
public:
    explicit ViewPredictions(const LocalMaps& maps) : maps_(maps), from_(-1), to_(-1), now_(0) {}

    void begin(int from, int to);
    int from() const { return from_; }
    int to() const { return to_; }
    //! As LocalMaps::predict(p, to).
    const Prediction& of(int p);
    //! Whether the last fit() may have changed the prediction, or the track of p is another.
    bool changed(int p) const;

private:
    const LocalMaps& maps_;
    int from_, to_;
    std::vector<int> map_;   //!< per patch the number of its map, -1: none
    std::vector<int> point_; //!< per track its point in the other view, -1: none
    std::vector<Prediction> known_;
    std::vector<int> computed_; //!< per point: known_ holds its prediction where this is now_
    int now_;
};

}}} // namespace cv::multimatch::evidence

#endif
