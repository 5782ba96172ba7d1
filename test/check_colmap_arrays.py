#!/usr/bin/env python3
"""Usage: check_colmap_arrays.py SCRIPT FILE.npz IMAGE... runs the sample SCRIPT and checks that its arrays are consistent."""

import subprocess
import sys

import numpy as np

subprocess.run([sys.executable] + sys.argv[1:], check=True)
arrays = np.load(sys.argv[2])
count = len(arrays["names"])
assert count == len(sys.argv) - 3
image, point, offsets = arrays["track_image"], arrays["track_point"], arrays["track_offsets"]
assert offsets[0] == 0 and offsets[-1] == len(image) == len(point)
assert len(offsets) > 100 and (np.diff(offsets) >= 2).all()

# Every pair of observations in a track is a match, and there are no others.
expected = {}
for start, end in zip(offsets[:-1], offsets[1:]):
    observations = list(zip(image[start:end], point[start:end]))
    assert len({view for view, _ in observations}) == len(observations)
    for a, (view_a, point_a) in enumerate(observations):
        assert point_a < len(arrays["keypoints_%d" % (view_a - 1)])
        for view_b, point_b in observations[a + 1:]:
            assert view_a < view_b
            expected.setdefault("matches_%d_%d" % (view_a - 1, view_b - 1), set()).add((point_a, point_b))
assert expected
for name in arrays.files:
    if name.startswith("matches_"):
        assert arrays[name].dtype == np.uint32
        assert {tuple(row) for row in arrays[name]} == expected.pop(name)
assert not expected
