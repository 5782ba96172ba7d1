// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "../base/checks.hpp"
#include "../base/run_control.hpp"
#include "input.hpp"

#include "opencv2/opencv_modules.hpp"
#if defined(HAVE_OPENCV_FEATURES2D)
#include "opencv2/features2d.hpp"
#define MULTIMATCH_HAVE_FEATURES
#elif defined(HAVE_OPENCV_FEATURES)
#include "opencv2/features.hpp" // the name since OpenCV 5
#define MULTIMATCH_HAVE_FEATURES
#endif

namespace cv { namespace multimatch {

std::vector<PairMatches> matchPairs(int viewCount, InputArray pairs_, const PairMatcher& matcher,
                                    const ProgressCallback& progress)
{
    if (viewCount < 0)
        CV_Error_(Error::StsOutOfRange, ("viewCount is %d, expected 0 or more", viewCount));
    Mat pairs = pairs_.getMat();
    if (pairs.empty())
        pairs = allPairs(viewCount);
    checkPairs(pairs);
    for (int n = 0; n < pairs.rows; ++n)
        for (int side = 0; side < 2; ++side)
            if (pairs.at<int>(n, side) >= viewCount)
                CV_Error_(Error::StsOutOfRange, ("pairs has view %d in row %d, expected below %d",
                                                 pairs.at<int>(n, side), n, viewCount));
    RunControl control(progress);
    control.begin("pairs");
    std::vector<PairMatches> result;
    for (int n = 0; n < pairs.rows && control.proceed(static_cast<double>(n) / pairs.rows); ++n)
    {
        const int i = pairs.at<int>(n, 0), j = pairs.at<int>(n, 1);
        result.push_back(PairMatches(i, j, matcher(i, j)));
    }
    return result;
}

#ifdef MULTIMATCH_HAVE_FEATURES

std::vector<PairMatches> matchPairs(InputArrayOfArrays descriptors_, InputArray pairs,
                                    const Ptr<DescriptorMatcher>& matcher,
                                    const std::function<void(int, int)>& beforePair,
                                    const ProgressCallback& progress)
{
    if (!matcher)
        CV_Error(Error::StsNullPtr, "matcher is empty");
    std::vector<Mat> descriptors;
    descriptors_.getMatVector(descriptors);
    return matchPairs(
        static_cast<int>(descriptors.size()), pairs,
        [&](int i, int j) {
            std::vector<DMatch> matches;
            if (descriptors[i].empty() || descriptors[j].empty())
                return matches;
            if (beforePair)
                beforePair(i, j);
            matcher->match(descriptors[i], descriptors[j], matches);
            return matches;
        },
        progress);
}

Tracks MultiMatcher::matchImages(InputArrayOfArrays images_, const Ptr<Feature2D>& features,
                                 std::vector<std::vector<KeyPoint>>& keypoints,
                                 InputArrayOfArrays masks_)
{
    if (!features)
        CV_Error(Error::StsNullPtr, "features is empty");
    std::vector<Mat> images, masks;
    images_.getMatVector(images);
    if (!masks_.empty())
        masks_.getMatVector(masks);
    if (!masks.empty() && masks.size() != images.size())
        CV_Error_(Error::StsUnmatchedSizes,
                  ("masks has %zu entries but images has %zu", masks.size(), images.size()));
    keypoints.assign(images.size(), std::vector<KeyPoint>());
    std::vector<Mat> descriptors(images.size());
    RunControl control(progressCallback());
    control.begin("features");
    for (size_t v = 0; v < images.size() &&
                       control.proceed(static_cast<double>(v) / static_cast<double>(images.size()));
         ++v)
        if (!images[v].empty())
            features->detectAndCompute(images[v], masks.empty() ? Mat() : masks[v], keypoints[v],
                                       descriptors[v]);
    MatchReport before;
    control.finish(before);
    Tracks tracks;
    if (control.cancelled())
    {
        std::vector<std::vector<int>> none;
        none.reserve(keypoints.size());
        for (const std::vector<KeyPoint>& view : keypoints)
            none.push_back(std::vector<int>(view.size(), -1));
        tracks = Tracks(none);
    }
    else
    {
        const int normType = getNormType();
        if (normType == 0)
            setNormType(features->defaultNorm());
        try
        {
            tracks = match(keypoints, descriptors);
        }
        catch (...)
        {
            setNormType(normType);
            throw;
        }
        setNormType(normType);
    }
    MatchReport report = tracks.report();
    report.cancelled = report.cancelled || before.cancelled;
    report.stages.insert(report.stages.begin(), before.stages.begin(), before.stages.end());
    report.seconds.insert(report.seconds.begin(), before.seconds.begin(), before.seconds.end());
    tracks.setReport(report);
    return tracks;
}

#else

std::vector<PairMatches> matchPairs(InputArrayOfArrays, InputArray, const Ptr<DescriptorMatcher>&,
                                    const std::function<void(int, int)>&, const ProgressCallback&)
{
    CV_Error(Error::StsNotImplemented, "this build of OpenCV has no module features2d");
}

Tracks MultiMatcher::matchImages(InputArrayOfArrays, const Ptr<Feature2D>&,
                                 std::vector<std::vector<KeyPoint>>&, InputArrayOfArrays)
{
    CV_Error(Error::StsNotImplemented, "this build of OpenCV has no module features2d");
}

#endif

Tracks MultiMatcher::match(InputArrayOfArrays images, const Ptr<Feature2D>& features,
                           InputArrayOfArrays masks)
{
    std::vector<std::vector<KeyPoint>> keypoints;
    return matchImages(images, features, keypoints, masks);
}

}} // namespace cv::multimatch
