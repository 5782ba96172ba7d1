"""Files of hloc (hierarchical localization): features.h5 and matches.h5 in, consistent matches out in the same form.

    from cv2_multimatch import hloc

    hloc.synchronize("features.h5", "matches.h5", "consistent.h5", pairs="pairs.txt")

Needs h5py (Debian: python3-h5py). features.h5 has a group for each image with keypoints (N x 2), and optionally descriptors (D x N),
scores (N) and image_size. matches.h5 has a group for each pair of images with matches0 (for each key point of the first image its match,
-1: none) and optionally matching_scores0, or keypoints0, keypoints1 and scores of a dense matcher. Its name is that of both images,
"/" in them replaced by "-", with "/" between them ("_" in files of old versions). The center of the upper left pixel is (0, 0), as in OpenCV."""

import argparse
import contextlib
import sys

import cv2
import numpy as np

from . import _native
from ._files import checkClaimed, namedErrors, newFile

try:
    import h5py
except ImportError as error:
    raise ImportError("cv2_multimatch.hloc needs h5py, which Debian's package python3-h5py installs") from error

__all__ = ["Features", "readPairs", "readFeatures", "readMatches", "readDenseMatches", "writeFeatures", "writeMatches", "synchronize"]


class Features:
    """Key points of images: names, and for each image keypoints (a tuple of cv2.KeyPoint), descriptors (an N x D array or None), sizes ((width,
    height) or None)."""

    def __init__(self):
        self.names = []
        self.keypoints = []
        self.descriptors = []
        self.sizes = []


def readPairs(path):
    """Pairs of image names, one pair in a line."""
    pairs = []
    with namedErrors(path), open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            names = line.split()
            if not names:
                continue
            if len(names) != 2:
                raise ValueError("%s:%d: expected two names, found %d" % (path, number, len(names)))
            pairs.append((names[0], names[1]))
    return pairs


def _array(group, name, kind=None):
    """A dataset as an array; raises ValueError where it is none, or has fewer bytes in the file than it announces."""
    data = group[name]
    if not isinstance(data, h5py.Dataset):
        raise ValueError("%s: %s of %s is no array" % (group.file.filename, name, group.name))
    checkClaimed(group.file.filename, data.name, data.size * data.dtype.itemsize, data.id.get_storage_size())
    return np.asarray(data, kind)


def _imagesOf(file):
    """Names of all groups with key points; names with "/" are groups in groups."""
    names = []

    def visit(name, item):
        if isinstance(item, h5py.Group) and isinstance(item.get("keypoints"), h5py.Dataset):
            names.append(name)

    file.visititems(visit)
    return sorted(names)


def readFeatures(path, names=None):
    """Reads features.h5. names: of the images, in this order; None: all, in the order of their names."""
    features = Features()
    with namedErrors(path), h5py.File(path, "r") as file:
        for name in _imagesOf(file) if names is None else names:
            if name not in file or "keypoints" not in file[name]:
                raise ValueError("%s has no key points of %s" % (path, name))
            group = file[name]
            points = _array(group, "keypoints", np.float32)
            if points.size == 0:
                points = points.reshape(0, 2)
            if points.ndim != 2 or points.shape[1] < 2:
                raise ValueError("%s: keypoints of %s are %s, expected N x 2" % (path, name, points.shape))
            scores = _array(group, "scores", np.float32) if "scores" in group else np.zeros(len(points))
            if len(scores) != len(points):
                raise ValueError("%s: %s has %d key points but %d scores" % (path, name, len(points), len(scores)))
            descriptors = None
            if "descriptors" in group:
                descriptors = np.ascontiguousarray(_array(group, "descriptors").T)
                if len(descriptors) != len(points):
                    raise ValueError("%s: %s has %d key points but %d descriptors" % (path, name, len(points), len(descriptors)))
                if descriptors.dtype != np.uint8:
                    descriptors = descriptors.astype(np.float32)
            features.names.append(name)
            features.keypoints.append(tuple(cv2.KeyPoint(float(p[0]), float(p[1]), 1.0, -1.0, float(s))
                                            for p, s in zip(points, scores)))
            features.descriptors.append(descriptors)
            features.sizes.append(tuple(int(v) for v in _array(group, "image_size")) if "image_size" in group else None)
    return features


