"""The graph of a large collection with sleeps in place of its tasks: what scheduler, shared folder and planning cost.

The tasks write small results of the right kind, so that everything but the work of the tasks is real."""

from __future__ import annotations

import time
from typing import Any, List, Sequence

import numpy as np

from . import costs, tasks
from .graph import PAIR_BATCHES, SIGNATURE_BATCH, Collection, Options
from .plan import Plan, View
from .scheduler import Scheduler
from .state import Store, key_of

# Photographs of a city: each is similar to those taken close by, and to a few of the same place at another time.
NEAR_VIEWS, FAR_VIEWS = 15, 5


def sleep(store: Store, key: str, kind: str, seconds: float) -> None:
    """Takes the time of a task and writes a result of its kind."""
    time.sleep(seconds)
    if kind == "image":
        store.write_record(kind, key, {})
    else:
        store.write_array(kind, key, np.empty(0, tasks.OBSERVATION))


def simulated_pairs(count: int) -> np.ndarray:
    """About as many pairs as retrieval gives; the same for the same count."""
    random = np.random.RandomState(1)
    near = [np.stack([np.arange(count - step), np.arange(step, count)], 1) for step in range(1, NEAR_VIEWS + 1)]
    place = random.permutation(count // 100 + 1)[np.arange(count) // 100]
    order = np.argsort(place, kind="stable")
    far = [np.stack([order[:-step], order[step:]], 1) for step in range(101, 101 + FAR_VIEWS)] if count > 200 else []
    return np.unique(np.sort(np.concatenate(near + far), 1), axis=0).astype(np.int32)


class SimulatedCollection(Collection):
    """A collection whose tasks sleep."""

    def __init__(self, scheduler: Scheduler, options: Options, view_points: int, speed: float) -> None:
        super().__init__(scheduler, options)
        self.view_points, self.speed = view_points, speed
        self.seconds = {"features": 0.0, "pairs": 0.0, "clusters": 0.0, "merges": 0.0}

    def job(self, stage: str, kind: str, key: str, seconds: float, needs: Sequence[str] = ()) -> tasks.Job:
        self.seconds[stage] += seconds
        return tasks.Job(kind, key, sleep, (kind, seconds / self.speed), 0, tuple(needs))

    def simulate(self, count: int) -> List[str]:
        """Runs the graph of so many views; returns lines of a report."""
        lines = []

        def timed(stage: str, jobs: List[tasks.Job], begin: float) -> None:
            planned = time.monotonic() - begin
            self.scheduler.run(stage, jobs)
            total = time.monotonic() - begin
            lines.append("%-9s %7d tasks, planned in %6.1f s, ran in %6.1f s (%.2f ms per task)"
                         % (stage, len(jobs), planned, total - planned, 1e3 * (total - planned) / max(1, len(jobs))))

        begin = time.monotonic()
        points = self.view_points
        keys = [key_of("simulated", n) for n in range(count)]
        timed("features", [self.job("features", "image", key, costs.FEATURE_SECONDS * points) for key in keys], begin)

        begin = time.monotonic()
        signatures = [self.job("pairs", "signatures", key_of("signatures", n), costs.SIGNATURE_SECONDS * points * SIGNATURE_BATCH)
                      for n in range(0, count, SIGNATURE_BATCH)]
        block = SIGNATURE_BATCH * PAIR_BATCHES
        rows = [self.job("pairs", "pairs", key_of("pairs", n), costs.PAIR_SECONDS * block * count,
                         [job.key for job in signatures]) for n in range(0, count, block)]
        timed("pairs", signatures + rows, begin)

        begin = time.monotonic()
        views = [View("view_%06d" % n, key, points, 4000, 3000) for n, key in enumerate(keys)]
        pairs = simulated_pairs(count)
        timed("tracks", self.simulated_tracks(views, pairs, lines), begin)
        return lines

    def simulated_tracks(self, views: List[View], pairs: np.ndarray, lines: List[str]) -> List[tasks.Job]:
        capacity = self.capacity()
        plan = Plan(0, capacity.usable, list(views))
        self.add_clusters(plan, 0, pairs, capacity)
        jobs, specs = self.track_jobs(plan, views)
        self.save_specs(jobs, specs)
        clusters = [job.points for job in jobs if job.kind == "cluster"]
        lines.append("%d clusters of at most %d key points; together %.2f times all key points"
                     % (len(clusters), max(clusters), sum(clusters) / (self.view_points * len(views))))
        simulated = []
        for job in jobs:
            is_cluster = job.kind == "cluster"
            seconds = (costs.CLUSTER_SECONDS * job.points if is_cluster
                       else costs.MERGE_SECONDS * self.open_points(specs[job.key]))
            simulated.append(self.job("clusters" if is_cluster else "merges", job.kind, job.key, seconds, job.needs))
        return simulated

    def open_points(self, spec: Any) -> float:
        parts = spec.get("parts", [spec])
        return float(sum(self.view_points * sum(part["open"]) for part in parts))
