"""Matches and tracks of other programs: .npz files of NumPy and AliceVision's tracks in JSON.

    from cv2_multimatch import exchange

    problem = exchange.readNpz("matches.npz")
    tracks = cv2_multimatch.HiPPI.create().synchronize(problem.keypoints, problem.matches, problem.weights)
    exchange.writeAliceVision("tracks.json", problem.viewIds, problem.keypoints, tracks)

A .npz file has for each view v (0, 1, ...) keypoints_v (N x 2 to N x 4: x, y, size, angle in degrees) and optionally descriptors_v (N x D), for each pair
of views i, j that was matched matches_i_j (M x 2 indices) and optionally scores_i_j (M values in [0, 1]), and optionally names (of the views). With tracks it also
has tracks (K x 3: track, view, point) and confidence (K)."""

import json
import math
import os
import re
import zipfile

import cv2
import numpy as np

from . import _native
from ._files import checkClaimed, namedErrors, newFile

__all__ = ["Problem", "readNpz", "writeNpz", "readAliceVision", "writeAliceVision"]


class Problem:
    """Views with key points, descriptors (None: none) and matches. weights: what the distance of the matches is; viewIds: numbers of AliceVision;
    tracks: those of the file or None."""

    def __init__(self):
        self.names = []
        self.viewIds = []
        self.keypoints = []
        self.descriptors = []
        self.matches = []
        self.weights = _native.WEIGHTS_FROM_SCORES
        self.tracks = None


def _keypoints(path, name, values):
    values = np.asarray(values, np.float64)
    if values.size == 0:
        return ()
    if values.ndim != 2 or not 2 <= values.shape[1] <= 4:
        raise ValueError("%s: %s is %s, expected N x 2 to N x 4" % (path, name, values.shape))
    full = np.hstack([values, np.tile([1.0, -1.0], (len(values), 1))[:, values.shape[1] - 2:]])
    return tuple(cv2.KeyPoint(*map(float, row)) for row in full)


def _checkArrays(path):
    """Raises ValueError where a header announces more than the file can hold: NumPy would allocate it before it reads."""
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            with archive.open(info) as member:
                major = np.lib.format.read_magic(member)[0]
                read = np.lib.format.read_array_header_1_0 if major == 1 else np.lib.format.read_array_header_2_0
                shape, _, kind = read(member)
            checkClaimed(path, info.filename, max(info.file_size, kind.itemsize * math.prod(map(int, shape))), info.compress_size)


def _matchesOf(path, file, name, first, second):
    """The matches of two views as PairMatches."""
    pair = _native.PairMatches()
    pair.first, pair.second = first, second
    indices = np.asarray(file[name])
    if indices.size == 0:
        indices = indices.reshape(0, 2)
    if indices.ndim != 2 or indices.shape[1] != 2 or indices.dtype.kind not in "iu" and indices.size:
        raise ValueError("%s: %s is %s of %s, expected M x 2 integers" % (path, name, indices.shape, indices.dtype))
    scores = "scores_%d_%d" % (first, second)
    values = np.asarray(file[scores], float) if scores in file.files else np.ones(len(indices))
    if values.shape != (len(indices),):
        raise ValueError("%s: %s is %s but %s has %d rows" % (path, scores, values.shape, name, len(indices)))
    pair.matches = [cv2.DMatch(int(p), int(q), float(s)) for (p, q), s in zip(indices, values)]
    return pair


def _tracksOf(path, file, keypoints):
    """The arrays tracks and confidence as Tracks."""
    labels = [np.full(len(view), -1, np.int32) for view in keypoints]
    confidence = [np.zeros(len(view), np.float32) for view in keypoints]
    rows = file["tracks"]
    if rows.ndim != 2 or rows.shape[1] != 3 or rows.dtype.kind not in "iu":
        raise ValueError("%s: tracks is %s of %s, expected K x 3 integers" % (path, rows.shape, rows.dtype))
    given = file["confidence"] if "confidence" in file.files else np.ones(len(rows))
    if given.shape != (len(rows),):
        raise ValueError("%s: confidence is %s but tracks has %d rows" % (path, given.shape, len(rows)))
    for (track, view, point), value in zip(rows, given):
        if not (0 <= view < len(labels) and 0 <= point < len(labels[view])):
            raise ValueError("%s: tracks has point %d of view %d, which does not exist" % (path, point, view))
        labels[view][point], confidence[view][point] = track, value
    return _native.Tracks(labels, confidence)


def readNpz(path):
    """Reads a .npz file. Returns a Problem. Pickled objects are refused. Raises ValueError where the content is not as described."""
    with namedErrors(path):
        _checkArrays(path)
        with np.load(path, allow_pickle=False) as file:
            return _problemOf(path, file)


def _problemOf(path, file):
    problem = Problem()
    views = sorted(int(m.group(1)) for m in (re.match(r"keypoints_(\d+)$", name) for name in file.files) if m)
    if views != list(range(len(views))):
        raise ValueError("%s has keypoints of the views %s, expected 0, 1, ..." % (path, views))
    for view in views:
        problem.keypoints.append(_keypoints(path, "keypoints_%d" % view, file["keypoints_%d" % view]))
        name = "descriptors_%d" % view
        problem.descriptors.append(file[name] if name in file.files else None)
        if name in file.files and len(file[name]) != len(problem.keypoints[-1]):
            raise ValueError("%s: %s has %d rows but there are %d key points" % (path, name, len(file[name]), len(problem.keypoints[-1])))
    problem.viewIds = views
    problem.names = [str(name) for name in file["names"]] if "names" in file.files else ["view_%d" % view for view in views]
    if len(problem.names) != len(views):
        raise ValueError("%s has %d names but %d views" % (path, len(problem.names), len(views)))
    for name in file.files:
        numbers = re.match(r"matches_(\d+)_(\d+)$", name)
        if numbers:
            problem.matches.append(_matchesOf(path, file, name, int(numbers.group(1)), int(numbers.group(2))))
    if "tracks" in file.files:
        problem.tracks = _tracksOf(path, file, problem.keypoints)
    return problem


