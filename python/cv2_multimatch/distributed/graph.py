"""The graph of tasks: which results a collection needs, in an order in which each comes after those that it is made from.

What is on the shared folder is not computed again. There are three stages, because the tasks of a stage depend on the results of the one
before: features; words, signatures and pairs; clusters, merges and shards."""

from __future__ import annotations

import dataclasses
import os
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

import cv2_multimatch as multimatch

from . import costs, tasks
from .clusters import Capacity, Node, cluster_views, merge_order, neighbor_lists, pairs_within
from .features import FeatureParams, norm_type
from .plan import Addition, Plan, View
from .scheduler import Scheduler
from .state import hash_of_array, key_of

WORD_VIEWS = 64  # views whose descriptors the words are learned from
SIGNATURE_BATCH = 64  # views per task
PAIR_BATCHES = 16  # batches of signatures per task


@dataclasses.dataclass(frozen=True)
class Options:
    """What is computed."""

    features: FeatureParams = FeatureParams()
    method: str = "hippi"  # or guided
    pairs: str = "retrieval"  # retrieval, sequential or all
    pair_count: int = 20  # similar views, or following views, of each view
    cluster_points: int = 0  # largest cluster in key points; 0: what fits into the memory of a worker

    @property
    def norm(self) -> int:
        return norm_type(self.features.name)


@dataclasses.dataclass
class Result:
    """Tracks of a collection, in shards on the shared folder."""

    views: List[View]  # in the order of the images
    shards: List[str]  # keys of tables of observations; no track is in two shards
    unreadable: List[Tuple[str, str]]  # names of images and the reasons


