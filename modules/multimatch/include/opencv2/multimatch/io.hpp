// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_IO_HPP
#define OPENCV_MULTIMATCH_IO_HPP

#include "opencv2/multimatch/pair_matches.hpp"
#include "opencv2/multimatch/tracks.hpp"

namespace cv { namespace multimatch {

//! @addtogroup multimatch
//! @{

/* Files of other programs. A library that was built with MULTIMATCH_IO=OFF has none of these
functions. In memory the center of the top left pixel is always (0, 0), as in all of OpenCV; readers
and writers convert. Every file appears under its name only when it is complete. Any number of
threads may call these functions at once; of several that write one file the last one remains, and
COLMAP's database is locked while it is filled. All functions throw cv::Exception, naming the file
and the line or value at fault. */

//! A view as it is described in files.
struct CV_EXPORTS_W_SIMPLE ViewInfo
{
    CV_PROP_RW String name;                     //!< of the image, as the other program uses it
    CV_PROP_RW Size size;                       //!< in pixels
    CV_PROP_RW std::vector<KeyPoint> keypoints; //!< matches and tracks refer to them by index
    CV_PROP_RW double focalLength;              //!< in pixels; 0: not known

    CV_WRAP ViewInfo();
};

//! What writeColmapDatabase does where the file exists.
enum ColmapExisting
{
    COLMAP_REFUSE = 0, //!< throws
    /** Adds to it: images are found by their name and keep their camera, others are added; matches
    of the same pairs of images are replaced. Throws where one of the images has other key points
    already. */
    COLMAP_FILL = 1,
    COLMAP_REPLACE = 2 //!< writes a new file in its place
};

//! How writeColmapDatabase writes.
struct CV_EXPORTS_W_SIMPLE ColmapParams
{
    CV_PROP_RW int existing; //!< ColmapExisting
    /** Matches go to two_view_geometries too, which is what the mapper reads; false: to matches
    alone, and COLMAP's own verification is to follow. */
    CV_PROP_RW bool verified;
    CV_PROP_RW bool sharedCamera; //!< one camera for all views of one size and focal length

    CV_WRAP ColmapParams();
};

//! True if this build has SQLite, which the two functions below need; they throw StsNotImplemented
//! otherwise.
CV_EXPORTS_W bool haveColmapDatabase();

/** @brief Writes cameras, images, key points and matches into a database of COLMAP (3.8 and newer).
@param filename the database, *.db
@param views with names, sizes, key points; a camera with unknown focal length gets 1.2 times the
longer side, without prior
@param matches each pair of views at most once
@param params see there
All in one transaction: where anything fails, an existing database stays as it was. Triggers of an
existing database have no effect. */
CV_EXPORTS_W void writeColmapDatabase(const String& filename, const std::vector<ViewInfo>& views,
                                      const std::vector<PairMatches>& matches,
                                      const ColmapParams& params = ColmapParams());

/** @brief Reads what writeColmapDatabase, COLMAP itself or others wrote.
@param filename the database
@param views ascending by image id; the focal length where it has a prior
@param matches pairs ascending; DMatch::distance is 0, COLMAP keeps none
@param verified the geometrically verified matches instead of the raw ones */
CV_EXPORTS_W void readColmapDatabase(const String& filename, CV_OUT std::vector<ViewInfo>& views,
                                     CV_OUT std::vector<PairMatches>& matches,
                                     bool verified = true);

/** @brief Writes text that COLMAP's feature_importer and matches_importer take.
@param folder gets a file NAME.txt per view (descriptors are zero) and matches.txt
@param views names must not contain white space: COLMAP would split them. Names that would put a
file outside of the folder (absolute, or with a part "..") are refused
@param matches each pair of views at most once */
CV_EXPORTS_W void writeColmapText(const String& folder, const std::vector<ViewInfo>& views,
                                  const std::vector<PairMatches>& matches);
//! Reads it again. views: names given, key points filled in.
CV_EXPORTS_W void readColmapText(const String& folder, CV_IN_OUT std::vector<ViewInfo>& views,
                                 CV_OUT std::vector<PairMatches>& matches);

/** @brief Writes OpenMVG's NAME.feat per view (the image's name without its ending) and
matches.f.txt into a folder. Views are numbered in their order here, which must be that of the
sfm_data file. */
CV_EXPORTS_W void writeOpenMVG(const String& folder, const std::vector<ViewInfo>& views,
                               const std::vector<PairMatches>& matches);
//! Reads it again. views: names given, key points filled in.
CV_EXPORTS_W void readOpenMVG(const String& folder, CV_IN_OUT std::vector<ViewInfo>& views,
                              CV_OUT std::vector<PairMatches>& matches);

/** @brief Writes OpenSfM's tracks.csv, version 2. Colors are gray, segmentation and instance
unknown. */
CV_EXPORTS_W void writeOpenSfM(const String& filename, const std::vector<ViewInfo>& views,
                               const Tracks& tracks);
/** @brief Reads it again.
@param filename the table
@param views names and sizes given, key points filled in; a feature that is in no track is at (-1,
-1)
@return tracks, all of confidence 1 */
CV_EXPORTS_W Tracks readOpenSfM(const String& filename, CV_IN_OUT std::vector<ViewInfo>& views);

/** @brief Writes observations as the data sets of "bundle adjustment in the large" have them: a
line with the numbers of cameras, points and observations, then `camera point u v`, u to the right
and v up from the center of the image. Parameters of cameras and points, which such files have
behind, are for a reconstruction to add. */
CV_EXPORTS_W void writeBAL(const String& filename, const std::vector<ViewInfo>& views,
                           const Tracks& tracks);
/** @brief Reads the observations of such a file.
@param filename the file; what follows the observations is not read
@param views sizes given; key points are filled in, one per observation in the order of the file
@return tracks, all of confidence 1 */
CV_EXPORTS_W Tracks readBAL(const String& filename, CV_IN_OUT std::vector<ViewInfo>& views);

//! True for names that writeTracks understands.
CV_EXPORTS_W bool isTrackFileName(const String& filename);

/** @brief Writes tracks and views in the format of the file extension.

.yml .yaml .json .xml, each also with .gz: the map that Tracks::load reads, and behind it "views", a
sequence of maps with name, width, height, focal and keypoints (as cv::read takes them).
.csv: a row per observation, ascending by track and view, with the columns
track,view,image,point,x,y,size,angle,confidence. */
CV_EXPORTS_W void writeTracks(const String& filename, const std::vector<ViewInfo>& views,
                              const Tracks& tracks);
/** @brief Reads what writeTracks wrote. A .csv has neither sizes nor points outside of tracks: the
latter are at (-1, -1). */
CV_EXPORTS_W Tracks readTracks(const String& filename, CV_OUT std::vector<ViewInfo>& views);

//! @}

}} // namespace cv::multimatch

#endif