def _groupOf(first, second, separator="/"):
    return separator.join((first.replace("/", "-"), second.replace("/", "-")))


def _find(file, first, second):
    """The group of a pair and whether it is stored in the other order; None where there is none."""
    for separator in "/_":
        for swapped, pair in ((False, (first, second)), (True, (second, first))):
            name = _groupOf(*pair, separator=separator)
            if name in file and isinstance(file[name], h5py.Group):
                return file[name], swapped
    return None, False


def _pairsOf(file, names, dataset):
    """Pairs of the known images that the file has."""
    plain = {name.replace("/", "-"): name for name in names}
    if len(plain) != len(names):
        raise ValueError("two names differ in / and - only; give the pairs")
    pairs = []
    for first, group in file.items():
        if isinstance(group, h5py.Group) and dataset in group:  # of an old version
            for cut in [n for n, letter in enumerate(first) if letter == "_"]:
                if first[:cut] in plain and first[cut + 1:] in plain:
                    pairs.append((plain[first[:cut]], plain[first[cut + 1:]]))
                    break
            else:
                raise ValueError("%s has matches of %s, which are no two of the images" % (file.filename, first))
            continue
        for second in group:
            if first not in plain or second not in plain:
                raise ValueError("%s has matches of %s and %s, which are no two of the images" % (file.filename, first, second))
            pairs.append((plain[first], plain[second]))
    return pairs


def _each(path, names, pairs, dataset):
    """Both views, the group and whether it is swapped, of each pair."""
    index = {name: n for n, name in enumerate(names)}
    with h5py.File(path, "r") as file:
        for first, second in _pairsOf(file, names, dataset) if pairs is None else pairs:
            for name in (first, second):
                if name not in index:
                    raise ValueError("there are no key points of %s, which the pairs name" % name)
            group, swapped = _find(file, first, second)
            if group is None or dataset not in group:
                raise ValueError("%s has no %s of %s and %s" % (path, dataset, first, second))
            yield index[first], index[second], group, swapped


def readMatches(path, names, pairs=None):
    """Reads matches.h5 as a list of PairMatches for WEIGHTS_FROM_SCORES. names: of the images, in the order of the views. pairs: those to read,
    as readPairs returns them; None: all of the file."""
    with namedErrors(path):
        return [_matchesOf(path, *pair) for pair in _each(path, names, pairs, "matches0")]


def _matchesOf(path, first, second, group, swapped):
    partner = _array(group, "matches0", np.int64)
    scores = _array(group, "matching_scores0", np.float32) if "matching_scores0" in group else np.ones(len(partner), np.float32)
    if len(scores) != len(partner):
        raise ValueError("%s: %s has %d matches but %d scores" % (path, group.name, len(partner), len(scores)))
    pair = _native.PairMatches()
    pair.first, pair.second = (second, first) if swapped else (first, second)
    pair.matches = [cv2.DMatch(int(p), int(partner[p]), float(min(max(scores[p], 0), 1))) for p in np.flatnonzero(partner >= 0)]
    return pair


def readDenseMatches(path, names, pairs=None):
    """Reads matches of a dense matcher, keypoints0, keypoints1 and scores, as a list of CoordinateMatches for clusterMatches."""
    result = []
    with namedErrors(path):
        for first, second, group, swapped in _each(path, names, pairs, "keypoints0"):
            views = (second, first) if swapped else (first, second)
            scores = _array(group, "scores", np.float32) if "scores" in group else None
            result.append(_native.CoordinateMatches(views[0], views[1], _array(group, "keypoints0", np.float32),
                                                    _array(group, "keypoints1", np.float32), scores))
    return result


@contextlib.contextmanager
def _newFile(path):
    """An HDF5 file that appears under its name only when it is complete."""
    with newFile(path) as name, h5py.File(name, "w") as file:
        yield file


