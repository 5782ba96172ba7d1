"""What a run decided about a collection: its views in the order of their addition, pairs and clusters.

A later run with the same options continues the plan: clusters stay as they are, so that their tracks need not be computed again, and new
views get clusters of their own, which overlap the old ones. The plan is the only file on the shared folder that changes."""

from __future__ import annotations

import dataclasses
import json
import pathlib
from typing import List, Optional, Sequence

from .state import StateError, write_file


@dataclasses.dataclass
class View:
    """An image with features."""

    name: str
    features: str  # key of the array
    points: int
    width: int
    height: int


@dataclasses.dataclass
class Addition:
    """Views that one run added."""

    start: int  # first view
    pairs: str  # key of the array of pairs
    clusters: List[List[int]]  # views of each cluster, ascending; also views of earlier additions


@dataclasses.dataclass
class Plan:
    """Views and clusters of a collection."""

    cluster_points: int  # as given
    usable: float  # bytes that a cluster may use
    views: List[View] = dataclasses.field(default_factory=list)
    additions: List[Addition] = dataclasses.field(default_factory=list)
    words: str = ""  # key of the words of the signatures; "": not yet learned

    def sizes(self) -> List[int]:
        return [view.points for view in self.views]

    def missing_from(self, views: Sequence[View]) -> bool:
        """True if a view of the plan is not among these."""
        wanted = {(view.name, view.features) for view in views}
        return any((view.name, view.features) not in wanted for view in self.views)

    def new_among(self, views: Sequence[View]) -> List[View]:
        known = {(view.name, view.features) for view in self.views}
        return [view for view in views if (view.name, view.features) not in known]

    def save(self, name: pathlib.Path) -> None:
        text = json.dumps(dataclasses.asdict(self)).encode()
        write_file(name, lambda stream: stream.write(text))

    @staticmethod
    def load(name: pathlib.Path) -> Optional["Plan"]:
        """None if there is no plan."""
        try:
            record = json.loads(name.read_text())
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise StateError("%s is damaged (%s); remove it and run again" % (name, error))
        record["views"] = [View(**view) for view in record["views"]]
        record["additions"] = [Addition(**addition) for addition in record["additions"]]
        return Plan(**record)
