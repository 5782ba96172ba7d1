#!/usr/bin/env python3
"""Tests of cv2.multimatch, and of cv2_multimatch where cv2 was built without the module: both have the same interface."""

import os
import tempfile
import unittest

import cv2
import numpy as np

try:
    from cv2 import multimatch
except ImportError:
    import cv2_multimatch as multimatch


def photograph(seed=1, size=(320, 400)):
    """Something with corners everywhere: rectangles of random place, size and gray, a little blurred."""
    random = np.random.RandomState(seed)
    image = np.full(size, 128, np.uint8)
    for _ in range(220):
        x, y = random.randint(0, size[1]), random.randint(0, size[0])
        w, h = random.randint(6, 40, 2)
        cv2.rectangle(image, (x, y), (x + int(w), y + int(h)), int(random.randint(256)), -1)
    return cv2.GaussianBlur(image, (0, 0), 0.8)


def homographies(count, seed=2):
    """From the first view to each; mild changes of viewpoint."""
    random = np.random.RandomState(seed)
    corners = np.float32([[0, 0], [400, 0], [400, 320], [0, 320]])
    result = [np.eye(3)]
    while len(result) < count:
        moved = corners + random.uniform(-22, 22, corners.shape).astype(np.float32)
        result.append(cv2.getPerspectiveTransform(corners, moved))
    return result


class Views:
    """Five views of one picture with SIFT features, made once."""

    _instance = None

    @classmethod
    def get(cls):
        if cls._instance is None:
            cls._instance = cls()
        return cls._instance

    def __init__(self):
        picture = photograph()
        self.homographies = homographies(5)
        self.images = [cv2.warpPerspective(picture, h, (400, 320)) for h in self.homographies]
        sift = cv2.SIFT_create(250)
        features = [sift.detectAndCompute(image, None) for image in self.images]
        self.keypoints = [f[0] for f in features]
        self.descriptors = [f[1] for f in features]
        self.points = [np.float32([k.pt for k in kps]) for kps in self.keypoints]


class TracksTest(unittest.TestCase):
    LABELS = [[4, 2, -1], [2, 4, 7], [7, -5, 2]]

    def test_labels_become_track_ids(self):
        tracks = multimatch.Tracks(self.LABELS)
        self.assertEqual(tracks.viewCount(), 3)
        self.assertEqual(tracks.size(), 3)
        self.assertFalse(tracks.empty())
        np.testing.assert_array_equal(tracks.trackIds(0), [0, 1, -1])
        np.testing.assert_array_equal(tracks.trackIds(1), [1, 0, 2])
        self.assertEqual(tracks.pointCount(1), 3)
        np.testing.assert_array_equal(tracks.trackIds(2), [2, -1, 1])
        np.testing.assert_array_equal(tracks.confidence(0), [1, 1, 0])
        self.assertEqual([(o.view, o.point) for o in tracks.track(1)], [(0, 1), (1, 0), (2, 2)])
        self.assertEqual(tracks.length(0), 2)

    def test_arrays_are_labels_too(self):
        tracks = multimatch.Tracks([np.array(view, np.int32) for view in self.LABELS])
        np.testing.assert_array_equal(tracks.trackIds(2), [2, -1, 1])

    def test_matches_are_dmatches(self):
        matches = multimatch.Tracks(self.LABELS).matches(0, 1)
        self.assertTrue(all(isinstance(m, cv2.DMatch) for m in matches))
        self.assertEqual([(m.queryIdx, m.trainIdx, m.imgIdx) for m in matches], [(0, 1, 1), (1, 0, 1)])

    def test_filter(self):
        tracks = multimatch.Tracks(self.LABELS, [[1, 1, 0], [0.5, 1, 1], [1, 0, 1]])
        self.assertEqual(tracks.filter(3).size(), 1)
        self.assertEqual(tracks.filter(3, 0.6).size(), 0)
        self.assertEqual(multimatch.Tracks(self.LABELS, [], 3).size(), 1)

    def test_statistics(self):
        statistics = multimatch.Tracks(self.LABELS).statistics()
        self.assertEqual((statistics.views, statistics.points, statistics.tracks, statistics.observations),
                         (3, 9, 3, 7))
        np.testing.assert_array_equal(statistics.lengthCounts, [0, 0, 2, 1])

    def test_points2d(self):
        keypoints = [[cv2.KeyPoint(10.0 * view + p, 1.0 * p, 1) for p in range(3)] for view in range(3)]
        points = multimatch.Tracks(self.LABELS).points2d(keypoints)
        self.assertEqual(len(points), 3)
        np.testing.assert_array_equal(points[0], [[0, 1, -1], [0, 1, -1]])

    def test_saved_tracks_come_back(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "tracks.yml.gz")
            multimatch.Tracks(self.LABELS).save(name)
            tracks = multimatch.Tracks.load(name)
        np.testing.assert_array_equal(tracks.trackIds(1), [1, 0, 2])

    def test_a_label_twice_in_a_view_is_an_error(self):
        # Some versions of OpenCV turn what a constructor throws into a SystemError with the cv2.error as its cause.
        with self.assertRaises((cv2.error, SystemError)):
            multimatch.Tracks([[1, 1], [1, 2]])


