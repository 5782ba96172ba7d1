// This file is part of OpenCV project.
// It is subject to the license terms in the LICENSE file found in the top-level directory
// of this distribution and at http://opencv.org/license.html.

// Usage: tutorial_matrices PICTURE_TO_WRITE
// Draws the matrices of the iteration on a small problem: W, A, and U before and after.

#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "opencv2/multimatch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace {

using cv::multimatch::Tracks;

const int VIEWS = 4;
const int UNIVERSE = 9;
const int SEEN = 8;     // points of the universe in each view
const int OUTLIERS = 2; // per view
const float BETA = 0.5f;

struct SmallProblem
{
    std::vector<cv::Mat> points, descriptors;
    std::vector<std::vector<int>> labels; // -1: outlier
};

// Nine points of a plane in four views, with descriptors that are similar across views.
SmallProblem makeProblem()
{
    cv::RNG random(4);
    const int width = 16;
    cv::Mat appearance(UNIVERSE, width, CV_32F), place(UNIVERSE, 2, CV_32F);
    random.fill(appearance, cv::RNG::UNIFORM, 0, 1);
    random.fill(place, cv::RNG::UNIFORM, 0, 100);

    SmallProblem problem;
    for (int view = 0; view < VIEWS; ++view)
    {
        std::vector<int> labels;
        for (int p = 0; p < UNIVERSE; ++p)
            if (p != (2 * view + 1) % UNIVERSE)
                labels.push_back(p);
        labels.insert(labels.end(), OUTLIERS, -1);
        cv::randShuffle(labels, 3, &random);

        const int n = SEEN + OUTLIERS;
        cv::Mat points(n, 2, CV_32F), descriptors(n, width, CV_32F), noise(1, width, CV_32F);
        random.fill(points, cv::RNG::UNIFORM, 0, 100);
        random.fill(descriptors, cv::RNG::UNIFORM, 0, 1);
        for (int p = 0; p < n; ++p)
            if (labels[p] >= 0)
            {
                random.fill(noise, cv::RNG::NORMAL, 0, 0.12);
                descriptors.row(p) = appearance.row(labels[p]) + noise;
                place.row(labels[p]).copyTo(points.row(p));
            }
        points += 3 * view;
        problem.points.push_back(points);
        problem.descriptors.push_back(descriptors);
        problem.labels.push_back(labels);
    }
    return problem;
}

// W = I + beta D^-1/2 S D^-1/2
cv::Mat normalized(const cv::Mat& s)
{
    cv::Mat d, w = cv::Mat::eye(s.size(), CV_32F);
    cv::reduce(s, d, 1, cv::REDUCE_SUM);
    for (int p = 0; p < s.rows; ++p)
        for (int q = 0; q < s.cols; ++q)
            if (s.at<float>(p, q) > 0)
                w.at<float>(p, q) +=
                    BETA * s.at<float>(p, q) / std::sqrt(d.at<float>(p) * d.at<float>(q));
    return w;
}

// One row per point, one column per universe point. A track is shown in the column of its most
// frequent label.
cv::Mat membership(const Tracks& tracks, const std::vector<std::vector<int>>& labels)
{
    cv::Mat u = cv::Mat::zeros(VIEWS * (SEEN + OUTLIERS), UNIVERSE + 6, CV_32F);
    int next = UNIVERSE;
    std::vector<bool> taken(u.cols, false);
    for (int id = 0; id < tracks.size(); ++id)
    {
        std::vector<int> votes(UNIVERSE, 0);
        for (const cv::multimatch::Observation& o : tracks.track(id))
            if (labels[o.view][o.point] >= 0)
                ++votes[labels[o.view][o.point]];
        int column = static_cast<int>(std::max_element(votes.begin(), votes.end()) - votes.begin());
        if (votes[column] == 0 || taken[column])
            column = std::min(next++, u.cols - 1);
        taken[column] = true;
        for (const cv::multimatch::Observation& o : tracks.track(id))
            u.at<float>(o.view * (SEEN + OUTLIERS) + o.point, column) = 1;
    }
    return u;
}

