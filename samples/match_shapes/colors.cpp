// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "colors.hpp"

#include <cfloat>

using namespace cv::multimatch;
using namespace cv::multimatch::shapes;

namespace {

const cv::Vec3b NO_TRACK(150, 150, 150);

//! A place in the box around a shape as a color.
cv::Vec3b colorOf(const Mesh& mesh, int vertex)
{
    cv::Vec3d low(DBL_MAX, DBL_MAX, DBL_MAX), high = -low;
    for (const cv::Vec3d& v : mesh.vertices)
        for (int c = 0; c < 3; ++c)
        {
            low[c] = std::min(low[c], v[c]);
            high[c] = std::max(high[c], v[c]);
        }
    cv::Vec3b color;
    for (int c = 0; c < 3; ++c)
        color[c] = cv::saturate_cast<uchar>(25 + 230 * (mesh.vertices[vertex][c] - low[c]) /
                                                     std::max(high[c] - low[c], DBL_MIN));
    return color;
}

} // namespace

std::vector<ShapeColors> colorShapes(const ShapeTracks& found)
{
    std::vector<cv::Vec3b> trackColors;
    for (int t = 0; t < found.tracks.size(); ++t)
    {
        const Observation first = found.tracks.track(t)[0];
        const ShapeFunctions& shape = found.shapes[first.view].functions;
        trackColors.push_back(colorOf(shape.mesh, shape.samples[first.point]));
    }
    std::vector<ShapeColors> result;
    for (size_t i = 0; i < found.shapes.size(); ++i)
    {
        const std::vector<int>& ids = found.tracks.ids(static_cast<int>(i));
        const cv::Mat& distances = found.shapes[i].distances;
        ShapeColors colors;
        for (int id : ids)
            colors.points.push_back(id < 0 ? NO_TRACK : trackColors[id]);
        colors.vertices.assign(distances.cols, NO_TRACK);
        for (int v = 0; v < distances.cols; ++v)
        {
            float nearest = FLT_MAX;
            for (int p = 0; p < distances.rows; ++p)
                if (ids[p] >= 0 && distances.at<float>(p, v) < nearest)
                {
                    nearest = distances.at<float>(p, v);
                    colors.vertices[v] = colors.points[p];
                }
        }
        result.push_back(colors);
    }
    return result;
}
