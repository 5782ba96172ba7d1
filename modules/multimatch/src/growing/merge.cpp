// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "../base/checks.hpp"
#include "../base/union_find.hpp"
#include "../input/input.hpp"
#include "contradictions.hpp"

#include "opencv2/multimatch/merge.hpp"

namespace cv { namespace multimatch {

namespace {

void checkParts(const std::vector<Tracks>& parts, const std::vector<std::vector<int>>& viewIndices,
                const std::vector<int>& pointCounts)
{
    if (parts.size() != viewIndices.size())
        CV_Error_(Error::StsUnmatchedSizes, ("there are %zu parts but viewIndices has %zu entries",
                                             parts.size(), viewIndices.size()));
    const int views = static_cast<int>(pointCounts.size());
    double sum = 0;
    for (int v = 0; v < views; ++v)
    {
        if (pointCounts[v] < 0)
            CV_Error_(Error::StsOutOfRange,
                      ("pointCounts[%d] is %d, expected 0 or more", v, pointCounts[v]));
        sum += pointCounts[v];
    }
    if (sum >= INT_MAX)
        CV_Error_(Error::StsOutOfRange,
                  ("pointCounts has %.0f points in all, expected fewer than %d", sum, INT_MAX));
    std::vector<int> partOfView(static_cast<size_t>(views), -1);
    for (size_t n = 0; n < parts.size(); ++n)
    {
        if (static_cast<int>(viewIndices[n].size()) != parts[n].viewCount())
            CV_Error_(Error::StsUnmatchedSizes,
                      ("parts[%zu] has %d views but viewIndices[%zu] has %zu", n,
                       parts[n].viewCount(), n, viewIndices[n].size()));
        for (int i = 0; i < parts[n].viewCount(); ++i)
        {
            const int v = viewIndices[n][i];
            if (v < 0 || v >= views)
                CV_Error_(Error::StsOutOfRange,
                          ("viewIndices[%zu][%d] is %d, expected a view of the %d in pointCounts",
                           n, i, v, views));
            if (partOfView[v] == static_cast<int>(n))
                CV_Error_(Error::StsBadArg,
                          ("viewIndices[%zu] has view %d twice, expected each view once", n, v));
            partOfView[v] = static_cast<int>(n);
            if (parts[n].pointCount(i) != pointCounts[v])
                CV_Error_(Error::StsUnmatchedSizes,
                          ("view %d of parts[%zu] has %d points but pointCounts[%d] is %d", i, n,
                           parts[n].pointCount(i), v, pointCounts[v]));
        }
    }
}

//! The tracks of all parts, on the points of the collection.
class Merge
{
public:
    Merge(const std::vector<Tracks>& parts, const std::vector<std::vector<int>>& viewIndices,
          const std::vector<int>& pointCounts)
        : parts_(parts), viewIndices_(viewIndices), sizes_(pointCounts),
          offsets_(viewOffsets(pointCounts))
    {
        const size_t points = static_cast<size_t>(offsets_.back());
        confidence_.assign(points, 0.f);
        joinAll();
        resolve();
    }

    Tracks tracks() const
    {
        std::vector<std::vector<int>> labels(sizes_.size());
        std::vector<std::vector<float>> confidences(sizes_.size());
        for (size_t v = 0; v < sizes_.size(); ++v)
        {
            labels[v].assign(labels_.begin() + offsets_[v], labels_.begin() + offsets_[v + 1]);
            confidences[v].assign(confidence_.begin() + offsets_[v],
                                  confidence_.begin() + offsets_[v + 1]);
        }
        return Tracks(labels, confidences, 2);
    }

private:
    //! Calls body(point of the collection, track of the part, confidence) for each observation of a
    //! part.
    template<typename Body>
    void forObservations(size_t part, const Body& body) const
    {
        for (int i = 0; i < parts_[part].viewCount(); ++i)
        {
            const std::vector<int>& ids = parts_[part].ids(i);
            const std::vector<float>& confidences = parts_[part].confidences(i);
            const int first = offsets_[viewIndices_[part][i]];
            for (size_t p = 0; p < ids.size(); ++p)
                if (ids[p] >= 0)
                    body(first + static_cast<int>(p), ids[p], confidences[p]);
        }
    }

