// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Text with a row per observation: OpenSfM, bundle adjustment, our own tables; and cv::sfm's
// matrices.

#include "track_text.hpp"

#include "text_file.hpp"

#include <climits>

namespace cv { namespace multimatch {

namespace {

const char* const OPENSFM_VERSION = "OPENSFM_TRACKS_VERSION_v2";
const char* const CSV_COLUMNS = "track,view,image,point,x,y,size,angle,confidence";

//! Labels and key points, filled row by row.
class ObservationTable
{
public:
    explicit ObservationTable(size_t views) : keypoints(views), labels(views), confidence(views) {}

    void add(int view, int point, int track, const KeyPoint& keypoint, float membership,
             const TextReader& in)
    {
        const size_t needed = static_cast<size_t>(point) + 1;
        if (needed > labels[view].size())
        {
            keypoints[view].resize(needed, KeyPoint(-1.f, -1.f, 0.f)); // nothing is known of them
            labels[view].resize(needed, -1);
            confidence[view].resize(needed, 0.f);
        }
        if (labels[view][point] >= 0)
            in.fail(format("point %d of view %d is in two tracks", point, view));
        labels[view][point] = track;
        keypoints[view][point] = keypoint;
        confidence[view][point] = membership;
    }

    //! The table as tracks; its key points become those of the views.
    Tracks tracks(std::vector<ViewInfo>& views)
    {
        for (size_t v = 0; v < views.size(); ++v)
            views[v].keypoints.swap(keypoints[v]);
        return Tracks(labels, confidence);
    }

