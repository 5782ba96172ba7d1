"""Files of the result: tracks in one file, a COLMAP database."""

from __future__ import annotations

import pathlib
from typing import List, Sequence

import numpy as np

import cv2_multimatch as multimatch

from . import features
from .graph import Result
from .state import Store


def tracks_of(store: Store, result: Result) -> multimatch.Tracks:
    """All tracks. They take about 8 bytes per key point."""
    starts = np.cumsum([0] + [view.points for view in result.views])
    labels = np.full(starts[-1], -1, np.int32)
    confidence = np.zeros(starts[-1], np.float32)
    count = 0
    for key in result.shards:
        shard = store.read_array("shard", key)
        rows = starts[shard["view"]] + shard["point"]
        labels[rows] = shard["track"] + count
        confidence[rows] = shard["confidence"]
        count += int(shard["track"].max(initial=-1)) + 1
    bounds = list(zip(starts[:-1], starts[1:]))
    return multimatch.Tracks([labels[a:b] for a, b in bounds], [confidence[a:b] for a, b in bounds])


def view_infos(store: Store, result: Result) -> List[multimatch.ViewInfo]:
    infos = []
    for view in result.views:
        info = multimatch.ViewInfo()
        info.name = pathlib.PurePath(view.name).name
        info.size = (view.width, view.height)
        info.keypoints = features.keypoints_of(store.read_array("features", view.features))
        infos.append(info)
    return infos


def write_outputs(store: Store, result: Result, names: Sequence[str], colmap: str, replace: bool) -> multimatch.Tracks:
    """Writes tracks to files of writeTracks(), and a COLMAP database unless its name is empty."""
    tracks = tracks_of(store, result)
    infos = view_infos(store, result) if names or colmap else []
    for name in names:
        multimatch.writeTracks(name, infos, tracks)
    if colmap:
        params = multimatch.ColmapParams()
        params.existing = multimatch.COLMAP_REPLACE if replace else multimatch.COLMAP_REFUSE
        multimatch.writeColmapDatabase(colmap, infos, multimatch.allPairMatches(tracks), params)
    return tracks
