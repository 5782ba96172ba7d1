"""Command line of cv2_multimatch.distributed."""

from __future__ import annotations

import argparse
import contextlib
import glob
import logging
import os
import re
import sys
import tempfile
from typing import Iterator, List, Optional, Sequence, Tuple, Union

import cv2

import cv2_multimatch as multimatch

try:
    import dask
    import distributed
except ImportError as missing:
    sys.exit("cv2_multimatch.distributed needs dask.distributed (Debian: python3-distributed): %s" % missing)

from . import costs, features, outputs, simulation
from .clusters import TooSmall
from .graph import Collection, Options, Result
from .scheduler import Scheduler
from .state import StateError, Store
from .tasks import TaskError

DESCRIPTION = """Tracks of collections of photographs that are larger than one machine, by the scheduler of dask.distributed.

Every result is kept in the work folder: a run that was interrupted continues where it was, and a run with more images computes only what is
new. The work folder and the images must be on storage that all workers share."""

EPILOGUE = """Exit codes: 0 done; 1 the command line is wrong; 2 fewer than two images could be read; 3 done, but some images could not be
read, they are listed at the end; 4 something failed; 130 stopped by Ctrl-C, the next run continues."""

IMAGE_ENDINGS = (".jpg", ".jpeg", ".png", ".tif", ".tiff", ".bmp", ".webp", ".pgm", ".ppm", ".npy")


class UsageError(ValueError):
    """An option is wrong; the message says which and what was expected."""


def natural(name: str) -> List[object]:
    """Sorts img2 before img10."""
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in re.split(r"(\d+)", name)]


def list_images(wanted: List[str]) -> List[str]:
    """Files of folders and patterns, in natural order."""
    names: List[str] = []
    for what in wanted:
        if os.path.isdir(what):
            found = [os.path.join(what, name) for name in os.listdir(what) if name.lower().endswith(IMAGE_ENDINGS)]
        else:
            found = glob.glob(what)
        if not found:
            raise UsageError("--images=%s: there are no images" % what)
        names += sorted(found, key=natural)
    return list(dict.fromkeys(names))


def read_pairs(text: str) -> Tuple[str, int]:
    found = re.fullmatch(r"(all)|(retrieval|sequential):([1-9]\d*)", text)
    if not found:
        raise UsageError("--pairs=%s: expected all, sequential:N or retrieval:N" % text)
    return (found.group(1) or found.group(2)), int(found.group(3) or 0)


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog="python3 -m cv2_multimatch.distributed", description=DESCRIPTION, epilog=EPILOGUE,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add = result.add_argument
    add("--images", metavar="WHAT", action="append", default=[],
        help="folder, pattern in quotes or image; may be given several times. A .npy file has the features of another program")
    add("--scheduler", metavar="ADDRESS", default="", help="scheduler of dask.distributed, for example tcp://host:8786")
    add("--timeout", metavar="SECONDS", type=float, default=10, help="with --scheduler: how long to try (default: %(default)g)")
    add("--local", metavar="N", type=int, default=0, help="start N worker processes on this machine instead")
    add("--memory", metavar="BYTES", default="", help="with --local: memory of a worker, for example 2G (default: a share of all); with --simulate that of a simulated "
             "machine (default: 16G)")
    add("--work", metavar="DIR", default="multimatch_work", help="folder of all results (default: %(default)s)")
    add("--resume", action="store_true", default=True, help="use the results of earlier runs in the work folder (default)")
    add("--no-resume", dest="resume", action="store_false", help="remove the results in the work folder first")
    add("--output", metavar="FILE", default="",
        help="also write all tracks to one file: .yml, .json, .xml (each also with .gz) or .csv; several are separated by commas")
    add("--colmap", metavar="FILE", default="", help="also write a database for COLMAP")
    add("--force", action="store_true", help="replace an existing database of --colmap")
    add("--features", metavar="NAME", default="SIFT", help="one of %s (default: %%(default)s)" % ", ".join(features.NAMES))
    add("--max-features", metavar="N", type=int, default=3000, help="the strongest N of each image, 0: all (default: %(default)s)")
    add("--pairs", metavar="WHICH", default="retrieval:20",
        help="images to compare: all, sequential:N (each with the next N) or retrieval:N (each with the N most similar ones) "
             "(default: %(default)s)")
    add("--method", metavar="NAME", default="hippi", help="hippi, or guided for photographs of a rigid scene (default: %(default)s)")
    add("--cluster-points", metavar="N", type=int, default=0,
        help="largest number of key points that are matched together (default: what fits into a worker, at most %d)"
             % costs.MAX_CLUSTER_POINTS)
    add("--threads", metavar="N", type=int, default=0,
        help="threads of a task (default: the cores of a machine divided by the tasks that run there at once)")
    add("--simulate", metavar="VIEWS", type=int, default=0,
        help="no images: run the graph of so many views with sleeps in place of the tasks, and print what the scheduler costs")
    add("--simulate-points", metavar="N", type=int, default=8000, help="with --simulate: key points of a view (default: %(default)s)")
    add("--simulate-speed", metavar="X", type=float, default=1000.0,
        help="with --simulate: the sleeps are shorter than the tasks by this factor (default: %(default)g)")
    add("--simulate-slots", metavar="N", type=int, default=25,
        help="with --simulate and --local: tasks at once of a worker process (default: %(default)s)")
    add("--quiet", action="store_true", help="print errors only")
    add("--version", action="version", version="cv2_multimatch " + multimatch.__version__)
    return result


