#!/usr/bin/env python3
"""Usage: tracks.py IMAGE IMAGE... prints the same as the C++ program main.cpp."""

import sys

import cv2

try:
    from cv2 import multimatch
except ImportError:
    import cv2_multimatch as multimatch

images = [cv2.imread(name, cv2.IMREAD_GRAYSCALE) for name in sys.argv[1:]]
sift = cv2.SIFT_create(1000)
keypoints, descriptors = zip(*(sift.detectAndCompute(image, None) for image in images))
tracks = multimatch.HiPPI.create().match(keypoints, descriptors)
for view in range(tracks.viewCount()):
    for point, track in enumerate(tracks.trackIds(view)):
        if track >= 0:
            print(view, point, track)
sys.exit(tracks.empty())
