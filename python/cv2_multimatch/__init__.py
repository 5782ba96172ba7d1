"""Multi-image matching for OpenCV: replaces cv2.multimatch if OpenCV was built without the module.

Names, arguments and defaults are those of cv2.multimatch. The types cv2.KeyPoint, cv2.DMatch and cv2.error are those of cv2.
In addition, matchers have setProgressCallback(), and Ctrl-C stops a run.

    import cv2
    import cv2_multimatch as multimatch

    sift = cv2.SIFT_create(3000)
    keypoints, descriptors = zip(*(sift.detectAndCompute(image, None) for image in images))
    tracks = multimatch.HiPPI.create().match(keypoints, descriptors)
    matches = tracks.matches(0, 7)
"""

from . import _native
from ._native import *  # noqa: F401,F403

__version__ = _native.__version__
__all__ = [name for name in dir(_native) if not name.startswith("_")]
