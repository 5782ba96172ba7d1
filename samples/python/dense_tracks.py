#!/usr/bin/env python3
"""Usage: dense_tracks.py IMAGE IMAGE...

Tracks from the matches of a dense matcher, which has coordinates but no key points. Optical flow stands for LoFTR, RoMa and others."""

import sys

import cv2
import numpy as np

try:
    from cv2 import multimatch
except ImportError:
    import cv2_multimatch as multimatch


def dense_matcher(first, second):
    """mkpts0 and mkpts1 (N x 2) and mconf (N), as kornia and hloc have them."""
    dis = cv2.DISOpticalFlow_create()
    forward, backward = dis.calc(first, second, None), dis.calc(second, first, None)
    y, x = np.mgrid[4:first.shape[0]:8, 4:first.shape[1]:8].reshape(2, -1)
    mkpts0 = np.stack([x, y], 1).astype(np.float32)
    mkpts1 = mkpts0 + forward[y, x]
    to = np.rint(mkpts1).astype(int)
    inside = ((to >= 0) & (to < (first.shape[1], first.shape[0]))).all(1)
    mkpts0, mkpts1, to = mkpts0[inside], mkpts1[inside], to[inside]
    error = np.linalg.norm(mkpts1 + backward[to[:, 1], to[:, 0]] - mkpts0, axis=1)
    good = error < 2
    return mkpts0[good], mkpts1[good], 1 - error[good] / 4


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    images = [cv2.imread(name, cv2.IMREAD_GRAYSCALE) for name in sys.argv[1:]]
    if any(image is None for image in images):
        sys.exit("dense_tracks.py: cannot read all images")

    matches = []
    for i in range(len(images)):
        for j in range(i + 1, len(images)):
            mkpts0, mkpts1, mconf = dense_matcher(images[i], images[j])
            matches.append(multimatch.CoordinateMatches(i, j, mkpts0, mkpts1, mconf))

    clustered = multimatch.clusterMatches(matches)
    tracks = multimatch.HiPPI.create().synchronize(clustered.keypoints, clustered.matches, multimatch.WEIGHTS_FROM_SCORES)
    keypoints = multimatch.refineKeyPoints(clustered, tracks)

    for pair in multimatch.reportPairs(clustered.matches, tracks):
        print("views %d and %d: score %.2f, %d of %d matches kept, %d contradicted"
              % (pair.first, pair.second, pair.score, pair.kept, pair.given, pair.contradicted))
    print("%d tracks of %d key points" % (tracks.size(), sum(len(k) for k in keypoints)))


if __name__ == "__main__":
    main()