class Collection:
    """All results of a list of images with some options."""

    def __init__(self, scheduler: Scheduler, options: Options) -> None:
        self.scheduler, self.options, self.store = scheduler, options, scheduler.store

    def compute(self, names: Sequence[str]) -> Result:
        """Computes what is missing. Raises StateError, TaskError or TooSmall with a sentence for the user."""
        views, unreadable = self.read_images(names)
        plan = self.make_plan(views)
        shards = self.solve(plan, views)
        result = Result(views, shards, unreadable)
        self.store.write_record("result", key_of("result", [view.features for view in views], shards),
                                dataclasses.asdict(result))
        return result

    # -- features ------------------------------------------------------------------------------------------------------------

    def read_images(self, names: Sequence[str]) -> Tuple[List[View], List[Tuple[str, str]]]:
        """The views, and names of unreadable images with the reasons."""
        params = self.options.features
        jobs = [tasks.Job("image", tasks.image_key(name, params), tasks.compute_image, (os.path.abspath(name), params),
                          params.max_features) for name in names]
        self.scheduler.run("features", jobs)
        views, unreadable = [], []
        for name, job in zip(names, jobs):
            record = self.store.read_record("image", job.key)
            if "unreadable" in record:
                unreadable.append((name, record["unreadable"]))
            else:
                views.append(View(name, record["features"], record["points"], record["width"], record["height"]))
        return views, unreadable

    # -- pairs ---------------------------------------------------------------------------------------------------------------

    def signature_jobs(self, plan: Plan, starts: Sequence[int]) -> List[Tuple[int, tasks.Job]]:
        """The first view of each batch, and its job. A batch has views of one addition only, so that it stays the same."""
        jobs = []
        for start, end in zip(starts, list(starts[1:]) + [len(plan.views)]):
            for first in range(start, end, SIGNATURE_BATCH):
                batch = plan.views[first:min(first + SIGNATURE_BATCH, end)]
                keys = [view.features for view in batch]
                jobs.append((first, tasks.Job("signatures", key_of("signatures", plan.words, keys), tasks.compute_signatures,
                                              (plan.words, keys, self.options.norm), sum(view.points for view in batch),
                                              (plan.words,))))
        return jobs

    def retrieve_pairs(self, plan: Plan, start: int) -> np.ndarray:
        """Pairs of the views from start with the most similar of all."""
        jobs = []
        if not plan.words:
            sample = sorted({view.features for view in plan.views if view.points})[:WORD_VIEWS]
            plan.words = key_of("words", sample, self.options.norm)
            jobs.append(tasks.Job("words", plan.words, tasks.compute_words, (sample, self.options.norm), 0))
        batches = self.signature_jobs(plan, [addition.start for addition in plan.additions] + [start])
        jobs += [job for _, job in batches]
        all_keys = [job.key for _, job in batches]
        new = [(first, job.key) for first, job in batches if first >= start]
        count = self.options.pair_count
        pair_jobs = []
        for begin in range(0, len(new), PAIR_BATCHES):
            first, rows = new[begin][0], [key for _, key in new[begin:begin + PAIR_BATCHES]]
            pair_jobs.append(tasks.Job("pairs", key_of("pairs", first, rows, all_keys, count), tasks.compute_pairs,
                                       (first, rows, all_keys, count), 0, tuple(all_keys)))
        self.scheduler.run("pairs", jobs + pair_jobs)
        return np.unique(np.concatenate([self.store.read_array("pairs", job.key) for job in pair_jobs]), axis=0)

    def new_pairs(self, plan: Plan, start: int) -> np.ndarray:
        """Pairs to compare of which one view is from start; N x 2, first < second."""
        if self.options.pairs == "retrieval":
            return self.retrieve_pairs(plan, start)
        window = self.options.pair_count if self.options.pairs == "sequential" else len(plan.views)
        return np.array([(i, j) for j in range(start, len(plan.views)) for i in range(max(0, j - window), j)
                         if plan.views[i].points and plan.views[j].points], np.int32).reshape(-1, 2)

    # -- plan ----------------------------------------------------------------------------------------------------------------

    def make_plan(self, views: Sequence[View]) -> Plan:
        """The plan of the last run with the new views added, or a new plan if views are missing or clusters do not fit."""
        settings = dataclasses.asdict(self.options)
        cluster_points = settings.pop("cluster_points")
        name = self.store.folder / "plans" / (key_of("plan", settings) + ".json")
        capacity = self.capacity()
        plan = Plan.load(name)
        if plan is None or plan.missing_from(views) or plan.cluster_points != cluster_points or plan.usable > capacity.usable:
            plan = Plan(cluster_points, capacity.usable)
        added = plan.new_among(views)
        if added:
            start = len(plan.views)
            plan.views = plan.views + added
            pairs = self.new_pairs(plan, start)
            self.add_clusters(plan, start, pairs, capacity)
            plan.save(name)
        return plan

    def capacity(self) -> Capacity:
        return Capacity(costs.usable_bytes(self.scheduler.memory), self.options.cluster_points or costs.MAX_CLUSTER_POINTS)

    def add_clusters(self, plan: Plan, start: int, pairs: np.ndarray, capacity: Capacity) -> None:
        """Clusters of the views from start and of those that they are compared with."""
        key = hash_of_array(pairs)
        self.store.write_array("new_pairs", key, pairs)
        clusters = cluster_views(plan.sizes(), np.concatenate([self.all_pairs(plan), pairs]), pairs, capacity)
        plan.additions.append(Addition(start, key, clusters))

    def all_pairs(self, plan: Plan) -> np.ndarray:
        empty = np.empty((0, 2), np.int32)
        return np.concatenate([empty] + [self.store.read_array("new_pairs", addition.pairs) for addition in plan.additions])

    # -- tracks --------------------------------------------------------------------------------------------------------------

    def solve(self, plan: Plan, views: Sequence[View]) -> List[str]:
        """Computes clusters, merges and shards; returns the keys of the shards."""
        jobs, specs = self.track_jobs(plan, views)
        self.save_specs(jobs, specs)
        self.scheduler.run("tracks", jobs)
        return [job.key for job in jobs if job.kind == "shard"]

    def track_jobs(self, plan: Plan, views: Sequence[View]) -> Tuple[List[tasks.Job], Dict[str, Dict[str, Any]]]:
        """Jobs of clusters, merges and shards, and by their keys what they read from the shared folder."""
        jobs: List[tasks.Job] = []
        specs: Dict[str, Dict[str, Any]] = {}
        root = tree_of(plan)
        number = {view.name: n for n, view in enumerate(views)}
        numbers = [number[view.name] for view in plan.views]
        neighbors = neighbor_lists(len(plan.views), self.all_pairs(plan))
        results: Dict[int, Tuple[str, str, List[int]]] = {}  # of a node: kind, key, which views are open
        for node in root or ():
            if node.parts:
                job, spec = self.merge_job(node, [results[id(part)] for part in node.parts])
            else:
                job, spec = self.cluster_job(plan, node, neighbors)
            specs[job.key] = spec
            is_open = node.open_views(root.counts)
            results[id(node)] = (job.kind, job.key, is_open)
            spec = {"kind": job.kind, "key": job.key, "open": is_open, "views": [numbers[view] for view in node.views]}
            shard = tasks.Job("shard", key_of("shard", spec), tasks.compute_shard, (), 0, (job.key,))
            specs[shard.key] = spec
            jobs += [job, shard]
        return jobs, specs

    def save_specs(self, jobs: Sequence[tasks.Job], specs: Dict[str, Dict[str, Any]]) -> None:
        for job in jobs:
            if not tasks.is_done(self.store, job) and not self.store.has_record(job.kind + "_spec", job.key):
                self.store.write_record(job.kind + "_spec", job.key, specs[job.key])

    def cluster_job(self, plan: Plan, node: Node, neighbors: List[List[int]]) -> Tuple[tasks.Job, Dict[str, Any]]:
        views = [plan.views[view] for view in node.views]
        spec = {"features": [view.features for view in views], "pairs": pairs_within(node.views, neighbors)}
        key = key_of("cluster", spec, self.options.method, self.options.norm, multimatch.__version__)
        return tasks.Job("cluster", key, tasks.compute_cluster, (self.options.method, self.options.norm),
                         sum(view.points for view in views)), spec

    def merge_job(self, node: Node, parts: List[Tuple[str, str, List[int]]]) -> Tuple[tasks.Job, Dict[str, Any]]:
        number = {view: n for n, view in enumerate(node.views)}
        spec = {"count": len(node.views),
                "parts": [{"kind": kind, "key": key, "open": is_open, "views": [number[view] for view in part.views]}
                          for part, (kind, key, is_open) in zip(node.parts, parts)]}
        key = key_of("merged", spec, multimatch.__version__)
        return tasks.Job("merged", key, tasks.compute_merged, (), 0, tuple(key for _, key, _ in parts)), spec


def tree_of(plan: Plan) -> Optional[Node]:
    """The merge of all clusters, additions one after the other; None without clusters."""
    root = None
    for addition in plan.additions:
        if addition.clusters:
            tree = merge_order([Node.leaf(views) for views in addition.clusters], plan.sizes())
            root = tree if root is None else Node.merge(root, tree)
    return root
