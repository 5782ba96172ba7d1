// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "outputs.hpp"

#include "files.hpp"
#include "image_file.hpp"
#include "pair_table.hpp"
#include "report.hpp"

#include "opencv2/core/utility.hpp"

#include <cmath>

using namespace cv::multimatch;

namespace {

const int REPORT_WIDTH = 640; // of a picture

// Tile size for a picture of a few megapixels with any number of views.
int tileWidth(size_t viewCount)
{
    const double pixels = 5e6;
    const double width = std::sqrt(pixels * 1.4 / std::max<size_t>(1, viewCount));
    return std::min(480, std::max(96, static_cast<int>(width)));
}

void drawViews(const std::string& name, const Views& views, const Tracks& tracks)
{
    // Points are scaled to the thumbnails.
    std::vector<std::vector<cv::KeyPoint>> keypoints = views.keypoints();
    for (size_t i = 0; i < keypoints.size(); ++i)
    {
        const cv::Mat& picture = views.thumbnails[i];
        if (picture.empty())
            continue;
        const float scaleX = static_cast<float>(picture.cols) / views.infos[i].size.width;
        const float scaleY = static_cast<float>(picture.rows) / views.infos[i].size.height;
        for (size_t p = 0; p < keypoints[i].size(); ++p)
        {
            keypoints[i][p].pt.x = (keypoints[i][p].pt.x + 0.5f) * scaleX - 0.5f;
            keypoints[i][p].pt.y = (keypoints[i][p].pt.y + 0.5f) * scaleY - 0.5f;
        }
    }
    DrawTracksParams params;
    params.tileWidth = tileWidth(keypoints.size());
    // A large number of unmatched points would hide the images.
    size_t points = 0;
    for (size_t i = 0; i < keypoints.size(); ++i)
        points += keypoints[i].size();
    params.unmatchedPoints = points <= 800 * keypoints.size();
    cv::Mat mosaic;
    drawTracks(views.thumbnails, keypoints, tracks, mosaic, params);
    samples::writeImage(name, mosaic);
}

//! The views with names relative to the common folder of all images, as other programs expect.
std::vector<ViewInfo> namedForOthers(const Views& views)
{
    std::vector<ViewInfo> infos = views.infos;
    if (infos.empty())
        return infos;
    std::string shared = infos[0].name.substr(0, infos[0].name.find_last_of('/') + 1);
    for (size_t v = 1; v < infos.size(); ++v)
        while (infos[v].name.compare(0, shared.size(), shared) != 0)
        {
            const size_t slash =
                shared.size() < 2 ? std::string::npos : shared.find_last_of('/', shared.size() - 2);
            shared = slash == std::string::npos ? "" : shared.substr(0, slash + 1);
        }
    for (size_t v = 0; v < infos.size(); ++v)
        infos[v].name = infos[v].name.substr(shared.size());
    return infos;
}

} // namespace

std::vector<std::string> outputNames(const Options& options)
{
    std::vector<std::string> names = options.outputs;
    const std::string others[] = {options.colmap,  options.colmapText, options.openmvg,
                                  options.opensfm, options.bal,        options.draw,
                                  options.report,  options.pairReport};
    for (const std::string& name : others)
        if (!name.empty())
            names.push_back(name);
    return names;
}

int thumbnailWidth(const Options& options)
{
    if (!options.report.empty())
        return REPORT_WIDTH;
    if (options.draw.empty())
        return 0;
    return options.video.empty() ? tileWidth(options.images.size()) : 320;
}

void writeOutputs(const Options& options, const Views& views, const Matched& matched,
                  samples::StageTimes& times)
{
    cv::TickMeter timer;
    timer.start();
    const std::vector<ViewInfo> infos = namedForOthers(views);
    for (size_t i = 0; i < options.outputs.size(); ++i)
        writeTracks(options.outputs[i], views.infos, matched.tracks);
    if (!options.colmap.empty())
    {
        ColmapParams params;
        params.existing = options.colmapFill ? COLMAP_FILL
                          : options.force    ? COLMAP_REPLACE
                                             : COLMAP_REFUSE;
        params.verified = !options.raw;
        params.sharedCamera = options.sharedCamera;
        writeColmapDatabase(options.colmap, infos, matched.pairs, params);
    }
    if (!options.colmapText.empty())
        writeColmapText(options.colmapText, infos, matched.pairs);
    if (!options.openmvg.empty())
        writeOpenMVG(options.openmvg, infos, matched.pairs);
    if (!options.opensfm.empty())
        writeOpenSfM(options.opensfm, infos, matched.tracks);
    if (!options.bal.empty())
        writeBAL(options.bal, infos, matched.tracks);
    timer.stop();
    times.push_back(std::make_pair("write", timer.getTimeSec()));
    if (!options.draw.empty())
    {
        timer.reset();
        timer.start();
        drawViews(options.draw, views, matched.tracks);
        timer.stop();
        times.push_back(std::make_pair("draw", timer.getTimeSec()));
    }
    if (!options.report.empty())
        samples::writeReport(options.report, views.infos, views.thumbnails, matched.tracks, times,
                             matched.reports);
    if (!options.pairReport.empty())
    {
        std::vector<std::string> names;
        names.reserve(infos.size());
        for (const ViewInfo& view : infos)
            names.push_back(view.name);
        samples::writePairTable(options.pairReport, names, matched.reports);
    }
}
