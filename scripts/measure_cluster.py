#!/usr/bin/env python3
"""Measures cv2_multimatch.distributed with worker processes as machines. Needs a build with benchmarks and the Python module.

    scripts/measure_cluster.py scale --points=200000 --memory=700M   # in parts by two workers, and in one piece
    scripts/measure_cluster.py kill                                  # a worker is killed in each stage
    scripts/measure_cluster.py speed                                 # one worker against two
    scripts/measure_cluster.py photos DIR                            # the sets in DIR/strecha mixed into one folder
    scripts/measure_cluster.py costs WORK                            # seconds and bytes of each kind of task of a work folder

All but costs write to the folder of --folder, which is made; it keeps the results, so that an interrupted measurement continues."""

import argparse
import collections
import os
import pathlib
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Debian's cv2 belongs to the system's Python.
PYTHON = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
if os.path.realpath(sys.executable) != os.path.realpath(PYTHON):
    os.execv(PYTHON, [PYTHON] + sys.argv)
BUILD = pathlib.Path(os.environ.get("MULTIMATCH_BUILD", str(ROOT / "build")))
sys.path.insert(0, str(BUILD / "python"))
os.environ["PYTHONPATH"] = str(BUILD / "python")

import cv2  # noqa: E402
import numpy as np  # noqa: E402

import cv2_multimatch as multimatch  # noqa: E402
from cv2_multimatch.distributed import features, tasks  # noqa: E402
from cv2_multimatch.distributed.state import Store  # noqa: E402

WINDOW = 20  # as multimatch_bench scale
STAGES = ("image", "words", "signatures", "pairs", "cluster", "merged", "shard")
MAX_ERROR = 2.0  # pixels, of an observation on a correct track of photographs


def walk(arguments, points):
    """Folder with the views of a walk."""
    folder = arguments.folder / ("walk_%d" % points)
    if not folder.exists():
        new = folder.with_suffix(".new")
        shutil.rmtree(new, ignore_errors=True)
        subprocess.run([str(BUILD / "bin/multimatch_bench"), "scale", "--points=%d" % points, "--write=%s" % new], check=True)
        new.rename(folder)
    return folder


def command(arguments, images, work, workers, *options):
    return [PYTHON, "-m", "cv2_multimatch.distributed", "--images=%s" % images, "--work=%s" % work, "--local=%d" % workers,
            "--threads=1", "--memory=%s" % arguments.memory, *options]


def run(*words):
    """Seconds of a command."""
    begin = time.monotonic()
    subprocess.run(list(map(str, words)), check=True)
    return time.monotonic() - begin


def fscore(tracks, images):
    labels = [np.load(name, mmap_mode="r")["label"].tolist() for name in sorted(images.glob("*.npy"))]
    return multimatch.scoreTracks(tracks, labels)


def one_piece(images, name):
    """Writes the tracks of all views by one process of two threads, and prints its time and memory."""
    views = [features.given_features(path.read_bytes()) for path in sorted(images.glob("*.npy"))]
    matcher = multimatch.HiPPI.create()
    matcher.setNormType(cv2.NORM_L2)
    matcher.setWindow(WINDOW)
    keypoints = [features.keypoints_of(view) for view in views]
    descriptors = [features.descriptors_of(view) for view in views]
    begin = time.monotonic()
    tracks = matcher.match(keypoints, descriptors)
    seconds = time.monotonic() - begin
    print("one piece: %.1f s, %.2f GB" % (seconds, 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e9), flush=True)
    tracks.save(str(name))


def report(name, tracks, images):
    score = fscore(tracks, images)
    print("%-10s fscore %.4f precision %.4f recall %.4f, %d tracks"
          % (name, score.fscore(), score.precision(), score.recall(), tracks.size()), flush=True)


