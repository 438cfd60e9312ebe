"""What the steps of Section 3 ask of a source of knowledge, whatever it is."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from expartkg.construction.sources.records import Node, Nouns, SourceFile, Statement, Work
from expartkg.construction.steps import Steps


@dataclass(frozen=True, slots=True)
class Named:
    """What a name stands for.

    `qids` are all the items that share the name, by number. `title` is where the name is known
    as the title of an English Wikipedia article, empty if it is not one. `is_certain` tells whether
    it is known what the article is about: one of the items, or a work of art. Many a portrait is
    called like the person who has the article.
    """

    qids: tuple[str, ...]
    title: str
    is_certain: bool


UNKNOWN = Named((), "", False)

ENGLISH_WIKIPEDIA = "English Wikipedia"
"""The list of titles of a source that knows every article of English Wikipedia."""
_NO_TITLE = re.compile(r"[#<>\[\]{}|\x00-\x1f]")


def titles_of(names: Iterable[str]) -> dict[str, list[str]]:
    """The titles under which names would be articles of Wikipedia, and the names of each.

    A title begins with a capital; a name that no title can be has none.
    """
    by_title = defaultdict(list)
    for name in sorted(names):
        if name and not _NO_TITLE.search(name) and len(name.encode("utf-8")) <= 255:
            by_title[name[0].upper() + name[1:]].append(name)
    return by_title


@dataclass(frozen=True, slots=True)
class Item:
    """An item with its label mended; whether it is a class, and whether somebody created it.

    A class is an end of a statement "subclass of" (P279); what was created has a creator (P170).
    """

    node: Node
    is_class: bool
    is_created: bool


class Knowledge(Protocol):
    """A source of titles, names and statements. Every method may raise `SourceError`.

    The names are asked for first, then everything is prepared, then the rest is asked. The same
    question gets the same answer as long as the files (or the address) are the same.
    """

    @property
    def address(self) -> str:
        """What it is, as on the command line but without any path: `snapshot`, `graph`, …"""

    @property
    def version(self) -> object:
        """What its content is known by, as JSON: results of another content are made again."""

    @property
    def files(self) -> tuple[SourceFile, ...]:
        """The files that it was read from; none for a service. Known after `prepare`."""

    @property
    def facts_as_of(self) -> str:
        """Of when the facts are, a sentence or two."""

    @property
    def nouns(self) -> Nouns:
        """Common nouns; empty where the source has no list of them."""

    def names(self) -> Collection[str] | None:
        """The names to look for in texts, None where there is no list of them."""

    def prepare(self, names: Collection[str], steps: Steps) -> None:
        """Make ready to be asked about these names, and the items that bear them.

        What takes long to read leaves its result among the steps of the build.
        """

    def look_up(self, names: Collection[str]) -> Mapping[str, Named]:
        """What each name stands for; a name that is unknown may be missing."""

    def items(self, qids: Collection[str]) -> Mapping[str, Item]:
        """The items of these ids; one without a usable English label is missing."""

    def statements(self, qids: Collection[str]) -> Iterable[Statement]:
        """All statements between two of these items, noise among them."""

    def works(self, qids: Collection[str]) -> Iterable[Work]:
        """Dates and pictures of those of these items that have them."""

    def property_labels(self, pids: Collection[str]) -> Mapping[str, str]:
        """The English label of every one of these properties."""
