// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_TRACKS_HPP
#define OPENCV_MULTIMATCH_TRACKS_HPP

#include "opencv2/core.hpp"

#include <memory>
#include <string>
#include <vector>

namespace cv { namespace multimatch {

//! @addtogroup multimatch
//! @{

//! One key point of a track.
struct CV_EXPORTS_W_SIMPLE Observation
{
    CV_PROP_RW int view;         //!< index of the view
    CV_PROP_RW int point;        //!< index of the key point in that view
    CV_PROP_RW float confidence; //!< probability that the point belongs to the track, in [0, 1]

    CV_WRAP Observation();
    Observation(int view, int point, float confidence); //!< with these values
};

//! Report of a run: objective, iterations, seconds per stage. Stored in the Tracks that the run
//! returned.
struct CV_EXPORTS_W_SIMPLE MatchReport
{
    /** Objective at each iterate, the start first; never falls, as a step that would lower it is
    not taken. Empty for matchers without an objective. */
    CV_PROP_RW std::vector<double> objective;
    CV_PROP_RW int iterations;   //!< projections made from the chosen start
    CV_PROP_RW int universeSize; //!< d: given, or as estimated from the data
    CV_PROP_RW bool converged;   //!< false where maxIterations or the callback ended it
    CV_PROP_RW bool exact;       //!< false where the adjacency or rows of products were cut
    CV_PROP_RW bool cancelled;   //!< the progress callback returned false
    CV_PROP_RW std::vector<std::string> stages; //!< names, in the order in which they ran
    CV_PROP_RW std::vector<double> seconds;     //!< wall-clock seconds, one per stage
    /** What synchronize() found in its input, see inspectMatches(); 0 where descriptors were
     * matched. Nothing of it is an error. */
    CV_PROP_RW int duplicateMatches;
    CV_PROP_RW int ambiguousMatches; //!< likewise
    CV_PROP_RW int outsidePoints;    //!< points with a coordinate below -0.5
    CV_PROP_RW int coincidentPoints; //!< points at the place of an earlier point of their view

    CV_WRAP MatchReport();
    CV_WRAP double totalSeconds() const; //!< of all stages
};

//! Summary of a set of tracks.
struct CV_EXPORTS_W_SIMPLE TrackStatistics
{
    CV_PROP_RW int views;             //!< number of views
    CV_PROP_RW int points;            //!< key points in all views
    CV_PROP_RW int tracks;            //!< number of tracks
    CV_PROP_RW int observations;      //!< key points that belong to a track
    CV_PROP_RW double meanLength;     //!< observations / tracks, 0 without tracks
    CV_PROP_RW double meanConfidence; //!< over observations, 0 without tracks
    CV_PROP_RW double twoViewShare; //!< share of the tracks with two observations, 0 without tracks
    //! lengthCounts[n]: number of tracks with n observations.
    CV_PROP_RW std::vector<int> lengthCounts;

    CV_WRAP TrackStatistics();
};

/** @brief The result: which key points of many views are the same physical point.

Every key point of every view has a track id or -1 (unmatched). No id occurs twice in a view, so the
matches of all pairs agree with each other around every cycle of views. Ids run from 0 to size() - 1
in the order of each track's first observation (by view, then by point): they depend on the matching
alone, not on the number of threads or on the order in which views were compared.

Copies are cheap: they share one immutable content.

Threads: any number of threads may read one object, and copies of it, at once. No other thread may
use the object during assignment, read() and setReport(); its copies are not affected.
*/
class CV_EXPORTS_W_SIMPLE Tracks
{
public:
    CV_WRAP Tracks(); //!< no views

    /** @brief Tracks from one label per point.
    @param labels per view a label for each key point; negative: unmatched. Labels may be any
    non-negative numbers, they are renumbered to track ids.
    @param confidence per view a confidence in [0, 1] for each key point; empty: 1 for each matched
    point.
    @param minLength shorter tracks are dissolved, their points become unmatched.
    Throws cv::Exception if a label occurs twice in a view, or sizes differ. */
    CV_WRAP explicit Tracks(
        const std::vector<std::vector<int>>& labels,
        const std::vector<std::vector<float>>& confidence = std::vector<std::vector<float>>(),
        int minLength = 1);

    CV_WRAP int viewCount() const; //!< number of views
    CV_WRAP int size() const;      //!< number of tracks
    CV_WRAP bool empty() const;    //!< no track

    CV_WRAP int pointCount(int view) const; //!< number of key points of a view

    //! Track id of each key point of a view, -1: unmatched. A copy, see ids().
    CV_WRAP std::vector<int> trackIds(int view) const;
    //! Confidence of each key point's membership, 0 where unmatched. A copy, see confidences().
    CV_WRAP std::vector<float> confidence(int view) const;

    //! trackIds() without a copy. Valid as long as this object exists, up to setReport().
    const std::vector<int>& ids(int view) const;
    //! confidence() without a copy. Valid as long as this object exists, up to setReport().
    const std::vector<float>& confidences(int view) const;

    //! Observations of a track, ascending by view.
    CV_WRAP std::vector<Observation> track(int id) const;
    CV_WRAP int length(int id) const; //!< number of observations of a track

    /** @brief The matches between any two views, for findEssentialMat, drawMatches and others.
    queryIdx is the key point in view i, trainIdx the one in view j, imgIdx is j, distance is
    1 - the smaller of the two confidences. Ascending by queryIdx. Cost: per point of view i the
    logarithm of the length of its track. */
    CV_WRAP std::vector<DMatch> matches(int i, int j) const;

    /** @brief Tracks with at least minLength observations, each of at least minConfidence.
    Observations below minConfidence are removed first; a track that then is too short is
    dissolved. */
    CV_WRAP Tracks filter(int minLength, float minConfidence = 0.f) const;

    //! Number of views, points, tracks, histogram of lengths. Cost: linear in the points.
    CV_WRAP TrackStatistics statistics() const;

    /** @brief Coordinates as cv::sfm::reconstruct takes them: per view a 2 x size() CV_64F matrix,
    (-1, -1) where the track is not seen. @param keypoints the key points of the views, as
    matched. */
    CV_WRAP std::vector<Mat> points2d(const std::vector<std::vector<KeyPoint>>& keypoints) const;

    //! Report of the run that computed these tracks. Empty for tracks made from labels.
    CV_WRAP MatchReport report() const;
    void setReport(const MatchReport& report); //!< see report()

    void write(FileStorage& fs) const; //!< a map with ids, confidences and the report
    void read(const FileNode& node);   //!< throws cv::Exception where the node holds no tracks

    /** @brief Writes a .yml, .xml or .json file, or one of these with .gz appended.
    The file appears under its name only when it is complete. */
    CV_WRAP void save(const String& filename) const;
    //! Reads what save() wrote. Throws cv::Exception where the file does not hold tracks.
    CV_WRAP static Tracks load(const String& filename);

    //! Same ids and confidences; the report does not count.
    bool operator==(const Tracks& other) const;
    //! Not the same ids and confidences.
    bool operator!=(const Tracks& other) const { return !(*this == other); }

private:
    struct Content;
    std::shared_ptr<const Content> content_;
};

/** @brief Tracks from matrices as Tracks::points2d returns them and cv::sfm takes them: per view a
2 x tracks CV_64F matrix, (-1, -1): not seen.
@param points2d the matrices
@param keypoints per view the observed points, in the order of the tracks */
CV_EXPORTS_W Tracks tracksFromPoints2d(InputArrayOfArrays points2d,
                                       CV_OUT std::vector<std::vector<KeyPoint>>& keypoints);

//! @}

}} // namespace cv::multimatch

#endif
