// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_MATCHER_HPP
#define OPENCV_MULTIMATCH_MATCHER_HPP

#include "opencv2/multimatch/pair_matches.hpp"
#include "opencv2/multimatch/tracks.hpp"

#include <functional>

namespace cv {

class Feature2D; // of the module features2d, since OpenCV 5 features

namespace multimatch {

//! @addtogroup multimatch
//! @{

struct MatchingProblem;

//! State of a run, the argument of the progress callback.
struct CV_EXPORTS Progress
{
    const char* stage;  //!< name of the stage, as in MatchReport::stages
    double fraction;    //!< of this stage, in [0, 1]
    double secondsLeft; //!< of this stage, from its pace so far; negative: not known yet

    Progress();
};

/** @brief Called from time to time, always from the thread that called match(). Return false to
stop. A stopped run returns the best tracks so far; MatchReport::cancelled is then true. */
typedef std::function<bool(const Progress&)> ProgressCallback;

//! How nearest neighbors are searched.
enum SearchMode
{
    //! Every point with every point of the views it is compared with.
    SEARCH_EXACT = 0,
    /** One index over all views: descriptors are sorted into cells of similar ones, and compared
    within a cell and with the cells around it. For large collections in which all views are
    compared: the cost grows with the points, not with the pairs of views. Some neighbors are
    missed. */
    SEARCH_APPROXIMATE = 1,
    /** Exact where two views have fewer than about 9,000 points each. Larger pairs of views are
    compared by cells: each point with those points of the other view that are nearest to the same
    few of many learned words. That finds 99 of 100 true matches. */
    SEARCH_AUTO = 2
};

/** @brief Interface of all matchers of this module: from the features of many views to Tracks.

A matcher is deterministic: the same input and seed give the same tracks, whatever the number of
threads, the order of the views and the order of the points in them.

write() and read() keep the parameters of the matcher and what setPairs(), setWindow(),
setNormType(), setSearchMode() and setMemoryBudget() set. They do not keep the progress callback,
initial labels and camera matrices.

Threads: one object is used by one thread at a time; this holds for all classes derived from this
one. Different objects may run in different threads at once, also on the same key points and
descriptors, which are only read. A run divides its work by cv::parallel_for_. */
class CV_EXPORTS_W MultiMatcher : public Algorithm
{
public:
    /** @brief Matches the key points of all views at once.
    @param keypoints per view its key points; a view may be empty
    @param descriptors one Mat per view, a row per key point; all CV_32F or all CV_8U, of one width;
    see setNormType() for how they are compared
    @return track ids, confidences and report
    Throws cv::Exception, before any work, on fewer than two views, counts or types that do not fit,
    and values that are not finite; it names the view, what was found and what was expected. */
    CV_WRAP Tracks match(const std::vector<std::vector<KeyPoint>>& keypoints,
                         InputArrayOfArrays descriptors);

    /** @brief Same for points without size and angle.
    @param points per view an n x 2 or n x 3 matrix (CV_32F or CV_64F, or n x 1 of 2 or 3 channels)
    @param descriptors as above */
    CV_WRAP Tracks matchPoints(InputArrayOfArrays points, InputArrayOfArrays descriptors);

    /** @brief Same for pictures: detects and describes their key points first.
    @param images per view a picture, as features takes it; no key points in an empty one
    @param features detector and descriptor (SIFT, ORB, ...)
    @param keypoints those that were found, per view; the tracks refer to them
    @param masks per view where to detect (CV_8UC1, not 0), an empty one or none: everywhere
    Descriptors are compared by features->defaultNorm() unless setNormType() was called. The report
    begins with the stage "features". Where the progress callback returns false in that stage the
    result has no tracks. Throws cv::Exception where the numbers of images and masks differ, and
    StsNotImplemented in a build without the module features2d. */
    CV_WRAP Tracks matchImages(InputArrayOfArrays images, const Ptr<Feature2D>& features,
                               CV_OUT std::vector<std::vector<KeyPoint>>& keypoints,
                               InputArrayOfArrays masks = noArray());
    //! Same as matchImages() without the key points: Feature2D finds the same again.
    Tracks match(InputArrayOfArrays images, const Ptr<Feature2D>& features,
                 InputArrayOfArrays masks = noArray());