    //! Tracks that have an observation in common get one label.
    void joinAll()
    {
        DisjointSets sets(offsets_.back());
        for (size_t n = 0; n < parts_.size(); ++n)
        {
            std::vector<int> point(static_cast<size_t>(parts_[n].size()), -1);
            forObservations(n, [&](int p, int track, float confidence) {
                int& first = point[track];
                if (first < 0)
                    first = p;
                sets.unite(first, p);
                float& most = confidence_[p];
                most = std::max(most, confidence);
            });
        }
        labels_ = sets.labels();
    }

    //! Where a label has two points of a view, all its points are assigned anew.
    void resolve()
    {
        const size_t points = labels_.size();
        std::vector<int> viewOfLabel(points, -1);
        std::vector<uchar> contradicts(points, 0); // per label
        for (size_t v = 0; v < sizes_.size(); ++v)
            for (int p = offsets_[v]; p < offsets_[v + 1]; ++p)
            {
                const size_t label = static_cast<size_t>(labels_[p]);
                if (viewOfLabel[label] == static_cast<int>(v))
                    contradicts[label] = 1;
                viewOfLabel[label] = static_cast<int>(v);
            }
        std::vector<int> number(points, -1), chosen; // the points of these labels
        std::vector<int> viewSizes(sizes_.size(), 0);
        for (size_t v = 0; v < sizes_.size(); ++v)
            for (int p = offsets_[v]; p < offsets_[v + 1]; ++p)
                if (contradicts[labels_[p]])
                {
                    number[p] = static_cast<int>(chosen.size());
                    chosen.push_back(p);
                    ++viewSizes[v];
                }
        if (chosen.empty())
            return;
        const std::vector<PartTrack> tracks = tracksOf(number);
        const std::vector<int> solved = resolveContradictions(viewSizes, tracks);
        std::vector<float> confidence(chosen.size(), 0.f);
        for (size_t t = 0; t < tracks.size(); ++t)
            keepConfidences(tracks[t].members, solved, confidence);
        for (size_t n = 0; n < chosen.size(); ++n)
        {
            const size_t p = static_cast<size_t>(chosen[n]);
            labels_[p] = solved[n] < 0 ? -1 : static_cast<int>(points) + solved[n];
            confidence_[p] = confidence[n];
        }
    }

    //! The largest confidence of each point on a track of a part of which another point has the
    //! same label.
    static void keepConfidences(const std::vector<PartMember>& members,
                                const std::vector<int>& labels, std::vector<float>& confidence)
    {
        std::vector<int> found;
        for (size_t n = 0; n < members.size(); ++n)
            found.push_back(labels[members[n].point]);
        std::sort(found.begin(), found.end());
        for (size_t n = 0; n < members.size(); ++n)
        {
            const size_t p = static_cast<size_t>(members[n].point);
            const auto range = std::equal_range(found.begin(), found.end(), labels[p]);
            if (labels[p] >= 0 && range.second - range.first > 1)
                confidence[p] = std::max(confidence[p], members[n].confidence);
        }
    }

    //! The tracks of parts that have points with a number, sorted by their content.
    std::vector<PartTrack> tracksOf(const std::vector<int>& number) const
    {
        std::vector<PartTrack> result;
        for (size_t n = 0; n < parts_.size(); ++n)
        {
            std::vector<int> at(static_cast<size_t>(parts_[n].size()), -1);
            forObservations(n, [&](int p, int track, float confidence) {
                if (number[p] < 0)
                    return;
                int& place = at[track];
                if (place < 0)
                {
                    place = static_cast<int>(result.size());
                    result.push_back(PartTrack());
                    result.back().part = static_cast<int>(n);
                }
                const PartMember member = {number[p], confidence};
                result[place].members.push_back(member);
            });
        }
        for (size_t t = 0; t < result.size(); ++t)
            std::sort(result[t].members.begin(), result[t].members.end());
        std::sort(result.begin(), result.end());
        return result;
    }

    const std::vector<Tracks>& parts_;
    const std::vector<std::vector<int>>& viewIndices_;
    const std::vector<int>& sizes_;
    std::vector<int> offsets_;
    std::vector<int> labels_; //!< per point
    std::vector<float> confidence_;
};

} // namespace

Tracks mergeTracks(const std::vector<Tracks>& parts,
                   const std::vector<std::vector<int>>& viewIndices,
                   const std::vector<int>& pointCounts)
{
    checkParts(parts, viewIndices, pointCounts);
    return Merge(parts, viewIndices, pointCounts).tracks();
}

}} // namespace cv::multimatch
