"""The tasks: each reads results from the shared folder, computes one and writes it there.

A task returns a small record; nothing large passes through the scheduler."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import socket
from typing import Any, Callable, Dict, List, Sequence, Tuple

import cv2
import numpy as np

import cv2_multimatch as multimatch

from . import costs, features
from .state import StateError, Store, key_of

# Tracks as a table: one row per observation, ascending by track.
OBSERVATION = np.dtype([("track", "<i4"), ("view", "<i4"), ("point", "<i4"), ("confidence", "<f4")])


class TaskError(RuntimeError):
    """A task failed; the message says why."""


@dataclasses.dataclass(frozen=True)
class Job:
    """A task and what it computes: the result KIND/KEY on the shared folder."""

    kind: str
    key: str
    function: Callable[..., None]  # function(store, key, *arguments)
    arguments: Tuple[Any, ...]
    points: int  # key points, which determine the cost
    needs: Tuple[str, ...] = ()  # keys of jobs that must be done before


def run(job: Job, folder: str, identity: str, threads: int, memory: float, done: Sequence[Any]) -> str:
    """Computes a job on a worker unless its result is there. done: results of the jobs that it needs."""
    store = Store(folder)
    if store.identity() != identity:
        raise StateError("%s sees another folder under the name %s" % (socket.gethostname(), folder))
    if is_done(store, job):
        return job.key
    cv2.setNumThreads(threads)
    try:
        with store.journaled(job.kind, job.key, job.points):
            job.function(store, job.key, *job.arguments)
    except (cv2.error, MemoryError) as error:
        # cv2.error keeps its code in attributes that pickle drops.
        short = isinstance(error, MemoryError) or getattr(error, "code", 0) == cv2.Error.StsNoMem
        advice = "; the worker has too little memory (%s): use larger workers or a smaller --cluster-points" % (
            costs.format_bytes(memory)) if short else ""
        raise TaskError("%s %s with %d key points: %s%s" % (job.kind, job.key, job.points, error, advice))
    return job.key


def is_done(store: Store, job: Job) -> bool:
    return store.has_record(job.kind, job.key) if job.kind == "image" else store.has_array(job.kind, job.key)


# -- image: features ---------------------------------------------------------------------------------------------------------


def image_key(name: str, params: features.FeatureParams) -> str:
    """Of a file as it is now. Raises OSError."""
    status = os.stat(name)
    return key_of("image", os.path.abspath(name), status.st_size, status.st_mtime_ns, dataclasses.asdict(params))


def compute_image(store: Store, key: str, name: str, params: features.FeatureParams) -> None:
    """Record with the key of the features, their number and the size of the image, or why there are none."""
    try:
        with open(name, "rb") as stream:
            content = stream.read()
    except FileNotFoundError:
        raise StateError("%s does not see the image %s; images must be on storage that all workers share"
                         % (socket.gethostname(), name))
    except OSError as error:
        store.write_record("image", key, {"unreadable": error.strerror})
        return
    content_key = key_of("features", hashlib.sha256(content).hexdigest(), os.path.splitext(name)[1] == ".npy",
                         dataclasses.asdict(params), cv2.__version__)
    try:
        found, width, height = features.read_features(content, name, params)
    except (features.UnreadableImage, cv2.error) as error:
        store.write_record("image", key, {"unreadable": str(error)})
        return
    if not store.has_array("features", content_key):
        store.write_array("features", content_key, found)
    store.write_record("image", key, {"features": content_key, "points": len(found), "width": width, "height": height})


# -- words, signatures, pairs ------------------------------------------------------------------------------------------------


def read_descriptors(store: Store, keys: Sequence[str]) -> List[np.ndarray]:
    return [features.descriptors_of(store.read_array("features", key)) for key in keys]


def compute_words(store: Store, key: str, feature_keys: Sequence[str], norm: int) -> None:
    store.write_array("words", key, multimatch.learnSignatureWords(read_descriptors(store, feature_keys), norm))


def compute_signatures(store: Store, key: str, words_key: str, feature_keys: Sequence[str], norm: int) -> None:
    """A row per view, of unit length up to the rounding to 16 bits."""
    words = store.read_array("words", words_key)
    signatures = np.zeros((len(feature_keys), max(1, words.size)), np.float16)
    for row, feature_key in enumerate(feature_keys):
        view = read_descriptors(store, [feature_key])
        if len(view[0]):
            signatures[row] = multimatch.signaturesFromWords(view, words, norm)[0]
    store.write_array("signatures", key, signatures)


def compute_pairs(store: Store, key: str, first: int, row_keys: Sequence[str], all_keys: Sequence[str], count: int) -> None:
    """The pairs of some views, first and after, with the count most similar of all views; N x 2, smaller number first."""
    rows = np.concatenate([store.read_array("signatures", row_key) for row_key in row_keys]).astype(np.float32)
    best = np.full((len(rows), 0), -1, np.int64)
    values = np.full((len(rows), 0), -np.inf, np.float32)
    start = 0
    for all_key in all_keys:
        batch = store.read_array("signatures", all_key).astype(np.float32)
        numbers = np.arange(start, start + len(batch))
        similar = rows @ batch.T
        # Views without points have a signature of zeros.
        similar[:, ~batch.any(1)] = -np.inf
        similar[np.arange(first, first + len(rows))[:, None] == numbers] = -np.inf
        values = np.concatenate([values, similar], 1)
        best = np.concatenate([best, np.broadcast_to(numbers, similar.shape)], 1)
        order = np.argsort(-values, 1, kind="stable")[:, :count]
        values, best = np.take_along_axis(values, order, 1), np.take_along_axis(best, order, 1)
        start += len(batch)
    found = (values > -np.inf) & rows.any(1)[:, None]
    pairs = np.stack([np.broadcast_to(np.arange(first, first + len(rows))[:, None], best.shape)[found], best[found]], 1)
    store.write_array("pairs", key, np.unique(np.sort(pairs, 1), axis=0).astype(np.int32))


# -- clusters and their merge ------------------------------------------------------------------------------------------------


def table_of(tracks: multimatch.Tracks) -> np.ndarray:
    """Observations of all tracks, ascending by track, then by view."""
    parts = []
    for view in range(tracks.viewCount()):
        ids = tracks.trackIds(view)
        points = np.flatnonzero(ids >= 0)
        part = np.empty(len(points), OBSERVATION)
        part["track"], part["view"], part["point"] = ids[points], view, points
        part["confidence"] = tracks.confidence(view)[points]
        parts.append(part)
    table = np.concatenate(parts) if parts else np.empty(0, OBSERVATION)
    return table[np.argsort(table["track"], kind="stable")]


def create_matcher(method: str) -> multimatch.MultiMatcher:
    return multimatch.GuidedHiPPI.create() if method == "guided" else multimatch.HiPPI.create()


def compute_cluster(store: Store, key: str, method: str, norm: int) -> None:
    """Tracks of a cluster of views; views are numbered inside the cluster."""
    spec = store.read_record("cluster_spec", key)
    keypoints, descriptors = [], []
    for feature_key in spec["features"]:
        view = store.read_array("features", feature_key)
        keypoints.append(features.keypoints_of(view))
        descriptors.append(features.descriptors_of(view) if len(view) else None)
    matcher = create_matcher(method)
    matcher.setNormType(norm)
    matcher.setPairs(np.array(spec["pairs"], np.int32).reshape(-1, 2))
    store.write_array("cluster", key, table_of(matcher.match(keypoints, descriptors)))


def divide(table: np.ndarray, is_open: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """The tracks with an observation in an open view, and the others."""
    touches = np.zeros(int(table["track"].max(initial=-1)) + 1, bool)
    touches[table["track"][is_open[table["view"]]]] = True
    chosen = touches[table["track"]]
    return table[chosen], table[~chosen]


def merge_tables(tables: Sequence[np.ndarray], part_views: Sequence[Sequence[int]], view_count: int) -> np.ndarray:
    """multimatch.mergeTracks of tables whose views are numbered in the whole.

    Only points that are in a track, and views with such points, are passed on. part_views: all views of each part."""
    everything = np.concatenate([(table["view"].astype(np.int64) << 32) + table["point"] for table in tables])
    if not len(everything):
        return np.empty(0, OBSERVATION)
    points, rows = np.unique(everything, return_inverse=True)
    views, first = np.unique(points >> 32, return_index=True)
    counts = np.diff(np.append(first, len(points)))
    number = np.full(view_count, -1, np.int64)
    number[views] = np.arange(len(views))
    parts, indices = [], []
    start = 0
    for table, own_views in zip(tables, part_views):
        own = number[np.asarray(own_views, np.int64)]
        own = own[own >= 0]
        labels = np.full(len(points), -1, np.int32)
        confidence = np.zeros(len(points), np.float32)
        of_part = rows[start:start + len(table)]
        labels[of_part], confidence[of_part] = table["track"], table["confidence"]
        start += len(table)
        slices = [slice(first[v], first[v] + counts[v]) for v in own]
        parts.append(multimatch.Tracks([labels[s] for s in slices], [confidence[s] for s in slices]))
        indices.append(own.tolist())
    merged = table_of(multimatch.mergeTracks(parts, indices, counts.tolist()))
    merged["point"] = points[first[merged["view"]] + merged["point"]] & 0xffffffff
    merged["view"] = views[merged["view"]]
    return merged


def compute_merged(store: Store, key: str) -> None:
    """The open tracks of the parts of a node, merged; views are numbered inside the node."""
    spec = store.read_record("merged_spec", key)
    tables, views = [], []
    for part in spec["parts"]:
        table = divide(store.read_array(part["kind"], part["key"]), np.array(part["open"], bool))[0]
        numbers = np.array(part["views"], np.int32)
        table["view"] = numbers[table["view"]]
        tables.append(table)
        views.append(part["views"])
    store.write_array("merged", key, merge_tables(tables, views, spec["count"]))


def compute_shard(store: Store, key: str) -> None:
    """The tracks of a node that nothing can change any more, with the numbers that views have in the result."""
    spec = store.read_record("shard_spec", key)
    closed = divide(store.read_array(spec["kind"], spec["key"]), np.array(spec["open"], bool))[1]
    closed["view"] = np.array(spec["views"], np.int32)[closed["view"]]
    _, closed["track"] = np.unique(closed["track"], return_inverse=True)
    store.write_array("shard", key, closed)


def describe_worker() -> Dict[str, Any]:
    """What the client wants to know of a worker."""
    return {"host": socket.gethostname(), "version": multimatch.__version__, "cores": len(os.sched_getaffinity(0))}


def see_folder(folder: str) -> str:
    """Number of the work folder as the worker sees it; "" if it does not."""
    try:
        return Store(folder).identity()
    except StateError:
        return ""
