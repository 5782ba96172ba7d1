"""Results of tasks on the shared folder.

A result is a file WORK/KIND/KE/KEY.npy or .json. The key is a hash of everything that the result depends on: inputs, parameters and
version. So a result that is there is never computed again, whoever asks for it, and none is ever changed. A file appears under its name only
when it is complete."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pathlib
import shutil
import socket
import tempfile
import time
from typing import Any, Dict, Iterator, List, Tuple

import numpy as np

# Of the formats and of the tasks; another number makes all results new.
STATE_VERSION = 1
MARKER = "multimatch_work.json"
# Folders of results.
KINDS = ("image", "features", "words", "signatures", "pairs", "new_pairs", "plans", "cluster", "cluster_spec", "merged", "merged_spec",
         "shard", "shard_spec", "result", "journal")


class StateError(RuntimeError):
    """The shared folder cannot be used; the message says why."""


def key_of(kind: str, *inputs: Any) -> str:
    """Hash of inputs that JSON can write, in hexadecimal digits."""
    text = json.dumps([kind, STATE_VERSION, inputs], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def hash_of_array(array: np.ndarray) -> str:
    """Hash of type, shape and content of an array."""
    digest = hashlib.sha256(repr((array.dtype.descr, array.shape)).encode())
    digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:32]


def write_file(name: pathlib.Path, write: Any) -> None:
    """Calls write(stream); the file appears under its name when it is complete."""
    name.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(prefix=".new_", suffix=name.suffix, dir=name.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            write(stream)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, name)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


class Store:
    """The results in one folder."""

    def __init__(self, folder: str) -> None:
        self.folder = pathlib.Path(folder)

    def create(self) -> str:
        """Makes the folder if there is none; returns the number that identifies it."""
        marker = self.folder / MARKER
        if not marker.exists():
            if self.folder.exists() and any(self.folder.iterdir()):
                raise StateError("--work=%s is neither empty nor a folder of an earlier run" % self.folder)
            try:
                text = json.dumps({"id": os.urandom(8).hex()}).encode()
                write_file(marker, lambda stream: stream.write(text))
            except OSError as error:
                raise StateError("--work=%s cannot be written: %s" % (self.folder, error))
        return self.identity()

    def clear(self) -> None:
        """Removes all results; files that are none of ours stay."""
        for kind in KINDS:
            shutil.rmtree(self.folder / kind, ignore_errors=True)

    def identity(self) -> str:
        """The number that identifies the folder, on every machine that sees it. Raises StateError if it is not there."""
        try:
            return str(json.loads((self.folder / MARKER).read_text())["id"])
        except (OSError, ValueError, KeyError):
            raise StateError("%s does not see the work folder %s; it must be on storage that all workers share"
                             % (socket.gethostname(), self.folder))

    def path(self, kind: str, key: str, ending: str) -> pathlib.Path:
        return self.folder / kind / key[:2] / (key + ending)

    def has_array(self, kind: str, key: str) -> bool:
        return self.path(kind, key, ".npy").exists()

    def has_record(self, kind: str, key: str) -> bool:
        return self.path(kind, key, ".json").exists()

    def read_array(self, kind: str, key: str, mapped: bool = False) -> np.ndarray:
        """An array; mapped: read from the file when it is used. Raises StateError if the file is damaged."""
        name = self.path(kind, key, ".npy")
        try:
            return np.load(name, mmap_mode="r" if mapped else None, allow_pickle=False)
        except (ValueError, EOFError) as error:
            raise StateError("%s is damaged (%s); remove it and run again" % (name, error))

    def write_array(self, kind: str, key: str, array: np.ndarray) -> None:
        write_file(self.path(kind, key, ".npy"), lambda stream: np.save(stream, array, allow_pickle=False))

    def read_record(self, kind: str, key: str) -> Dict[str, Any]:
        name = self.path(kind, key, ".json")
        try:
            return json.loads(name.read_text())
        except ValueError as error:
            raise StateError("%s is damaged (%s); remove it and run again" % (name, error))

    def write_record(self, kind: str, key: str, record: Dict[str, Any]) -> None:
        text = json.dumps(record).encode()
        write_file(self.path(kind, key, ".json"), lambda stream: stream.write(text))

    @contextlib.contextmanager
    def journaled(self, kind: str, key: str, points: int) -> Iterator[None]:
        """Notes the begin and the end of a computation: WORK/journal has one file per process, so that no two write one file."""
        journal = self.folder / "journal"
        journal.mkdir(exist_ok=True)
        name = journal / ("%s-%d.txt" % (socket.gethostname(), os.getpid()))
        begin, cpu = time.monotonic(), time.process_time()
        reset_peak()

        def note(event: str, seconds: float, core_seconds: float, peak: int) -> None:
            with open(name, "a") as stream:
                stream.write("%s %s %s %d %.4f %.4f %d\n" % (event, kind, key, points, seconds, core_seconds, peak))

        note("begin", 0, 0, 0)
        yield
        note("end", time.monotonic() - begin, time.process_time() - cpu, peak_bytes())

    def journal(self) -> List[Tuple[int, str, str, str, int, float, float, int]]:
        """All lines of all journals: process, event, kind, key, points, seconds, seconds of all cores together, and the peak memory of
        the process in bytes."""
        lines = []
        for name in sorted((self.folder / "journal").glob("*.txt")):
            process = int(name.stem.rpartition("-")[2])
            for line in name.read_text().splitlines():
                words = line.split()
                if len(words) == 7:  # a process that was killed may have left a part of a line
                    lines.append((process, words[0], words[1], words[2], int(words[3]), float(words[4]), float(words[5]),
                                  int(words[6])))
        return lines


def reset_peak() -> None:
    """Lets the kernel count the peak memory of this process from now on, where it can."""
    with contextlib.suppress(OSError), open("/proc/self/clear_refs", "w") as stream:
        stream.write("5")


def peak_bytes() -> int:
    """Peak memory of this process; 0 where the system does not say."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        text = pathlib.Path("/proc/self/status").read_text()
        return 1024 * int(text.partition("VmHWM:")[2].split()[0])
    return 0
