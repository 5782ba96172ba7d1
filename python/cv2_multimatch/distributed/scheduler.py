"""Runs jobs on the workers of a scheduler of dask.distributed, with progress and errors for the user."""

from __future__ import annotations

import math
import sys
import time
from typing import Dict, Optional, Sequence, TextIO, Tuple

import distributed

from . import costs, tasks
from .state import StateError, Store


class Progress:
    """Lines on stderr; on a terminal the last one is written again."""

    def __init__(self, stream: Optional[TextIO]) -> None:
        self.stream = stream
        self.begin = self.last = 0.0

    def start(self) -> None:
        self.begin, self.last = time.monotonic(), 0.0

    def show(self, stage: str, done: int, kept: int, count: int, workers: int) -> None:
        now = time.monotonic()
        finished = done + kept == count
        if not self.stream or (not finished and now - self.last < (0.5 if self.stream.isatty() else 10)):
            return
        self.last = now
        left = (now - self.begin) / done * (count - kept - done) if done and not finished else 0
        text = "%-10s %d of %d" % (stage, done + kept, count)
        text += ", %d of them from the work folder" % kept if kept else ""
        text += ", %d workers, about %.0f s left" % (workers, left) if not finished else ", %.1f s" % (now - self.begin)
        self.stream.write(("\r\x1b[K" if self.stream.isatty() else "") + text +
                          ("" if self.stream.isatty() and not finished else "\n"))
        self.stream.flush()


class Scheduler:
    """Runs jobs on the workers of a cluster."""

    def __init__(self, client: distributed.Client, store: Store, threads: int = 0,
                 stream: Optional[TextIO] = sys.stderr) -> None:
        self.client, self.store = client, store
        self.identity = store.create()
        self.progress = Progress(stream)
        self.memory, possible = self.check_workers()
        self.threads = threads or possible

    def check_workers(self) -> Tuple[float, int]:
        """Smallest memory and number of threads of a task. Raises StateError if a worker cannot take part."""
        info = self.client.scheduler_info()["workers"]
        if not info:
            raise StateError("the scheduler %s has no workers" % self.client.scheduler.address)
        # 0: no limit
        memory = min(worker["memory_limit"] / worker["nthreads"] if worker["memory_limit"] else math.inf
                     for worker in info.values())
        # Before anything runs there: such a worker is ended and started again without end.
        costs.check_worker_memory(memory)
        try:
            workers = self.client.run(tasks.describe_worker)
            seen = self.client.run(tasks.see_folder, str(self.store.folder))
        except ImportError as error:
            raise StateError("a worker cannot import cv2_multimatch (%s); install it on all machines" % error)
        blind = sorted(address for address, found in seen.items() if found != self.identity)
        if blind:
            raise StateError("these workers do not see the work folder %s: %s; it must be on storage that all workers share"
                             % (self.store.folder, ", ".join(blind[:5]) + (" ..." if len(blind) > 5 else "")))
        version = tasks.describe_worker()["version"]
        other = sorted(address for address, worker in workers.items() if worker["version"] != version)
        if other:
            raise StateError("worker %s has version %s of cv2_multimatch, this program %s"
                             % (other[0], workers[other[0]]["version"], version))
        slots: Dict[str, int] = {}
        for address, worker in workers.items():
            slots[worker["host"]] = slots.get(worker["host"], 0) + info[address]["nthreads"]
        threads = min(max(1, worker["cores"] // slots[worker["host"]]) for worker in workers.values())
        return memory, threads

    def run(self, stage: str, jobs: Sequence[tasks.Job]) -> None:
        """Computes the jobs that are not done. Jobs come after those that they need."""
        todo = [job for job in jobs if not tasks.is_done(self.store, job)]
        kept = len(jobs) - len(todo)
        self.progress.start()
        futures: Dict[str, distributed.Future] = {}
        for job in todo:
            # The large ones first, so that all workers end at the same time.
            futures[job.key] = self.client.submit(
                tasks.run, job, str(self.store.folder), self.identity, self.threads, self.memory,
                [futures[key] for key in job.needs if key in futures],
                key="%s-%s" % (job.kind, job.key), priority=job.points, pure=True)
        names = {future.key: job for future, job in zip(futures.values(), todo)}
        done, workers = 0, 0
        try:
            for future in distributed.as_completed(list(futures.values())):
                if future.status != "finished":
                    self.explain(names[future.key], future)
                done += 1
                if done % 100 == 1:
                    workers = len(self.client.nthreads())
                self.progress.show(stage, done, kept, len(jobs), workers)
        except BaseException:
            self.client.cancel(list(futures.values()), force=True)
            raise
        if not todo:
            self.progress.show(stage, 0, kept, len(jobs), 0)

    def explain(self, job: tasks.Job, future: distributed.Future) -> None:
        """Raises an error with a sentence for the user."""
        if future.status == "cancelled":
            raise StateError("the scheduler %s lost the task %s: is it still running?" % (self.client.scheduler.address, job.kind))
        error = future.exception()
        if isinstance(error, distributed.scheduler.KilledWorker):
            raise StateError(
                "%s %s with %d key points ended several workers, probably because they have too little memory (%s): use larger "
                "workers or a smaller --cluster-points" % (job.kind, job.key, job.points, costs.format_bytes(self.memory)))
        raise error