class MatcherTest(unittest.TestCase):
    def setUp(self):
        self.views = Views.get()

    def assert_good(self, tracks, precision=0.95, correct=100):
        score = multimatch.scoreHomographies(tracks, self.views.keypoints, self.views.homographies, 3.0)
        self.assertGreater(score.precision(), precision)
        self.assertGreater(score.correct, correct)

    def test_match(self):
        tracks = multimatch.HiPPI.create().match(self.views.keypoints, self.views.descriptors)
        self.assert_good(tracks)
        for view, keypoints in enumerate(self.views.keypoints):
            ids = tracks.trackIds(view)
            self.assertEqual(ids.dtype, np.int32)
            self.assertEqual(ids.shape, (len(keypoints),))
            matched = ids[ids >= 0]
            self.assertEqual(len(matched), len(set(matched)))
            np.testing.assert_array_equal(tracks.confidence(view) > 0, ids >= 0)

    def test_matches_go_into_opencv(self):
        tracks = multimatch.HiPPI.create().match(self.views.keypoints, self.views.descriptors)
        matches = tracks.matches(1, 3)
        first = np.float32([self.views.keypoints[1][m.queryIdx].pt for m in matches])
        second = np.float32([self.views.keypoints[3][m.trainIdx].pt for m in matches])
        found, inliers = cv2.findHomography(first, second, cv2.RANSAC, 3.0)
        self.assertGreater(inliers.mean(), 0.9)
        true = self.views.homographies[3].dot(np.linalg.inv(self.views.homographies[1]))
        moved = [cv2.perspectiveTransform(first[:, None], h) for h in (found, true)]
        self.assertLess(np.abs(moved[0] - moved[1]).max(), 2.0)

    def test_binary_descriptors(self):
        orb = cv2.ORB_create(250)
        features = [orb.detectAndCompute(image, None) for image in self.views.images]
        tracks = multimatch.HiPPI.create().match([f[0] for f in features], [f[1] for f in features])
        self.assertGreater(tracks.size(), 50)

    def test_points_instead_of_key_points(self):
        tracks = multimatch.HiPPI.create().matchPoints(self.views.points, self.views.descriptors)
        self.assert_good(tracks)

    def test_empty_view(self):
        keypoints, descriptors = cv2.SIFT_create().detectAndCompute(np.zeros((50, 50), np.uint8), None)
        tracks = multimatch.HiPPI.create().match(self.views.keypoints + [keypoints],
                                                 self.views.descriptors + [descriptors])
        self.assertEqual(len(tracks.trackIds(5)), 0)
        self.assertGreater(tracks.size(), 50)

    def test_report(self):
        report = multimatch.HiPPI.create().match(self.views.keypoints, self.views.descriptors).report()
        self.assertFalse(report.cancelled)
        self.assertEqual(len(report.stages), len(report.seconds))
        self.assertIn("iterations", report.stages)
        self.assertAlmostEqual(report.totalSeconds(), sum(report.seconds))

    def test_pairs_and_window(self):
        matcher = multimatch.UnionFind.create()
        matcher.setPairs(np.array([[0, 1]], np.int32))
        np.testing.assert_array_equal(matcher.getPairs(), [[0, 1]])
        tracks = matcher.match(self.views.keypoints, self.views.descriptors)
        self.assertGreater(len(tracks.matches(0, 1)), 0)
        self.assertTrue((tracks.trackIds(2) == -1).all())
        matcher.setWindow(2)
        self.assertEqual(matcher.getWindow(), 2)

    def test_parameters(self):
        params = multimatch.HiPPIParams()
        self.assertEqual(params.mode, multimatch.HIPPI_PARTIAL)
        params.beta = 0.25
        params.start = multimatch.START_QUICKMATCH
        matcher = multimatch.HiPPI.create(params)
        self.assertEqual(matcher.getParams().beta, 0.25)
        self.assertEqual(matcher.getParams().start, multimatch.START_QUICKMATCH)
        params.beta = -1
        with self.assertRaises(cv2.error) as raised:
            matcher.setParams(params)
        self.assertIn("beta", str(raised.exception))

    def test_labels_as_a_start(self):
        labels = [list(range(len(k))) for k in self.views.keypoints]
        params = multimatch.HiPPIParams()
        params.start = multimatch.START_LABELS
        params.maxIterations = 0
        params.minConfidence = 0
        matcher = multimatch.HiPPI.create(params)
        matcher.setInitialLabels(labels)
        tracks = matcher.match(self.views.keypoints, self.views.descriptors)
        shorter = min(len(self.views.keypoints[0]), len(self.views.keypoints[1]))
        self.assertEqual(sum(m.queryIdx == m.trainIdx for m in tracks.matches(0, 1)),
                         len(tracks.matches(0, 1)))
        self.assertLessEqual(len(tracks.matches(0, 1)), shorter)

    def test_solve_takes_the_arrays_of_a_sparse_matrix(self):
        # Three views of four points each; point p of a view matches point p of the others.
        views, points = 3, 4
        same = np.tile(np.eye(points, dtype=np.float32), (views, views))
        same -= np.eye(views * points, dtype=np.float32)
        rows, indices = np.nonzero(same)
        indptr = np.searchsorted(rows, np.arange(views * points + 1)).astype(np.int32)
        problem = multimatch.MatchingProblem()
        problem.viewSizes = [points] * views
        problem.setSimilarity(same[rows, indices], indices.astype(np.int32), indptr)
        tracks = multimatch.HiPPI.create().solve(problem)
        self.assertEqual(tracks.size(), points)
        for view in range(views):
            np.testing.assert_array_equal(tracks.trackIds(view), np.arange(points))
        # Neighbors along a line, every point also next to itself.
        block = np.eye(points) + 0.5 * np.eye(points, k=1) + 0.5 * np.eye(points, k=-1)
        adjacency = np.kron(np.eye(views), block)
        rows, columns = np.nonzero(adjacency)
        offsets = np.searchsorted(rows, np.arange(views * points + 1)).astype(np.int32)
        problem.setAdjacency(adjacency[rows, columns], columns.astype(np.int32), offsets)
        params = multimatch.HiPPIParams()
        params.mode = multimatch.HIPPI_COMPLETE
        params.universeSize = points
        tracks = multimatch.HiPPI.create(params).solve(problem)
        np.testing.assert_array_equal(tracks.trackIds(2), tracks.trackIds(0))

    def test_arrays_that_are_no_sparse_matrix_are_errors(self):
        problem = multimatch.MatchingProblem()
        one, zero = np.float32([1]), np.int32([0])
        for indptr in ([0, 2], [1, 1], [0, 100, 1], [0, -1, 1]):
            with self.assertRaises(cv2.error):
                problem.setSimilarity(one, zero, np.int32(indptr))
        with self.assertRaises(cv2.error):
            problem.setSimilarity(one, np.float32([0]), np.int32([0, 1]))
        with self.assertRaises(cv2.error):
            problem.setSimilarity(one, np.int32([1]), np.int32([0, 1]))

    def test_errors_name_the_view(self):
        with self.assertRaises(cv2.error) as raised:
            multimatch.HiPPI.create().match(self.views.keypoints,
                                            self.views.descriptors[:-1] + [self.views.descriptors[4][:-1]])
        self.assertIn("descriptors[4]", str(raised.exception))

    def test_peers(self):
        # Few points: MatchALS is dense.
        keypoints = [k[:60] for k in self.views.keypoints]
        descriptors = [d[:60] for d in self.views.descriptors]
        matchers = [multimatch.UnionFind.create(), multimatch.Kruskal.create(0.8), multimatch.QuickMatch.create(),
                    multimatch.Spectral.create(), multimatch.MatchEig.create(), multimatch.MatchALS.create(),
                    multimatch.Pairwise.create()]
        for matcher in matchers:
            with self.subTest(matcher=type(matcher).__name__):
                tracks = matcher.match(keypoints, descriptors)
                self.assertEqual(tracks.viewCount(), 5)
                self.assertGreater(tracks.statistics().observations, 0)

    def test_geometric_peers(self):
        # The methods on graphs take 50 points a view.
        random = np.random.RandomState(3)
        places, looks = random.uniform(0, 100, (12, 2)), random.normal(size=(12, 8))
        orders = [random.permutation(12) for _ in range(4)]
        points = [np.float32(places[order]) for order in orders]
        descriptors = [np.float32(looks[order]) for order in orders]
        labels = [[int(label) for label in order] for order in orders]
        for name, params in (("AlternatingMatching", "GraphMatchingParams"), ("GraduatedConsistency", "GraphMatchingParams"),
                             ("LowRankCoordinates", "LowRankParams"), ("SparseConsistent", "SparseConsistentParams")):
            with self.subTest(matcher=name):
                given = getattr(multimatch, params)()
                given.maxIterations = 7
                matcher = getattr(multimatch, name).create(given)
                self.assertEqual(matcher.getParams().maxIterations, 7)
                score = multimatch.scoreTracks(matcher.matchPoints(points, descriptors), labels)
                self.assertEqual(score.fscore(), 1)
        pairs = multimatch.RandomWalks.create().matchPointPairs(points, descriptors)
        self.assertEqual(multimatch.scorePairs(pairs, labels).fscore(), 1)
        with self.assertRaises(cv2.error) as raised:
            multimatch.RandomWalks.create().match(self.views.keypoints, self.views.descriptors)
        self.assertIn("at most 50 points a view", str(raised.exception))

    def test_universe_size_from_the_spectrum(self):
        params = multimatch.SpectralParams()
        params.universeSize = multimatch.UNIVERSE_FROM_SPECTRUM
        keypoints = [k[:60] for k in self.views.keypoints]
        descriptors = [d[:60] for d in self.views.descriptors]
        report = multimatch.Spectral.create(params).match(keypoints, descriptors).report()
        self.assertGreaterEqual(report.universeSize, 60)

    def test_pairwise_matches(self):
        matcher = multimatch.MatchEig.create()
        pairs = matcher.matchPairs(self.views.keypoints, self.views.descriptors)
        self.assertEqual([(p.first, p.second) for p in pairs],
                         [(i, j) for i in range(5) for j in range(i + 1, 5)])
        self.assertTrue(all(isinstance(m, cv2.DMatch) for m in pairs[0].matches))
        self.assertGreaterEqual(multimatch.cycleError(pairs), 0)
        score = multimatch.scoreHomographies(pairs, self.views.keypoints, self.views.homographies, 3.0)
        self.assertGreater(score.precision(), 0.6)
        self.assertGreater(matcher.getPairsReport().totalSeconds(), 0)

    def test_draw(self):
        tracks = multimatch.UnionFind.create().match(self.views.keypoints, self.views.descriptors)
        params = multimatch.DrawTracksParams()
        params.columns = 5
        params.tileWidth = 100
        picture = multimatch.drawTracks(self.views.images, self.views.keypoints, tracks, None, params)
        self.assertEqual(picture.shape[2], 3)
        self.assertGreaterEqual(picture.shape[1], 500)
        colors = np.ptp(picture.astype(int), axis=2)
        self.assertGreater((colors > 60).sum(), 100)  # the pictures are gray, the tracks are not


