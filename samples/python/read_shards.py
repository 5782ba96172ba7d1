#!/usr/bin/env python3
"""Usage: read_shards.py WORK

Lengths of the tracks of the last result in a work folder of cv2_multimatch.distributed, shard by shard: no more than one shard is in memory."""

import json
import pathlib
import sys

import numpy as np


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    work = pathlib.Path(sys.argv[1])
    name = max((work / "result").rglob("*.json"), key=lambda path: path.stat().st_mtime)
    result = json.loads(name.read_text())
    tracks, observations = 0, 0

    for key in result["shards"]:
        shard = np.load(work / "shard" / key[:2] / (key + ".npy"))  # fields track, view, point, confidence
        lengths = np.bincount(shard["track"])
        tracks += len(lengths)
        observations += len(shard)

    print("%d views, %d tracks with %d observations" % (len(result["views"]), tracks, observations))


if __name__ == "__main__":
    main()