def measure_scale(arguments):
    images = walk(arguments, arguments.points)
    work, output = arguments.folder / "work_scale", arguments.folder / "parts.yml.gz"
    options = ["--pairs=sequential:%d" % WINDOW, "--output=%s" % output]
    if arguments.cluster_points:
        options.append("--cluster-points=%d" % arguments.cluster_points)
    seconds = run(*command(arguments, images, work, 2, *options))
    print("in parts: %.1f s, largest worker %.2f GB of %s" % (seconds, max(line[7] for line in Store(work).journal()) / 1e9,
                                                               arguments.memory), flush=True)
    print_costs(work)
    report("in parts", multimatch.Tracks.load(str(output)), images)
    if arguments.one_piece:
        name = arguments.folder / "piece.yml.gz"
        # In its own process, for its memory.
        if os.fork() == 0:
            one_piece(images, name)
            os._exit(0)
        os.wait()
        report("one piece", multimatch.Tracks.load(str(name)), images)


def wait_for(store, kind, process):
    """Process that computes a result of this kind; 0 if the run ends before."""
    while process.poll() is None:
        begun = collections.OrderedDict()
        if (store.folder / "journal").exists():
            for worker, event, what, key, *_ in store.journal():
                if what == kind and event == "begin":
                    begun[key] = worker
                elif what == kind:
                    begun.pop(key, None)
        if begun:
            return next(iter(begun.values()))
        time.sleep(0.001)
    return 0


def equal(first, second):
    return first.size() == second.size() and all(
        np.array_equal(first.trackIds(view), second.trackIds(view)) and
        np.array_equal(first.confidence(view), second.confidence(view)) for view in range(first.viewCount()))


