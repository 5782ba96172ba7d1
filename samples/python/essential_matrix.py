#!/usr/bin/env python3
"""Usage: essential_matrix.py FOCAL_LENGTH_IN_PIXELS IMAGE IMAGE...

Estimates the camera motion between consecutive images: tracks of all images, then an essential matrix for each pair. All images must
have the same size, with the principal point in the center."""

import sys

import cv2
import numpy as np

try:
    from cv2 import multimatch
except ImportError:
    import cv2_multimatch as multimatch


def points_in_both(tracks, keypoints, i, j):
    """Coordinates of the tracks that both views share, in the same order."""
    matches = tracks.matches(i, j)
    return (np.float64([keypoints[i][m.queryIdx].pt for m in matches]),
            np.float64([keypoints[j][m.trainIdx].pt for m in matches]))


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    focal = float(sys.argv[1])
    images = [cv2.imread(name, cv2.IMREAD_GRAYSCALE) for name in sys.argv[2:]]
    for name, image in zip(sys.argv[2:], images):
        if image is None:
            sys.exit("essential_matrix.py: cannot read " + name)
    height, width = images[0].shape
    camera = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])

    sift = cv2.SIFT_create(3000)
    keypoints, descriptors = zip(*(sift.detectAndCompute(image, None) for image in images))
    tracks = multimatch.HiPPI.create().match(keypoints, descriptors)

    print("views  matches  inliers  rotation  direction of the motion")
    for i in range(len(images) - 1):
        first, second = points_in_both(tracks, keypoints, i, i + 1)
        if len(first) < 5:
            print("%2d %2d  %7d  too few" % (i, i + 1, len(first)))
            continue
        essential, inliers = cv2.findEssentialMat(first, second, camera, cv2.RANSAC, 0.999, 1.5)
        _, rotation, translation, _ = cv2.recoverPose(essential, first, second, camera, mask=inliers.copy())
        degrees = np.degrees(np.linalg.norm(cv2.Rodrigues(rotation)[0]))
        print("%2d %2d  %7d  %7d  %7.2f°  (%.2f, %.2f, %.2f)"
              % (i, i + 1, len(first), inliers.sum(), degrees, *translation.ravel()))


if __name__ == "__main__":
    main()
