// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_TRACK_BUILDER_HPP
#define OPENCV_MULTIMATCH_TRACK_BUILDER_HPP

#include "opencv2/multimatch/hippi.hpp"

#include <vector>

namespace cv { namespace multimatch {

//! @addtogroup multimatch
//! @{

//! What TrackBuilder::add or TrackBuilder::remove changed, by the ids of TrackBuilder::ids; each
//! list ascending.
struct CV_EXPORTS_W_SIMPLE TrackChanges
{
    CV_PROP_RW std::vector<int> created;  //!< new ids
    CV_PROP_RW std::vector<int> extended; //!< ids from before that got observations, also by a join
    CV_PROP_RW std::vector<int>
        joined; //!< ids that do not exist any more, as they became part of an older one
    CV_PROP_RW std::vector<int> into;    //!< for each of joined that older id
    CV_PROP_RW std::vector<int> reduced; //!< ids that lost observations and still exist
    CV_PROP_RW std::vector<int> removed; //!< ids that have no observation any more

    CV_WRAP TrackChanges(); //!< no change
};

/** @brief Tracks of a collection that grows: photographs that are added later, or the frames of a
video.

The first add() of several views is a run of HiPPI. Every later one compares the new views with some
of the views before and assigns their points to the tracks that there are, by the log-odds of HiPPI
on partial data. Points that had no track get one where a new point shows that they belong together,
and tracks are joined that a new point connects. An observation leaves its track where the members
that came later contradict it more than the earlier ones support it; otherwise tracks stay as they
are. So the cost is that of the pairs of views that are new, and the result depends on the order in
which views are added. Early decisions rest on few views; therefore all views are solved again, as
HiPPI does, whenever enough pairs are new, see setRefreshShare().

Ids are stable: an id stays with the observations that had it, unless they leave their track; new
tracks get new ids; where tracks are joined the oldest id remains; where a track is divided the part
with most of its observations keeps the id. Views keep their numbers.

@code
cv::Ptr<TrackBuilder> builder = TrackBuilder::create();
builder->add(keypoints, descriptors); // the collection so far

int view = builder->add({newKeypoints}, std::vector<cv::Mat>(1, newDescriptors)); // one more
std::vector<int> ids = builder->ids(view);
@endcode

Memory: key points and descriptors of all views that were not removed.

Threads: one object is used by one thread at a time. */
class CV_EXPORTS_W TrackBuilder
{
public:
    virtual ~TrackBuilder() {}

    /** @brief A builder without views.
    @param params of the matching; mode has to be HIPPI_PARTIAL, and start, universeSize, minLength
    and maxIterations have an effect in the first add() only. Throws cv::Exception as
    HiPPIParams::validate does. */
    CV_WRAP static Ptr<TrackBuilder> create(const HiPPIParams& params = HiPPIParams());

    /** @brief Adds views.
    @param keypoints per new view its key points; a view may be empty
    @param descriptors one Mat per new view, as MultiMatcher::match takes them, all of the type and
    width of the views before
    @param pairs N x 2 CV_32S: which pairs of views to compare, by their numbers; the first new view
    has the number viewCount(). Each pair has a new view. Empty (default): each new view with the
    views before it, see setWindow().
    @return number of the first new view; -1: the progress callback returned false, and nothing was
    added Throws cv::Exception, and adds nothing, where the input is not as described. Cost: the
    search of the pairs, and a few passes over their candidates. */
    CV_WRAP virtual int add(const std::vector<std::vector<KeyPoint>>& keypoints,
                            InputArrayOfArrays descriptors, InputArray pairs = noArray()) = 0;

    /** @brief Removes the observations, key points and descriptors of a view. Its number is not
    used again; it counts as a view without points. A track that has one observation left keeps its
    id. Throws cv::Exception where the view does not exist. */
    CV_WRAP virtual void remove(int view) = 0;

    //! Tracks of at least HiPPIParams::minLength and 2 observations over all views, numbered anew
    //! as always; see ids() for ids that stay.
    CV_WRAP virtual Tracks tracks() const = 0;
    //! Id of each key point of a view, -1: none. Ids of tracks are at least 0 and never used again.
    CV_WRAP virtual std::vector<int> ids(int view) const = 0;
    //! What the last add() or remove() changed.
    CV_WRAP virtual TrackChanges changes() const = 0;

    CV_WRAP virtual int viewCount() const = 0; //!< number of views, with those that were removed
    CV_WRAP virtual std::vector<KeyPoint> keypoints(int view) const = 0; //!< as added
    CV_WRAP virtual Mat descriptors(int view) const = 0;                 //!< as added

    /** @brief Compare each new view with the window views before it only (a video); 0 (default):
     * with all. Removed views do not count. */
    CV_WRAP virtual void setWindow(int window) = 0;
    CV_WRAP virtual int getWindow() const = 0; //!< as set

    /** @brief When to solve all views again: as soon as this share of all compared pairs of views
    is new since that was done last; from 0 to 1, 0: never.
    With the default of 0.2 all these runs together take about five times as long as one over all
    views. An add() that solves all views again takes as long as that one. */
    CV_WRAP virtual void setRefreshShare(double share) = 0;
    CV_WRAP virtual double getRefreshShare() const = 0; //!< as set

    //! As MultiMatcher::setNormType; before the first view is added.
    CV_WRAP virtual void setNormType(int normType) = 0;
    CV_WRAP virtual int getNormType() const = 0; //!< as set

    //! Called during add(), which stops where it returns false; an empty function: not called.
    virtual void setProgressCallback(const ProgressCallback& callback) = 0;

    /** @brief Writes the whole state to a .yml, .xml or .json file, or one of these with .gz
    appended. The file appears under its name only when it is complete. The progress callback is not
    kept. */
    CV_WRAP virtual void save(const String& filename) const = 0;
    //! Adds the node track_builder to a file, which load() reads whatever else the file holds.
    virtual void write(FileStorage& fs) const = 0;
    //! Reads what save() wrote. Throws cv::Exception where the file does not hold a consistent
    //! state.
    CV_WRAP static Ptr<TrackBuilder> load(const String& filename);
};

//! @}

}} // namespace cv::multimatch

#endif