// White is 0, dark is the largest entry, with a square root scale; lines separate views.
cv::Mat panel(const cv::Mat& matrix, const std::string& title, bool blockColumns)
{
    const int cell = 9, margin = 28, block = SEEN + OUTLIERS;
    cv::Mat picture(matrix.rows * cell + margin, matrix.cols * cell + 1, CV_8UC3,
                    cv::Scalar::all(255));
    double largest = 0;
    cv::minMaxLoc(matrix, nullptr, &largest);
    for (int r = 0; r < matrix.rows; ++r)
        for (int c = 0; c < matrix.cols; ++c)
        {
            const double v = std::sqrt(matrix.at<float>(r, c) / largest);
            const cv::Scalar color(255 - 75 * v, 255 - 170 * v, 255 - 235 * v);
            cv::rectangle(picture, cv::Rect(c * cell, margin + r * cell, cell, cell), color, -1);
        }
    const cv::Scalar gray = cv::Scalar::all(170);
    for (int b = 0; b <= VIEWS; ++b)
    {
        const int y = std::min(margin + b * block * cell, picture.rows - 1);
        cv::line(picture, cv::Point(0, y), cv::Point(picture.cols - 1, y), gray);
        if (blockColumns)
            cv::line(picture, cv::Point(b * block * cell, margin),
                     cv::Point(b * block * cell, picture.rows - 1), gray);
    }
    if (!blockColumns)
        for (int x : {0, picture.cols - 1})
            cv::line(picture, cv::Point(x, margin), cv::Point(x, picture.rows - 1), gray);
    cv::putText(picture, title, cv::Point(0, 18), cv::FONT_HERSHEY_SIMPLEX, 0.45,
                cv::Scalar::all(40), 1, cv::LINE_AA);
    return picture;
}

cv::Mat sideBySide(const std::vector<cv::Mat>& panels)
{
    cv::Mat all;
    for (size_t i = 0; i < panels.size(); ++i)
    {
        cv::Mat padded;
        cv::copyMakeBorder(panels[i], padded, 8, 8, 8, 8, cv::BORDER_CONSTANT,
                           cv::Scalar::all(255));
        if (all.empty())
            all = padded;
        else
            cv::hconcat(all, padded, all);
    }
    return all;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2)
    {
        std::fprintf(stderr, "Usage: tutorial_matrices PICTURE_TO_WRITE\n");
        return 1;
    }
    const SmallProblem small = makeProblem();

    //! [stages]
    using namespace cv::multimatch;
    const NeighborGraph graph = findNeighbors(small.descriptors, 3);

    MatchingProblem problem;
    problem.viewSizes = graph.viewSizes;
    problem.similarity = computeSimilarity(graph);
    AdjacencyParams neighborhood;
    neighborhood.mu = 2; // a narrow kernel for few points
    problem.adjacency = computeAdjacency(small.points, neighborhood);
    //! [stages]

    //! [solve]
    HiPPIParams params;
    params.mode = HIPPI_LITERAL; // assigns every point to one of d columns
    params.universeSize = UNIVERSE + 6;
    params.beta = BETA;
    params.exact = true;
    params.start = START_RANDOM;
    params.startCount = 1;
    params.maxIterations = 0; // returns the start
    const Tracks start = HiPPI::create(params)->solve(problem);

    params.maxIterations = 50;
    params.startCount = 50; // uses the best of fifty starts
    const Tracks end = HiPPI::create(params)->solve(problem);

    params.mode = HIPPI_PARTIAL; // outliers can stay unassigned
    params.start = START_AUTO;
    problem.points = small.points;
    const Tracks partial = HiPPI::create(params)->solve(problem);
    //! [solve]

    //! [objective]
    const MatchReport report = end.report();
    for (size_t i = 0; i < report.objective.size(); ++i)
        std::printf("f(U%d) = %.1f\n", static_cast<int>(i), report.objective[i]);
    //! [objective]
    std::printf("fscore: start %.2f, literal %.2f, partial %.2f\n",
                scoreTracks(start, small.labels).fscore(), scoreTracks(end, small.labels).fscore(),
                scoreTracks(partial, small.labels).fscore());

    const cv::Mat picture =
        sideBySide({panel(normalized(problem.similarity.toDense()), "W", true),
                    panel(problem.adjacency.weights.toDense(), "A", true),
                    panel(membership(start, small.labels), "U, random", false),
                    panel(membership(end, small.labels), "U, literal", false),
                    panel(membership(partial, small.labels), "U, partial", false)});
    return cv::imwrite(argv[1], picture) ? 0 : 1;
}