    /** @brief Synchronizes matches that another matcher made (BFMatcher, FLANN, GMS, a learned one,
    COLMAP's).
    @param keypoints per view its key points
    @param matches of any pairs of views; see similarityFromMatches
    @param weights MatchWeights: what DMatch::distance is
    @return tracks in which all matches are consistent; contradicting matches are dropped
    setPairs() and setWindow() have no effect. Views and points are taken in the given order. Throws
    cv::Exception where an index or value does not fit, and StsNotImplemented by matchers that work
    on descriptors alone. */
    CV_WRAP Tracks synchronize(const std::vector<std::vector<KeyPoint>>& keypoints,
                               const std::vector<PairMatches>& matches,
                               int weights = WEIGHTS_FROM_DISTANCES);
    //! Same as synchronize().
    Tracks match(const std::vector<std::vector<KeyPoint>>& keypoints,
                 const std::vector<PairMatches>& matches, int weights = WEIGHTS_FROM_DISTANCES)
    {
        return synchronize(keypoints, matches, weights);
    }
    //! Same with a score in [0, 1] for each match.
    Tracks match(const std::vector<std::vector<KeyPoint>>& keypoints,
                 const std::vector<PairMatches>& matches,
                 const std::vector<std::vector<float>>& scores)
    {
        return synchronize(keypoints, matchesWithScores(matches, scores), WEIGHTS_FROM_SCORES);
    }

    /** @brief Which pairs of views to compare: N x 2 CV_32S. An empty matrix (default): those of
    setWindow().
    Throws cv::Exception on another shape or type, or a pair of a view with itself. */
    CV_WRAP virtual void setPairs(InputArray pairs) = 0;
    CV_WRAP virtual Mat getPairs() const = 0; //!< as set, N x 2 CV_32S or empty

    /** @brief Compare each view with the next window views only (a video); 0 (default): with all.
    Used where no pairs are set. */
    CV_WRAP virtual void setWindow(int window) = 0;
    CV_WRAP virtual int getWindow() const = 0; //!< as set

    /** @brief How descriptors are compared, as Feature2D::defaultNorm() returns it: NORM_L2 (CV_32F
    or CV_8U) or NORM_HAMMING (CV_8U). 0 (default): NORM_L2 for CV_32F, NORM_HAMMING for CV_8U, so
    that only numbers of type CV_8U, such as SIFT's, need another value. Throws cv::Exception on
    another value here, and in match() where the descriptors have another type. */
    CV_WRAP virtual void setNormType(int normType) = 0;
    CV_WRAP virtual int getNormType() const = 0; //!< as set

    //! SearchMode; SEARCH_AUTO by default. Throws cv::Exception on another value.
    CV_WRAP virtual void setSearchMode(int searchMode) = 0;
    CV_WRAP virtual int getSearchMode() const = 0; //!< as set

    /** @brief Bytes that match() may hold beside the input: the nearest-neighbor search of any
    matcher, and all stages of HiPPI; 0 (default): no limit. match() throws cv::Exception before any
    work where it could need more; the error states how much. Throws cv::Exception on a negative
    value. */
    CV_WRAP virtual void setMemoryBudget(double bytes) = 0;
    CV_WRAP virtual double getMemoryBudget() const = 0; //!< as set

    //! Called during a run, which stops where it returns false; an empty function: not called.
    virtual void setProgressCallback(const ProgressCallback& callback) = 0;

    struct Input; //!< features as passed to implementations; not part of the interface

protected:
    virtual Tracks run(const Input& input) = 0; //!< the work behind match() and matchPoints()
    //! The work behind synchronize(); by default not implemented.
    virtual Tracks runProblem(const MatchingProblem& problem);
    //! As set by setProgressCallback().
    virtual ProgressCallback progressCallback() const { return ProgressCallback(); }
};

//! @}

}
} // namespace cv::multimatch

#endif
