"""Which views are matched together, and in which order the clusters are merged.

Every pair of views that is to be compared is in a cluster. Clusters overlap: they have views in common, whose tracks connect them."""

from __future__ import annotations

import collections
import dataclasses
import heapq
from typing import Dict, List, Sequence, Tuple

import numpy as np

from . import costs


@dataclasses.dataclass(frozen=True)
class Capacity:
    """Largest cluster."""

    usable: float  # bytes
    points: int  # key points


class TooSmall(ValueError):
    """A pair of views does not fit; the message says how much memory it needs."""


def neighbor_lists(count: int, pairs: np.ndarray) -> List[List[int]]:
    """Per view the views that it is compared with, ascending."""
    both = np.concatenate([pairs, pairs[:, ::-1]]).astype(np.int64)
    both = both[np.lexsort((both[:, 1], both[:, 0]))]
    ends = np.searchsorted(both[:, 0], np.arange(count + 1))
    others = both[:, 1].tolist()
    return [others[ends[view]:ends[view + 1]] for view in range(count)]


class _Growth:
    """A cluster that grows by the view with the most open pairs to it."""

    def __init__(self, sizes: Sequence[int], all_pairs: List[List[int]], open_pairs: List[set], capacity: Capacity) -> None:
        self.sizes, self.all_pairs, self.open_pairs, self.capacity = sizes, all_pairs, open_pairs, capacity
        self.views: set = set()
        self.points = 0
        self.bytes = 0.0
        self.links: Dict[int, int] = collections.defaultdict(int)
        self.heap: List[Tuple[int, int]] = []

    def bytes_with(self, view: int) -> float:
        compared = sum(self.sizes[view] + self.sizes[other] for other in self.all_pairs[view] if other in self.views)
        return self.bytes + costs.POINT_BYTES * self.sizes[view] + costs.LINK_BYTES * compared

    def fits(self, view: int) -> bool:
        return (self.points + self.sizes[view] <= self.capacity.points and
                self.bytes_with(view) <= self.capacity.usable)

    def add(self, view: int) -> None:
        self.bytes = self.bytes_with(view)
        self.points += self.sizes[view]
        self.views.add(view)
        for other in self.open_pairs[view]:
            if other not in self.views:
                self.links[other] += 1
                heapq.heappush(self.heap, (-self.links[other], other))

    def next_view(self) -> int:
        """-1: no view outside has an open pair with one inside."""
        while self.heap:
            links, view = heapq.heappop(self.heap)
            if view not in self.views and -links == self.links[view]:
                return view
        return -1


def cluster_views(sizes: Sequence[int], pairs: np.ndarray, new_pairs: np.ndarray, capacity: Capacity) -> List[List[int]]:
    """Clusters that together have every new pair.

    A cluster begins with the first view that has a pair in no cluster and grows by the view with the most such pairs to it, until it is full.
    sizes: key points per view. pairs: all pairs, N x 2; those inside a cluster are compared there. Raises TooSmall if two views of a pair do not fit.
    Cost: the pairs times the logarithm of the views."""
    all_pairs = neighbor_lists(len(sizes), pairs)
    open_pairs = [set(others) for others in neighbor_lists(len(sizes), new_pairs)]
    clusters = []
    seed = 0
    while True:
        while seed < len(sizes) and not open_pairs[seed]:
            seed += 1
        if seed == len(sizes):
            return clusters
        growth = _Growth(sizes, all_pairs, open_pairs, capacity)
        growth.add(seed)
        start = seed
        while True:
            view = growth.next_view()
            if view < 0:  # the component is complete: continue with another one
                start = next((v for v in range(start + 1, len(sizes)) if open_pairs[v] and v not in growth.views), -1)
                view = start
            if view < 0 or not growth.fits(view):
                break
            growth.add(view)
        closed = 0
        for view in growth.views:
            inside = open_pairs[view] & growth.views
            open_pairs[view] -= inside
            closed += len(inside)
        if closed == 0:
            other = min(open_pairs[seed])
            raise TooSmall("two views with %d and %d key points need %s, but a worker has %s for its tasks, and a cluster "
                           "has at most %d key points: use workers with more memory, or fewer key points"
                           % (sizes[seed], sizes[other], costs.format_bytes(
                               costs.POINT_BYTES * (sizes[seed] + sizes[other]) +
                               costs.LINK_BYTES * (sizes[seed] + sizes[other])),
                              costs.format_bytes(capacity.usable), capacity.points))
        clusters.append(sorted(growth.views))


def pairs_within(views: Sequence[int], neighbors: List[List[int]]) -> List[Tuple[int, int]]:
    """The pairs of views in a cluster, as numbers inside the cluster."""
    number = {view: n for n, view in enumerate(views)}
    return [(number[view], number[other]) for view in views for other in neighbors[view]
            if other > view and other in number]


@dataclasses.dataclass
class Node:
    """A cluster, or the merge of two nodes."""

    views: List[int]  # ascending, of all clusters below
    counts: Dict[int, int]  # per view the clusters below that have it
    parts: Tuple["Node", ...] = ()

    @staticmethod
    def leaf(views: Sequence[int]) -> "Node":
        return Node(sorted(views), dict.fromkeys(views, 1))

    @staticmethod
    def merge(first: "Node", second: "Node") -> "Node":
        counts = dict(first.counts)
        for view, count in second.counts.items():
            counts[view] = counts.get(view, 0) + count
        return Node(sorted(counts), counts, (first, second))

    def open_views(self, total: Dict[int, int]) -> List[int]:
        """1 for each view that clusters outside of this node have too, where tracks may still change; 0 for the others."""
        return [int(self.counts[view] < total[view]) for view in self.views]

    def __iter__(self):
        """All nodes, parts before the whole."""
        stack: List[Tuple[Node, bool]] = [(self, False)]
        while stack:
            node, entered = stack.pop()
            if entered or not node.parts:
                yield node
            else:
                stack.append((node, True))
                stack.extend((part, False) for part in reversed(node.parts))


def merge_order(leaves: List[Node], sizes: Sequence[int]) -> Node:
    """A balanced tree: in each level nodes that share the most key points are merged first."""
    nodes = leaves
    while len(nodes) > 1:
        holders: Dict[int, List[int]] = collections.defaultdict(list)
        for n, node in enumerate(nodes):
            for view in node.views:
                holders[view].append(n)
        shared: Dict[Tuple[int, int], int] = collections.defaultdict(int)
        for view, held in holders.items():
            for i, first in enumerate(held):
                for second in held[i + 1:]:
                    shared[first, second] += sizes[view]
        used = set()
        merged = []
        for (first, second), _ in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
            if first not in used and second not in used:
                used.update((first, second))
                merged.append((first, Node.merge(nodes[first], nodes[second])))
        rest = [n for n in range(len(nodes)) if n not in used]
        if not merged:  # nothing shared: any order does
            merged = [(rest[i], Node.merge(nodes[rest[i]], nodes[rest[i + 1]])) for i in range(0, len(rest) - 1, 2)]
            rest = rest[len(rest) // 2 * 2:]
        nodes = [node for _, node in sorted(merged + [(n, nodes[n]) for n in rest], key=lambda item: item[0])]
    return nodes[0]
