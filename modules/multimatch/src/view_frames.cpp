// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "view_frames.hpp"

#include "track_table.hpp"

#include <map>

namespace cv { namespace multimatch {

namespace {

const int NEXT_MEMBERS = 6;       //!< each member is compared with so many that follow in its track
const size_t MIN_SHARED = 8;      //!< tracks two views must share
const double MIN_AGREEMENT = 0.5; //!< mean resultant length of the angle differences
const double UPRIGHT_IS_ENOUGH = 0.8; //!< mean cosine of the angle differences

//! What one pair of views says about its relative rotation and scale.
struct Relation
{
    double cosine, sine, weight; //!< mean direction of the angle differences; number of tracks
    double logScale;
    int first, second;

    double agreement() const { return std::sqrt(cosine * cosine + sine * sine); }
};

typedef std::map<std::pair<int, int>, std::vector<std::pair<int, int>>> SharedPoints;

SharedPoints sharedPoints(const std::vector<int>& view, const std::vector<int>& labels,
                          const std::vector<float>& confidence)
{
    const TrackTable tracks(labels);
    SharedPoints shared;
    for (int t = 0; t < tracks.trackCount(); ++t)
        for (const int* p = tracks.begin(t); p != tracks.end(t); ++p)
        {
            int seen = 0;
            for (const int* q = p + 1; q != tracks.end(t) && seen < NEXT_MEMBERS; ++q, ++seen)
                if (confidence[*p] > 0 && confidence[*q] > 0)
                    shared[std::make_pair(view[*p], view[*q])].push_back(std::make_pair(*p, *q));
        }
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
    const float* x =
        input.points[static_cast<size_t>(view[p])].ptr<float>(p - input.offsets[view[p]]);
    return Point2d(x[0], x[1]);
}

//! Angle and logarithm of the scale from each shared point of the first view to its partner.
void differences(const MultiMatcher::Input& input, const std::vector<int>& view, bool angles,
                 const std::vector<std::pair<int, int>>& shared, std::vector<double>& turn,
                 std::vector<double>& logScale)
{
    turn.clear();
    logScale.clear();
    for (size_t s = 0; s < shared.size(); ++s)
    {
        const int p = shared[s].first, q = shared[s].second;
        if (angles)
        {
            turn.push_back((input.angles[q] - input.angles[p]) * CV_PI / 180);
            if (input.sizes[p] > 0 && input.sizes[q] > 0)
                logScale.push_back(std::log(input.sizes[q] / input.sizes[p]));
            continue;
        }
        const std::pair<int, int>& next = shared[(s + shared.size() / 2) % shared.size()];
        const Point2d a = place(input, view, next.first) - place(input, view, p);
        const Point2d b = place(input, view, next.second) - place(input, view, q);
        if (a.dot(a) > 0 && b.dot(b) > 0)
        {
            turn.push_back(std::atan2(a.cross(b), a.dot(b)));
            logScale.push_back(0.5 * std::log(b.dot(b) / a.dot(a)));
        }
    }
}

std::vector<Relation> relations(const MultiMatcher::Input& input, const std::vector<int>& labels,
                                const std::vector<float>& confidence)
{
    const std::vector<int> view = viewOfPoints(input.viewSizes);
    const bool angles = haveAngles(input);
    const SharedPoints shared = sharedPoints(view, labels, confidence);
    std::vector<Relation> result;
    std::vector<double> turn, logScale;
    for (SharedPoints::const_iterator pair = shared.begin(); pair != shared.end(); ++pair)
    {
        if (pair->second.size() < MIN_SHARED)
            continue;
        differences(input, view, angles, pair->second, turn, logScale);
        if (turn.empty() || logScale.empty())
            continue;
        Relation relation = {
            0, 0, static_cast<double>(turn.size()), 0, pair->first.first, pair->first.second};
        for (size_t s = 0; s < turn.size(); ++s)
        {
            relation.cosine += std::cos(turn[s]) / relation.weight;
            relation.sine += std::sin(turn[s]) / relation.weight;
        }
        const ptrdiff_t middle = static_cast<ptrdiff_t>(logScale.size() / 2);
        std::nth_element(logScale.begin(), logScale.begin() + middle, logScale.end());
        relation.logScale = logScale[static_cast<size_t>(middle)];
        result.push_back(relation);
    }
    return result;
}

} // namespace

std::vector<ViewFrame> estimateFrames(const MultiMatcher::Input& input,
                                      const std::vector<int>& labels,
                                      const std::vector<float>& confidence)
{
    std::vector<Relation> pairs = relations(input, labels, confidence);
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
