// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_SRC_CONFIDENCE_HPP
#define OPENCV_MULTIMATCH_SRC_CONFIDENCE_HPP

#include "local_geometry.hpp"

namespace cv { namespace multimatch {

//! What speaks for and against one point in one track, the point itself left out of it.
struct Evidence
{
    int track;
    float support; //!< mean similarity to the members in views that were compared with the point's
    float best;    //!< largest similarity to a member
    float
        geometry; //!< mean log-likelihood ratio of its place, by the tracks around it, over members
    int members;  //!< other members in compared views
};

//! Weighs points against tracks.
class Confidence
{
public:
    Confidence(const CsrMatrix& similarity, const std::vector<int>& viewSizes,
               const LocalGeometry* geometry);

    bool usesGeometry() const { return geometry_ != NULL; }

    /** Geometry stays in use only if it supports the memberships that appearance believes in: positions may be
    missing, arbitrary or of things that do not keep their arrangement. */
    void dropGeometryUnlessItAgrees(const std::vector<int>& labels,
                                    const std::vector<float>& belief);

    //! Confidence by appearance alone; 0 below one half, so that it can serve as belief.
    std::vector<float> byAppearance(const std::vector<int>& labels) const;

    //! Evidence for point p and each track that it or one of its similar points belongs to.
    void collect(int p, const std::vector<int>& labels, const TrackTable& tracks,
                 LocalGeometry::Judge* judge, std::vector<Evidence>& evidence) const;

    //! Probability in [0, 1] that the membership is right; judged: by geometry too.
    float probability(const Evidence& evidence, bool judged) const;

    //! Confidence of every point in the track it has; 0 where it has none.
    std::vector<float> ofMembers(const std::vector<int>& labels,
                                 const std::vector<float>& belief) const;

    /** One round: every point anew to the track it fits best, or none, one assignment per view. labels and
    confidence are replaced. */
    void reassign(std::vector<int>& labels, std::vector<float>& confidence, float minimum) const;

private:
    bool compared(int viewA, int viewB) const;

    const CsrMatrix& similarity_;
    const LocalGeometry* geometry_;
    std::vector<int> offsets_;
    std::vector<int> view_;
    std::vector<std::vector<int>> comparedViews_; //!< per view, ascending
};

}} // namespace cv::multimatch

#endif
