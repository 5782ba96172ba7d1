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
    float rival;   //!< the largest such mean for another track
    float best;    //!< largest similarity to a member
    Predictions::Fit fit; //!< mean over members, zeros where geometry cannot tell
    int members;          //!< other members in compared views
};

//! The tracks that one point may belong to; filled by Confidence::collect for one point after the other, one per thread.
class EvidenceList
{
public:
    explicit EvidenceList(const TrackTable& tracks)
        : position_(static_cast<size_t>(tracks.trackCount()), -1)
    {
    }

    size_t size() const { return entries_.size(); }
    Evidence& operator[](size_t n) { return entries_[n]; }
    //! The entry of a track, NULL: none.
    Evidence* find(int track)
    {
        for (size_t n = 0; n < entries_.size(); ++n)
            if (entries_[n].track == track)
                return &entries_[n];
        return NULL;
    }

private:
    friend class Confidence;

    //! What the similarities of a point say for one track.
    struct Support
    {
        int track;
        float sum, best;
    };

    std::vector<Evidence> entries_;
    std::vector<Support> supports_; //!< scratch: of all tracks
    std::vector<int> position_;     //!< scratch: per track its support, -1: none
};

//! Weighs points against tracks.
class Confidence
{
public:
    /** kernel: the similarities are those of the Gaussian kernel on descriptors, so that one alone tells something; given
    ones may have any scale, or be all the same. */
    Confidence(const CsrMatrix& similarity, const std::vector<int>& viewSizes,
               const LocalGeometry* geometry, bool kernel);
    //! Another similarity, everything else as in the other.
    Confidence(const CsrMatrix& similarity, const Confidence& other);

    //! NULL: positions play no part.
    const LocalGeometry* geometry() const { return geometry_; }
    const CsrMatrix& similarity() const { return *similarity_; }
    //! First point of each view, k + 1 entries.
    const std::vector<int>& offsets() const { return offsets_; }
    const std::vector<int>& viewOfPoint() const { return view_; }
    //! Per view, ascending, those that its places are judged in: of the views compared with it the most similar ones.
    const std::vector<std::vector<int>>& judgedViews() const { return judgedViews_; }

    /** Geometry stays in use only if it supports the memberships that appearance believes in: positions may be
    missing, arbitrary or of things that do not keep their arrangement. */
    void dropGeometryUnlessItAgrees(const std::vector<int>& labels,
                                    const std::vector<float>& belief, RunControl& control);

    //! Confidence by appearance alone; 0 below one half, so that it can serve as belief.
    std::vector<float> byAppearance(const std::vector<int>& labels, RunControl& control) const;

    //! Evidence by appearance for point p and each track that it or one of its similar points belongs to.
    void collect(int p, const std::vector<int>& labels, const TrackTable& tracks,
                 EvidenceList& evidence) const;
    //! Adds how the point fits in with the places of the members. predictions: NULL leaves geometry out.
    void judgePlace(int p, const TrackTable& tracks, const Predictions* predictions,
                    Evidence& evidence) const;

    //! Probability in [0, 1] that the membership is right.
    float probability(const Evidence& evidence) const;
    //! The same of two points alone, by their similarity and places. predictions: NULL leaves geometry out.
    float probability(int p, int q, float similarity, const Predictions* predictions) const;
    //! The logit of that where the share of right memberships is a usual one, see adaptTo.
    float usualLogit(int p, int q, float similarity, const Predictions* predictions) const;

    /** What is told of a membership that was found to have this probability, so that of those told c about a share c is
    right: whatever survives the rounds that look for the best track is less sure than one membership looked at alone. */
    static float calibrated(float probability);

    //! Can p's place be judged by q's?
    bool judged(int p, int q) const
    {
        return isAmong(judgedViews_[static_cast<size_t>(view_[p])], view_[q]);
    }

    /** Adapts what is taken for a usual share of right memberships to this problem: verified matches deserve more trust
    than those of views full of outliers. */
    void adaptTo(const std::vector<int>& labels, const std::vector<float>& confidence);

    //! Confidence of every point in the track it has; 0 where it has none.
    std::vector<float> ofMembers(const std::vector<int>& labels, const Predictions* predictions,
                                 RunControl& control) const;

    //! What the believed tracks say about places; nothing where geometry is out of use.
    Ptr<Predictions> predict(const std::vector<int>& labels, const std::vector<float>& belief,
                             RunControl& control) const;

private:
    int comparedMembers(int p, const TrackTable& tracks, int track) const;
    Evidence ofOwnTrack(int p, const std::vector<int>& labels, const TrackTable& tracks) const;
    static bool isAmong(const std::vector<int>& views, int view);
    //! Are p and q in views that were compared?
    bool compared(int p, int q) const;
    double usualLogit(const Evidence& evidence) const;
    double logitByAppearance(const Evidence& evidence) const;

    const CsrMatrix* similarity_;
    const LocalGeometry* geometry_;
    bool kernel_;
    std::vector<int> offsets_;
    std::vector<int> view_;
    std::vector<std::vector<int>> comparedViews_; //!< per view, ascending
    std::vector<std::vector<int>> judgedViews_;   //!< per view, ascending
    bool allCompared_;
    double shift_; //!< of the logits that geometry has a part in, see adaptTo
};

}} // namespace cv::multimatch

#endif
