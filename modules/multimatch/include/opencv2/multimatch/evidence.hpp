// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_EVIDENCE_HPP
#define OPENCV_MULTIMATCH_EVIDENCE_HPP

#include "opencv2/core.hpp"

namespace cv { namespace multimatch {

//! @addtogroup multimatch
//! @{

//! Kinds of evidence on whether two points are the same physical point. Flags, to be combined.
enum WitnessFlags
{
    WITNESS_PLACE = 1,    //!< position, as the tracks around predict it
    WITNESS_FRAME = 2,    //!< angle and size of the key points, as the tracks around predict them
    WITNESS_OVERLAP = 4,  //!< share of the tracks around that are seen in the other view
    WITNESS_GEOMETRY = 8, //!< epipolar line or homography of the two views; GuidedHiPPI only
    WITNESS_ALL = 15
};

/** @brief The constants of the evidence on partial data. Nothing has to be set.

The constants that decide results are here. The benchmarks of the project name the data sets that
they were chosen on, and what half and twice their values change. Everything else (densities of
descriptor distances, residuals, angles and sizes, priors, confidences) is learned from the problem
itself. */
struct CV_EXPORTS_W_SIMPLE EvidenceParams
{
    CV_PROP_RW int witnesses; //!< WitnessFlags; descriptors or given matches are always used
    /** Log-odds of a pair are limited to +- this value, > 0, and so are those of descriptors or
    given matches and, in GuidedHiPPI, of all witnesses; otherwise the other witnesses are limited
    to it where they are in favor of a pair: no pair and no witness alone is certain. A pair that is
    no candidate counts with the negative limit. */
    CV_PROP_RW float maxLogOdds;
    /** Log-odds that a new track costs, in [0, maxLogOdds), and that each further member costs
    where positions, angles and sizes say nothing; the more they say, the less a member costs. */
    CV_PROP_RW float trackCost;
    //! The start joins no points of less similarity (Gaussian kernel), in [0, 1].
    CV_PROP_RW float startSimilarity;
    CV_PROP_RW float clearRatio; //!< ratio test of the pairs that are learned from first, in (0, 1]
    //! Share of points with a partner in another view, at first, in (0, 1).
    CV_PROP_RW float firstShare;
    CV_PROP_RW float reach; //!< candidates have log-odds by descriptors of at least minus this, > 0
    /** Descriptor distances d are compared as d^2 / (o_p o_q), o_p^2 = own^2 + ownShare *
    usual^2, >= 0; own: distance to the closest descriptor of the same view, usual: median distance
    of right pairs. */
    CV_PROP_RW float ownShare;
    /** Points around a point whose tracks are used, in [6, 250]. Where the other view has too few
    of these tracks for a map, given matches and GuidedHiPPI use four times as many points, and the
    map then needs as many tracks as context says. */
    CV_PROP_RW int around;
    /** The closest of these tracks predict its place, at most so many, in [6, 16]. Also the number
    of pseudo-counts that draw what is learned of a pair of views to the mean of all. */
    CV_PROP_RW int context;
    CV_PROP_RW float ridge; //!< ridge of the local affine maps, as a share of the trace, > 0
    //! A prediction is never more precise than this share of the radius of the tracks around, > 0.
    CV_PROP_RW float spreadFloor;
    CV_PROP_RW float wrongRadius; //!< a wrong point lies anywhere within so many such radii, > 0
    /** Weight of the evidence of the place in the confidence, in [0, 1]: members beside their
    predicted place become less probable. Not used by GuidedHiPPI, which removes such members by the
    geometry of pairs of views. */
    CV_PROP_RW float placeWeight;
    //! Further candidates are searched within so many spreads of the predicted place, > 0.
    CV_PROP_RW float likelySpreads;
    CV_PROP_RW int likelyCount; //!< and at most so many of them, per point and view, >= 0
    //! Share of right pairs that lie anywhere along their epipolar line, in [0, 1].
    CV_PROP_RW float alongStray;
    //! Least share of right pairs off the geometry of their views, in (0, 1).
    CV_PROP_RW float lineStray;
    CV_PROP_RW float lineDecay; //!< that share falls as exp(-(inliers - 8) / lineDecay), > 0
    //! GuidedHiPPI estimates geometries after so many rounds, >= 0.
    CV_PROP_RW int roundsBeforeGeometry;
    //! The iteration ends where the objective grows by less than this share, >= 0.
    CV_PROP_RW float minGrowth;

    CV_WRAP EvidenceParams();
    void write(FileStorage& fs) const; //!< one node per parameter
    void read(const FileNode& node);   //!< absent nodes keep their value
    //! Throws cv::Exception, naming the parameter, its value and its range, where one is out of
    //! range.
    void validate() const;
};

//! @}

}} // namespace cv::multimatch

#endif
