// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

#include "test_precomp.hpp"

namespace opencv_test { namespace {

using multimatch::drawTracks;
using multimatch::DrawTracksParams;
using multimatch::Tracks;

// Four black views of 100 x 80 with two points each: track 0 in all, track 1 in views 1 and 3.
struct DrawTracksTest : public testing::Test
{
    std::vector<Mat> images;
    std::vector<std::vector<KeyPoint>> keypoints;
    std::vector<std::vector<int>> labels;
    DrawTracksParams params;

    DrawTracksTest() : images(4), keypoints(4), labels(4)
    {
        for (int i = 0; i < 4; ++i)
        {
            images[i] = Mat(80, 100, CV_8UC3, Scalar::all(0));
            keypoints[i].push_back(KeyPoint(20.f + i, 30.f, 5.f));
            keypoints[i].push_back(KeyPoint(70.f, 55.f - i, 5.f));
            labels[i].push_back(0);
            labels[i].push_back(i % 2 ? 1 : -1);
        }
        params.tileWidth = 100; // one to one
        params.columns = 2;
    }

    Mat draw() const { return draw(Tracks(labels)); }

    Mat draw(const Tracks& tracks) const
    {
        Mat out;
        drawTracks(images, keypoints, tracks, out, params);
        return out;
    }

    // Two columns and two rows of equal tiles: what is left of the canvas is three equal gaps each
    // way.
    Vec3b colorAt(const Mat& out, int view, int point) const
    {
        const int gap = (out.cols - 2 * 100) / 3;
        const Point2f& pt = keypoints[view][point].pt;
        return out.at<Vec3b>(gap + (view / 2) * (80 + gap) + cvRound(pt.y),
                             gap + (view % 2) * (100 + gap) + cvRound(pt.x));
    }

