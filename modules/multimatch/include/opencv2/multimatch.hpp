// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#ifndef OPENCV_MULTIMATCH_HPP
#define OPENCV_MULTIMATCH_HPP

/**
@defgroup multimatch Multi-image matching: cycle-consistent tracks over many views

OpenCV's matchers compare two images. This module matches the key points of *many* images at once
and returns tracks: one id per physical point, the same in every view that shows it, and at most
once in each view. Such matches are cycle-consistent: following them from view to view and back to
the first view returns to the same point.

The main class is cv::multimatch::HiPPI, after "Higher-order Projected Power Iterations for Scalable
Multi-Matching" @cite Bernard2019. Its stages can also be called one by one:

| stage | function | result |
|---|---|---|
| pairs of similar views | cv::multimatch::retrievePairs | Mat |
| nearest neighbors | cv::multimatch::findNeighbors | NeighborGraph |
| similarity S | cv::multimatch::computeSimilarity | CsrMatrix |
| adjacency A | cv::multimatch::computeAdjacency | Adjacency |
| labels | cv::multimatch::HiPPI::solve | Tracks |

Letters, as in the paper: k views, m points in all, d universe points (the most tracks there can
be), W the m x m similarity, A the m x m block-diagonal adjacency, U the m x d assignment of points
to universe points. U is stored as one int label per point.

Use from several threads:

| class or function | at once in several threads |
|---|---|
| matchers (cv::multimatch::MultiMatcher and all derived from it) | different objects, also on the
same input; one object only in one thread at a time | | cv::multimatch::Tracks | reading one object
and its copies | | structs of parameters and results, cv::multimatch::CsrMatrix,
cv::multimatch::Adjacency | reading one object | | functions, among them those that read and write
files | any, on arguments that no other thread changes | | progress callbacks | called from the
thread that called match() only |

Files of other programs (COLMAP, openMVG, OpenSfM, ...) have a header of their own,
opencv2/multimatch/io.hpp, which this one does not include.

@{
    @defgroup multimatch_peers Other matchers
    @defgroup multimatch_stages The stages, one by one
    @defgroup multimatch_evaluation Evaluation
@}
*/

#include "opencv2/multimatch/adjacency.hpp"
#include "opencv2/multimatch/coordinate_matches.hpp"
#include "opencv2/multimatch/draw.hpp"
#include "opencv2/multimatch/evaluation.hpp"
#include "opencv2/multimatch/geometric_peers.hpp"
#include "opencv2/multimatch/geometry.hpp"
#include "opencv2/multimatch/hippi.hpp"
#include "opencv2/multimatch/matcher.hpp"
#include "opencv2/multimatch/merge.hpp"
#include "opencv2/multimatch/pair_matcher.hpp"
#include "opencv2/multimatch/pair_matches.hpp"
#include "opencv2/multimatch/pair_report.hpp"
#include "opencv2/multimatch/peers.hpp"
#include "opencv2/multimatch/retrieval.hpp"
#include "opencv2/multimatch/signatures.hpp"
#include "opencv2/multimatch/similarity.hpp"
#include "opencv2/multimatch/sparse.hpp"
#include "opencv2/multimatch/track_builder.hpp"
#include "opencv2/multimatch/tracks.hpp"
#include "opencv2/multimatch/version.hpp"

#endif
