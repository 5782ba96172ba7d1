#!/usr/bin/env python3
"""Usage: colmap_arrays.py FILE_TO_WRITE.npz IMAGE IMAGE...

Tracks as the arrays that pycolmap and other COLMAP tools in Python work with:

  names                  of the images
  keypoints_I            n x 2 float32 of image I, from 0 on; COLMAP's pixel origin, the corner of the first pixel
  matches_I_J            n x 2 uint32 for every pair I < J with matches: indices into keypoints_I and keypoints_J
  track_image, track_point, track_offsets
                         observations of track t: entries track_offsets[t] to track_offsets[t + 1] of the other two,
                         which are image_id (from 1) and point2D_idx
"""

import sys

import cv2
import numpy as np

try:
    from cv2 import multimatch
except ImportError:
    import cv2_multimatch as multimatch


def colmap_keypoints(keypoints):
    # (0, 0) is the center of the first pixel in OpenCV and its corner in COLMAP.
    return np.float32([k.pt for k in keypoints]).reshape(-1, 2) + np.float32(0.5)


def colmap_matches(tracks, i, j):
    """Indices of the key points that share a track in both views."""
    ids_i, ids_j = tracks.trackIds(i), tracks.trackIds(j)
    points_i, points_j = np.flatnonzero(ids_i >= 0), np.flatnonzero(ids_j >= 0)
    _, at_i, at_j = np.intersect1d(ids_i[points_i], ids_j[points_j], return_indices=True)
    return np.stack([points_i[at_i], points_j[at_j]], axis=1).astype(np.uint32)


def colmap_tracks(tracks):
    views = range(tracks.viewCount())
    ids = np.concatenate([tracks.trackIds(view) for view in views])
    image = np.concatenate([np.full(len(tracks.trackIds(view)), view + 1) for view in views])
    point = np.concatenate([np.arange(len(tracks.trackIds(view))) for view in views])
    order = np.argsort(ids, kind="stable")
    order = order[np.count_nonzero(ids < 0):]
    offsets = np.searchsorted(ids[order], np.arange(tracks.size() + 1))
    return image[order].astype(np.uint32), point[order].astype(np.uint32), offsets


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    names = sys.argv[2:]
    images = [cv2.imread(name, cv2.IMREAD_GRAYSCALE) for name in names]
    for name, image in zip(names, images):
        if image is None:
            sys.exit("colmap_arrays.py: cannot read " + name)
    sift = cv2.SIFT_create(3000)
    keypoints, descriptors = zip(*(sift.detectAndCompute(image, None) for image in images))
    tracks = multimatch.HiPPI.create().match(keypoints, descriptors)

    arrays = {"names": np.array(names)}
    for i in range(len(images)):
        arrays["keypoints_%d" % i] = colmap_keypoints(keypoints[i])
        for j in range(i + 1, len(images)):
            matches = colmap_matches(tracks, i, j)
            if len(matches):
                arrays["matches_%d_%d" % (i, j)] = matches
    arrays["track_image"], arrays["track_point"], arrays["track_offsets"] = colmap_tracks(tracks)
    np.savez_compressed(sys.argv[1], **arrays)
    print("%d images, %d tracks, %d pairs with matches"
          % (len(images), tracks.size(), sum(name.startswith("matches_") for name in arrays)))


if __name__ == "__main__":
    main()
