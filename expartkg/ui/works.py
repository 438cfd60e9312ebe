"""What tells works of the same title from each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from expartkg.records import Entity
from expartkg.retrieval.store import Graph

CREATOR = "P170"


@dataclass(frozen=True, slots=True)
class Work:
    """A work that a title could mean, and who made it."""

    entity: Entity
    makers: tuple[str, ...]


def works_of(graph: Graph, entities: Iterable[Entity]) -> tuple[Work, ...]:
    """The works with their makers, in the same order; none in a graph without P170."""
    return tuple(Work(entity, _makers(graph, entity)) for entity in entities)


def _makers(graph: Graph, work: Entity) -> tuple[str, ...]:
    edges = (edge for edge in graph.document(work) if edge.outgoing)
    return tuple(sorted(edge.neighbour.label for edge in edges if edge.predicate.id == CREATOR))