    std::string errorOf(const Tracks& tracks) const
    {
        try
        {
            draw(tracks);
        }
        catch (const cv::Exception& e)
        {
            return e.err;
        }
        return "nothing was thrown";
    }
};

int saturationOf(const Vec3b& c)
{
    return std::max(c[0], std::max(c[1], c[2])) - std::min(c[0], std::min(c[1], c[2]));
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

TEST_F(DrawTracksTest, draws_the_chosen_tracks_alone)
{
    params.lines = false;
    params.unmatchedPoints = false;
    params.tracks.assign(1, 1);
    const Mat out = draw();
    EXPECT_LT(saturationOf(colorAt(out, 1, 0)), 20);
    EXPECT_GT(saturationOf(colorAt(out, 1, 1)), 80);
    params.tracks.assign(1, 2);
    EXPECT_TRUE(contains(errorOf(Tracks(labels)), "track 2 does not exist"));
}

TEST_F(DrawTracksTest, canvas_holds_all_tiles_and_thin_gaps)
{
    const Mat out = draw();
    EXPECT_EQ(CV_8UC3, out.type());
    EXPECT_GT(out.cols, 2 * 100);
    EXPECT_LE(out.cols, 2 * 100 + 3 * 8);
    EXPECT_GT(out.rows, 2 * 80);
    EXPECT_LE(out.rows, 2 * 80 + 3 * 8);

    params.columns = 4;
    const Mat row = draw();
    EXPECT_GT(row.cols, 4 * 100);
    EXPECT_LT(row.rows, 2 * 80);
}

TEST_F(DrawTracksTest, columns_are_chosen_for_a_shape_between_square_and_panorama)
{
    images.assign(12, images[0]);
    keypoints.assign(12, keypoints[0]);
    labels.assign(12, labels[0]);
    params.columns = 0;
    const Mat out = draw();
    const double aspect = out.cols / static_cast<double>(out.rows);
    EXPECT_GT(aspect, 1.0);
    EXPECT_LT(aspect, 2.6);
}

TEST_F(DrawTracksTest, a_track_has_one_color_in_all_tiles_and_another_than_its_neighbor)
{
    const Mat out = draw();
    const Vec3b first = colorAt(out, 0, 0);
    EXPECT_GT(saturationOf(first), 40);
    for (int i = 1; i < 4; ++i)
        EXPECT_EQ(first, colorAt(out, i, 0)) << "view " << i;

    const Vec3b second = colorAt(out, 1, 1);
    EXPECT_GT(saturationOf(second), 40);
    EXPECT_EQ(second, colorAt(out, 3, 1));
    EXPECT_GT(cv::norm(first, second), 60.0);
}

TEST_F(DrawTracksTest, low_confidence_is_faint)
{
    std::vector<std::vector<float>> confidence(4, std::vector<float>(2, 1.f));
    confidence[2][0] = 0.2f;
    const Mat out = draw(Tracks(labels, confidence));
    EXPECT_LT(saturationOf(colorAt(out, 2, 0)), saturationOf(colorAt(out, 0, 0)) * 3 / 4);
}

TEST_F(DrawTracksTest, unmatched_points_are_gray_dots_or_nothing)
{
    const Vec3b dot = colorAt(draw(), 0, 1);
    EXPECT_GT(dot[0], 40);
    EXPECT_LT(saturationOf(dot), 10);

    params.unmatchedPoints = false;
    EXPECT_LT(colorAt(draw(), 0, 1)[0], 40);
}

TEST_F(DrawTracksTest, only_the_longest_tracks_are_drawn)
{
    params.maxTracks = 1;
    params.lines = false;
    const Mat out = draw();
    EXPECT_GT(saturationOf(colorAt(out, 1, 0)), 40);
    EXPECT_LT(saturationOf(colorAt(out, 1, 1)), 10);
}

TEST_F(DrawTracksTest, tracks_that_hide_each_other_come_last)
{
    // Two long tracks on one spot and a shorter one elsewhere: room for two.
    for (int i = 0; i < 4; ++i)
    {
        keypoints[i].push_back(KeyPoint(22.f + i, 31.f, 5.f));
        labels[i].push_back(2);
    }
    params.maxTracks = 2;
    params.lines = false;
    const Mat out = draw();
    EXPECT_GT(saturationOf(colorAt(out, 1, 0)), 40);
    EXPECT_GT(saturationOf(colorAt(out, 1, 1)), 40);
    EXPECT_GT(saturationOf(colorAt(out, 3, 1)), 40);
}

TEST_F(DrawTracksTest, lines_change_the_picture_between_the_points_only)
{
    const Mat with = draw();
    params.lines = false;
    const Mat without = draw();
    EXPECT_GT(cv::norm(with, without, NORM_INF), 20.0);
    for (int i = 0; i < 4; ++i)
        EXPECT_EQ(colorAt(without, i, 0), colorAt(with, i, 0));
}

TEST_F(DrawTracksTest, gray_transparent_and_absent_pictures_are_drawn)
{
    images[0] = Mat(80, 100, CV_8UC1, Scalar(200));
    images[1] = Mat(80, 100, CV_8UC4, Scalar(10, 200, 10, 255));
    images[2] = Mat();
    const Mat out = draw();
    EXPECT_EQ(CV_8UC3, out.type());
    EXPECT_EQ(colorAt(out, 0, 0), colorAt(out, 3, 0));
    EXPECT_EQ(colorAt(out, 2, 0), colorAt(out, 3, 0));
}

TEST_F(DrawTracksTest, points_far_outside_of_their_picture_do_no_harm)
{
    keypoints[1][0].pt = Point2f(1e9f, -1e9f);
    keypoints[2][0].pt = Point2f(-500.f, 3000.f);
    const Mat out = draw();
    EXPECT_GT(saturationOf(colorAt(out, 0, 0)), 40);
}

TEST_F(DrawTracksTest, errors_name_the_values)
{
    const Tracks tracks(labels);
    std::vector<Mat> allImages = images;
    images.pop_back();
    std::string error = errorOf(tracks);
    EXPECT_TRUE(contains(error, "3 images") && contains(error, "4 views")) << error;

    images = allImages;
    keypoints[2].pop_back();
    error = errorOf(tracks);
    EXPECT_TRUE(contains(error, "keypoints[2] has 1") && contains(error, "2 points")) << error;

    keypoints[2].push_back(KeyPoint(1.f, 1.f, 1.f));
    images[1] = Mat(80, 100, CV_16UC1, Scalar(0));
    error = errorOf(tracks);
    EXPECT_TRUE(contains(error, "images[1]") && contains(error, "CV_16UC1")) << error;

    images = allImages;
    params.tileWidth = -7;
    error = errorOf(tracks);
    EXPECT_TRUE(contains(error, "tileWidth is -7")) << error;

    params = DrawTracksParams();
    params.maxTracks = -2;
    error = errorOf(tracks);
    EXPECT_TRUE(contains(error, "maxTracks is -2")) << error;
}

}} // namespace opencv_test