def writeNpz(path, keypoints, matches=(), descriptors=None, names=None, tracks=None):
    """Writes a .npz file, compressed. matches: PairMatches whose distance is a score in [0, 1], each pair of views once."""
    arrays = {}
    for view, points in enumerate(keypoints):
        arrays["keypoints_%d" % view] = np.array([(*k.pt, k.size, k.angle) for k in points], np.float32).reshape(-1, 4)
        if descriptors is not None and descriptors[view] is not None:
            arrays["descriptors_%d" % view] = descriptors[view]
    for pair in matches:
        numbers = "_%d_%d" % (pair.first, pair.second)
        if "matches" + numbers in arrays:
            raise ValueError("the matches of the views %d and %d are given twice" % (pair.first, pair.second))
        arrays["matches" + numbers] = np.array([(m.queryIdx, m.trainIdx) for m in pair.matches], np.int32).reshape(-1, 2)
        arrays["scores" + numbers] = np.array([m.distance for m in pair.matches], np.float32)
    if names is not None:
        arrays["names"] = np.array(list(names))
    if tracks is not None:
        seen = [(t, o.view, o.point, o.confidence) for t in range(tracks.size()) for o in tracks.track(t)]
        arrays["tracks"] = np.array([s[:3] for s in seen], np.int32).reshape(-1, 3)
        arrays["confidence"] = np.array([s[3] for s in seen], np.float32)
    with newFile(path) as name, open(name, "wb") as file:
        np.savez_compressed(file, **arrays)


def writeAliceVision(path, viewIds, keypoints, tracks, descType="sift"):
    """Writes the tracks as AliceVision's JSON: a list of [track, {"descType", "featPerView": [[view, {"featureId", "coords", "scale", "depth"}], ...]}].

    viewIds: AliceVision's number of each view, as in its sfm file. Coordinates are written as they are. The depth is -1, unknown."""
    if len(viewIds) != tracks.viewCount() or len(keypoints) != tracks.viewCount():
        raise ValueError("there are %d viewIds and %d views of keypoints, but the tracks have %d views"
                         % (len(viewIds), len(keypoints), tracks.viewCount()))
    result = []
    for track in range(tracks.size()):
        features = []
        for seen in sorted(tracks.track(track), key=lambda o: int(viewIds[o.view])):
            point = keypoints[seen.view][seen.point]
            features.append([int(viewIds[seen.view]), {"featureId": seen.point, "coords": [float(point.pt[0]), float(point.pt[1])],
                                                       "scale": float(point.size), "depth": -1.0}])
        result.append([track, {"descType": descType, "featPerView": features}])
    with newFile(path) as name, open(name, "w", encoding="ascii") as file:
        json.dump(result, file)


def readAliceVision(path):
    """Reads AliceVision's tracks in JSON. Returns a Problem with tracks; viewIds ascending, and keypoints up to the largest featureId of each view: those
    that no track has are at (-1, -1). Raises ValueError where the content is not as described, and where there would be more than 2^20 such points and
    one for each byte of the file."""
    with namedErrors(path):
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        return _problemOfRows(path, _aliceVisionRows(path, content))


def _aliceVisionRows(path, content):
    """Track, view, feature, place and scale of each observation."""
    try:
        items = content.items() if isinstance(content, dict) else content
        rows = [(int(track), int(view), int(item["featureId"]), item["coords"], float(item.get("scale", 1)))
                for track, entry in items for view, item in entry["featPerView"]]
        return [(track, view, point, (float(coords[0]), float(coords[1])), scale) for track, view, point, coords, scale in rows]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise ValueError("%s: expected a list of [track, {featPerView: [[view, {featureId, coords}], ...]}]: %r" % (path, error)) from error


def _problemOfRows(path, rows):
    problem = Problem()
    problem.viewIds = sorted({row[1] for row in rows})
    problem.names = [str(view) for view in problem.viewIds]
    index = {view: n for n, view in enumerate(problem.viewIds)}
    sizes = [0] * len(index)
    for _, view, point, _, _ in rows:
        if point < 0:
            raise ValueError("%s: featureId is %d, expected 0 or more" % (path, point))
        sizes[index[view]] = max(sizes[index[view]], point + 1)
    most = (1 << 20) + os.path.getsize(path)
    if sum(sizes) > most:
        raise ValueError("%s: the largest featureIds of all views add up to %d, expected at most %d in a file of this size" % (path, sum(sizes), most))
    labels = [np.full(size, -1, np.int32) for size in sizes]
    places = [[(-1.0, -1.0, 0.0)] * size for size in sizes]
    numbers = {}
    for track, view, point, coords, scale in rows:
        if labels[index[view]][point] >= 0:
            raise ValueError("%s: feature %d of view %d is in two tracks; features of several descTypes cannot be told apart"
                             % (path, point, view))
        labels[index[view]][point] = numbers.setdefault(track, len(numbers))
        places[index[view]][point] = (*coords, scale)
    problem.keypoints = [tuple(cv2.KeyPoint(x, y, size) for x, y, size in view) for view in places]
    problem.descriptors = [None] * len(sizes)
    problem.tracks = _native.Tracks(labels)
    problem.matches = list(_native.allPairMatches(problem.tracks))
    for pair in problem.matches:  # confidence 1 as a score
        pair.matches = [cv2.DMatch(m.queryIdx, m.trainIdx, 1.0) for m in pair.matches]
    return problem
