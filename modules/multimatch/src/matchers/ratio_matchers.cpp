// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "peer_base.hpp"

#include "../starts/starts.hpp"

namespace cv { namespace multimatch {

class KruskalImpl CV_FINAL : public RatioMatcher<Kruskal>
{
public:
    explicit KruskalImpl(float ratio) { setRatio(ratio); }

    String getDefaultName() const CV_OVERRIDE { return "multimatch.Kruskal"; }

protected:
    std::vector<int> labelsOfMatches(const CsrMatrix& matches,
                                     const std::vector<int>& viewSizes) const CV_OVERRIDE
    {
        return nearestFirstLabels(matches, viewSizes);
    }
    std::vector<int> labelsOfSimilarity(const CsrMatrix& similarity,
                                        const std::vector<int>& viewSizes) const CV_OVERRIDE
    {
        return greedyLabels(similarity, viewSizes, 0.f);
    }
};

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

Ptr<Kruskal> Kruskal::create(float ratio)
{
    return makePtr<KruskalImpl>(ratio);
}

Ptr<UnionFind> UnionFind::create(float ratio)
{
    return makePtr<UnionFindImpl>(ratio);
}

}} // namespace cv::multimatch
