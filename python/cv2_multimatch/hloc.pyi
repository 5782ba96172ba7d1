"""Type stubs of cv2_multimatch.hloc."""

import os
from typing import List, Optional, Sequence, Tuple, Union

import cv2
import numpy as np

from . import CoordinateMatches, MultiMatcher, PairMatches, Tracks

Path = Union[str, "os.PathLike[str]"]
NamePairs = Sequence[Tuple[str, str]]

class Features:
    names: List[str]
    keypoints: List[Tuple[cv2.KeyPoint, ...]]
    descriptors: List[Optional[np.ndarray]]
    sizes: List[Optional[Tuple[int, int]]]
    def __init__(self) -> None: ...

def readPairs(path: Path) -> List[Tuple[str, str]]: ...
def readFeatures(path: Path, names: Optional[Sequence[str]] = None) -> Features: ...
def readMatches(path: Path, names: Sequence[str], pairs: Optional[NamePairs] = None) -> List[PairMatches]: ...
def readDenseMatches(path: Path, names: Sequence[str], pairs: Optional[NamePairs] = None) -> List[CoordinateMatches]: ...
def writeFeatures(path: Path, features: Features) -> None: ...
def writeMatches(path: Path, names: Sequence[str], pointCounts: Sequence[int], matches: Sequence[PairMatches],
                 pairs: Optional[NamePairs] = None) -> None: ...
def synchronize(features: Path, matches: Path, output: Path, pairs: Optional[Path] = None,
                matcher: Optional[MultiMatcher] = None) -> Tuple[Tracks, Features]: ...
