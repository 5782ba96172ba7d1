#!/usr/bin/env python3
"""Usage: camera_flight.py PHOTOGRAPH FOLDER [FRAMES]

Writes frames of a camera that moves smoothly over a photograph to FOLDER/frame_00.png, FOLDER/frame_01.png, ..."""

import os
import sys

import cv2
import numpy as np


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    photo = cv2.imread(sys.argv[1])
    if photo is None:
        sys.exit("camera_flight.py: cannot read " + sys.argv[1])
    frames = int(sys.argv[3]) if len(sys.argv) == 4 else 20
    os.makedirs(sys.argv[2], exist_ok=True)
    photo = cv2.resize(photo, (1280, 1280 * photo.shape[0] // photo.shape[1]), interpolation=cv2.INTER_CUBIC)
    height, width = photo.shape[:2]
    size = (width * 2 // 3, height * 2 // 3)
    for number in range(frames):
        t = number / max(1, frames - 1)
        center = (width * (0.36 + 0.28 * t), height * (0.5 + 0.12 * np.sin(2 * np.pi * t)))
        motion = cv2.getRotationMatrix2D(center, 12 * np.sin(np.pi * t), 1.0 + 0.15 * t)
        motion[:, 2] += (size[0] / 2 - center[0], size[1] / 2 - center[1])
        frame = cv2.warpAffine(photo, motion, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        cv2.imwrite(os.path.join(sys.argv[2], "frame_%02d.png" % number), frame)


if __name__ == "__main__":
    main()
