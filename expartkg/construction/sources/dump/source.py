"""A dump of Wikidata as a source of knowledge.

For a set of questions it is read once, whatever its size: of the millions of items those are kept
that bear one of the names, and of these the ones that have an article under it with all that is
said about them, since no other can become a node. What was kept is a step of the build, so a build
that goes on does not read the dump again.

For all artworks it is read twice: which other items the artworks name is only known at the end of
the first time. Memory grows with the names, or the artworks, and not with the dump.

A dump does not tell which items were merged into others. A statement about one that was, which is
rare, is not found.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path

from expartkg.construction.ids import by_number
from expartkg.construction.properties import PROPERTY_LABELS
from expartkg.construction.sources.dump.described import DamagedLineError, Described
from expartkg.construction.sources.dump.file import DumpFile
from expartkg.construction.sources.dump.json_lines import json_entities
from expartkg.construction.sources.dump.triples import described_by_triples
from expartkg.construction.sources.entities import DISAMBIGUATION, Entity, role_of_class
from expartkg.construction.sources.knowledge import ENGLISH_WIKIPEDIA, Item, Named, titles_of
from expartkg.construction.sources.records import Extract, Node, Nouns, SourceFile, Statement, Work
from expartkg.construction.steps import Record, Steps
from expartkg.errors import SourceError
from expartkg.files import sweep
from expartkg.retrieval.text import normal_form

FACTS_AS_OF = "The facts are as Wikidata had them when the dump was made."
USED_AS = {"P135": "movement", "P136": "genre", "P186": "material", "P180": "depicted"}
"""What an artwork's property makes of an item whose class says nothing."""

Keep = Callable[[Described], Entity | None]
"""What is to be kept of an entity, None for nothing."""


class Dump:
    """Knowledge of what a dump in JSON or truthy N-Triples says, packed or not.

    There is no list of names, so candidates are capitalised phrases, and none of nouns: a class
    has "subclass of" statements here.
    """

    address = "dump"
    facts_as_of = FACTS_AS_OF
    nouns = Nouns()

    def __init__(self, path: Path) -> None:
        self._file = DumpFile(path)
        self.version = self._file.version
        self.files: tuple[SourceFile, ...] = ()
        self._entities: dict[str, Entity] = {}
        self._bearers: dict[str, set[str]] = {}
        self._articles: dict[str, set[str]] = {}

    def names(self) -> None:
        """There is no list of names."""

    def prepare(self, names: Collection[str], steps: Steps) -> None:
        """Read the dump, unless what is needed of it is there from before.

        Raises `SourceError` if it is damaged, or has no articles.
        """
        keep = _bearers_of(names)
        *kept, told = steps.result("dump", lambda: _scan(self._file, keep))
        self.files = (_source_file(self._file.path, told),)
        if not told["articles"]:
            raise SourceError(
                f"{self._file.path} names no article of English Wikipedia, so it cannot tell which "
                "names are titles; give the JSON dump, or a truthy one with its sitelinks "
                "(schema:about)."
            )
        self._entities = {record["id"]: Entity.from_json(record) for record in kept}
        self._bearers = _grouped(
            (entity.label, entity.id)
            for entity in self._items()
            if DISAMBIGUATION not in entity.linked("P31")
        )
        self._articles = _grouped((entity.article, entity.id) for entity in self._items())

    def look_up(self, names: Collection[str]) -> dict[str, Named]:
        found = {}
        for title, alike in titles_of(names).items():
            for name in alike if title in self._articles else ():
                qids = self._articles[title] | self._bearers.get(name, set())
                found[name] = Named(tuple(by_number(qids)), ENGLISH_WIKIPEDIA, True)
        return found

    def items(self, qids: Collection[str]) -> dict[str, Item]:
        found = {entity.id: entity.item for entity in self._these(qids)}
        return {qid: item for qid, item in found.items() if item}

    def statements(self, qids: Collection[str]) -> Iterator[Statement]:
        """Statements of the best rank."""
        for entity in self._these(qids):
            for pid, qid in sorted(set(entity.links)):
                if qid in qids:
                    yield Statement(entity.id, pid, qid)

    def works(self, qids: Collection[str]) -> Iterator[Work]:
        return (entity.work for entity in self._these(qids) if entity.work)

    def property_labels(self, pids: Collection[str]) -> dict[str, str]:
        """A property without an English label is called by its id."""
        labels = {pid: PROPERTY_LABELS.get(pid, pid) for pid in pids}
        return labels | {entity.id: entity.label for entity in self._these(pids)}

    def _items(self) -> Iterator[Entity]:
        return (entity for id, entity in self._entities.items() if id.startswith("Q"))

    def _these(self, ids: Collection[str]) -> Iterator[Entity]:
        return (self._entities[id] for id in by_number(ids) if id in self._entities)


