"""Memory and time of the tasks. The constants were measured with scripts/measure_cluster.py; doc/scale.md explains them."""

from __future__ import annotations

import re

from .state import StateError

# Bytes of a worker process before its first task, with NumPy, OpenCV and dask.distributed.
PROCESS_BYTES = 180e6
# Bytes of a cluster of views per key point, and per key point and view that it is compared with.
POINT_BYTES = 700.0
LINK_BYTES = 60.0
# Share of a worker's memory that its tasks may use: dask.distributed pauses a worker at 0.8, ends it at 0.95.
USABLE_SHARE = 0.75
# A cluster is no larger than this even where there is memory, so that a lost worker loses less than an hour.
MAX_CLUSTER_POINTS = 4000000

# Seconds of one core.
FEATURE_SECONDS = 6e-4  # per key point of a photograph of 12 megapixels with 8,000 (SIFT)
SIGNATURE_SECONDS = 1.6e-6  # per key point
PAIR_SECONDS = 2.8e-7  # per pair of signatures
CLUSTER_SECONDS = 1.5e-4  # per key point of a cluster of views with 8,000, each compared with 20 others
MERGE_SECONDS = 1e-6  # per observation of the tracks that are merged


def usable_bytes(memory: float) -> float:
    """Bytes that a task may use on a worker with so much memory."""
    return USABLE_SHARE * memory - PROCESS_BYTES


def check_worker_memory(memory: float) -> None:
    """Raises StateError where a worker with so much memory cannot take any task."""
    if usable_bytes(memory) <= 0:
        raise StateError("a task has %s of memory, but a process alone needs %s, and %.0f %% are used at most: give workers more "
                         "than %s for each of their threads" % (format_bytes(memory), format_bytes(PROCESS_BYTES), 100 * USABLE_SHARE,
                                                                format_bytes(PROCESS_BYTES / USABLE_SHARE)))


def parse_bytes(text: str) -> int:
    """1.5G, 800M, 4GiB, 1000000. Raises ValueError."""
    found = re.fullmatch(r"([0-9.]+)\s*([kKMGT]?)(i?[bB])?", text.strip())
    if not found:
        raise ValueError("%s is no number of bytes such as 800M or 4G" % text)
    return int(float(found.group(1)) * {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}[found.group(2).replace("K", "k")])


def format_bytes(count: float) -> str:
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if count >= unit:
            return "%.3g %s" % (count / unit, name)
    return "%.0f bytes" % count
