"""What a graph can have ready from an earlier time, so that opening it reads nothing whole.

A graph without an index makes the same from its store: names, titles and statistics are then held
in memory. With one, all of it is looked up where it was saved (`retrieval.saved`).
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol, overload

from expartkg.records import CONCEPT, Entity, Property


class Numbers(Protocol):
    """Whole numbers in a row; a slice of them is an array of one's own."""

    def __len__(self) -> int: ...

    @overload
    def __getitem__(self, place: int, /) -> int: ...

    @overload
    def __getitem__(self, place: slice, /) -> array[int]: ...


class Dictionary(Protocol):
    """Names, numbered, and the entities of each."""

    def occurrences(self, text: str) -> Iterable[tuple[int, int, int]]:
        """Number, start and end of all names in a text of normal form, also of overlapping ones.

        Where a name begins or ends inside a word it may be listed or not.
        """

    def entities(self, name: int) -> tuple[Entity, ...]:
        """All entities of the name of that number."""


class TitleLookup(Protocol):
    """The entities but general concepts by their labels, in one degree of forgiveness."""

    def get(self, title: str, /) -> Sequence[Entity] | None: ...


class SortedTitles(NamedTuple):
    """Titles in alphabetical order, and the number of the work that has each."""

    titles: Sequence[str]
    numbers: Numbers


class SortedWords(NamedTuple):
    """Words in alphabetical order; the works of word i are `numbers[starts[i]:starts[i + 1]]`."""

    words: Sequence[str]
    numbers: Numbers
    starts: Numbers


class SearchIndex(NamedTuple):
    """What type-ahead looks into: the works, the best known first, their titles and words.

    `all_words` are also those of artist, collection and place.
    """

    works: Sequence[Entity]
    titles: SortedTitles
    title_words: SortedWords
    all_words: SortedWords


class Index(Protocol):
    """Everything that is asked of a whole graph. `holders` and `neighbours` are n_t by IRI."""

    @property
    def entities(self) -> Mapping[str, Entity]:
        """By IRI."""

    @property
    def ids(self) -> Mapping[str, Entity]:
        """By short id."""

    @property
    def predicates(self) -> Mapping[str, Property]:
        """Those that edges may have, by IRI, in order."""

    def edges(self, iri: str) -> Iterable[tuple[str, Entity, bool]]:
        """The document of an entity: predicate, neighbour, and whether the edge goes out."""

    @property
    def names(self) -> Dictionary: ...

    def titles(self, form: str) -> TitleLookup:
        """`form` is the name of a function of `retrieval.titles.FORMS`."""

    @property
    def statements(self) -> int: ...

    @property
    def holders(self) -> Mapping[str, int]: ...

    @property
    def neighbours(self) -> Mapping[str, int]: ...

    @property
    def search(self) -> SearchIndex: ...


def by_label(entities: Iterable[Entity], form: Callable[[str], str]) -> dict[str, list[Entity]]:
    """All entities but general concepts by their labels in a form, where that is not empty."""
    found: dict[str, list[Entity]] = {}
    for entity in entities:
        if entity.kind != CONCEPT:
            found.setdefault(form(entity.label), []).append(entity)
    found.pop("", None)
    return found