def read_dump(path: Path, folder: Path) -> Extract:
    """All artworks of a dump, by their class, and the items that their statements name.

    What was found is left in `folder`, where a build that goes on finds it. Raises `SourceError`
    if the dump is damaged or has no artwork.
    """
    sweep(folder)
    file = DumpFile(path)
    steps = Steps(folder, {"knowledge": file.version})
    *kept, told = steps.result("artworks", lambda: _scan(file, _artwork))
    read = [Entity.from_json(record) for record in kept]
    artworks = [entity for entity in read if entity.id.startswith("Q")]
    if not artworks:
        raise SourceError(f"{path} has no artwork, by the classes of data/classes.tsv.")
    used_as = _used_as(artworks)
    *kept, told = steps.result("named", lambda: _scan(file, _one_of(used_as)))
    named = [Entity.from_json(record) for record in kept]
    return Extract(
        nodes=(
            *(Node(entity.id, entity.label, "artwork", False) for entity in artworks),
            *(_named_node(entity, used_as[entity.id]) for entity in named),
        ),
        statements=tuple(chain.from_iterable(entity.statements for entity in (*artworks, *named))),
        works=tuple(entity.work for entity in artworks if entity.work),
        nouns=Nouns(),
        files=(_source_file(path, told),),
        facts_as_of=FACTS_AS_OF,
        property_labels={entity.id: entity.label for entity in read if entity.id.startswith("P")},
    )


def _scan(file: DumpFile, keep: Keep) -> Iterator[Record]:
    """Records of what is kept, and a last one of the dump itself."""
    kept: set[str] = set()
    entities = articles = 0
    try:
        for described in _entities(file):
            entities += 1
            articles += bool(described.article)
            if described.id in kept:
                raise SourceError(
                    f"{file.path} has {described.id} in two places; a dump has it in one."
                )
            if found := keep(described):
                kept.add(found.id)
                yield asdict(found)
    except DamagedLineError as error:
        raise SourceError(f"{file.path}, line {error.number}: {error}.") from error
    if not entities:
        raise SourceError(f"{file.path} has no entity of Wikidata; give a dump of it.")
    yield {"sha256": file.sha256, "entities": entities, "articles": articles}


def _entities(file: DumpFile) -> Iterable[Described]:
    """The entities of a dump, whose first line tells which format it has."""
    lines = file.lines()
    for number, line in lines:
        beginning, whole = line.strip()[:1], chain([(number, line)], lines)
        if beginning and beginning in b"[{":
            return json_entities(whole)
        if beginning and beginning in b"<_#":
            return described_by_triples(whole)
        if beginning:
            raise DamagedLineError(number, "neither JSON nor N-Triples; give a dump of Wikidata")
    return ()


def _bearers_of(names: Collection[str]) -> Keep:
    """All of what has an article under one of the names, the ids of what else is called so."""
    named, titles = frozenset(names), frozenset(titles_of(names))

    def keep(described: Described) -> Entity | None:
        if described.id.startswith("P"):
            return _property(described)
        if normal_form(described.article) in titles:
            return described.entity()
        if normal_form(described.label) in named and DISAMBIGUATION not in described.classes():
            return Entity(described.id, described.label)
        return None

    return keep


def _artwork(described: Described) -> Entity | None:
    if described.id.startswith("P"):
        return _property(described)
    is_artwork = "artwork" in map(role_of_class, described.classes())
    return described.entity() if is_artwork else None


def _one_of(ids: Collection[str]) -> Keep:
    return lambda described: described.entity() if described.id in ids else None


def _property(described: Described) -> Entity | None:
    return Entity(described.id, described.label) if described.label else None


def _used_as(artworks: Sequence[Entity]) -> dict[str, str]:
    """The items that artworks name, and what they are by that, empty where it does not tell."""
    used = {qid: "" for entity in artworks for _, qid in entity.links}
    for entity in artworks:
        for pid, qid in entity.links:
            used[qid] = USED_AS.get(pid) or used[qid]
    return {qid: role for qid, role in used.items() if qid not in {one.id for one in artworks}}


def _named_node(entity: Entity, used_as: str) -> Node:
    role = entity.role
    # There is no list of nouns; what is depicted and has subclasses or is one, is a noun.
    is_class = bool(entity.linked("P279"))
    return Node(entity.id, entity.label, used_as if role == "other" and used_as else role, is_class)


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, set[str]]:
    groups: dict[str, set[str]] = defaultdict(set)
    for name, id in pairs:
        groups[normal_form(name)].add(id)
    groups.pop("", None)
    return dict(groups)


def _source_file(path: Path, told: Record) -> SourceFile:
    return SourceFile(path.name, "CC0 1.0 (Wikidata)", told["sha256"])
