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

/** Positions of the points and the neighborhoods of the views. Each view is divided into patches of a few points that lie together: one
local map serves a whole patch. */
class Positions
{
public:
    //! sizes, angles: of the key points, see MultiMatcher::Input; empty where there are none.
    Positions(const std::vector<Mat>& points, const Views& views, const std::vector<float>& sizes,
              const std::vector<float>& angles, float mu, RunControl& control);

    int dimension() const { return dimension_; }        //!< 2 or 3
    bool hasFrames() const { return !angles_.empty(); } //!< sizes and angles are known
    const float* at(int p) const { return &places_[static_cast<size_t>(p) * 3]; }
    Point2f point(int p) const { return Point2f(at(p)[0], at(p)[1]); }
    float angle(int p) const { return angles_[static_cast<size_t>(p)]; } //!< radians
    float logSize(int p) const { return logSizes_[static_cast<size_t>(p)]; }
    int patch(int p) const { return patch_[static_cast<size_t>(p)]; }
    int patchCount() const { return patchOffsets_.back(); }
    int firstPatch(int view) const { return patchOffsets_[static_cast<size_t>(view)]; }
    //! Mean position of the points of a patch.
    const float* center(int patch) const { return &centers_[static_cast<size_t>(patch) * 3]; }
    //! The points of the view closest to the center of a patch, closest first.
    const int* aroundBegin(int patch) const
    {
        return around_.data() + aroundOffsets_[static_cast<size_t>(patch)];
    }
    const int* aroundEnd(int patch) const
    {
        return around_.data() + aroundOffsets_[static_cast<size_t>(patch) + 1];
    }
    //! 2 mu sigma^2 of the Gaussian adjacency in a view.
    float kernelWidth(int view) const { return kernelWidth_[static_cast<size_t>(view)]; }
    //! Area or volume of the box that holds the points of a view.
    float extent(int view) const { return extent_[static_cast<size_t>(view)]; }
    //! Squared distance of a point and a place in its view.
    float distance2(int p, const float* place) const;
    //! Points of a view within a radius of a place, closest first, at most limit; numbered through all views.
    void near(int view, const float* place, float radius2, int limit,
              std::vector<KdTree::Hit>& hits) const;

private:
    void makePatches(const Views& views, RunControl& control);
    void split(int* first, int* last, int& patch);
    void findPointsAround(const Views& views, RunControl& control);

    int dimension_;
    std::vector<int> offsets_;
    std::vector<float> places_; //!< three coordinates per point
    std::vector<float> logSizes_, angles_;
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

/** Local affine maps between views, fitted to the present tracks. The closest points around a patch whose tracks are also seen in the
other view are fitted robustly, weighted by the Gaussian adjacency. */
class LocalMaps
{
public:
    LocalMaps(const Positions& positions, const Views& views, const EvidenceParams& params);

    /** Fits the maps of every patch into the views in which its points have candidates.
    labels: track of every point, -1: none; candidates: symmetric pattern of the candidate pairs. */
    void fit(const std::vector<int>& labels, const CsrMatrix& candidates, RunControl& control);

    //! What the maps predict for p in a view.
    Prediction predict(int p, int view) const;
    //! Whether each of two points of different views lies where it is predicted, as far as it is predicted.
    bool consistent(int p, int q) const;

    //! The views that the patch of a point has maps into, ascending.
    const int* viewsBegin(int p) const
    {
        return mapViews_.data() + mapOffsets_[static_cast<size_t>(positions_.patch(p))];
    }
    const int* viewsEnd(int p) const
    {
        return mapViews_.data() + mapOffsets_[static_cast<size_t>(positions_.patch(p)) + 1];
    }

private:
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
    };

    template<int D>
    void fitAll(const TrackTable& tracks, RunControl& control);

    const Positions& positions_;
    const Views& views_;
    const EvidenceParams params_;
    std::vector<int> labels_;
    Ptr<TrackTable> tracks_;
    std::vector<size_t> mapOffsets_; //!< per patch the number of its first map
    std::vector<int> mapViews_;      //!< of each map the other view
    std::vector<Map> maps_;
};

}}} // namespace cv::multimatch::evidence

#endif
