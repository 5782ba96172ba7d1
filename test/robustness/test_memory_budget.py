"""A run that the memory budget accepts does not take more than the budget. Each problem runs in a process of its own."""
import ctypes
import json
import os
import random
import subprocess
import sys

PROBLEMS = 30
KINDS = ["partial", "partial", "guided", "complete", "exact", "literal", "UnionFind", "Kruskal", "neighbors"]


def make(kind, seed):
    """A random problem of a kind: (matcher, key points, descriptors). Half of the points of a view are outliers."""
    import cv2
    import numpy as np
    import cv2_multimatch as multimatch

    choose, rng = random.Random(seed), np.random.default_rng(seed)
    quick = kind in ("partial", "guided", "UnionFind", "Kruskal")
    views = choose.randint(3, 12)
    inliers = choose.randint(200, 1200) if quick else choose.randint(30, 120)
    if kind == "neighbors": # many of each point, between few large views
        views, inliers = 2, choose.randint(2500, 4500)
    width = choose.choice([32, 64, 128])
    binary = choose.random() < 0.3
    scale = 255 if choose.random() < 0.5 else 1
    truth = rng.random((inliers, width)) * scale
    places = rng.random((inliers, 2)) * 1000
    keypoints, descriptors = [], []
    for v in range(views):
        outliers = choose.randint(0, inliers) if kind in ("partial", "guided", "UnionFind", "Kruskal") else 0
        shown = rng.permutation(inliers)
        described = np.vstack([truth[shown] + rng.normal(0, 0.05 * scale, (inliers, width)),
                               rng.random((outliers, width)) * scale])
        if binary:
            described = np.clip(described / scale * 255, 0, 255).astype(np.uint8)
        placed = np.vstack([places[shown] + 20 * v, rng.random((outliers, 2)) * 1000])
        keypoints.append([cv2.KeyPoint(float(x), float(y), 5, 0) for x, y in placed])
        descriptors.append(described.astype(np.uint8 if binary else np.float32))
    neighbors = choose.choice([1, 2, 3, 5, 10, 20])
    if kind == "guided":
        params = multimatch.GuidedParams()
        params.hippi.neighbors = neighbors
        matcher = multimatch.GuidedHiPPI.create(params)
    elif kind == "neighbors":
        params = multimatch.PairwiseParams()
        params.neighbors = choose.randint(100, 400)
        matcher = multimatch.Pairwise.create(params)
    elif kind in ("UnionFind", "Kruskal"):
        matcher = getattr(multimatch, kind).create()
    else:
        params = multimatch.HiPPIParams()
        params.neighbors = neighbors
        params.mode = {"partial": multimatch.HIPPI_PARTIAL, "literal": multimatch.HIPPI_LITERAL}.get(
            kind, multimatch.HIPPI_COMPLETE)
        params.exact = kind == "exact"
        matcher = multimatch.HiPPI.create(params)
    if choose.random() < 0.3:
        matcher.setWindow(choose.randint(1, 4))
    if quick and choose.random() < 0.3:
        matcher.setSearchMode(multimatch.SEARCH_APPROXIMATE)
    return matcher, keypoints, descriptors


def status(name):
    with open("/proc/self/status") as lines:
        return next(1024 * int(line.split()[1]) for line in lines if line.startswith(name))


def measure(kind, seed):
    """Runs in the child. Prints the budget that is just accepted and by how much the memory of the process grows."""
    import cv2
    small, keypoints, descriptors = make("partial", 0)
    small.match([k[:50] for k in keypoints], [d[:50] for d in descriptors]) # threads and libraries have their memory
    matcher, keypoints, descriptors = make(kind, seed)
    matcher.setMemoryBudget(1)
    try:
        matcher.match(keypoints, descriptors)
        raise AssertionError("a budget of one byte was accepted")
    except cv2.error as error:
        budget = float(error.err.split("may need ")[1].split()[0])
    matcher.setMemoryBudget(budget)
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5") # resets the peak
    before = status("VmRSS")
    tracks = matcher.match(keypoints, descriptors)
    print(json.dumps({"budget": budget, "used": status("VmHWM") - before, "tracks": tracks.size(),
                      "points": sum(map(len, keypoints)), "views": len(keypoints)}))


def test_budget_is_kept():
    exceeded = []
    for seed in range(1, PROBLEMS + 1):
        kind = KINDS[seed % len(KINDS)]
        child = subprocess.run([sys.executable, __file__, kind, str(seed)], capture_output=True, text=True)
        assert child.returncode == 0, child.stderr
        result = json.loads(child.stdout)
        print("%-10s %6d points %3d views: %5.1f of %6.1f MB, %d tracks" % (
            kind, result["points"], result["views"], result["used"] / 1e6, result["budget"] / 1e6, result["tracks"]))
        if result["used"] > result["budget"]:
            exceeded.append((kind, seed, result))
    assert exceeded == []


if __name__ == "__main__":
    measure(sys.argv[1], int(sys.argv[2]))
