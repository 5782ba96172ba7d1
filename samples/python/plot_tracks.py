#!/usr/bin/env python3
"""Usage: plot_tracks.py PICTURE_TO_WRITE IMAGE IMAGE...

Computes tracks of all images and the matches of the first and the last image, and draws the tracks."""

import sys

## [imports]
import cv2

try:
    from cv2 import multimatch
except ImportError:  # an OpenCV built without the module
    import cv2_multimatch as multimatch
## [imports]


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    images = [cv2.imread(name) for name in sys.argv[2:]]
    for name, image in zip(sys.argv[2:], images):
        if image is None:
            sys.exit("plot_tracks.py: cannot read " + name)

    ## [match]
    sift = cv2.SIFT_create(3000)
    keypoints, descriptors = zip(*(sift.detectAndCompute(image, None) for image in images))
    tracks = multimatch.HiPPI.create().match(keypoints, descriptors)
    matches = tracks.matches(0, len(images) - 1)
    ## [match]
    print("%d tracks; %d matches of the first and the last view" % (tracks.size(), len(matches)))

    picture = multimatch.drawTracks(images, keypoints, tracks)
    cv2.imwrite(sys.argv[1], picture)


if __name__ == "__main__":
    main()
