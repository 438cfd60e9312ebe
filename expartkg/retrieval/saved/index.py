"""Looking things up in a saved index. Entities are numbered, and their IRIs are the keys."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, overload

from expartkg.errors import GraphError
from expartkg.records import Entity, Property
from expartkg.retrieval.descriptions import last_segment
from expartkg.retrieval.index import SearchIndex, SortedTitles, SortedWords
from expartkg.retrieval.saved.files import SavedKeys, SavedNumbers, SavedTexts
from expartkg.retrieval.text import is_word

FOLDER = "expartkg"
"""Where the index lies, inside the store that it belongs to, so that both are renamed at once."""

MANIFEST = "index.json"
VERSION = 2


def has_index(store: Path) -> bool:
    """Whether an index was saved with a store."""
    return (store / FOLDER / MANIFEST).is_file()


def open_index(store: Path) -> SavedIndex:
    """Opens the index of a store. Raises `GraphError` if it does not belong to it."""
    folder = store / FOLDER
    remedy = f"load the files again with kg load, or delete {folder} to have the store read whole"
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        if manifest["format"] != format_here():
            raise GraphError(f"{store} was indexed by another version or machine; {remedy}.")
        if manifest["store"] != fingerprint(store):
            raise GraphError(f"{store} has changed since it was indexed; {remedy}.")
        if manifest["files"] != file_sizes(folder):
            raise GraphError(f"The index of {store} is not complete; {remedy}.")
        return SavedIndex(folder, manifest)
    except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
        raise GraphError(f"The index of {store} is damaged ({error}); {remedy}.") from error


def format_here() -> list[object]:
    """What an index must have been written with to be readable here."""
    return [VERSION, sys.byteorder]


def fingerprint(store: Path) -> list[list[object]]:
    """Names and sizes of the files that hold a store's statements; any writing changes them."""
    files = [path for path in store.iterdir() if path.suffix in (".sst", ".log")]
    # Opening a store for writing begins a new, empty log.
    return sorted([path.name, size] for path in files if (size := path.stat().st_size))


def file_sizes(folder: Path) -> dict[str, int]:
    """The size of every file of an index but its manifest."""
    files = [path for path in sorted(folder.iterdir()) if path.name != MANIFEST]
    return {path.name: path.stat().st_size for path in files}


class SavedIndex:
    """The index of one store; see `retrieval.index.Index`."""

    def __init__(self, folder: Path, manifest: Mapping[str, Any]) -> None:
        self.sha256: str = manifest["sha256"]
        self.statements: int = manifest["statements"]
        self.entities = SavedEntities(folder, manifest["kinds"])
        self.ids: Mapping[str, Entity] = _Ids(self.entities)
        self.predicates = {
            predicate["iri"]: Property(predicate["id"], predicate["label"], predicate["iri"])
            for predicate in manifest["predicates"]
        }
        self.holders = {
            predicate["iri"]: predicate["holders"]
            for predicate in manifest["predicates"]
            if predicate["holders"]
        }
        self.neighbours: Mapping[str, int] = _Counts(self.entities, folder / "neighbours")
        self._edges = _Edges(folder / "edges", self.entities, list(self.predicates))
        self.names = _Names(folder, self.entities, manifest["longest_name"])
        self.search = _search_index(folder, self.entities)
        self._titles = {
            form: EntitiesByKey(folder, form, self.entities) for form in manifest["title_forms"]
        }

    def edges(self, iri: str) -> Iterable[tuple[str, Entity, bool]]:
        return self._edges.of(self.entities.number(iri))

    def titles(self, form: str) -> EntitiesByKey:
        return self._titles[form]


def _search_index(folder: Path, entities: SavedEntities) -> SearchIndex:
    titles = folder / "titles"
    return SearchIndex(
        _Works(entities, SavedNumbers(folder / "works", "I")),
        SortedTitles(SavedTexts(titles), SavedNumbers(numbers_path(titles), "I")),
        _words(folder / "title_words"),
        _words(folder / "all_words"),
    )


def _words(path: Path) -> SortedWords:
    numbers = SavedNumbers(numbers_path(path), "I")
    return SortedWords(SavedTexts(path), numbers, SavedNumbers(starts_path(path), "Q"))


