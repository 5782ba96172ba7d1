// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "accuracy_plots.hpp"

#include "methods.hpp"
#include "plots.hpp"

#include "opencv2/core/utils/filesystem.hpp"
#include "opencv2/imgcodecs.hpp"

#include <algorithm>

namespace bench {

using namespace cv;

namespace {

const double LEAST_MEMBERSHIPS = 20; // a share of fewer is chance

void writePlot(const std::string& folder, const std::string& name, const Mat& picture)
{
    std::string file = name;
    std::replace(file.begin(), file.end(), '/', '-');
    const std::string path = folder + "/" + file + ".png";
    if (!imwrite(path, picture))
        CV_Error(Error::StsError, "cannot write " + path);
}

PlotSeries seriesOf(const Curve& curve)
{
    PlotSeries series;
    series.name = OURS;
    for (const CurvePoint& point : curve)
        if (point.matches > 0)
            series.points.push_back(Point2d(point.correct, point.precision()));
    return series;
}

Mat drawFscores(const Results& results, const std::string& family)
{
    const std::vector<std::string> methods = results.methodsOf(family, methodNames());
    std::vector<std::string> groups;
    std::vector<std::vector<double>> values;
    for (const std::string& set : results.setsOf(family))
    {
        groups.push_back(set.size() > family.size() ? set.substr(family.size() + 1) : set);
        values.push_back(std::vector<double>());
        for (const std::string& method : methods)
            values.back().push_back(results.get(set, method, "fscore"));
    }
    return drawBars("fscore, " + family, groups, methods, values);
}

Mat drawPrecision(const std::string& name, const std::vector<PlotSeries>& series)
{
    return drawSeries(name + ": precision as the confidence threshold moves", "correct pairs",
                      "precision", series);
}

// Ours as a curve, each peer where it stands.
std::vector<PlotSeries> withPeers(const Results& results, const std::string& set,
                                  const Curve& curve)
{
    std::vector<PlotSeries> all(1, seriesOf(curve));
    for (const std::string& method : methodNames())
        if (method != OURS && results.has(set, method, "pair-precision"))
        {
            PlotSeries peer;
            peer.name = method;
            peer.line = false;
            peer.points.push_back(Point2d(results.get(set, method, "correct-pairs"),
                                          results.get(set, method, "pair-precision")));
            all.push_back(peer);
        }
    return all;
}

Mat drawReliability(const Reliability& reliability)
{
    std::vector<PlotSeries> all;
    for (const auto& family : reliability.bins())
    {
        PlotSeries series;
        series.name = family.first;
        for (const Reliability::Bin& bin : family.second)
            if (bin.count >= LEAST_MEMBERSHIPS)
                series.points.push_back(Point2d(bin.confidence / bin.count, bin.right / bin.count));
        all.push_back(series);
    }
    PlotSeries ideal;
    ideal.name = "ideal";
    ideal.points = {Point2d(0, 0), Point2d(1, 1)};
    all.push_back(ideal);
    return drawSeries("share of right memberships by confidence", "confidence", "share right", all);
}

} // namespace

void writeAccuracyPlots(const std::string& folder, const Results& results,
                        const std::map<std::string, Curve>& setCurves,
                        const std::map<std::string, Curve>& familyCurves,
                        const Reliability& reliability)
{
    utils::fs::createDirectories(folder);
    for (const std::string& family : results.families())
    {
        bool labeled = false;
        for (const std::string& set : results.setsOf(family))
            for (const std::string& method : methodNames())
                labeled = labeled || results.has(set, method, "fscore");
        if (labeled)
            writePlot(folder, "fscore-" + family, drawFscores(results, family));
    }
    for (const auto& entry : setCurves)
        writePlot(folder, "precision-" + entry.first,
                  drawPrecision(entry.first, withPeers(results, entry.first, entry.second)));
    for (const auto& entry : familyCurves)
        writePlot(folder, "precision-" + entry.first,
                  drawPrecision(entry.first, std::vector<PlotSeries>(1, seriesOf(entry.second))));
    if (!reliability.bins().empty())
        writePlot(folder, "reliability", drawReliability(reliability));
}

} // namespace bench
