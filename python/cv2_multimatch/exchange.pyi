"""Type stubs of cv2_multimatch.exchange."""

import os
from typing import List, Optional, Sequence, Tuple, Union

import cv2
import numpy as np

from . import PairMatches, Tracks

Path = Union[str, "os.PathLike[str]"]
KeyPoints = Sequence[Sequence[cv2.KeyPoint]]

class Problem:
    names: List[str]
    viewIds: List[int]
    keypoints: List[Tuple[cv2.KeyPoint, ...]]
    descriptors: List[Optional[np.ndarray]]
    matches: List[PairMatches]
    weights: int
    tracks: Optional[Tracks]
    def __init__(self) -> None: ...

def readNpz(path: Path) -> Problem: ...
def writeNpz(path: Path, keypoints: KeyPoints, matches: Sequence[PairMatches] = (),
             descriptors: Optional[Sequence[Optional[np.ndarray]]] = None, names: Optional[Sequence[str]] = None,
             tracks: Optional[Tracks] = None) -> None: ...
def writeAliceVision(path: Path, viewIds: Sequence[int], keypoints: KeyPoints, tracks: Tracks, descType: str = "sift") -> None: ...
def readAliceVision(path: Path) -> Problem: ...
