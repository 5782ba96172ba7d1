"""Key points and descriptors of an image: one array of records with the fields x, y, size, angle and descriptor.

A file .npy with such an array in place of an image has the features of another program; further fields are ignored."""

from __future__ import annotations

import dataclasses
import io
import pathlib
from typing import Any, List, Tuple

import cv2
import numpy as np

NAMES = ("SIFT", "ORB", "AKAZE", "KAZE", "BRISK")
# ORB without a limit finds nothing.
ORB_UNLIMITED = 1 << 20
POSITION = ("x", "y", "size", "angle")


class UnreadableImage(Exception):
    """The file is no image, or no array of features; the message says why."""


@dataclasses.dataclass(frozen=True)
class FeatureParams:
    """What is detected."""

    name: str = "SIFT"  # one of NAMES; SIFT is RootSIFT
    max_features: int = 3000  # the strongest of an image; 0: all


def record_type(width: int, kind: Any) -> np.dtype:
    return np.dtype([(field, "<f4") for field in POSITION] + [("descriptor", kind, (width,))])


def read_features(content: bytes, name: str, params: FeatureParams) -> Tuple[np.ndarray, int, int]:
    """Features, width and height of an image from the bytes of its file. Raises UnreadableImage."""
    if pathlib.PurePath(name).suffix == ".npy":
        features = given_features(content)
        return features, int(features["x"].max(initial=0)) + 1, int(features["y"].max(initial=0)) + 1
    image = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR) if content else None
    if image is None:
        raise UnreadableImage("OpenCV cannot read it as an image")
    return detect(image, params), image.shape[1], image.shape[0]


def given_features(content: bytes) -> np.ndarray:
    """The array of a .npy file without fields that are not features."""
    try:
        given = np.load(io.BytesIO(content), allow_pickle=False)
        if given.dtype.names is None or given.ndim != 1:
            raise ValueError("the array has no fields x, y, size, angle, descriptor")
        kind, shape = given.dtype["descriptor"].subdtype or (given.dtype["descriptor"], ())
        if len(shape) != 1 or kind not in (np.uint8, np.float32):
            raise ValueError("the field descriptor is %s, expected a row of bytes or of float32" % given.dtype["descriptor"])
        features = np.empty(given.shape, record_type(shape[0], kind))
        for field in features.dtype.names:
            features[field] = given[field]
    except (ValueError, KeyError, EOFError) as error:
        raise UnreadableImage("no array of features: %s" % error)
    return features


def detect(image: np.ndarray, params: FeatureParams) -> np.ndarray:
    """The strongest key points in the order of detection. Descriptors of SIFT are RootSIFT in bytes with norm 512."""
    if params.name == "SIFT":
        detector = cv2.SIFT_create(params.max_features)
    elif params.name == "ORB":
        detector = cv2.ORB_create(params.max_features or ORB_UNLIMITED)
    else:
        detector = getattr(cv2, params.name + "_create")()
    keypoints, descriptors = detector.detectAndCompute(image, None)
    if descriptors is None or len(keypoints) == 0:
        return np.empty(0, record_type(128 if params.name == "SIFT" else 32, np.uint8))
    if params.name == "SIFT":
        root = np.sqrt(descriptors / np.maximum(descriptors.sum(1, keepdims=True), 1e-12))
        descriptors = np.clip(np.rint(512 * root), 0, 255).astype(np.uint8)
    features = np.empty(len(keypoints), record_type(descriptors.shape[1], descriptors.dtype))
    features["x"], features["y"] = np.array([key.pt for key in keypoints], np.float32).T
    features["size"] = [key.size for key in keypoints]
    features["angle"] = [key.angle for key in keypoints]
    features["descriptor"] = descriptors
    if 0 < params.max_features < len(features):
        response = np.array([key.response for key in keypoints])
        features = features[np.sort(np.argsort(-response, kind="stable")[:params.max_features])]
    return features


def keypoints_of(features: np.ndarray) -> List[cv2.KeyPoint]:
    return [cv2.KeyPoint(*row) for row in zip(*(features[field].tolist() for field in POSITION))]


def descriptors_of(features: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(features["descriptor"])


def norm_type(name: str) -> int:
    """Norm of the descriptors of a kind of features."""
    return cv2.NORM_HAMMING if name in ("ORB", "AKAZE", "BRISK") else cv2.NORM_L2