class SavedEntities(Mapping[str, Entity]):
    """The entities of a store by their IRIs, made anew whenever one is asked for."""

    def __init__(self, folder: Path, kinds: Sequence[str]) -> None:
        self._iris = SavedKeys(folder / "iris")
        self._labels = SavedTexts(folder / "labels")
        self._kinds = SavedNumbers(folder / "kinds", "I")
        self._kind_names = kinds
        self._ids = SavedKeys(folder / "ids")
        self._of_id = SavedNumbers(numbers_path(folder / "ids"), "I")

    def __len__(self) -> int:
        return len(self._iris)

    def __iter__(self) -> Iterator[str]:
        return map(self._iris.key, range(len(self)))

    def __getitem__(self, iri: str) -> Entity:
        return self._entity(self.number(iri), iri)

    def get(self, iri: str, default: Any = None, /) -> Any:
        """As of any mapping, without the cost of an exception."""
        number = self._iris.number(iri)
        return default if number is None else self._entity(number, iri)

    def number(self, iri: str) -> int:
        """Raises `KeyError` for an IRI that is no entity's."""
        number = self._iris.number(iri)
        if number is None:
            raise KeyError(iri)
        return number

    def at(self, number: int) -> Entity:
        """The entity of that number."""
        return self._entity(number, self._iris.key(number))

    def of_id(self, id: str) -> Entity:
        """The entity of a short id that no other entity shares. Raises `KeyError`."""
        number = self._ids.number(id)
        if number is None:
            raise KeyError(id)
        return self.at(self._of_id[number])

    def _entity(self, number: int, iri: str) -> Entity:
        segment = last_segment(iri)
        id = iri if self._ids.number(segment) is None else segment
        return Entity(id, self._labels[number], self._kind_names[self._kinds[number]], iri)


class _Ids(Mapping[str, Entity]):
    def __init__(self, entities: SavedEntities) -> None:
        self._entities = entities

    def __len__(self) -> int:
        return len(self._entities)

    def __iter__(self) -> Iterator[str]:
        return (entity.id for entity in self._entities.values())

    def __getitem__(self, id: str) -> Entity:
        try:
            return self._entities.of_id(id)
        except KeyError:
            # Where short ids would clash, an entity's id is its IRI.
            return self._entities[id]


class _Counts(Mapping[str, int]):
    """A number for every entity, by its IRI."""

    def __init__(self, entities: SavedEntities, path: Path) -> None:
        self._entities = entities
        self._counts = SavedNumbers(path, "I")

    def __len__(self) -> int:
        return len(self._entities)

    def __iter__(self) -> Iterator[str]:
        return iter(self._entities)

    def __getitem__(self, iri: str) -> int:
        return self._counts[self._entities.number(iri)]


class _Edges:
    """The documents of all entities in a row; a statement stands in those of both its ends.

    An edge is the number of the far end and, in another file, that of the predicate, doubled, and
    one more if the edge goes out.
    """

    def __init__(self, path: Path, entities: SavedEntities, predicates: Sequence[str]) -> None:
        self._entities = entities
        self._predicates = predicates
        self._starts = SavedNumbers(starts_path(path), "Q")
        self._ends = SavedNumbers(numbers_path(path), "I")
        self._codes = SavedNumbers(path, "I")

    def of(self, number: int) -> Iterator[tuple[str, Entity, bool]]:
        place = slice(self._starts[number], self._starts[number + 1])
        for end, code in zip(self._ends[place], self._codes[place], strict=True):
            yield self._predicates[code // 2], self._entities.at(end), code % 2 == 1


class _Works(Sequence[Entity]):
    """Entities in an order of their own."""

    def __init__(self, entities: SavedEntities, numbers: SavedNumbers) -> None:
        self._entities = entities
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, place: int) -> Entity: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Entity]: ...

    def __getitem__(self, place: int | slice) -> Entity | Sequence[Entity]:
        if isinstance(place, slice):
            return [self._entities.at(number) for number in self._numbers[place]]
        return self._entities.at(self._numbers[place])


class EntitiesByKey:
    """The entities that share a key, for many keys."""

    def __init__(self, folder: Path, name: str, entities: SavedEntities) -> None:
        path = folder / name
        self._entities = entities
        self._starts = SavedNumbers(starts_path(path), "Q")
        self._numbers = SavedNumbers(numbers_path(path), "I")
        self.keys = SavedKeys(path)

    def get(self, key: str, /) -> tuple[Entity, ...] | None:
        number = self.keys.number(key)
        return None if number is None else self.at(number)

    def at(self, key_number: int) -> tuple[Entity, ...]:
        """The entities of the key of that number."""
        numbers = self._numbers[self._starts[key_number] : self._starts[key_number + 1]]
        return tuple(map(self._entities.at, numbers))


class _Names:
    """The dictionary of names: at every word of a text, those that it goes on with."""

    def __init__(self, folder: Path, entities: SavedEntities, longest: int) -> None:
        self._by_name = EntitiesByKey(folder, "names", entities)
        self._longest = longest

    def occurrences(self, text: str) -> Iterable[tuple[int, int, int]]:
        for start in range(len(text)):
            if start and is_word(text[start - 1]):
                continue
            rest = text[start : start + self._longest]
            for name, number in self._by_name.keys.beginning(rest):
                yield number, start, start + len(name)

    def entities(self, name: int) -> tuple[Entity, ...]:
        return self._by_name.at(name)


def numbers_path(path: Path) -> Path:
    return path.with_name(path.name + ".numbers")


def starts_path(path: Path) -> Path:
    return path.with_name(path.name + ".starts")