    std::vector<std::vector<KeyPoint>> keypoints;
    std::vector<std::vector<int>> labels;
    std::vector<std::vector<float>> confidence;
};

// Points and views without a track are not in a table, so numbers may be larger than its rows.
const int MIN_POINT_LIMIT = 1000000, MIN_VIEW_LIMIT = 10000;

std::string quoted(const std::string& text)
{
    if (text.find_first_of(",\"\n\r") == std::string::npos)
        return text;
    std::string result = "\"";
    for (size_t i = 0; i < text.size(); ++i)
        result += text[i] == '"' ? std::string("\"\"") : std::string(1, text[i]);
    return result + "\"";
}

} // namespace

void writeOpenSfM(const String& filename, const std::vector<ViewInfo>& views, const Tracks& tracks)
{
    checkSizes(tracks, keypointCounts(views), "views");
    viewsByName(views);
    for (size_t v = 0; v < views.size(); ++v)
    {
        checkSize(views[v], "OpenSfM's table");
        if (views[v].name.find_first_of("\t\r\n") != String::npos)
            CV_Error_(Error::StsBadArg,
                      ("views[%d] has a tab or line end in its name, which OpenSfM's table cannot "
                       "hold",
                       static_cast<int>(v)));
    }
    TextWriter file(filename);
    file.stream() << OPENSFM_VERSION << '\n';
    for (int t = 0; t < tracks.size(); ++t)
    {
        const std::vector<Observation> track = tracks.track(t);
        for (size_t o = 0; o < track.size(); ++o)
        {
            const ViewInfo& view = views[track[o].view];
            const KeyPoint& keypoint = view.keypoints[track[o].point];
            const double side = std::max(view.size.width, view.size.height);
            file.stream() << view.name << '\t' << t << '\t' << track[o].point << '\t'
                          << joined({(keypoint.pt.x + 0.5 - view.size.width / 2.) / side,
                                     (keypoint.pt.y + 0.5 - view.size.height / 2.) / side,
                                     keypoint.size / side},
                                    12, '\t')
                          << "\t128\t128\t128\t-1\t-1\n";
        }
    }
    file.commit();
}

Tracks readOpenSfM(const String& filename, std::vector<ViewInfo>& views)
{
    const std::map<String, int> number = viewsByName(views);
    for (size_t v = 0; v < views.size(); ++v)
        checkSize(views[v], "OpenSfM's table");
    TextReader in(filename);
    std::string first;
    if (!in.line(first) || first != OPENSFM_VERSION)
        in.fail("found \"" + first + "\", expected " + OPENSFM_VERSION);
    ObservationTable table(views.size());
    std::vector<std::string> parts;
    while (in.fields(parts, '\t'))
    {
        if (parts.size() == 1 && parts[0].empty())
            continue;
        in.expectFields(parts, 11);
        const std::map<String, int>::const_iterator found = number.find(parts[0]);
        if (found == number.end())
            in.fail("there is no view \"" + parts[0] + "\"");
        const ViewInfo& view = views[found->second];
        const double side = std::max(view.size.width, view.size.height);
        const KeyPoint keypoint(
            static_cast<float>(in.number(parts[3]) * side + view.size.width / 2. - 0.5),
            static_cast<float>(in.number(parts[4]) * side + view.size.height / 2. - 0.5),
            static_cast<float>(in.number(parts[5]) * side));
        table.add(found->second, in.integer(parts[2], 0, in.plausible(MIN_POINT_LIMIT)),
                  in.integer(parts[1], 0, INT_MAX), keypoint, 1.f, in);
    }
    return table.tracks(views);
}

void writeBAL(const String& filename, const std::vector<ViewInfo>& views, const Tracks& tracks)
{
    checkSizes(tracks, keypointCounts(views), "views");
    for (size_t v = 0; v < views.size(); ++v)
        checkSize(views[v], "a list of centered observations");
    TextWriter file(filename);
    file.stream() << views.size() << ' ' << tracks.size() << ' ' << tracks.statistics().observations
                  << '\n';
    for (int t = 0; t < tracks.size(); ++t)
    {
        const std::vector<Observation> track = tracks.track(t);
        for (size_t o = 0; o < track.size(); ++o)
        {
            const ViewInfo& view = views[track[o].view];
            const Point2f& point = view.keypoints[track[o].point].pt;
            file.stream() << track[o].view << ' ' << t << ' '
                          << joined({point.x + 0.5 - view.size.width / 2.,
                                     view.size.height / 2. - 0.5 - point.y},
                                    12, ' ')
                          << '\n';
        }
    }
    file.commit();
}

Tracks readBAL(const String& filename, std::vector<ViewInfo>& views)
{
    for (size_t v = 0; v < views.size(); ++v)
        checkSize(views[v], "a list of centered observations");
    TextReader in(filename);
    std::vector<std::string> parts;
    if (!in.fields(parts))
        in.fail("nothing there, expected three numbers");
    in.expectFields(parts, 3);
    const int cameras = in.integer(parts[0], 0, INT_MAX);
    const int points = in.integer(parts[1], 0, INT_MAX);
    const int observations = in.integer(parts[2], 0, INT_MAX);
    if (cameras != static_cast<int>(views.size()))
        in.fail(format("has %d cameras, but there are %d views", cameras,
                       static_cast<int>(views.size())));
    ObservationTable table(views.size());
    for (int o = 0; o < observations; ++o)
    {
        if (!in.fields(parts))
            in.fail(format("ends after %d of %d observations", o, observations));
        in.expectFields(parts, 4);
        const int view = in.integer(parts[0], 0, cameras - 1);
        const Size& size = views[view].size;
        const KeyPoint keypoint(static_cast<float>(in.number(parts[2]) + size.width / 2. - 0.5),
                                static_cast<float>(size.height / 2. - 0.5 - in.number(parts[3])),
                                1.f);
        table.add(view, static_cast<int>(table.labels[view].size()),
                  in.integer(parts[1], 0, points - 1), keypoint, 1.f, in);
    }
    return table.tracks(views);
}

void writeTracksCsv(const String& filename, const std::vector<ViewInfo>& views,
                    const Tracks& tracks)
{
    TextWriter file(filename);
    file.stream() << CSV_COLUMNS << '\n';
    for (int t = 0; t < tracks.size(); ++t)
    {
        const std::vector<Observation> track = tracks.track(t);
        for (size_t o = 0; o < track.size(); ++o)
        {
            const ViewInfo& view = views[track[o].view];
            const KeyPoint& keypoint = view.keypoints[track[o].point];
            file.stream() << t << ',' << track[o].view << ',' << quoted(view.name) << ','
                          << track[o].point << ','
                          << joined({keypoint.pt.x, keypoint.pt.y, keypoint.size, keypoint.angle,
                                     track[o].confidence},
                                    9, ',')
                          << '\n';
        }
    }
    file.commit();
}

Tracks readTracksCsv(const String& filename, std::vector<ViewInfo>& views)
{
    TextReader in(filename);
    std::string first;
    if (!in.line(first) || first != CSV_COLUMNS)
        in.fail("found \"" + first + "\", expected " + CSV_COLUMNS);
    views.clear();
    ObservationTable table(0);
    std::vector<std::string> parts;
    while (in.fields(parts, ','))
    {
        if (parts.size() == 1 && parts[0].empty())
            continue;
        in.expectFields(parts, 9);
        const int view = in.integer(parts[1], 0, in.plausible(MIN_VIEW_LIMIT));
        if (view >= static_cast<int>(views.size()))
        {
            views.resize(static_cast<size_t>(view) + 1);
            table.keypoints.resize(views.size());
            table.labels.resize(views.size());
            table.confidence.resize(views.size());
        }
        views[view].name = parts[2];
        KeyPoint keypoint(
            static_cast<float>(in.number(parts[4])), static_cast<float>(in.number(parts[5])),
            static_cast<float>(in.number(parts[6])), static_cast<float>(in.number(parts[7])));
        table.add(view, in.integer(parts[3], 0, in.plausible(MIN_POINT_LIMIT)),
                  in.integer(parts[0], 0, INT_MAX), keypoint,
                  static_cast<float>(in.number(parts[8])), in);
    }
    return table.tracks(views);
}

}} // namespace cv::multimatch
