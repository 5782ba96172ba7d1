// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "peer_base.hpp"

namespace cv { namespace multimatch {

class UnionFindImpl CV_FINAL : public RatioMatcher<UnionFind>
{
public:
    explicit UnionFindImpl(float ratio) { setRatio(ratio); }

    String getDefaultName() const CV_OVERRIDE { return "multimatch.UnionFind"; }

protected:
    std::vector<int> labelsOfMatches(const CsrMatrix& matches,
                                     const std::vector<int>& viewSizes) const CV_OVERRIDE
    {
        return consistentComponents(matches, viewSizes);
    }
    std::vector<int> labelsOfSimilarity(const CsrMatrix& similarity,
                                        const std::vector<int>& viewSizes) const CV_OVERRIDE
    {
        return consistentComponents(positiveEntries(similarity), viewSizes);
    }
};

Ptr<UnionFind> UnionFind::create(float ratio)
{
    return makePtr<UnionFindImpl>(ratio);
}

}} // namespace cv::multimatch
