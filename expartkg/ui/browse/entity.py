"""What the page of an entity shows. Knows no HTML."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import islice

from expartkg.records import ARTWORK, Entity, Property
from expartkg.retrieval.nearby import Nearby, nearby_works
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.store import id_order
from expartkg.retrieval.works import Work
from expartkg.ui.browse.paging import Part, part_of

FACTS_SHOWN = 10
"""Of one property, before one asks for all of them."""
FACTS_ON_A_PAGE = 100


@dataclass(frozen=True, slots=True)
class Group:
    """The entities that an entity is joined to by one property, in one direction, by label."""

    predicate: Property
    outgoing: bool
    ends: tuple[Entity, ...]

    @property
    def shown(self) -> tuple[Entity, ...]:
        return self.ends[:FACTS_SHOWN]


@dataclass(frozen=True, slots=True)
class EntityPage:
    """An entity with all that the graph says of it; `neighbours` are the works nearby.

    `work` is set for works: it tells who made them, who has them, and when.
    """

    entity: Entity
    work: Work | None
    has_picture: bool
    literals: tuple[tuple[Property, str], ...]
    groups: tuple[Group, ...]
    neighbours: tuple[Nearby, ...]

    @property
    def outgoing(self) -> list[Group]:
        return [group for group in self.groups if group.outgoing]

    @property
    def incoming(self) -> list[Group]:
        return [group for group in self.groups if not group.outgoing]


@dataclass(frozen=True, slots=True)
class GroupPage:
    """A part of a group that is too large to be shown with the others."""

    entity: Entity
    group: Group
    part: Part[Entity]


def entity_page(retriever: Retriever, id: str) -> EntityPage:
    """Raises `UnknownEntityError`."""
    graph = retriever.graph
    entity = graph.entity(id)
    is_work = entity.kind == ARTWORK
    return EntityPage(
        entity,
        work=retriever.works([entity])[0] if is_work else None,
        has_picture=graph.image(entity) is not None,
        literals=tuple((name, readable(value)) for name, value in graph.literals(entity)),
        groups=_groups(retriever, entity),
        neighbours=nearby_works(graph, retriever.ranker.statistics, entity) if is_work else (),
    )


def group_page(
    retriever: Retriever, id: str, property_id: str, outgoing: bool, page: int
) -> GroupPage | None:
    """None if the entity has no such facts. Raises `UnknownEntityError`."""
    entity = retriever.graph.entity(id)
    for group in _groups(retriever, entity):
        if group.predicate.id == property_id and group.outgoing == outgoing:
            return GroupPage(entity, group, part_of(group.ends, page, FACTS_ON_A_PAGE))
    return None


def readable(value: str) -> str:
    """A date without the time of day that Wikidata gives every date."""
    return value.removesuffix("T00:00:00Z").removeprefix("+")


def names(entities: tuple[Entity, ...], most: int = 3) -> str:
    """The first few labels."""
    return ", ".join(entity.label for entity in islice(entities, most))


def _groups(retriever: Retriever, entity: Entity) -> tuple[Group, ...]:
    """Outgoing ones first, by the number of the property."""
    ends: defaultdict[tuple[bool, Property], set[Entity]] = defaultdict(set)
    for edge in retriever.graph.document(entity):
        ends[not edge.outgoing, edge.predicate].add(edge.neighbour)
    return tuple(
        Group(predicate, not incoming, _by_label(found))
        for (incoming, predicate), found in sorted(
            ends.items(), key=lambda item: (item[0][0], id_order(item[0][1].iri))
        )
    )


def _by_label(entities: set[Entity]) -> tuple[Entity, ...]:
    return tuple(
        sorted(entities, key=lambda entity: (entity.label.casefold(), id_order(entity.iri)))
    )
