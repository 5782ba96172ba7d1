// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_GEOMETRY_HPP
#define OPENCV_MULTIMATCH_GEOMETRY_HPP

#include "opencv2/multimatch/hippi.hpp"
#include "opencv2/multimatch/pair_matches.hpp"

namespace cv { namespace multimatch {

//! @addtogroup multimatch
//! @{

//! Geometric model of two views of a rigid scene.
enum PairModel
{
    MODEL_FUNDAMENTAL = 0, //!< any scene, cameras not known
    MODEL_ESSENTIAL = 1,   //!< any scene, camera matrices known
    MODEL_HOMOGRAPHY = 2   //!< a plane, or a camera that only rotates
};

//! How pairs of views are verified.
struct CV_EXPORTS_W_SIMPLE VerificationParams
{
    CV_PROP_RW int model;         //!< PairModel
    CV_PROP_RW double maxError;   //!< of an inlier in pixels, > 0; see pairResidual
    CV_PROP_RW int minInliers;    //!< pairs of views with fewer have no geometry, >= 8
    CV_PROP_RW double confidence; //!< of the search, in (0, 1)
    CV_PROP_RW int maxIterations; //!< of the search, >= 1
    CV_PROP_RW int seed;          //!< of the search

    CV_WRAP VerificationParams();
    void write(FileStorage& fs) const; //!< a node per parameter
    void read(const FileNode& node);   //!< absent nodes keep their value
    //! Throws cv::Exception, naming the parameter, its value and its range, where one is out of
    //! range.
    void validate() const;
};

//! The relation of two views.
struct CV_EXPORTS_W_SIMPLE PairGeometry
{
    CV_PROP_RW int first;  //!< index of one view
    CV_PROP_RW int second; //!< index of the other view
    CV_PROP_RW int model;  //!< PairModel; essential matrices are given as fundamental ones
    /** 3 x 3 CV_64F: F with y' F x = 0 or H with y ~ H x, for x in the first and y in the second
    view. Empty: no reliable geometry was found. */
    CV_PROP_RW Mat matrix;
    CV_PROP_RW int inliers; //!< matches that agree with it

    CV_WRAP PairGeometry();
};

/** @brief Residual of two points under the geometry of their views, in pixels.
The larger of both distances to the other's epipolar line, or to the other's image under the
homography. */
CV_EXPORTS_W double pairResidual(const PairGeometry& geometry, const Point2f& inFirst,
                                 const Point2f& inSecond);

/** @brief The geometry of each pair of views, by USAC (cv::findFundamentalMat, cv::findEssentialMat
or cv::findHomography), refined on all inliers.
@param keypoints per view its key points
@param matches of any pairs of views
@param params see there
@param cameraMatrices per view its 3 x 3 K; needed for MODEL_ESSENTIAL, else not used
@return one entry for each of matches, in their order
The same for any number of threads: pairs are independent and each has its own seed. Throws
cv::Exception where an index does not fit. */
CV_EXPORTS_W std::vector<PairGeometry>
estimateGeometry(const std::vector<std::vector<KeyPoint>>& keypoints,
                 const std::vector<PairMatches>& matches,
                 const VerificationParams& params = VerificationParams(),
                 InputArrayOfArrays cameraMatrices = noArray());

/** @brief The matches that agree with their geometry, to be used before synchronization.
@param keypoints per view its key points
@param matches to be verified
@param geometries of estimateGeometry for the same matches
@param maxError in pixels
@return one entry for each of matches; those of pairs without geometry are empty */
CV_EXPORTS_W std::vector<PairMatches>
verifyMatches(const std::vector<std::vector<KeyPoint>>& keypoints,
              const std::vector<PairMatches>& matches, const std::vector<PairGeometry>& geometries,
              double maxError);

/** @brief Cleans tracks by the geometry of their pairs of views.
@param keypoints per view its key points
@param tracks to be cleaned
@param geometries of any pairs of views; pairs that are missing or have no geometry are ignored
@param maxError in pixels
@param minLength shorter tracks are dissolved
@return the tracks in which no two observations contradict the geometry of their views: the
observation that contradicts most others is removed first, until none contradicts another */
CV_EXPORTS_W Tracks cleanTracks(const std::vector<std::vector<KeyPoint>>& keypoints,
                                const Tracks& tracks, const std::vector<PairGeometry>& geometries,
                                double maxError, int minLength = 2);

//! Parameters of GuidedHiPPI. Nothing has to be set.
struct CV_EXPORTS_W_SIMPLE GuidedParams
{
    CV_PROP_RW HiPPIParams hippi;               //!< of the iteration
    CV_PROP_RW VerificationParams verification; //!< of the pairs of views
    CV_PROP_RW int candidates; //!< most similar points along the geometry, per point and view, >= 1

    CV_WRAP GuidedParams();
    void write(FileStorage& fs) const; //!< nodes hippi, verification and candidates
    void read(const FileNode& node);   //!< absent nodes keep their value
    //! Throws cv::Exception, naming the parameter, its value and its range, where one is out of
    //! range.
    void validate() const;
};

/** @brief HiPPI for photographs of a rigid scene: the geometry of pairs of views is evidence too.

The same iteration as HiPPI's on partial data. In every round the present tracks give each pair of
views its geometry; points along it become candidates, and the residual across the epipolar line and
the residual of the predicted place along it form one density in the plane. For pairs of views
without geometry the other witnesses are used. */
class CV_EXPORTS_W GuidedHiPPI : public MultiMatcher
{
public:
    //! A matcher with these parameters. Throws as setParams does.
    CV_WRAP static Ptr<GuidedHiPPI> create(const GuidedParams& params = GuidedParams());

    //! Throws cv::Exception, naming the parameter, its value and its range, where one is out of
    //! range.
    CV_WRAP virtual void setParams(const GuidedParams& params) = 0;
    CV_WRAP virtual GuidedParams getParams() const = 0; //!< a copy

    //! Per view its 3 x 3 K, CV_32F or CV_64F, in the order of the views of match(); needed for
    //! MODEL_ESSENTIAL.
    CV_WRAP virtual void setCameraMatrices(InputArrayOfArrays cameraMatrices) = 0;

    //! The geometry that the last match() ended with, pairs in the caller's order of views.
    CV_WRAP virtual std::vector<PairGeometry> getGeometries() const = 0;
};

//! @}

}} // namespace cv::multimatch

#endif
