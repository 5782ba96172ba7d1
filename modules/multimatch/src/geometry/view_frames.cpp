// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "view_frames.hpp"

#include "../base/statistics.hpp"
#include "../base/track_table.hpp"

namespace cv { namespace multimatch {

namespace {

const int NEXT_MEMBERS = 6;       //!< each member is compared with so many that follow in its track
const size_t MIN_SHARED = 8;      //!< tracks two views must share
const double MIN_AGREEMENT = 0.5; //!< mean resultant length of the angle differences
const double UPRIGHT_IS_ENOUGH = 0.8; //!< mean cosine of the angle differences

//! Relative rotation and scale of one pair of views.
struct Relation
{
    double cosine, sine, weight; //!< mean direction of the angle differences; number of tracks
    double logScale;
    int first, second;

    double agreement() const { return std::sqrt(cosine * cosine + sine * sine); }
};

//! Two points of one track, in the present view and in another one.
struct SharedPoint
{
    int view; //!< the other one
    int track;
    int p, q;

    bool operator<(const SharedPoint& other) const
    {
        return view != other.view ? view < other.view : track < other.track;
    }
};

const float LEAST_CONFIDENCE = 0.5f; //!< of memberships that are used

//! Per other view the pairs of points that are on one track with a point of this view.
std::vector<SharedPoint> sharedPoints(int first, int last, const std::vector<int>& view,
                                      const std::vector<int>& labels, const TrackTable& tracks,
                                      const std::vector<float>& confidence)
{
    std::vector<SharedPoint> shared;
    for (int p = first; p < last; ++p)
    {
        if (labels[p] < 0 || !(confidence[p] > LEAST_CONFIDENCE))
            continue;
        const int* end = tracks.end(labels[p]);
        const int* q = std::upper_bound(tracks.begin(labels[p]), end, p);
        for (int seen = 0; q != end && seen < NEXT_MEMBERS; ++q, ++seen)
            if (confidence[*q] > LEAST_CONFIDENCE)
            {
                const SharedPoint point = {view[*q], labels[p], p, *q};
                shared.push_back(point);
            }
    }
    std::sort(shared.begin(), shared.end());
    return shared;
}

bool haveAngles(const MultiMatcher::Input& input)
{
    if (input.angles.empty())
        return false;
    const float first = input.angles[0];
    bool differ = false;
    for (size_t p = 0; p < input.angles.size(); ++p)
    {
        if (input.angles[p] < 0)
            return false;
        differ = differ || input.angles[p] != first;
    }
    return differ;
}

Point2d place(const MultiMatcher::Input& input, const std::vector<int>& view, int p)
{
    const float* x = input.points[view[p]].ptr<float>(p - input.offsets[view[p]]);
    return Point2d(x[0], x[1]);
}

//! Angle and logarithm of the scale from each shared point of the first view to its partner.
void differences(const MultiMatcher::Input& input, const std::vector<int>& view, bool angles,
                 const SharedPoint* shared, size_t count, std::vector<double>& turn,
                 std::vector<double>& logScale)
{
    turn.clear();
    logScale.clear();
    for (size_t s = 0; s < count; ++s)
    {
        const int p = shared[s].p, q = shared[s].q;
        if (angles)
        {
            turn.push_back((input.angles[q] - input.angles[p]) * CV_PI / 180);
            if (input.sizes[p] > 0 && input.sizes[q] > 0)
                logScale.push_back(std::log(input.sizes[q] / input.sizes[p]));
            continue;
        }
        const SharedPoint& next = shared[(s + count / 2) % count];
        const Point2d a = place(input, view, next.p) - place(input, view, p);
        const Point2d b = place(input, view, next.q) - place(input, view, q);
        if (a.dot(a) > 0 && b.dot(b) > 0)
        {
            turn.push_back(std::atan2(a.cross(b), a.dot(b)));
            logScale.push_back(0.5 * std::log(b.dot(b) / a.dot(a)));
        }
    }
}

//! Relation of one pair of views from their shared points; false: there are too few.
bool relationOf(const MultiMatcher::Input& input, const std::vector<int>& view, bool angles,
                const SharedPoint* shared, size_t count, Relation& relation)
{
    std::vector<double> turn, logScale;
    if (count >= MIN_SHARED)
        differences(input, view, angles, shared, count, turn, logScale);
    if (turn.empty() || logScale.empty())
        return false;
    relation.weight = static_cast<double>(turn.size());
    relation.cosine = relation.sine = 0;
    for (size_t s = 0; s < turn.size(); ++s)
    {
        relation.cosine += std::cos(turn[s]) / relation.weight;
        relation.sine += std::sin(turn[s]) / relation.weight;
    }
    relation.logScale = medianOf(logScale);
    relation.first = view[shared->p];
    relation.second = shared->view;
    return true;
}

std::vector<Relation> relations(const MultiMatcher::Input& input, const std::vector<int>& labels,
                                const std::vector<float>& confidence, RunControl& control)
{
    const std::vector<int> view = viewOfPoints(input.viewSizes);
    const bool angles = haveAngles(input);
    const TrackTable tracks(labels);
    std::vector<std::vector<Relation>> ofView(input.viewSizes.size());
    control.forSlices(
        static_cast<int>(ofView.size()), viewsInSlice(input.offsets),
        [&](const Range& range) {
            for (int v = range.start; v < range.end; ++v)
            {
                const std::vector<SharedPoint> shared = sharedPoints(
                    input.offsets[v], input.offsets[v + 1], view, labels, tracks, confidence);
                for (size_t first = 0, last = 0; first < shared.size(); first = last)
                {
                    while (last < shared.size() && shared[last].view == shared[first].view)
                        ++last;
                    Relation relation;
                    if (relationOf(input, view, angles, &shared[first], last - first, relation))
                        ofView[v].push_back(relation);
                }
            }
        },
        false);
    std::vector<Relation> result;
    for (size_t v = 0; v < ofView.size(); ++v)
        result.insert(result.end(), ofView[v].begin(), ofView[v].end());
    return result;
}

} // namespace

std::vector<ViewFrame> estimateFrames(const MultiMatcher::Input& input,
                                      const std::vector<int>& labels,
                                      const std::vector<float>& confidence, RunControl& control)
{
    std::vector<Relation> pairs = relations(input, labels, confidence, control);
    double upright = 0, weight = 0;
    for (size_t r = 0; r < pairs.size(); ++r)
        if (pairs[r].agreement() >= MIN_AGREEMENT)
        {
            upright += pairs[r].weight * pairs[r].cosine / pairs[r].agreement();
            weight += pairs[r].weight;
        }
    if (weight == 0)
        return std::vector<ViewFrame>();
    const bool rotate = upright < UPRIGHT_IS_ENOUGH * weight;

    // Best pairs first, each view joined once: a maximum spanning forest.
    std::stable_sort(pairs.begin(), pairs.end(), [](const Relation& a, const Relation& b) {
        return a.weight * a.agreement() > b.weight * b.agreement();
    });
    const size_t views = input.viewSizes.size();
    std::vector<ViewFrame> frames(views);
    std::vector<size_t> root(views);
    std::iota(root.begin(), root.end(), size_t(0));
    for (size_t r = 0; r < pairs.size(); ++r)
    {
        const Relation& pair = pairs[r];
        const size_t i = static_cast<size_t>(pair.first), j = static_cast<size_t>(pair.second);
        if (pair.agreement() < MIN_AGREEMENT || root[i] == root[j])
            continue;
        // The tree of j is turned as a whole so that it fits the tree of i.
        const double turn =
            frames[i].rotation + std::atan2(pair.sine, pair.cosine) - frames[j].rotation;
        const double stretch = frames[i].scale * std::exp(pair.logScale) / frames[j].scale;
        const size_t from = root[j];
        for (size_t v = 0; v < views; ++v)
            if (root[v] == from)
            {
                root[v] = root[i];
                frames[v].rotation += static_cast<float>(turn);
                frames[v].scale *= static_cast<float>(stretch);
            }
    }
    if (!rotate)
        for (size_t v = 0; v < views; ++v)
            frames[v].rotation = 0;
    return frames;
}

}} // namespace cv::multimatch