class EvaluationTest(unittest.TestCase):
    LABELS = [[0, 1, -1], [1, 0, 2]]

    def test_tracks(self):
        score = multimatch.scoreTracks(multimatch.Tracks([[0, 1, 2], [0, 1, 2]]), self.LABELS)
        self.assertEqual((score.matches, score.correct, score.truth), (3, 0, 2))
        score = multimatch.scoreTracks(multimatch.Tracks([[5, 6, -1], [6, 5, -1]]), self.LABELS)
        self.assertEqual((score.precision(), score.recall(), score.fscore()), (1, 1, 1))

    def test_pairs(self):
        pair = multimatch.PairMatches()
        pair.first = 0
        pair.second = 1
        pair.matches = [cv2.DMatch(0, 1, 0.0), cv2.DMatch(1, 2, 0.0)]
        score = multimatch.scorePairs([pair], self.LABELS)
        self.assertEqual((score.matches, score.correct, score.truth), (2, 1, 2))
        self.assertEqual(multimatch.cycleError([pair]), 0)

    def test_pck(self):
        tracks = multimatch.Tracks([[0, 1, -1], [0, 1, -1]])
        points = [np.float32([[0, 0], [5, 0], [9, 9]]), np.float32([[5, 0], [0, 0], [7, 7]])]
        shares = multimatch.computePCK(tracks, self.LABELS, points, [1.0, 6.0])
        np.testing.assert_allclose(np.ravel(shares), [0, 1])

    def test_cameras(self):
        points = np.random.RandomState(3).uniform([-1, -1, 4], [1, 1, 6], (20, 3))
        projections, keypoints = [], []
        for view in range(3):
            projection = np.array([[300, 0, 160, -90.0 * view], [0, 300, 120, 20.0 * view], [0, 0, 1, 0]])
            image = np.c_[points, np.ones(20)].dot(projection.T)
            projections.append(projection)
            keypoints.append([cv2.KeyPoint(x / z, y / z, 1) for x, y, z in image])
        tracks = multimatch.Tracks([list(range(20))] * 3)
        score = multimatch.scoreCameras(tracks, keypoints, projections, 1.0)
        self.assertEqual((score.matches, score.correct, score.correctTracks), (60, 60, 20))

    def test_merge_of_tracks(self):
        first = multimatch.Tracks([[0, 1], [-1, 0, 1]])
        second = multimatch.Tracks([[0], [-1, 0, -1]])
        merged = multimatch.mergeTracks([first, second], [[0, 1], [2, 1]], [2, 3, 1])
        self.assertEqual([list(merged.trackIds(view)) for view in range(3)], [[0, 1], [-1, 0, 1], [0]])
        with self.assertRaisesRegex(cv2.error, "viewIndices"):
            multimatch.mergeTracks([first], [[0, 3]], [2, 3, 1])

    def test_builder(self):
        views = Views.get()
        builder = multimatch.TrackBuilder.create()
        self.assertEqual(builder.getRefreshShare(), 0.2)
        builder.setRefreshShare(0)  # observations stay on their tracks
        self.assertEqual(builder.add(views.keypoints[:3], views.descriptors[:3]), 0)
        before = [builder.ids(view) for view in range(3)]
        self.assertEqual(builder.add(views.keypoints[3:4], views.descriptors[3:4]), 3)
        joined = dict(zip(builder.changes().joined, builder.changes().into))
        for view in range(3):
            for old, now in zip(before[view], builder.ids(view)):
                self.assertTrue(old < 0 or now in (old, joined.get(old), -1))
        self.assertGreater(len(builder.changes().extended), 20)
        pairs = np.array([[3, 4]], np.int32)
        builder.add(views.keypoints[4:], views.descriptors[4:], pairs)
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "state.yml.gz")
            builder.save(name)
            loaded = multimatch.TrackBuilder.load(name)
        self.assertEqual(loaded.viewCount(), 5)
        self.assertEqual(loaded.getRefreshShare(), 0)
        np.testing.assert_array_equal(loaded.ids(4), builder.ids(4))
        loaded.remove(4)
        self.assertEqual(len(loaded.ids(4)), 0)
        with self.assertRaisesRegex(cv2.error, "view 5 does not exist"):
            loaded.remove(5)


if __name__ == "__main__":
    unittest.main()