def measure_kill(arguments):
    images = walk(arguments, arguments.points)
    options = ["--pairs=retrieval:20", "--cluster-points=%d" % (arguments.cluster_points or arguments.points // 2), "--quiet"]
    expected_name = arguments.folder / "whole.yml"
    run(*command(arguments, images, arguments.folder / "work_whole", 2, *options, "--output=%s" % expected_name))
    expected = multimatch.Tracks.load(str(expected_name))
    for kind in STAGES:
        work, output = arguments.folder / ("work_kill_" + kind), arguments.folder / ("kill_%s.yml" % kind)
        shutil.rmtree(work, ignore_errors=True)
        process = subprocess.Popen(command(arguments, images, work, 2, *options, "--output=%s" % output))
        worker = wait_for(Store(work), kind, process)
        if worker:
            os.kill(worker, signal.SIGKILL)
        code = process.wait()
        lines = Store(work).journal()
        begins = [line[3] for line in lines if line[1] == "begin"]
        ends = [line[3] for line in lines if line[1] == "end"]
        print("killed in %-10s exit code %d, %s result, %d tasks, begun again: %s"
              % (kind, code, "same" if equal(expected, multimatch.Tracks.load(str(output))) else "ANOTHER", len(set(ends)),
                 ", ".join(sorted({line[2] for line in lines if begins.count(line[3]) > 1})) or "none"), flush=True)
        shutil.rmtree(work)


def measure_speed(arguments):
    images = walk(arguments, arguments.points)
    seconds = {}
    for workers in (1, 2):
        work = arguments.folder / ("work_speed_%d" % workers)
        shutil.rmtree(work, ignore_errors=True)
        seconds[workers] = run(*command(arguments, images, work, workers, "--pairs=sequential:%d" % WINDOW,
                                        "--cluster-points=%d" % (arguments.cluster_points or arguments.points // 4)))
        print("%d workers: %.1f s" % (workers, seconds[workers]), flush=True)
    print("ratio %.2f" % (seconds[1] / seconds[2]))


def measure_photos(arguments):
    sets = sorted(path.parent for path in (arguments.data / "strecha").glob("*/cameras.yml"))
    images = arguments.folder / "photos"
    images.mkdir(parents=True, exist_ok=True)
    for folder in sets:
        for image in sorted((folder / "images").iterdir()):
            target = images / ("%s_%s" % (folder.name, image.name))
            if not target.exists():
                target.symlink_to(image.resolve())
    options = ["--pairs=retrieval:20", "--method=%s" % arguments.method, "--max-features=%d" % arguments.max_features]
    found = {}
    largest = arguments.cluster_points or 45000
    for name, points in (("one piece", 10**9), ("in parts", largest)):
        output = arguments.folder / ("photos_%s_%d_%d.yml.gz" % (arguments.method, arguments.max_features, points))
        work = arguments.folder / "work_photos"
        run(*command(arguments, images, work, 2, *options, "--cluster-points=%d" % points, "--output=%s" % output))
        found[name] = multimatch.readTracks(str(output))
    print("clusters: %d" % len({line[3] for line in Store(work).journal() if line[2] == "cluster"}))
    print("%-16s %10s %10s %8s" % ("correct tracks", *found, "ratio"))
    totals = {name: 0 for name in found}
    for folder in sets:
        cameras = cv2.FileStorage(str(folder / "cameras.yml"), cv2.FILE_STORAGE_READ)
        count = int(cameras.getNode("view_count").real())
        projections = {cameras.getNode("name_%03d" % n).string(): cameras.getNode("P_%03d" % n).mat() for n in range(count)}
        correct = []
        for name, (tracks, views) in found.items():
            chosen = [n for n, view in enumerate(views) if view.name.startswith(folder.name + "_")]
            part = multimatch.Tracks([tracks.trackIds(n) for n in chosen], [tracks.confidence(n) for n in chosen], 2)
            names = [views[n].name[len(folder.name) + 1:] for n in chosen]
            score = multimatch.scoreCameras(part, [views[n].keypoints for n in chosen], [projections[n] for n in names], MAX_ERROR)
            correct.append(score.correctTracks)
            totals[name] += score.correctTracks
        print("%-16s %10d %10d %8.3f" % (folder.name, *correct, correct[1] / max(1, correct[0])))
    print("%-16s %10d %10d %8.3f" % ("all", *totals.values(), totals["in parts"] / totals["one piece"]))


def print_costs(work):
    """Seconds of one core and largest memory of each kind of task."""
    kinds = collections.defaultdict(list)
    for _, event, kind, _, points, _, seconds, peak in Store(work).journal():
        if event == "end":
            kinds[kind].append((points, seconds, peak))
    print("%-11s %7s %9s %12s %16s %10s %14s" % ("task", "number", "core s", "median (s)", "s per key point", "peak (MB)",
                                                "bytes per point"))
    for kind in STAGES:
        if kind not in kinds:
            continue
        points, seconds, peaks = map(list, zip(*kinds[kind]))
        total = sum(points)
        largest = max(range(len(points)), key=lambda n: points[n])
        print("%-11s %7d %9.1f %12.4f %16s %10.0f %14s"
              % (kind, len(points), sum(seconds), statistics.median(seconds), "%.2e" % (sum(seconds) / total) if total else "-",
                 max(peaks) / 1e6, "%.0f" % ((peaks[largest] - 180e6) / points[largest]) if kind == "cluster" else "-"), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["scale", "kill", "speed", "photos", "costs"])
    parser.add_argument("data", nargs="?", type=pathlib.Path, help="DIR of photos, WORK of costs")
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("measured"), help="where to work (default: %(default)s)")
    parser.add_argument("--points", type=int, default=50000, help="key points, multiple of 1000 (default: %(default)s)")
    parser.add_argument("--memory", default="2G", help="of a worker (default: %(default)s)")
    parser.add_argument("--cluster-points", type=int, default=0, help="largest cluster")
    parser.add_argument("--method", default="hippi", help="of photos: hippi or guided")
    parser.add_argument("--max-features", type=int, default=3000, help="of a photograph (default: %(default)s)")
    parser.add_argument("--no-one-piece", dest="one_piece", action="store_false", help="scale: not in one piece")
    arguments = parser.parse_args()
    if arguments.what in ("photos", "costs") and not arguments.data:
        parser.error("%s needs a folder" % arguments.what)
    if arguments.what == "costs":
        print_costs(arguments.data)
        return
    arguments.folder = arguments.folder.resolve()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    {"scale": measure_scale, "kill": measure_kill, "speed": measure_speed, "photos": measure_photos}[arguments.what](arguments)


if __name__ == "__main__":
    main()
