"""Tracks of photographs do not depend on the kernels that the processor can run, nor on the number of threads."""
import os
import pathlib

import cv2
import numpy as np
import pytest

import cv2_multimatch as multimatch

PHOTOGRAPHS = pathlib.Path("/usr/share/doc/opencv-doc/examples/data")
KERNELS = "OPENCV_MULTIMATCH_KERNELS"


def photographs():
    """Three scenes in three views each, the third one turned and scaled; with test data another scene in six."""
    scenes = [("graf1.png", "graf3.png"), ("leuvenA.jpg", "leuvenB.jpg"), ("aloeL.jpg", "aloeR.jpg")]
    images = [cv2.imread(str(PHOTOGRAPHS / name), cv2.IMREAD_GRAYSCALE) for scene in scenes for name in scene]
    if any(image is None for image in images):
        pytest.skip("the photographs of opencv-doc are missing")
    for image in images[::2]:
        height, width = image.shape
        turn = cv2.getRotationMatrix2D((width / 2, height / 2), 20, 0.8)
        images.append(cv2.warpAffine(image, turn, (width, height)))
    data = os.environ.get("MULTIMATCH_TEST_DATA")
    if data:
        found = sorted(path for path in pathlib.Path(data, "oxford", "wall").iterdir()
                       if path.suffix in (".png", ".ppm", ".jpg"))
        images += [cv2.imread(str(path), cv2.IMREAD_GRAYSCALE) for path in found]
    return images


@pytest.fixture(scope="module", params=["SIFT", "SIFT as bytes", "ORB"])
def features(request):
    """Key points, descriptors and norm, found once."""
    detector = cv2.ORB_create(600) if request.param == "ORB" else cv2.SIFT_create(600)
    found = [detector.detectAndCompute(image, None) for image in photographs()]
    descriptors = [described for _, described in found]
    if request.param == "SIFT as bytes":
        descriptors = [described.astype(np.uint8) for described in descriptors]
    return [points for points, _ in found], descriptors, cv2.NORM_HAMMING if request.param == "ORB" else cv2.NORM_L2


def tracks_of(name, features):
    keypoints, descriptors, norm = features
    matcher = getattr(multimatch, name).create()
    matcher.setNormType(norm)
    tracks = matcher.match(keypoints, descriptors)
    assert tracks.size() > 100
    return [(list(tracks.trackIds(v)), list(tracks.confidence(v))) for v in range(len(keypoints))]


def kernel_names(features):
    """The kernels that this build can choose from; none where it has no such choice."""
    os.environ[KERNELS] = "?"
    try:
        tracks_of("UnionFind", features)
    except cv2.error as error:
        assert "expected one of " in error.err
        return error.err.split("expected one of ")[1].strip().split(", ")
    finally:
        del os.environ[KERNELS]
    return []


@pytest.mark.parametrize("matcher", ["HiPPI", "GuidedHiPPI"])
def test_tracks_do_not_depend_on_kernels(matcher, features):
    expected = tracks_of(matcher, features)
    for name in kernel_names(features):
        os.environ[KERNELS] = name
        try:
            assert tracks_of(matcher, features) == expected, name
        finally:
            del os.environ[KERNELS]
    cv2.setUseOptimized(False)
    try:
        assert tracks_of(matcher, features) == expected
    finally:
        cv2.setUseOptimized(True)


@pytest.mark.parametrize("matcher", ["HiPPI", "GuidedHiPPI"])
def test_tracks_do_not_depend_on_threads(matcher, features):
    before = cv2.getNumThreads()
    try:
        cv2.setNumThreads(1)
        expected = tracks_of(matcher, features)
        for threads in range(2, 9):
            cv2.setNumThreads(threads)
            assert tracks_of(matcher, features) == expected, f"{threads} threads"
    finally:
        cv2.setNumThreads(before)