def writeFeatures(path, features):
    """Writes features.h5."""
    with _newFile(path) as file:
        for name, keypoints, descriptors, size in zip(features.names, features.keypoints, features.descriptors, features.sizes):
            group = file.create_group(name)
            group["keypoints"] = np.array([k.pt for k in keypoints], np.float32).reshape(-1, 2)
            group["scores"] = np.array([k.response for k in keypoints], np.float32)
            if descriptors is not None:
                group["descriptors"] = np.ascontiguousarray(np.asarray(descriptors).T)
            if size is not None:
                group["image_size"] = np.array(size)


def writeMatches(path, names, pointCounts, matches, pairs=None):
    """Writes matches.h5. names: of the images; pointCounts: their numbers of key points; matches: PairMatches whose distance is a score in [0, 1].
    pairs: those to write, in this order and with an entry for each, also if it has no matches; None: all of matches."""
    views = {}
    for pair in matches:
        views.setdefault((pair.first, pair.second), []).extend((m.queryIdx, m.trainIdx, m.distance) for m in pair.matches)
    if pairs is None:
        wanted = [key for key in views if (key[1], key[0]) not in views or key[0] < key[1]]
    else:
        index = {name: n for n, name in enumerate(names)}
        for name in {name for pair in pairs for name in pair} - set(index):
            raise ValueError("there are no key points of %s, which the pairs name" % name)
        wanted = [(index[first], index[second]) for first, second in pairs]
    with _newFile(path) as file:
        for first, second in wanted:
            name = _groupOf(names[first], names[second])
            if name in file:
                continue
            kind = np.int16 if pointCounts[second] <= np.iinfo(np.int16).max else np.int32
            partner = np.full(pointCounts[first], -1, kind)
            scores = np.zeros(pointCounts[first], np.float16)
            found = views.get((first, second), []) + [(q, p, s) for p, q, s in views.get((second, first), [])]
            for p, q, score in found:
                if partner[p] < 0 or score > scores[p]:
                    partner[p], scores[p] = q, score
            group = file.create_group(name)
            group["matches0"] = partner
            group["matching_scores0"] = scores


def synchronize(features, matches, output, pairs=None, matcher=None):
    """Makes the matches of matches.h5 consistent and writes them to output in the same form, for the same pairs. Returns the tracks and the Features.

    features, matches: the files. pairs: the file of the pairs, None: all pairs of matches. matcher: HiPPI by default. A match's new score is the
    smaller confidence of its two points."""
    wanted = None if pairs is None else readPairs(pairs)
    read = readFeatures(features)
    given = readMatches(matches, read.names, wanted)
    tracks = (matcher or _native.HiPPI.create()).synchronize(read.keypoints, given, _native.WEIGHTS_FROM_SCORES)
    consistent = []
    for view in sorted({(pair.first, pair.second) for pair in given}):
        pair = _native.PairMatches()
        pair.first, pair.second = view
        pair.matches = [cv2.DMatch(m.queryIdx, m.trainIdx, 1 - m.distance) for m in tracks.matches(*view)]
        consistent.append(pair)
    if wanted is None:
        wanted = [(read.names[pair.first], read.names[pair.second]) for pair in given]
    writeMatches(output, read.names, [len(k) for k in read.keypoints], consistent, wanted)
    return tracks, read


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python3 -m cv2_multimatch.hloc", description="Makes the matches of hloc's files consistent.")
    parser.add_argument("features", help="features.h5")
    parser.add_argument("matches", help="matches.h5")
    parser.add_argument("output", help="consistent matches in the same form")
    parser.add_argument("--pairs", help="text file with two names per line (default: all pairs of the matches)")
    options = parser.parse_args(arguments)
    try:
        tracks, features = synchronize(options.features, options.matches, options.output, options.pairs)
    except (OSError, ValueError, cv2.error) as error:
        sys.exit("cv2_multimatch.hloc: %s" % error)
    print("%d tracks of %d images, wrote %s" % (tracks.size(), len(features.names), options.output))


if __name__ == "__main__":
    main()
