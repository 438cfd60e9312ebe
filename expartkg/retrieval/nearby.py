"""Works that have much in common with another: the more facts, and the rarer, the nearer."""

from __future__ import annotations

import heapq
import math
from collections import defaultdict
from dataclasses import dataclass

from expartkg.records import ARTWORK, Entity
from expartkg.retrieval.ranking import Statistics
from expartkg.retrieval.store import Graph, id_order

MOST_WORKS_OF_ONE = 1_000
"""What more entities than that have in common (oil paint) tells nobody apart, and takes long."""


@dataclass(frozen=True, slots=True)
class Nearby:
    """A work, what it shares with another (the rarest first), and how rare that is together.

    `score` is the sum of log((N + 1) / (n_t + 1)) over the shared entities, as in Eq. 1.
    """

    work: Entity
    shared: tuple[Entity, ...]
    score: float


def nearby_works(
    graph: Graph, statistics: Statistics, entity: Entity, limit: int = 8
) -> tuple[Nearby, ...]:
    """At most `limit` works that share neighbours with `entity`, the nearest first.

    Of equals the one with the lower number goes first.
    """
    shared: defaultdict[Entity, list[tuple[float, Entity]]] = defaultdict(list)
    for neighbour in set(graph.neighbours(entity)):
        n_t = statistics.neighbours.get(neighbour.iri, 0)
        if neighbour != entity and n_t <= MOST_WORKS_OF_ONE:
            rarity = math.log((statistics.N + 1) / (n_t + 1))
            for other in set(graph.neighbours(neighbour)):
                if other.kind == ARTWORK and other != entity:
                    shared[other].append((rarity, neighbour))
    found = [_nearby(work, rarities) for work, rarities in shared.items()]
    return tuple(
        heapq.nsmallest(limit, found, key=lambda near: (-near.score, id_order(near.work.iri)))
    )


def _nearby(work: Entity, rarities: list[tuple[float, Entity]]) -> Nearby:
    rarities.sort(key=lambda pair: (-pair[0], id_order(pair[1].iri)))
    return Nearby(
        work, tuple(entity for _, entity in rarities), math.fsum(rarity for rarity, _ in rarities)
    )
