"""What the page of the whole graph shows: its size, its kinds, and a search. Knows no HTML."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from expartkg.errors import UnknownEntityError
from expartkg.records import ARTWORK, Entity
from expartkg.retrieval.retriever import Retriever
from expartkg.retrieval.search import LONGEST_TEXT
from expartkg.retrieval.store import id_order
from expartkg.retrieval.text import fold
from expartkg.retrieval.works import Work
from expartkg.ui.browse.paging import Part, part_of

WORKS_FOUND = 20
OTHERS_FOUND = 20
ENTITIES_ON_A_PAGE = 200


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found: works, and other entities of that very name or id."""

    text: str
    works: tuple[Work, ...] = ()
    others: tuple[Entity, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphPage:
    """The graph in numbers; `kinds` by size. `found` is set after a search."""

    name: str
    entities: int
    statements: int
    properties: int
    kinds: tuple[tuple[str, int], ...]
    found: Found | None


@dataclass(frozen=True, slots=True)
class KindPage:
    """The entities of one kind, by label; the kind is empty for those without one."""

    kind: str
    part: Part[Entity]


class Catalogue:
    """The entities of a graph by kind and by name. Made when first needed, and then kept."""

    def __init__(self, retriever: Retriever) -> None:
        self._retriever = retriever

    @cached_property
    def _kinds(self) -> dict[str, list[Entity]]:
        """The largest first; in each, entities by label."""
        kinds: defaultdict[str, list[Entity]] = defaultdict(list)
        for _, entity in self._folded:
            kinds[entity.kind].append(entity)
        return dict(sorted(kinds.items(), key=lambda item: (-len(item[1]), item[0])))

    @cached_property
    def _folded(self) -> list[tuple[str, Entity]]:
        """All entities with their folded labels, in the order of these."""
        entities = self._retriever.graph.entities
        folded = [(fold(entity.label), entity) for entity in entities]
        return sorted(folded, key=lambda pair: (pair[0], id_order(pair[1].iri)))

    def graph(self, text: str) -> GraphPage:
        """`text` is what is searched for, if anything is."""
        graph, counts = self._retriever.graph, self._retriever.ranker.statistics
        return GraphPage(
            graph.name,
            len(graph),
            counts.statements,
            len(counts.predicates),
            tuple((kind, len(entities)) for kind, entities in self._kinds.items()),
            self._found(text) if text else None,
        )

    def kind(self, kind: str, page: int) -> KindPage | None:
        """The entities of a kind; None if there are none."""
        entities = self._kinds.get(kind)
        return KindPage(kind, part_of(entities, page, ENTITIES_ON_A_PAGE)) if entities else None

    def _found(self, text: str) -> Found:
        works = self._retriever.suggest(text, WORKS_FOUND)
        seen = {work.entity for work in works}
        named = dict.fromkeys([*self._of_id(text), *self._named(fold(text[:LONGEST_TEXT]))])
        others = (entity for entity in named if entity not in seen)
        return Found(text, works, tuple(islice(others, OTHERS_FOUND)))

    def _of_id(self, id: str) -> Iterator[Entity]:
        with suppress(UnknownEntityError):
            yield self._retriever.graph.entity(id)

    def _named(self, name: str) -> Iterator[Entity]:
        """What is called so, then what has a name that begins so, then one with it inside.

        Works are found in better ways.
        """
        if not name:
            return
        others = [(label, one) for label, one in self._folded if one.kind != ARTWORK]
        yield from (one for label, one in others if label == name)
        yield from (one for label, one in others if label.startswith(name))
        yield from (one for label, one in others if f" {name}" in label)
