"""What tells works of the same title from each other: who made them, who holds them, and when."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from expartkg.records import Entity
from expartkg.retrieval.store import Graph

CREATOR = "P170"
COLLECTION = "P195"
LOCATION = "P276"


@dataclass(frozen=True, slots=True)
class Work:
    """A work beside what tells it from others of its title.

    `makers` are the labels of its creators (P170), `holders` those of its collections (P195), or of
    its locations (P276) where it is in no collection, both in alphabetical order; `years` are those
    of its inception (P571), in order. Each is empty where the graph does not say.
    """

    entity: Entity
    makers: tuple[str, ...]
    holders: tuple[str, ...]
    years: tuple[int, ...]


def works_of(graph: Graph, entities: Iterable[Entity]) -> tuple[Work, ...]:
    """The entities as works, in the same order."""
    return tuple(_work(graph, entity) for entity in entities)


def _work(graph: Graph, entity: Entity) -> Work:
    holders = _labels(graph, entity, COLLECTION) or _labels(graph, entity, LOCATION)
    return Work(entity, _labels(graph, entity, CREATOR), holders, graph.years(entity))


def _labels(graph: Graph, entity: Entity, property_id: str) -> tuple[str, ...]:
    return tuple(sorted({end.label for end in graph.objects(entity, property_id)}))