def check(arguments: argparse.Namespace) -> Options:
    """Options of the computation. Raises UsageError for everything that can be found before any work."""
    if bool(arguments.scheduler) == (arguments.local > 0):
        raise UsageError("give --scheduler=ADDRESS or --local=N with N of at least 1")
    if bool(arguments.images) == (arguments.simulate > 0):
        raise UsageError("give --images=WHAT or --simulate=VIEWS")
    if arguments.features not in features.NAMES:
        raise UsageError("--features=%s: expected one of %s" % (arguments.features, ", ".join(features.NAMES)))
    if arguments.method not in ("hippi", "guided"):
        raise UsageError("--method=%s: expected hippi or guided" % arguments.method)
    for option in ("max_features", "cluster_points", "threads"):
        if getattr(arguments, option) < 0:
            raise UsageError("--%s is negative" % option.replace("_", "-"))
    if arguments.memory:
        try:
            costs.parse_bytes(arguments.memory)
        except ValueError as error:
            raise UsageError("--memory: %s" % error)
    for name in output_names(arguments):
        if not multimatch.isTrackFileName(name):
            raise UsageError("--output=%s: expected a name with .yml, .json, .xml (each also with .gz) or .csv" % name)
    if arguments.colmap and os.path.exists(arguments.colmap) and not arguments.force:
        raise UsageError("%s exists; --force replaces it" % arguments.colmap)
    if arguments.colmap and not multimatch.haveColmapDatabase():
        raise UsageError("--colmap: this build has no SQLite")
    pairs, count = read_pairs(arguments.pairs)
    return Options(features.FeatureParams(arguments.features, arguments.max_features), arguments.method, pairs, count,
                   arguments.cluster_points)


def output_names(arguments: argparse.Namespace) -> List[str]:
    return [name for name in arguments.output.split(",") if name]


def worker_memory(arguments: argparse.Namespace) -> Union[int, str]:
    """Limit of a worker that is started here; sleeps need none."""
    if arguments.simulate:
        return 0
    return costs.parse_bytes(arguments.memory) if arguments.memory else "auto"


@contextlib.contextmanager
def connected(arguments: argparse.Namespace) -> Iterator[distributed.Client]:
    """A client of the scheduler, or of workers started here, which end with the program."""
    # Results are on the shared folder, so that nothing is ever large enough to be moved to a disk.
    dask.config.set({"distributed.worker.memory.target": False, "distributed.worker.memory.spill": False,
                     "distributed.logging.distributed": "critical"})
    if arguments.scheduler:
        try:
            client = distributed.Client(arguments.scheduler, timeout=arguments.timeout)
        except (OSError, ValueError) as error:
            raise StateError("the scheduler %s is not reachable: %s" % (arguments.scheduler, error))
        with client:
            yield client
        return
    limit = worker_memory(arguments)
    if isinstance(limit, int) and limit > 0:
        costs.check_worker_memory(limit)
    with tempfile.TemporaryDirectory(prefix="multimatch_") as folder:
        with distributed.LocalCluster(
                n_workers=arguments.local, threads_per_worker=arguments.simulate_slots if arguments.simulate else 1,
                processes=True, dashboard_address=":0", silence_logs=logging.CRITICAL, local_directory=folder,
                memory_limit=limit) as cluster:
            with distributed.Client(cluster) as client:
                yield client


def simulate(scheduler: Scheduler, options: Options, arguments: argparse.Namespace) -> None:
    scheduler.memory = costs.parse_bytes(arguments.memory or "16G")
    collection = simulation.SimulatedCollection(scheduler, options, arguments.simulate_points, arguments.simulate_speed)
    for line in collection.simulate(arguments.simulate):
        print(line)
    for stage, seconds in collection.seconds.items():
        print("%-9s %.4g hours on one core" % (stage, seconds / 3600))


def report(result: Result, tracks: multimatch.Tracks, quiet: bool) -> int:
    if not quiet:
        statistics = tracks.statistics()
        print("%d views, %d key points, %d tracks in %d shards, mean length %.2f"
              % (statistics.views, statistics.points, statistics.tracks, len(result.shards), statistics.meanLength))
    for name, reason in result.unreadable:
        print("%s: not readable: %s" % (name, reason), file=sys.stderr)
    return 3 if result.unreadable else 0


def work(arguments: argparse.Namespace, options: Options) -> int:
    names = list_images(arguments.images)
    store = Store(os.path.abspath(arguments.work))
    store.create()
    if not arguments.resume:
        store.clear()
    with connected(arguments) as client:
        scheduler = Scheduler(client, store, arguments.threads, None if arguments.quiet else sys.stderr)
        if arguments.simulate:
            simulate(scheduler, options, arguments)
            return 0
        result = Collection(scheduler, options).compute(names)
    if len(result.views) < 2:
        for name, reason in result.unreadable:
            print("%s: not readable: %s" % (name, reason), file=sys.stderr)
        print("%d of %d images could be read, expected two or more" % (len(result.views), len(names)), file=sys.stderr)
        return 2
    return report(result, outputs.write_outputs(store, result, output_names(arguments), arguments.colmap, arguments.force),
                  arguments.quiet)


def main(words: Optional[Sequence[str]] = None) -> int:
    """Exit code of the program with these words of the command line (default: those of the process)."""
    arguments = parser().parse_args(words)
    try:
        return work(arguments, check(arguments))
    except UsageError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped; the next run continues", file=sys.stderr)
        return 130
    except (StateError, TaskError, TooSmall, OSError, cv2.error) as error:
        print(error, file=sys.stderr)
        return 4


if __name__ == "__main__":
    sys.exit(main())
